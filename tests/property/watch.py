"""Many small tasks in a fresh process, with an eye on the time and the memory that each of them takes.

A task list is a generator, named "module:function", that yields each text when it is done with it.  The peak of memory
is that of the whole process, all of Python included; it only rises, so that one look after each text is enough.
"""

import importlib
import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

import linkwork as lw

STATUS = Path("/proc/self/status")
watched = pytest.mark.skipif(not STATUS.exists(), reason="the peak of memory is read from /proc")


def watch(tasks, *arguments, seconds, megabytes):
    """Do the tasks; returns what the generator returns, and what was most.  Fails at the first that takes too much."""
    given = json.dumps([tasks, arguments, seconds, megabytes])
    folders = [str(Path(lw.__file__).parents[1]), str(Path(__file__).parents[1])]
    code = f"import sys; sys.path[:0] = {folders}; from property.watch import _watch; _watch(sys.stdin.read())"
    done = subprocess.run(
        [sys.executable, "-c", code], input=given, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout)


def _peak():
    """Megabytes that this process has needed at most."""
    return int(re.search(r"VmHWM:\s*(\d+) kB", STATUS.read_text())[1]) / 1024


def _watch(given):
    """Inside the fresh process."""
    tasks, arguments, seconds, megabytes = json.loads(given)
    module, name = tasks.split(":")
    running = getattr(importlib.import_module(module), name)(*arguments)
    slowest = 0.0
    while True:
        begin = time.process_time()
        try:
            text = next(running)
        except StopIteration as end:
            print(json.dumps([end.value, f"at most {slowest:.3f} s for one, {_peak():.0f} MB for all"]))
            return
        took = time.process_time() - begin
        slowest = max(slowest, took)
        assert took < seconds, f"{text[:3000]!r} takes {took:.3g} s, more than {seconds:g}"
        assert _peak() < megabytes, f"{text[:3000]!r} needs {_peak():.0f} MB, more than {megabytes:g}"
