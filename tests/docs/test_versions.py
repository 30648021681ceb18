"""The version is said alike wherever it is said."""

import re
from pathlib import Path

import pytest

import linkwork as lw

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "file, pattern",
    [
        ("CITATION.cff", r"^version: (\S+)$"),
        ("CHANGELOG.md", r"^## \[([0-9][^\]]*)\]"),
        ("docs/release_notes.md", r"^## (\S+)"),
    ],
)
def test_the_version_is_the_one_of_the_package(file, pattern):
    found = re.search(pattern, (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
    assert found and found[1] == lw.__version__
