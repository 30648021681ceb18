"""Tables in files beside the model."""

import os

import pytest

import linkwork as lw
from linkwork.errors import FileError
from linkwork.files import tables
from linkwork.files.tables import MOST_BYTES

MODEL = """\
linkwork: 1
bodies: {b: {mass: 1}}
forces:
  f: {type: SpringDamper, on: ground, to: b, stiffness: %s}
"""


def read(tmp_path, reference, **files):
    folder = tmp_path / "models"
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text)
    (folder / "m.yaml").write_text(MODEL % reference)
    return lw.read(folder / "m.yaml")


def told(tmp_path, reference, **files):
    with pytest.raises(FileError) as caught:
        read(tmp_path, reference, **files)
    assert len(caught.value.problems) == 1
    assert caught.value.problems[0].line == 4
    return caught.value.problems[0].message


@pytest.mark.parametrize(
    "text",
    [
        "elongation,tension\n0,0\n1, 10\n2,25\n",
        "# made by hand\n0 0\n1 10\n\n2 25 # last\n",
        "0;0\n1;1e1\n2;25",
        "0\t0\n1\t10\n2\t25\n",
        "\ufeff0,0\n1,10\n2,25\n",
    ],
)
def test_table(tmp_path, text):
    table = read(tmp_path, "{file: spring.csv}", spring=text).forces["f"].stiffness
    assert table == lw.Table((0, 1, 2), (0, 10, 25))


def test_fields_beside_the_file(tmp_path):
    text = "0,0\n1,10\n"
    assert read(tmp_path, "{type: Table, file: s.csv, ends: clamped}", s=text).forces["f"].stiffness.ends == "clamped"
    assert "has an unknown field 'end'. Nearest: 'ends'" in told(tmp_path, "{file: s.csv, end: clamped}", s=text)
    assert "Known: 'natural', 'clamped'." in told(tmp_path, "{file: s.csv, ends: open}", s=text)


def test_below_the_folder(tmp_path):
    (tmp_path / "models" / "tables").mkdir(parents=True)
    (tmp_path / "models" / "tables" / "s.csv").write_text("0,0\n1,1\n")
    assert read(tmp_path, "{file: tables/s.csv}").forces["f"].stiffness.times == (0.0, 1.0)


@pytest.mark.parametrize(
    "path",
    [
        "../s.csv",
        "tables/../../s.csv",
        "/etc/passwd",
        "'C:\\s.csv'",
        "'..\\s.csv'",
        "~/s.csv",
        "'\\\\server\\s.csv'",
        "'file:///etc/passwd'",
    ],
)
def test_outside_the_folder(tmp_path, path):
    (tmp_path / "s.csv").write_text("0,0\n1,1\n")
    assert "refers to a file outside the folder of this one" in told(tmp_path, f"{{file: {path}}}")


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links here")
def test_links_do_not_lead_outside(tmp_path):
    (tmp_path / "s.csv").write_text("0,0\n1,1\n")
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "link.csv").symlink_to(tmp_path / "s.csv")
    (tmp_path / "models" / "folder").symlink_to(tmp_path)
    (tmp_path / "models" / "loop.csv").symlink_to(tmp_path / "models" / "loop.csv")
    for path in ("link.csv", "folder/s.csv"):
        assert "refers to a file outside" in told(tmp_path, f"{{file: {path}}}")
    assert told(tmp_path, "{file: loop.csv}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0,0\n1,x\n", "reads 's.csv', where line 2 is not two finite numbers. Got '1,x'"),
        ("0,0,0\n", "line 1 is not two finite numbers"),
        ("0,0\n1,nan\n", "line 2 is not two finite numbers"),
        ("0,0\n1,1e999\n", "line 2 is not two finite numbers"),
        ("0,0\n", "needs one value for each time"),
        ("", "needs one value for each time"),
        ("1,0\n0,1\n", "needs increasing times"),
    ],
)
def test_refused(tmp_path, text, message):
    assert message in told(tmp_path, "{file: s.csv}", s=text)


def test_files_that_cannot_be_read(tmp_path):
    assert "There is no such file." in told(tmp_path, "{file: none.csv}")
    assert "does not name a file. Got '1'" in told(tmp_path, "{file: 1}")
    with open(tmp_path / "models" / "big.csv", "wb") as file:
        file.truncate(MOST_BYTES + 1)
    assert "The file is too large." in told(tmp_path, "{file: big.csv}")
    (tmp_path / "models" / "latin.csv").write_bytes(b"\xe4,1\n")
    assert "not UTF-8" in told(tmp_path, "{file: latin.csv}")


def test_all_tables_together_are_limited(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "MOST_ROWS", 3)
    text = MODEL % "{file: s.csv}" + "  g: {type: SpringDamper, on: ground, to: b, stiffness: {file: s.csv}}\n"
    (tmp_path / "s.csv").write_text("0,0\n1,1\n")
    (tmp_path / "m.yaml").write_text(text)
    with pytest.raises(FileError, match=r"all tables of this file have too many rows. Got 4; wanted at most 3"):
        lw.read(tmp_path / "m.yaml")


def test_a_text_has_no_folder():
    with pytest.raises(FileError, match="this is a text without a folder"):
        lw.read(MODEL % "{file: s.csv}")
