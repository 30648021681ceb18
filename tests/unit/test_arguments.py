"""Calls whose arguments do not fit name the wrong one, and those that there are."""

import inspect
from dataclasses import dataclass

import pytest

import linkwork as lw
from linkwork.arguments import Explained, explained
from linkwork.errors import ArgumentError, LinkworkError

CALLS = {name: getattr(lw, name) for name in [*lw.__all__, *lw._HELPERS] if callable(getattr(lw, name))}
TYPES = (lw.Mechanism, lw.Result, lw.Body, lw.Orientation, lw.Inertia)
METHODS = [
    f"{kind.__name__}.{name}"
    for kind in TYPES
    for name in vars(kind)
    if not name.startswith("_") and callable(getattr(kind, name))
]


@pytest.fixture(scope="module")
def things():
    m = lw.Mechanism("pendulum")
    rod = m.add("rod", lw.bar(length=1.0, mass=1.0))
    found = [m, m.simulate(0.1, coordinates="body"), rod, lw.Orientation((1, 0, 0, 0)), lw.Inertia(1.0)]
    return {type(one).__name__: one for one in found}


def call_of(name, things):
    kind, _, method = name.rpartition(".")
    return getattr(things[kind], method) if kind else CALLS[name]


@pytest.mark.parametrize("name", [*CALLS, *METHODS])
def test_every_public_call_explains_what_it_does_not_take(name, things):
    call = call_of(name, things)
    with pytest.raises(LinkworkError) as caught:
        call(no_such=1)
    if "options" not in inspect.signature(call).parameters:  # these hand the rest on to others
        assert isinstance(caught.value, ArgumentError) or name == "UserForce"
    assert "wanted" in str(caught.value).lower()


@pytest.mark.parametrize("name", [*CALLS, *METHODS])
def test_every_public_call_keeps_its_signature(name, things):
    call = call_of(name, things)
    assert "given" not in inspect.signature(call).parameters  # that of the wrapper
    assert inspect.getdoc(call)


def measure(*, on, to, scale=1.0):
    return scale


def part(length, mass, width=0.0, **options):
    return length


class Shelf:
    def put(self, book, where=0):
        return book, where

    @classmethod
    def of(cls, *books):
        return books


Shelf = explained(Shelf)


@dataclass(frozen=True)
class Beam(metaclass=Explained):
    length: float
    depth: float = 1.0


@dataclass(frozen=True)
class Tapered(Beam):
    taper: float = 0.5


@pytest.mark.parametrize(("action", "words"), [
    (lambda: explained(measure)(on=1, too=2), "measure has no argument 'too'. Wanted on=, to=, scale=. Perhaps to is "
     "meant."),
    (lambda: explained(measure)(scale=1), "measure misses 'on' and 'to'. Wanted on=, to=; not needed: scale=."),
    (lambda: explained(measure)(1, on=1, to=2), "measure is given too many arguments. Got 1 in a row; wanted on=, to=, "
     "scale=."),
    (lambda: explained(part)(lenght=1.0, mass=2.0), "part misses 'length'. Wanted length, mass; not needed: width. "
     "Perhaps it is meant by 'lenght'."),
    (lambda: explained(part)(1.0, 2.0, length=3.0), "part is given 'length' twice, by its place and by its name. "
     "Wanted length, mass, width."),
    (lambda: Shelf().put(), "Shelf.put misses 'book'. Wanted book; not needed: where."),
    (lambda: Shelf().put(1, 2, 3), "Shelf.put is given too many arguments. Got 3 in a row; wanted book, where."),
    (lambda: Shelf.of(book=1), "Shelf.of has no argument 'book'. Wanted *books."),
    (lambda: Beam(1.0, k=2.0), "Beam has no argument 'k'. Wanted length, depth."),
    (lambda: Tapered(1.0, tapper=2.0), "Tapered has no argument 'tapper'. Wanted length, depth, taper. Perhaps taper "
     "is meant."),
])  # fmt: skip
def test_words(action, words):
    with pytest.raises(ArgumentError) as caught:
        action()
    assert str(caught.value) == words
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_calls_that_fit_are_as_before():
    assert explained(measure)(on=1, to=2, scale=3.0) == 3.0
    assert Shelf().put("a", where=2) == ("a", 2)
    assert Shelf.of(1, 2) == (1, 2)
    assert Tapered(1.0, taper=2.0) == Tapered(1.0, 1.0, 2.0)


def test_an_error_of_another_call_inside_is_left_alone():
    @explained
    def outer(a):
        return len(a)

    with pytest.raises(TypeError, match="has no len") as caught:
        outer(5)
    assert not isinstance(caught.value, ArgumentError)


@pytest.mark.parametrize(("action", "meant"), [
    (lambda m: m.simulate(1.0, dt=0.1, coordinates="body"), "Perhaps every or step is meant"),
    (lambda m: lw.SpringDamper(m.ground, m["rod"].b, k=10.0), "Perhaps stiffness is meant"),
    (lambda m: lw.SpringDamper(m.ground, m["rod"].b, c=10.0), "Perhaps damping is meant"),
    (lambda m: lw.SpringDamper(m.ground, m["rod"].b, stifness=10.0), "Perhaps stiffness is meant"),
    (lambda m: lw.Body(1.0, inertai=2.0), "Perhaps inertia is meant"),
    (lambda m: m["rod"].at(0, 0, angel=1.0), "Perhaps angle or along is meant"),
    (lambda m: lw.bar(length=1.0, mass=1.0, centre=(0, 0)), "Perhaps center is meant"),
])  # fmt: skip
def test_what_is_nearest_or_means_the_same_is_offered(action, meant):
    m = lw.Mechanism("pendulum")
    m.add("rod", lw.bar(length=1.0, mass=1.0))
    with pytest.raises(ArgumentError, match=meant):
        action(m)


@pytest.mark.parametrize(("name", "nearest"), [
    ("Spring", "'SpringDamper', 'TorsionSpringDamper'"), ("Hinge", "'Revolute'"), ("revolute", "'Revolute'"),
    ("Motor", "'Driver'"), ("simulte", "'simulate'"), ("torsion", "'TorsionSpringDamper'"),
])  # fmt: skip
def test_names_that_linkwork_does_not_have(name, nearest):
    with pytest.raises(lw.errors.UnknownNameError, match=f"no name '{name}' in linkwork. Nearest: {nearest}"):
        getattr(lw, name)
    assert not hasattr(lw, name)
