"""`linkwork sweep`."""

import csv

import pytest

from linkwork.cli import main

pytest.importorskip("xarray")


def test_a_table_is_printed_and_written(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    asked = ["--vary", "spring.stiffness=10:30:3", "--read", "D.angle.max", "--duration", "0.2"]
    assert main(["sweep", "gallery:four_bar", *asked, "--output", "table.csv", "--workers", "2"]) == 0
    told = capsys.readouterr().out
    assert "D.angle.max" in told and "written to table.csv" in told
    with open("table.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["spring.stiffness"]) for row in rows] == [10.0, 20.0, 30.0]
    assert all(float(row["D.angle.max"]) > 1.0 and row["failed"] == "" for row in rows)


def test_wrong_use_is_told(capsys):
    asked = ["--duration", "0.2", "--vary", "spring.stiffness=10:30:3"]
    assert main(["sweep", "gallery:four_bar", *asked, "--read", "D.angle"]) == 2
    assert "D.angle.max" in capsys.readouterr().err
    assert main(["sweep", "gallery:four_bar", "--read", "D.angle.max", "--vary", "spring.stiffness"]) == 2
