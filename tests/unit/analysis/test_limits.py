"""Runs that end: after so many steps, so much time, or Ctrl-C, with what was reached."""

import os
import signal
import threading

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis import progress
from linkwork.coordinates.door import Door
from linkwork.errors import AnalysisError, DescriptionError, RunLimitError
from linkwork.kernels.time import places as at_run


def test_a_run_stops_after_so_many_steps():
    m = lw.gallery.double_pendulum()
    whole = m.simulate(5.0, every=0.01, coordinates="body")
    tries = whole.statistics.steps + whole.statistics.rejected
    with pytest.raises(RunLimitError, match=r"after 40 steps, all that most_steps= allows") as caught:
        m.simulate(5.0, every=0.01, coordinates="body", most_steps=40)
    reached = caught.value.result
    assert isinstance(caught.value, AnalysisError)
    assert reached.statistics.steps + reached.statistics.rejected == 40
    assert 3 < len(reached.t) < len(whole.t)
    np.testing.assert_array_equal(
        reached._series.states, whole._series.states[: len(reached.t)]
    )  # the same motion, bit for bit
    same = m.simulate(5.0, every=0.01, coordinates="body", most_steps=tries)
    np.testing.assert_array_equal(same._series.states, whole._series.states)
    with pytest.raises(RunLimitError):
        m.simulate(5.0, every=0.01, coordinates="body", most_steps=tries - 1)


def test_steps_of_one_size_are_limited_too():
    with pytest.raises(RunLimitError, match=r"at t = 0.07 s of 1 s after 7 steps") as caught:
        lw.gallery.pendulum().simulate(1.0, every=0.01, method="rk4", step=0.01, most_steps=7, coordinates="body")
    assert caught.value.result.t == pytest.approx(0.01 * np.arange(8))


def test_a_run_stops_after_so_many_seconds(monkeypatch):
    """By a clock of its own, on which every slice takes 0.3 s: the fourth ends behind the limit."""
    now, slices, advance = [0.0], [], Door.advance

    def slice_of_a_run(self, y, drive, times, states):
        now[0] += 0.3
        slices.append(int(drive.count[at_run.SLICE]))
        return advance(self, y, drive, times, states)

    monkeypatch.setattr(Door, "advance", slice_of_a_run)
    monkeypatch.setattr(progress.time, "perf_counter", lambda: now[0])
    with pytest.raises(RunLimitError, match=r"after 1\.2 s, more than most_seconds= allows") as caught:
        lw.gallery.double_pendulum().simulate([0.0, 0.01, 1e7], coordinates="body", most_seconds="1 s")
    assert len(slices) == 4
    assert slices == sorted(slices, reverse=True) and slices[0] <= 10  # they are short from the first on
    assert list(caught.value.result.t) == [0.0, 0.01]


def test_kinks_do_not_hide_the_limit():
    """A run that begins anew at every kink of a driver counts all of its steps."""
    m = lw.gallery.pendulum()
    saw = lw.Table(tuple(0.01 * k for k in range(200)), tuple(float(k % 2) for k in range(200)))
    rod = next(iter(m.bodies))
    m.add("push", lw.Torque(m[rod], saw))
    with pytest.raises(RunLimitError) as caught:
        m.simulate(1.9, coordinates="body", most_steps=30)
    found = caught.value.result.statistics
    assert found.steps + found.rejected == 30


@pytest.mark.parametrize(
    "wrong",
    [
        {"most_steps": 0},
        {"most_steps": -3},
        {"most_steps": 2.5},
        {"most_steps": True},
        {"most_steps": "many"},
        {"most_seconds": 0.0},
        {"most_seconds": float("nan")},
        {"most_seconds": "2 m"},
    ],
)
def test_limits_that_are_none(wrong):
    with pytest.raises(DescriptionError, match=next(iter(wrong))):
        lw.gallery.pendulum().simulate(0.1, coordinates="body", **wrong)


class Interrupting:
    """A law in Python: Ctrl-C comes while it runs."""

    def __init__(self, at):
        self.at, self.sent = at, False

    def __call__(self, value, rate, t):
        if t > self.at and not self.sent:
            self.sent = True
            os.kill(os.getpid(), signal.SIGINT)
        return 0.0


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_an_interrupt_carries_what_was_reached(heeded):
    def run(**options):
        timer = threading.Timer(0.6, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        try:
            lw.gallery.double_pendulum().simulate([0.0, 0.5, 1e7], coordinates="body", **options)
        finally:
            timer.cancel()

    lw.gallery.double_pendulum().simulate(0.1, coordinates="body")  # compiled
    with pytest.raises(KeyboardInterrupt) as caught:
        run()
    assert list(caught.value.result.t) == [0.0, 0.5]
    assert caught.value.result.final.t == 0.5


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.filterwarnings("ignore:Law")
def test_an_interrupt_in_a_python_law_carries_what_was_reached(heeded):
    m = lw.gallery.pendulum()
    rod = next(iter(m.bodies))
    m.add("law", lw.UserForce(lw.Angle(m.ground, m[rod]), Interrupting(0.5)))
    with pytest.raises(KeyboardInterrupt) as caught:
        m.simulate(100.0, every=0.01, coordinates="body")
    assert 0.4 < caught.value.result.t[-1] < 50.0


def test_a_handler_of_the_user_is_asked(monkeypatch):
    asked = []
    one = progress.Interrupts(False)
    one.noted, one.before = True, lambda number, frame: asked.append(number)
    one.heed()  # what it does not raise is not raised
    assert asked == [signal.SIGINT]
    one.noted, one.before = True, signal.SIG_IGN
    one.heed()
    one.noted, one.before = True, signal.SIG_DFL
    with pytest.raises(KeyboardInterrupt):
        one.heed()


def test_a_file_may_limit_its_run(tmp_path, capsys):
    from linkwork.cli import main

    file = tmp_path / "pendulum.yaml"
    lw.write(
        lw.gallery.double_pendulum(),
        file,
        {"type": "simulate", "duration": 5.0, "every": 0.01, "most_steps": 40, "coordinates": "body"},
    )
    assert main(["run", str(file), "--output", str(tmp_path / "reached.csv")]) == 1
    said = capsys.readouterr()
    assert "The run stopped at t =" in said.out and "--most-steps" in said.err
    assert len(lw.load(tmp_path / "reached.csv").t) > 3
    assert main(["run", str(file), "--most-steps", "5000"]) == 0
    assert main(["run", str(file), "--most-steps", "2.5"]) == 2
