"""The benchmark of stiff problems: what is missed, and how its sides answer.  No speed is asserted."""

import json
from dataclasses import replace

import pytest
from benchmarks import long_runs, pays_nothing, problems, soft_rows, stiff
from benchmarks.__main__ import ON_REQUEST, main
from benchmarks.baseline import baseline
from benchmarks.peers.__main__ import finish
from benchmarks.peers.ladder import search
from benchmarks.peers.process import Outcome
from benchmarks.peers.report import Cell
from benchmarks.peers.tools import Method
from benchmarks.peers.worker import Worker, answer

QUICK, SLOW = stiff.Time(1e-4, "auto, joint", 1e-3), stiff.Time(5e-3, "rkc, body", 1e-2)


def met(found):
    return {row.what.split(":")[0]: row.met for row in stiff.rows_of("chain 50", found)}


def test_rows_are_met_where_both_sides_reach_the_error():
    found = {(1e-4, "auto"): QUICK, (1e-4, stiff.BEFORE): SLOW, (1e-6, "auto"): SLOW, (1e-6, stiff.BEFORE): SLOW}
    rows = stiff.rows_of("chain 50", found)
    assert [row.what.split(":")[0] for row in rows if "auto" in row.what.split(":")[0]] == [
        "chain 50, to 0.0001, auto",
        "chain 50, to 1e-06, auto",
    ]
    assert rows[0].value == pytest.approx(50.0) and rows[0].met is True and "100 us" in rows[0].what
    assert rows[1].value == pytest.approx(1.0) and rows[1].met is False
    assert all(row.met is None for row in rows[2:])  # "radau" has no aim


@pytest.mark.parametrize("there", [{(1e-6, "auto"): QUICK}, {(1e-6, stiff.BEFORE): SLOW}, {}])
def test_what_a_side_does_not_reach_is_missed_and_shown(there):
    rows = stiff.rows_of("chain 50", there)
    assert len(rows) == 4 and rows[1].value == 0.0 and rows[1].met is False
    assert "does not reach it" in rows[1].what


def test_a_failure_at_a_loose_tolerance_does_not_end_a_method():
    def run(method, rtol):
        return Outcome(1e-3, failure="lost") if rtol > 1e-5 else Outcome(1e-3, rtol)

    found = search([Method("dop853, joint", "tolerance", 1e-1, 1e-12)], run, stiff.ERRORS, stiff.LIMIT).found
    assert all(found.values()) and found[1e-4][0].setting <= 1e-5


def test_a_side_answers_with_the_error_of_its_run():
    worker = Worker(stiff.WORKER)
    case = json.dumps(["A-arm, tyre", stiff.reference("A-arm, tyre")])
    methods = answer(worker, json.dumps({"do": "open", "case": case}))["methods"]
    assert [one["name"] for one in methods] == ["auto, joint", "auto, body", "radau, joint", "radau, body"]
    for one in methods:
        ask = {"do": "run", "method": one["name"], "setting": 1e-5, "repeats": 1, "worth": 1.0, "long": 1.0}
        reply = answer(worker, json.dumps(ask))
        assert reply["seconds"] > 0.0 and 0.0 < reply["error"] < 1e-5


def test_the_baseline_is_named_in_one_way(tmp_path, monkeypatch):
    monkeypatch.setenv("LINKWORK_BASELINE", str(tmp_path))
    with pytest.raises(SystemExit, match=r"LINKWORK_BASELINE=.* no linkwork in this folder"), baseline():
        pass
    (tmp_path / "linkwork").mkdir()
    (tmp_path / "linkwork" / "__init__.py").touch()
    with baseline() as source:
        assert source == tmp_path


def test_the_comparison_with_others_says_whether_the_governor_is_far_enough_ahead(capsys):
    finish([Cell("flyball_A05", error, who, seconds) for error in (1e-3, 1e-6)
            for who, seconds in (("linkwork", 1.0), ("drake", 5.0))])  # fmt: skip
    text = capsys.readouterr().out
    assert "flyball_A05 at 0.001: 5 times" in text and "aim 4: met" in text
    assert "flyball_A05 at 1e-06: 5 times" in text and "aim 8: MISSED" in text


def test_growth_of_soft_rows_has_its_aims(monkeypatch):
    monkeypatch.setattr(soft_rows, "SIZES", (3, 6))
    rows = {row.what: row for row in soft_rows.measure(quick=True)}
    assert rows["exponent 3 to 6, radau_soft, joint coordinates"].wanted == "<= 1.1"
    assert rows["exponent 3 to 6, radau_soft, body coordinates"].met is not None
    assert rows["exponent 3 to 6, radau, joint coordinates"].met is None
    assert len(rows) == 9 and all(row.value > -5.0 for row in rows.values())


def test_the_usual_method_stands_beside_the_explicit_one(monkeypatch):
    monkeypatch.setattr(pays_nothing, "PROBLEMS", {"double pendulum": problems.double_pendulum})
    *_, row = pays_nothing.measure(quick=True)
    assert row.what == "geometric mean of 9 runs, none of them changed the method" and row.wanted == "<= 1.03"
    assert row.value > 0.1


def test_a_run_that_changes_its_method_is_missed(monkeypatch):
    problem = replace(problems.double_pendulum(), mechanism=stiff.PROBLEMS["chain 3, 1e6"]()[0], end=0.2)
    monkeypatch.setattr(pays_nothing, "PROBLEMS", {"chain": lambda: problem})
    monkeypatch.setattr(pays_nothing, "TOLERANCES", (1e-3,))
    *_, row = pays_nothing.measure(quick=True)
    assert row.what == "geometric mean of 3 runs, 3 of them changed the method" and row.met is False


def test_long_runs_are_measured_on_request(tmp_path, monkeypatch, capsys):
    asked = []
    monkeypatch.setattr("benchmarks.__main__.run_section", lambda name, quick: asked.append(name) or [])
    main(["--out", str(tmp_path / "out.json")])
    assert "growth" in asked and not set(asked) & set(ON_REQUEST)
    main(["--only", "long", "--out", str(tmp_path / "out.json")])
    assert asked[-1] == "long"


def test_a_long_run_tells_steps_ledger_and_memory(tmp_path):
    found = long_runs.work(long_runs.RUNS[0], 0.001, str(tmp_path))
    assert found["steps"] > 900 and found["outputs"] == 661
    assert 0.0 < found["violation"] < long_runs.VIOLATION and 0.0 < found["off"] < 1e-3 * found["play"]
    assert found["memory"] is None or found["memory"] > 50.0
