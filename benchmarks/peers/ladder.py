"""The search for the fastest run that is accurate enough: every method of a package over a ladder of settings."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from benchmarks.peers.process import Outcome
from benchmarks.peers.tools import Method

PATIENCE = 4  # coarse settings in a row that bring no smaller error: the method is given up


@dataclass(frozen=True)
class Found:
    """A setting that reaches an error, with the time of the search; the final time is measured later."""

    method: Method
    setting: float
    seconds: float
    error: float


@dataclass
class Search:
    """What was found for each target, fastest first, and what else is worth saying."""

    found: dict[float, list[Found]]
    smallest: float = math.inf  # that two neighbouring settings stay below
    failures: list[str] = field(default_factory=list)


class _Ladder:
    """Runs of one method, each rung at most once."""

    def __init__(self, method: Method, run: Callable[[Method, float], Outcome]):
        self.method, self.run = method, run
        self.known: dict[int, Outcome] = {}

    def __getitem__(self, rung: int) -> Outcome:
        if rung not in self.known:
            self.known[rung] = self.run(self.method, self.method.setting(rung))
        return self.known[rung]

    def reaches(self, rung: int, target: float) -> bool:
        """Whether this rung and the next finer one are below the target: a single lucky hit does not count."""
        return self[rung].error <= target and self[rung + 1].error <= target

    def loosest(self, failing: int, reaching: int, target: float) -> int:
        """The first rung that reaches the target between one that does not and one that does, by halving."""
        while reaching - failing > 1:
            middle = (failing + reaching) // 2
            if self.reaches(middle, target):
                reaching = middle
            else:
                failing = middle
        return reaching


def search(
    methods: list[Method], run: Callable[[Method, float], Outcome], targets: tuple[float, ...], limit: float
) -> Search:
    """Try all methods.

    The walk goes in coarse strides until the smallest target is reached, a run is longer than `limit` seconds, it is
    slower than what another method has already needed for every target that is still open, or finer ones do not help.
    """
    best = {target: math.inf for target in targets}
    out = Search({target: [] for target in targets})
    for method in methods:
        ladder = _Ladder(method, run)
        open_targets = sorted(targets, reverse=True)
        before, least, vain = -1, math.inf, 0
        for rung in range(0, method.rungs, method.stride):
            outcome = ladder[rung]
            while open_targets and ladder[rung].error <= open_targets[0] and ladder.reaches(rung, open_targets[0]):
                target = open_targets.pop(0)
                first = ladder.loosest(before, rung, target)
                hit = ladder[first]
                out.found[target].append(Found(method, method.setting(first), hit.seconds, hit.error))
                best[target] = min(best[target], hit.seconds)
            before = rung
            growth = 1.0 if outcome.failure else (4.0 if method.kind == "steps" else 1.5)  # of the next run
            if not open_targets or outcome.seconds * growth > limit:
                break
            if math.isfinite(outcome.error):  # steps that are too long for stability say nothing
                vain = 0 if outcome.error < least else vain + 1
            least = min(least, outcome.error)
            if vain >= PATIENCE:
                break
            if not outcome.failure and all(outcome.seconds > best[target] for target in open_targets):
                break
        errors = [ladder.known[rung].error for rung in sorted(ladder.known)]
        out.smallest = min([out.smallest, *map(max, errors, errors[1:])])
        out.failures += [outcome.failure for outcome in ladder.known.values() if outcome.failure]
    for hits in out.found.values():
        hits.sort(key=lambda hit: hit.seconds)
    return out
