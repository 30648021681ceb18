"""This source beside version 0.1.0 (see `around`): `python -m benchmarks --only before`.

| rows         | what is compared                                                                       |
|--------------|----------------------------------------------------------------------------------------|
| kernels      | processor time inside the kernel, the cases of `beside`, in turns                      |
| growth       | exponents of the time of an evaluation in these runs, against the number of bodies     |
| same numbers | accelerations and reactions of gallery and problems at the first time, worst of each   |
| first start  | a whole process that compiles everything; wall time                                    |
"""

from __future__ import annotations

import json
import math
import sys
import tempfile
import warnings
from itertools import product
from pathlib import Path

from benchmarks.baseline import baseline
from benchmarks.beside import CASES, ROOT, Source
from benchmarks.startup import CASES as STARTS
from benchmarks.startup import RUN
from benchmarks.timing import Row, python_seconds

MEAN = 1.05  # of the kernel times there
SAME = 1e-12
G = 9.81  # what is at rest is told from it
#: chains whose evaluations are timed for an exponent, body and joint coordinates
GROWING = (("chain_planar", (10, 200)), ("chain_spatial", (10, 100)))
PROBLEMS = (
    ("bricard",),
    ("fourbar", 5),
    ("chain_planar", 10),
    ("chain_spatial", 10),
    ("flyball",),
    ("pendulum",),
    ("andrews",),
    ("double_pendulum",),
)
BASELINE = "version 0.1.0, in turns"


def kernels(both: tuple[Source, Source], rounds: int) -> list[Row]:
    """Ratios of kernel times with their geometric mean, and exponents of both."""
    from benchmarks.growth import exponent  # which version 0.1.0 could not import

    cases = [(name, size, one) for name, size, sets in CASES for one in sets]
    growing = [(name, size, one) for name, sizes in GROWING for one in ("body", "joint") for size in sizes]
    asked = list(dict.fromkeys([*cases, *growing]))
    found: dict = {case: [] for case in asked}
    for _ in range(rounds):  # a slow spell meets one round of many cases, not all rounds of one
        for case in asked:
            found[case].append([source.ask(case) for source in both])
    best = {case: [min(turn[k][0] for turn in turns) for k in (0, 1)] for case, turns in found.items()}
    each = {case: [best[case][k] / found[case][0][k][2] for k in (0, 1)] for case in growing}
    ratios = {case: best[case][0] / best[case][1] for case in cases}
    rows = [
        Row("before", f"{_title(case)}: kernel, {1e3 * best[case][0]:.3g} ms", ratio, "", baseline=BASELINE)
        for case, ratio in ratios.items()
    ]
    mean = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
    rows.append(Row("before", "kernels, geometric mean", mean, "", f"<= {MEAN:g}", mean <= MEAN, baseline=BASELINE))
    for name, sizes in GROWING:
        for one in ("body", "joint"):
            here, there = (exponent({size: each[name, size, one][k] for size in sizes}) for k in (0, 1))
            title = f"{name} {sizes[0]} to {sizes[-1]}, {one}: exponent of an evaluation, there {there:.3f}"
            rows.append(Row("before", title, here, "", f"<= {there + 0.05:.3f}", here <= there + 0.05))
    return rows


def _title(case: tuple) -> str:
    name, size, coordinates = case
    return f"{name}{'' if size is None else f' {size}'}, {coordinates}"


# -- the same numbers --------------------------------------------------------------------------------------------------


def same(both: tuple[Source, Source]) -> list[Row]:
    """The worst difference of all mechanisms, against the largest number of its kind in each."""
    worst = {"accelerations": (0.0, ""), "reactions": (0.0, "")}
    counts = dict.fromkeys(worst, 0)
    for key in both[1].ask(["names"]):
        here, there = (source.ask(key) for source in both)
        for kind in worst:
            names = sorted(set(here[kind]) & set(there[kind]))
            size = max([there["least"][kind], *(abs(there[kind][name]) for name in names)])
            off = max((abs(here[kind][name] - there[kind][name]) for name in names), default=0.0) / size
            worst[kind] = max(worst[kind], (off, f"{key[1]}, {key[-1]}"))
            counts[kind] += len(names)
    return [
        Row(
            "before",
            f"{kind} of gallery and problems, {counts[kind]} numbers, worst ({where})",
            off,
            "",
            f"<= {SAME:g}",
            off <= SAME,
            baseline="the largest of its kind in the mechanism in version 0.1.0, or g, or the largest weight",
        )
        for kind, (off, where) in worst.items()
    ]


def numbers(kind: str, name: str, sizes: list, coordinates: str) -> dict[str, dict[str, float]]:
    """Accelerations of bodies, and reactions and efforts, of a mechanism at its first time."""
    from benchmarks import problems
    from linkwork import gallery

    m = getattr(gallery, name)() if kind == "gallery" else getattr(problems, name)(*sizes).mechanism
    start = {"A.angle": math.pi / 3} if name == "four_bar" else {}  # its declared places are others now
    run = m.simulate([0.0, 1e-6], coordinates=coordinates, rtol=1e-9, start=start)
    accelerations = {}
    for axis in ("x", "y", "z", "angle"):
        for body in m.bodies:
            try:
                accelerations[f"{body}.{axis}"] = float(run[f"{body}.{axis}.acceleration"][0])
            except LookupError:
                continue  # no such axis there
    held = [one for one in run.names if "reaction" in one or one.endswith(".effort")]
    least = {"accelerations": G, "reactions": G * max(body.mass for body in m.bodies.values())}
    return {"accelerations": accelerations, "reactions": {one: float(run[one][0]) for one in held}, "least": least}


def worker() -> None:
    """Answer requests on standard input: which mechanisms there are, or the numbers of one."""
    from linkwork import gallery

    warnings.simplefilter("ignore")
    for line in sys.stdin:
        key = json.loads(line)
        if key == ["names"]:
            known = [("gallery", name, []) for name in gallery.names()]
            known += [("problems", name, sizes) for name, *sizes in PROBLEMS]
            answer = [(*one, coordinates) for one in known for coordinates in ("body", "joint")]
        else:
            answer = numbers(*key)
        print(json.dumps(answer), flush=True)


# -- the first start ---------------------------------------------------------------------------------------------------


def first_starts(other: Path, rounds: int = 3) -> list[Row]:
    """Both versions compile all that a first run needs, in turns; the shortest counts.

    In body coordinates, and in those that `simulate` chooses by itself.
    """
    rows = []
    for (space, build), code in product(STARTS.items(), (RUN, RUN.replace("coordinates='body'", ""))):
        spent = [math.inf, math.inf]
        for _ in range(rounds):
            for k, source in enumerate((ROOT / "src", other)):
                with tempfile.TemporaryDirectory() as folder:
                    spent[k] = min(spent[k], python_seconds(code.format(build=build), folder, source))
        title = f"first start, {space}, {'body' if code == RUN else 'auto'}, {spent[0]:.3g} s"
        rows.append(Row("before", title, spent[0] / spent[1], "", "<= 1", spent[0] <= spent[1], baseline=BASELINE))
    return rows


def measure(quick: bool = False) -> list[Row]:
    """All rows; with `quick` few rounds and no first start."""
    with baseline() as other:
        if other is None:
            return []
        rows = kernels((Source(ROOT / "src"), Source(other)), 2 if quick else 15)
        rows += same((Source(ROOT / "src", "benchmarks.before"), Source(other, "benchmarks.before")))
        return rows if quick else rows + first_starts(other)


if __name__ == "__main__":
    worker()
