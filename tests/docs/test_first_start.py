"""How long kernels are compiled is said alike on the screen and in the documents."""

from pathlib import Path

import pytest

from linkwork.kernels import cache

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("file", ["README.md", "docs/limits.md", "docs/cluster.md"])
def test_the_documents_say_what_the_screen_says(monkeypatch, capsys, file):
    monkeypatch.setattr(cache, "_told", set())
    monkeypatch.delenv("LINKWORK_PROGRESS", raising=False)
    cache.announce()
    assert f"which takes {cache.HOW_LONG}." in capsys.readouterr().err
    assert cache.HOW_LONG in (ROOT / file).read_text(encoding="utf-8")
