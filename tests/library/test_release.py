"""A wheel gets a library of its own sources only; what tries a release says whether its starts are quick enough."""

import importlib
import struct
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from linkwork.compiled.own_laws import own_laws

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import build_library  # noqa: E402  # of the folder that was named just now
import try_release  # noqa: E402  # of the same folder


# -- the wheel ---------------------------------------------------------------------------------------------------------
@pytest.fixture
def packed(monkeypatch):
    """What the hook of the wheel does with a library: what it tells hatchling, or the words by which it refuses."""
    interface = "hatchling.builders.hooks.plugin.interface"  # hatchling is there for a release only
    parts = interface.split(".")
    for k in range(1, len(parts) + 1):
        monkeypatch.setitem(sys.modules, ".".join(parts[:k]), ModuleType(".".join(parts[:k])))
    sys.modules[interface].BuildHookInterface = object
    monkeypatch.delitem(sys.modules, "wheel_hook", raising=False)
    hook = importlib.import_module("wheel_hook").LibraryHook

    def pack(file: Path) -> dict | str:
        monkeypatch.setenv("LINKWORK_BUILT_LIBRARY", str(file))
        told: dict = {"force_include": {}}
        try:
            hook.initialize(SimpleNamespace(), "standard", told)
        except SystemExit as refused:
            return str(refused)
        return told

    yield pack
    sys.modules.pop("wheel_hook", None)


def test_a_library_of_these_sources_is_packed(library, packed, monkeypatch):
    monkeypatch.setattr(sys.modules["wheel_hook"], "newest_glibc", lambda made: (2, 17))  # as zig links it
    assert packed(library) == {
        "force_include": {str(library): "linkwork/kernels/_library.so"},
        "pure_python": False,
        "tag": "py3-none-manylinux_2_17_x86_64",
    }


def test_a_stale_library_is_not_packed(library, packed, tmp_path):
    """With another hash of its kernels, without one law, or for another processor."""
    from linkwork.compiled.laws import slot_key
    from linkwork.kernels.library import LAW, sources

    good, file = library.read_bytes(), tmp_path / "_library.so"
    law, source, _ = next(iter(own_laws()))
    name = (LAW + slot_key(law, source)).encode()
    assert sources().encode() in good and name in good
    file.write_bytes(good.replace(sources().encode(), b"0" * 64))
    assert "was made from other sources" in packed(file) and f"build_library.py {file}" in packed(file)
    file.write_bytes(good.replace(name, b"x" * len(name)))
    assert f"before these laws were changed or added: {law.__qualname__}. Build it again" in packed(file)
    file.write_bytes(good[:18] + struct.pack("<H", 183) + good[20:])  # 183 is AArch64
    assert "is no library for linux-x86_64" in packed(file)
    file.write_bytes(b"MZ, as of Windows")
    assert "is no library for linux-x86_64" in packed(file)
    assert build_library.machine_of(good) == 62 and build_library.stale(good) == ""


# -- its starts --------------------------------------------------------------------------------------------------------


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
