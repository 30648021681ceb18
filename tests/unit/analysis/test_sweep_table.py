"""Answers in a table: those of a block are taken name by name, and stand as if each had been taken by itself."""

import numpy as np
import pytest

from linkwork.analysis.design_table import design_table
from linkwork.analysis.sweep_table import SweepTable
from linkwork.result.tables import maker_of_datasets

pytest.importorskip("xarray")
DOUBT = "MovedWarning: moved"


def table(count: int = 9) -> SweepTable:
    designs = design_table({"k": np.arange(float(count))}, "list", None, 0)
    return SweepTable(designs, ["x", "x.max"], {"reduce": None})


def answers(count: int = 9, size: int = 4) -> dict:
    rng, t = np.random.default_rng(2), np.arange(float(size))
    found = {}
    for k, row in enumerate(rng.normal(size=(count, size))):
        found[k] = {"failed": "", "doubts": [DOUBT] * (k == 3), "x": row, "x.max": float(row.max()), "time": t}
    return found


def own_times(found):
    for k, one in found.items():
        one["time"] = one["time"] + k
    return found


def shorter(found):
    found[5] |= {"x": found[5]["x"][:2], "time": found[5]["time"][:2]}
    return found


def failed(found):
    found[2] = {"failed": "no", "doubts": []}
    return found


def another_order(found):
    found[4] = dict(reversed(found[4].items()))
    return found


def longer_times(found):
    for k in (6, 7, 8):
        found[k] |= {"x": np.append(found[k]["x"], 7.0), "time": np.append(found[k]["time"], 7.0)}
    return found


CHANGES = [lambda found: found, own_times, shorter, failed, another_order, longer_times]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("order", [range(9), [0, 2, 4, 6, 8, 1, 3, 5, 7], [5, 6, 7, 8, 0, 1, 2, 3, 4]])
def test_answers_together_are_answers_one_by_one(change, order):
    found, dataset = change(answers()), maker_of_datasets("sweep")
    one, other = table(), table()
    for part in (order[:5], order[5:]):
        one.add({k: found[k] for k in part})
    for k in order:
        other.add({k: found[k]})
    assert one.done == other.done == 9
    assert one.made(dataset).identical(other.made(dataset))
    assert one._kinds == other._kinds == {"MovedWarning": 1}


def test_a_block_is_taken_together(monkeypatch):
    monkeypatch.setattr(SweepTable, "_add_singly", lambda self, answers: pytest.fail("one by one"))
    found = table()
    found.add(answers())
    assert found.done == 9
