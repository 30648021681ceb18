"""What events cost: the way to Python and back, a recorded event with its search, a joint that locks or is released."""

from __future__ import annotations

import linkwork as lw
from benchmarks.timing import Row, best_times
from linkwork.analysis.run import Run
from linkwork.analysis.run_options import RunOptions
from linkwork.analysis.simulate import made_ready
from linkwork.kernels.time import places as at_run

LIMIT = 5.0  # microseconds


def pendulum(levels: int) -> lw.Mechanism:
    """A pendulum whose angle is watched at so many levels, each passed some ten times in ten seconds."""
    m = lw.gallery.pendulum()
    for k in range(levels):
        m.add(f"level {k}", lw.Event("A.angle", -0.1 - 2.9 * k / max(1, levels - 1)))
    return m


def back_and_forth(rounds: int) -> float:
    """Seconds that a return to Python and a call again take: a run in slices of one step, against one slice."""
    from inspect import signature

    defaults = {key: one.default for key, one in signature(lw.simulate).parameters.items()}
    given = {key: defaults.get(key) for key in RunOptions.__dataclass_fields__}
    given |= {"times": 10.0, "coordinates": "body", "every": None, "projection": None}
    run, state = made_ready(lw.gallery.double_pendulum().compile(), RunOptions.read(**given))
    steps = [0]

    def sliced(tries: int):
        def work() -> None:
            Run.begin(run, state)
            run.count[at_run.SLICE] = tries
            while run.system.door.advance(run.y, run.drive, run.grid, run.states) == run.kernel.MORE:
                run.count[at_run.SLICE] = tries
            steps[0] = int(run.count[at_run.STEPS] + run.count[at_run.REJECTED])

        return work

    best = best_times({"one by one": sliced(1), "together": sliced(10**6)}, rounds)
    return (best["one by one"] - best["together"]) / steps[0]


def measure(quick: bool = False) -> list[Row]:
    """Rows of microseconds."""
    rounds = 5 if quick else 30
    again = 1e6 * back_and_forth(rounds)
    plain, watched = pendulum(0), pendulum(100)
    toggled = lw.gallery.double_pendulum()
    toggled.add("clock", lw.Particle(1e-3, position=(5.0, 0.1)))
    toggled.add("guide", lw.Hold("ground", "clock", x=5.0))
    toggled.add(
        "swing", lw.SpringDamper(toggled.ground.at(5.0, -10), "clock", stiffness=4.0, rest_length=10, damping=0.0)
    )

    def change(s):
        return lw.Lock("B") if s.mode("B") == "held" else lw.Release("B")

    toggled.add("tick", lw.Event("clock.y", then=change, touches=["B"]))

    def simulated(m):
        return lambda: m.simulate([0.0, 10.0], coordinates="body", rtol=1e-8)

    found = len(watched.simulate([0.0, 10.0], coordinates="body").marks)
    times = best_times({"plain": simulated(plain), "watched": simulated(watched)}, rounds)
    acts = len(toggled.simulate([0.0, 3.0], coordinates="body").segments) - 1
    acting = best_times(
        {
            "acting": lambda: toggled.simulate([0.0, 3.0], coordinates="body", rtol=1e-8),
            "plain": lambda: toggled.simulate([0.0, 3.0], coordinates="body", rtol=1e-8, events=False),
        },
        max(3, rounds // 5),
    )
    return [
        Row("events", "return to Python and call again", again, "us", f"<= {LIMIT:g}", again <= LIMIT,
            baseline="the same run in one slice"),
        Row("events", f"a recorded event of {found}, its search included",
            1e6 * (times["watched"] - times["plain"]) / found, "us", baseline="the run without events"),
        Row("events", f"a lock or a release of {acts}, all included",
            1e6 * (acting["acting"] - acting["plain"]) / max(1, acts), "us", baseline="the run without events"),
    ]  # fmt: skip
