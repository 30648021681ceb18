"""Bases that users choose: which points, what they must be, and the same motion whatever they are."""

import pickle

import numpy as np
import pytest

import linkwork as lw
from linkwork import gallery
from linkwork.errors import CompileError, DescriptionError, FileError, UnknownNameError

TRACER = {"coupler": ("a", "tracer")}


def choice(m, basis):
    return m.compile(coordinates="point", basis=basis).plan("point").layout.choice


def hanging():
    """A crank, a disc that is welded to it, a block that slides on it, another on the ground, a welded foot, a bob."""
    m = lw.Mechanism("hanging")
    crank = m.add("crank", lw.bar(length=1.0, mass=1.0, angle=0.3))
    disc = m.add("disc", lw.Body(1.0, 0.1, points={"p": (0.1, 0), "q": (0, 0.1)}))
    block = m.add("block", lw.Body(1.0, 0.1, points={"p": (0.1, 0), "q": (0, 0.1)}))
    slide = m.add("slide", lw.Body(1.0, 0.1, position=(0, 3), points={"p": (0.1, 0), "q": (0, 0.1)}))
    foot = m.add("foot", lw.Body(1.0, 0.1, points={"p": (0.1, 0), "q": (0, 0.1)}))
    m.add("bob", lw.Particle(0.3))
    m.add("A", lw.Revolute(m.ground, crank.a))
    m.add("W", lw.Fixed(crank.b, disc))
    m.add("S", lw.Prismatic(crank.a, block))
    m.add("T", lw.Prismatic(m.ground.at(0, 3), slide))
    m.add("F", lw.Fixed(m.ground.at(2, 0), foot))
    m.add("B", lw.Revolute(crank.b, "bob"))
    return m


@pytest.mark.parametrize(
    ("basis", "points"),
    [
        (TRACER, ["B", "coupler.tracer"]),
        ({"coupler": ("B", "C")}, ["B", "C"]),
        ({"coupler": ("middle", "tracer")}, ["coupler.middle", "coupler.tracer"]),
        ({"rocker": ("middle", "a")}, ["B", "rocker.middle"]),
    ],
)
def test_the_points_that_are_asked_for(basis, points):
    m = gallery.four_bar()
    found = choice(m, basis)
    names = [place.name or place.joints[0] for place in found.places]
    ((body, asked),) = basis.items()
    assert names == points
    reference = m.simulate(0.5, every=0.1, coordinates="body", rtol=1e-10)
    run = m.simulate(0.5, every=0.1, coordinates="point", basis=basis, rtol=1e-10)
    for name in ("crank.angle", "rocker.angle", "B.reaction.x", "D.reaction.y"):
        np.testing.assert_allclose(run[name], reference[name], atol=1e-7)
    assert run.manifest["basis"] == {body: list(asked)}


def test_check_says_what_was_chosen():
    words = str(gallery.four_bar().check(coordinates="point", basis=TRACER))
    assert "points B, coupler.tracer; secondary C" in words
    assert "points B, C" in str(gallery.four_bar().check(coordinates="point"))


def test_names_of_the_states():
    ode = gallery.four_bar().ode(coordinates="point", basis=TRACER)
    assert list(ode.names[:4]) == ["B.x", "B.y", "coupler.tracer.x", "coupler.tracer.y"]


def test_every_analysis_takes_it():
    m, options = gallery.four_bar(), dict(coordinates="point", basis=TRACER)
    assert m.assemble(coordinates="point", basis=TRACER) and m.evaluate(coordinates="point", basis=TRACER)
    assert len(m.prepare(0.1, every=0.05, **options)().t) == 3
    rest = m.equilibrium(**options)
    wanted = m.equilibrium(coordinates="body")
    assert rest["A.angle"] == pytest.approx(wanted["A.angle"], abs=1e-8)
    np.testing.assert_allclose(
        [one.frequency for one in m.modes(rest, **options)], [one.frequency for one in m.modes(wanted)], rtol=1e-6
    )
    over = {"A.angle": (1.0, 1.5, 11)}
    assert len(m.kinematics(over=over, **options).t) == 11
    assert len(m.energy_motion(over, **options).run.t) == 11
    assert m.range("A.angle", **options) and m.statics(start=rest, hold=["crank.angle"], **options)
    assert m.linearize(rest, inputs=["crank.angle"], **options) is not None
    assert m.verify(0.2, basis=TRACER)


def driven():
    m = gallery.four_bar()
    m.add("motor", lw.Driver("A.angle", "1 + 0.5*sin(3*t)"))
    return m


def whirling(coordinates, basis=None):
    """A double pendulum without weight goes round stretched: the tension of the lower pin."""
    m = gallery.double_pendulum()
    m.gravity = (0.0, 0.0)
    found = m.steady(
        {"A.angle": 3.0}, start={"B.angle": 0.1}, coordinates=coordinates, basis=basis and {"lower": ("a", "middle")}
    )
    return found["B.reaction.magnitude"]


def fitted(**options):
    times = np.linspace(0.0, 0.2, 5)
    measured = gallery.four_bar().simulate(times, coordinates="body", rtol=1e-10)["D.angle"]
    m = gallery.four_bar()
    return m.fit({"spring.stiffness": ("10 N/m", "50 N/m")}, {"D.angle": (times, measured)}, **options).values


VARY = {"spring.stiffness": ("10 N/m", "50 N/m")}
QUESTIONS = {
    "ode": lambda m, **one: m.ode(**one).state(0.0, m.ode(**one).y0)["rocker.x"],
    "equilibria": lambda m, **one: [
        rest["A.angle"] for rest in m.equilibria({"A.angle": (-3.0, 3.0)}, count=12, **one)
    ],
    "steady": lambda m, **one: whirling(**one),
    "response": lambda m, **one: abs(
        m.frequency_response("crank.angle", "rocker.angle", frequencies=[1.0], **one)["rocker.angle"]
    ),
    "sweep": lambda m, **one: m.sweep({"spring.stiffness": [15.0, 30.0]}, times=0.1, read="D.angle", **one)["D.angle"],
    "optimize": lambda m, **one: m.optimize(VARY, "D.angle.max", times=0.2, **one).value,
    "fit": lambda m, **one: list(fitted(**one).values()),
    "inverse dynamics": lambda m, **one: driven().inverse_dynamics(0.2, every=0.1, **one)["motor.effort"],
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_further_analyses_take_it(question):
    """What they answer is what it is in body coordinates."""
    got, wanted = (
        np.asarray(QUESTIONS[question](gallery.four_bar(), **one), dtype=float)
        for one in (dict(coordinates="point", basis=TRACER), dict(coordinates="body"))
    )
    assert np.any(wanted)
    np.testing.assert_allclose(got, wanted, rtol=1e-5)


def test_states_go_between_bases():
    m = gallery.four_bar()
    one = m.simulate(0.3, coordinates="point", basis=TRACER)
    two = m.simulate(0.3, start=one.final, coordinates="point")
    three = m.simulate(0.3, start=two.final, coordinates="point", basis={"coupler": ("b", "tracer")})
    wanted = m.simulate(0.9, coordinates="body", rtol=1e-10)
    assert three.final["crank.angle"] == pytest.approx(wanted.final["crank.angle"], abs=1e-6)
    assert pickle.loads(pickle.dumps(one)).final.model.mechanism.bases == (("coupler", ("a", "tracer")),)


def test_what_events_switched_stays_so():
    m = gallery.double_pendulum()
    m.add("stop", lw.Event("t", 0.2, then=[lw.Lock("B")]))
    basis = {"lower": ("a", "middle")}
    run = m.simulate(0.4, every=0.1, coordinates="point", basis=basis)
    on = m.simulate(0.3, every=0.1, start=run.final, coordinates="point")
    wanted = m.simulate(0.7, every=0.1, coordinates="body", rtol=1e-10)
    assert on.final["B.angle"] == pytest.approx(run.final["B.angle"], abs=1e-9)
    assert on.final["A.angle"] == pytest.approx(wanted.final["A.angle"], abs=1e-6)
    assert on.final["B.angle"] == pytest.approx(wanted.final["B.angle"], abs=1e-6)


def test_results_in_files(tmp_path):
    m = gallery.four_bar()
    run = m.simulate(0.3, every=0.1, coordinates="point", basis=TRACER)
    run.save(tmp_path / "run.json")
    read = lw.load(tmp_path / "run.json")
    assert read.manifest["basis"] == {"coupler": ["a", "tracer"]}
    assert read.final.model.mechanism.bases == (("coupler", ("a", "tracer")),)
    np.testing.assert_allclose(read["C.reaction.x"], run["C.reaction.x"], rtol=1e-10)


def test_in_a_file():
    text = lw.to_text(
        gallery.four_bar(), analysis={"type": "simulate", "duration": 1.0, "coordinates": "point", "basis": TRACER}
    )
    found = lw.read_document(text)
    assert found.analysis["basis"] == TRACER
    assert found.mechanism.simulate(0.1, coordinates="point", basis=found.analysis["basis"]).manifest["basis"]
    with pytest.raises(FileError, match="basis 'coupler'"):
        lw.read_document(text.replace("coupler: [a, tracer]", "coupler: {a: 1}"))


@pytest.mark.parametrize(
    ("basis", "kind", "words"),
    [
        ({"copler": ("a", "b")}, UnknownNameError, "There is no body 'copler'"),
        ({"coupler": ("a", "trcer")}, UnknownNameError, "There is no point 'trcer' of body 'coupler'"),
        ({"coupler": ("a", "B")}, DescriptionError, "has points that coincide"),
        ({"coupler": ("a", "a")}, DescriptionError, "has points that coincide"),
        ({"coupler": "ab"}, DescriptionError, "is no list of two points"),
        ({"coupler": ("a", "b", "tracer")}, DescriptionError, "is no list of two points"),
        ({"coupler": ("a", 3)}, UnknownNameError, "There is no point"),
        ([("coupler", ("a", "b"))], DescriptionError, "is not given by the names of bodies"),
    ],
)
def test_names_that_are_wrong(basis, kind, words):
    with pytest.raises(kind, match=words):
        gallery.four_bar().simulate(0.1, coordinates="point", basis=basis)


@pytest.mark.parametrize("coordinates", ["auto", "body", "joint"])
def test_a_set_that_has_no_points(coordinates):
    with pytest.raises(DescriptionError, match="chooses points, which other coordinates do not have"):
        gallery.four_bar().simulate(0.1, coordinates=coordinates, basis=TRACER)


@pytest.mark.parametrize(
    ("basis", "words"),
    [
        ({"disc": ("p", "q")}, "welded to 'crank', and they are one. Give points of 'crank'"),
        ({"foot": ("p", "q")}, "held by the ground and does not move"),
        ({"slide": ("p", "q")}, "does not turn: its angle is held against the ground"),
        ({"crank": ("a", "b"), "block": ("p", "q")}, "turns with '(crank|block)', whose basis is given"),
    ],
)
def test_bodies_that_do_not_turn_by_themselves(basis, words):
    with pytest.raises(CompileError, match=words):
        hanging().check(coordinates="point", basis=basis)


def test_particles_have_no_basis():
    with pytest.raises(DescriptionError, match="Particle, which does not turn"):
        hanging().check(coordinates="point", basis={"bob": ("a", "b")})


def test_a_slide_carries_the_direction():
    """The block's own points, where it turns with the crank."""
    m = hanging()
    runs = [
        m.simulate(0.3, every=0.1, rtol=1e-10, coordinates=one, basis=basis)
        for one, basis in (("body", None), ("point", {"block": ("p", "q")}))
    ]
    np.testing.assert_allclose(runs[1]["crank.angle"], runs[0]["crank.angle"], atol=1e-7)
    np.testing.assert_allclose(runs[1]["block.x"], runs[0]["block.x"], atol=1e-7)


def test_points_of_the_ground_and_points_too_close():
    m = lw.Mechanism("beam")
    beam = m.add("beam", lw.bar(length=1.0, mass=2.0, points={"near": (-0.5 + 1e-5, 0.0)}))
    m.add("A", lw.Revolute(m.ground.at(0, 0), beam.a))
    with pytest.raises(CompileError, match="1e-05 m apart, and digits would be lost"):
        m.check(coordinates="point", basis={"beam": ("a", "near")})
    m.add("B", lw.Revolute(m.ground.at(1, 0), beam.b))
    with pytest.raises(CompileError, match="has two points of the ground"):
        m.check(coordinates="point", basis={"beam": ("a", "b")})
