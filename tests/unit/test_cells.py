"""What notebooks show: every object a table, most a picture; names are text, whatever they look like."""

import re
import warnings

import pytest

import linkwork as lw
from linkwork import cells

HOSTILE = '<script>alert("1")</script>'


@pytest.fixture(scope="module")
def mechanism():
    m = lw.gallery.four_bar()
    m.add("motor", lw.Driver("A.angle", "60 deg + 2 rad/s*t"))
    m.add("way", lw.Reading("coupler.tracer.y"))
    return m


@pytest.fixture(scope="module")
def run(mechanism):
    return mechanism.simulate(0.2, every=0.02, coordinates="body")


SHOWN = {
    "mechanism": (lambda m, run: m, True, ["four-bar", "crank", "Revolute", "ground.at(3.2, 0)", "motor", "way"]),
    "body": (lambda m, run: m["crank"], True, ["Body crank", "length of bar", "point a [m]"]),
    "particle": (lambda m, run: lw.Particle(2.0), True, ["Particle", "mass [kg]"]),
    "solid": (lambda m, run: lw.box(1, 2, 3, mass=12), True, ["13, 10, 5"]),
    "ground": (lambda m, run: m.ground, False, ["ground"]),
    "joint": (lambda m, run: m["B"], False, ["Revolute B", "holds in the plane", "x, y", "crank.b", "reads", "angle"]),
    "force": (lambda m, run: m["spring"], False, ["SpringDamper spring", "stiffness [N/m]", "coupler.middle"]),
    "driver": (lambda m, run: m["motor"], False, ["Driver motor", "Angle(ground.at(0, 0), crank.a)"]),
    "reading": (lambda m, run: m["way"], False, ["WorldOffset(ground.at(0, 0), coupler.tracer, y)"]),
    "measure": (lambda m, run: m["A.angle"], False, ["Angle", "crank.a"]),
    "frame": (lambda m, run: m["crank.b"], False, ["Frame crank.b", "0.5, 0, 0"]),
    "assembly": (lambda m, run: m.assemble(coordinates="body"), True, ["Assembly of four-bar", "moved"]),
    "state": (lambda m, run: run.final, True, ["at t = 0.2 s", "crank.angle", "rate"]),
    "evaluation": (lambda m, run: m.evaluate(run.final, coordinates="body"), True, ["acceleration", "multiplier"]),
    "result": (lambda m, run: run, True, ["0 to 0.2 s, 11 times", "energy not accounted for", "motor.effort"]),
    "check": (lambda m, run: m.check(coordinates="body"), False, ["Check of four-bar", "freedom"]),
    "verification": (lambda m, run: m.verify(0.05), False, ["the sets agree", "position", "difference"]),
    "reaction": (lambda m, run: run.reaction("B"), False, ["joint B on coupler", "force x [N]", "size of the force"]),
    "energy": (lambda m, run: run.energy, True, ["Energy ledger", "kinetic", "balance"]),
    "comparison": (lambda m, run: run.compare(run, "A.angle", "D.angle"), True, ["compared at 11 times", "D.angle"]),
}  # fmt: skip


@pytest.mark.parametrize("name", SHOWN)
def test_objects_show_themselves(name, mechanism, run):
    make, pictured, words = SHOWN[name]
    thing = make(mechanism, run)
    text = thing._repr_html_()
    for word in words:
        assert cells.escape(word) in text, word
    assert ("data:image/svg+xml;base64," in text) == pictured and "no picture" not in text
    assert " at 0x" not in text and " at 0x" not in repr(thing)
    assert text.count("<table") == text.count("</table>") and text.count("<div") == text.count("</div>")


def test_a_hostile_name_is_only_a_name():
    m = lw.Mechanism(HOSTILE)
    m.add(HOSTILE, lw.bar(length=1.0, mass=1.0, points={"tip": (0.5, 0.1)}))
    joint = m.add('" onload="alert(1)', lw.Revolute("ground", f"{HOSTILE}.a"))
    run = m.simulate(0.1, every=0.05, coordinates="body")
    things = [m, m[HOSTILE], joint, m[f"{HOSTILE}.tip"], run, run.final, run.energy, run.reaction(joint.name)]
    things += [m.assemble(coordinates="body"), m.evaluate(run.final, coordinates="body"), m.check(coordinates="body")]
    things += [run.compare(run), m.verify(0.05), joint.angle]
    for thing in things:
        text = thing._repr_html_()
        assert "<script" not in text and "alert" in text, type(thing).__name__
        for tag in re.findall(r"<[^>]*>", text):  # no attribute was opened by a name
            assert "onload" not in tag.partition('alt="')[0], tag[:80]
            assert tag.count('"') % 2 == 0


def test_what_cannot_be_drawn_says_why(monkeypatch):
    import sys

    assert "<img" not in lw.Mechanism("empty")._repr_html_()
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    text = lw.gallery.pendulum()._repr_html_()
    assert "no picture" in text and "pip install" in text and "<table" in text


def test_many_bodies_are_not_drawn_unasked():
    m = lw.Mechanism("many")
    for k in range(61):
        m.add(f"b{k}", lw.Particle(1.0))
    text = m._repr_html_()
    assert "<img" not in text and "unless asked for" in text and "and 37 more" in text


def test_looking_does_not_warn():
    m = lw.Mechanism("apart")
    rod = m.add("rod", lw.bar(length=1.0, mass=1.0, position=(3.0, 3.0), angle=0.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), rod.a))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "<img" in m._repr_html_()


def test_tables_and_words():
    assert cells.table(("a", "b"), []) == ""
    assert cells.words(1.0 / 3.0) == "0.333333" and cells.words((1.0, 2)) == "1, 2"
    assert cells.words("x" * 200).endswith("...") and len(cells.words("x" * 200)) == 80
    assert "and 3 more" in cells.table(("k",), [(k,) for k in range(27)])
    assert cells.words("\x1b[31m") == "\\x1b[31m"


def test_a_motion_that_is_known_shows_itself_without_a_ledger(mechanism, run):
    known = lw.Result.of_motion(mechanism, run.t, run.stored()["states"])
    assert "energy not accounted for" in run._repr_html_()
    shown = known._repr_html_()
    assert "largest constraint error" in shown and "energy" not in re.sub('base64,[^"]*', "", shown)
