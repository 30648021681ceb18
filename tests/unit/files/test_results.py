"""Results on disk: other programs read them, and `load` brings everything back, bit for bit."""

import csv
import hashlib
import json
import math
import os
import random
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork import gallery
from linkwork.errors import FileError, MissingPackageError, UnknownNameError
from linkwork.files import digests
from linkwork.files.result_content import mechanism_text

SOURCE = str(Path(__file__).parents[3] / "src")
FORMS = ["nc", "parquet", "csv", "json"]


def bump(value, rate, t, stiffness, gap):
    """A one-sided spring."""
    return stiffness * (gap - value) if value < gap else 0.0


@pytest.fixture(scope="module")
def four_bar():
    return gallery.four_bar().simulate(0.5, every=0.05, rtol=1e-9, coordinates="body")


@pytest.fixture(scope="module")
def with_law():
    m = gallery.pendulum()
    m.add(
        "stop",
        lw.UserForce(lw.WorldOffset(m.ground, m["rod"].b, "y"), bump, stiffness=200.0, gap=-0.5, energy="stores"),
    )
    return m.simulate(0.6, every=0.05, coordinates="body")


def assert_same(one, other, names=None):
    """Two results agree bit for bit in what they are made of and in what is computed from it."""
    for key, value in one.stored().items():
        np.testing.assert_array_equal(np.asarray(value), np.asarray(other.stored()[key]), err_msg=key)
    assert one.names == other.names and one.rows == other.rows and one.coordinates == other.coordinates
    for name in names or one.names:
        np.testing.assert_array_equal(one[name], other[name], err_msg=name)
    assert dict(one.manifest) == dict(other.manifest)
    assert asdict(one.statistics) == asdict(other.statistics) and one.title == other.title
    assert lw.digest(one.mechanism) == lw.digest(other.mechanism)


@pytest.mark.parametrize("form", FORMS)
def test_everything_comes_back(four_bar, form, tmp_path):
    path = tmp_path / f"run.{form}"
    four_bar.save(path)
    back = lw.load(path)
    assert_same(four_bar, back)
    for joint in back.mechanism.joints:
        np.testing.assert_array_equal(back.reaction(joint).force, four_bar.reaction(joint).force)
        np.testing.assert_array_equal(back.reaction(joint).unique, four_bar.reaction(joint).unique)
    np.testing.assert_array_equal(back.energy.balance, four_bar.energy.balance)
    np.testing.assert_array_equal(back.jacobian, four_bar.jacobian)
    assert back.at(0.123)["A.angle"] == four_bar.at(0.123)["A.angle"]
    further, again = (run.mechanism.simulate(0.1, start=run.final, coordinates="body") for run in (four_bar, back))
    np.testing.assert_array_equal(further["A.angle"], again["A.angle"])
    assert str(back).splitlines()[0] == str(four_bar).splitlines()[0]


@pytest.mark.parametrize("name", gallery.names())
@pytest.mark.parametrize("form", ["nc", "json"])
def test_gallery_comes_back(name, form, tmp_path):
    run = gallery.get(name).simulate(0.01, every=0.005, coordinates="body")
    run.save(tmp_path / f"run.{form}", ["energy.total"])
    assert_same(run, lw.load(tmp_path / f"run.{form}"), ["energy.total", "energy.balance", *run.names[:4]])


@pytest.mark.parametrize("form", FORMS)
def test_redundant_rows_keep_their_marks(form, tmp_path):
    """A parallelogram with a third bar: which reactions are unique is known again."""
    m = lw.Mechanism("parallelogram")
    top = m.add("top", lw.bar(length=2.0, mass=1.0, position=(1.0, 1.0), angle=0.0))
    for k, x in enumerate((0.0, 1.0, 2.0)):
        leg = m.add(f"leg{k}", lw.bar(length=1.0, mass=1.0, position=(x, 0.5), angle="90 deg"))
        m.add(f"base{k}", lw.Revolute(m.ground.at(x, 0), leg.a))
        m.add(f"knee{k}", lw.Revolute(leg.b, top.at(x - 1.0, 0)))
    run = m.simulate(0.2, every=0.1, start={"base0.angle": "80 deg"}, coordinates="body")
    assert run.stored()["dependencies"].size
    run.save(tmp_path / f"run.{form}")
    back = lw.load(tmp_path / f"run.{form}")
    assert_same(run, back)
    for joint in m.joints:
        np.testing.assert_array_equal(run.reaction(joint).unique, back.reaction(joint).unique)


@pytest.mark.parametrize("form", FORMS)
def test_laws_in_python_are_asked_for(with_law, form, tmp_path):
    path = tmp_path / f"run.{form}"
    with_law.save(path)
    with pytest.raises(FileError, match=r"bump") as caught:
        lw.load(path)
    assert str(path) in str(caught.value) and "laws" in str(caught.value)
    assert_same(with_law, lw.load(path, laws={"bump": bump}))


@pytest.mark.parametrize("form", FORMS)
def test_a_single_state_and_a_body_alone(form, tmp_path):
    m = lw.Mechanism("free")
    m.add("stone", lw.Particle(mass=1.0, position=(0.0, 1.0), velocity=(1.0, 0.0)))
    run = m.simulate(np.array([0.0]), coordinates="body")
    run.save(tmp_path / f"run.{form}")
    assert_same(run, lw.load(tmp_path / f"run.{form}"))


@pytest.mark.parametrize("form", FORMS)
def test_chosen_series_only(four_bar, form, tmp_path):
    four_bar.save(tmp_path / f"run.{form}", ["A.angle", "D.angle.rate"])
    assert_same(four_bar, lw.load(tmp_path / f"run.{form}"), ["C.reaction.x"])
    with pytest.raises(UnknownNameError, match="angel"):
        four_bar.save(tmp_path / f"other.{form}", ["A.angel"])
    assert not (tmp_path / f"other.{form}").exists()


def test_names_are_hostile(tmp_path):
    """Names that a file system, a table or a terminal would take for something else."""
    m = lw.Mechanism('<script>, "x" /../y')
    rod = m.add('<b>,"=1+1', lw.bar(length=1.0, mass=1.0))
    m.add("··/··/etc", lw.Revolute(m.ground.at(0, 0), rod.a))
    m.add("a/b", lw.SpringDamper(m.ground.at(0, 2), rod.b, stiffness=3.0))
    m.add("state[0]", lw.Particle(mass=1.0))
    m.add("a_b", lw.Particle(mass=1.0))
    m.add("é" * 100, lw.Particle(mass=1.0))
    run = m.simulate(0.1, every=0.05, coordinates="body")
    for form in FORMS:
        run.save(tmp_path / f"run.{form}")
        assert_same(run, lw.load(tmp_path / f"run.{form}"))
        assert lw.check_result(tmp_path / f"run.{form}").series == ("time", *run.names)
    assert sorted(os.listdir(tmp_path)) == sorted(["run.csv.json", *(f"run.{form}" for form in FORMS)])


# -- other programs ----------------------------------------------------------------------------------------------------


def test_netcdf_for_xarray(four_bar, tmp_path):
    xarray = pytest.importorskip("xarray")
    four_bar.to_netcdf(tmp_path / "run.nc")
    with xarray.open_dataset(tmp_path / "run.nc", engine="h5netcdf", decode_times=False) as data:
        np.testing.assert_array_equal(data["D.angle"].values, four_bar["D.angle"])
        assert data["D.angle"].attrs["units"] == "rad" and data["time"].attrs["units"] == "s"
        assert data["B.reaction.x"].attrs == {"units": "N", "long_name": "reaction x of joint B"}
        assert data["D.angle"].dims == ("time",) and len(data["time"]) == len(four_bar.t)


def test_parquet_for_pandas(four_bar, tmp_path):
    pandas = pytest.importorskip("pandas")
    parquet = pytest.importorskip("pyarrow.parquet")
    four_bar.to_parquet(tmp_path / "run.parquet")
    frame = pandas.read_parquet(tmp_path / "run.parquet")
    np.testing.assert_array_equal(frame["D.angle"], four_bar["D.angle"])
    field = parquet.read_schema(tmp_path / "run.parquet").field("spring.tension")
    assert field.metadata == {b"unit": b"N", b"long_name": b"tension of force spring"}


def test_csv_for_anybody(four_bar, tmp_path):
    four_bar.to_csv(tmp_path / "run.csv")
    with open(tmp_path / "run.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["time", *four_bar.names] and len(rows) == len(four_bar.t) + 1
    column = rows[0].index("D.angle")
    assert [float(row[column]) for row in rows[1:]] == four_bar["D.angle"].tolist()
    beside = json.loads((tmp_path / "run.csv.json").read_text(encoding="utf-8"))
    assert beside["units"]["D.angle"] == "rad" and beside["units"]["energy.total"] == "J"
    assert beside["long_names"]["D.angle"] == "angle of joint D"
    table = beside["linkwork_result"]["table"]
    assert table["sha256"] == hashlib.sha256((tmp_path / "run.csv").read_bytes()).hexdigest()


def test_csv_for_pandas(four_bar, tmp_path):
    pandas = pytest.importorskip("pandas")
    four_bar.to_csv(tmp_path / "run.csv")
    frame = pandas.read_csv(tmp_path / "run.csv")
    assert list(frame.columns) == ["time", *four_bar.names]
    for name in ("D.angle", "B.reaction.x", "energy.balance"):
        np.testing.assert_allclose(frame[name], four_bar[name], rtol=1e-14, atol=0.0)


def test_csv_for_numpy(four_bar, tmp_path):
    four_bar.to_csv(tmp_path / "run.csv", ["D.angle", "B.reaction.x"])
    table = np.genfromtxt(tmp_path / "run.csv", delimiter=",", names=True, deletechars="")
    assert table.dtype.names == ("time", "D.angle", "B.reaction.x")
    np.testing.assert_array_equal(table["D.angle"], four_bar["D.angle"])


def odd_names():
    m = lw.Mechanism("odd")
    rod = m.add('a,"b" c', lw.bar(length=1.0, mass=1.0))
    m.add("J;|", lw.Revolute(m.ground.at(0, 0), rod.a))
    for k, name in enumerate(("=cmd|' /C calc'!A0", "+1", "-1", "@SUM(1)")):
        m.add(name, lw.SpringDamper(m.ground.at(k, 2), rod.b, stiffness=3.0))
    return m.simulate(0.1, every=0.05, coordinates="body")


def test_csv_with_names_that_need_quotes(tmp_path):
    run = odd_names()
    run.to_csv(tmp_path / "run.csv")
    with open(tmp_path / "run.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    cells = ["'" + name if name[0] in "=+-@" else name for name in run.names]  # nothing that a spreadsheet computes
    assert rows[0] == ["time", *cells] and cells != run.names and len(rows) == 4
    assert_same(run, lw.load(tmp_path / "run.csv"))
    lw.check_result(tmp_path / "run.csv")
    pandas = pytest.importorskip("pandas")
    assert list(pandas.read_csv(tmp_path / "run.csv").columns) == ["time", *cells]


def test_json_for_anybody(four_bar, tmp_path):
    four_bar.to_json(tmp_path / "run.json")
    data = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    series = data["series"]["D.angle"]
    assert series["unit"] == "rad" and series["values"] == four_bar["D.angle"].tolist()
    manifest = data["linkwork_result"]
    assert manifest["version"] == lw.__version__ and manifest["digest"] == lw.digest(four_bar.mechanism)
    (segment,) = manifest["options"].pop("segments")
    assert segment["source"] == "dynamics" and segment["coordinates"] == "body" and segment["rtol"] == 1e-9
    assert manifest["options"] == {
        "coordinates": "body",
        "analysis": "simulate",
        "method": "auto",
        "rtol": 1e-9,
        "atol": None,
        "step": None,
        "constraints": "projection",
    }
    assert data["mechanism"]["linkwork"] == 1 and data["mechanism"]["name"] == "four-bar"


# -- wrong and hostile files -------------------------------------------------------------------------------------------


def test_unknown_ending(four_bar, tmp_path):
    with pytest.raises(FileError, match=r"'\.xls'.*\.parquet"):
        four_bar.save(tmp_path / "run.xls")


@pytest.mark.parametrize(
    "data", [b"", b"hello", b"{", b"{}", b"[]", b"PAR1", b"\x89HDF\r\n\x1a\n", b"# linkwork", b"\x80\x04K\x01."]
)
def test_what_is_no_result_is_refused(data, tmp_path):
    path = tmp_path / "run.nc"
    path.write_bytes(data)
    with pytest.raises(FileError, match=r"run\.nc"):
        lw.load(path)


def test_no_file(tmp_path):
    with pytest.raises(FileError, match="There is no such file"):
        lw.load(tmp_path / "run.nc")
    with pytest.raises(FileError, match="no folder of a long run"):
        lw.load(tmp_path)
    os.mkfifo(tmp_path / "pipe.nc")
    with pytest.raises(FileError, match="not a plain file"):
        lw.load(tmp_path / "pipe.nc")


@pytest.mark.parametrize("form", FORMS)
def test_damaged_files_are_refused_or_right(four_bar, form, tmp_path):
    """Cut short or with bytes changed: a FileError, or a result that has the right sizes; nothing else."""
    four_bar.save(tmp_path / f"run.{form}", ["A.angle"])
    data = (tmp_path / f"run.{form}").read_bytes()
    rng = random.Random(form)
    path = tmp_path / "bad"
    for k in range(40):
        bad = bytearray(data)
        if k % 2:
            del bad[rng.randrange(len(bad)) :]
        else:
            for _ in range(rng.randrange(1, 6)):
                bad[rng.randrange(len(bad))] = rng.randrange(256)
        path.write_bytes(bad)
        if form == "csv":
            (tmp_path / "bad.json").write_bytes((tmp_path / "run.csv.json").read_bytes())
        try:
            back = lw.load(path)
        except FileError as error:
            assert str(path) in str(error)
        else:
            assert back.stored()["states"].shape[1] == four_bar.stored()["states"].shape[1]


# -- a table and the file beside it ------------------------------------------------------------------------------------


@pytest.fixture
def table(four_bar, tmp_path):
    assert four_bar.save(tmp_path / "run.csv", ["A.angle"]) == [tmp_path / "run.csv", tmp_path / "run.csv.json"]
    return tmp_path / "run.csv"


def refused(path, *words):
    with pytest.raises(FileError) as caught:
        lw.load(path)
    for word in (str(path), *words):
        assert word in str(caught.value)


def test_a_table_alone_is_refused(table):
    (table.parent / "run.csv.json").unlink()
    refused(table, "has no run.csv.json beside it", "Copy both files together")


def test_a_digit_that_was_changed_is_refused(table):
    data = table.read_bytes()
    k = data.rindex(b"1")
    table.write_bytes(data[:k] + b"2" + data[k + 1 :])
    refused(table, "was changed or cut", "sha256")


@pytest.mark.parametrize("part", [0.0, 0.1, 0.5, 0.999])
def test_a_table_that_was_cut_is_refused(table, part):
    data = table.read_bytes()
    table.write_bytes(data[: int(part * len(data))])
    refused(table, "was changed or cut", f"wanted {len(data)} bytes")


def test_other_ends_of_line_are_refused(table):
    table.write_bytes(table.read_bytes().replace(b"\n", b"\r\n"))
    refused(table, "was changed or cut")


def test_a_new_table_with_an_old_file_beside_it_is_refused(table, four_bar):
    beside = table.parent / "run.csv.json"
    old_table, old_beside = table.read_bytes(), beside.read_bytes()
    gallery.four_bar().simulate(0.2, coordinates="body").to_csv(table, ["A.angle"])
    new_beside = beside.read_bytes()
    beside.write_bytes(old_beside)
    refused(table, "replaced without the other")
    table.write_bytes(old_table)
    assert_same(four_bar, lw.load(table), ["A.angle"])
    beside.write_bytes(new_beside)
    refused(table, "replaced without the other")


def test_the_file_beside_a_table_is_checked_too(table):
    beside = table.parent / "run.csv.json"
    whole = json.loads(beside.read_text())
    whole["stored"]["states"][7] += 1e-9
    beside.write_text(json.dumps(whole))
    refused(table, "The dataset 'states' in this file was changed")
    beside.write_text("{}")
    refused(table, "is no result of Linkwork")
    beside.write_text("{\n not JSON")
    refused(table, "run.csv.json:2:2: is not JSON")
    with pytest.raises(FileError, match=r"run\.csv\.json"):
        lw.load(beside)


def test_the_file_beside_a_table_is_no_result_itself(table):
    refused(table.parent / "run.csv.json", "belongs to the CSV file beside it")


def test_a_table_may_have_another_ending_if_both_are_renamed(table, four_bar):
    for ending in ("", ".json"):
        (table.parent / f"run.csv{ending}").rename(table.parent / f"motion.txt{ending}")
    assert_same(four_bar, lw.load(table.parent / "motion.txt"), ["A.angle"])


def test_the_csv_of_an_older_version_is_told(tmp_path):
    (tmp_path / "run.csv").write_text('# linkwork result: {"linkwork":"result"}\ntime\n0.0\n')
    refused(tmp_path / "run.csv", "Linkwork 0.1", "Run the mechanism again")


def test_neither_file_is_moved_before_both_are_written(table, four_bar, monkeypatch):
    before = table.read_bytes()
    written, sync = [], os.fsync

    def full(handle):
        written.append(handle)
        if len(written) == 2:
            raise OSError(28, "No space left on device")
        sync(handle)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileError, match=r"run\.csv\.json: cannot be written \(No space left"):
        four_bar.to_csv(table, ["A.angle", "D.angle"])
    monkeypatch.undo()
    assert table.read_bytes() == before and sorted(os.listdir(table.parent)) == ["run.csv", "run.csv.json"]
    assert_same(four_bar, lw.load(table), ["A.angle"])


def edited(path, change, seal=False):
    """A JSON result with something changed; with `seal`, its author knows how digests are made."""
    data = json.loads(path.read_text())
    change(data)
    if seal:
        data["linkwork_result"].pop("seal")
        data["linkwork_result"] = digests.sealed(data["linkwork_result"])
    path.write_text(json.dumps(data))
    return path


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda d: d["stored"].update(modes=[1, 1, 1]), "wrong count"),
        (lambda d: d["stored"]["t"].reverse(), "The dataset 't' in this file was changed"),
        (lambda d: d["stored"].pop("values"), "damaged"),
        (lambda d: d["linkwork_result"]["stored"]["states"].update(shape=[10**9, 10**9]), "manifest in this file was"),
        (lambda d: d["linkwork_result"].update(format=99), "newer"),
        (lambda d: d["linkwork_result"].update(format=1), "without digests"),
        (lambda d: d["linkwork_result"].update(version="99.0"), "manifest in this file was changed"),
        (lambda d: d["linkwork_result"]["statistics"].update(steps=7), "manifest in this file was changed"),
        (lambda d: d["mechanism"]["bodies"]["crank"].update(mass=7.0), "The mechanism in this file was changed"),
    ],
)
def test_changed_files_are_refused(four_bar, change, match, tmp_path):
    path = tmp_path / "run.json"
    four_bar.to_json(path, ["A.angle"])
    with pytest.raises(FileError, match=match):
        lw.load(edited(path, change))


def renumbered(key, change):
    """Changed stored numbers with the digest that belongs to them."""

    def both(d):
        values = np.array(d["stored"][key])
        change(values)
        d["stored"][key] = values.tolist()
        d["linkwork_result"]["stored"][key]["sha256"] = digests.of_numbers(values)

    return both


def put(values, number):
    values[2] = number


def heavier(d):
    """A version from the future, with another mechanism under the old digests."""
    d["linkwork_result"].update(version="99.0")
    d["mechanism"]["bodies"]["crank"].update(mass=7.0)


def other_mechanism(d):
    d["mechanism"]["bodies"]["crank"].update(mass="heavy")
    d["linkwork_result"]["text"]["sha256"] = digests.of_bytes(mechanism_text(d["mechanism"]).encode())


def said_of_a_segment(**words):
    return lambda d: d["linkwork_result"]["options"]["segments"][0].update(words)


def manifest(**fields):
    return lambda d: d["linkwork_result"].update(fields)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (renumbered("modes", lambda v: put(v, 3.0)), "in a mode that is none"),
        (renumbered("modes", lambda v: put(v, 0.5)), "in a mode that is none"),
        (renumbered("first", lambda v: v.__iadd__(1.0)), "times before its first segment"),
        (renumbered("first", lambda v: v.__iadd__(0.5)), "count nothing"),
        (renumbered("first", lambda v: v.__iadd__(1e9)), "count nothing"),
        (renumbered("t", lambda v: put(v, -1.0)), "do not increase"),
        (renumbered("states", lambda v: put(v, math.nan)), "A number is not finite"),
        (renumbered("states", lambda v: put(v, 1e999)), "A number is not finite"),
        (heavier, "The mechanism in this file was changed"),
        (other_mechanism, "heavy"),
        (manifest(statistics={"rm": 1}), "no statistic 'rm'"),
        (manifest(statistics={"steps": -1}), "cannot be right"),
        (manifest(statistics={"steps": 1.5}), "cannot be right"),
        (manifest(statistics={"steps": True}), "cannot be right"),
        (manifest(statistics={"steps": 10**30}), "cannot be right"),
        (manifest(statistics={"seconds": "long"}), "cannot be right"),
        (manifest(title="\x1b[2J"), "no text to show"),
        (manifest(title="x" * 1000), "no text to show"),
        (manifest(title=7), "not what it should be"),
        (manifest(series=[]), "does not list its series"),
        (manifest(series=[7]), "lists a series that is none"),
        (manifest(options={"coordinates": "polar"}), "polar"),
        (manifest(options={"coordinates": ["body"]}), "do not tell its coordinates"),
        (manifest(options={"coordinates": "body", "doubts": ["\x1b[31m"]}), "no text to show"),
        (lambda d: d["linkwork_result"]["options"].update(turns={"A.angel": 7.0}), "A.angel"),
        (manifest(options={"coordinates": "body"}), "'segments' of a size"),
        (said_of_a_segment(coordinates="polar"), "no coordinates 'polar'"),
        (said_of_a_segment(source="magic"), "no source 'magic'"),
        (said_of_a_segment(source=None), "cannot be right"),
        (said_of_a_segment(steps=-1), "cannot be right"),
        (said_of_a_segment(steps=10**15), "cannot be right"),
        (said_of_a_segment(steps=True), "cannot be right"),
        (said_of_a_segment(accelerations=True), "cannot be right"),
        (said_of_a_segment(source="given", multipliers=True), "more or fewer times"),
        (lambda d: d["linkwork_result"]["options"]["segments"].append(7), "'segments' of a size"),
        (lambda d: d["linkwork_result"]["options"].update(segments=[7]), "cannot be right"),
        (manifest(stored={}), "other datasets"),
        (lambda d: d["linkwork_result"]["stored"]["t"].update(shape=[-1]), "is no shape|what is no shape"),
        (lambda d: d["linkwork_result"]["stored"]["t"].update(shape=[True]), "what is no shape"),
        (lambda d: d["linkwork_result"]["stored"]["modes"].update(shape=[1, 3]), "does not fit"),
        (lambda d: d["linkwork_result"]["stored"]["modes"].update(shape=[2, 8]), "does not fit"),
        (lambda d: d["linkwork_result"]["stored"]["accelerations"].update(shape=[10**6, 9]), "does not fit"),
        (lambda d: d["linkwork_result"]["stored"]["dependencies"].update(shape=[10**6, 9]), "does not fit"),
        (
            lambda d: [
                d["linkwork_result"]["stored"][key].update(shape=[10**9, *more])
                for key, more in (("t", []), ("states", [18]))
            ],
            "more numbers than this file can hold",
        ),
    ],
)
def test_what_cannot_be_right_is_refused_with_right_digests_too(four_bar, change, match, tmp_path):
    path = tmp_path / "run.json"
    four_bar.to_json(path, ["A.angle"])
    with pytest.raises(FileError, match=match) as caught:
        lw.load(edited(path, change, seal=True))
    assert str(path) in str(caught.value) and str(caught.value).replace("\n", "").isprintable()


def test_a_field_that_is_given_twice_is_refused(four_bar, tmp_path):
    path = tmp_path / "run.json"
    four_bar.to_json(path, ["A.angle"])
    path.write_text(path.read_text().rstrip()[:-1] + ', "series": {}}')
    refused(path, "The field 'series' is given twice")


def test_without_the_library(four_bar, tmp_path, monkeypatch):
    four_bar.to_netcdf(tmp_path / "run.nc")
    for name in ("h5netcdf", "h5py", "pyarrow"):
        monkeypatch.setitem(sys.modules, name, None)
    for action in (four_bar.to_netcdf, four_bar.to_parquet, lw.load):
        with pytest.raises(MissingPackageError, match=r"linkwork\[io\]"):
            action(tmp_path / "run.nc")


def test_a_mechanism_that_cannot_be_written_says_so(tmp_path):
    m = gallery.pendulum()
    m.add("wind", lw.UserForce(lw.WorldOffset(m.ground, m["rod"].b, "x"), lambda value, rate, t: 0.1 * math.sin(t)))
    run = m.simulate(0.1, every=0.05, coordinates="body")
    with pytest.raises(FileError, match="Force 'wind' uses a Python function without a name to write"):
        run.to_json(tmp_path / "run.json")
    assert not list(tmp_path.iterdir())


def test_importing_loads_no_library():
    loaded = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, linkwork.files.results\n"
            "print([m for m in ('h5py', 'pyarrow', 'pandas', 'xarray') if m in sys.modules])",
        ],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": SOURCE},
    )
    assert loaded.stdout.strip() == "[]"


def test_models_and_results_are_told_apart(four_bar, tmp_path):
    lw.write(four_bar.mechanism, tmp_path / "model.yaml")
    with pytest.raises(FileError, match=r"Model files are opened by lw\.read"):
        lw.load(tmp_path / "model.yaml")
    four_bar.to_csv(tmp_path / "run.csv")
    with pytest.raises(FileError, match=r"is a result by its ending.*lw\.load opens results"):
        lw.read(tmp_path / "run.csv")
    with pytest.raises(FileError, match="no such file"):
        lw.read(tmp_path / "none.csv")
