"""Files are written whole or not at all, also when the writer is killed."""

import hashlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from linkwork.errors import FileError
from linkwork.files.whole import write_whole

SOURCE = str(Path(__file__).parents[3] / "src")
WRITER = """
import hashlib, os, sys
from linkwork.files.whole import write_whole
target = sys.argv[1]
k = 0
print("ready", flush=True)
while True:
    k += 1
    body = os.urandom(16) * (1000 + 997 * (k % 40))
    write_whole(target, hashlib.sha256(body).hexdigest().encode() + body)
    print(k, flush=True)
"""


def test_writes_and_replaces(tmp_path):
    path = tmp_path / "a.bin"
    assert write_whole(path, b"one") == path
    write_whole(path, b"two")
    assert path.read_bytes() == b"two"
    assert os.listdir(tmp_path) == ["a.bin"]


def test_what_cannot_be_written_is_said(tmp_path):
    with pytest.raises(FileError, match="No such file or directory"):
        write_whole(tmp_path / "no" / "a.bin", b"")
    with pytest.raises(FileError, match="folder"):
        write_whole(tmp_path, b"")


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "a.bin"
    write_whole(path, b"old")

    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileError, match="No space left"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old" and os.listdir(tmp_path) == ["a.bin"]


def test_a_link_stays_a_link(tmp_path):
    write_whole(tmp_path / "there.bin", b"old")
    (tmp_path / "here.bin").symlink_to(tmp_path / "there.bin")
    write_whole(tmp_path / "here.bin", b"new")
    assert (tmp_path / "here.bin").is_symlink() and (tmp_path / "there.bin").read_bytes() == b"new"


def test_leftovers_of_the_dead_are_removed_and_those_of_the_living_kept(tmp_path):
    dead = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    gone = tmp_path / f".a.bin.{int(dead.stdout)}-00000000.part"
    living = tmp_path / f".a.bin.{os.getppid()}-00000000.part"
    others = tmp_path / ".b.bin.1-00000000.part"
    for path in (gone, living, others):
        path.write_bytes(b"x")
    write_whole(tmp_path / "a.bin", b"new")
    assert not gone.exists() and living.exists() and others.exists()


@pytest.mark.skipif(os.name != "posix", reason="needs kill -9")
def test_kill_at_random_moments_tears_no_file(tmp_path):
    """At least 200 writes and 25 kills: the file is always a whole one, and at most one unfinished file is left."""
    rng = random.Random(7)
    target = tmp_path / "result.bin"
    writes = kills = torn = 0
    last = None
    while writes < 200 or kills < 25:
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(target)],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": SOURCE},
        )
        assert process.stdout.readline() == b"ready\n"
        time.sleep(rng.uniform(0.0, 0.08))
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read()
        process.wait()
        process.stdout.close()
        kills += 1
        writes += rest.count(b"\n")
        if target.exists():
            data = target.read_bytes()
            torn += data[:64] != hashlib.sha256(data[64:]).hexdigest().encode()
            assert last is None or data, "the old file is gone"
            last = data
        assert sum(path.name.endswith(".part") for path in tmp_path.iterdir()) <= 1
    assert torn == 0
    write_whole(target, b"end")
    assert os.listdir(tmp_path) == ["result.bin"]


@pytest.mark.skipif(os.name != "posix", reason="needs permissions")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
def test_the_mode_of_a_file_that_is_replaced_is_kept(tmp_path, mode):
    path = tmp_path / "a.bin"
    write_whole(path, b"old")
    path.chmod(mode)
    write_whole(path, b"new")
    assert path.read_bytes() == b"new" and path.stat().st_mode & 0o7777 == mode


@pytest.mark.skipif(os.name != "posix", reason="needs pipes")
def test_what_is_no_file_is_not_replaced(tmp_path):
    """As root, a file moved to /dev/null would be its end."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/null")):
        before = os.stat(path).st_mode
        with pytest.raises(FileError, match="device or a pipe"):
            write_whole(path, b"new")
        assert os.stat(path).st_mode == before
