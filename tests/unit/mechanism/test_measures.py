"""What classes of measures say about themselves: those that are derived from ours are used in the same way."""

from dataclasses import dataclass

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.common import as_model
from linkwork.mechanism.joints import Joint, Row


@dataclass(frozen=True)
class _Level(lw.WorldOffset):
    """A component of the world by another name."""


@dataclass(frozen=True)
class _Square(lw.Alignment):
    """Axes at right angles by another name."""


@dataclass(frozen=True)
class _Bearing(Joint):
    """A Revolute of derived measures."""

    def constraints(self):
        pins = (Row(axis, _Level(self.on, self.to, axis)) for axis in "xyz")
        return *pins, *(Row(f"{axis}-z", _Square(self.on, self.to, axis, "z")) for axis in "xy")


def pendulum(kind, dimension):
    m = lw.Mechanism(dimension=dimension, gravity=(0.0, -9.81, 0.0)[:dimension])
    rod = m.add("rod", lw.Body(2.0, 0.1 if dimension == 2 else (0.1, 0.1, 0.1), position=(0.5, 0.0), angle=0.0))
    end = rod.at(*(-0.5, 0.0, 0.0)[:dimension])
    m.add("A", kind(m.ground.at(*(0.0, 0.0, 0.0)[:dimension]), end))
    return m


@pytest.mark.parametrize("dimension", [2, 3])
def test_points_share_what_a_derived_measure_holds(dimension):
    own, ours = (pendulum(kind, dimension) for kind in (_Bearing, lw.Revolute))
    plans = [as_model(m).plan("point") for m in (own, ours)]
    absorbed = [plan.layout.choice.absorbed for plan in plans]
    assert absorbed[0] == absorbed[1] == set(range(len(plans[1].model.rows)))
    runs = [m.simulate(0.5, coordinates="point") for m in (own, ours)]
    assert np.array_equal(runs[0].final.y, runs[1].final.y)


def test_a_derived_component_tells_the_others_of_its_place():
    from linkwork.compiled.names import beside

    m = pendulum(lw.Revolute, 2)
    assert [one.axis for one in beside(_Level(m.ground, m["rod"], "y"), 2)] == ["x"]


def test_a_function_of_its_own_makes_it_something_else():
    @dataclass(frozen=True)
    class _Cubed(lw.WorldOffset):
        """The third power of a component: not a component."""

        @staticmethod
        def plane(seen, numbers, memory):
            return seen.x**3, 6.0 * seen.x * seen.vx**2, (3.0 * seen.x**2, 0.0, 0.0)

    @dataclass(frozen=True)
    class _Twice(lw.Angle):
        """Two of them."""

        def terms(self):
            return ((2.0, lw.Angle(self.on, self.to)),)

    @dataclass(frozen=True)
    class _Still(lw.WorldOffset):
        """One that says that it is one."""

        along = "world"

        @staticmethod
        def plane(seen, numbers, memory):
            return seen.x, 0.0, (1.0, 0.0, 0.0)

    assert (lw.WorldOffset.along, _Level.along, _Still.along, _Cubed.along) == ("world", "world", "world", "")
    assert not _Cubed.straight and _Cubed.reads_angles
    assert lw.Angle.is_turn and not _Twice.is_turn
    assert _Square.of_axes and not _Level.of_axes
