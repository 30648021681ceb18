"""The contract of laws with memory and states: trials leave no trace, steps are accepted once, states are right."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np

from linkwork.mechanism.law_parts import LawPart
from linkwork.testing.scenes import DIFFERENCES, ROUNDING, close

#: how long the runs are, and where they are cut
END, CUT = 0.3, 0.11
RTOL = 1e-9
#: what cutting a run in two may change, with other steps: of speeds and states, relative to the largest
APART = 1e-5
METHODS = ("dop853", "dopri5")


def check_steps(law: Any, part: LawPart, rng: np.random.Generator) -> None:
    """What a law gives depends on state, time and memory alone; its memory changes once a step."""
    here, there = law.random(rng), law.random(rng)
    first, _, again = law.at(here, 0.2), law.at(there, 0.9), law.at(here, 0.2)
    what = "before and after another state was evaluated"
    close(f"{law.name}: force at a state, {what}", law.force(again), law.force(first), ROUNDING)
    for name in part.states:
        rates = [one[f"E.{name}.rate"] for one in (first, again)]
        close(f"{law.name}: rate of its state '{name}', {what}", rates[1], rates[0], ROUNDING)
    if part.accept is not None:
        _check_accept(law, part, here)
    _check_cut(law, part, here)


def _run(model: Any, times: Any, start: Any, method: str = "dop853") -> Any:
    from linkwork.analysis.simulate import simulate

    return simulate(model, times, start=start, coordinates="body", rtol=RTOL, method=method)


def _check_accept(law: Any, part: LawPart, motion: Any) -> None:
    """`accept` runs once for every accepted step; the law may write to its memory, and nothing stays of it."""
    calls = []
    accept: Any = part.accept

    def counted(*given: Any) -> None:
        calls.append(given[2])
        accept(*given)

    def careless(values: Any, rates: Any, t: Any, numbers: Any, memory: Any, out: Any, *more: Any) -> None:
        part.law(values, rates, t, numbers, memory, out, *more)
        memory[:] = np.pi

    for method in METHODS:
        calls.clear()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they run as plain Python
            model = law.of(replace(part, law=careless, accept=counted))
            run = _run(model, [0.0, END], motion.state(model), method)
        if len(calls) != run.statistics.steps or sorted(set(calls)) != calls:
            raise AssertionError(
                f"{law.name}: accept ran {len(calls)} times in {run.statistics.steps} accepted steps of {method}"
            )
        plain = _run(law.model, [0.0, END], motion.state(law.model), method)
        close(f"{law.name}: memory at the end ({method})", run.final.memory, plain.final.memory, ROUNDING)


def _check_cut(law: Any, part: LawPart, motion: Any) -> None:
    """A run that goes on from its own state in the middle ends like one that was not cut."""
    start = motion.state(law.model)
    whole = _run(law.model, [0.0, END], start).final
    middle = _run(law.model, [0.0, CUT], start).final
    cut = _run(law.model, [CUT, END], middle).final
    size = max(1.0, float(np.abs(whole.y).max()))
    if not part.memory:  # what is remembered at steps may depend on where they end
        close(f"{law.name}: a run in two pieces against one", cut.y / size, whole.y / size, APART)
    if not np.isfinite(cut.memory).all():
        raise AssertionError(f"{law.name}: remembers numbers that are not finite: {cut.memory}")


def check_states(law: Any, part: LawPart, rng: np.random.Generator) -> None:
    """Energy along a run: what a law takes from the mechanism it stores, or loses; it never makes any.

    power of its forces + rate of its potential = 0 (stores), at most 0 (dissipates)
    """
    if part.energy == "drives":
        return
    run = _run(law.model, np.linspace(0.0, END, 40), law.random(rng).state(law.model))
    gain = run["E.power"]
    if part.potential is not None:
        gain = gain + _rate_of_potential(run, part)
    size = max(1.0, float(np.abs(run["E.power"]).max()))
    if part.energy == "stores":
        close(f"{law.name}: power and rate of its potential", gain / size, np.zeros(gain.size), DIFFERENCES)
    elif gain.max() > DIFFERENCES * size:
        k = int(gain.argmax())
        remedy = "" if part.potential else "; what its states store is told by potential(values, numbers, states)"
        raise AssertionError(f"{law.name}: dissipates, but adds {gain[k]:.6g} W at t = {run.t[k]:.4g} s{remedy}")


def _rate_of_potential(run: Any, part: LawPart) -> np.ndarray:
    """By a small step along the rates of what it reads and of its states."""
    values, rates = (run._series.measures(part.reads, order) for order in (0, 1))
    states, changes = ([run[f"E.{name}{end}"] for name in part.states] for end in ("", ".rate"))
    step = 1e-6

    def at(s: float) -> np.ndarray:
        return part.stored(
            [v + s * r for v, r in zip(values, rates)], states=[z + s * c for z, c in zip(states, changes)]
        )

    slope: np.ndarray = (at(step) - at(-step)) / (2.0 * step)
    return slope
