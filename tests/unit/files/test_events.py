"""Events in model files and result files: round trips, and what is wrong is said with its line."""

import json
import pickle

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import FileError, LinkworkError

MODEL = """\
linkwork: 1
name: swing
parameters: {L: 1 m, low: -80 deg}
bodies:
  rod: {shape: bar, length: L, mass: 1, position: [0.5, 0], angle: 0}
  tip: {shape: bar, length: 0.5, mass: 0.5}
joints:
  A: {type: Revolute, on: ground, to: rod.a}
  B: {type: Revolute, on: rod.b, to: tip.a}
forces:
  spring: {type: TorsionSpringDamper, on: rod, to: tip, stiffness: 2, damping: 0.1}
  coil: {type: TorsionSpringDamper, on: ground, to: rod, stiffness: 5, active: false}
drivers:
  motor: {measure: B.angle, function: 0.2*t, active: false, from_assembled: true}
events:
  top: {when: A.angle.rate, direction: falling}
  near: {when: {type: Distance, on: ground, to: tip.b}, value: 1.2 m, direction: rising}
  deep: {when: A.angle, value: low, then: [{lock: B}, {off: spring}, {on: coil}], most: 1}
  later: {when: t, value: 1.2 s, then: [{release: B}, {set: coil.stiffness, value: 7}]}
  drive: {when: t, value: 1.5 s, then: {drive: motor, function: "smoothstep(t, 0, 0, 0.5, pi/6)", anew: true}}
  end: {when: t, value: 2.5 s, then: stop}
"""


def test_models_come_back():
    m = lw.read(MODEL)
    assert list(m.events) == ["top", "near", "deep", "later", "drive", "end"]
    for form in ("yaml", "json"):
        text = lw.to_text(m, form)
        again = lw.read(text)
        assert again == m and lw.to_text(again, form) == text and lw.digest(again) == lw.digest(m)
    assert "value: low" in lw.to_text(m) and lw.format_text(lw.to_text(m)) == lw.to_text(m)
    other = lw.read(MODEL.replace("most: 1", "most: 2"))
    assert other != m and lw.digest(other) != lw.digest(m)
    assert float(lw.read(MODEL, parameters={"low": "-70 deg"}).events["deep"].value) == pytest.approx(np.radians(-70))


def test_the_schema_knows_them():
    jsonschema = pytest.importorskip("jsonschema")
    data = json.loads(lw.to_text(lw.read(MODEL), "json"))
    jsonschema.validate(data, lw.schema())
    data["events"]["top"]["then"] = {"lok": "A"}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, lw.schema())


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_results_come_back(coordinates, tmp_path):
    run = lw.read(MODEL).simulate(4, every=0.05, coordinates=coordinates)
    assert [one.name for one in run.events][-1] == "end" and len(run.marks) >= 1
    for ending in ("json", "nc", "csv", "parquet"):
        path = tmp_path / f"run.{ending}"
        run.save(path)
        back = lw.load(path)
        assert str(back.events) == str(run.events)
        assert back.energy.balance == pytest.approx(run.energy.balance, abs=1e-9)
        assert np.array_equal(back["coil.torque"], run["coil.torque"])
        assert back.at(0.81).mode("B") == "locked" and np.allclose(back.at(0.81).y, run.at(0.81).y, atol=1e-9)
        assert [one.after["A.angle"] for one in back.events] == pytest.approx(
            [one.after["A.angle"] for one in run.events]
        )
    again = pickle.loads(pickle.dumps(run))
    assert str(again.events) == str(run.events)


def test_functions_are_given_on_reading():
    def bounce(state):
        return {"ball.y.rate": -0.5 * state["ball.y.rate"]}

    text = """\
linkwork: 1
bodies: {ball: {type: Particle, mass: 1, position: [0, 1]}}
events: {hit: {when: ball.y, direction: falling, then: {law: bounce}, most: 2}}
"""
    m = lw.read(text, laws={"bounce": bounce})
    assert len(m.simulate(1.0, coordinates="body").events) == 2 and "law: bounce" in lw.to_text(m)
    with pytest.raises(FileError, match="bounce"):
        lw.read(text)


@pytest.mark.parametrize(
    ("event", "told"),
    [
        ("{whn: A.angle}", "unknown field 'whn'"),
        ("{value: 3}", "has no when"),
        ("{when: A.angle, then: {lok: A}}", "unknown action 'lok'"),
        ("{when: A.angle, then: [3]}", "no action"),
        ("{when: A.angle, then: {drive: motor}}", "drive has no function"),
        ("{when: A.angle, then: {set: coil.stiffness}}", "set has no value"),
        ("{when: A.angle, then: {lock: A, anew: true}}", "unknown field 'anew'"),
        ("{when: A.angle, direction: up}", "direction"),
        ("{when: A.angle, most: 0}", "most"),
        ("{when: A.angle, value: 3 m}", "unit of another kind"),
        ("{when: A.angel}", "A.angle"),
        ("{when: A.angle, then: {lock: Q}}", "'Q'"),
    ],
)
def test_what_is_wrong_is_said(event, told):
    text = MODEL[: MODEL.index("events:")] + f"events:\n  e: {event}\n"
    with pytest.raises(LinkworkError, match=told):
        lw.read(text).simulate(0.1, coordinates="body")


def test_results_that_were_changed_are_refused(tmp_path):
    run = lw.read(MODEL).simulate(2, every=0.1, coordinates="body")
    stored, options = run.stored(), run.options()
    for change in (
        {"marks": [["top", 99, 0.1, [0.0]]]},
        {"marks": [["top", 0, float("nan"), [0.0]]]},
        {
            "segments": [
                {**one, "switches": {"off": ["nobody"], "drives": [], "numbers": {}}} for one in options["segments"]
            ]
        },
        {"segments": [{**one, "event": 3} for one in options["segments"]]},
    ):
        with pytest.raises(LinkworkError):
            lw.Result.restored(run.mechanism, stored, {**options, **change}, {})


WATCHING = """linkwork: 1
bodies:
  rod: {shape: bar, length: 1, mass: 1}
joints:
  A: {type: Revolute, on: {ground: [0, 0]}, to: rod.a}
events:
  low: EVENT
"""


@pytest.mark.parametrize(
    ("event", "told"),
    [
        ("{when: A.angle, value: 90 g}", r"wrong.yaml:7:31: Event 'low' value .*Got '90 g', a mass.*wanted an angle"),
        ("{when: A.angl, value: 90 deg}", r"wrong.yaml:7:15: .*'A.angl'.*Nearest: 'A.angle'"),
        ("{when: rod.a}", r"wrong.yaml:7:15: .*is a vector. Wanted one number, such as rod\.a\.x"),
        ("{when: A.angle, then: [stop, {lock: B}]}", r"wrong.yaml:7:30: .*no joint or driver 'B'"),
        ("{when: A.angle, then: {set: rod.mass, value: 3 m}}", r"wrong.yaml:7:30: .*'3 m'"),
        ("{when: A.angle, touches: [Q]}", r"wrong.yaml:7:33: .*'Q'"),
        ("{when: A.angle, touches: [A], then: [{lock: B}]}", r"wrong.yaml:7:44: .*no joint or driver 'B'"),
    ],
)
def test_what_events_watch_and_do_is_told_with_its_line(event, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.yaml").write_text(WATCHING.replace("EVENT", event), encoding="utf-8")
    with pytest.raises(FileError, match=told):
        lw.read("wrong.yaml")
