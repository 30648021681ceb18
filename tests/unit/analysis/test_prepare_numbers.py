"""Prepared runs with other numbers: those of a mechanism that has them, bit for bit, with the same refusals."""

import numpy as np
import pytest

import linkwork as lw
from linkwork import errors
from linkwork.analysis import prepare
from linkwork.analysis.switching import switch

OPTIONS = dict(every=0.1, rtol=1e-6)


def four_bar():
    m = lw.Mechanism("four-bar", parameters={"L": "1 m", "k": 20.0, "w": 1.5})
    crank = m.add("crank", lw.bar(length="L", mass=1.0))
    coupler = m.add("coupler", lw.bar(length=3.0, mass=2.0))
    rocker = m.add("rocker", lw.bar(length=2.5, mass="w"))
    m.add("A", lw.Revolute(m.ground.at(0, 0), crank.a))
    m.add("B", lw.Revolute(crank.b, coupler.a))
    m.add("C", lw.Revolute(coupler.b, rocker.b))
    m.add("D", lw.Revolute(m.ground.at(3.2, 0), rocker.a))
    m.add("S", lw.SpringDamper(m.ground.at(0, 3), coupler.middle, stiffness="k", rest_length=1.0, damping=0.5))
    m.add("T", lw.TorsionSpringDamper(m.ground, rocker, stiffness=3.0, rest_angle=0.2))
    m.add("pull", lw.PointForce(rocker.middle, x="2*k", y=1.0))
    return m


def the_same(ready, m, state, numbers, names=("D.angle", "B.reaction.x", "S.tension", "energy.balance")):
    run = ready(state, numbers=numbers)
    wanted = m.with_numbers(numbers).simulate(0.5, start=state, coordinates=ready.coordinates, **OPTIONS)
    assert np.array_equal(run._bodies.all, wanted._bodies.all), numbers
    for name in names:
        assert np.array_equal(run[name], wanted[name]), (name, numbers)
    assert run.mechanism == wanted.mechanism
    return run


@pytest.fixture
def counted(monkeypatch):
    """How often a model with other numbers is made."""
    made = []
    inner = prepare.model_with
    monkeypatch.setattr(prepare, "model_with", lambda *given: made.append(given[2]) or inner(*given))
    return made


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
@pytest.mark.parametrize(
    "numbers",
    [
        {"k": 31.0},
        {"S.damping": 0.7, "S.stiffness": 12.0},
        {"crank.mass": 1.3},
        {"w": 2.0, "S.rest_length": 1.4},
        {"gravity": (0.3, -3.7)},
        {"pull.y": -4.0},
        {"T.rest_angle": "15 deg", "T.stiffness": "4 N m/rad"},
    ],
    ids=lambda one: "+".join(one),
)
def test_the_same_as_a_mechanism_that_has_them(numbers, coordinates):
    m = four_bar()
    ready = m.prepare(0.5, start={"A.angle": 1.0}, coordinates=coordinates, **OPTIONS)
    before = ready()
    for _ in range(3):  # in general, then by the straight way where there is one
        the_same(ready, m, ready.state, numbers)
    assert np.array_equal(ready()["D.angle"], before["D.angle"])
    assert not np.array_equal(ready(numbers=numbers)._bodies.all, before._bodies.all)


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_other_lengths_with_a_state_that_fits_them(coordinates):
    m = four_bar()
    ready = m.prepare(0.5, start={"A.angle": 1.0}, coordinates=coordinates, **OPTIONS)
    numbers = {"L": 1.1, "rocker.length": 2.4}
    state = m.with_numbers(numbers).assemble(start={"A.angle": 0.4, "A.angle.rate": 2.0}, coordinates="body").state
    for _ in range(3):
        the_same(ready, m, state, numbers)


def test_a_state_is_checked_with_the_new_numbers():
    m = four_bar()
    ready = m.prepare(0.5, start={"A.angle": 1.0}, **OPTIONS)
    for _ in range(3):
        with pytest.raises(errors.AssemblyError, match=r"violates positions of A"):
            ready(numbers={"L": 1.1})
    state = m.with_numbers({"L": 1.1}).assemble(start={"A.angle": 1.0}, coordinates="body").state
    with pytest.raises(errors.AssemblyError, match="violates"):
        ready(state)
    ready(state, numbers={"L": 1.1})
    other = m.with_numbers({"L": 1.0 + 1e-8}).assemble(start={"A.angle": 1.0}, coordinates="body").state
    run = ready(other)  # so little is rounding, and projected
    assert abs(run["B.reaction.x"]).max() > 0


def test_numbers_of_laws_go_straight(counted):
    m = four_bar()
    ready = m.prepare(0.5, start={"A.angle": 1.0}, **OPTIONS)
    runs = [ready(numbers={"S.damping": 0.5 + 0.1 * k, "T.stiffness": 3.0 + k}) for k in range(6)]
    assert len(counted) == 1  # the first; others when something of them is read
    assert runs[3].mechanism["T"].stiffness == 6.0 and len(counted) == 2
    assert runs[3].mechanism["T"].stiffness == 6.0 and len(counted) == 2
    ends = {run.t.size and float(run["D.angle"][-1]) for run in runs}
    assert len(ends) == 6


def test_arrays_that_print_alike_are_told_apart():
    m = four_bar()
    ready = m.prepare(0.5, start={"A.angle": 1.0}, **OPTIONS)
    with np.printoptions(precision=3):
        for g in (-9.81, -9.8104, -9.81):
            the_same(ready, m, ready.state, {"gravity": np.array([0.0, g])})


def test_names_that_nobody_can_follow_are_given_up(monkeypatch):
    tried = []
    monkeypatch.setattr(prepare, "rewriting", lambda *given: tried.append(given) and None)
    m = four_bar()
    ready = m.prepare(0.5, start={"A.angle": 1.0}, **OPTIONS)
    for k in range(6):
        the_same(ready, m, ready.state, {"S.stiffness": 12.0 + k}, ("D.angle",))
    assert len(tried) == prepare.MOST_FAILED


def test_a_parameter_of_several_laws_goes_straight_to_all_of_them(counted):
    m = four_bar()  # the pull has twice of k
    ready = m.prepare(0.5, start={"A.angle": 1.0}, **OPTIONS)
    for k in range(5):
        the_same(ready, m, ready.state, {"k": 20.0 + k})
    assert len(counted) == 5  # the first, and one for each of the others that is read


@pytest.mark.parametrize("value", [0.0, -0.5, 600.0, "0.7 N s/m", np.float32(0.7), True, np.nan, None])
def test_odd_values_are_read_as_by_with_numbers(value):
    m = four_bar()
    ready = m.prepare(0.5, start={"A.angle": 1.0}, **OPTIONS)
    for _ in range(3):
        ready(numbers={"S.damping": 0.6})
    try:
        wanted = m.with_numbers({"S.damping": value}).simulate(0.5, start=ready.state, coordinates="joint", **OPTIONS)
    except errors.LinkworkError as error:
        with pytest.raises(type(error)) as found:
            ready(numbers={"S.damping": value})
        assert str(found.value) == str(error)
        return
    if value == 0.0:  # without its damper it has another structure
        with pytest.raises(errors.CompileError, match=r"its laws are others.*S\.damping = 0\.0"):
            ready(numbers={"S.stiffness": 21.0, "S.damping": value})
        return
    assert np.array_equal(ready(numbers={"S.damping": value})._bodies.all, wanted._bodies.all)


def test_wrong_use():
    ready = four_bar().prepare(0.5, start={"A.angle": 1.0})
    for _ in range(2):
        with pytest.raises(errors.UnknownNameError, match=r"S\.stifness.*S\.stiffness"):
            ready(numbers={"S.stifness": 3.0})
        with pytest.raises(errors.UnitError):
            ready(numbers={"S.stiffness": "3 kg"})
        with pytest.raises(errors.DescriptionError, match="no numbers by name"):
            ready(numbers=[3.0])
        with pytest.raises(errors.DescriptionError, match="crank"):
            ready(numbers={"crank.mass": -1.0})
    assert np.array_equal(ready(numbers={})._bodies.all, ready()._bodies.all)


def test_bodies_that_become_too_light_for_the_set():
    m = lw.Mechanism("chain")
    on = m.ground.at(0, 0)
    for k, mass in enumerate((1.0, 1.0, 5.0)):
        link = m.add(f"link{k}", lw.bar(length=1.0, mass=mass))
        m.add(f"J{k}", lw.Revolute(on, link.a))
        on = link.b
    ready = m.prepare(0.2, start={"J0.angle": 0.3, "J1.angle": 0.2, "J2.angle": -0.4}, coordinates="joint")
    numbers = {"link0.mass": 1e-9, "link1.mass": 1e-9}
    outcomes = []
    for run in (
        lambda: ready(numbers=numbers),
        lambda: m.with_numbers(numbers).simulate(0.2, start=ready.state, coordinates="joint"),
    ):
        try:
            outcomes.append(run()._bodies.all.tobytes())
        except errors.LinkworkError as error:
            outcomes.append(type(error))
    assert outcomes[0] == outcomes[1] or outcomes[0] is errors.CompileError


def test_from_the_end_of_a_run_with_other_numbers():
    m = four_bar()
    ready = m.prepare([0.0, 0.5], start={"A.angle": 1.0}, rtol=1e-6)
    for _ in range(3):
        run = ready(numbers={"S.damping": 0.9})
    again = m.prepare([0.5, 1.0], start=run.final, rtol=1e-6)
    wanted = run.mechanism.simulate([0.5, 1.0], start=run.final, coordinates="joint", rtol=1e-6)
    for _ in range(3):
        assert np.array_equal(again(run.final, numbers={"S.damping": 0.9})._bodies.all, wanted._bodies.all)


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_with_a_joint_that_is_released(coordinates):
    m = four_bar()
    ready = m.prepare(0.5, start={"A.angle": 1.0}, coordinates=coordinates, read=["rocker.b.x"], **OPTIONS)
    for _ in range(3):
        ready(numbers={"S.damping": 0.6})
    loose = switch(ready.state, release=["C"]).state
    run = ready(loose, numbers={"S.damping": 0.6})
    other = m.with_numbers({"S.damping": 0.6})
    wanted = other.simulate(0.5, start=loose, coordinates=coordinates, **OPTIONS)
    assert np.array_equal(run._bodies.all, wanted._bodies.all)
    assert np.array_equal(run["rocker.b.x"], wanted["rocker.b.x"])
    assert abs(wanted["rocker.b.x"] - ready(numbers={"S.damping": 0.6})["rocker.b.x"]).max() > 1e-3


# -- masses and lengths ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("coordinates", ["body", "joint"])
@pytest.mark.parametrize("name, values", [("crank.mass", (1.3, 2.0, 0.4)), ("w", (1.0, 1.7, 2.2)), ("gravity", None)])
def test_other_masses_make_no_model(counted, name, values, coordinates):
    m = four_bar()
    ready = m.prepare(0.5, start={"A.angle": 1.0}, coordinates=coordinates, **OPTIONS)
    values = values or ((0.0, -9.0), (1.0, -3.0), (0.5, 0.5))
    runs = [ready(numbers={name: value}) for value in (*values, *values)]
    assert len(counted) == 1  # the first; others when something of them is read
    for run, value in zip(runs, (*values, *values)):
        wanted = m.with_numbers({name: value}).simulate(0.5, start=ready.state, coordinates=coordinates, **OPTIONS)
        assert np.array_equal(run._bodies.all, wanted._bodies.all)
        assert np.array_equal(run["B.reaction.x"], wanted["B.reaction.x"])
        assert np.array_equal(run["energy.balance"], wanted["energy.balance"])
        assert run.mechanism == wanted.mechanism


@pytest.mark.parametrize("coordinates", ["body", "joint"])
@pytest.mark.parametrize("name", ["L", "rocker.length", "coupler.length", "crank.center"])
def test_other_lengths_make_no_model_where_the_state_has_them(counted, name, coordinates):
    m = four_bar()
    ready = m.prepare(0.5, start={"A.angle": 1.0}, coordinates=coordinates, **OPTIONS)
    first = {"L": 1.0, "rocker.length": 2.5, "coupler.length": 3.0, "crank.center": 0.0}[name]
    for k, value in enumerate((first + 0.05, first - 0.04, first + 0.02)):
        numbers = {name: (value, 0.03) if name == "crank.center" else value, "S.damping": 0.5 + 0.1 * k, "w": 2.0}
        other = m.with_numbers({name: numbers[name]})
        state = other.assemble(start={"A.angle": 1.0, "A.angle.rate": 0.5}, coordinates="body").state
        for _ in range(2):
            the_same(ready, m, state, numbers)
    assert len(counted) <= 1 + 3 * 2  # the first, and one for each result that is read


def test_lengths_with_a_state_of_others_are_refused_as_ever():
    m = four_bar()
    ready = m.prepare(0.5, start={"A.angle": 1.0}, **OPTIONS)
    state = m.with_numbers({"L": 1.1}).assemble(start={"A.angle": 1.0}, coordinates="body").state
    for _ in range(3):
        ready(state, numbers={"L": 1.1})
        for numbers in ({"L": 1.2}, {"L": 1.1, "rocker.length": 2.4}, {"L": 1.0}):
            with pytest.raises(errors.AssemblyError, match="violates"):
                ready(state, numbers=numbers)
        with pytest.raises(errors.AssemblyError, match="violates"):
            ready(numbers={"L": 1.1})


@pytest.mark.parametrize("name, value", [("crank.mass", 0.0), ("crank.mass", -1.0), ("crank.mass", 1e-9), ("L", 0.0)])
def test_a_number_that_changes_more_is_told_after_others_that_did_not(name, value):
    m = four_bar()
    ready = m.prepare(0.5, start={"A.angle": 1.0}, coordinates="body", **OPTIONS)
    try:
        m.with_numbers({name: value}).simulate(0.5, start=ready.state, coordinates="body", **OPTIONS)
        wanted = None
    except errors.LinkworkError as error:
        wanted = type(error), str(error)
    for other in (1.0, 1.01, 0.99) if name != "L" else (1.0, 1.0, 1.0):
        ready(numbers={name: other})
    with pytest.raises(errors.LinkworkError) as found:
        ready(numbers={name: value})
    if wanted is not None:
        assert (type(found.value), str(found.value)) == wanted
    else:
        assert "gets another structure" in str(found.value) and f"{name} = " in str(found.value)


def test_places_of_springs_and_what_is_read_with_a_run():
    """A spring moves on the coupler: names that are read with every run are read where they are."""
    m = lw.Mechanism("moved", parameters={"x": 0.5})
    rod = m.add("rod", lw.Body(1.0, 0.2, center=(0.4, 0.0), points={"tip": ("x", 0.0)}))
    m.add("A", lw.Revolute(m.ground, rod))
    m.add("S", lw.SpringDamper(m.ground.at(1.0, 1.0), "rod.tip", stiffness=9.0, rest_length=1.0))
    names = ["rod.tip.x", "rod.y", "S.length"]
    ready = m.prepare(0.5, start={"A.angle": 0.3}, read=names, **OPTIONS)
    for value in (0.5, 0.6, 0.7, 0.55):
        run = the_same(ready, m, ready.state, {"x": value}, names)
        assert run.mechanism["rod"].tip.position[0] == value


def test_reading_with_other_masses():
    m = four_bar()
    ready = m.prepare(0.5, start={"A.angle": 1.0}, read=["coupler.middle.y"], **OPTIONS)
    for mass in (1.0, 1.5, 2.5, 0.5):
        the_same(ready, m, ready.state, {"crank.mass": mass}, ["coupler.middle.y", "coupler.middle.y.rate"])


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ({"rod.mass": 2.0}, {"rod.mass": [2.0]}),
        ({"gravity": (0.0, -9.0), "rod.mass": 1.0}, {"gravity": 0.0, "rod.mass": (-9.0, 1.0)}),
        ({"gravity": (0.0, -9.0)}, {"gravity": -9.0}),
    ],
)
def test_numbers_of_another_shape_are_refused_as_by_with_numbers(first, other):
    m = lw.gallery.pendulum()
    ready = m.prepare(0.2, **OPTIONS)
    for _ in range(3):
        ready(numbers=first)
    with pytest.raises(errors.LinkworkError) as wanted:
        m.with_numbers(other)
    with pytest.raises(type(wanted.value)) as found:
        ready(numbers=other)
    assert str(found.value) == str(wanted.value)


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_whole_turns_that_a_set_counts_stay_with_other_numbers(coordinates):
    """A slider that is counted a turn on: its arm hangs where it did."""
    m = lw.Mechanism("slider")
    block = m.add("block", lw.Body(1.0, 0.1, position=(0.3, 0.0), velocity=(0.2, 0.0)))
    arm = m.add("arm", lw.Body(0.5, 0.05, center=(0.0, -0.5), position=(0.3, 0.0), angle=0.4))
    m.add("rail", lw.Prismatic(m.ground.at(0, 0), block.at(0, 0)))
    m.add("pin", lw.Revolute(block.at(0, 0), arm.at(0, 0)))
    m.add("spring", lw.TorsionSpringDamper(block.at(0, 0), arm.at(0, 0), stiffness=2.0))
    state = m.assemble(start={"block.angle": "360 deg"}, coordinates="body").state
    ready = m.prepare(0.5, coordinates=coordinates, **OPTIONS)
    for numbers in ({"gravity.y": -8.0}, {"arm.mass": 0.7}, {"gravity.y": -8.5}):
        for _ in range(3):
            the_same(ready, m, state, numbers, ("arm.angle", "block.angle", "rail.reaction.y"))
