"""Inverse dynamics and speed by position on the command line and in model files."""

import json
import math

import pytest

import linkwork as lw

ROD = """linkwork: 1
name: rod
bodies:
  rod: {shape: bar, length: 1, mass: 3}
joints:
  A: {type: Revolute, on: ground, to: rod.a}
DRIVERS
analysis: {type: KIND, MORE}
"""
MOTOR = "drivers: {motor: {measure: A.angle, function: 2 rad/s^2*t^2}}"
G = 9.81


@pytest.fixture
def rod(tmp_path):
    """Writes the rod with an analysis."""

    def write(kind, more, drivers=MOTOR):
        path = tmp_path / "rod.yaml"
        path.write_text(ROD.replace("DRIVERS", drivers).replace("KIND", kind).replace("MORE", more))
        return path

    return write


def effort(answer, name="motor.effort"):
    return json.loads(answer)["series"][name]


def test_drivers_of_a_file(cli, rod):
    file = rod("inverse_dynamics", "duration: 1, every: 100 ms")
    status, out, err = cli("run", file)
    assert status == 0 and "Inverse dynamics of 'rod'" in out and "motor.effort" in out, err
    status, out, err = cli("inverse-dynamics", file, "--json", "--check", "--coordinates", "body")
    told = json.loads(out)
    assert status == 0 and told["options"]["analysis"] == "inverse_dynamics" and told["times"] == 11
    assert told["series"]["motor.effort"]["first"] == pytest.approx(1.0 * 4.0 + 3 * G / 2)  # m l^2/3 = 1
    assert max(told["options"]["checks"].values()) < 1e-9
    status, out, err = cli("inverse-dynamics", "gallery:slider_crank", "--duration", "0.04", "--check")
    assert status == 0 and "elimination   motor within" in out, err


def test_actuators_of_a_file_and_of_the_line(cli, rod):
    status, out, err = cli("run", rod("inverse_dynamics", "times: [0, 0.5, 1 s], actuators: [rod.b.y]"), "--json")
    assert status == 0 and effort(out, "rod b y.effort")["first"] == pytest.approx(4.0 + 3 * G / 2), err
    file = rod("inverse_dynamics", "times: [0, 0.5], actuators: {A.angle: 3, rod.b.y: 1}")
    status, out, err = cli("run", file, "--json")
    told, total = json.loads(out), 4.0 + 3 * G / 2
    assert status == 0 and told["options"]["over_actuated"] == 1, err
    assert told["series"]["A angle.effort"]["first"] == pytest.approx(0.9 * total)  # 9 to 1 by the squared ratings
    line = ["--actuator", "A.angle=1", "--actuator", "rod.b.y", "--json"]
    status, out, err = cli("inverse-dynamics", file, *line)
    assert status == 0 and effort(out, "A angle.effort")["first"] == pytest.approx(0.5 * total), err
    status, _, err = cli("inverse-dynamics", file, "--actuator", "B.angle")
    assert status == 2 and "B.angle" in err


def test_motions_from_files(cli, rod, tmp_path):
    file = rod("simulate", "duration: 1")
    assert cli("run", file, "--every", "0.02", "--output", "run.json")[0] == 0
    status, out, err = cli("inverse-dynamics", file, "--motion", "run.json", "--json")
    assert status == 0 and effort(out)["first"] == pytest.approx(4.0 + 3 * G / 2), err
    assert cli("run", file, "--every", "0.02", "--output", "run.csv")[0] == 0  # a result, by the file beside it
    status, out, err = cli("inverse-dynamics", file, "--motion", "run.csv", "--json")
    assert status == 0 and effort(out)["first"] == pytest.approx(4.0 + 3 * G / 2), err
    lines = [f"{k / 50},{math.degrees(2 * (k / 50) ** 2)!r}" for k in range(51)]
    (tmp_path / "table.csv").write_text("\n".join(["t,A.angle [deg]", *lines]))
    status, out, err = cli("inverse-dynamics", file, "--motion", "table.csv", "--json")
    assert status == 0 and effort(out)["first"] == pytest.approx(4.0 + 3 * G / 2, rel=1e-6), err
    assert "A.angle" in json.loads(out)["options"]["recorded"]


def test_wrong_use_of_inverse_dynamics(cli, rod):
    status, _, err = cli("inverse-dynamics", "gallery:pendulum", "--duration", "1")
    assert status == 2 and "has no driver" in err
    status, _, err = cli("inverse-dynamics", rod("check", "coordinates: body"))
    assert status == 2 and "how long" in err
    for more, words in (("duration: 1, actuators: A.angle", "actuators"), ("duration: 1, motion: x.csv", "motion")):
        status, _, err = cli("run", rod("inverse_dynamics", more))
        assert status == 2 and words in err
    status, _, err = cli("inverse-dynamics", rod("inverse_dynamics", "duration: 1"), "--motion", "none.csv")
    assert status == 2 and "none.csv" in err


def test_speed_by_position(cli, rod):
    file = rod("energy_motion", "over: {A.angle: [0, -90 deg, 91]}, speed: -2 rad/s", "")
    status, out, err = cli("run", file)
    assert status == 0 and "by its energy: 91 positions" in out, err
    told = json.loads(cli("energy-motion", file, "--json")[1])
    assert told["speed"][-1] == pytest.approx(-math.sqrt(4 + 3 * G)) and told["inertia"][0] == pytest.approx(1.0)
    told = json.loads(cli("energy-motion", file, "--over", "A.angle=0,-90 deg,46", "--speed", "-1", "--json")[1])
    assert told["speed"][-1] == pytest.approx(-math.sqrt(1 + 3 * G)) and len(told["t"]) == 46
    status, out, err = cli("energy-motion", file, "--output", "fall.json")
    assert status == 0 and lw.load("fall.json")["A.angle.rate"][-1] == pytest.approx(-math.sqrt(4 + 3 * G)), err


def test_wrong_use_of_speed_by_position(cli, rod):
    for over, words in (("3", "wrong kind"), ("{A.angle: 3}", "no list"), ("{A.angle: [0, x y, 3]}", "A.angle")):
        status, _, err = cli("run", rod("energy_motion", f"over: {over}", ""))
        assert status == 2 and words in err, err
    status, _, err = cli("energy-motion", "gallery:pendulum")
    assert status == 2 and "what moves" in err
    status, _, err = cli("energy-motion", "gallery:pendulum", "--over", "A.angle=0")
    assert status == 2 and "NAME=FROM,TO,COUNT" in err
