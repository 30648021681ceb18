"""Fields that forces hand on to their laws: other values change those numbers of the laws, and nothing else."""

from dataclasses import fields, replace

import numpy as np
import pytest

import linkwork as lw
from linkwork.mechanism import elements  # noqa: F401  # further kinds of forces
from linkwork.mechanism.forces import Force
from linkwork.mechanism.user_forces import UserForce

FACTORS = (*2.0 ** np.random.default_rng(7).uniform(-10.0, 10.0, 40), 2.0**-10, 2.0**10)


def law(value, rate, t, stiffness, gap):
    return stiffness * (gap - value)


def made(name):
    """An example of a class of forces, with all of its numbers other than zero."""
    one, two = lw.Frame("ground"), lw.Frame("bar", (0.3, 0.1, 0.0))
    kind = Force.kinds[name]
    if kind is UserForce:
        return UserForce(lw.Distance(one, two), law, stiffness=3.0, gap=0.2)
    known = {field.name for field in fields(kind)}
    places = {"on": one, "to": two, "at": two, "measure": lw.Distance(one, two)}
    more = (
        {"lower": 0.1, "upper": 0.4, "damping": 0.3}
        if name == "Limit"
        else {"x": 2.0, "y": 3.0, "z": 4.0, "value": 5.0}
    )
    given = {key: value for key, value in {**places, **more}.items() if key in known}
    return kind(**{**given, **getattr(kind, "sample", {})})


def changed(force, field, value):
    if isinstance(force, UserForce):
        return UserForce(**{**force.arguments(), field: value})
    return replace(force, **{field: value})


SAYING = sorted(name for name, kind in Force.kinds.items() if kind.handed_on is not Force.handed_on)


def test_the_usual_ones_say_so():
    assert {"SpringDamper", "TorsionSpringDamper", "PointForce", "Torque", "Limit", "UserForce"} <= set(SAYING)


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("name", SAYING)
def test_only_the_numbers_that_are_the_value_change(name, dimension):
    force = made(name)
    if dimension not in getattr(type(force), "dimensions", (2, 3)):
        return
    before = force.parts_in(dimension)
    for field in force.handed_on():
        value = force.arguments()[field] if isinstance(force, UserForce) else getattr(force, field)
        moved = 0
        for factor in FACTORS:
            other = factor * value
            after = changed(force, field, other).parts_in(dimension)
            assert len(after) == len(before)
            for one, two in zip(before, after):
                assert replace(two, numbers=one.numbers) == one
                for old, new in zip(one.numbers, two.numbers, strict=True):
                    assert new == old or (old == value and new == other), (field, factor)
                    moved += new != old
        assert moved or (dimension == 2 and field == "z"), field


def test_a_derived_class_says_it_anew():
    from linkwork.analysis.numbers import _fields_handed_on

    class Stiffer(lw.SpringDamper):
        def parts(self):
            return replace(self, stiffness=2.0 * self.stiffness).parts()

    frames = lw.Frame("ground"), lw.Frame("bar")
    assert _fields_handed_on(lw.SpringDamper(*frames)) and not _fields_handed_on(Stiffer(*frames))
    del Force.kinds["Stiffer"]
