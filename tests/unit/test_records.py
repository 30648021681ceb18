"""Dataclasses whose methods are shared: whatever one can do, those of the standard library do alike."""

import copy
import dataclasses
import inspect
import pickle
import sys
import types
import typing
from typing import Any, ClassVar

import numpy as np
import pytest

import linkwork as lw
from linkwork.records import dataclass


def _classes(decorator):
    @decorator(frozen=True)
    class Pair:
        one: float
        two: Any = None

    @decorator(frozen=True)
    class Labelled(Pair):
        label: str = dataclasses.field(default="", compare=False)
        hidden: int = dataclasses.field(default=0, repr=False, kw_only=True)
        kept: list = dataclasses.field(default_factory=list, hash=False)

    @decorator(frozen=True)
    class Single:
        only: Any

    @decorator(frozen=True)
    class Empty:
        pass

    @decorator(frozen=True)
    class Own:
        number: int

        def __eq__(self, other):
            return isinstance(other, type(self)) and self.number % 10 == other.number % 10

        def __repr__(self):
            return "own"

    @decorator(frozen=True)
    class OwnHash:
        number: int

        def __hash__(self):
            return 7

    @decorator(eq=False)
    class Plain:
        number: int = 1

    @decorator
    class Changing:
        number: int = 1

    @decorator(frozen=True, eq=False)
    class Same:
        number: int = 1

    @decorator(frozen=True)
    class Settled(Labelled):
        shared: ClassVar[dict] = {}
        two: Any = 5  # in the place of the one of its base
        kept_apart: dict = dataclasses.field(default_factory=dict, init=False, compare=False)

        def __post_init__(self):
            object.__setattr__(self, "one", float(self.one))

    @decorator(frozen=True, init=False)
    class Written:
        numbers: tuple = ()

        def __init__(self, *numbers):
            object.__setattr__(self, "numbers", numbers)

    return Pair, Labelled, Single, Empty, Own, OwnHash, Plain, Changing, Same, Settled, Written


OURS, THEIRS = _classes(dataclass), _classes(dataclasses.dataclass)
ARGUMENTS = [
    [(1.0,), (1.0, None), (2.0,), (1.0, (3, 4)), (float("nan"),)],
    [(1.0, 2, "a"), (1.0, 2, "b"), (1.0, 3, "a"), (1.0, 2, "a", [1])],
    [(1,), (2,), ((1, 2),)],
    [(), ()],
    [(1,), (11,), (2,)],
    [(1,), (1,), (2,)],
    [(), (1,), (2,)],
    [(), (1,), (2,)],
    [(), (1,)],
    [(1,), (1.0, 2), (1, 5, "a", [1])],
    [(), (1,), (1, 2)],
]


def _hash(thing):
    try:
        return hash(thing)
    except TypeError:
        return "none"


@pytest.mark.parametrize("number", range(len(OURS)), ids=[one.__name__ for one in OURS])
def test_as_those_of_the_standard_library(number):
    kinds = OURS[number], THEIRS[number]
    ours, theirs = ([kind(*given) for given in ARGUMENTS[number]] for kind in kinds)
    assert [repr(one) for one in ours] == [repr(one) for one in theirs]
    for k, one in enumerate(ours):
        assert [one == other for other in ours] == [theirs[k] == other for other in theirs]
        if type(one).__hash__ is not object.__hash__:
            assert _hash(one) == _hash(theirs[k])
    assert (type(ours[0]).__hash__ is object.__hash__) == (type(theirs[0]).__hash__ is object.__hash__)
    assert ours[0] != theirs[0] and ours[0] != 1
    if kinds[0].__name__ != "Written":  # whose constructor does not take its fields
        assert dataclasses.replace(ours[0]).__dict__ == ours[0].__dict__
        if sys.version_info >= (3, 13):
            assert copy.replace(ours[0]).__dict__ == ours[0].__dict__
    assert [one.__dict__ for one in ours] == [one.__dict__ for one in theirs]


@pytest.mark.parametrize("number", range(len(OURS)), ids=[one.__name__ for one in OURS])
def test_what_is_said_of_a_class_is_the_same(number):
    ours, theirs = OURS[number], THEIRS[number]
    assert str(inspect.signature(ours)) == str(inspect.signature(theirs))
    assert str(inspect.signature(ours.__init__)) == str(inspect.signature(theirs.__init__))
    assert ours.__init__.__qualname__ == theirs.__init__.__qualname__
    assert typing.get_type_hints(ours.__init__) == typing.get_type_hints(theirs.__init__)
    assert ours.__match_args__ == theirs.__match_args__
    of_ours, of_theirs = (
        [(f.name, f.type, f.default, f.kw_only) for f in dataclasses.fields(k)] for k in (ours, theirs)
    )
    assert of_ours == of_theirs
    assert dataclasses.is_dataclass(ours) and ours.__dataclass_params__.frozen == theirs.__dataclass_params__.frozen
    same = [name in vars(ours) for name in ("one", "two", "kept", "hidden", "number")]
    assert same == [name in vars(theirs) for name in ("one", "two", "kept", "hidden", "number")]


@pytest.mark.parametrize("decorator", [dataclass, dataclasses.dataclass])
def test_what_is_refused(decorator):
    pair, labelled = _classes(decorator)[:2]

    class Undecorated(pair):
        pass

    with pytest.raises(ValueError, match=r"mutable default <class 'list'> for field many is not allowed"):

        @decorator(frozen=True)
        class Many:
            many: list = []

    for given in ((), (1, 2, 3)):
        with pytest.raises(TypeError, match=r"Pair.__init__\(\) (missing|takes)"):
            pair(*given)
    with pytest.raises(TypeError, match=r"positional argument"):
        labelled(1.0, 2, "a", [], 3)  # `hidden` is given by its name
    for thing, name in ((pair(1.0), "one"), (pair(1.0), "other"), (Undecorated(1.0), "one")):
        with pytest.raises(dataclasses.FrozenInstanceError, match=f"cannot assign to field '{name}'"):
            setattr(thing, name, 2.0)
        with pytest.raises(dataclasses.FrozenInstanceError, match=f"cannot delete field '{name}'"):
            delattr(thing, name)
    thing = Undecorated(1.0)
    thing.other = 3
    assert vars(thing) == {"one": 1.0, "two": None, "other": 3}
    del thing.other
    assert vars(thing) == {"one": 1.0, "two": None} and labelled(1.0).kept is not labelled(1.0).kept


@pytest.mark.parametrize("decorator", [dataclass, dataclasses.dataclass])
def test_what_is_rarely_asked_for(decorator):
    """It is left to the standard library, and works, or is refused, as there."""

    @decorator(frozen=True)
    class Rare:
        self: int
        _: dataclasses.KW_ONLY
        start: dataclasses.InitVar[int] = 3

        def __post_init__(self, start):
            object.__setattr__(self, "seen", start)

    assert Rare(1, start=4).seen == 4 and vars(Rare(2)) == {"self": 2, "seen": 3}

    @decorator(frozen=True)
    class NoHash:
        one: int
        __hash__ = None

    with pytest.raises(TypeError, match="unhashable"):
        hash(NoHash(1))
    with pytest.raises(TypeError, match="non-default argument 'two' follows default argument"):

        @decorator(frozen=True)
        class Order:
            one: int = 1
            two: int

    with pytest.raises(TypeError, match="no type annotation"):

        @decorator(frozen=True)
        class Bare:
            one = dataclasses.field()

    with pytest.raises(TypeError, match="Cannot overwrite attribute __setattr__"):

        @decorator(frozen=True)
        class Assigned:
            one: int

            def __setattr__(self, name, value):
                pass

    with pytest.raises(TypeError, match="cannot inherit frozen"):

        @decorator(frozen=True)
        class Frozen(THEIRS[7]):
            two: int = 2


def test_a_module_that_is_gone():
    """A constructor may be wanted after the module of its class has left (`runpy`, notebooks)."""
    module = types.ModuleType("gone_again")
    module.dataclass = dataclass
    sys.modules["gone_again"] = module
    exec("@dataclass(frozen=True)\nclass One:\n    one: int = 1\n", vars(module))
    del sys.modules["gone_again"]
    assert module.One(2).one == 2


def test_either_may_derive_from_the_other():
    ours, theirs = OURS[0], THEIRS[0]

    @dataclasses.dataclass(frozen=True)
    class Further(ours):
        three: int = 3

    @dataclass(frozen=True)
    class Other(theirs):
        three: int = 3

    class Undecorated(ours):
        pass

    assert Further(1.0) == Further(1.0) != Further(1.0, three=4) and Other(1.0) == Other(1.0) != Other(1.0, three=4)
    assert repr(Further(1.0)).endswith("Further(one=1.0, two=None, three=3)")
    assert repr(Other(1.0)).endswith("Other(one=1.0, two=None, three=3)")
    assert Undecorated(1.0) == Undecorated(1.0) != ours(1.0) and len({Undecorated(1.0), Undecorated(1.0)}) == 1


def test_frozen_and_kept():
    with pytest.raises(dataclasses.FrozenInstanceError):
        lw.Frame("a").body = "b"
    frame = lw.Frame("a", (0.1, 0.2))
    assert pickle.loads(pickle.dumps(frame)) == frame and hash(pickle.loads(pickle.dumps(frame))) == hash(frame)


@dataclass(frozen=True)
class Arrays:
    name: str
    values: np.ndarray
    by_name: dict[str, np.ndarray]
    listed: tuple[np.ndarray, ...] = ()


def test_arrays_are_compared_entry_by_entry():
    def made(last=2.0, name="a", shape=(2,)):
        return Arrays(name, np.array([1.0, last]).reshape(shape), {"x": np.empty(0)}, (np.array([last, np.nan]),))

    assert made() == made() and made(np.nan) == made(np.nan)
    assert made() != made(3.0) and made() != made(name="b") and made() != made(shape=(2, 1)) and made() != 1
    with pytest.raises(TypeError):
        hash(made())


def test_states_are_compared_by_their_numbers():
    run = lw.gallery.four_bar().simulate(0.2, every=0.1, coordinates="joint")
    assert run.at(0.1) == run.at(0.1) and run.at(0.1) != run.at(0.2)


def test_arrays_of_answers_are_only_to_be_read():
    m = lw.gallery.pendulum()
    rest, run = m.equilibrium(coordinates="body").state, m.simulate(0.2, every=0.1, coordinates="body")
    modes, linear = m.modes(rest, coordinates="body"), m.linearize(rest, coordinates="body")
    parts = run.motion_parts("rod.b", on="ground")
    given = [
        modes.stiffness,
        modes.damping,
        linear.A,
        linear.C,
        m.equilibria({"A.angle": (-2.0, 1.0)}, coordinates="body").places,
    ]
    given += [run.free_body("rod", 0.1)["A"].force, parts.velocity["total"], parts.at(0).velocity["total"]]
    given += [pickle.loads(pickle.dumps(linear)).A, copy.copy(linear).A]
    for array in given:
        with pytest.raises(ValueError, match="read-only"):
            array *= 2.0
