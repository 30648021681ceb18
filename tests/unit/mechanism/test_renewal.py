"""Mechanisms with other numbers, and without an item."""

import pickle

import numpy as np
import pytest

import linkwork as lw
from linkwork.compiled.numbering import model_of, other_numbers
from linkwork.errors import CompileError, DescriptionError, UnitError, UnknownNameError


def slider_crank(L="30 cm", k="20 N/mm", w="3 rad/s", dimension=2):
    m = lw.Mechanism("slider crank", dimension, parameters={"L": L, "k": k, "w": w, "R": "2*L"})
    depth = {} if dimension == 2 else {"depth": 0.01}
    crank = m.add("crank", lw.bar(length="L", mass=1, **depth))
    rod = m.add("rod", lw.bar("R", "2 kg", points={"tip": ("L/2", "1 cm")} if dimension == 2 else {}, **depth))
    slider = m.add("slider", lw.Body(mass=1.5, inertia=0.1 if dimension == 2 else (0.1, 0.1, 0.1)))
    m.add("A", lw.Revolute(m.ground, crank.a))
    m.add("B", lw.Revolute(crank.b, rod.a))
    m.add("C", lw.Revolute(rod.b, slider))
    guide = m.add("guide", lw.Prismatic(m.ground.at("L/4", 0), slider))
    m.add("spring", lw.SpringDamper(m.ground.at("4*L", 0), slider, stiffness="k/200", rest_length="L", damping=2))
    m.add("stop", lw.Limit(guide.slide, upper=5))
    m.add("push", lw.PointForce(rod.b, x="k*0.001 m*sin(w*t)"))
    m.add("look", lw.Reading(lw.Distance(m.ground.at("L", "L"), rod.a)))
    return m


START = {"A.angle": 0.4}


def motion(m):
    run = m.simulate(0.2, every=0.05, start=START, near={"B.angle": -0.5}, coordinates="body")
    return np.column_stack(
        [run[name] for name in ("A.angle", "slider.x", "guide.slide", "spring.length", "look.value", "energy.total")]
    )


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("change", [{"L": "0.25 m"}, {"k": "15 N/mm", "w": "4 rad/s"}])
def test_other_parameters_are_the_mechanism_described_anew(change, dimension):
    other = slider_crank(dimension=dimension).with_numbers(change)
    anew = slider_crank(**change, dimension=dimension)
    assert other == anew and lw.digest(other) == lw.digest(anew)
    assert lw.to_text(other) == lw.to_text(anew)
    assert (motion(other) == motion(anew)).all()
    assert (motion(other) != motion(slider_crank(dimension=dimension))).any()


def test_the_first_mechanism_stays_as_it_is():
    m = slider_crank()
    before, text = lw.digest(m), lw.to_text(m)
    m.with_numbers({"L": 0.5, "crank.length": 0.2, "gravity": (0, 0)})
    assert lw.digest(m) == before and lw.to_text(m) == text


def test_only_what_is_concerned_is_made_anew():
    m = slider_crank()
    other = m.with_numbers({"spring.stiffness": 30})
    assert [name for name in m._names() if other[name] is not m[name]] == ["spring"]
    other = m.with_numbers({"crank.length": 0.35})  # what is attached to its points goes with them
    assert [name for name in m._names() if other[name] is not m[name]] == ["crank", "A", "B"]
    other = m.with_numbers({"k": "1 N/m"})
    assert {name for name in m._names() if other[name] is not m[name]} - {*m.bodies} == {"spring", "push"}


def test_fields_of_all_kinds():
    m = slider_crank()
    m.add("motor", lw.Driver(m["A"].angle, lw.Harmonic(0.2, "w"), active=False))
    other = m.with_numbers(
        {
            "crank.length": "1.2 m",
            "spring.stiffness": "20 N/m",
            "rod.points.tip": ["L", 0],
            "push.x": "k*1 mm",
            "slider.position": ("R", 0),
            "slider.inertia": 0.2,
            "stop.upper": "R",
            "motor.function.amplitude": "20 deg",
        }
    )
    assert other["crank"].length == 1.2 and other["crank"].b.position[0] == 0.6
    assert other["B"].on == other["crank"].b and other["A"].to == other["crank"].a
    assert other["spring"].stiffness == 20.0 and other["spring"].rest_length == 0.3
    assert other["rod"].points["tip"] == (0.3, 0.0) and other["push"].x == 20.0
    assert other["slider"].position == (0.6, 0.0) and other["slider"].inertia == 0.2
    assert other["stop"].upper == 0.6
    assert other["motor"].function == lw.Harmonic("20 deg", 3.0)
    again = other.with_numbers({"L": 0.5})  # what was given as a text of a parameter follows it
    assert again["slider"].position == (1.0, 0.0) and again["crank"].length == 1.2 and again["stop"].upper == 1.0
    assert m.with_numbers({"motor.function": "2*w*t"})["motor"].function == lw.Expression("2*w*t", {"w": "3 rad/s"})
    assert lw.read(lw.to_text(again)) == again


def test_numbers_of_an_own_law():
    def bump(value, rate, t, stiffness, rest=0.5):
        return -stiffness * (value - rest)

    m = lw.Mechanism(parameters={"k": "2 N/m"})
    ball = m.add("ball", lw.Particle(1))
    m.add("bump", lw.UserForce(lw.Distance(m.ground, ball), bump, stiffness="3*k"))
    assert m["bump"].numbers == (6.0, 0.5)
    assert m.with_numbers({"k": 1})["bump"].numbers == (3.0, 0.5)
    assert m.with_numbers({"k": 1, "bump.rest": "k*1 m^2/N"})["bump"].numbers == (3.0, 1.0)
    with pytest.raises(UnknownNameError, match=r"'ret'"):
        m.with_numbers({"bump.ret": 2})


def test_frames_that_come_from_others_follow():
    m = lw.Mechanism(dimension=3, parameters={"L": 1, "a": "10 deg"})
    rod = m.add("rod", lw.bar("2*L", 1, depth=0.1))
    pin = m.add("A", lw.Universal(m.ground.at("L", 0, 0), rod.a))
    m.add("motor", lw.Driver(pin.tilt, "a*t/1 s"))
    m.add("look", lw.Reading(lw.Distance(m.ground, rod.b.turned(0.1).facing("z", "x"))))
    m.add("ahead", lw.Reading(lw.Distance(m.ground, rod.b.ahead(0.5))))
    other = m.with_numbers({"L": 2})
    assert other["motor"].measure == other["A"].tilt != m["A"].tilt
    assert other["look"].measure.to.position == (2.0, 0.0, 0.0)
    assert other["ahead"].measure.to.position == (2.0, 0.0, 0.5)
    assert lw.read(lw.to_text(m)).with_numbers({"L": 2})["look"].measure.to.position == (2.0, 0.0, 0.0)


def test_bodies_held_as_declared_stay_so():
    m = lw.Mechanism(parameters={"L": 1})
    one = m.add("one", lw.bar(1, 1, position=(0, 0), angle=0))
    two = m.add("two", lw.bar(1, 1, position=("L", 0), angle="L*0.1"))
    m.add("weld", lw.Fixed(one, two, as_declared=True))
    anew = lw.Mechanism(parameters={"L": 3})
    one, two = (
        anew.add("one", lw.bar(1, 1, position=(0, 0), angle=0)),
        anew.add("two", lw.bar(1, 1, position=("L", 0), angle="L*0.1")),
    )
    anew.add("weld", lw.Fixed(one, two, as_declared=True))
    assert m.with_numbers({"L": 3}) == anew
    assert lw.read(lw.to_text(m)) == m
    m.replace("two", lw.bar(1, 1, position=(5, 0), angle=0))  # the weld holds them as they were
    assert m["weld"].on.position == (1.0, 0.0, 0.0)
    assert lw.read(lw.to_text(m)) == m


def test_a_plain_number_has_the_unit_that_the_parameter_had():
    m = slider_crank().with_numbers({"L": 0.2, "k": "5 N/mm"})
    assert m.written_parameters["L"] == "0.2 m" and m.parameters["k"] == 5000.0
    with pytest.raises(UnitError, match=r"a length"):
        m.with_numbers({"slider.mass": "L"})


@pytest.mark.parametrize(
    "numbers, error, words",
    [
        ({"M": 1}, UnknownNameError, "no number 'M' in mechanism 'slider crank'"),
        ({"crank.lenght": 1}, UnknownNameError, "Nearest: 'crank.length'"),
        ({"crnk.length": 1}, UnknownNameError, "Nearest: 'crank.length'"),
        ({"crank.inertia": 1}, UnknownNameError, "no number 'crank.inertia'"),
        ({"crank.points.c": (1, 0)}, UnknownNameError, "no number 'crank.points.c'"),
        ({"crank": 1}, UnknownNameError, "no number 'crank'"),
        ({"ground.mass": 1}, UnknownNameError, "no number 'ground.mass'"),
        ({"A.active": False}, UnknownNameError, "no number 'A.active'"),
        ({3: 1}, UnknownNameError, "no number 3"),
        ({"crank.length": "3*Q"}, UnknownNameError, "no parameter 'Q' in '3\\*Q', the length of bar 'crank'"),
        ({"L": "2*Q"}, UnknownNameError, "no name 'Q' in parameter 'L'"),
        ({"L": "3*R"}, DescriptionError, "Parameter 'L' is defined by itself. Got L -> R -> L"),
        (
            {"L": "3 kg"},
            UnitError,
            "Parameter 'L' value has a unit of another kind. Got '3 kg', a mass .*wanted a length",
        ),
        ({"L": "2*k"}, UnitError, "Parameter 'L' value has a unit of another kind.*wanted a length"),
        ({"crank.length": "3 kg"}, UnitError, "'crank': bar length has a unit of another kind"),
        ({"crank.length": "k"}, UnitError, "'crank': bar length has a unit of another kind"),
        ({"spring.stiffness": "R"}, UnitError, "Force 'spring' .*stiffness has a unit of another kind"),
        ({"L": float("nan")}, DescriptionError, "Parameter 'L' value is not finite"),
        ({"L": True}, DescriptionError, "Parameter 'L' value is not a number"),
        ({"L": None}, DescriptionError, "Parameter 'L' value is not a number"),
        ({"L": -1}, DescriptionError, "'crank': bar length is too small"),
        ({"crank.length": [1, 2]}, DescriptionError, "'crank': bar length is not a number"),
        ({"slider.position": [1, 2, 3, 4]}, DescriptionError, "Body 'slider' position has the wrong length"),
        ([("L", 1)], DescriptionError, "no numbers by name"),
    ],
)
def test_wrong_numbers(numbers, error, words):
    with pytest.raises(error, match=words):
        slider_crank().with_numbers(numbers)


def test_models_of_other_numbers_share_their_tables():
    m = slider_crank()
    one, two = m.with_numbers({"L": 0.25}), m.with_numbers({"L": 0.35})
    assert model_of(one).plan().tab is model_of(two).plan().tab is model_of(m).plan().tab
    rigid = m.with_numbers({"spring.stiffness": 0})
    assert model_of(rigid).plan().tab is not model_of(m).plan().tab
    assert (motion(rigid) != motion(m)).any()


@pytest.mark.parametrize(
    "numbers, words",
    [
        ({"spring.stiffness": 0}, "its laws are others: 'spring'"),
        ({"slider.inertia": 0}, "body 'slider' lost its inertia"),
    ],
)
def test_a_number_that_changes_the_structure_of_a_compiled_model_is_named(numbers, words):
    m = slider_crank()
    with pytest.raises(CompileError, match=f"Mechanism 'slider crank' has another structure: .*{words}"):
        other_numbers(m.compile(), m.with_numbers(numbers))


def test_pickled_it_still_has_its_recipes():
    m = pickle.loads(pickle.dumps(slider_crank().with_numbers({"L": 0.2})))
    assert m == slider_crank("20 cm") and m.with_numbers({"L": 0.3}) == slider_crank()
    assert m["crank"].at("L/2", 0).position == (0.1, 0.0, 0.0)


def test_a_body_of_the_new_mechanism_knows_the_new_parameters():
    m = slider_crank()
    other = m.with_numbers({"L": 0.5})
    for name in ("ground", "slider", "crank"):
        assert other[name].at("L", 0).position[0] == 0.5 and m[name].at("L", 0).position[0] == 0.3


def test_remove():
    m = slider_crank()
    with pytest.raises(
        DescriptionError,
        match=r"Body 'crank' cannot be removed: Joint 'A' \(Revolute\), "
        r"Joint 'B' \(Revolute\) are attached to it",
    ):
        m.remove("crank")
    with pytest.raises(DescriptionError, match=r"Body 'slider' cannot be removed: .*Force 'stop' \(Limit\)"):
        m.remove("slider")
    with pytest.raises(DescriptionError, match=r"'ground' cannot be removed"):
        m.remove("ground")
    with pytest.raises(UnknownNameError, match=r"no item 'crnak' .*Nearest: 'crank'"):
        m.remove("crnak")
    for name in ("A", "B", "C", "look", "push"):
        m.remove(name)
    m.remove("rod")
    m.remove("crank")
    assert [*m.bodies] == ["slider"] and [*m.joints] == ["guide"] and not m.readings
    assert m.check(coordinates="body").freedom == 1
    m.add("crank", lw.bar("L", 1))
    assert m.with_numbers({"L": 0.7})["crank"].length == 0.7


@pytest.mark.parametrize(
    "name, event, field",
    [
        ("A", lw.Event("t", 1.0, then=lw.Release("A")), "then"),
        ("A", lw.Event("t", 1.0, then=[lw.Stop(), lw.Lock("A.x")]), "then"),
        ("stop", lw.Event("t", 1.0, then=lw.Set("stop.stiffness", 4.0)), "then"),
        ("push", lw.Event("t", 1.0, then=lw.Off("push")), "then"),
        ("spin", lw.Event("t", 1.0, then=lw.Drive("spin", "2*t")), "then"),
        ("A", lw.Event("A.reaction.magnitude", 5.0), "when"),
        ("slider", lw.Event("slider.x", 5.0), "when"),
        ("look", lw.Event("look.value", 5.0), "when"),
        ("A", lw.Event("t", 1.0, then=lambda s: None, touches=["A"]), "touches"),
    ],
)
def test_what_an_event_names_is_not_removed(name, event, field):
    m = slider_crank()
    m.add("spin", lw.Driver("A.angle", "t", active=False))
    m.add("e", event)
    with pytest.raises(
        DescriptionError, match=rf"'{name}'.* cannot be removed: Event 'e' \(`{field}`\) names it.*m.rem"
    ):
        m.remove(name)
    assert name in m
    m.remove("e")
    if name != "slider":
        m.remove(name)


def test_questions_leave_out_what_events_name():
    m = slider_crank()
    m.add("spin", lw.Driver("A.angle", "t"))
    m.add("e", lw.Event("t", 1.0, then=lw.Off("spin")))
    assert not m.without(["spin"]).drivers and not m.actuated([]).drivers and "spin" in m


def test_events_that_name_what_is_left_out_are_left_out_too():
    m = lw.gallery.four_bar()
    m.add("motor", lw.Driver("A.angle", "t"))
    m.add("off", lw.Event("t", 0.1, then=lw.Off("motor")))
    m.add("soft", lw.Event("t", 0.1, then=[lw.Stop(), lw.Set("spring.stiffness", 3.0)]))
    m.add("long", lw.Event("spring.length", 1.0))
    m.add("own", lw.Event("t", 0.1, then=lambda state: None, touches=("motor",)))
    m.add("top", lw.Event("D.angle.rate"))
    assert list(m.without(["motor"]).events) == ["soft", "long", "top"]
    assert list(m.without(("spring", "soft")).events) == ["off", "own", "top"]
    moved = m.driven({"A.angle": (1.0, 2.0)}, still=[])
    assert moved.simulate(0.2, every=0.1, coordinates="body").t[-1] == pytest.approx(0.1)  # as "soft" says
    assert list(m.driven({}, still=["motor"]).events) == list(m.events) == ["off", "soft", "long", "own", "top"]
    m.range("A.angle")
    assert len(m.kinematics(over={"A.angle": (1.0, 1.2, 3)}).t) == 3


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ("push", "what names its items is not a list. Got 'push'; wanted a list of names"),
        (["pull"], "no item 'pull' in mechanism 'slider crank'.*'push'"),
        ([3], "no item 3"),
        (["push", "ground"], "'ground' cannot be left out: every mechanism has it"),
        (["crank"], r"Body 'crank' cannot be removed: Joint 'A' \(Revolute\).* attached to it"),
    ],
)
def test_wrong_names_of_what_is_left_out(names, words):
    m = slider_crank()
    with pytest.raises(DescriptionError, match=words):
        m.without(names)


def test_wrong_names_of_drivers_that_stand_still():
    m = slider_crank()
    m.add("spin", lw.Driver("A.angle", "t"))
    with pytest.raises(DescriptionError, match=r"what names its drivers is not a list\. Got 'spin'"):
        m.driven({}, still="spin")
    with pytest.raises(UnknownNameError, match="no driver 'A' in mechanism"):
        m.driven({}, still=["A"])


def test_a_number_in_place_of_a_list_is_told():
    m = slider_crank()
    m.add("both", lw.Reading(lw.Sum((2.0, "C.angle"), (1.0, "A.angle"))))
    m.add("spin", lw.Driver("A.angle", lw.Polynomial(0.0, 1.0), active=False))
    with pytest.raises(DescriptionError, match=r"parts is not a list\. Got 1; wanted"):
        m.with_numbers({"both.measure.parts": 1})
    with pytest.raises(DescriptionError, match=r"coefficients is not a list\. Got 2\.0; wanted"):
        m.with_numbers({"spin.function.coefficients": 2.0})


def test_places_and_angles_of_frames(tmp_path):
    m = slider_crank()
    other = m.with_numbers(
        {
            "guide.on.position": ("L", "5 cm"),
            "guide.on.angle": "10 deg",
            "stop.measure.on.position": ("L", "5 cm"),  # it measures between the frames of the guide
            "stop.measure.on.angle": "10 deg",
            "spring.on.position": ["3*L", 0.0],
            "look.measure.on.position": (0.1, 0.2),
            "A.to.angle": "L*1 rad/m",
            "push.at.position": ("R/4", 0),
        }
    )
    assert other["guide"].on.position == (0.3, 0.05, 0.0) and other["guide"].on.angle == np.radians(10.0)
    assert m["guide"].on.position == (0.075, 0.0, 0.0) and m["guide"].on.angle == 0.0
    assert other["spring"].on.position == pytest.approx((0.9, 0.0, 0.0))
    assert other["look"].measure.on.position == (0.1, 0.2, 0.0)
    assert other["look"].measure.to == other["rod"].a
    assert other["A"].to == lw.Frame("crank", (-0.15, 0.0), angle=0.3, name="a")
    assert other["push"].at == lw.Frame("rod", (0.15, 0.0))  # no named point any more
    again = other.with_numbers({"L": 0.5})  # texts follow, and a turned frame its point
    assert again["guide"].on.position == (0.5, 0.05, 0.0) and again["spring"].on.position == (1.5, 0.0, 0.0)
    assert again["A"].to == lw.Frame("crank", (-0.25, 0.0), angle=0.5, name="a")
    assert again["push"].at.position == (0.25, 0.0, 0.0) and again["look"].measure.on.position == (0.1, 0.2, 0.0)
    third = again.with_numbers({"guide.on.position": (0.2, 0.0), "stop.measure.on.position": (0.2, 0.0)})
    assert third["guide"].on == lw.Frame("ground", (0.2, 0.0), angle=np.radians(10.0))  # its angle stays
    assert third["stop"].measure == third["guide"].slide
    for k, one in enumerate((other, again, third)):
        lw.write(one, tmp_path / f"{k}.yaml")
        assert lw.read(tmp_path / f"{k}.yaml") == one
    for name, value, words in (
        ("guide.on.position", 3.0, "Number 'guide.on.position' is not a list"),
        ("guide.on.position", (1, 2, 3, 4), "'guide.on.position' has the wrong length"),
        ("guide.on.position", ("1 s", 0), "Frame on body 'ground' x has a unit of another kind"),
        ("guide.on.axis", (0, 0, 1), "no number 'guide.on.axis'.*'guide.on.position', 'guide.on.angle'"),
    ):
        with pytest.raises(DescriptionError, match=words):
            m.with_numbers({name: value})


def turning(space=False):
    m = lw.Mechanism("turning", dimension=3 if space else 2, parameters={"L": "0.3 m", "al": "0.2 rad"})
    b = m.add("b", (lw.rod if space else lw.bar)(length="L", mass=1.0))
    axis = {"axis": (0, 1, 0)} if space else {}
    m.add("A", lw.Revolute(m.ground.at("L", 0, angle="al", **axis).turned(0.1), b.at("L/2", 0, **axis)))
    return m, b


def test_frames_that_come_from_others_keep_what_is_not_told(tmp_path):
    m, b = turning()
    place = m.with_numbers({"A.on.position": ("2*L", 0.0)})
    assert place["A"].on == lw.Frame("ground", (0.6, 0.0), angle=0.1 + 0.2)
    assert place.with_numbers({"al": 0.6})["A"].on == lw.Frame("ground", (0.6, 0.0), angle=0.6 + 0.1)
    assert place.with_numbers({"L": 0.5})["A"].on == lw.Frame("ground", (1.0, 0.0), angle=0.1 + 0.2)
    angle = m.with_numbers({"A.on.angle": 0.9})
    assert angle["A"].on == lw.Frame("ground", (0.3, 0.0), angle=0.9)
    assert angle.with_numbers({"L": 0.5, "al": 0.6})["A"].on == lw.Frame("ground", (0.5, 0.0), angle=0.9)
    both = m.with_numbers({"A.on.angle": "3*al", "A.on.position": ("L/2", "L")})
    wanted = lw.Frame("ground", (0.25, 0.5), angle=0.3)
    assert both.with_numbers({"L": 0.5, "al": 0.1})["A"].on.position == wanted.position
    assert both.with_numbers({"L": 0.5, "al": 0.1})["A"].on.angle == pytest.approx(wanted.angle)
    m.add("look", lw.Reading(lw.Distance(m.ground, b.b.turned(0.1))))  # it has a name
    named = m.with_numbers({"look.measure.to.angle": 0.5, "L": 0.4})
    assert named["look"].measure.to == lw.Frame("b", (0.2, 0.0), angle=0.5, name="b")
    assert named.with_numbers({"L": 0.6})["look"].measure.to == lw.Frame("b", (0.3, 0.0), angle=0.5, name="b")
    for k, one in enumerate((place, angle, both)):
        lw.write(one, tmp_path / f"{k}.yaml")
        assert lw.read(tmp_path / f"{k}.yaml") == one


def test_frames_ahead_of_others_and_facing_elsewhere():
    m, b = turning(space=True)
    m.replace("A", lw.Spherical(m.ground, b.a))
    frame = b.at("L", 0, angle="al", axis=(0, 1, 0), along=(1, 0, 0))
    m.add("ahead", lw.Reading(lw.Distance(m.ground, frame.ahead(0.5))))
    m.add("facing", lw.Reading(lw.Distance(m.ground, frame.facing("z", "x"))))
    moved = m.with_numbers({"ahead.measure.to.position": ("2*L", 0, 0), "facing.measure.to.position": (0, "L", 0)})
    turned = m.with_numbers({"ahead.measure.to.angle": 0.4, "facing.measure.to.angle": 0.4})
    for one, other in ((m, moved), (m, turned)):
        for numbers in ({}, {"L": 0.5}, {"al": 0.7}):
            was, now = one.with_numbers(numbers), other.with_numbers(numbers)
            length = now.parameters["L"]
            places = {"ahead": (2.0 * length, 0.0, 0.0), "facing": (0.0, length, 0.0)}
            for name in ("ahead", "facing"):
                before, after = was[name].measure.to, now[name].measure.to
                if other is moved:
                    assert after.position == pytest.approx(places[name])
                    assert after.rotation() == pytest.approx(before.rotation())
                else:
                    assert after.position == pytest.approx(before.position)
                    assert after.rotation()[:, 2] == pytest.approx(before.rotation()[:, 2])
                    assert after.angle == 0.4


def test_an_angle_takes_the_place_of_a_direction_in_the_plane():
    m, b = turning()
    for name, x in (("text", "L"), ("number", 0.3)):
        m.add(name, lw.Reading(lw.Angle(m.ground, b.at(x, 0, along=(1, 1)))))
        same = m.with_numbers({f"{name}.measure.to.angle": m[name].measure.to.angle})
        assert same[name].measure.to == m[name].measure.to


def test_numbers_of_actions(tmp_path):
    m = slider_crank()
    m.add("spin", lw.Driver("A.angle", "t", active=False))
    m.add("soft", lw.Event("t", 1.0, then=lw.Set("spring.stiffness", "k/100")))
    m.add("two", lw.Event("t", 2.0, then=[lw.On("spin"), lw.Drive("spin", lw.Harmonic(1.0, "w"))]))
    other = m.with_numbers({"soft.then.value": 7.0, "two.then.1.function.amplitude": 2.0})
    assert other["soft"].then == (lw.Set("spring.stiffness", 7.0),)
    assert other["two"].then == (lw.On("spin"), lw.Drive("spin", lw.Harmonic(2.0, 3.0)))
    assert other.with_numbers({"w": 5.0})["two"].then[1].function == lw.Harmonic(2.0, 5.0)
    assert m.with_numbers({"soft.then.0.value": "k/50"})["soft"].then == (lw.Set("spring.stiffness", "k/50"),)
    lw.write(other, tmp_path / "m.yaml")
    assert lw.read(tmp_path / "m.yaml") == other
    for name in ("two.then.value", "two.then.2.function", "two.then.0.value", "soft.then.number", "two.then.1"):
        with pytest.raises(UnknownNameError, match=f"no number '{name}'"):
            m.with_numbers({name: 1.0})


@pytest.mark.parametrize("when", [1.0, "L/1 m*1 s"])
@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("number", [3.0, "k/100"])
def test_the_only_action_of_an_event_has_one_name(when, several, number):
    m = slider_crank()
    then = lw.Set("spring.stiffness", number)
    m.add("soft", lw.Event("t", when, then=[then] if several else then))
    for name in ("soft.then.value", "soft.then.0.value"):
        assert m.with_numbers({name: 7.0})["soft"].then == (lw.Set("spring.stiffness", 7.0),)
        assert m.with_numbers({name: "k/50"})["soft"].then == (lw.Set("spring.stiffness", "k/50"),)
        assert m.with_numbers({name: 7.0})["soft"].value == m["soft"].value
    for name in ("soft.then.1.value", "soft.then.0.0.value", "soft.then.0", "soft.then.item"):
        with pytest.raises(UnknownNameError) as told:
            m.with_numbers({name: 1.0})
        assert list(told.value.known) == ["soft.value", "soft.then.value"]


def test_numbers_of_several_actions_are_listed():
    m = slider_crank()
    m.add("spin", lw.Driver("A.angle", "t", active=False))
    drive, put = lw.Drive("spin", lw.Harmonic(1.0, "w")), lw.Set("spring.stiffness", 3.0)
    m.add("two", lw.Event("t", "L/1 m*1 s", then=[lw.On("spin"), drive, put, lambda state: None]))
    with pytest.raises(UnknownNameError) as told:
        m.with_numbers({"two.then.9": 1.0})
    assert list(told.value.known) == ["two.value", "two.then.1.function", "two.then.2.value"]
    assert m.with_numbers({"two.then.1.function": "2*t"})["two"].then[1] == lw.Drive("spin", "2*t")
    assert m.with_numbers({"two.then.2.value": 4.0})["two"].then[2] == lw.Set("spring.stiffness", 4.0)


def test_prepared_runs_take_numbers_of_frames():
    m = slider_crank()
    ready = m.prepare(0.2, every=0.1, start=START, near={"B.angle": -0.5}, coordinates="body")
    numbers = {"spring.on.position": (1.3, 0.1), "look.measure.on.position": (0.1, 0.0)}
    run = ready(numbers=numbers)
    same = m.with_numbers(numbers).simulate(0.2, every=0.1, start=ready.state, coordinates="body")
    assert (run["slider.x"] == same["slider.x"]).all() and (run["slider.x"] != ready()["slider.x"]).any()
    turned = m.with_numbers({"guide.on.angle": "30 deg", "stop.measure.on.angle": "30 deg"})
    assert turned.number("guide.on.angle") == pytest.approx(np.pi / 6)


def test_a_frame_of_a_joint_that_is_measured_elsewhere_is_not_moved_alone():
    m = lw.Mechanism(parameters={"a": 0.0})
    bar = m.add("bar", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0, angle="a"), bar.a))
    m.add("motor", lw.Driver("A.angle", lw.Harmonic(0.2, 3.0)))
    m.add("both", lw.Reading(lw.Sum((2.0, m["A"].angle))))
    with pytest.raises(DescriptionError, match="joint 'A' elsewhere, and 'both' would measure from the old one"):
        m.with_numbers({"A.on.angle": 0.3, "motor.measure.on.angle": 0.3})
    assert m.without(["both"]).with_numbers({"A.on.angle": 0.3, "motor.measure.on.angle": 0.3})["A"].on.angle == 0.3
    moved = m.with_numbers({"a": 0.3})  # all that share it follow
    assert moved["motor"].measure == moved["A"].angle == moved["both"].measure.terms()[0][1]
