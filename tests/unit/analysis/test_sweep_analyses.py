"""Every analysis can be swept, and its answers are those of a single call."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.catalogue import OF_ONE, REDUCED
from linkwork.errors import ArgumentError, DescriptionError, UnknownNameError

pytest.importorskip("xarray")
pytestmark = pytest.mark.filterwarnings("ignore")


def block():
    """A mass on a spring between two walls."""
    m = lw.Mechanism("block", gravity=None)
    one = m.add("block", lw.Body(2.0, 1.0))
    m.add("guide", lw.Prismatic("ground", "block"))
    m.add("spring", lw.SpringDamper(m.ground.at(-1, 0), one, stiffness=50.0, rest_length=1.0, damping=1.0))
    return m


def driven():
    m = lw.gallery.four_bar()
    m.add("motor", lw.Driver("A.angle", "1 + t"))
    return m


#: the mechanism, what is asked, and a number of the answer
ASKED = {
    "simulate": (lw.gallery.four_bar, {"times": 0.1}, lambda run: run["D.angle"][-1]),
    "assemble": (lw.gallery.four_bar, {}, lambda found: found["D.angle"]),
    "evaluate": (lw.gallery.four_bar, {}, lambda found: found["D.reaction.x"]),
    "check": (lw.gallery.four_bar, {}, lambda found: found.freedom),
    "kinematics": (
        lw.gallery.four_bar,
        {"options": {"over": {"A.angle": (1.0, 1.2, 5)}}},
        lambda run: run["D.angle"][-1],
    ),
    "range": (lw.gallery.four_bar, {"name": "D.angle"}, lambda found: found.greatest),
    "inverse_dynamics": (driven, {"times": 0.1}, lambda run: run["motor.effort"].max()),
    "energy_motion": (
        lw.gallery.four_bar,
        {"options": {"over": {"A.angle": (1.0, 1.1, 11)}}, "speed": 2.0},
        lambda found: found.speed[-1],
    ),
    "equilibrium": (block, {}, lambda found: found["guide.slide"]),
    "equilibria": (
        lw.gallery.four_bar,
        {"options": {"over": {"A.angle": (0, "360 deg")}, "count": 31}},
        lambda found: len(found),
    ),
    "steady": (driven, {}, lambda found: found["motor.effort"]),
    "statics": (lw.gallery.four_bar, {"hold": ["A.angle"]}, lambda found: found["D.reaction.x"]),
    "modes": (block, {}, lambda found: found.frequencies[0]),
    "linearize": (block, {}, lambda found: found.A[1, 0]),
    "frequency_response": (
        block,
        {"inputs": "block.x", "outputs": "block.x", "frequencies": (0.1, 1.0), "options": {"count": 3}},
        lambda found: found.magnitude("block.x").max(),
    ),
}
#: what is read of each by name
READ = {
    "simulate": ["D.angle", "D.angle.max"],
    "kinematics": ["D.angle", "D.angle.max"],
    "assemble": ["D.angle"],
    "evaluate": ["D.angle"],
    "statics": ["D.angle"],
    "equilibrium": ["guide.slide"],
    "inverse_dynamics": ["motor.effort", "motor.effort.max", "D.reaction.x"],
}


def arguments_of(asked):
    """Those of a sweep, and those of the analysis alone."""
    alone = {name: one for name, one in asked.items() if name not in ("times", "options")}
    return asked, (asked["times"],) if "times" in asked else (), {**alone, **asked.get("options", {})}


def varied(m):
    return {"spring.stiffness": [15.0, 30.0]} if "block" in m.bodies else {"rocker.length": [2.5, 2.6]}


@pytest.mark.parametrize("analysis", OF_ONE)
def test_every_analysis_can_be_swept(analysis):
    made, asked, number = ASKED[analysis]
    asked, times, own = arguments_of(asked)
    m = made()
    ((name, values),) = varied(m).items()
    read = READ.get(analysis, [])
    found = lw.sweep(m, {name: values}, analysis=analysis, read=read, reduce=number, **asked)
    assert (found["failed"] == "").all()
    for k, value in enumerate(values):
        answer = getattr(m.with_numbers({name: value}), analysis)(*times, **own)
        assert found["result"][k] == number(answer)
        for one in read:
            source = answer if hasattr(answer, "__getitem__") else answer.state
            if one.endswith(".max"):
                assert found[one][k] == source[one[:-4]].max()
            else:
                assert np.array_equal(found[one][k], source[one])
    assert (analysis in REDUCED) == (not read)


@pytest.mark.parametrize("analysis", REDUCED)
def test_answers_without_names_need_a_function(analysis):
    made, asked, _ = ASKED[analysis]
    with pytest.raises(DescriptionError, match=rf"cannot read names of {analysis}\. .*reduce="):
        lw.sweep(made(), varied(made()), analysis=analysis, read="x", **asked)


def test_searches_hand_on_options_of_their_own_names():
    m = lw.gallery.four_bar()
    over = {"over": {"A.angle": (1.0, 1.5, 11)}}
    best = lw.optimize(m, {"rocker.length": (2.4, 2.6)}, "D.angle.max", analysis="kinematics", options=over)
    assert best.on_bounds
    rest = lw.optimize(m, {"rocker.length": (2.4, 2.6)}, lambda found: found.freedom, analysis="check", most_runs=5)
    assert rest.value == 1.0
    told = []
    lw.optimize(
        m,
        {"spring.stiffness": (10, 20)},
        lambda run: told.append(run.manifest["method"]) or run["D.angle"][-1],
        times=0.05,
        options={"method": "radau"},
        most_runs=3,
    )
    assert set(told) == {"radau"}
    run = m.simulate(0.2, every=0.02, coordinates="joint")
    record = {"D.angle": (run.t, run["D.angle"])}
    fitted = lw.fit(m, {"spring.stiffness": (15, 30)}, record, options={"method": "dop853", "coordinates": "joint"})
    assert fitted.values["spring.stiffness"] == pytest.approx(20.0, rel=1e-3)


def test_efforts_of_actuators_have_names():
    m = driven()
    m.add("other", lw.Driver("D.angle", 0.0, active=False))
    asked = {"analysis": "inverse_dynamics", "times": 0.1, "options": {"actuators": ["D.angle"]}}
    found = lw.sweep(m, {"rocker.mass": [1.0, 2.0]}, read="D angle.effort.max", **asked)
    run = m.with_numbers({"rocker.mass": 2.0}).inverse_dynamics(0.1, actuators=["D.angle"])
    assert found["D angle.effort.max"][1] == run["D angle.effort"].max()
    assert found["D angle.effort.max"].units == "N m"
    with pytest.raises(UnknownNameError, match=r"motor\.effort"):
        lw.sweep(m, {"rocker.mass": [1.0, 2.0]}, read="motor.effort.max", **asked)


def test_a_known_motion_stands_in_for_times():
    m = driven()
    run = m.kinematics(0.1)
    found = lw.sweep(m, {"rocker.mass": [1.0, 2.0]}, analysis="inverse_dynamics", motion=run, read="motor.effort.max")
    other = m.with_numbers({"rocker.mass": 2.0}).inverse_dynamics(motion=run)
    assert found["motor.effort.max"][1] == other["motor.effort"].max()


WRONG = {
    "sweep got an over= with names": {"analysis": "equilibria", "over": {"A.angle": (0, 1)}, "reduce": len},
    "sweep got count= and over='grid'.*options=": {"analysis": "equilibria", "count": 9, "reduce": len},
    "sweep got options that have no names": {"times": 1.0, "options": ["method"]},
    "sweep got rtol= twice": {"times": 1.0, "rtol": 1e-6, "options": {"rtol": 1e-6}},
    "sweep got store in options=": {"times": 1.0, "options": {"store": "here"}},
    "got times and over= of kinematics": {
        "analysis": "kinematics",
        "times": 1.0,
        "options": {"over": {"A.angle": (0, 1, 3)}},
    },
    "got no times of kinematics": {"analysis": "kinematics"},
    "got times, which modes does not take": {"analysis": "modes", "times": 1.0, "reduce": len, "read": ()},
}


@pytest.mark.parametrize("words", WRONG)
def test_arguments_that_are_meant_otherwise_are_explained(words):
    asked = {"read": () if "reduce" in WRONG[words] else "D.angle.max", **WRONG[words]}
    with pytest.raises(DescriptionError, match=words):
        lw.sweep(lw.gallery.four_bar(), {"rocker.mass": [1.0, 2.0]}, **asked)


def test_start_values_of_what_takes_none_are_refused():
    with pytest.raises(ArgumentError, match=r"varies start values.*Evaluate takes no start values"):
        lw.sweep(lw.gallery.four_bar(), {"start:A.angle": [1.0, 1.1]}, analysis="evaluate", read="D.angle")


def test_a_table_in_which_no_design_was_reduced_has_its_column():
    m = lw.gallery.four_bar()
    found = lw.sweep(m, {"crank.length": [50.0, 60.0]}, times=0.1, reduce=lambda run: 1.0)
    assert found["result"].dims == ("crank.length",) and np.isnan(found["result"]).all()
    named = lw.sweep(m, {"crank.length": [1.0, 60.0]}, times=0.1, reduce=lambda run: {"one": 1.0})
    assert "result" not in named and np.isnan(named["one"][1])
