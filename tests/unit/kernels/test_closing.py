"""Newton of positions: where it ends, what it leaves alone, and what it says where it cannot go on."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.assembly.newton import TOLERANCE, newton, use_metric
from linkwork.analysis.assembly.trials import shaken
from linkwork.analysis.assembly.weights import metric_of
from linkwork.compiled.numbering import model_of
from linkwork.coordinates.body import System
from linkwork.errors import UserFunctionError
from linkwork.kernels import closing


def ready(mechanism, held=None):
    """A system of the bodies in the metric of lengths, and a position beside one that closes."""
    model = model_of(mechanism)
    system = System(model.plan())
    use_metric(system, metric_of(model), held)
    return system, shaken(model, mechanism.assemble(coordinates="body").state.y, 1, 0.3)


def test_python_and_kernel_mean_the_same_by_met():
    assert TOLERANCE == closing.TOLERANCE


@pytest.mark.parametrize("build", [lw.gallery.four_bar, lw.gallery.macpherson_a])
def test_rows_are_met_and_the_workspace_is_at_the_end(build):
    system, first = ready(build())
    system.locate(0.0, first)
    assert np.abs(system.phi / system.row_scale).max() > 1e-2
    y, error = newton(system, 0.0, first)
    left = system.phi.copy()
    system.locate(0.0, y)
    assert error == np.abs(system.phi / system.row_scale).max() <= TOLERANCE
    assert np.array_equal(left, system.phi)


def test_the_first_position_is_not_written_to():
    system, first = ready(lw.gallery.four_bar())
    before = first.copy()
    newton(system, 0.0, first)
    assert np.array_equal(first, before)


def test_what_is_held_stays_to_the_last_digit():
    mechanism = lw.gallery.four_bar()
    held = np.zeros((len(mechanism.bodies), 3), dtype=bool)
    held[0] = True
    system, first = ready(mechanism, held)
    system.held[:] = [row.item not in ("A",) for row in system.plan.rows]  # the crank is where it is
    y, error = newton(system, 0.0, first)
    assert error <= TOLERANCE
    assert np.array_equal(y[:3], first[:3]) and not np.array_equal(y[3:6], first[3:6])


def test_an_error_that_cannot_be_met_is_the_smallest_found():
    m = lw.Mechanism("too far")
    rod = m.add("rod", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground, rod.a))
    m.add("B", lw.Revolute(m.ground.at(1.5, 0.0), rod.b))
    model = model_of(m)
    system = System(model.plan())
    use_metric(system, metric_of(model))
    y, error = newton(system, 0.0, System(model.plan()).pack([(0.0, 0.1, 0.2)], [(0.0, 0.0, 0.0)]))
    assert error * system.row_scale.max() == pytest.approx(0.25, rel=1e-3)  # half of what is missing at either end
    assert y[2] == pytest.approx(0.0, abs=1e-3)


def test_a_function_of_time_that_fails_is_named():
    m = lw.Mechanism("driven")
    rod = m.add("rod", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground, rod.a))
    m.add("motor", lw.Driver(lw.Angle(m.ground, rod), lw.Expression("sqrt(t - 1)")))
    with pytest.raises(UserFunctionError, match="motor"):
        m.assemble(coordinates="body")


def test_errors_that_are_none_leave_the_turns_alone():
    """The floor of nan is some integer in compiled code: as a count of turns it would be remembered."""

    def law(values, rates, t, numbers, memory, out):
        out[0] = 0.0

    m = lw.gallery.four_bar()
    x = lw.WorldOffset(m.ground, m["coupler"], "x")
    m.add("law", lw.UserForce(reads=[x], along=[x], law=law, memory=1))
    system, first = ready(m)
    system.memory[:] = 0.25
    left = system.door.newton(0.0, np.full_like(first, np.nan), np.array([0, system.memory_size - 1]), np.ones(1))
    assert not np.isfinite(left) and (system.memory == 0.25).all()
