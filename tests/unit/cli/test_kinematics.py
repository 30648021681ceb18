"""The commands `linkwork kinematics` and `linkwork range`, and the same asked for by a file."""

import json
import math

import pytest

import linkwork as lw

TEXT = """linkwork: 1
name: slider-crank
bodies:
  crank: {shape: bar, length: 0.5, mass: 0}
  rod: {shape: bar, length: 1.3, mass: 0, points: {tracer: [0.2, 0.3]}}
  block: {mass: 0, inertia: 0}
joints:
  A: {type: Revolute, on: ground, to: crank.a}
  B: {type: Revolute, on: crank.b, to: rod.a}
  C: {type: Revolute, on: rod.b, to: block}
  S: {type: Prismatic, on: ground, to: block}
"""
OVER = "analysis: {type: kinematics, over: {S.slide: [1.3, 2.3, 21]}, near: {A.angle: 1.2}"


@pytest.fixture
def file(tmp_path):
    def write(analysis=""):
        path = tmp_path / "it.yaml"
        path.write_text(TEXT + analysis)
        return path

    return write


def test_names_are_moved_by_a_command(cli, file):
    status, out, err = cli("kinematics", file(), "--over", "A.angle=0,360 deg,37", "--near", "S.slide=1.8")
    assert status == 0 and "37 times" in out and "S.slide [m]" in out and "energy" not in out, err
    status, out, _ = cli(
        "kinematics", file(), "--over", "A.angle=0,360 deg,37", "--near", "S.slide=1.8", "--show", "S.slide", "--json"
    )
    told = json.loads(out)
    assert status == 0 and told["times"] == 37 and "energy" not in told
    assert told["series"]["S.slide"]["greatest"] == pytest.approx(1.8)
    assert told["series"]["S.slide"]["least"] == pytest.approx(0.8)


def test_a_file_asks_for_it(cli, file):
    path = file(OVER + "}")
    with pytest.warns(lw.errors.MotionEndsWarning):
        status, out, _ = cli("run", path)
    assert status == 0 and "ends in a dead centre at S.slide = 1.8" in out
    path = file(OVER + ", reverse: true}")
    for command in ("run", "kinematics"):
        status, out, _ = cli(command, path)
        assert status == 0 and "turned round at t = 0.5 s, S.slide = 1.8" in out
    assert lw.read(path).name == "slider-crank"


def test_all_ways_and_a_picture_of_a_path(cli, file, tmp_path):
    picture = tmp_path / "path.png"
    more = ("--over", "A.angle=0.1,1,11", "--others", "--path", f"rod.tracer={picture}", "-o", str(tmp_path / "r.csv"))
    status, out, _ = cli("kinematics", file(), *more)
    assert status == 0 and "Another way to assemble it (1)" in out and picture.stat().st_size > 1000
    assert (tmp_path / "r.csv").exists()


def test_ranges(cli, file):
    status, out, _ = cli("range", file(), "--name", "A.angle", "--name", "S.slide", "--start", "A.angle=1")
    assert status == 0 and "A.angle turns fully" in out and "S.slide goes from" in out
    path = file("analysis: {type: range, name: S.slide, start: {A.angle: 1}, near: {S.slide: 1.5}}\n")
    assert "S.slide goes from 0.8 m to 1.8 m" in cli("run", path)[1]
    told = json.loads(cli("range", path, "--json")[1])["ranges"][0]
    assert (told["least"], told["greatest"]) == (pytest.approx(0.8), pytest.approx(1.8))
    turning = json.loads(cli("range", file(), "--name", "A.angle", "--json")[1])["ranges"][0]
    assert turning["turns_fully"] is True and turning["least"] is None


def test_over_time(cli, file, tmp_path):
    path = tmp_path / "motor.yaml"
    path.write_text(TEXT + 'drivers:\n  motor: {measure: A.angle, function: "2*t"}\n')
    status, out, _ = cli("kinematics", path, "--duration", "1", "--every", "0.1", "--near", "S.slide=1.8", "--json")
    assert status == 0 and json.loads(out)["times"] == 11


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("kinematics",), "says nothing about how long"),
        (("kinematics", "--over", "A.angle=0,1"), "is not NAME=FROM,TO,COUNT"),
        (("kinematics", "--over", "A.angel=0,1,5"), "A.angle"),
        (("kinematics", "--duration", "1"), "1 freedom that no driver moves"),
        (("range",), "says nothing about what is to be moved"),
        (("range", "--name", "A.angel"), "A.angle"),
    ],
)
def test_wrong_uses(cli, file, arguments, words):
    command, *more = arguments
    status, _, err = cli(command, file(), *more)
    assert status == 2 and words in err


def test_what_a_file_gets_wrong_is_told_with_its_line(file):
    for analysis, words in (
        ("analysis: {type: kinematics, ovr: {A.angle: [0, 1, 3]}}\n", "unknown field"),
        ("analysis: {type: kinematics, over: {A.angle: 3}}\n", "over"),
        ("analysis: {type: range, name: 3, strt: {}}\n", "unknown field"),
    ):
        with pytest.raises(lw.errors.FileError, match=words):
            lw.read(file(analysis))
    assert math.isfinite(lw.read(file()).range("S.slide", start={"A.angle": 1.0}).least)


def test_a_file_that_asks_for_a_simulation_says_how_long(cli, file):
    motor = 'drivers:\n  motor: {measure: A.angle, function: "2*t"}\n'
    path = file(motor + "analysis: {type: simulate, duration: 1, every: 0.1, near: {S.slide: 1.8}, rtol: 1.0e-6}\n")
    for command in ("kinematics", "inverse-dynamics"):
        status, out, err = cli(command, path, "--json")
        assert status == 0 and json.loads(out)["times"] == 11, err
    status, out, err = cli("kinematics", path, "--over", "A.angle=0,1,5", "--near", "S.slide=1.8", "--json")
    assert status == 0 and json.loads(out)["times"] == 5, err


def test_the_name_of_a_range_is_asked_for_by_an_option(cli, file):
    status, _, err = cli("range", file(), "S.slide")
    assert status == 2 and "--name S.slide" in err
