"""`linkwork sweep`, and files that ask for one."""

import csv
import json

import pytest

import linkwork as lw
from linkwork.cli import main
from linkwork.errors import FileError

pytest.importorskip("xarray")

ASKED = ["--vary", "spring.stiffness=10:30:3", "--read", "D.angle.max", "--duration", "0.2"]
FILE = """
analysis:
  type: sweep
  vary:
    spring.stiffness: {from: 10 N/m, to: 30 N/m, count: 3}
    start:A.angle: [60 deg, 1.2 rad]
  read: [D.angle.max]
  duration: 0.2
  rtol: 1.0e-6
"""


@pytest.fixture
def file(tmp_path):
    text = lw.gallery.path("four_bar").read_text(encoding="utf-8")
    path = tmp_path / "four_bar.yaml"
    path.write_text(text[: text.index("\nanalysis:")] + FILE, encoding="utf-8")
    return path


def wanted(**options):
    vary = {"spring.stiffness": [10.0, 20.0, 30.0], "start:A.angle": ["60 deg", "1.2 rad"]}
    return lw.sweep(lw.gallery.four_bar(), vary, times=0.2, read="D.angle.max", **options)["D.angle.max"].values


def test_a_table_is_printed_and_written(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["sweep", "gallery:four_bar", *ASKED, "--output", "table.csv", "--workers", "2"]) == 0
    told = capsys.readouterr().out
    assert "D.angle.max" in told and "written to table.csv" in told
    with open("table.csv", newline="") as opened:
        rows = list(csv.DictReader(opened))
    assert [float(row["spring.stiffness"]) for row in rows] == [10.0, 20.0, 30.0]
    assert all(float(row["D.angle.max"]) > 1.0 and row["failed"] == "" for row in rows)


def test_parquet_and_a_picture(tmp_path, monkeypatch, capsys):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    more = ["--vary", "crank.length=0.8 m:1.2 m:3", "--output", "table.parquet", "--plot", "map.png"]
    assert main(["sweep", "gallery:four_bar", *ASKED, *more]) == 0
    assert "drawn to map.png" in capsys.readouterr().out
    frame = pandas.read_parquet("table.parquet")
    assert len(frame) == 9 and sorted(set(frame["crank.length"].round(9))) == [0.8, 1.0, 1.2]
    assert (tmp_path / "map.png").read_bytes()[:4] == b"\x89PNG"


def test_samples_tell_their_spread(tmp_path, monkeypatch, capsys):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    asked = ["--vary", "spring.stiffness=19:21", "--vary", "crank.length=1 m+-5 mm", "--over", "sobol", "--count", "32"]
    more = ["--read", "D.angle.max", "--duration", "0.1", "--plot", "spread.svg"]
    assert main(["sweep", "gallery:four_bar", *asked, *more]) == 0
    told = capsys.readouterr().out
    assert "share in the variance" in told and "50 % are below" in told and (tmp_path / "spread.svg").exists()
    assert main(["sweep", "gallery:four_bar", *asked, *more[:4], "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["runs"] == 32 and set(data["spread"]["D.angle.max"]["shares"]) == {"spring.stiffness", "crank.length"}


@pytest.mark.parametrize("command", ["run", "sweep"])
def test_a_file_that_asks_for_a_sweep(command, file, capsys):
    assert main([command, str(file), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [row["D.angle.max"] for row in data["rows"]] == wanted(rtol=1e-6).ravel().tolist()
    assert data["failed"] == 0 and data["varied"] == ["spring.stiffness", "start:A.angle"]


def test_the_command_line_goes_before_the_file(file, capsys):
    assert main(["sweep", str(file), "--vary", "spring.stiffness=40", "--rtol", "1e-5", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [row["spring.stiffness"] for row in data["rows"]] == [40.0, 40.0]


def test_another_analysis_in_a_file(file, capsys):
    text = file.read_text(encoding="utf-8").replace("  duration: 0.2\n  rtol: 1.0e-6\n", "  analysis: equilibrium\n")
    file.write_text(text.replace("[D.angle.max]", "A.angle").replace("    start:A.angle: [60 deg, 1.2 rad]\n", ""))
    assert main(["sweep", str(file), "--start", "A.angle=1", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    rest = lw.gallery.four_bar().with_numbers({"spring.stiffness": 30.0}).equilibrium(start={"A.angle": 1.0})
    assert rows[2]["A.angle"] == rest.state["A.angle"]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("spring.stiffness: {", "sprng.stiffness: {", r":\d+:\d+: .*Nearest: 'spring.stiffness'"),
        ("10 N/m", "10 kg", "another kind"),
        ("start:A.angle", "start:A.angl", "Nearest: 'A.angle'"),
        ("[60 deg", "[60 mm", "another kind"),
        ("{from: 10 N/m, to: 30 N/m, count: 3}", "10", r"is no list.*from: 10"),
        ("type: sweep", "type: sweeep", "sweep"),
        ("{from: 10 N/m, to: 30 N/m, count: 3}", "[]", r":\d+:23: .*empty list"),
        ("count: 3", "count: 0", r":\d+:23: .*count is no whole number.*1 to"),
        (
            "{from: 10 N/m, to: 30 N/m, count: 3}",
            "{mean: 10, deviation: 1}",
            r":\d+:23: .*Give over: latin and count, ",
        ),
        ("rtol", "over: sobol\n  count: 7\n  rtol", r":\d+:23: .*is no distribution"),
        ("type: sweep", "type: sweep\n  over: list", r":\d+:9: .*different lengths"),
        ("type: sweep", "type: sweep\n  count: 8", r":\d+:10: .*got count: and over: grid"),
        ("spring.stiffness: {from: 10 N/m, to: 30 N/m, count: 3}", "crank.length: [-1, -2]", r":\d+:19: .*too small"),
        ("rtol", "workers", "belongs to the machine"),
    ],
)
def test_mistakes_in_a_file_have_their_line(file, old, new, words):
    file.write_text(file.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(FileError, match=words):
        lw.read_document(file)


def test_mistakes_of_what_is_varied_are_told_all_at_once(file):
    text = file.read_text(encoding="utf-8").replace("[60 deg, 1.2 rad]", "[]")
    file.write_text(text.replace("{from: 10 N/m, to: 30 N/m, count: 3}", "[]"), encoding="utf-8")
    with pytest.raises(FileError) as caught:
        lw.read_document(file)
    assert str(caught.value).count("has an empty list of values") == 2


def test_a_value_that_a_design_cannot_have_is_no_mistake_of_the_file(file):
    text = file.read_text(encoding="utf-8").replace("spring.stiffness: {from", "crank.length: [-1, 1]\n    a.b: {from")
    file.write_text(text.replace("    a.b: {from: 10 N/m, to: 30 N/m, count: 3}\n", ""), encoding="utf-8")
    assert lw.read_document(file).analysis["vary"]["crank.length"] == [-1.0, 1.0]


def test_wrong_use_is_told(capsys):
    asked = ["--duration", "0.2", "--vary", "spring.stiffness=10:30:3"]
    assert main(["sweep", "gallery:four_bar", *asked, "--read", "D.angle"]) == 2
    assert "D.angle.max" in capsys.readouterr().err
    assert main(["sweep", "gallery:four_bar", "--read", "D.angle.max", "--vary", "spring.stiffness"]) == 2
    assert main(["sweep", "gallery:four_bar", "--read", "D.angle.max", "--duration", "1"]) == 2
    assert "what is varied" in capsys.readouterr().err
    assert main(["sweep", "gallery:four_bar", *asked]) == 2
    assert "what is read" in capsys.readouterr().err
    assert main(["sweep", "gallery:four_bar", *asked, "--read", "D.angle.max", "--plot", "map.txt"]) == 2
    assert main(["sweep", "gallery:four_bar", "--vary", "spring.stiffness=1:2:x", "--read", "D.angle.max"]) == 2


def test_what_belongs_to_the_machine_is_no_field_of_a_file(file, capsys):
    file.write_text(file.read_text(encoding="utf-8").rstrip() + "\n  workers: 2\n", encoding="utf-8")
    assert main(["run", str(file)]) != 0
    assert "workers belongs to the machine" in "".join(capsys.readouterr())


def test_the_present_design_of_a_sweep_is_plotted(file, tmp_path, capsys):
    assert main(["plot", str(file), "--show", "D.angle", "--output", str(tmp_path / "one.png")]) == 0
    assert main(["plot", str(file), "--output", str(tmp_path / "one.bmpp")]) != 0
    assert main(["run", "gallery:four_bar", "--duration", "0.1", "--plot", str(tmp_path / "one.bmpp")]) != 0
    assert "bmpp" in "".join(capsys.readouterr())


def test_numbers_of_series_that_there_are_not():
    with pytest.raises(lw.errors.DescriptionError, match=r"no number of 'D.angle'.*\.first, \.last.*reduce="):
        lw.sweep(lw.gallery.four_bar(), {"spring.stiffness": [10]}, times=0.1, read="D.angle.mean")
    with pytest.raises(lw.errors.DescriptionError, match=r"^optimize got no times of simulate"):
        lw.optimize(lw.gallery.four_bar(), {"spring.stiffness": (10, 40)}, "D.angle.max")


def test_method_and_tolerances_are_those_of_the_runs(capsys):
    """A method that is not of the highest order differs where tolerances are loose."""
    rows = []
    for more in ([], ["--method", "dopri5"], ["--method", "dopri5", "--rtol", "1e-3", "--atol", "1e-3"]):
        assert main(["sweep", "gallery:four_bar", *ASKED, *more, "--json"]) == 0
        rows.append(json.loads(capsys.readouterr().out)["rows"][0]["D.angle.max"])
    said = lw.read_document(lw.gallery.path("four_bar")).analysis
    said = {key: value for key, value in said.items() if key not in ("type", "duration", "method", "rtol", "atol")}
    options = {**said, "times": 0.2, "read": "D.angle.max", "method": "dopri5"}
    m, vary = lw.gallery.four_bar(), {"spring.stiffness": [10.0]}
    assert rows[1] == float(lw.sweep(m, vary, **options)["D.angle.max"][0]) and len(set(rows)) == 3
    assert rows[2] == float(lw.sweep(m, vary, rtol=1e-3, atol=1e-3, **options)["D.angle.max"][0])
    assert main(["sweep", "gallery:four_bar", *ASKED, "--method", "dopri"]) == 2
    assert "dopri5" in capsys.readouterr().err


def test_tables_say_units_of_what_is_varied(capsys):
    assert main(["sweep", "gallery:four_bar", *ASKED]) == 0
    told = capsys.readouterr().out
    assert "spring.stiffness [N/m]" in told and "D.angle.max [rad]" in told


def test_texts_with_units_are_numbers_in_tables(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    asked = ["--vary", "crank.length=60 cm,70 cm,1 m", "--read", "D.angle.max", "--duration", "0.1"]
    assert main(["sweep", "gallery:four_bar", *asked, "--output", "table.csv"]) == 0
    assert "crank.length [cm]" in capsys.readouterr().out
    with open("table.csv", newline="") as opened:
        assert [float(row["crank.length [cm]"]) for row in csv.DictReader(opened)] == [60.0, 70.0, 100.0]
    assert main(["sweep", "gallery:four_bar", *asked, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["crank.length"] for row in told["rows"]] == [60.0, 70.0, 100.0]
    assert told["units"] == {"crank.length": "cm", "D.angle.max": "rad"}


def test_all_that_is_read_is_drawn_or_refused(tmp_path, monkeypatch, capsys):
    pytest.importorskip("matplotlib")
    drawn = []
    monkeypatch.setattr(lw, "plot_sweep", lambda found, name, file: drawn.append(name))
    both = [*ASKED, "--read", "A.angle.max", "--plot", str(tmp_path / "map.png")]
    assert main(["sweep", "gallery:four_bar", *both]) == 0
    assert drawn == [["D.angle.max", "A.angle.max"]]
    samples = ["--over", "sobol", "--count", "32", "--vary", "spring.stiffness=19:21", *both[2:]]
    assert main(["sweep", "gallery:four_bar", *samples]) == 2
    assert "spread of one number" in capsys.readouterr().err


def test_reasons_are_told_whole(capsys):
    asked = ["--vary", "crank.length=1,50", "--read", "D.angle.max", "--duration", "0.1"]
    with pytest.warns(lw.errors.SweepWarning):
        assert main(["sweep", "gallery:four_bar", *asked]) == 0
        told = capsys.readouterr().out
        assert main(["sweep", "gallery:four_bar", *asked, "--json"]) == 0
    reason = json.loads(capsys.readouterr().out)["rows"][1]["failed"]
    assert len(reason) > 60 and f"(1) {reason}" in told


def test_doubts_are_counted_and_written(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    asked = ["--vary", "crank.length=0.9:1.1:3", "--read", "D.angle.max", "--duration", "0.1"]
    with pytest.warns(lw.errors.SweepWarning, match=r"doubts about 2 of 3 designs \(2 MovedWarning\)") as told:
        assert main(["sweep", "gallery:four_bar", *asked, "--output", "table.csv"]) == 0
    assert len(told) == 1
    said = capsys.readouterr().out
    assert said.count("MovedWarning") == 2 and "2 of 3 runs with doubts" in said and "assembly moved" not in said
    with open("table.csv", newline="") as opened:
        written = [row["doubts"] for row in csv.DictReader(opened)]
    assert written[1] == "" and all("assembly moved rocker" in written[k] for k in (0, 2))
    with pytest.warns(lw.errors.SweepWarning):
        assert main(["sweep", "gallery:four_bar", *asked, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["doubtful"] == 2 and [row["doubts"] for row in data["rows"]] == written
    assert main(["sweep", "gallery:four_bar", *ASKED]) == 0
    assert "doubts" not in capsys.readouterr().out  # there are none


def test_where_no_design_can_be_run_the_answer_is_no(capsys):
    asked = ["--vary", "crank.length=50:60:2", "--read", "D.angle.max", "--duration", "0.1"]
    with pytest.warns(lw.errors.SweepWarning):
        assert main(["sweep", "gallery:four_bar", *asked]) == 1
    out = capsys.readouterr()
    assert "2 of 2 runs failed" in out.out and "mistake in Linkwork" not in out.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--vary", "spring.stiffness=1:2:2", "--read", "D.angle.mx"], "'D.angle.mx', which is no number of 'D.angle'"),
        (["--vary", "spring.stiffness=1:2:2", "--read", "D.angle"], "wanted one number of it, such as D.angle.max"),
        (["--vary", "spring.stiffness=1:2", "--read", "D.angle.max"], "two ends and no count"),
        (["--vary", "L=1,2", "--vary", "L=3,4", "--read", "D.angle.max"], "given twice for one name. Got L"),
    ],
)
def test_wrong_use_of_names_and_ends(arguments, words, capsys):
    assert main(["sweep", "gallery:four_bar", *arguments, "--duration", "0.1"]) == 2
    assert words in capsys.readouterr().err


def test_a_part_that_was_cut_says_what_to_do(tmp_path, capsys):
    assert main(["sweep", "gallery:four_bar", *ASKED, "--store", str(tmp_path / "kept")]) == 0
    part = tmp_path / "kept" / "part-00000000.bin"
    whole, told = part.read_bytes(), capsys.readouterr().out
    part.write_bytes(whole[:100])
    assert main(["sweep", "gallery:four_bar", *ASKED, "--store", str(tmp_path / "kept")]) == 2
    assert "was cut" in (said := capsys.readouterr().err) and "Delete this file" in said
    part.unlink()
    assert main(["sweep", "gallery:four_bar", *ASKED, "--store", str(tmp_path / "kept")]) == 0
    assert capsys.readouterr().out == told
