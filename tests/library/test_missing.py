"""Without a linker, tests by the library are left out with a sentence; where they are needed, they fail."""

import sys

import pytest

import library.by_library as by_library
import library.conftest as found_here


@pytest.fixture
def without_a_linker(monkeypatch):
    monkeypatch.setattr(by_library, "LINKER", None)
    monkeypatch.setattr(by_library.sys, "platform", "linux")
    monkeypatch.setattr(by_library.os, "uname", lambda: type("Machine", (), {"machine": "x86_64"}))
    monkeypatch.setattr(sys, "argv", ["by_library.py", "no/such/test"])
    monkeypatch.delenv("LINKWORK_LIBRARY_TESTS", raising=False)


def test_nothing_is_tested_and_said(without_a_linker, capsys):
    assert by_library.main() == 0
    assert "Nothing is tested by the library: there is no linker" in capsys.readouterr().out
    with pytest.raises(pytest.skip.Exception, match=r"no linker.*apt-get install gcc"):
        found_here.made()


def test_where_it_is_needed_that_is_a_failure(without_a_linker, monkeypatch, capsys):
    monkeypatch.setenv("LINKWORK_LIBRARY_TESTS", "needed")
    assert by_library.main() == 1
    assert "there is no linker: install a C compiler" in capsys.readouterr().out
    with pytest.raises(pytest.fail.Exception, match="no linker"):
        found_here.made()


def test_continuous_integration_needs_it():
    assert "export LINKWORK_LIBRARY_TESTS=needed" in (by_library.ROOT / ".ci" / "run").read_text()
