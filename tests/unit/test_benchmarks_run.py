"""The benchmark program runs, says what it measured, and writes it down.  No speed is asserted."""

import json

import numpy as np
import pytest
from benchmarks import asked, growth, kinematics, problems, quick_return, student, whole_runs
from benchmarks.__main__ import SECTIONS, main
from benchmarks.timing import Row, table

import linkwork as lw
from linkwork.analysis.entering import enter


def test_one_section_runs_and_is_written(tmp_path, capsys):
    out = tmp_path / "results" / "latest.json"
    assert main(["--quick", "--only", "overhead", "--out", str(out)]) == 0
    text = capsys.readouterr().out
    assert "pendulum" in text and "outside the clock" in text and "baseline" in text
    written = json.loads(out.read_text())
    assert written["quick"] is True and written["machine"]["numba"]
    assert [row["section"] for row in written["rows"]] == ["overhead"] * len(written["rows"])
    assert all(np.isfinite(row["value"]) for row in written["rows"])


def test_evaluations_asked_for_by_python():
    """The law is called back, and what is measured without it is another motion."""
    rows = {row.what: row for row in asked.measure(quick=True)}
    assert rows["the law alone, by numba"].wanted == "<= 4"
    assert all(np.isfinite(row.value) for row in rows.values()) and len(rows) in (3, 6)
    assert rows["one evaluation with a law as plain Python, by numba"].value > rows["one evaluation, by numba"].value


def test_the_law_of_that_benchmark_stays_python():
    with pytest.warns(RuntimeWarning, match="Law 'spring' cannot be compiled and runs as plain Python"):
        state = asked.pendulum(law=True).assemble(coordinates="body").state
    system, y = enter(state.model, "body", state)[:2]
    with_law = system.derivative(0.0, y)[3:6].copy()  # accelerations
    state = asked.pendulum(law=False).assemble(coordinates="body").state
    system, y = enter(state.model, "body", state)[:2]
    assert np.abs(with_law - system.derivative(0.0, y)[3:6]).max() > 0.1


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


@pytest.mark.parametrize("n", [1, 2, 7])
def test_chain_by_hand_has_the_accelerations_of_linkwork(n):
    mechanism = problems.chain_planar(n).mechanism
    random = np.random.default_rng(n)
    angles, rates = random.uniform(-3.0, 3.0, n), random.uniform(-2.0, 2.0, n)
    state = {f"pin{k + 1}.angle": value for k, value in enumerate(np.diff(angles, prepend=0.0))}
    state |= {f"pin{k + 1}.angle.rate": value for k, value in enumerate(np.diff(rates, prepend=0.0))}
    found = mechanism.evaluate(state, coordinates="joint")
    wanted = growth.hand_chain(n).accelerations(angles, rates)
    got = [found[f"link{k + 1}.angle.acceleration"] for k in range(n)]
    np.testing.assert_allclose(got, wanted, rtol=0, atol=1e-12 * max(1.0, np.abs(wanted).max()))


def test_joint_coordinates_stand_beside_the_chain_by_hand(monkeypatch):
    monkeypatch.setattr(growth, "JOINT_SIZES", (2, 4))
    monkeypatch.setattr(growth, "LINKS_A_TIMING", {"body": 200, "joint": 200})
    rows = {row.what: row for row in growth.in_joint_coordinates(quick=True)}
    ratio = rows["chain of 4 in joint coordinates against by hand"]
    assert ratio.unit == "times" and ratio.wanted == "<= 2.5" and "by hand" in ratio.baseline
    assert rows["exponent 2 to 4 in joint coordinates, plane"].wanted == "<= 1.05"
    assert "exponent 2 to 4 in joint coordinates, space" in rows
    assert all(np.isfinite(row.value) for row in rows.values())


def test_hand_chain_and_linkwork_are_compared_at_the_same_states():
    system, states = growth.motion(problems.chain_planar(3), "joint")
    hand = growth.hand_chain(3)
    joint = growth.loop(system.pointers[0], states, 21, system)()
    other = growth.loop(hand.pointer, growth.absolute(states), 21, hand)()
    assert growth.against_hand(joint, other) < 1e-12
    assert growth.against_hand(joint, 1.001 * other) > 1e-4


def test_a_turn_of_the_six_bar_by_hand_is_that_of_linkwork():
    times = np.linspace(0.0, 1.0, 61)
    ways = [way(times) for way in (quick_return.in_a_loop, quick_return.in_a_tuned_loop, quick_return.at_once)]
    for other in ways[1:]:
        for one, two in zip(ways[0], other):
            np.testing.assert_allclose(one, two, rtol=0, atol=1e-9 * np.abs(one).max())
    run = lw.gallery.six_bar_quick_return().kinematics(times, coordinates="body")
    told = dict(part.rsplit(" ", 1) for part in kinematics.errors(run, ways[0]).split(", "))
    assert set(told) == {"position", "velocity", "acceleration", "reaction"}
    assert max(map(float, told.values())) < 1e-9


def test_kinematics_stand_beside_the_loops():
    rows = {row.what: row for row in kinematics.measure(quick=True)}
    assert rows["1000 positions: faster than a loop"].wanted == ">= 50"
    assert all(np.isfinite(row.value) for row in rows.values()) and len(rows) == 9


def test_ensembles_beside_rollout_are_those_of_single_runs():
    from benchmarks.peers import ensemble

    table = ensemble.starts(6)
    found = ensemble.ours(table, 1e-6)
    for start, series in zip(table[-2:], found[-2:]):
        given = {f"pin{k + 1}.angle": value for k, value in enumerate(start)}
        run = ensemble.chain().simulate(ensemble.END, every=ensemble.EVERY, rtol=1e-6, start=given, coordinates="joint")
        assert all(np.array_equal(run[name], one) for name, one in zip(ensemble.READ, series))
