"""What summaries, checks and limits say: changes of method, events nobody can watch, steps of a resumed run."""

import warnings

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.progress import plainly
from linkwork.errors import CompileError, DescriptionError, RunLimitError, SearchWarning, UnitError, UnknownNameError
from linkwork.result.report import _methods

CHANGES = [f"{name} from t = {t:g} s: why" for name, t in (("radau", 1), ("dop853", 2), ("radau", 4), ("dop853", 9))]


def test_many_changes_of_method_are_summed_up():
    """Radau from 1 to 2 s and from 4 to 9 s of 10 s."""
    said = _methods(CHANGES, [0.0, 10.0])
    assert "4 changes of method, radau 60 % of the time" in said[0] and len(said) == 3
    assert said[1].endswith(CHANGES[0]) and said[2].endswith(CHANGES[3])
    assert _methods(CHANGES[:2], [0.0, 10.0]) == [f"method {one}" for one in CHANGES[:2]]


def test_a_prepared_run_tells_the_method_that_was_asked_for():
    assert repr(lw.gallery.pendulum().prepare(1.0)).endswith("auto)")
    assert repr(lw.gallery.pendulum().prepare(1.0, method="dop853")).endswith("dop853)")


@pytest.mark.parametrize(
    ("event", "error", "words"),
    [
        (lw.Event("A.angel"), UnknownNameError, ("A.angel", "Event 'it'", "'A.angle'")),
        (lw.Event("A.angle", "90 mm"), UnitError, ("'90 mm'", "a length", "an angle", "Event 'it'")),
    ],
)
def test_check_refuses_events_that_no_run_can_watch(event, error, words):
    m = lw.gallery.pendulum()
    m.add("it", event)
    with pytest.raises(error) as caught:
        m.check(coordinates="body")
    assert all(word in str(caught.value) for word in words)


def test_check_takes_events_that_can_be_watched():
    m = lw.gallery.pendulum()
    m.add("it", lw.Event("A.angle", "-90 deg", then=lw.Lock("A")))
    assert m.check(coordinates="body").freedom == 1


def slim():
    """A crank, a slim rod between balls, and a rocker."""
    m = lw.Mechanism("rssr", dimension=3)
    m.add("crank", lw.cylinder(radius=0.008, length=0.1, mass=0.5, axis="x"))
    m.add("coupler", lw.rod(length=0.42, mass=0.6))
    m.add("rocker", lw.cylinder(radius=0.008, length=0.25, mass=1.0, axis="x"))
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0, axis=(1, 0, 0)), "crank.a"))
    m.add("B", lw.Spherical("crank.b", "coupler.a"))
    m.add("C", lw.Spherical("coupler.b", "rocker.b"))
    m.add("D", lw.Revolute(m.ground.at(0.35, 0.2, 0, axis=(0, 1, 0)), "rocker.a"))
    m.add("motor", lw.Driver("A.angle", "60 rpm*t"))
    return m


def test_verify_leaves_out_sets_that_cannot_carry_a_slim_rod():
    m = slim()
    with pytest.raises(CompileError):
        m.simulate(0.1, coordinates="body")
    found = m.verify(0.1)
    assert list(found.runs) == ["point"] and set(found.left_out) == {"body", "joint"}
    assert not found and "no two runs" in str(found) and "coupler" in found.left_out["body"]


def test_a_basis_in_space_is_shown_with_three_points():
    with pytest.raises(DescriptionError, match=r'"a", "b", "c"'):
        slim().check(coordinates="point", basis={"crank": ("a", "b")})


def test_a_resumed_run_counts_its_own_steps(tmp_path):
    m = lw.gallery.four_bar()
    with pytest.raises(RunLimitError, match=r"after 5 steps, all that most_steps= .*resume goes on"):
        m.simulate(5.0, every=0.01, store=tmp_path / "night", most_steps=5, coordinates="body")
    with pytest.raises(RunLimitError, match=r"after 7 steps since it was resumed, .*resume goes on"):
        lw.resume(tmp_path / "night", most_steps=7)
    with pytest.raises(RunLimitError) as caught:
        m.simulate(5.0, most_steps=5, coordinates="body")
    assert "after 5 steps, all" in str(caught.value) and "resume" not in str(caught.value)


@pytest.mark.parametrize(
    ("now", "last", "said"),
    [
        (42280.3, 200000.0, "42280"),
        (0.25, 1.0, "0.25"),
        (1e6, 1e6, "1000000"),
        (3.0, 12.5, "3"),
        (1e-5, 2e-3, "0.00001"),
    ],
)
def test_progress_is_told_in_plain_numbers(now, last, said):
    assert plainly(now, last) == said


@pytest.mark.filterwarnings("ignore::linkwork.errors.SearchWarning")  # it may not take more runs
def test_searches_print_units():
    m, run = lw.gallery.four_bar(), lw.gallery.four_bar().simulate(0.2, every=0.02, coordinates="body")
    options = {"subject_to": "A.reaction.magnitude.max <= 1 kN", "times": 0.1, "most_runs": 20}
    said = str(lw.optimize(m, {"spring.stiffness": (10, 40)}, "D.angle.max", **options))
    assert "spring.stiffness [N/m]" in said and " rad of 'four-bar' (was " in said.splitlines()[0]
    assert any(one.strip().startswith("A.reaction") and one.endswith(" N") for one in said.splitlines())
    found = lw.fit(m, {"spring.stiffness": (5, 80)}, {"D.angle": (run.t, run["D.angle"])}, noise="1 deg")
    assert "spring.stiffness [N/m]" in str(found) and "noise 0.01745 rad (as given)" in str(found)


def searched(**options):
    """A four-bar whose spring is searched for; what it warned of."""
    m = lw.gallery.four_bar()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = m.optimize(
            {"spring.stiffness": (10, 40)}, "D.angle.max", times=0.2, every=0.02, coordinates="body", **options
        )
    return found, [str(one.message) for one in told if issubclass(one.category, SearchWarning)]


def test_a_search_that_meets_its_limits_says_nothing():
    found, told = searched(subject_to="D.angle.max >= 0.1 rad")
    assert found.converged and found.met and not told


@pytest.mark.parametrize("method", ["slsqp", "evolution"])
def test_limits_that_cannot_be_met_are_warned_of_once(method):
    found, told = searched(subject_to="spring.length.min >= 50 m", method=method, most_runs=60)
    assert not found.met and len(told) == 1
    assert "optimize of 'four-bar' has not converged: no design within the bounds was found that meets" in told[0]
    (line,) = (one.strip() for one in str(found).splitlines() if "NOT MET" in one)
    assert line in told[0] and found.why in told[0]


def test_a_search_that_did_not_converge_is_warned_of_with_its_reason():
    found, told = searched(most_runs=3)
    assert not found.converged and len(told) == 1
    assert "has not converged: it may not take more than 3 runs. Print" in told[0]


@pytest.mark.parametrize(
    ("more", "options", "words"),
    [
        (lambda t: 0.0 * t, {}, None),
        (lambda t: 0.004 * np.random.default_rng(1).standard_normal(len(t)), {}, None),
        (lambda t: 0.01 * t, {"noise": 1.0}, None),
        (lambda t: 0.5 * t, {}, "residuals of neighbours are correlated"),
        (lambda t: 9.0 * np.random.default_rng(1).standard_normal(len(t)), {}, "the mechanism explains"),
        (lambda t: 9.0 * np.random.default_rng(1).standard_normal(len(t)), {"noise": 9.0}, None),
        (lambda t: 0.0 * t, {"noise": 1e-9, "most_runs": 4}, "not converged: it may not take more than 4 runs"),
    ],
)
def test_a_poor_fit_is_warned_of_once(more, options, words):
    """The record is the run itself with `more`; residuals of the run itself are correlated, and no wrong."""
    m = lw.gallery.four_bar()
    run = m.simulate(0.5, every=0.01, coordinates="body")
    record = {"D.angle": (run.t, run["D.angle"] + more(run.t))}
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = m.fit({"spring.stiffness": (5, 80)}, record, begin={"spring.stiffness": 50}, **options)
    said = [str(one.message) for one in told if issubclass(one.category, SearchWarning)]
    assert len(said) == (words is not None)
    if words is not None:
        assert words in said[0] and words in str(found) and said[0].startswith("fit of 'four-bar' is doubtful: ")
