"""Kernels that several threads need at the same time are compiled once."""

import subprocess
import sys

import pytest

SCRIPT = """
import sys, threading
import linkwork as lw
sys.setswitchinterval(1e-6)
import linkwork.kernels.motion, linkwork.kernels.planar.body, linkwork.kernels.planar.joint
from linkwork.kernels import compiling
many = [one for one in compiling.DECLARED if not one.overloads][:8]
assert len(many) == 8
wrong, start = [], threading.Barrier(4)

def work():
    for one in many:
        start.wait()
        try:
            compiling.compiled(one)
        except Exception as error:
            wrong.append(error)

threads = [threading.Thread(target=work) for _ in range(4)]
[one.start() for one in threads], [one.join() for one in threads]
print(len(wrong), wrong[:1], {len(one.overloads) for one in many})
"""


@pytest.mark.by_numba
def test_several_threads_need_a_kernel_at_once():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout.strip() == "0 [] {1}", done.stdout + done.stderr
