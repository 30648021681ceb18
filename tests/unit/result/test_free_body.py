"""Free bodies against the examples of chapter 6 and by hand; wrong use."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import DescriptionError, UnknownNameError


def hanging(angle=0.0, rate=0.0):
    m = lw.Mechanism("rod")
    rod = m.add("rod", lw.bar(length=2.0, mass=3.0))
    m.add("A", lw.Revolute(m.ground, rod.a))
    m.add("coil", lw.TorsionSpringDamper(m.ground, rod, stiffness=5.0))
    return m, {"A.angle": angle, "A.angle.rate": rate}


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_a_rod_that_turns(coordinates):
    """By hand: alpha = (m g l/2 cos - k angle) / J_A with signs, the pin carries m a - m g."""
    angle, w, g, mass = 0.4, 1.3, 9.81, 3.0
    m, start = hanging(angle, w)
    free = m.evaluate(m.assemble(start=start, coordinates=coordinates).state, coordinates=coordinates).free_body("rod")
    alpha = (-mass * g * math.cos(angle) - 5.0 * angle) / (mass * 4.0 / 3.0)
    a = np.array([-math.sin(angle) * alpha - math.cos(angle) * w**2, math.cos(angle) * alpha - math.sin(angle) * w**2])
    np.testing.assert_allclose(free["weight"].force, [0.0, -mass * g])
    assert free["coil"].moment == pytest.approx(-5.0 * angle) and np.all(free["coil"].force == 0.0)
    np.testing.assert_allclose(free["inertia"].force, -mass * a)
    assert free["inertia"].moment == pytest.approx(-mass * 4.0 / 12.0 * alpha)
    pin = mass * a - [0.0, -mass * g]
    np.testing.assert_allclose(free["A"].force, pin)
    arm = -np.array([math.cos(angle), math.sin(angle)])
    assert free["A"].moment == pytest.approx(arm[0] * pin[1] - arm[1] * pin[0])
    assert free.residual < 1e-14
    force, moment = free.total("reaction")
    np.testing.assert_allclose(force, pin)
    assert float(moment) == pytest.approx(free["A"].moment)


def test_drivers_and_times_between_outputs():
    run = lw.gallery.slider_crank().simulate(0.1, every=0.01, coordinates="joint")
    free = run.free_body("crank", "13 ms")
    assert {"A", "B", "motor", "inertia"} <= {load.name for load in free.loads}
    assert free["motor"].kind == "reaction" and np.all(free["motor"].force == 0.0)
    assert free.t == 0.013 and free.residual < 1e-10
    assert run.free_body("crank").t == 0.0


def test_the_table_says_what_it_leaves():
    m, start = hanging(0.4)
    text = str(m.evaluate(start, coordinates="body").free_body("rod"))
    assert "Free body 'rod' at t = 0 s" in text and "sum" in text and "closes to" in text
    assert [line.split()[0] for line in text.splitlines()[2:-2]] == ["weight", "coil", "A", "inertia"]


def test_redundant_constraints_are_told():
    m = lw.Mechanism("two pins in line")
    rod = m.add("rod", lw.bar(length=2.0, mass=3.0))
    m.add("A", lw.Revolute(m.ground, rod.a))
    m.add("B", lw.Revolute(m.ground.at(2.0, 0.0), rod.b))
    state = m.assemble(coordinates="body").state
    free = m.evaluate(state, coordinates="body").free_body("rod")
    assert not free.unique and "not unique" in str(free) and free.residual < 1e-12


def test_a_spinning_top_in_space():
    """Gyroscopic moment: a free body that spins about an axis that is no principal one needs no load, but has inertia
    loads of its own, w x J w, which J alpha takes up."""
    m = lw.Mechanism("free", dimension=3, gravity=None)
    m.add("top", lw.Body(2.0, (0.1, 0.2, 0.25), angular_velocity=(1.0, 2.0, 3.0), orientation=(0.8, 0.6, 0.0, 0.0)))
    free = m.evaluate(coordinates="body").free_body("top")
    assert [load.name for load in free.loads] == ["inertia"]
    np.testing.assert_allclose(free["inertia"].moment, 0.0, atol=1e-14)
    assert free.residual < 1e-14


def test_wrong_use():
    m, start = hanging()
    ev = m.evaluate(start, coordinates="body")
    with pytest.raises(UnknownNameError, match="rod"):
        ev.free_body("rodd")
    with pytest.raises(DescriptionError, match="ground"):
        ev.free_body("ground")
    with pytest.raises(UnknownNameError, match="coil"):
        ev.free_body("rod")["coi"]
