"""A prepared run with other numbers is the run of a mechanism that has them, bit for bit, or refused like it."""

import re
import warnings
from functools import reduce

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from linkwork import errors
from linkwork.errors import LinkworkError
from linkwork.mechanism.renewal import _all_numbers
from property.draws import assembler, examples
from property.space_plans import space_plans
from property.strategies import Rejections, set_plans

REJECTIONS = Rejections()
FRAMES = re.compile(r"\.(on|to|at)\.")
assembled = assembler(REJECTIONS)
TIMES = [0.0, 0.05, 0.1]


def value_of(m, name):
    """The number that a name has now, where it is one that is not zero."""
    try:
        found = reduce(getattr, name.split(".")[1:], m[name.split(".")[0]])
    except (LinkworkError, AttributeError):
        return None
    return float(found) if isinstance(found, float | int) and np.isfinite(found) and found != 0.0 else None


def outcome(run, *given, **options):
    """Bits of the states, or what was refused; and what was warned of."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            states = run(*given, **options)._bodies.all.tobytes()
        except errors.LinkworkError as error:
            states = type(error), str(error)
    return states, sorted(str(one.message) for one in told)


def put_together(mechanism, state):
    """The state with its bodies moved to where they meet, if they do."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return mechanism.assemble(start=state, coordinates="body").state
        except errors.LinkworkError:
            return None


def compare(plan, rng):
    m, state = assembled(plan)
    # other places of frames, which several measures may share, are another structure: told, and tried elsewhere
    numbers = [name for name in _all_numbers(m) if not FRAMES.search(name)]
    known = {name: value for name in numbers if (value := value_of(m, name)) is not None}
    if not known:
        return
    try:
        ready = m.prepare(
            TIMES, start=state, rtol=1e-6, coordinates=str(rng.choice(["auto", "body", "joint", "point"]))
        )
    except LinkworkError:  # not every mechanism is one of every set
        return
    first = outcome(ready)  # a driver may lead it into a dead centre
    for _ in range(3):
        names = rng.choice(list(known), size=min(len(known), rng.integers(1, 4)), replace=False).tolist()
        for _ in range(3):  # in general, then tried whether it goes straight, then so if it does
            # most joints do not fit other lengths; where a change is small enough, the state is corrected
            size = rng.choice([0.3, 1e-4, 1e-8])
            numbers = {name: float(known[name] * rng.uniform(1.0 - size, 1.0 + size)) for name in names}
            found = outcome(ready, state, numbers=numbers)
            other = m.with_numbers(numbers)
            wanted = outcome(other.simulate, TIMES, start=state, coordinates=ready.coordinates, rtol=1e-6)
            assert found == wanted, numbers
            fits = put_together(other, state)
            if fits is not None:  # a state of a mechanism that has these numbers
                found = outcome(ready, fits, numbers=numbers)
                wanted = outcome(other.simulate, TIMES, start=fits, coordinates=ready.coordinates, rtol=1e-6)
                assert found == wanted, numbers
    assert outcome(ready) == first


@examples(60)
@given(set_plans(most=4, loops=1, damped=True), st.integers(0, 2**32 - 1))
def test_in_the_plane(plan, seed):
    compare(plan, np.random.default_rng(seed))


@examples(40)
@given(space_plans(most=3, loops=1, damped=True), st.integers(0, 2**32 - 1))
def test_in_space(plan, seed):
    compare(plan, np.random.default_rng(seed))
