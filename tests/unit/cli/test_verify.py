"""`linkwork verify`: its table, its JSON and its exit status."""

import json

import pytest

import linkwork as lw


def test_sets_that_agree(cli):
    status, out, err = cli("verify", "gallery:four_bar", "--duration", "0.1")
    assert status == 0 and err == "" and "the sets agree" in out
    assert all(word in out for word in ("body - joint", "position", "force", "energy"))


def test_sets_that_do_not(cli):
    status, out, err = cli("verify", "gallery:pendulum", "--duration", "0.5", "--rtol", "1e-4", "--tolerance", "1e-15")
    assert status == 1 and "do NOT agree" in out and "Traceback" not in err


def test_json(cli):
    status, out, _ = cli("verify", "gallery:pendulum", "--duration", "100 ms", "--json")
    data = json.loads(out)
    assert status == 0 and data["ok"] is True and data["tolerance"] == 1e-5 and data["left_out"] == {}
    assert {"sets", "quantity", "relative", "where", "time"} == set(data["differences"][0])
    assert max(one["relative"] for one in data["differences"]) < 1e-5
    status, out, _ = cli("verify", "gallery:pendulum", "--duration", "0.5", "--rtol", "1e-4", "--tolerance", "1e-15",
                         "--json")  # fmt: skip
    assert status == 1 and json.loads(out)["ok"] is False


def test_the_duration_of_the_file_is_cut_at_a_second(cli):
    status, out, _ = cli("verify", "gallery:double_pendulum", "--json")
    assert status == 0
    assert max(one["time"] for one in json.loads(out)["differences"]) <= 1.0


def test_start_values(cli):
    status, out, _ = cli("verify", "gallery:pendulum", "--duration", "0.1", "--start", "A.angle=20 deg", "--json")
    assert status == 0, out
    status, _, err = cli("verify", "gallery:pendulum", "--duration", "0.1", "--start", "Nowhere.angle=20 deg")
    assert status == 2 and "Nowhere" in err


@pytest.mark.parametrize("arguments", [("none.yaml",), ("gallery:pendulum", "--duration", "soon"), ()])
def test_input_that_cannot_be_right(cli, arguments):
    status, out, err = cli("verify", *arguments)
    assert status == 2 and out == "" and err and "Traceback" not in err


def test_a_mechanism_that_cannot_be_assembled(cli, tmp_path):
    (tmp_path / "far.yaml").write_text(
        "linkwork: 1\nname: too short\nbodies:\n  one: {shape: bar, length: 1, mass: 1}\n"
        "joints:\n  A: {type: Revolute, on: {ground: [0, 0]}, to: one.a}\n"
        "  C: {type: Revolute, on: {ground: [5, 0]}, to: one.b}\n"
    )
    status, _, err = cli("verify", "far.yaml")
    assert status == 1 and "cannot be assembled" in err


def test_a_set_that_is_left_out_has_no_part_in_agreement(cli, tmp_path):
    m = lw.Mechanism("bare")
    one = m.add("one", lw.Body(0.0, 0.0, position=(0.0, 0.0), angle=0.0))
    two = m.add("two", lw.Body(1.0, 1.0, position=(1.0, 0.0), angle=0.0))
    m.add("A", lw.Revolute(m.ground, one))
    m.add("S", lw.Prismatic(m.ground, two))
    m.add("B", lw.Rod(one.at(0.0, 0.5), two, length=1.118033988749895))
    lw.write(m, tmp_path / "bare.yaml")
    lw.write(m.in_space(), tmp_path / "space.yaml")
    for name in ("bare", "space"):
        found, out, _ = cli("verify", f"{name}.yaml", "--duration", "0.05", "--json")
        data = json.loads(out)
        assert found == 0 and data["ok"] is True and "inertia" in data["left_out"]["joint"]
