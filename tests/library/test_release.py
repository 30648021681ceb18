"""What tries a release says in its last lines whether its starts are as quick as they should be."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import try_release  # noqa: E402


@pytest.mark.parametrize(
    "ratio, words",
    [
        (2.46, "the first run 2.5 times that, at most 3: met"),
        (3.0, "the first run 3.000 times that, at most 3: met"),
        (3.01, "the first run 3.010 times that, at most 3: MISSED"),
        (4.2, "the first run 4.2 times that, at most 3: MISSED"),
    ],
)
def test_a_start_is_met_or_missed(ratio, words):
    assert try_release.judged({"the first run": ratio}) == {"the first run": words}


@pytest.mark.parametrize("later, last", [(2.9, "Met: no start takes"), (3.1, "MISSED: these starts take")])
def test_the_last_lines_name_what_was_missed(tmp_path, monkeypatch, capsys, later, last):
    """Of one version of Python among two, and although nothing else fails."""
    for name in ("l-1.0-py3-none-manylinux_2_17_x86_64.whl", "l-1.0-py3-none-any.whl", "l-1.0.tar.gz"):
        (tmp_path / name).write_bytes(b"")

    class Place:
        def __init__(self, file, program, folder):
            self.file, self.later = file, later if program == "slow" else 2.0
            self.bin, self.environment = folder, {}

        def times(self):
            return 0.1, {"the first run": 2.5, "later runs": self.later}

        def run(self, **setting):
            return "[]", "00"

        def readme(self):
            pass

    monkeypatch.setattr(try_release, "Place", Place)
    monkeypatch.setattr(try_release, "pythons", lambda: {"3.11": "quick", "3.12": "slow"})
    monkeypatch.setattr(try_release, "try_plain", lambda *given: None)
    try_release.main([str(tmp_path)])
    said = capsys.readouterr().out
    end = said.splitlines()[-3:]
    slow = "Python 3.12: later runs 3.1 times that, at most 3: MISSED"
    if later > try_release.MOST:
        assert end[0].startswith(last) and end[1].strip() == slow and "quiet machine" in end[2]
        assert said.count("MISSED") == 3 and "3.11: " not in "\n".join(end)
    else:
        assert end[-1].startswith(last) and "MISSED" not in said
