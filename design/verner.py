"""The explicit pair 9(8) of J. H. Verner with 16 stages ("most efficient", 2010), as a method to be given to runs.

Numerical Algorithms 53, pp. 383-396, and the author's pages; digits rounded to floats.  Stage 16 is f at the end of the
step, stage 17 one of Verner's further ones: with it alone a polynomial of order 7 inside of the step is there, as that
of `dop853`, and is found here from the order conditions.  `conditions` checks every digit.
"""

import math
from functools import cache

import numpy as np

from linkwork.analysis.integrators import Method
from linkwork.analysis.integrators.method import matrix

# fmt: off
WEIGHTS = (0.014611976858423152, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -0.3915211862331339, 0.23109325002895065,
    0.12747667699928525, 0.2246434176204158, 0.5684352689748513, 0.058258715572158275, 0.13643174034822156,
    0.030570139830827976, 0.0)
LOWER = (0.01996996514886773, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.19149930494933, 0.08857071848208438,
    0.11405602348659656, 0.2533163805345107, -2.056564386240941, 0.340809679901312, 0.0, 0.0, 0.048342313738239585)
STAGES = {
    1: {0: 0.03462},
    2: {0: -0.038933543885728734, 1: 0.13595789452450918},
    3: {0: 0.03638413148954267, 2: 0.109152394468628},
    4: {0: 2.02576391439397, 2: -7.638023836496292, 3: 6.173259922102322},
    5: {0: 0.05112275589406061, 3: 0.17708237945550215, 4: 0.0008027762409222502},
    6: {0: 0.13160063579752163, 3: -0.29572762526696367, 4: 0.08781378035642952, 5: 0.6213052975225275},
    7: {0: 0.07166666666666667, 5: 0.33055335789153195, 6: 0.24277997544180138},
    8: {0: 0.071806640625, 5: 0.3294380283228177, 6: 0.11651900292718229, 7: -0.034013671875},
    9: {0: 0.04836757646340647, 5: 0.03928989925676164, 6: 0.10547409458903446, 7: -0.021438652846483126, 8:
        -0.10412291746271944},
    10: {0: -0.026645614872014785, 5: 0.03333333333333333, 6: -0.1631072244872467, 7: 0.033960816841277615, 8:
        0.1572319413814626, 9: 0.21522674780318796},
    11: {0: 0.036890092487086225, 5: -0.1465181576725543, 6: 0.22425777681720244, 7: 0.022944057170660725, 8:
        -0.003585005290572876, 9: 0.08669223316444385, 10: 0.43838406519683376},
    12: {0: -0.48660122151133406, 5: -6.304602650282853, 6: -0.2812456182894726, 7: -2.6790192362198493, 8:
        0.5188156639241576, 9: 1.3653531876033418, 10: 5.8850910885039465, 11: 2.8028087862720628},
    13: {0: 0.41853674577534716, 5: 6.724547581906459, 6: -0.4254442801646118, 7: 3.3432791530012658, 8:
        0.6170816631175378, 9: -0.9299661239399328, 10: -6.099948804751011, 11: -3.002206187889399, 12:
        0.2553202529443446},
    14: {0: -0.7793740861228846, 5: -13.937342538107776, 6: 1.2520488533793572, 7: -14.69150040801687, 8:
        -0.4947050585331417, 9: 2.2429749091462368, 10: 13.367893803828643, 11: 14.396650486650687, 12:
        -0.79758133317768, 13: 0.4409353709534278},
    15: {0: 2.0580513374668863, 5: 22.357937727968032, 6: 0.9094981099755634, 7: 35.89110098240264, 8:
        -3.4425150276244536, 9: -4.8654813580363685, 10: -18.909803813543427, 11: -34.26354448030452, 12:
        1.2647565216956427},
    16: {j: one for j, one in enumerate(WEIGHTS) if one},
    17: {0: 0.015499736681895594, 7: 0.3355153219059635, 8: 0.20036139441918607, 9: 0.12520606592835493, 10:
        0.22986763931842066, 11: -0.20202506534761813, 12: 0.05917103230665457, 13: -0.026518347830476387, 14:
        -0.023840946021309713, 16: 0.027181715702085017},
}
# fmt: on
TABLE = matrix(STAGES, 18, 18)


@cache
def trees(n: int) -> list[tuple]:
    """Rooted trees with n nodes, each as a tuple of those that hang on its root."""

    def forests(left: int, largest: int):
        if left == 0:
            yield ()
        for size in range(min(left, largest), 0, -1):
            for tree in trees(size):
                for others in forests(left - size, size):
                    yield tree, *others

    return sorted({tuple(sorted(forest)) for forest in forests(n - 1, n - 1)})


def size(tree: tuple) -> int:
    """Number of nodes."""
    return 1 + sum(map(size, tree))


def density(tree: tuple) -> int:
    """What weights times `product` has to be one over."""
    return size(tree) * math.prod(map(density, tree))


@cache
def product(tree: tuple) -> np.ndarray:
    """What the stages make of this tree."""
    return math.prod((TABLE @ product(part) for part in tree), start=np.ones(len(TABLE)))


def conditions(weights: tuple, order: int) -> float:
    """How far the weights are from meeting all conditions of this order."""
    padded = np.pad(weights, (0, len(TABLE) - len(weights)))
    return max(abs(padded @ product(tree) - 1.0 / density(tree)) for tree in trees(order))


def dense(order: int) -> tuple[np.ndarray, float]:
    """Weights of the polynomial inside of a step, and how far they are from meeting all conditions up to this order."""
    all_trees = [tree for n in range(1, order + 1) for tree in trees(n)]
    system = np.array([product(tree) for tree in all_trees])
    used = [0, *range(7, len(TABLE))]
    wanted = np.array([[(size(t) == m + 1) / density(t) for m in range(order)] for t in all_trees])
    out = np.zeros((len(TABLE), order))
    out[used] = np.linalg.lstsq(system[:, used], wanted, rcond=1e-13)[0]
    return out, float(np.abs(system @ out - wanted).max())


def verner() -> Method:
    """The method."""
    error = tuple(one - other for one, other in zip(WEIGHTS, LOWER))
    times = tuple(TABLE.sum(axis=1).tolist())
    return Method("verner", order=9, stages=TABLE, weights=WEIGHTS, times=times, error=error, dense=dense(7)[0])


def check() -> None:
    """Print what the conditions are off by, in floats."""
    for what, weights, last in (("order 9", WEIGHTS, 10), ("order 8", LOWER, 9)):
        print(what, *(f"{n}: {conditions(weights, n):.0e} ({len(trees(n))})" for n in range(1, last + 1)))
    print(f"inside of a step, order 7: {dense(7)[1]:.0e}; order 8: {dense(8)[1]:.0e}")
