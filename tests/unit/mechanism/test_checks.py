"""Hints that say what a number means, read by constructors."""

from dataclasses import dataclass

import pytest

import linkwork as lw
from linkwork.errors import DescriptionError
from linkwork.mechanism import checks
from linkwork.units import Number


def test_meanings_come_from_the_hints():
    assert checks.meanings(lw.Body)["mass"] == Number("kg", least=0.0)
    assert checks.meanings(lw.Body)["position"].unit == "m"
    assert checks.meanings(lw.bar)["length"] == Number("m", above=0.0)
    assert checks.meanings(lw.SpringDamper)["actuator"].unit == "N"
    assert "on" not in checks.meanings(lw.Revolute)


def test_a_class_inside_a_function_keeps_the_meanings_of_its_base():
    class Local:
        pass

    @dataclass(frozen=True)
    class Longer(lw.Rod):
        other: "Local | None" = None

    rod = Longer(lw.Frame("a"), lw.Frame("b"), "30 cm")
    del lw.Joint.kinds["Longer"]
    assert rod.length == 0.3


def test_none_stands_only_where_it_may():
    assert lw.RollingDisc(lw.Frame("a"), lw.Frame("b"), 0.1, on_radius=None).on_radius is None
    with pytest.raises(DescriptionError, match=r"radius is not a number. Got None"):
        lw.RollingDisc(lw.Frame("a"), lw.Frame("b"), None)
    with pytest.raises(DescriptionError, match=r"bar mass is not a number. Got None"):
        lw.bar(1.0, None)


def test_negative_damping_is_refused_with_a_remedy():
    for kind in (lw.SpringDamper, lw.TorsionSpringDamper):
        with pytest.raises(DescriptionError, match=r"damping is too small.*UserForce with a law"):
            kind(lw.Frame("a"), lw.Frame("b"), damping=-0.1)


def test_gravity_that_is_a_number_shows_an_example():
    with pytest.raises(DescriptionError, match=r"wanted 2 numbers, such as \(0.0, -9.81\)"):
        lw.Mechanism("g", gravity=9.81)
