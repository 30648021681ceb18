"""Behind the one call that takes a state on with other numbers are bare pointers: every size is looked at before."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.entering import entry
from linkwork.compiled.rewriting import placing
from linkwork.coordinates.taking import Numbers, Taking, Written
from linkwork.errors import DescriptionError
from linkwork.kernels import layout as at
from linkwork.kernels import taking as of

SETS = ["body", "joint"]
RESULTS = np.array([12.0])


@pytest.fixture(scope="module")
def state():
    return lw.gallery.four_bar().assemble(start={"A.angle": 1.0}, coordinates="body").state


def tables(state, written=None, placed=None):
    found = []
    for name in SETS:
        plan, known = state.model.plan(name), entry(state.model, name, state)
        last = Written(RESULTS, 0, np.array([plan.parameters.size - 1])) if written is None else written
        found.append(Numbers(known.system, placing(plan)).table(last, known, placed))
    return found


def given(state):
    """What `Taking` is given, by name."""
    states = [state.y.copy(), entry(state.model, "joint", state).y.copy()]
    masses = state.model.plan().view(state.model.plan().parameters, at.P_MASS).ravel().copy()
    told = np.zeros(of.C_TOLD)
    told[[of.USUAL, of.OWN_USUAL, of.BEFORE, of.STATED]] = state.pivot, state.pivot, state.model.length, state.pivot
    return {"sets": tables(state), "t": state.t, "states": states, "masses": masses, "told": told}


def test_what_fits_is_taken(state):
    what = given(state)
    assert Taking(**what)() == of.TAKEN
    told, own = what["told"], entry(state.model, "joint", state)
    assert told[of.ENERGY] == own.energy and told[of.PIVOT] == state.pivot and told[of.OWN_PIVOT] > 0.0


@pytest.mark.parametrize("which", ["bodies", "own", "masses", "told", "one too few"])
def test_what_does_not_fit_is_refused(state, which):
    wrong = given(state)
    if which in ("masses", "told"):
        wrong[which] = wrong[which][:-1].copy()
    elif which == "one too few":
        wrong["states"] = wrong["states"][:1]
    else:
        place = ["bodies", "own"].index(which)
        wrong["states"][place] = wrong["states"][place][:-1].copy()
    with pytest.raises((DescriptionError, ValueError)):
        Taking(**wrong)


@pytest.mark.parametrize(
    "written",
    [
        Written(RESULTS, 0, np.array([-1])),
        Written(RESULTS, 0, np.array([1_000_000])),
        Written(RESULTS, 1, np.array([0])),
        Written(RESULTS, 0, np.array([0, 1])),
        Written(RESULTS, 0, np.array([0.0])),
    ],
)
def test_results_go_to_places_that_there_are(state, written):
    with pytest.raises(DescriptionError):
        tables(state, written)


def test_what_is_compared_is_as_much_as_places_a_state(state):
    with pytest.raises(DescriptionError, match="numbers that place a state"):
        tables(state, placed=np.zeros(1))


def test_states_of_another_structure_are_refused(state):
    other = lw.gallery.slider_crank().assemble(coordinates="body").state
    numbers = Numbers(entry(state.model, "body", state).system, placing(state.model.plan()))
    with pytest.raises(DescriptionError, match="another structure"):
        numbers.table(Written(RESULTS, 0, np.array([0])), entry(other.model, "body", other), None)
