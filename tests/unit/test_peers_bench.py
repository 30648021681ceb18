"""The comparison with other packages: its search, its table and Linkwork's side run without the others installed."""

import json
import math

import numpy as np
import pytest
from benchmarks.peers import cases, report
from benchmarks.peers.__main__ import main
from benchmarks.peers.ladder import search
from benchmarks.peers.process import Outcome
from benchmarks.peers.report import Cell
from benchmarks.peers.tools import Method
from benchmarks.peers.worker import Worker, answer

TITLES = {"linkwork": "Linkwork", "one": "One", "two": "Two"}


def test_table_marks_the_best_and_gives_reasons():
    cells = [
        Cell("chain", 1e-3, "linkwork", 2e-4, 5e-4),
        Cell("chain", 1e-3, "one", 5e-4, 9e-4),
        Cell("chain", 1e-3, "two", 3e-3, 1e-4),
        Cell("chain", 1e-6, "linkwork", 2e-3, 5e-7),
        Cell("chain", 1e-6, "one", 1e-3, 9e-7),
        Cell("chain", 1e-6, "two", smallest=4e-5),
        Cell("loop", 1e-3, "linkwork", 1.5, 5e-4),
        Cell("loop", 1e-3, "one", reason="One: has no loops"),
        Cell("loop", 1e-3, "two", reason="One: has no loops"),
    ]
    lines = report.table(cells, TITLES).splitlines()
    assert "200 us" in lines[2] and "500 us *" in lines[2] and lines[2].endswith("2.5")
    assert "- (4e-05)" in lines[3] and lines[3].endswith("0.5 BEHIND")
    assert lines[4].count("- [1]") == 2 and lines[4].endswith("alone")
    assert lines[-1] == "[1]: One: has no loops"
    assert report.table(cells, TITLES, markdown=True).splitlines()[1] == "|---|---|---|---|---|---|"


def test_table_says_when_linkwork_does_not_reach_it():
    cells = [Cell("chain", 1e-6, "linkwork", smallest=1e-5), Cell("chain", 1e-6, "one", 1e-3, 9e-7)]
    assert report.table(cells, TITLES).splitlines()[2].endswith("behind")
    assert report.ratio(report.by_rows(cells)["chain", 1e-6]) is None


@pytest.mark.parametrize(
    "seconds, text", [(2.5e-5, "25.0 us"), (9.9996e-4, "1.00 ms"), (0.1234, "123 ms"), (12.34, "12.3 s")]
)
def test_durations_have_three_digits(seconds, text):
    assert report.duration(seconds) == text


def test_search_takes_the_loosest_setting_but_no_lucky_hit():
    method = Method("rk4", "steps", 10, 1e6)
    lucky = method.setting(8)

    def run(method, steps):
        return Outcome(1e-6 * steps, 1e-9 if steps == lucky else (10.0 / steps) ** 4)

    found = search([method], run, (1e-3, 1e-6), limit=10.0).found
    for target, hits in found.items():
        least = 10.0 * target**-0.25
        assert least <= hits[0].setting <= 1.2 * least


def test_search_gives_up_what_does_not_help_and_says_how_far_it_came():
    method = Method("rk4", "steps", 10, 1e9)
    asked = []

    def run(method, steps):
        asked.append(steps)
        return Outcome(1e-9 * steps, 2e-3 if len(asked) == 2 else 5e-3)

    seen = search([method], run, (1e-3,), limit=10.0)
    assert seen.found[1e-3] == [] and seen.smallest == 5e-3 and len(asked) <= 8


def test_search_leaves_a_method_that_is_slower_than_another():
    quick, slow = Method("quick", "tolerance", 1.0, 1e-12), Method("slow", "steps", 10, 1e9)
    asked = []

    def run(method, setting):
        asked.append(method.name)
        return Outcome(1e-3, setting) if method is quick else Outcome(1.0, 1.0 / setting)

    assert [hit.method.name for hit in search([quick, slow], run, (1e-3, 1e-6), limit=10.0).found[1e-6]] == ["quick"]
    assert asked.count("slow") == 1


def test_cases_are_named_with_their_sizes():
    assert cases.keys(["chain_planar"]) == [f"chain_planar N={n}" for n in (2, 10, 50, 200)]
    assert cases.keys(["fourbar_A02:40", "pendulum_A01"]) == ["fourbar_A02 N=40", "pendulum_A01"]
    with pytest.raises(KeyError, match="known: pendulum_A01"):
        cases.keys(["nothing"])


@pytest.mark.parametrize("single", [False, True])
def test_translation_cuts_one_joint_a_loop(single):
    scheme = cases.scheme("fourbar_A02 N=5", single)
    assert len(scheme.tree) == len(scheme.links) == 11 and len(scheme.loops) == 5
    assert all(("ground" in (joint.parent, joint.child)) == single for joint in scheme.loops)
    assert scheme.tree[0].rate == pytest.approx(-1.0)  # uprights fall along +x
    reached = {"ground"}
    for joint in scheme.tree:
        assert joint.parent in reached
        reached.add(joint.child)


@pytest.mark.parametrize("key", cases.keys(quick=True))
def test_translation_observes_what_the_problem_observes(key):
    scheme = cases.scheme(key)
    start = scheme.problem.mechanism.simulate([0.0, 1e-9], coordinates="body")
    poses = {name: (np.eye(3), scheme.links[name].center) for name in scheme.observed}
    assert scheme.error(poses) == pytest.approx(scheme.problem.error(start), abs=1e-7)
    nothing = np.full((3, 3), np.nan)
    assert math.isinf(scheme.error({name: (nothing, nothing[0]) for name in scheme.observed}))


def test_linkwork_side_answers_like_the_others():
    worker = Worker("linkwork")
    methods = answer(worker, json.dumps({"do": "open", "case": "chain_planar N=2"}))["methods"]
    assert [method["name"] for method in methods] == ["dop853", "dopri5", "rk4"]
    ask = {"do": "run", "method": "dop853", "setting": 1e-8, "repeats": 2, "worth": 1.0, "long": 1.0}
    reply = answer(worker, json.dumps(ask))
    assert reply["seconds"] > 0.0 and reply["error"] < 1e-6
    assert "failed" in answer(worker, json.dumps({**ask, "method": "nothing"}))


@pytest.mark.slow
def test_program_runs_with_linkwork_alone(tmp_path, capsys):
    out = tmp_path / "peers.json"
    assert main(["--quick", "--problems", "double_pendulum", "--peers", "--out", str(out)]) == 0
    text = capsys.readouterr().out
    assert "double_pendulum" in text and "Linkwork" in text
    cells = json.loads(out.read_text())["cells"]
    assert [cell["target"] for cell in cells] == [1e-3, 1e-6]
    assert all(cell["error"] <= cell["target"] for cell in cells)
