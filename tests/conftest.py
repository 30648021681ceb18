"""What all tests share: kernels that are compiled while they run say nothing, so that tests can read stderr.

Kernels are compiled by numba, whether or not there is a library of them, unless LINKWORK_LIBRARY names one.
"""

import os
import signal

import pytest

os.environ.setdefault("LINKWORK_PROGRESS", "off")
os.environ.setdefault("LINKWORK_LIBRARY", "off")


def pytest_addoption(parser):
    """`--one-case`, by which `make quick` is quick."""
    parser.addoption(
        "--one-case",
        action="store_true",
        help="of every unit test only the first case, and the first in each set of coordinates",
    )


def pytest_collection_modifyitems(config, items):
    """Leave out what does not concern kernels from a library, and what `--one-case` leaves out.

    Contracts and rules of the house are kept whole.
    """
    if os.environ["LINKWORK_LIBRARY"] != "off":
        for item in items:
            if item.get_closest_marker("by_numba"):
                item.add_marker(pytest.mark.skip(reason="kernels come from a library"))
    if not config.getoption("--one-case"):
        return
    seen, left_out = set(), []
    for item in items:
        case = getattr(item, "callspec", None)
        if case is None or "unit" not in item.path.parts:
            continue
        key = item.path, item.originalname, str(case.params.get("coordinates"))
        if key in seen:
            left_out.append(item)
        seen.add(key)
    config.hook.pytest_deselected(items=left_out)
    gone = set(left_out)
    items[:] = [item for item in items if item not in gone]


@pytest.fixture
def heeded():
    """Ctrl-C as in a terminal: a shell that starts tests in the background has them ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
