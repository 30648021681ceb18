"""Radau IIA with all laws at once: in space, at many tolerances, laws with states and laws that jump."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import LinkworkError
from unit.analysis.stiff_models import chain


def stiff_strut():
    """A load on a strut of two halves, in space, with a spring and a damper of 2000 and 10 Hz in it."""
    m = lw.Mechanism("strut", dimension=3)
    ends = {"a": (-0.4, 0, 0), "b": (0.4, 0, 0)}
    outer, inner = (m.add(name, lw.Body(1.5, (1e-3, 0.08, 0.08), points=ends)) for name in ("outer", "inner"))
    load = m.add("load", lw.Particle(3.0, position=(0.5, 0.8, 0.4), velocity=(0.6, -0.2, 1.0)))
    m.add("foot", lw.Spherical(m.ground.at(0, 0, 0), outer.a))
    m.add("head", lw.Spherical(inner.b, load.at(0, 0, 0)))
    m.add("slide", lw.Prismatic(outer.at(0, 0, 0), inner.at(0, 0, 0)))
    m.add("spring", lw.SpringDamper(outer.a, inner.b, stiffness=4e6, damping=2e4, rest_length=1.0))
    return m, ("load.x", "load.y", "load.z", "slide.slide")


def stiff_bushing():
    """A plate on a hinge and a block on a hard bushing at its end, in space."""
    m = lw.Mechanism("bushed", dimension=3)
    plate = m.add("plate", lw.box(0.5, 0.1, 0.05, mass=2.0))
    block = m.add("block", lw.box(0.4, 0.1, 0.1, mass=1.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0, along=(0, 1, 0.3)), plate.at(-0.25, 0, 0, along=(0, 1, 0))))
    m.add("B", lw.Bushing(plate.at(0.25, 0, 0), block.at(-0.2, 0, 0), stiffness=(1e7,) * 3 + (1e4,) * 3,
                          damping=(1e4,) * 3 + (50.0,) * 3))  # fmt: skip
    return m, ("plate.z", "block.x", "block.z")


@pytest.mark.parametrize("method", ["radau", "auto"])
@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
@pytest.mark.parametrize("build", [stiff_strut, stiff_bushing])
def test_stiff_in_space_is_that_of_an_explicit_method_in_few_steps(build, coordinates, method):
    m, names = build()
    times = np.linspace(0.0, 0.3, 7)
    wanted = m.simulate(times, coordinates="body", method="dop853", rtol=1e-10)
    found = m.simulate(times, coordinates=coordinates, method=method, rtol=1e-7)
    for name in names:
        np.testing.assert_allclose(found[name], wanted[name], atol=3e-6)
    assert (
        found.statistics.steps < 0.6 * m.simulate(0.3, coordinates="body", method="dop853", rtol=1e-7).statistics.steps
    )


def test_rtol_means_what_it_means_elsewhere():
    m = chain(3, 1e8, 1e4)
    ref = m.simulate(1.0, every=0.1, method="radau", rtol=1e-11, coordinates="joint")
    for rtol in (1e-3, 1e-5, 1e-7):
        run = m.simulate(1.0, every=0.1, method="radau", rtol=rtol, coordinates="joint")
        assert np.abs(run["l2.y"] - ref["l2.y"]).max() < 30 * rtol
        assert run.statistics.steps < 200


# -- what every method serves ----------------------------------------------------------------------------------------
def test_a_law_with_stiff_states():
    """A spring of k and a damper of c in a row, c / k = 1e-7 s: as the damper alone."""

    def creeping(values, rates, t, numbers, memory, out, states, state_rates):
        tension = numbers[0] * states[0]
        state_rates[0] = rates[0] - tension / numbers[1]
        out[0] = -tension

    m = lw.Mechanism("Maxwell", gravity=None)
    ball = m.add("ball", lw.Particle(1.0, position=(1, 0), velocity=(1, 0)))
    way = lw.Distance(m.ground.at(0, 0), ball.at(0, 0))
    m.add("law", lw.UserForce(reads=[way], along=[way], law=creeping, numbers=[2e7, 2.0], states={"u": 1e-7}))
    run = m.simulate(1.0, every=0.1, method="radau", rtol=1e-7, coordinates="joint")
    assert np.abs(run["ball.x.rate"] - np.exp(-2.0 * run.t)).max() < 1e-5
    assert run.statistics.steps < 200


def test_a_law_that_jumps_ends_with_a_word():
    m = lw.Mechanism("dry")
    block = m.add("block", lw.Body(1.0, 1.0, position=(0, 0), angle=0, velocity=(1, 0)))
    m.add("rail", lw.Prismatic(m.ground.at(0, 0), block.at(0, 0)))
    way = lw.WorldOffset(m.ground.at(0, 0), block.at(0, 0), "x")
    m.add("law", lw.UserForce(way, lambda value, rate, t: -3.0 if rate > 0 else 3.0))
    try:
        run = m.simulate(1.0, every=0.1, method="radau", rtol=1e-6, most_steps=20_000, coordinates="joint")
    except LinkworkError as error:
        assert str(error)
    else:
        assert np.isfinite(run["block.x"]).all() and abs(run["block.x"][-1] - 1.0 / 6.0) < 1e-3
