"""The command line, in this process: what it prints, where, and its exit status."""

import json
import math
import os
import re
import shlex
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork import cli
from linkwork.cli import COMMANDS, output
from linkwork.errors import RedundancyWarning, printable

BROKEN = """linkwork: 1
name: broken
bodies:
  crank: {shape: bar, length: 1.0, mass: 1.0, colour: red}
joints:
  A: {type: Revolut, on: {ground: [0, 0]}, to: crank.a}
  B: {type: Revolute, on: {ground: [0, 0]}, to: cranck.a}
"""
FAR = """linkwork: 1
name: too short
bodies:
  one: {shape: bar, length: 1, mass: 1}
  two: {shape: bar, length: 1, mass: 1}
joints:
  A: {type: Revolute, on: {ground: [0, 0]}, to: one.a}
  B: {type: Revolute, on: one.b, to: two.a}
  C: {type: Revolute, on: {ground: [5, 0]}, to: two.b}
"""


@pytest.fixture
def model(tmp_path):
    """A model file of its own, to be changed by a test."""
    path = tmp_path / "four_bar.yaml"
    path.write_bytes(lw.gallery.path("four_bar").read_bytes())
    return path


# -- every command -----------------------------------------------------------------------------------------------------


def test_help_and_version(cli):
    status, out, err = cli("--help")
    assert status == 0 and err == "" and all(name in out for name in COMMANDS) and "exit status" in out
    assert cli("--version") == (0, f"linkwork {lw.__version__}\n", "")


def test_without_a_command_it_says_what_there_is(cli):
    assert cli() == cli("--help")


def test_a_series_that_will_not_be_there_is_told_before_the_run(cli, model, monkeypatch):
    monkeypatch.setattr(lw.Mechanism, "simulate", lambda *given, **options: pytest.fail("it ran"))
    status, out, err = cli("run", model, "--duration", "0.1", "--show", "D.angle", "--show", "D.angel")
    assert status == 2 and out == "" and "There is no quantity 'D.angel'" in err and "Nearest: 'D.angle'" in err


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command(cli, command):
    status, out, _ = cli(command, "--help")
    assert status == 0 and "--quiet" in out and "usage: linkwork " + command in out


@pytest.mark.parametrize(
    "arguments",
    [
        ("--walk",),
        ("walk",),
        ("run",),
        ("run", "a.yaml", "--every", "soon"),
        ("run", "a.yaml", "--start", "A.angle"),
        ("run", "a.yaml", "-q", "-v"),
    ],
)
def test_wrong_arguments(cli, arguments):
    status, out, err = cli(*arguments)
    assert status == 2 and out == "" and "usage:" in err


@pytest.mark.parametrize("command", ["run", "check", "assemble", "evaluate"])
@pytest.mark.parametrize("json_", [(), ("--json",)])
def test_wrong_files(cli, tmp_path, command, json_):
    """All problems of a file with their lines, on stderr, without a traceback."""
    (tmp_path / "broken.yaml").write_text(BROKEN)
    for name, words in (
        ("broken.yaml", ("broken.yaml:4", "colour", "broken.yaml:6", "Revolut", "broken.yaml:7")),
        ("none.yaml", ("none.yaml", "no such file")),
        ("gallery:fourbar", ("four_bar",)),
        (".", ("directory",)),
    ):
        status, out, err = cli(command, name, *json_)
        assert status == 2 and "Traceback" not in err and err.startswith("linkwork: ")
        assert all(word in err for word in words), err
        if json_:
            data = json.loads(out)
            assert data["ok"] is False and data["status"] == 2 and data["error"] and data["message"]
        else:
            assert out == ""


@pytest.mark.parametrize("command", [("check",), ("assemble",), ("run", "--duration", "1")])
def test_the_answer_is_no(cli, tmp_path, command):
    (tmp_path / "far.yaml").write_text(FAR)
    status, out, err = cli(command[0], "far.yaml", *command[1:])
    assert status == 1 and "cannot be assembled" in err and "Traceback" not in err


@pytest.mark.parametrize(
    "command", [("check",), ("assemble",), ("evaluate",), ("run", "--duration", "0.1"), ("gallery",)]
)
def test_quiet_prints_nothing(cli, command):
    arguments = [command[0], *(["gallery:pendulum"] if command[0] != "gallery" else []), *command[1:], "-q"]
    assert cli(*arguments) == (0, "", "")


def test_a_mistake_of_ours_is_no_traceback(cli, monkeypatch):
    def broken(*unused):
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("linkwork.cli.check.run", broken)
    status, out, err = cli("check", "gallery:pendulum")
    assert status == 1 and "oops" in err and "report" in err and "Traceback" not in err
    with pytest.raises(ZeroDivisionError):
        cli("check", "gallery:pendulum", "-v")


def test_interrupted(cli, monkeypatch):
    def stop(*unused):
        raise KeyboardInterrupt

    monkeypatch.setattr("linkwork.cli.check.run", stop)
    assert cli("check", "gallery:pendulum")[0] == 130


# -- check, assemble, evaluate -----------------------------------------------------------------------------------------


def test_check(cli, model):
    status, out, err = cli("check", model)
    assert status == 0 and "freedom              1" in out and err == ""
    data = json.loads(cli("check", model, "--json")[1])
    assert data["ok"] and data["freedom"] == 1 and data["loops"] == 1 and data["redundant"] == 0
    assert cli("check", model, "--strict")[0] == 0


def test_check_strict_says_no_to_redundant_constraints(cli, tmp_path):
    (tmp_path / "twice.yaml").write_text(
        "linkwork: 1\nname: twice\nbodies: {rod: {shape: bar, length: 1, mass: 1}}\njoints:\n"
        "  A: {type: Revolute, on: {ground: [0, 0]}, to: rod.a}\n"
        "  B: {type: Revolute, on: {ground: [0, 0]}, to: rod.a}\n"
    )
    assert cli("check", "twice.yaml")[0] == 0
    status, out, _ = cli("check", "twice.yaml", "--strict")
    assert status == 1 and "redundant" in out


def test_assemble_prints_corrected_initial_conditions(cli, model):
    status, out, _ = cli("assemble", model, "--start", "A.angle=90 deg", "--start", "A.angle.rate=10 rpm")
    assert status == 0 and "Corrected initial conditions" in out
    row = next(line.split() for line in out.splitlines() if line.split()[:1] == ["crank.angle"])
    assert float(row[1]) == pytest.approx(np.pi / 2, abs=1e-8) and float(row[2]) == pytest.approx(np.pi / 3, abs=1e-8)
    data = json.loads(cli("assemble", model, "--json")[1])
    assert data["coordinates"]["crank.angle"]["value"] == pytest.approx(np.pi / 3)
    assert data["freedom"] == 1 and data["other ways"] >= 1 and set(data["moved"]) == {"crank", "coupler", "rocker"}


def test_weights_of_the_file_and_of_the_command_line(cli):
    """Two bodies a metre from where they meet: the lighter one goes, by the ratio of the weights."""
    text = (
        "linkwork: 1\nbodies:\n  one: {mass: 1, inertia: 1, position: [0, 0], angle: 0}\n"
        "  two: {mass: 1, inertia: 1, position: [1, 0], angle: 0}\n"
        "joints:\n  W: {type: Fixed, on: one, to: two}\n"
    )
    Path("weld.yaml").write_text(text)
    Path("heavy.yaml").write_text(text + "analysis: {type: assemble, weights: {one.position: 3}}\n")
    for arguments, wanted in (
        (("weld.yaml",), 0.5),
        (("weld.yaml", "--weight", "one=3"), 0.25),
        (("weld.yaml", "--weight", "one.x=9", "--weight", "two.angle=2"), 0.1),
        (("heavy.yaml",), 0.25),
        (("heavy.yaml", "--weight", "one.position=1"), 0.5),
    ):
        data = json.loads(cli("assemble", *arguments, "--json")[1])
        assert data["coordinates"]["one.x"]["value"] == pytest.approx(wanted, abs=1e-9)
        assert set(data["independent"]) == {"one.x", "one.y", "one.angle"} | {
            f"one.{q}.rate" for q in ("x", "y", "angle")
        }
    assert cli("check", "heavy.yaml")[0] == 0
    status, _, err = cli("check", "weld.yaml", "--weight", "on=3")
    assert status == 2 and "There is no weight 'on'" in err and "one" in err


def test_a_conflict_is_named_for_machines(cli):
    Path("far.yaml").write_text(
        "linkwork: 1\nbodies:\n  rod: {mass: 1, inertia: 1, points: {a: [-0.5, 0], b: [0.5, 0]}}\njoints:\n"
        "  A: {type: Revolute, on: ground, to: rod.a}\n  B: {type: Revolute, on: {ground: [2, 0]}, to: rod.b}\n"
    )
    status, out, err = cli("check", "far.yaml", "--json")
    assert status == 1 and set(json.loads(out)["conflict"]) == {"A", "B"}
    assert "Leave out any one of these" in err


def test_check_tells_redundancy_for_machines(cli):
    Path("twice.yaml").write_text(
        "linkwork: 1\nbodies:\n  rod: {mass: 1, inertia: 1, points: {a: [-0.5, 0]}}\njoints:\n"
        "  A: {type: Revolute, on: ground, to: rod.a}\n  B: {type: Revolute, on: ground, to: rod.a}\n"
        "drivers:\n  d: {measure: A.angle, function: t}\n"
    )
    data = json.loads(cli("check", "twice.yaml", "--json")[1])
    assert data["redundant"] == 2 and data["rank"] == 3 and data["driven"][0] == "fully driven"
    assert data["groups"][0][1] == ["A", "B"] and "instead of Revolute" in data["suggestion"]
    assert "would help, as tried" in cli("check", "twice.yaml")[1]


def test_evaluate(cli):
    data = json.loads(cli("evaluate", "gallery:inverted_slider_crank", "--assemble", "--json")[1])
    assert data["values"]["O.angle"] == pytest.approx(6.021385919)
    assert data["accelerations"]["crank.angle"] == pytest.approx(-26.8578, abs=1e-3)
    assert len(data["jacobian"]) == len(data["rows"]) == 8 and len(data["columns"]) == 9
    status, out, _ = cli(
        "evaluate", "gallery:pendulum", "--state", "rod.angle=90 deg", "--state", "rod.y=0.5", "--state", "rod.x=0"
    )
    assert status == 0 and "Reactions" in out and "potential" in out
    status, out, _ = cli("evaluate", "gallery:pendulum", "--show", "rod.angle.acceleration", "--json")
    assert json.loads(out)["values"]["rod.angle.acceleration"] == pytest.approx(-1.5 * 9.81)
    assert cli("evaluate", "gallery:pendulum", "--show", "rod.angel")[0] == 2


def test_evaluate_uses_the_start_values_of_the_file(cli, model):
    """The four-bar's file asks for A.angle = 60 deg, its bodies are declared elsewhere."""
    text = model.read_text()
    found = json.loads(cli("evaluate", model, "--json")[1])
    assert found["values"]["A.angle"] == pytest.approx(np.pi / 3) and max(map(abs, found["constraint_error"])) < 1e-9
    found = json.loads(cli("evaluate", model, "--start", "A.angle=1.2", "--show", "A.angle", "--json")[1])
    assert found["values"]["A.angle"] == pytest.approx(1.2)
    found = json.loads(cli("evaluate", model, "--state", "crank.angle=0.3", "--show", "crank.angle", "--json")[1])
    assert found["values"]["crank.angle"] == 0.3  # taken as it is
    model.write_text(text.split("analysis:")[0] + "analysis: {type: evaluate, state: {crank.angle: 20 deg}}\n")
    found = json.loads(cli("run", model, "--json")[1])
    assert found["values"]["crank.angle"] == pytest.approx(np.pi / 9)


def test_evaluate_in_space(cli):
    status, out, err = cli("evaluate", "gallery:spatial_chain")
    assert status == 0, err
    assert "pin10" in out


# -- run ---------------------------------------------------------------------------------------------------------------


def test_run_does_what_the_file_says(cli, model):
    status, out, err = cli("run", model)
    assert status == 0 and err == ""
    assert "0 to 10 s, 1001 times" in out and "energy not accounted for" in out and "D.angle [rad]" in out


def test_options_replace_those_of_the_file(cli, model):
    out = cli(
        "run",
        model,
        "--duration",
        "0.5",
        "--every",
        "50 ms",
        "--start",
        "A.angle=1.5",
        "--method",
        "dopri5",
        "--rtol",
        "1e-6",
        "--coordinates",
        "body",
        "--json",
    )[1]
    data = json.loads(out)
    assert data["t"] == [0.0, 0.5] and data["times"] == 11
    assert data["series"]["A.angle"]["first"] == pytest.approx(1.5)
    assert data["options"]["method"] == "dopri5" and data["options"]["rtol"] == 1e-6
    assert data["energy_balance"] < 1e-3 and data["violation"] < 1e-9
    assert data["digest"] == lw.digest(lw.gallery.four_bar())


def test_near_chooses_the_branch(cli, model):
    text = re.sub(r", angle: (33|94) deg", "", model.read_text())
    model.write_text(text)
    ends = [
        json.loads(
            cli(
                "run",
                model,
                "--duration",
                "0.1",
                "--near",
                f"coupler.angle={near}",
                "--near",
                f"rocker.angle={other}",
                "--json",
                "--show",
                "coupler.angle",
            )[1]
        )["series"]["coupler.angle"]["first"]
        for near, other in (("0.57", "1.64"), ("-1.19", "4.02"))
    ]
    assert ends[0] == pytest.approx(0.5734, abs=1e-3) and ends[1] == pytest.approx(-1.194, abs=1e-2)


@pytest.mark.parametrize("ending", ["nc", "csv", "json", "parquet"])
def test_results_are_written_and_can_be_loaded(cli, model, tmp_path, ending):
    path = tmp_path / f"motion.{ending}"
    status, out, _ = cli("run", model, "--duration", "0.1", "--output", path)
    assert status == 0 and f"written to {path}" in out
    back = lw.load(path)
    assert back.t[-1] == 0.1 and back.mechanism.name == "four-bar"


def test_pictures(cli, model, tmp_path):
    pytest.importorskip("matplotlib")
    status, out, _ = cli("run", model, "--duration", "0.1", "--plot", "a.png", "--draw", "b.png", "--show", "D.angle")
    assert status == 0 and "written to a.png" in out and "written to b.png" in out
    assert (tmp_path / "a.png").stat().st_size > 1000 and (tmp_path / "b.png").stat().st_size > 1000


def test_wrong_ending_is_said_before_the_run(cli, model):
    status, out, err = cli("run", model, "--output", "a.xls")
    assert status == 2 and ".parquet" in err and out == ""


@pytest.mark.parametrize("option", ["--output", "--plot", "--draw"])
def test_a_place_that_cannot_be_written_to_is_said_before_the_run(cli, model, tmp_path, monkeypatch, option):
    monkeypatch.setattr(lw.Mechanism, "simulate", lambda *given, **options: pytest.fail("was run"))
    ending = "csv" if option == "--output" else "png"
    (tmp_path / f"folder.{ending}").mkdir()
    for path in (f"none/a.{ending}", f"folder.{ending}", model / f"a.{ending}"):
        status, out, err = cli("run", model, option, path)
        assert status == 2 and out == "" and "cannot be written" in err and "Traceback" not in err
    assert cli("demo", "--output", model)[0] == 2


def test_run_says_which_initial_conditions_it_corrected(cli, tmp_path):
    text = (
        "linkwork: 1\nbodies:\n  rod: {shape: bar, length: 1, mass: 1, position: [%s, 0], angle: %s}\n"
        "joints:\n  A: {type: Revolute, on: ground, to: rod.a}\nanalysis: {type: simulate, duration: 0.1}\n"
    )
    for place, angle, told in ((0.5, 0, None), (0.5, "360 deg", None), (0.6, 0, "rod.x 0.6 -> 0.5")):
        (tmp_path / "p.yaml").write_text(text % (place, angle))
        out = cli("run", "p.yaml")[1]
        assert ("initial conditions were corrected" in out) == (told is not None), out
        assert told is None or told in out
        found = json.loads(cli("run", "p.yaml", "--json")[1])["corrected"]
        assert set(found) <= {"rod.x", "rod.angle"} and bool(found) == (told is not None)


def test_verbose_run_prints_corrected_initial_conditions(cli, model):
    status, out, _ = cli("run", model, "--duration", "0.1", "-v")
    assert status == 0 and "Corrected initial conditions" in out and out.index("Corrected") < out.index("Motion of")


def test_no_duration(cli, model):
    model.write_text(model.read_text().split("analysis:")[0])
    status, _, err = cli("run", model)
    assert status == 2 and "--duration" in err
    assert cli("run", model, "--duration", "0.1")[0] == 0


def test_parameters_are_set(cli):
    out = cli("run", "gallery:slider_crank", "--set", "crank=40 mm", "--show", "guide.slide", "--json")[1]
    slide = json.loads(out)["series"]["guide.slide"]
    assert slide["greatest"] - slide["least"] == pytest.approx(0.08, abs=1e-6)
    status, _, err = cli("run", "gallery:slider_crank", "--set", "cranc=1")
    assert status == 2 and "cranc" in err


def test_other_analyses_of_a_file(cli, model):
    text = model.read_text().split("analysis:")[0]
    for kind, words in (("check", "freedom"), ("assemble", "Corrected"), ("evaluate", "multiplier")):
        model.write_text(text + f"analysis: {{type: {kind}}}\n")
        status, out, err = cli("run", model)
        assert status == 0 and words in out, err


def test_equilibrium(cli, model):
    """By its own command, and as the analysis of a file; a driven mechanism is told why not."""
    status, out, err = cli("equilibrium", "gallery:macpherson_a")
    assert status == 0 and "stable" in out and "State of rest" in out and "wheel.y" in out, err
    data = json.loads(
        cli("equilibrium", "gallery:pendulum", "--start", "A.angle=80 deg", "--method", "root", "--json")[1]
    )
    assert data["stability"] == "unstable" and data["coordinates"]["rod.angle"] == pytest.approx(math.pi / 2)
    growing = max(mode["eigenvalue"][0] for mode in data["modes"])
    assert growing == pytest.approx(math.sqrt(1.5 * 9.81 / 1.0), rel=1e-6)
    text = model.read_text().split("analysis:")[0]
    model.write_text(text + "analysis: {type: equilibrium, method: downhill}\n")
    status, out, err = cli("run", model)
    assert status == 0 and "Equilibrium of" in out, err
    model.write_text(text + "analysis: {type: equilibrium, method: sideways}\n")
    status, _, err = cli("run", model)
    assert status == 2 and "sideways" in err
    status, _, err = cli("equilibrium", "gallery:slider_crank")
    assert status == 1 and "moved by 'motor'" in err


def test_dialogue_of_the_book_answered_by_options(cli):
    """DAP_BC asks: which model, are the initial conditions to be corrected, the final time, the reporting step."""
    status, out, _ = cli("run", "gallery:sliding_pendulum", "--duration", "4", "--every", "0.02", "-v")
    assert status == 0 and "201 times" in out
    row = next(line.split() for line in out.splitlines() if line.split()[:1] == ["rod.y"])
    assert float(row[1]) == pytest.approx(-0.23301, abs=1e-5)  # the corrected value that the book prints
    status, _, err = cli("run", "gallery:sliding_pendulum", "--duration", "4", "--every", "0.02", "--no-correction")
    assert status == 1 and "violates positions of" in err and "--no-correction" in err
    status, _, err = cli("run", "gallery:cart", "--no-correction")
    assert status == 1 and "violates velocities of motor" in err
    assert cli("run", "gallery:n_four_bar", "--duration", "0.1", "--no-correction")[0] == 0


def test_constraints_to_compare(cli, tmp_path):
    """A declared state that violates constraints is run as it is, where they are held otherwise."""
    words = "run", "gallery:sliding_pendulum", "--duration", "1", "--no-correction"
    status, out, err = cli(
        *words, "--constraints", "baumgarte", "--alpha", "5", "--beta", "6 1/s", "--coordinates", "body"
    )
    assert status == 0 and "constraints are not kept" in out + err
    assert "alpha 5 and beta 6 1/s; from a state that was not corrected" in out.splitlines()[0]
    status, out, _ = cli(*words, "--constraints", "none", "--coordinates", "body")
    assert status == 0 and "constraints not held; from a state that was not corrected" in out
    status, _, err = cli(*words, "--constraints", "nune")
    assert status == 2 and "'nune'" in err and "'baumgarte'" in err
    assert cli("run", "gallery:four_bar", "--duration", "1", "--alpha", "5")[0] == 2
    status, out, _ = cli(
        "run", "gallery:four_bar", "--duration", "1", "--every", "step", "--method", "rk4", "--step", "0.25"
    )
    assert status == 0 and "5 times" in out
    assert cli("run", "gallery:four_bar", "--duration", "1", "--every", "steps")[0] != 0
    text = lw.gallery.path("sliding_pendulum").read_text(encoding="utf-8").split("\nanalysis:")[0]
    (tmp_path / "as_it_is.yaml").write_text(
        text + "\nanalysis: {type: simulate, duration: 1, constraints: none, correct: false, coordinates: body}\n"
    )
    status, out, _ = cli("run", "as_it_is.yaml")
    assert status == 0 and "constraints not held; from a state that was not corrected" in out


def test_a_run_that_stops_keeps_what_was_reached(cli, tmp_path):
    """A driver pulls two bars of 1 m longer than 2 m, which they reach after 1 s."""
    (tmp_path / "stuck.yaml").write_text(
        "\n".join(FAR.splitlines()[:-1])
        + (
            "\ndrivers:\n  pull:\n    measure: {type: Distance, on: {ground: [0, 0]}, to: two.b}\n"
            "    function: 1.5 + 0.5*t\n"
        )
    )
    status, out, err = cli(
        "run",
        "stuck.yaml",
        "--duration",
        "2",
        "--every",
        "0.1",
        "--near",
        "A.angle=40 deg",
        "--near",
        "B.angle=-80 deg",
        "--output",
        "part.json",
    )
    assert status == 1 and "Traceback" not in err and "at t = 1 s" in err
    assert "The run stopped at t = " in out and "written to part.json" in out
    assert 0.5 < lw.load(tmp_path / "part.json").t[-1] <= 1.0


# -- files -------------------------------------------------------------------------------------------------------------


def test_schema(cli, tmp_path):
    data = json.loads(cli("schema")[1])
    assert data["$schema"].startswith("http")
    status, out, _ = cli("schema", "--output", "s.json")
    assert status == 0 and "s.json" in out and json.loads((tmp_path / "s.json").read_text()) == data


def test_fmt_keeps_comments_and_meaning(cli, model):
    before = lw.digest(lw.read(model))
    assert cli("fmt", "--check", model)[0] == 0
    model.write_text(model.read_text().replace("mass: 1.0", "mass:   1.0").replace("joints:", "joints:   # pins"))
    status, out, _ = cli("fmt", "--check", model)
    assert status == 1 and "would change" in out and "mass:   1.0" in model.read_text()
    assert cli("fmt", model)[0] == 0
    text = model.read_text()
    assert "# pins" in text and "mass:   1.0" not in text and text.startswith("# A crank-rocker")
    assert lw.digest(lw.read(model)) == before and cli("fmt", "--check", model)[0] == 0


def test_fmt_of_what_is_no_yaml(cli, tmp_path):
    (tmp_path / "bad.yaml").write_text("a: [1\nb: }\n")
    status, _, err = cli("fmt", "bad.yaml")
    assert status == 2 and "bad.yaml" in err and (tmp_path / "bad.yaml").read_text() == "a: [1\nb: }\n"
    (tmp_path / "latin.yaml").write_bytes("name: Kurbel f\xfcr".encode("latin-1"))
    assert cli("fmt", "latin.yaml")[0] == 2


def test_convert_models(cli, model, tmp_path):
    assert cli("convert", model, "a.json")[0] == 0
    assert cli("convert", "a.json", "b.yaml")[0] == 0
    one, other = lw.read_document(model), lw.read_document(tmp_path / "b.yaml")
    assert lw.digest(one.mechanism) == lw.digest(other.mechanism) and one.analysis == other.analysis
    assert cli("convert", model, "a.csv")[0] == 2


@pytest.mark.parametrize("mass", [".nan", "1e999", "[1]", "heavy"])
@pytest.mark.parametrize("out", ["a.json", "a.yaml"])
def test_convert_refuses_what_cannot_be_read(cli, tmp_path, mass, out):
    (tmp_path / "bad.yaml").write_text(f"linkwork: 1\nbodies: {{b: {{mass: {mass}}}}}\n")
    with pytest.raises(lw.errors.FileError) as caught:
        lw.read(tmp_path / "bad.yaml")
    status, _, err = cli("convert", "bad.yaml", out)
    assert status == 2 and caught.value.problems[0].message in err and "bad.yaml:2:20" in err
    assert not (tmp_path / out).exists()


def test_convert_results(cli, model, tmp_path):
    cli("run", model, "--duration", "0.1", "--output", "a.nc")
    for first, second in (("a.nc", "b.csv"), ("b.csv", "c.json"), ("c.json", "d.parquet")):
        assert cli("convert", first, second)[0] == 0
    one, other = lw.load(tmp_path / "a.nc"), lw.load(tmp_path / "d.parquet")
    np.testing.assert_array_equal(one.stored()["states"], other.stored()["states"])
    assert cli("convert", "a.nc", "e.yaml")[0] == 2
    assert cli("convert", "none.json", "e.yaml")[0] == 2


def test_gallery(cli, tmp_path):
    status, out, _ = cli("gallery")
    assert status == 0 and all(
        any(line.startswith(name + " ") for line in out.splitlines()) for name in lw.gallery.names()
    )
    assert set(json.loads(cli("gallery", "--json")[1])["gallery"]) == set(lw.gallery.names())
    assert cli("gallery", "cart")[1] == lw.gallery.path("cart").read_text(encoding="utf-8")
    assert cli("gallery", "cart", "--write", "models")[0] == 0
    assert (tmp_path / "models" / "cart.yaml").read_bytes() == lw.gallery.path("cart").read_bytes()
    status, _, err = cli("gallery", "cart", "--write", "models")
    assert status == 2 and "--force" in err
    assert cli("gallery", "--write", "models", "--force")[0] == 0
    assert len(list((tmp_path / "models").iterdir())) == len(lw.gallery.names())
    assert cli("gallery", "card")[0] == 2


def test_demo(cli, tmp_path):
    status, out, err = cli("demo")
    assert status == 0, err
    assert all(words in out for words in ("What is it?", "largest difference", "Files"))
    names = {path.name for path in (tmp_path / "demo_output").iterdir()}
    assert {"four_bar.csv", "four_bar.png", "four_bar_motion.png"} <= names
    assert all(name in out for name in names)
    assert len(lw.load(tmp_path / "demo_output" / "four_bar.csv").t) == 1001


def test_bench_needs_the_repository(cli, monkeypatch):
    monkeypatch.setattr("linkwork.cli.bench._repository", lambda: None)
    status, _, err = cli("bench")
    assert status == 2 and "make bench" in err


def test_bench_runs_the_benchmarks(cli, monkeypatch):
    seen = {}

    def instead(command, cwd, check, env):
        seen.update(command=command[1:], cwd=cwd)
        return type("Done", (), {"returncode": 0})

    monkeypatch.setattr("linkwork.cli.bench.subprocess.run", instead)
    assert cli("bench", "--quick", "--", "--only", "overhead")[0] == 0
    assert seen["command"] == ["-m", "benchmarks", "--quick", "--only", "overhead"]
    assert (seen["cwd"] / "benchmarks" / "problems.py").is_file()


# -- printing ----------------------------------------------------------------------------------------------------------


class Terminal:
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


def test_colours_only_on_a_terminal(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert output.painted("x", "1", Terminal()) == "\x1b[1mx\x1b[0m"
    monkeypatch.setenv("NO_COLOR", "1")
    assert output.painted("x", "1", Terminal()) == "x"


def test_a_strangers_name_does_not_play_with_the_terminal():
    assert printable("a\x1b[2Jb\x07") == "a\\x1b[2Jb\\x07"


def test_json_has_no_nan():
    assert output.plain({"a": [float("nan"), np.float64(1.0), np.arange(2)]}) == {"a": [None, 1.0, [0, 1]]}


def test_run_writes_nothing_that_was_not_asked_for(cli, tmp_path):
    status, out, _ = cli("run", "gallery:pendulum", "--duration", "0.1")
    assert status == 0 and "Motion of 'pendulum'" in out
    assert "not written; `linkwork run gallery:pendulum --output pendulum.nc`" in out
    for option in ("--no-output", "--json", "-q"):
        assert cli("run", "gallery:pendulum", "--duration", "0.1", option)[0] == 0
    assert not list(tmp_path.iterdir())
    out = cli("run", "gallery:pendulum", "--duration", "0.1", "--output", "run.json")[1]
    assert "written to run.json" in out and "not written" not in out
    assert lw.load(tmp_path / "run.json").t[-1] == 0.1


def test_check_result_tells_whole_files_from_damaged_ones(cli, tmp_path):
    run = lw.gallery.pendulum().simulate(0.1, coordinates="body")
    paths = [str(tmp_path / f"my run.{form}") for form in ("nc", "csv")]
    for path in paths:
        run.save(path)
    status, out, _ = cli("check-result", *paths)
    assert status == 0 and all(f"{path}: a whole result" in out for path in paths)
    status, out, _ = cli("check-result", "--json", paths[0])
    found = json.loads(out)
    assert status == 0 and found["ok"] and found["files"][0]["mechanism"] == "pendulum"
    with open(paths[1], "ab") as file:
        file.write(b"0.2\n")
    status, out, err = cli("check-result", *paths)
    assert status == 2 and paths[1] in err and "changed or cut" in err and "whole" in out


def test_what_is_said_can_be_copied_to_a_shell(cli, tmp_path):
    path = tmp_path / "it's a $(model).yaml"
    path.write_bytes(lw.gallery.path("pendulum").read_bytes())
    _, out, _ = cli("run", str(path), "--duration", "0.1")
    told = re.search("`(.*)`", out)[1]
    assert shlex.split(told) == ["linkwork", "run", str(path), "--output", "it's a $(model).nc"]
    folder = tmp_path / "two words"
    cli("gallery", "pendulum", "--write", str(folder))
    _, _, err = cli("gallery", "pendulum", "--write", str(folder))
    assert shlex.split(re.search("`(.*)`", err)[1]) == [
        "linkwork",
        "gallery",
        "pendulum",
        "--write",
        str(folder),
        "--force",
    ]


def test_what_a_terminal_would_obey_is_not_printed(cli, capsys):
    out = output.Output()
    out.say("\x1b[2J")
    out.title("\x1b[2J")
    out.table(("\x1b[2J",), [("\x1b[2J\n",)])
    out.fail("\x1b[2J", 2)
    captured = capsys.readouterr()
    assert "\x1b" not in captured.out + captured.err and captured.out.count("\\x1b[2J") == 4
    status, out, err = cli("run", "\x1b[2J", "--\x1b]0;x\x07")
    assert status == 2 and "\x1b" not in out + err and "\x07" not in out + err


@pytest.mark.parametrize(
    "package, extra, arguments",
    [
        ("h5netcdf", "io", ("run", "--output", "motion.nc")),
        ("pyarrow", "io", ("run", "--output", "motion.parquet")),
        ("matplotlib", "plot", ("run", "--plot", "motion.png")),
        ("matplotlib", "plot", ("plot",)),
        ("PIL", "film", ("animate",)),
    ],
)
def test_a_missing_package_is_told_before_the_run(cli, model, monkeypatch, package, extra, arguments):
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setattr(lw.Mechanism, "simulate", lambda *_, **__: pytest.fail("it ran first"))
    status, out, err = cli(arguments[0], model, "--duration", "0.1", *arguments[1:])
    assert status == 2 and out == "" and f"'{package}'" in err and f"linkwork[{extra}]" in err


def test_arguments_that_a_command_does_not_know(cli, model):
    status, out, err = cli("plot", model, "A.angle", "D.angle")
    assert status == 2 and out == "" and "linkwork plot: error: does not know A.angle D.angle" in err
    assert "by --show A.angle" in err
    status, _, err = cli("run", model, "--outptu=x.nc")
    assert status == 2 and "nearest: --output" in err and "`linkwork run --help` lists all" in err
    status, _, err = cli("check", model, "more")
    assert status == 2 and "does not know more (" in err


def test_a_command_that_does_not_exist(capsys):
    assert cli.main(["chek", "model.yaml"]) == 2
    told = capsys.readouterr().err
    assert "no command 'chek'; nearest: check" in told and "invalid choice" not in told


def test_warnings_are_one_line_in_words():
    with cli._short_warnings(()):
        text = warnings.formatwarning(RedundancyWarning("held twice"), RedundancyWarning, "somewhere.py", 8)
        other = warnings.formatwarning(UserWarning("else"), UserWarning, "somewhere.py", 8, "")
    with cli._short_warnings(("begin",)):
        options = warnings.formatwarning(RedundancyWarning("by begin={...}"), RedundancyWarning, "somewhere.py", 8)
    assert options == "linkwork: RedundancyWarning: by --begin NAME=VALUE\n"
    assert text == "linkwork: RedundancyWarning: held twice\n" and "somewhere.py:8" in other
    assert "somewhere.py" in warnings.formatwarning(RedundancyWarning("x"), RedundancyWarning, "somewhere.py", 8, "")


def test_info_says_each_thing_once(capsys, monkeypatch):
    found = {**lw.installation(), "kernels": "compiled by numba", "why": "this installation has none", "library": None}
    found["cache"] = [{"folder": f"kernels-{k}", "bytes": 2_000_000} for k in range(4)]
    monkeypatch.setattr(lw, "installation", lambda: found, raising=False)
    assert cli.main(["info"]) == 0
    out = capsys.readouterr().out
    assert out.count("library") == 1 and "library    this installation has none" in out
    assert "kernels-0 (2.0 MB), used last" in out and out.count("kernels-1") == 1
    assert "3 folders of other kernels beside it (6.0 MB), which may be deleted:" in out
    assert "rm -r kernels-1 kernels-2 kernels-3\n" in out or os.name == "nt"
