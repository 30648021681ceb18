"""Output times, and no more of them than memory holds."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis import outputs
from linkwork.errors import DescriptionError, FileError

MODEL = """linkwork: 1
bodies:
  rod: {mass: 1, inertia: 0.1, position: [0.5, 0]}
joints:
  A: {type: Revolute, on: ground, to: {rod: [-0.5, 0]}}
analysis:
  type: simulate
  duration: DURATION
  every: EVERY
"""


def test_a_duration_and_a_time_between():
    assert outputs.grid(1.0, 0.25, 2.0, 6) == pytest.approx([2.0, 2.25, 2.5, 2.75, 3.0])
    assert outputs.grid(1.0, 0.4, 0.0, 6) == pytest.approx([0.0, 0.4, 0.8, 1.0])
    assert outputs.grid(0.0, None, 3.0, 6) == pytest.approx([3.0])
    assert outputs.grid(1.0, None, 0.0, 6).size == 201


def test_memory_is_that_of_the_machine_and_its_limits(monkeypatch):
    assert 1e8 < outputs.memory() < 1e14
    resource = pytest.importorskip("resource")
    outputs.memory.cache_clear()
    try:
        monkeypatch.setattr(resource, "getrlimit", lambda which: (123456, 123456))
        assert outputs.memory() == 123456
    finally:
        outputs.memory.cache_clear()


def test_more_outputs_than_memory_holds(monkeypatch):
    monkeypatch.setattr(outputs, "memory", lambda: 1e6)
    m = lw.gallery.pendulum()
    with pytest.raises(DescriptionError, match=r"than memory holds.*Got 1e\+05 outputs; wanted at most 10,"):
        m.simulate(1.0, every=1e-5, coordinates="body")
    with pytest.raises(DescriptionError, match="more outputs than memory holds"):
        m.simulate(np.linspace(0.0, 1.0, 20_000), coordinates="body")
    assert len(m.simulate(0.01, every=1e-4, coordinates="body").t) == 101


def test_no_number_of_outputs_is_too_large_to_be_told():
    with pytest.raises(DescriptionError, match="more outputs than memory holds"):
        lw.gallery.pendulum().simulate(1e300, every=1e-300, coordinates="body")
    with pytest.raises(DescriptionError, match="at most"):
        lw.gallery.pendulum().simulate(1e6, every=1e-3, coordinates="body")


@pytest.mark.parametrize(("duration", "every"), [("1e6", "1e-3"), ("10 s", "1e-9 s"), ("1e300", "1e-300")])
def test_a_file_that_asks_for_too_many_is_told_with_its_line(duration, every):
    with pytest.raises(FileError, match=r"<text>:9:3: .*more outputs than memory holds") as caught:
        lw.read_document(MODEL.replace("DURATION", duration).replace("EVERY", every))
    assert caught.value.problems[0].text == f"every: {every}"


def test_what_a_file_may_ask_for_depends_on_its_size(monkeypatch):
    text = MODEL.replace("DURATION", "10").replace("EVERY", "1 ms")
    assert lw.read_document(text).analysis["every"] == 1e-3
    monkeypatch.setattr(outputs, "memory", lambda: 8.0 * 6 * 2 * 9999)
    with pytest.raises(FileError, match=r":9:3: .*at most 9,999"):
        lw.read_document(text)
