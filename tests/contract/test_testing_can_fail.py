"""The checks catch what is wrong: each joint, measure, law, function and method here breaks one clause."""

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest

import linkwork as lw
from linkwork import testing
from linkwork.analysis.integrators import METHODS
from linkwork.analysis.integrators.method import Method
from linkwork.kernels import layout as at
from linkwork.mechanism.forces import Force, LawPart, damper, spring
from linkwork.mechanism.functions import Function
from linkwork.mechanism.joints import Joint, Row
from linkwork.mechanism.measures import Measure
from linkwork.mechanism.steps import Slide, Tilt, Turn

EXPLICIT = sorted(name for name, one in METHODS.items() if isinstance(one, Method))


@pytest.fixture(autouse=True)
def registries():
    """Wrong kinds must not stay registered."""
    families = (Joint, Measure, Force, Function)
    before = [dict(family.kinds) for family in families]
    yield
    for family, kinds in zip(families, before):
        family.kinds.clear()
        family.kinds.update(kinds)


def fails(check, thing, *words, **options):
    with pytest.raises(AssertionError) as caught:
        check(thing, **options)
    for word in words:
        assert word in str(caught.value)


# joints


def test_joint_whose_motion_leaves_its_constraints():
    @dataclass(frozen=True)
    class SlidesAcross(Joint):
        def constraints(self):
            return self.offset("y"), self.align("x", "y")

        def motion(self):
            return (Slide("y"),)

    fails(testing.check_joint, SlidesAcross, "constraints along motion()", "off by")


def test_joint_whose_freedom_does_not_add_up():
    @dataclass(frozen=True)
    class ForgetsToTurn(Joint):
        def constraints(self):
            return (self.offset("y"),)

        def motion(self):
            return (Slide("x"),)

    fails(testing.check_joint, ForgetsToTurn, "rank 1 and 1 freedoms", "do not add up to 3")


def test_joint_with_a_row_twice():
    @dataclass(frozen=True)
    class Twice(Joint):
        def constraints(self):
            return self.offset("y"), Row("again", lw.Offset(self.on, self.to, "y"))

    fails(testing.check_joint, Twice, "have rank 1")


def test_joint_whose_reading_has_another_sign():
    @dataclass(frozen=True)
    class Backwards(Joint):
        def constraints(self):
            return self.pin("x"), self.pin("y")

        def motion(self):
            return (Turn(),)

        def readings(self):
            return {"angle": lw.Sum((-1.0, lw.Angle(self.on, self.to)))}

    fails(testing.check_joint, Backwards, "reading 'angle'")


def test_joint_whose_force_and_counterforce_are_at_two_points():
    @dataclass(frozen=True)
    class Apart(Joint):
        """Origins 0.3 apart along world x: world axes do not turn with the bodies, so moments are lost."""

        def constraints(self):
            return Row("x", lw.WorldOffset(self.on, self.to, "x"), 0.3), Row("y", lw.WorldOffset(self.on, self.to, "y"))

    fails(testing.check_joint, Apart, "reactions on both sides", "off by")


# joints that are right in the plane and wrong in space


def test_joint_whose_motion_leaves_its_constraints_in_space():
    @dataclass(frozen=True)
    class Shaft(Joint):
        def constraints(self):
            return self.offset("x"), self.offset("y"), self.align("x", "z"), self.align("y", "z")

        def motion(self):
            return Turn(), Tilt("x"), Slide("z")

    fails(testing.check_joint, Shaft, "space, two bodies", "constraints along motion()", "off by", dimension=3)


def test_joint_with_a_row_in_space_that_follows_from_the_others():
    """Six alignments where three are independent."""

    @dataclass(frozen=True)
    class Careful(Joint):
        def constraints(self):
            rows = (self.align(one, other) for one in "xyz" for other in "xyz" if one != other)
            return (*self._pins(), *rows)

        def _pins(self):
            return self.pin("x"), self.pin("y")

    fails(testing.check_joint, Careful, "space, two bodies", "8 rows", "have rank 5", dimension=3)


def test_joint_whose_reading_in_space_has_another_sign():
    @dataclass(frozen=True)
    class Sinking(Joint):
        def constraints(self):
            return self.offset("x"), self.offset("y"), self.align("x", "z"), self.align("y", "z"), self.align("x", "y")

        def motion(self):
            return (Slide("z"),)

        def readings(self):
            return {"slide": lw.Offset(self.to, self.on, "z")}

    fails(testing.check_joint, Sinking, "space", "reading 'slide'")


def test_joint_that_sees_the_world_in_space():
    @dataclass(frozen=True)
    class Level(Joint):
        def constraints(self):
            return (Row("z", lw.WorldOffset(self.on, self.to, "z"), 0.3),)

    fails(testing.check_joint, Level, "space", "reactions on both sides", "off by")


def test_joint_whose_steps_in_space_go_another_way(monkeypatch):
    """The tree turns a shaft a little too much."""
    from linkwork.compiled import tree

    right = tree.spatial_numbers

    def wrong(link, body):
        return right(replace(link, turn=1.001 * link.turn), body)

    monkeypatch.setattr("linkwork.compiled.tree_tables.spatial_numbers", wrong)
    fails(testing.check_joint, lw.Revolute, "space", "joint coordinates", dimension=3)


# measures: the kernels know them by their formula, so a wrong one borrows that of another


def test_measure_without_value_that_claims_one():
    @dataclass(frozen=True)
    class Valueless(Measure):
        formula = "slip"
        turns_with = ("to",)

    fails(testing.check_measure, Valueless, "rate against differences of the value", "off by")


def test_measure_that_sees_the_world():
    @dataclass(frozen=True)
    class Northward(Measure):
        def terms(self):
            return ((1.0, lw.WorldOffset(self.on, self.to, "y")),)

    fails(testing.check_measure, Northward, "rigid move")


def test_measure_that_loses_turns():
    @dataclass(frozen=True)
    class Forgetful(Measure):
        formula = "direction"
        turns_with = ("on",)
        quantity = "angle"
        memory = "none"

    fails(testing.check_measure, Forgetful, "full turns")


def test_measure_of_space_whose_rate_is_not_that_of_its_value():
    """The speed of an edge over a plane, which has no value, passed off as a height."""

    @dataclass(frozen=True)
    class Height(Measure):
        formula = "edge_slip"
        pair = "edge"
        turns_with = ("on", "to")
        dimensions = (3,)
        radius: float = 0.3
        axis: str = "x"

        def numbers(self):
            return (self.radius,)

    fails(testing.check_measure, Height, "rate against differences of the value", "off by")


# laws


def spring_element(**changes):
    @dataclass(frozen=True)
    class Odd(Force):
        def parts(self):
            length = lw.Distance(lw.Frame("one"), lw.Frame("two", (0.2, 0.0, 0.0)))
            part = LawPart("odd", "short", spring, (length,), (length,), (3.0, 0.4), "stores")
            return (replace(part, **changes),)

    return Odd()


def half_energy(values, numbers):
    return 0.25 * numbers[0] * (values[0] - numbers[1]) ** 2


def test_law_with_another_potential():
    fails(testing.check_law, spring_element(potential=half_energy), "potential against minus its power", "off by")


def test_law_that_stores_but_depends_on_speed():
    fails(testing.check_law, spring_element(law=damper, numbers=(2.0,)), "must not depend on speeds")


def wave(value, rate, t, size):
    return size * math.sin(t)


def test_law_that_stores_but_depends_on_time():
    fails(testing.check_law, spring_element(law=wave, numbers=(2.0,)), "must not depend on time")


def test_law_that_dissipates_but_adds_energy():
    fails(testing.check_law, spring_element(law=damper, numbers=(-2.0,), energy="dissipates"), "dissipates, but adds")


def steeper(value, rate, t, stiffness, rest):
    return -2.0 * stiffness, 0.0


def lost(values, rates, t, numbers, memory, against_values, against_rates):
    against_values[0, 1] = -1.0


def test_law_that_tells_other_slopes():
    fails(testing.check_law, spring_element(slopes=steeper), "slope of its forces against value 1", "off by")
    ground, two = lw.Frame("ground"), lw.Frame("two")
    along = [lw.WorldOffset(ground, two, axis) for axis in "xy"]
    element = lw.UserForce(reads=along, along=along, law=swirl, slopes=lost)
    fails(testing.check_law, element, "slope of its forces against value 1", "off by")


def swirl(values, rates, t, numbers, memory, out):
    out[0] = -values[1]
    out[1] = values[0]


def test_law_that_stores_but_works_in_circles():
    ground, two = lw.Frame("ground"), lw.Frame("two")
    along = [lw.WorldOffset(ground, two, axis) for axis in "xy"]
    element = lw.UserForce(reads=along, along=along, law=swirl, energy="stores")
    fails(testing.check_law, element, "depends on the path")


def test_law_that_ignores_its_switch():
    class Stubborn(lw.SpringDamper):
        @property
        def active(self):
            return True

        @active.setter
        def active(self, value):
            pass

    element = Stubborn.__new__(Stubborn)
    ends = {"on": lw.Frame("one"), "to": lw.Frame("two"), "name": ""}
    for key, value in {**ends, "stiffness": 3.0, "rest_length": 0.1, "damping": 0.0, "actuator": 0.0}.items():
        object.__setattr__(element, key, value)
    Stubborn.named = lambda self, name: self
    object.__setattr__(element, "name", "E")
    fails(testing.check_law, element, "active=False")


# functions and methods


def test_function_with_a_wrong_derivative():
    @dataclass(frozen=True)
    class Parabola(Function):
        size: float
        sample = (1.5,)

        def numbers(self):
            return (self.size,)

        @staticmethod
        def values(t, numbers):
            return numbers[0] * t * t, 2.0 * numbers[0] * t, numbers[0]

    fails(testing.check_function, Parabola, "acceleration against differences", "off by")


@pytest.mark.parametrize("name", EXPLICIT)
def test_method_with_a_wrong_weight(name):
    good = METHODS[name]
    weights = list(good.weights)
    weights[0] += 1e-3
    weights[-1] -= 1e-3
    wrong = replace(good, name="wrong", weights=tuple(weights))
    fails(testing.check_method, wrong, "order", f"wanted {good.order}")


@pytest.mark.parametrize("name", EXPLICIT)
def test_method_with_a_wrong_dense_output(name):
    good = METHODS[name]
    dense = good.dense.copy()
    wrong = 1e-2 if good.order >= 4 else 1.0  # at low order small mistakes do not show
    dense[0, 1] += wrong
    dense[0, 2] -= wrong
    fails(testing.check_method, replace(good, name="wrong", dense=dense), "between steps", "order")


@pytest.mark.parametrize("name", sorted(METHODS.keys() - set(EXPLICIT)))
def test_implicit_method_with_a_wrong_stage(name):
    good = METHODS[name]
    stages = np.array(good.stages)
    stages[0] += 1e-2, -1e-2, 0.0
    wrong = replace(good, name="wrong", stages=tuple(map(tuple, stages.tolist())))
    fails(testing.check_method, wrong, "order", f"wanted {good.order}")


# coordinate sets


def pendulum():
    m = lw.Mechanism("pendulum")
    rod = m.add("rod", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), rod.a))
    return m


def test_coordinates_that_disagree(monkeypatch):
    """Joint coordinates in which everything weighs a thousandth more."""
    from linkwork.coordinates import joint

    class Heavier(joint.System):
        def __init__(self, plan, *arguments):
            super().__init__(plan, *arguments)
            self.set_numbers(at.P_GRAVITY, 1.001 * self.view(at.P_GRAVITY))

    monkeypatch.setattr(joint, "System", Heavier)
    fails(testing.check_coordinates, pendulum(), "'joint'", "accelerations against 'body'")


def test_coordinates_with_a_wrong_mass_matrix(monkeypatch):
    from linkwork.coordinates import recursion

    right = recursion.mass_matrix
    monkeypatch.setattr(recursion, "mass_matrix", lambda system: 1.001 * right(system))
    fails(testing.check_coordinates, pendulum(), "'joint'", "M v' against h + C' lambda")


def test_joint_whose_steps_go_another_way(monkeypatch):
    """The tree turns a pin the wrong way round."""
    from linkwork.compiled import tree

    right = tree.planar_numbers

    def wrong(link, body):
        out = right(link, body)
        out[8] *= 1.001  # how much the link turns with its coordinate
        return out

    monkeypatch.setattr("linkwork.compiled.tree_tables.planar_numbers", wrong)
    fails(testing.check_joint, lw.Revolute, "joint coordinates")
