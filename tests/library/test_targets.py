"""Every target that the builder names is built, once and by zig; nothing here runs what is not for this machine."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from campaign import WHOLE, campaign

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import build_library  # noqa: E402  # of the folder that was named just now

#: how files of these systems begin, and what in them names the processor
BEGINS = {
    "linux-x86_64": (b"\x7fELF", b"\x3e\x00"),
    "linux-aarch64": (b"\x7fELF", b"\xb7\x00"),
    "macos-arm64": (b"\xcf\xfa\xed\xfe", b"\x0c\x00\x00\x01"),
    "macos-x86_64": (b"\xcf\xfa\xed\xfe", b"\x07\x00\x00\x01"),
    "windows-x86_64": (b"MZ", b"PE\x00\x00\x64\x86"),
}


def test_every_target_is_looked_at():
    assert set(BEGINS) == set(build_library.TARGETS) >= set(build_library.TRIED)


@campaign
@pytest.mark.slow
@pytest.mark.by_numba
@pytest.mark.parametrize("target", build_library.TARGETS)
def test_it_can_be_built(target, tmp_path):
    """A minute each; the first time zig makes the C library of the system, which takes longer."""
    if not WHOLE:
        pytest.skip("built in make soak only")
    if not find_spec("ziglang"):
        pytest.skip("there is no zig: pip install ziglang")
    file = tmp_path / "library"
    command = [sys.executable, str(ROOT / "tools" / "build_library.py"), str(file), "--target", target]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    made = file.read_bytes()
    begin, machine = BEGINS[target]
    assert made.startswith(begin) and machine in made[:1024]
    assert build_library.stale(made) == ""
    linux, tried = target.startswith("linux"), target in build_library.TRIED
    assert ("is not compared with the list" in done.stdout) is not linux
    assert ("Nobody has run this one yet" in done.stdout) is not tried
