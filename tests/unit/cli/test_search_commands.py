"""`linkwork optimize` and `linkwork fit`, and files that ask for them: the answers of Python."""

import json
import re

import numpy as np
import pytest

import linkwork as lw
from linkwork.cli import main
from linkwork.errors import FileError

MODEL = """linkwork: 1
name: oscillator
gravity: null
parameters: {L: 1 m}
bodies:
  block: {mass: 2, inertia: 1}
joints:
  guide: {type: Prismatic, on: ground, to: block}
forces:
  spring: {type: SpringDamper, on: {ground: [-1, 0]}, to: block, stiffness: 80, rest_length: L, damping: 3}
"""
OPTIMIZE = """analysis:
  type: optimize
  vary: {spring.damping: [0.5 N s/m, 8]}
  minimize: block.x.last
  subject_to: [block.x.min >= -200 mm]
  duration: 0.3
  every: 0.01
  start: {block.x: 0.3}
  coordinates: joint
"""
FIT = """analysis:
  type: fit
  vary: {spring.stiffness: [10, 200], spring.damping: [0, 10]}
  measured: record.csv
  noise: {block.x: 1 mm}
  start: {block.x: 0.3}
  coordinates: joint
"""


def closed_form(t, stiffness=50.0, damping=1.2):
    """x(t) of m x'' + c x' + k x = 0 from x = 0.3 at rest, 2 kg."""
    decay = damping / 4.0
    omega = np.sqrt(stiffness / 2.0 - decay**2)
    return 0.3 * np.exp(-decay * t) * (np.cos(omega * t) + decay / omega * np.sin(omega * t))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    t = np.linspace(0.0, 2.0, 41)
    rows = [f"{1000 * a},{1000 * b if k != 3 else ''}" for k, (a, b) in enumerate(zip(t, closed_form(t)))]
    (tmp_path / "record.csv").write_text("\n".join(["time [ms],block.x [mm]", *rows]), encoding="utf-8")
    for name, analysis in (("plain", ""), ("optimize", OPTIMIZE), ("fit", FIT)):
        (tmp_path / f"{name}.yaml").write_text(MODEL + analysis, encoding="utf-8")
    return tmp_path


def told(capsys, *arguments, status=0):
    assert main([*arguments, "--json"]) == status
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("command", ["run", "optimize"])
def test_a_file_that_asks_for_the_best(command, folder, capsys):
    data = told(capsys, command, "optimize.yaml")
    wanted = lw.read("plain.yaml").optimize(
        {"spring.damping": (0.5, 8)},
        "block.x.last",
        subject_to="block.x.min >= -0.2",
        times=0.3,
        every=0.01,
        start={"block.x": 0.3},
        coordinates="joint",
    )
    assert data["values"] == wanted.values and data["value"] == wanted.value and data["runs"] == wanted.runs
    assert data["limits"] == {"block.x.min >= -0.2": {"is": wanted.limits["block.x.min >= -0.2"][0], "met": True}}


def test_the_command_line_goes_before_the_file(folder, capsys):
    asked = ["--vary", "spring.damping=1:2", "--maximize", "block.x.last", "--begin", "spring.damping=1.5"]
    data = told(capsys, "optimize", "optimize.yaml", *asked)
    assert data["values"] == pytest.approx({"spring.damping": 2.0}) and data["on_bounds"]
    assert data["goal"] == "block.x.last" and data["value"] >= data["first"]


def test_the_best_model_is_written(folder, capsys):
    asked = ["--vary", "spring.damping=1:2", "--minimize", "block.x.last", "--duration", "0.3"]
    asked += ["--begin", "spring.damping=1.5"]
    assert main(["optimize", "plain.yaml", *asked, "--start", "block.x=300 mm", "--output", "best.yaml"]) == 0
    out = capsys.readouterr().out
    assert "block.x.last = " in out and "written to best.yaml" in out
    assert lw.read("best.yaml").number("spring.damping") == pytest.approx(1.0)


@pytest.mark.parametrize("command", ["run", "optimize"])
def test_the_endings_are_those_of_what_the_analysis_writes(command, folder, capsys):
    """Models of a search, by either command; motions have other ones."""
    assert main([command, "optimize.yaml", "--output", "best.yaml"]) == 0
    assert "written to best.yaml" in capsys.readouterr().out and lw.read("best.yaml").forces
    assert main([command, "optimize.yaml", "--output", "best.nc"]) == 2
    assert "Got '.nc'; wanted .yaml, .yml, .json" in capsys.readouterr().err
    rest = MODEL.replace("gravity: null", "gravity: [0, 0]") + "analysis: {type: equilibrium}\n"
    (folder / "rest.yaml").write_text(rest, encoding="utf-8")
    assert main(["run", "rest.yaml", "--output", "rest.nc"]) == 2
    assert "asks for equilibrium, which writes no file" in capsys.readouterr().err


def test_the_best_model_runs_as_its_designs_did(folder, capsys):
    assert main(["optimize", "optimize.yaml", "--output", "best.yaml"]) == 0
    capsys.readouterr()
    found = told(capsys, "optimize", "optimize.yaml")
    document = lw.read_document("best.yaml")
    wanted = {"type": "simulate", "duration": 0.3, "every": 0.01, "start": {"block.x": 0.3}, "coordinates": "joint"}
    assert document.analysis == wanted
    assert main(["run", "best.yaml", "--output", "best.csv"]) == 0
    assert lw.load("best.csv")["block.x"][-1] == pytest.approx(found["value"], rel=1e-9)


def test_start_values_that_were_found_stand_beside_the_others(folder, capsys):
    asked = ["--vary", "start:block.x.rate=0:1", "--maximize", "block.x.max", "--rtol", "1e-7"]
    asked += ["--begin", "start:block.x.rate=0.5"]
    (folder / "one.yaml").write_text(MODEL + OPTIMIZE.replace("  minimize: block.x.last\n", ""))
    assert main(["optimize", "one.yaml", *asked, "--vary", "spring.damping=0.5:8", "-o", "best.json"]) == 0
    analysis = lw.read_document("best.json").analysis
    assert analysis["start"] == {"block.x": 0.3, "block.x.rate": pytest.approx(1.0)} and analysis["rtol"] == 1e-7
    assert main(["run", "best.json"]) == 0


def test_the_best_model_of_a_rest_is_asked_for_it(folder, capsys):
    asked = ["--vary", "L=0.5:2", "--maximize", "block.x", "-o", "best.yaml"]
    (folder / "rest.yaml").write_text(MODEL + "analysis: {type: optimize, analysis: equilibrium}\n")
    assert main(["optimize", "rest.yaml", *asked]) == 0
    assert lw.read_document("best.yaml").analysis["type"] == "equilibrium"
    assert main(["run", "best.yaml"]) == 0


def test_the_fitted_model_runs_as_long_as_the_record(folder, capsys):
    assert main(["fit", "fit.yaml", "--output", "best.yaml"]) == 0
    assert lw.read_document("best.yaml").analysis == {
        "type": "simulate",
        "duration": 2.0,
        "start": {"block.x": 0.3},
        "coordinates": "joint",
    }
    assert main(["run", "best.yaml"]) == 0


def test_limits_that_cannot_be_met_are_the_answer_no(folder, capsys):
    data = told(capsys, "optimize", "optimize.yaml", "--subject-to", "block.x.last >= 7 m", status=1)
    assert not data["converged"] and "no design within the bounds" in data["why"]


@pytest.mark.parametrize("command", ["run", "fit"])
def test_a_file_that_asks_for_a_fit(command, folder, capsys):
    data = told(capsys, command, "fit.yaml")
    assert data["values"] == pytest.approx({"spring.stiffness": 50.0, "spring.damping": 1.2}, rel=1e-4)
    assert data["noise"] == {"block.x": 0.001} and data["converged"] and data["undetermined"] == {}


def test_a_fit_by_options_is_drawn(folder, capsys):
    pytest.importorskip("matplotlib")
    asked = ["--vary", "spring.stiffness=10 N/m:200 N/m", "--vary", "spring.damping=0:10", "--measured", "record.csv"]
    assert main(["fit", "plain.yaml", *asked, "--start", "block.x=0.3", "--plot", "fit.png", "-o", "best.json"]) == 0
    out = capsys.readouterr().out
    assert "Fit of 'oscillator' to block.x" in out and "drawn to fit.png" in out and "40 values" in out
    assert lw.read("best.json").number("spring.stiffness") == pytest.approx(50.0, rel=1e-4)
    assert (folder / "fit.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["optimize", "plain.yaml"], "nothing about what is varied"),
        (["optimize", "plain.yaml", "--vary", "spring.damping=1:2"], "nothing about what is made best"),
        (["optimize", "plain.yaml", "--vary", "spring.damping=1"], "NAME=LEAST:GREATEST"),
        (["optimize", "optimize.yaml", "--vary", "spring.dampin=1:2"], "spring.damping"),
        (["optimize", "optimize.yaml", "--minimize", "block.x"], "is a series"),
        (["optimize", "optimize.yaml", "--subject-to", "block.x"], "limit that is none"),
        (["optimize", "optimize.yaml", "--method", "slspq"], "slsqp"),
        (["optimize", "optimize.yaml", "--output", "best.txt"], "ending that does not fit"),
        (["fit", "plain.yaml", "--vary", "spring.damping=1:2"], "nothing about what was measured"),
        (["fit", "fit.yaml", "--measured", "nowhere.csv"], "cannot be read as a table"),
        (["fit", "fit.yaml", "--measured", "fit.yaml"], "fit.yaml"),
        (["fit", "fit.yaml", "--noise", "block.x=1 kg"], "noise"),
        (["fit", "fit.yaml", "--noise", "1 kg"], "noise"),
        (["fit", "fit.yaml", "--noise", "=1 mm"], "NAME=VALUE"),
    ],
)
def test_wrong_use(arguments, words, folder, capsys):
    assert main(arguments) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("written", "instead", "words"),
    [
        ("[10, 200]", "10", r":13:.*analysis \(fit\) .*least and greatest: \[10, 50\]"),
        ("[10, 200]", "[10 kg, 200]", ":13:.*.*spring"),
        ("[10, 200]", "[200, 10]", r":13:\d+: fit of .*bounds in the wrong order"),
        ("[10, 200]", "[10, 200, 3]", r":13:\d+: fit of .*has no bounds"),
        ("record.csv", "../record.csv", ":14:.*.*outside the folder"),
        ("noise: {block.x: 1 mm}", "workers: 2", ":15:.*.*workers belongs to the machine"),
        ("noise: {block.x: 1 mm}", "duration: 2", ":15:.*.*unknown field"),
        ("noise: {block.x: 1 mm}", "method: slsqp", ":15:.*.*least squares"),
    ],
)
def test_files_that_are_wrong(written, instead, words, folder):
    text = (MODEL + FIT).replace(written, instead)
    (folder / "wrong.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(FileError, match=words):
        lw.read("wrong.yaml")


def test_pages_and_plots_show_the_present_design(folder, capsys):
    pytest.importorskip("matplotlib")
    assert main(["plot", "optimize.yaml", "--show", "block.x", "--output", "x.png"]) == 0


def test_the_best_model_has_the_units_of_the_file(tmp_path, capsys):
    """It drops by 2 m g / k: the stiffest spring holds it highest."""
    m = lw.Mechanism("hanging", parameters={"k": "0.05 N/mm"})
    ball = m.add("ball", lw.Particle(1.0, position=(0.0, -1.0)))
    m.add("spring", lw.SpringDamper(m.ground, ball, stiffness="k", rest_length=1.0))
    lw.write(m, tmp_path / "model.yaml")
    text = (tmp_path / "model.yaml").read_text(encoding="utf-8")
    (tmp_path / "model.yaml").write_text(re.sub(r"\bk: [^}\n]*", "k: 0.05 N/mm", text), encoding="utf-8")
    out = tmp_path / "best.yaml"
    asked = ["--vary", "k=0.01 N/mm:1 N/mm", "--maximize", "ball.y.min", "--duration", "0.5", "--most-runs", "40"]
    assert main(["optimize", str(tmp_path / "model.yaml"), *asked, "--output", str(out)]) == 0
    told = re.search(r"k: (\S+) N/mm", out.read_text(encoding="utf-8"))
    assert told is not None and float(told[1]) == 1.0
