"""Ctrl-C in a run: what was reached is handed back, said in the traceback, and shown in a notebook."""

import os
import signal
import subprocess
import sys
import time
from html import unescape
from pathlib import Path

import pytest

import linkwork as lw
from linkwork.errors import AnalysisError, RunLimitError

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

LONG = """
import signal, threading, os
signal.signal(signal.SIGINT, signal.default_int_handler)
import linkwork as lw
m = lw.gallery.double_pendulum()
m.add("turns", lw.Event("A.angle.rate"))
m.add("stiff", lw.Event("B.angle", "2 rad", direction="rising", then=lw.Lock("B"), most=1))
m.simulate(0.1, coordinates="body")
"""

SCRIPT = (
    LONG
    + """
print("running", flush=True)
try:
    m.simulate([0.0, 0.25, 0.5, 1e6], coordinates="body")
except KeyboardInterrupt as stop:
    run = stop.result
    assert [one.name for one in run.events][:2] == ["turns", "stiff"], run.events
    more = m.simulate(0.5, start=run.final, coordinates="body")
    assert (run + more).t[-1] == run.t[-1] + 0.5
    print(str(run))
    print("-----")
    print(run._repr_html_())
"""
)


ASKED = 'm.simulate([0.0, 0.25, 0.5, 1e6], coordinates="body")'
GOING_ON = """
import sys
run = sys.last_value.result
print(m.simulate(0.5, start=run.final, coordinates="body").t[-1])
"""


def environment(folder):
    return {**os.environ, "PYTHONPATH": str(Path(lw.__file__).parents[1]), "MPLCONFIGDIR": str(folder)}


def test_a_signal_in_a_script(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, text=True, env=environment(tmp_path)
    ) as process:
        try:
            assert process.stdout.readline() == "running\n"
            time.sleep(1.0)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=300)
        finally:
            process.kill()
    printed, html = out.split("-----\n")
    for said in (printed, html):
        assert "stopped by Ctrl-C at t = " in said and " s of 1e+06 s; start=run.final goes on from t = 0.5 s" in said
        assert "stiff" in said and "velocities jump" in said
    assert "<table" in html and "data:image/svg+xml" in html


def test_a_cell_of_a_notebook_shows_what_was_reached(tmp_path, monkeypatch):
    manager = pytest.importorskip("jupyter_client.manager")
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("PYTHONPATH", str(Path(lw.__file__).parents[1]))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    kernel = manager.KernelManager(kernel_name="python3")
    kernel.kernel_spec.argv[0] = sys.executable
    kernel.start_kernel()
    client = kernel.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=120)
        seen = []

        def run(code, stop_at=None):
            del seen[:]

            def note(reply):
                seen.append(reply)
                if stop_at and stop_at in reply["content"].get("text", ""):
                    time.sleep(0.5)
                    kernel.interrupt_kernel()

            return client.execute_interactive(code, timeout=300, output_hook=note, allow_stdin=False)

        ready = run(LONG.replace("signal.signal(signal.SIGINT, signal.default_int_handler)", ""))
        assert ready["content"]["status"] == "ok"
        reply = run(f"print('running', flush=True)\n{ASKED}", "running")
        assert reply["content"]["ename"] == "KeyboardInterrupt"
        (html,) = [one["content"]["data"]["text/html"] for one in seen if "data" in one["content"]]
        assert "stopped by Ctrl-C at t = " in html and "start=run.final goes on from t = 0.5 s" in html
        told = "\n".join(reply["content"]["traceback"])
        assert "stopped by Ctrl-C" in told and "sys.last_value.result" in told
        assert run(GOING_ON)["content"]["status"] == "ok", seen
        assert any(one["content"].get("text") == "1.0\n" for one in seen)
    finally:
        client.stop_channels()
        kernel.shutdown_kernel(now=True)


def test_stopped_before_anything_was_reached(monkeypatch):
    from linkwork.coordinates.door import Door

    def interrupted(self, *given):
        raise KeyboardInterrupt

    monkeypatch.setattr(Door, "advance", interrupted)
    with pytest.raises(KeyboardInterrupt) as caught:
        lw.gallery.pendulum().simulate(1.0, coordinates="body")
    run = caught.value.result
    assert len(run.t) == 0 and "0 times" in repr(run)
    for said in (str(run), run._repr_html_()):
        assert "stopped by Ctrl-C at t = 0 s of 1 s" in said and "goes on" not in said


def test_other_runs_that_stop_say_so():
    with pytest.raises(RunLimitError) as caught:
        lw.gallery.double_pendulum().simulate(5.0, every=0.01, most_steps=40, coordinates="body")
    run = caught.value.result
    assert run.ended.startswith("stopped at t = ") and f"goes on from t = {run.t[-1]:.6g} s" in run.ended
    assert run.ended in cell_of(run) and run.ended in str(run)
    m = lw.Mechanism("ball")
    m.add("ball", lw.Particle(1.0, position=(0, 1)))
    m.add("hit", lw.Event("ball.y", direction="falling", then=lambda s: {"ball.y.rate": -0.2 * s["ball.y.rate"]}))
    with pytest.raises(AnalysisError, match="happens for ever") as stopped:
        m.simulate(2.0, every=0.01, coordinates="body")
    assert "goes on from t = 0.67 s" in stopped.value.result.ended
    assert "stopped at t = 0.677" in cell_of(stopped.value.result)


def cell_of(run):
    return unescape(run._repr_html_())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"constraints": "none"}, "constraints not held"),
        ({"constraints": "baumgarte"}, "constraints by Baumgarte's terms after the steps"),
        ({"constraints": "baumgarte", "alpha": 5.0}, "Baumgarte's terms, alpha 5 and beta 5 1/s"),
        ({}, ""),
    ],
)
def test_the_first_line_of_a_cell_says_how_constraints_were_held(options, words):
    run = lw.gallery.four_bar().simulate(0.1, every=0.05, coordinates="body", **options)
    first = cell_of(run).split("<p")[2].partition("</p>")[0]
    assert "0 to 0.1 s, 3 times" in first and words in first and words in str(run).splitlines()[0]
    if not words:
        assert "constraints" not in first
