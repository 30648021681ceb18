"""Questions about rest on the command line: statics, modes, linear motion, frequency response."""

import json
import math

import pytest

CAR = """linkwork: 1
name: quarter car
bodies:
  plate: {mass: 5, inertia: 1}
  wheel: {mass: 40, inertia: 1}
  body: {mass: 350, inertia: 1}
joints:
  zero: {type: Prismatic, on: {body: ground, angle: 90 deg}, to: {body: plate, angle: 90 deg}}
  one: {type: Prismatic, on: {body: ground, angle: 90 deg}, to: {body: wheel, angle: 90 deg}}
  two: {type: Prismatic, on: {body: ground, angle: 90 deg}, to: {body: body, angle: 90 deg}}
forces:
  tyre: {type: SpringDamper, on: plate, to: wheel, stiffness: 180 kN/m, rest_length: 0.3}
  strut: {type: SpringDamper, on: wheel, to: body, stiffness: 22 kN/m, rest_length: 0.5, damping: 1500}
drivers:
  road: {measure: plate.y, function: 0}
analysis: {type: KIND, MORE start: {one.slide: 0.3, two.slide: 800 mm}}
"""


@pytest.fixture
def car(tmp_path):
    """Writes the car with an analysis."""

    def write(kind, more=""):
        path = tmp_path / "car.yaml"
        path.write_text(CAR.replace("KIND", kind).replace("MORE", more and f"{more},"))
        return path

    return write


def test_statics(cli, car):
    found = json.loads(cli("statics", "gallery:pendulum", "--hold", "A.angle", "--start", "A.angle=0", "--json")[1])
    loads = {one["name"]: one["values"] for one in found["loads"]}
    assert loads["A.angle"]["effort [N m]"] == pytest.approx(9.81 / 2) and found["held"] == ["A.angle"]
    status, out, err = cli("run", car("statics", "hold: all"))
    assert status == 0 and "wheel.y, body.y held" in out, err
    status, out, err = cli("run", car("statics", "hold: [wheel.y, body.y]"))
    assert status == 0 and "3433.5" in out, err
    status, _, err = cli("statics", "gallery:pendulum")
    assert status == 1 and "rod.angle" in err


def test_modes(cli, car):
    status, out, err = cli("run", car("modes"))
    assert status == 0 and "10.742" in out, err
    status, out, _ = cli("modes", car("simulate", "duration: 1"), "--shapes")
    assert status == 0 and "Shape of mode 1" in out
    found = json.loads(cli("modes", "gallery:pendulum", "--json")[1])
    assert found["modes"][0]["frequency"] == pytest.approx(math.sqrt(1.5 * 9.81) / (2 * math.pi))
    assert found["step"] == pytest.approx(0.1 / found["modes"][0]["frequency"])


def test_linearize(cli, car):
    found = json.loads(cli("run", car("linearize", "outputs: [strut.tension]"), "--json")[1])
    assert found["outputs"] == ["strut.tension"] and found["inputs"][0] == "road"
    assert found["A"][2][:2] == pytest.approx([-5050, 550])
    other = json.loads(
        cli(
            "linearize",
            car("check"),
            "--input",
            "body.y",
            "--state",
            "one.slide",
            "--state",
            "two.slide",
            "--show",
            "body.y",
            "--start",
            "one.slide=0.3",
            "--start",
            "two.slide=0.8",
            "--json",
        )[1]
    )
    assert other["states"][:2] == ["one.slide", "two.slide"] and other["B"][3] == pytest.approx([1 / 350])


def test_frequency_response(cli, car, tmp_path):
    asked = "inputs: road, outputs: [body.y, wheel.y], frequencies: [0.1 Hz, 100 Hz], count: 30"
    path, picture = car("frequency_response", asked), tmp_path / "bode.png"
    status, out, err = cli("run", path, "--plot", picture)
    assert status == 0 and "30 frequencies, 0.1 to 100 Hz" in out and picture.exists(), err
    found = json.loads(cli("frequency-response", path, "--from", "1", "--to", "2 Hz", "--count", "3", "--json")[1])
    assert found["frequencies"] == pytest.approx([1.0, math.sqrt(2.0), 2.0])
    assert len(found["size"]["body.y to road"]) == 3
    status, _, err = cli("frequency-response", car("check"), "--from", "1")
    assert status == 2 and "--to" in err
    status, _, err = cli("run", car("frequency_response", "inputs: rode"))
    assert status == 2 and "rode" in err


ROTOR = """linkwork: 1
name: rotor
gravity: [0, 0]
bodies:
  arm: {mass: 1, inertia: 0.2}
  mass: {mass: 0.5, inertia: 0.01}
joints:
  A: {type: Revolute, on: ground, to: arm}
  slot: {type: Prismatic, on: arm, to: mass}
forces:
  spring: {type: SpringDamper, on: arm, to: mass, stiffness: 200, rest_length: 0.3, damping: 1}
analysis: {type: steady, speeds: {A.angle: 12 rad/s}, start: {slot.slide: 0.3}}
"""


def test_steady(cli, tmp_path):
    path = tmp_path / "rotor.yaml"
    path.write_text(ROTOR)
    status, out, err = cli("run", path)
    assert status == 0 and "slot.slide           stays at 0.46875" in out, err
    found = json.loads(cli("steady", path, "--speed", "A.angle=6", "--json")[1])
    assert found["stays"]["slot.slide"] == pytest.approx(60.0 / (200.0 - 0.5 * 36.0))
    assert found["stability"] == "stable" and found["speeds"] == {"A.angle": 6.0}
    status, _, err = cli("steady", "gallery:pendulum", "--speed", "A.angle=3")
    assert status == 0, err
    status, _, err = cli("steady", "gallery:pendulum")
    assert status == 2 and "no driver that moves" in err


def test_equilibria(cli, car, tmp_path):
    found = json.loads(cli("equilibria", "gallery:pendulum", "--over", "A.angle=0,360 deg", "--json")[1])
    assert [one["stability"] for one in found["equilibria"]] == ["unstable", "stable"]
    assert found["equilibria"][1]["at"]["A.angle"] == pytest.approx(1.5 * math.pi)
    text = car("equilibria", "over: {wheel.y: [0, 400 mm], body.y: [0.5, 1]}, count: 5")
    status, out, err = cli("run", text)
    assert status == 0 and "a search from 5 places" in out and "stable" in out, err
    status, _, err = cli("equilibria", "gallery:pendulum")
    assert status == 2 and "--over" in err
    status, _, err = cli("equilibria", "gallery:pendulum", "--over", "A.angle=0")
    assert status == 2 and "NAME=FROM,TO" in err


def test_methods_of_equilibrium(cli):
    for method in ("energy", "damping"):
        status, out, err = cli("equilibrium", "gallery:pendulum", "--method", method, "--start", "A.angle=-1")
        assert status == 0 and f"({method}," in out, err
    status, _, err = cli("equilibrium", "gallery:macpherson_a", "--method", "energy")
    assert status == 1 and "'tyre' stores energy but gives no potential" in err
