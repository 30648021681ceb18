"""An irreducible conflict: items that cannot all be met, while without any one of them the others can.

It is found by deletion: parts of the items are left out, large ones first, as long as the rest cannot be met.  What
cannot be left out is needed.  Of velocities and accelerations, which are linear equations, that is exact:

    J x = right     has a solution where no combination of rows that vanishes leaves anything of the right side
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

MOST_ROWS = 400  # of equations that are looked at
UNMET = 1e-5  # against the right side: what is left of rows that contradict each other
SHOWN = 10  # items; of more, the rest is counted


def needed(items: Sequence[str], fails: Callable[[Sequence[str]], bool], beside: Sequence[str] = ()) -> list[str]:
    """Of items that fail together with those `beside`, some that do and are all needed for it."""
    if fails(beside):
        return []
    if len(items) == 1:
        return list(items)
    first, second = items[: len(items) // 2], items[len(items) // 2 :]
    left = needed(first, fails, [*beside, *second])
    return left + needed(second, fails, [*beside, *left])


def contradicting(system, right: np.ndarray, rows: Sequence[int]) -> list[str]:
    """Items of rows that contradict each other in J x = right, at the state last located; none where rows are too many.

    Drivers and start values are left out first: where joints contradict each other, they alone are named.
    """
    if not 0 < len(rows) <= MOST_ROWS:
        return []
    sizes = system.free_sizes(rows)
    sizes = np.where(sizes > 0.0, sizes, 1.0)
    matrix = system.jacobian(rows)[:, system.columns] * system.weights[system.columns] / sizes[:, None]
    wanted = np.asarray(right, dtype=float)[rows] / sizes
    known = system.plan.rows
    places: dict[str, list[int]] = {}
    for k, r in sorted(enumerate(rows), key=lambda one: known[one[1]].kind == "joint"):
        places.setdefault(known[r].item, []).append(k)
    if not (np.isfinite(matrix).all() and np.isfinite(wanted).all()):
        return []
    enough = UNMET * np.abs(wanted).max(initial=0.0)

    def fails(items) -> bool:
        some = [k for item in items for k in places[item]]
        left, values, _ = np.linalg.svd(matrix[some], full_matrices=True)
        rank = int(np.sum(values > 1e-9))
        return bool(np.abs(left[:, rank:].T @ wanted[some]).max(initial=0.0) > enough)

    names = list(places)
    return needed(names, fails) if enough > 0.0 and fails(names) else []


def listed(system, items: Sequence[str]) -> str:
    """Items with what they are: "driver 'one', start value 'A.angle', joints A, B"."""
    kinds = {row.item: row.kind for row in system.plan.rows}
    words = {"driver": "driver", "start": "start value"}
    told = [f"{words[kinds[item]]} '{item}'" for item in items if kinds[item] in words]
    joints = [item for item in items if kinds[item] not in words]
    if joints:
        more = f" and {len(joints) - SHOWN} more" if len(joints) > SHOWN else ""
        told.append(f"joint{'s' * (len(joints) > 1)} {', '.join(joints[:SHOWN])}{more}")
    return ", ".join(told)


def on_one_freedom(system, items: Sequence[str]) -> str:
    """What items are that ask for the same: "two drivers on one freedom"."""
    kinds = {row.item: row.kind for row in system.plan.rows}
    some = {kinds[item] for item in items}
    words = "drivers" if some == {"driver"} else "start values" if some == {"start"} else "drivers and start values"
    number = {2: "two", 3: "three"}.get(len(items), str(len(items)))
    return f"{number} {words} on one freedom"


def leave_out(system, items: Sequence[str]) -> str:
    """What an irreducible conflict of linear equations asks for."""
    joints = {row.item for row in system.plan.rows if row.kind == "joint"}
    asking = [item for item in items if item not in joints]
    told = f"these are {on_one_freedom(system, asking)}; " if len(asking) > 1 else ""
    return f"{told}leave out any one of these, and the others can be met: {listed(system, items)}"
