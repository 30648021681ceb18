"""Tables and pictures of docs/constraint_handling.md: `python design/constraint_handling.py` prints and writes them.

Ways to keep constraints, compared on a variable-length pendulum and a four-bar; both keep their energy.

    projection, Baumgarte's terms, none    the engine, in body coordinates
    joint coordinates                      the engine: nothing is left to keep but what closes loops
    all others                             short functions of linkwork.textbook, with an integrator of SciPy
"""

import math
import warnings
from pathlib import Path

import numpy as np

import linkwork as lw
from linkwork.errors import RunQualityWarning
from linkwork.textbook import constraint_violation as cv
from linkwork.textbook import generalized_alpha, planar, planar_bridge

IMAGES = Path(__file__).parents[1] / "docs" / "images"
RTOL = 1e-5
TIMES = np.linspace(0.0, 5.0, 251)
PENALTY = dict(m=1e3, zeta=1.0, omega=20.0 * math.pi)


def pendulum():
    """Example 14.2 of Nikravesh's book without its damper: a rod on a coil, and a block on it that a spring holds."""
    m = lw.Mechanism("variable-length pendulum")
    rod = m.add("rod", lw.Body(2.0, 0.04, points={"O": (0.0, 0.5)}))
    block = m.add("block", lw.Body(1.0, 0.1))
    m.add("O", lw.Revolute(m.ground, rod.O))
    m.add("guide", lw.Prismatic(rod.at(0.0, 0.5, along=(0.0, -1.0)), block.at(0.0, 0.0, along=(0.0, -1.0))))
    m.add("coil", lw.TorsionSpringDamper(m.ground, rod, stiffness=6.0))
    m.add("spring", lw.SpringDamper(m.ground, block, stiffness=20.0, rest_length=0.7))
    return m, {"rod.angle": math.pi / 3, "guide.slide": 0.8}


def four_bar():
    """A crank-rocker with a spring, turned by hand."""
    return lw.gallery.four_bar(), {"A.angle": 1.0, "A.angle.rate": 6.0}


def by_engine(m, start):
    """Violation, relative error of energy (both by time) and evaluations, of each way."""
    found = {}
    for words, options in (
        ("projection", dict(coordinates="body")),
        ("Baumgarte, after the steps", dict(coordinates="body", constraints="baumgarte")),
        ("Baumgarte, alpha = beta = 5", dict(coordinates="body", constraints="baumgarte", alpha=5.0)),
        ("none", dict(coordinates="body", constraints="none")),
        ("joint coordinates", dict(coordinates="joint")),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RunQualityWarning)  # what it says is what is compared here
            run = m.simulate(TIMES, start=start, rtol=RTOL, **options)
        balance = np.abs(run.energy.balance) / run.energy.in_play
        found[words] = run.violation, balance, run.statistics.evaluations
    return found


def by_textbook(m, start):
    """The same by the functions of the books."""
    first = m.evaluate(m.assemble(start=start), coordinates="body")
    names = [f"{body}.{one}{rate}" for body in m.bodies for one in ("x", "y", "angle") for rate in ("", ".rate")]
    model = planar_bridge.from_mechanism(m, {name: first[name] for name in names})
    e, c, cd, n = cv.Equations.of(model), model.c, model.cd, len(model.c)
    in_play = first_energies(model, c, cd)

    def told(q, qd, evaluations):
        violation = np.array([np.abs(e.Phi(0.0, one)).max() for one in q])
        total = np.array([planar.energy(model, 0.0, *one).total for one in zip(q, qd)])
        return violation, np.abs(total - total[0]) / in_play, evaluations

    def integrated(fun, u, velocities):
        count = [0]

        def counted(t, u):
            count[0] += 1
            return fun(t, u)

        found = cv.ode45(counted, TIMES, u, RTOL, 1e-3 * RTOL, "DOP853")
        q = found[:, :n]
        return told(q, [velocities(*one) for one in zip(q, found[:, n:])], count[0])

    held = cv.partitioned(e, TIMES, c, cd, rtol=RTOL, atol=1e-3 * RTOL)
    alpha = generalized_alpha.simulate(e, TIMES, c, cd)
    return {
        "coordinate partitioning": told(held.q, held.qd, held.evaluations),
        "penalty": integrated(cv.rates(cv.penalty, e, **PENALTY), np.r_[c, cd], lambda q, qd: qd),
        "augmented Lagrangian, m = 10": integrated(
            cv.rates(cv.augmented_lagrangian, e, **{**PENALTY, "m": 10.0}), np.r_[c, cd], lambda q, qd: qd
        ),
        "momentum": integrated(cv.momentum(e), np.r_[c, e.M @ cd], lambda q, p: cv.velocities(e, 0.0, q, p)),
        "generalized-alpha, 20 ms": told(alpha.q, alpha.qd, alpha.evaluations),
    }


def first_energies(model, c, cd):
    """The largest energy in play: that of the motion from here, by a run that is far more exact."""
    e, n = cv.Equations.of(model), len(c)
    u = cv.ode45(cv.rates(cv.standard, e), TIMES[::5], np.r_[c, cd], 1e-7, 1e-9, "DOP853")
    parts = np.array([planar.energy(model, 0.0, one[:n], one[n:])[:2] for one in u])
    return max(parts[:, 0].max(), np.ptp(parts[:, 1]))


def compared(build):
    """All ways: words -> violation and error of energy by time, evaluations."""
    m, start = build()
    return m, {**by_engine(m, start), **by_textbook(m, start)}


def table(found) -> str:
    """Largest violation, largest error of energy, evaluations, of each way."""
    lines = ["| way | largest violation | error of energy | evaluations |", "|---|---|---|---|"]
    for words, (violation, energy, evaluations) in found.items():
        lines.append(f"| {words} | {max(violation.max(), 1e-16):.0e} | {energy.max():.0e} | {evaluations} |")
    return "\n".join(lines)


def picture(name, found, file):
    """Violation and error of energy over time."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, places = pyplot.subplots(1, 2, figsize=(11, 4.6), sharex=True, layout="constrained")
    for k, (words, (violation, energy, _)) in enumerate(found.items()):
        look = dict(color=f"C{k}", linestyle="-" if k < 5 else "--", linewidth=1.3)
        for place, series in zip(places, (violation, energy)):
            place.semilogy(TIMES[1:], np.maximum(series[1:], 1e-17), label=words, **look)
    for place, words, least in zip(places, ("violation [m, rad]", "error of energy, of that in play"), (1e-17, 1e-12)):
        place.set(xlabel="time [s]", ylabel=words, ylim=(least, None))
        place.grid(alpha=0.3)
    figure.suptitle(name)
    figure.legend(*places[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, fontsize=8)
    figure.savefig(file, dpi=100)
    pyplot.close(figure)


if __name__ == "__main__":
    for build in (pendulum, four_bar):
        m, found = compared(build)
        print(f"{m.name}, {TIMES[-1]:g} s at a tolerance of {RTOL:g}\n\n{table(found)}\n")
        picture(m.name, found, IMAGES / f"constraints_{build.__name__}.png")
