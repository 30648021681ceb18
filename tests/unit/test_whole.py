"""Ctrl-C while a package is imported."""

import signal
import subprocess
import sys
import threading

import pytest

from linkwork.whole import load


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package that is interrupted while it is imported."""
    name = "interrupted_package"
    text = "import signal\nsignal.raise_signal(signal.SIGINT)\nfor _ in range(1000):\n    pass\nWHOLE = True\n"
    (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    yield name
    sys.modules.pop(name, None)


def test_an_interrupt_waits_until_the_package_is_whole(package, heeded):
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        load(package)
    assert sys.modules[package].WHOLE
    assert signal.getsignal(signal.SIGINT) is before
    load(package)  # it is there


def test_a_handler_of_the_user_is_told(package):
    told = []
    before = signal.signal(signal.SIGINT, lambda *given: told.append(given[0]))
    try:
        load(package)
    finally:
        signal.signal(signal.SIGINT, before)
    assert told == [signal.SIGINT] and sys.modules[package].WHOLE


def test_ignored_interrupts_and_other_threads(tmp_path, package):
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        load(package)
    finally:
        signal.signal(signal.SIGINT, before)
    (tmp_path / "quiet_package.py").write_text("WHOLE = True\n")
    thread = threading.Thread(target=load, args=("quiet_package",))
    thread.start()
    thread.join()
    assert sys.modules.pop("quiet_package").WHOLE


@pytest.mark.slow
def test_numba_can_be_used_after_an_interrupt_of_its_import():
    """The interrupt comes with the import of one of its inner modules."""
    code = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "numba.core.typing":
            sys.meta_path.remove(self)
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Interrupt())
import linkwork as lw
try:
    lw.simulate
    print("not interrupted")
except KeyboardInterrupt:
    import numba
    print("whole" if numba.njit and lw.simulate else "in pieces")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "whole", done.stderr
