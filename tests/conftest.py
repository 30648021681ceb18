"""What all tests share: kernels that are compiled while they run say nothing, so that tests can read stderr.

Kernels are compiled by numba, whether or not there is a library of them, unless LINKWORK_LIBRARY names one.
"""

import os
import signal

import pytest

os.environ.setdefault("LINKWORK_PROGRESS", "off")
os.environ.setdefault("LINKWORK_LIBRARY", "off")


@pytest.fixture
def heeded():
    """Ctrl-C as in a terminal: a shell that starts tests in the background has them ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
