"""Results in segments: joined runs, borders beside the grid, motions that are known and not integrated."""

import copy
import math
import pickle

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.switching import switch
from linkwork.compiled.modes import FREE
from linkwork.coordinates import SETS
from linkwork.errors import AnalysisError, DescriptionError, UnknownNameError
from linkwork.result.bodies import BodyStates
from linkwork.result.segments import JoinedBodies, JoinedSeries
from linkwork.result.series import Series

# -- joined ------------------------------------------------------------------------------------------------------------


def two_runs(coordinates="joint", **options):
    m = lw.gallery.four_bar()
    run = m.simulate(0.4, every=0.1, start={"A.angle": 1.0}, coordinates=coordinates, **options)
    return m, run, m.simulate(0.3, every=0.1, start=run.final, coordinates=coordinates, **options)


@pytest.mark.parametrize("coordinates", SETS)
def test_a_run_that_goes_on_is_as_one_run(coordinates):
    m, run, more = two_runs(coordinates, rtol=1e-10)
    whole = m.simulate(0.7, every=0.1, start={"A.angle": 1.0}, coordinates=coordinates, rtol=1e-10)
    both = run + more
    np.testing.assert_allclose(both.t, whole.t, atol=1e-12)
    assert both.names == whole.names
    for name in [*whole.names, "coupler.acceleration", "B.reaction"]:
        size = max(1.0, np.abs(whole[name]).max())
        np.testing.assert_allclose(both[name], whole[name], atol=1e-7 * size, err_msg=name)
    np.testing.assert_allclose(both.multipliers, whole.multipliers, atol=1e-6 * np.abs(whole.multipliers).max())
    assert len(both.events) == 0 and both.statistics.steps == run.statistics.steps + more.statistics.steps
    assert both.jacobian.shape == whole.jacobian.shape and both.violation.max() < 1e-10
    assert both.orientation("coupler").quaternion.shape == (8, 4)
    assert both.to_pandas(["A.angle"]).index.is_unique


@pytest.mark.parametrize("coordinates", SETS)
def test_states_and_times_of_a_joined_run(coordinates):
    _, run, more = two_runs(coordinates)
    both = run + more
    for k in range(-len(both.t), len(both.t)):
        assert both.state(k).t == both.t[k]
    assert both.at(0.25)["A.angle"] == run.at(0.25)["A.angle"]
    assert both.at(0.55)["A.angle"] == pytest.approx(more.at(0.55)["A.angle"], abs=1e-12)
    assert both.final.t == more.t[-1]
    with pytest.raises(DescriptionError, match="not in this result"):
        both.state(8)
    with pytest.raises(UnknownNameError, match="time"):
        both.at(0.8)


def test_many_runs_one_after_the_other():
    m = lw.gallery.double_pendulum()
    run = whole = m.simulate(0.1, every=0.05, coordinates="joint")
    for _ in range(5):
        run = m.simulate(0.1, every=0.05, start=run.final, coordinates="joint")
        whole = whole + run
    assert len(whole.segments) == 6 and len(whole.t) == 13 and np.all(np.diff(whole.t) > 0)
    assert np.abs(whole.energy.balance).max() < 1e-5


def test_fast_turns_are_counted_through_borders():
    """An angle that turns several times between outputs, before and after: each part is looked at closely."""
    m = lw.Mechanism("rotor", dimension=3, gravity=None)
    m.add("disc", lw.Body(1.0, (0.2, 0.2, 0.4)))
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0), m.bodies["disc"].at(0, 0, 0)))
    run = m.simulate(1.0, every=0.5, start={"A.angle.rate": 40.0}, coordinates="body")
    loose = m.simulate(1.0, every=0.5, start=switch(run.final, release="A").state, coordinates="body")
    back = m.simulate(1.0, every=0.5, start=switch(loose.final, hold="A").state, coordinates="body")
    whole = run + loose + back
    np.testing.assert_allclose(whole["A.angle"], 40.0 * whole.t, rtol=1e-7)
    assert whole.final["A.angle"] == pytest.approx(120.0)


def test_what_does_not_belong_together_is_not_joined():
    m, run, more = two_runs()
    with pytest.raises(DescriptionError, match="does not begin when the other one ends"):
        more + run
    with pytest.raises(DescriptionError, match="does not begin where the other one ends"):
        run + m.simulate(0.3, every=0.1, start={"A.angle": 1.0}, t=0.4, coordinates="joint")
    other = lw.gallery.double_pendulum().simulate(0.1, coordinates="joint")
    with pytest.raises(DescriptionError, match="their mechanisms are different"):
        run + other
    heavier = m.copy()
    heavier.replace("crank", lw.bar(length=1.0, mass=7.0))
    with pytest.raises(DescriptionError, match="their mechanisms are different"):
        run + heavier.simulate(0.3, start=run.final, coordinates="joint")
    with pytest.raises(TypeError):
        run + 3
    # the same description will do, though it is another object
    assert len((run + lw.gallery.four_bar().simulate(0.3, start=run.final, coordinates="joint")).segments) == 2


def test_a_jump_that_no_joint_explains_is_a_border_too():
    m, run, _ = two_runs("body")
    state = run.final
    model = state.model
    y = state.y.copy()
    y[model.n_q : model.n_q + model.n_v] = 0.0
    still = m.simulate(0.1, start=type(state)(state.t, y, state.memory, state.modes, state.values, state.pivot,
                                              state.dependencies, model), coordinates="body")  # fmt: skip
    whole = run + still
    (event,) = whole.events
    assert event.done == ("velocities jump",) and event.impulses == {}
    assert event.energy_lost == pytest.approx(run.energy.kinetic[-1])
    assert np.abs(whole.energy.balance).max() < 1e-5


def test_different_coordinates_in_one_result():
    m, run, _ = two_runs("joint")
    loose = switch(run.final, release="B").state
    body, joint = (
        run + m.simulate(0.3, every=0.1, start=loose, coordinates=one, rtol=1e-10) for one in ("body", "joint")
    )
    for name in ("coupler.x", "rocker.angle", "C.reaction.x", "energy.total", "coupler.y.acceleration"):
        np.testing.assert_allclose(body[name], joint[name], rtol=1e-7, atol=1e-7, err_msg=name)


def test_pickled_and_copied():
    m, run, _ = two_runs()
    whole = run + m.simulate(0.3, every=0.1, start=switch(run.final, release="C").state, coordinates="joint")
    for again in (pickle.loads(pickle.dumps(whole)), copy.deepcopy(whole)):
        for name in ("coupler.x", "B.reaction.x", "energy.lost"):
            np.testing.assert_allclose(again[name], whole[name], rtol=1e-12, atol=1e-9, err_msg=name)
        assert again.events[0].done == ("release C",)
        assert again.final.modes.tolist() == whole.final.modes.tolist()
        np.testing.assert_allclose(again.at(0.55).y, whole.at(0.55).y, atol=1e-9)


def test_a_state_in_a_mode_that_is_none():
    _, run, _ = two_runs()
    state = run.final
    for modes in (state.modes + 3, state.modes - 1 - state.modes):
        with pytest.raises(DescriptionError, match="in a mode that is none"):
            type(state)(
                state.t, state.y, state.memory, modes, state.values, state.pivot, state.dependencies, state.model
            )
    assert FREE not in state.modes


# -- motions that are known --------------------------------------------------------------------------------------------

R, ROD, W = 0.3, 0.8, 2.0


def slider_crank():
    """Nothing has mass."""
    m = lw.Mechanism("slider-crank", dimension=2, gravity=None)
    crank = m.add("crank", lw.Body(0.0, 0.0, points={"a": (-R / 2, 0), "b": (R / 2, 0)}))
    rod = m.add("rod", lw.Body(0.0, 0.0, points={"a": (-ROD / 2, 0), "b": (ROD / 2, 0)}))
    slider = m.add("slider", lw.Body(0.0, 0.0))
    m.add("O", lw.Revolute(m.ground.at(0, 0), crank.a))
    m.add("P", lw.Revolute(crank.b, rod.a))
    m.add("Q", lw.Revolute(rod.b, slider.at(0, 0)))
    m.add("S", lw.Prismatic(m.ground.at(0, 0), slider.at(0, 0)))
    return m


def closed_form(t):
    """Positions, velocities and accelerations of the three frames, by the angles of crank and rod alone."""
    crank = np.array([W * t, W + 0 * t, 0 * t])
    s, c = R / ROD * np.sin(crank[0]), R / ROD * np.cos(crank[0]) * W
    rod = np.array([-np.arcsin(s), -c / np.sqrt(1 - s**2), s * (W**2 * (1 - s**2) - c**2) / (1 - s**2) ** 1.5])

    def tip(angle, length):
        """length * (cos, sin) of an angle, with two derivatives: (3, times, 2)."""
        e, n = np.array([np.cos(angle[0]), np.sin(angle[0])]).T, np.array([-np.sin(angle[0]), np.cos(angle[0])]).T
        rate, second = angle[1][:, None], angle[2][:, None]
        return length * np.array([e, rate * n, second * n - rate**2 * e])

    pin = tip(crank, R)
    bodies = [(pin / 2, crank), (pin + tip(rod, ROD / 2), rod), (pin + tip(rod, ROD), 0 * rod)]
    return [
        np.concatenate([np.column_stack([place[k], angle[k]]) for place, angle in bodies], axis=1) for k in range(3)
    ]


def known_motion(**options):
    t = np.linspace(0.0, 4.0, 81)
    q, v, a = closed_form(t)
    m = slider_crank()
    model = m.compile()
    states = np.zeros((len(t), model.n_y + model.n_memory))
    states[:, : model.n_q], states[:, model.n_q : model.n_q + model.n_v] = q, v
    return lw.Result.of_motion(m, t, states, accelerations=a, title="kinematics", **options), t


def test_a_mechanism_without_masses_has_a_kinematic_result():
    run, t = known_motion()
    slide = R * np.cos(W * t) + np.sqrt(ROD**2 - (R * np.sin(W * t)) ** 2)
    np.testing.assert_allclose(run["S.slide"], slide, atol=1e-12)
    np.testing.assert_allclose(run["slider.x.rate"][1:-1], np.gradient(slide, t)[1:-1], atol=3e-3)
    # the acceleration of the slider by the classical formula
    root = np.sqrt(ROD**2 - (R * np.sin(W * t)) ** 2)
    second = -R * W**2 * np.cos(W * t) - R**2 * W**2 * np.cos(2 * W * t) / root
    second -= (R**2 * W * np.sin(W * t) * np.cos(W * t)) ** 2 / root**3
    np.testing.assert_allclose(run["S.slide.acceleration"], second, atol=1e-12)
    np.testing.assert_allclose(run["crank.b.acceleration"], -(W**2) * run["crank.b"], atol=1e-12)
    assert run["O.angle"][-1] == pytest.approx(8.0) and run.violation.max() < 1e-12
    assert run.segments[0].source == "kinematics" and "Motion of 'slider-crank'" in str(run)
    assert run.state(40)["S.slide"] == pytest.approx(slide[40])


def test_what_a_kinematic_result_does_not_have():
    run, _ = known_motion()
    for name in ("O.reaction.x", "P.moment"):
        assert name not in run.names
        with pytest.raises(
            AnalysisError, match="has no multipliers from t = 0 to 4 s: its motion comes from kinematics"
        ):
            run[name]
    with pytest.raises(AnalysisError, match="has no work"):
        run.energy.balance
    with pytest.raises(DescriptionError, match="has no state at this time"):
        run.at(0.01234)
    assert "S.slide" in run.names and run.to_pandas().shape[0] == 81


def test_what_is_left_out_of_a_known_motion_is_told():
    t = np.linspace(0.0, 1.0, 5)
    q, v, a = closed_form(t)
    states = np.column_stack([q, v])
    states = np.column_stack([states, np.zeros((5, slider_crank().compile().n_memory))])
    still = lw.Result.of_motion(slider_crank(), t, states, source="given")
    with pytest.raises(AnalysisError, match="no accelerations"):
        still["slider.x.acceleration"]
    rows = len(still.rows)
    forces = np.arange(5.0 * rows).reshape(5, rows)
    given = lw.Result.of_motion(slider_crank(), t, states, a, forces, source="given")
    np.testing.assert_array_equal(given.multipliers, forces)
    for wrong, match in (
        ({"accelerations": a[:3]}, "accelerations of more or fewer times"),
        ({"multipliers": forces[:, 1:]}, "'multipliers' of a size that does not fit"),
        ({"source": "dynamics"}, "no source 'dynamics'"),
        ({"source": "statics"}, "no source 'statics'"),
        ({"t": t[::-1]}, "times that do not increase"),
        ({"states": states * math.nan}, "'states' that is not finite"),
    ):
        with pytest.raises((DescriptionError, UnknownNameError), match=match):
            lw.Result.of_motion(slider_crank(), **{"t": t, "states": states, **wrong})


# -- on disk -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["nc", "parquet", "csv", "json"])
@pytest.mark.parametrize("coordinates", SETS)
def test_segments_come_back_from_files(ending, coordinates, tmp_path):
    m, run, _ = two_runs(coordinates)
    loose = m.simulate([0.4, 0.45, 0.6], start=switch(run.final, release="C").state, coordinates=coordinates)
    whole = run + loose
    whole.save(tmp_path / f"run.{ending}")
    again = lw.load(tmp_path / f"run.{ending}")
    for key, values in whole.stored().items():
        np.testing.assert_array_equal(again.stored()[key], values, err_msg=key)
    for name in [*whole.names, "coupler.acceleration"]:
        np.testing.assert_allclose(again[name], whole[name], rtol=1e-9, atol=1e-9, err_msg=name)
    one, other = again.events[0], whole.events[0]
    assert one.done == other.done == ("release C",)
    np.testing.assert_array_equal(one.before.y, other.before.y)
    np.testing.assert_array_equal(one.after.y, other.after.y)
    np.testing.assert_allclose(again.at(0.5).y, whole.at(0.5).y, atol=1e-10)
    lw.check_result(tmp_path / f"run.{ending}")
    more = m.simulate(0.2, start=again.final, coordinates=coordinates)
    assert set(more.final.free) == set(whole.final.free) and len((again + more).segments) == 3


@pytest.mark.parametrize("ending", ["nc", "parquet", "csv", "json"])
def test_a_known_motion_comes_back_from_files(ending, tmp_path):
    run, _ = known_motion()
    run.save(tmp_path / f"run.{ending}")
    again = lw.load(tmp_path / f"run.{ending}")
    assert again.names == run.names and again.segments[0].source == "kinematics"
    np.testing.assert_array_equal(again["S.slide.acceleration"], run["S.slide.acceleration"])
    lw.check_result(tmp_path / f"run.{ending}")


def test_a_border_that_lies_between_outputs(tmp_path):
    """Its two states are kept beside the grid, in memory and in files."""
    m = lw.gallery.double_pendulum()
    run = m.simulate(0.25, every=0.05, coordinates="joint")
    loose = m.simulate(
        0.25, every=0.05, start=switch(run.final, release=next(iter(m.joints))).state, coordinates="joint"
    )
    parts = list((run + loose).segments)
    parts[1].outputs = slice(1, None)  # as an event in the middle of a gap leaves it
    whole = lw.Result(parts)
    assert whole.events[0].t == 0.25 and 0.25 not in whole.t and len(whole.t) == 10
    whole.save(tmp_path / "run.json")
    again = lw.load(tmp_path / "run.json")
    np.testing.assert_array_equal(again.t, whole.t)
    np.testing.assert_array_equal(again.events[0].after.y, whole.events[0].after.y)
    np.testing.assert_allclose(again["energy.balance"], whole["energy.balance"], atol=1e-9)
    assert again.at(0.25).modes.tolist() == whole.at(0.25).modes.tolist() == loose.final.modes.tolist()


def changed(key, change):
    def both(stored, words):
        stored[key] = change(np.array(stored[key]))

    return both


def moved(array, row, by):
    array[row, 0] += by
    return array


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (changed("borders", lambda a: moved(a, 0, 0.01)), "two states are at different times"),
        (changed("borders", lambda a: moved(a, slice(None), 0.15)), "does not lie between the times"),
        (changed("borders", lambda a: moved(a, slice(None), -0.15)), "does not lie between the times"),
        (changed("borders", lambda a: a[:1]), "'borders' of a size that does not fit the others"),
        (changed("borders", lambda a: a[:, 1:]), "'borders' of a size that does not fit its mechanism"),
        (changed("first", lambda a: a[::-1]), "count nothing"),
        (changed("first", lambda a: a + 1), "times before its first segment"),
        (changed("first", lambda a: a * 1.1), "count nothing"),
        (changed("modes", lambda a: a + 2), "in a mode that is none"),
        (changed("modes", lambda a: a[:1]), "'modes' of a size that does not fit the others"),
        (changed("pivot", lambda a: a * math.nan), "'pivot' that is not finite"),
        (changed("dependencies", lambda a: np.full((1, a.shape[1]), 7.0)), "count nothing"),
        (changed("multipliers", lambda a: np.zeros((2, a.shape[1]))), "multipliers of more or fewer times"),
        (lambda stored, words: words["segments"].pop(), "'segments' of a size"),
        (lambda stored, words: words["segments"][1].update(coordinates="bodies"), "no coordinates 'bodies'"),
    ],
)
def test_segments_that_cannot_be_are_refused(change, match):
    m, run, _ = two_runs("body")
    whole = run + m.simulate(0.3, every=0.1, start=switch(run.final, release="C").state, coordinates="body")
    stored, words = whole.stored(), whole.options()
    assert lw.Result.restored(whole.mechanism, dict(stored), dict(words), {}).events[0].done == ("release C",)
    change(stored, words)
    with pytest.raises((DescriptionError, UnknownNameError), match=match):
        lw.Result.restored(whole.mechanism, stored, words, {})


# -- memory and states of laws -----------------------------------------------------------------------------------------


def lag(values, rates, t, numbers, memory, out, states, state_rates):
    state_rates[0] = (values[0] - states[0]) / numbers[0]
    out[0] = -numbers[1] * states[0]


def counts(values, rates, t, numbers, memory, states):
    memory[0] += 1.0


@pytest.mark.parametrize("coordinates", SETS)
def test_states_and_memory_of_laws_go_through_a_border(coordinates):
    """A filter that was begun before a pin lets go goes on behind it; so does a count of steps."""
    m = lw.gallery.double_pendulum()
    height = lw.WorldOffset(m.ground.at(0.0, 0.0), m[list(m.bodies)[-1]], "y")
    law = lw.UserForce(
        reads=[height], along=[height], law=lag, numbers=[0.2, 3.0], memory=1, accept=counts, states={"held": 0.1}
    )
    m.add("filter", law)
    run = m.simulate(0.4, every=0.1, coordinates=coordinates, rtol=1e-10)
    loose = switch(run.final, release=list(m.joints)[-1]).state
    more = m.simulate(0.4, every=0.1, start=loose, coordinates=coordinates, rtol=1e-10)
    whole = run + more
    held = whole["filter.held"]
    assert held[0] == 0.1 and np.array_equal(held, np.concatenate([run["filter.held"][:-1], more["filter.held"]]))
    assert more["filter.held"][0] == run["filter.held"][-1]
    assert whole.final.memory[-1] == run.statistics.steps + more.statistics.steps
    last = list(m.bodies)[-1]
    np.testing.assert_allclose(whole["filter.held.rate"], (whole[f"{last}.y"] - held) / 0.2, atol=1e-9)
    assert whole.events[0].energy_lost == 0.0


def test_joined_reading_has_all_that_reading_has():
    """What is added to the reading of one segment must be added to that of several."""

    def public(kind):
        return {name for name in vars(kind) if not name.startswith("_")}

    assert public(Series) - public(JoinedSeries) == {"multipliers"}  # a result has them of least norm
    assert public(BodyStates) - public(JoinedBodies) == {"row", "system"}  # these are of one segment


def test_a_result_ends_where_its_last_part_does():
    m = lw.gallery.pendulum()
    run = m.simulate(0.2, every=0.1, coordinates="joint", until={"A.angle": "9 rad"})
    assert "was not reached" in run.ended
    more = m.simulate(0.2, every=0.1, coordinates="joint", start=run.final)
    assert (run + more).ended == ""
    again = m.simulate(0.2, every=0.1, coordinates="joint", start=more.final, until={"A.angle": "9 rad"})
    assert (run + more + again).ended == again.ended != run.ended
