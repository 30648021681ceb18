"""The benchmark program runs, says what it measured, and writes it down.  No speed is asserted."""

import json

import numpy as np
import pytest
from benchmarks import problems, student, whole_runs
from benchmarks.__main__ import SECTIONS, main
from benchmarks.timing import Row, table


def test_one_section_runs_and_is_written(tmp_path, capsys):
    out = tmp_path / "results" / "latest.json"
    assert main(["--quick", "--only", "overhead", "--out", str(out)]) == 0
    text = capsys.readouterr().out
    assert "pendulum" in text and "outside the clock" in text and "baseline" in text
    written = json.loads(out.read_text())
    assert written["quick"] is True and written["machine"]["numba"]
    assert [row["section"] for row in written["rows"]] == ["overhead"] * len(written["rows"])
    assert all(np.isfinite(row["value"]) for row in written["rows"])


def test_unknown_section_is_refused(capsys):
    with pytest.raises(SystemExit):
        main(["--only", "nothing"])
    text = capsys.readouterr().err
    assert all(name in text for name in SECTIONS)


def test_table_shows_what_is_missed():
    text = table([Row("s", "ratio", 2.0, "times", ">= 4", False, baseline="by hand", outside="reading")])
    assert "MISSED" in text and "baseline: by hand" in text and "outside the clock: reading" in text


def test_loosest_tolerance_takes_no_lucky_hit():
    lucky = {1e-4: 1e-9}
    rtol, _ = whole_runs.loosest(lambda rtol: lucky.get(rtol, 5.0 * rtol))
    assert rtol == pytest.approx(10.0**-6.75)


@pytest.mark.parametrize("name", ["double_pendulum", "andrews"])
def test_equations_by_hand_are_right(name):
    problem, equations = getattr(problems, name)(), getattr(student, name)()
    assert equations.end == problem.end
    assert problem.difference(equations.solve("DOP853", 1e-10), problem.reference.values) < 1e-8
