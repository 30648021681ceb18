"""Each room with code has its folder of unit tests under the same name."""

from pathlib import Path

import pytest

from architecture.rooms import PACKAGE, ROOMS, ROOT

FOLDERS = [room for room in ROOMS if (PACKAGE / room).is_dir() and any((PACKAGE / room).rglob("*.py"))]
FILES = [room for room in ROOMS if (PACKAGE / f"{room}.py").is_file() and not room.startswith("_")]


@pytest.mark.parametrize("room", FOLDERS)
def test_folder_has_unit_tests(room):
    tests: Path = ROOT / "tests" / "unit" / room
    assert any(tests.rglob("test_*.py")), f"tests/unit/{room} has no test file"


@pytest.mark.parametrize("room", FILES)
def test_file_has_a_unit_test(room):
    assert (ROOT / "tests" / "unit" / f"test_{room}.py").is_file()
