"""The grammar of names."""

import pytest

import linkwork as lw
from linkwork.compiled.names import all_measures, measure_of, split


@pytest.fixture
def mechanism():
    m = lw.Mechanism("m")
    rod = m.add("rod", lw.bar(length=1.0, mass=1.0, points={"tip": (0.5, 0.1)}))
    bob = m.add("bob", lw.Particle(1.0))
    A = m.add("A", lw.Revolute(m.ground.at(0, 0), rod.a))
    m.add("motor", lw.Driver(A.angle, 0.0))
    m.add("slide", lw.Driver(lw.Slip(m.ground, rod.b), 0.0, level="speed"))
    m.add("spring", lw.SpringDamper(rod.b, bob, stiffness=1.0))
    return m


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("crank.x", ("crank.x", 0)),
        ("crank.x.rate", ("crank.x", 1)),
        ("coupler.tracer.y.acceleration", ("coupler.tracer.y", 2)),
        ("rate", ("rate", 0)),
        ("crank.rate.x", ("crank.rate.x", 0)),
    ],
)
def test_split(name, parts):
    assert split(name) == parts


@pytest.mark.parametrize(
    ("name", "kind", "order"),
    [
        ("rod.x", lw.WorldOffset, 0),
        ("rod.angle.rate", lw.Angle, 1),
        ("rod.tip.y.acceleration", lw.WorldOffset, 2),
        ("A.angle", lw.Angle, 0),
        ("spring.length.rate", lw.Distance, 1),
        ("motor.value", lw.Angle, 0),
        ("bob.y", lw.WorldOffset, 0),
    ],
)
def test_measures_by_name(mechanism, name, kind, order):
    measure, found = measure_of(mechanism, name)
    assert isinstance(measure, kind)
    assert found == order


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("rod.tpi.x", "rod.tip.x"), ("rodd.x", "rod"), ("spring.lenght", "spring.length"), ("motor.valu", "motor.value")],
)
def test_unknown_names(mechanism, name, nearest):
    with pytest.raises(lw.errors.UnknownNameError) as caught:
        measure_of(mechanism, name)
    assert nearest in caught.value.nearest


def test_what_has_no_value_has_no_name(mechanism):
    names = set(all_measures(mechanism))
    assert {"bob.x", "bob.y", "rod.angle", "rod.a.x", "A.angle", "motor.value", "spring.length"} <= names
    assert not {"bob.angle", "slide.value"} & names
