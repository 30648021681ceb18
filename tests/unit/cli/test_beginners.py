"""What a beginner types: answers have names of the mechanism, lines of the record, and options that are missing."""

import pytest

import linkwork as lw
from linkwork.errors import DescriptionError

MODEL = """linkwork: 1
name: pendulum
parameters: {L: 300 mm}
bodies:
  rod: {shape: bar, length: L, mass: 1 kg}
joints:
  A: {type: Revolute, on: {ground: [0, 0]}, to: rod.a}
analysis: {type: simulate, duration: 0.5, start: {A.angle: 30 deg}}
"""


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "m.yaml"
    path.write_text(MODEL, encoding="utf-8")
    return path


@pytest.mark.parametrize(("words", "told"), [
    (["sweep", "--vary", "L=0.2,0.3", "--read", "A.angle.maximum"],
     "reads 'A.angle.maximum', which is no number of 'A.angle'. Got 'maximum'; wanted .first, .last, .min, .max"),
    (["sweep", "--vary", "L=0.2,0.3"], "says nothing about what is read. Give --read A.angle.max, or"),
    (["sweep", "--read", "A.angle.max"], 'about what is varied. Give --vary "L=0.24 m:0.36 m:5", or'),
    (["sweep", "--vary", "L=0.3+-0.01", "--read", "A.angle.max"],
     "is a distribution, which needs samples. Got {'mean': 0.3, 'deviation': 0.01}. Give --over latin and --count"),
    (["optimize"], 'Give --vary "L=0.24 m:0.36 m" --minimize A.angle.max, or'),
    (["fit"], 'Give --vary "L=0.24 m:0.36 m" --measured record.csv, or'),
    (["fit", "--vary", "L=0.2:0.4", "--measured", "r.csv", "--noise", "1 mm", "--noise", "A.angle=1 deg"],
     "--noise was given with names and without"),
])  # fmt: skip
def test_what_is_missing_is_told_with_names_of_the_mechanism(cli, model, words, told):
    status, _, error = cli(words[0], model, *words[1:])
    assert status != 0 and told in error, error


@pytest.mark.parametrize(("text", "told"), [
    ("t;A.angle\n0;1\n1;2\n", "r.csv:1: is parted by semicolons. Got 't;A.angle'; wanted commas"),
    ("t\tA.angle\n0\t1\n", "is parted by tabs"),
    ("t,A.angle\n0,1\n\n1,x\n", "r.csv:4: has no number in every line of column 'A.angle'. Got 'x'; wanted a number"),
    ('t,A.angle\n0,1\n1,"2,5"\n',
     "r.csv:3: has no number in every line of column 'A.angle'. Got '2,5'; wanted a number. "
     "Write decimals with a point"),
    ("t,A.angle\n0,1\n1\n", "r.csv:3: has no number in every line of column 'A.angle'. Got no cell"),
    ("t,A.angle deg\n0,1\n1,2\n", "unit has no brackets. Got 'A.angle deg'; wanted 'A.angle [deg]'"),
    ("t (ms),A.angle\n0,1\n1,2\n", "unit has no brackets. Got 't (ms)'; wanted 't [ms]'"),
])  # fmt: skip
def test_a_record_is_told_by_its_lines(cli, model, text, told):
    record = model.parent / "r.csv"
    record.write_text(text, encoding="utf-8")
    status, _, error = cli("fit", model, "--vary", "L=0.2:0.4", "--measured", record)
    assert status != 0 and told in error, error


def test_a_record_that_is_not_there_is_named_once(cli, model):
    status, _, error = cli("fit", model, "--vary", "L=0.2:0.4", "--measured", "none.csv")
    assert status != 0 and error.count("none.csv") == 1 and "Errno" not in error


def test_noise_of_all_records_needs_no_name(cli, model):
    made = lw.read(model).simulate(0.5, every=0.1, start={"A.angle": "30 deg"}, coordinates="body")
    rows = "".join(f"{t},{angle}\n" for t, angle in zip(made.t, made["A.angle"]))
    record = model.parent / "r.csv"
    record.write_text(f"t,A.angle\n{rows}", encoding="utf-8")
    status, out, error = cli("fit", model, "--vary", "L=0.25:0.4", "--measured", record, "--noise", "0.1 deg")
    assert status == 0 and "(as given)" in out, error


def test_a_distribution_asks_for_samples():
    m = lw.read(MODEL)
    with pytest.raises(DescriptionError, match='over="latin" and count='):
        m.sweep({"L": {"mean": 0.3, "deviation": 0.01}}, times=0.5, read="A.angle.max")
