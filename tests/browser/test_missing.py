"""Without Chromium the tests of pages are skipped with a sentence; where it is needed, they fail."""

import pytest

import browser.conftest as found_here


@pytest.mark.parametrize("needed, outcome", [(None, pytest.skip.Exception), ("needed", pytest.fail.Exception)])
def test_a_missing_browser(monkeypatch, needed, outcome):
    monkeypatch.setattr(found_here, "found", lambda: None)
    monkeypatch.delenv("LINKWORK_BROWSER", raising=False)
    if needed:
        monkeypatch.setenv("LINKWORK_BROWSER", needed)
    with pytest.raises(outcome, match=r"no Chromium on this machine.*apt-get install chromium"):
        found_here._started(gl=True)
