"""Headless Chromium for the tests of pages; without one they are skipped, unless LINKWORK_BROWSER is "needed"."""

import os

import pytest

from browser.chromium import Chromium, found

WHERE = "on Debian `apt-get install chromium`"


@pytest.fixture(scope="session")
def browser():
    """A browser that has WebGL."""
    with _started(gl=True) as one:
        yield one


@pytest.fixture(scope="session")
def plain_browser():
    """A browser without WebGL."""
    with _started(gl=False) as one:
        yield one


def _started(gl):
    if found() is None:
        words = f"no Chromium on this machine, so pages are not tried in a browser ({WHERE})"
        if os.environ.get("LINKWORK_BROWSER") == "needed":
            pytest.fail(words)
        pytest.skip(words)
    return Chromium(gl=gl)
