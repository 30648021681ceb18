"""Compiled code on disk: found by its sources wherever they lie, healed where it is damaged, done without otherwise."""

import os
import shutil
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest
from numba import njit, types

import linkwork as lw
from linkwork.compiled import laws
from linkwork.kernels import cache, folders

SIGNATURE = types.float64(types.float64)


def half(x):
    return 0.5 * x


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "FOLDER", tmp_path)
    monkeypatch.setattr(cache, "_told", set())
    return tmp_path


def compiled(key=""):
    made = njit(half)
    made._cache = cache.KernelCache(half, key)
    made.compile(SIGNATURE)
    return made


def hits(made):
    return sum(made._cache_hits.values())


def test_what_was_compiled_is_found_again(folder):
    assert hits(compiled()) == 0
    (file,) = folder.glob("*.code")
    again = compiled()
    assert hits(again) == 1
    assert again(3.0) == 1.5
    assert list(folder.iterdir()) == [file]
    assert hits(compiled("made from something else")) == 0


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[:10],
        lambda content: content[:-1],
        lambda content: content[: len(content) // 2],
        lambda content: content[:500] + bytes([content[500] ^ 4]) + content[501:],
        lambda content: bytes([content[0] ^ 1]) + content[1:],
        lambda content: b"\0" * len(content),
    ],
)
def test_a_damaged_file_is_removed_and_compiled_again(folder, damage):
    compiled()
    (file,) = folder.glob("*.code")
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    with pytest.warns(RuntimeWarning, match="damaged.*compiled again"):
        healed = compiled()
    assert (hits(healed), healed(3.0)) == (0, 1.5)
    assert len(file.read_bytes()) > 1000
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert hits(compiled()) == 1


def test_a_folder_that_cannot_be_written_is_told_once(folder, monkeypatch):
    def full(*args, **options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache.tempfile, "mkstemp", full)
    with pytest.warns(RuntimeWarning, match="cannot be kept.*No space left.*LINKWORK_CACHE") as told:
        assert compiled()(3.0) == 1.5
        assert compiled("another")(3.0) == 1.5
    assert len(told) == 1


def test_a_folder_that_can_only_be_read_serves(folder, monkeypatch):
    compiled()
    monkeypatch.setattr(cache.os, "utime", lambda *args: (_ for _ in ()).throw(PermissionError(1, "no")))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert hits(compiled()) == 1


def test_a_write_that_fails_half_way_leaves_nothing(folder, monkeypatch):
    def fails(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache.os, "replace", fails)
    with pytest.warns(RuntimeWarning, match="cannot be kept"):
        compiled()
    assert list(folder.iterdir()) == []


# -- the folder --------------------------------------------------------------------------------------------------------
def test_the_folder_is_named_by_the_hash_of_the_sources():
    assert cache.FOLDER is None or cache.FOLDER.name == f"kernels-{cache.source_hash()}"


def test_an_edit_in_any_kernel_is_another_folder_and_the_place_is_not(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "sources", cache.sources.__wrapped__)  # a process looks at its own files once
    found = []
    for clone in ("one", "two"):
        room = tmp_path / clone / "kernels"
        (room / "planar").mkdir(parents=True)
        (room / "jit.py").write_text("a = 1\n")
        (room / "planar" / "measures.py").write_text("b = 1\n")
        os.utime(room / "jit.py", (1e9 + len(found), 1e9))
        found.append(cache.source_hash(room))
    assert found[0] == found[1]
    (room / "planar" / "measures.py").write_text("b = 2\n")
    assert cache.source_hash(room) != found[0]
    (room / "planar" / "measures.py").write_text("b = 1\n")
    (room / "planar" / "measures.py").rename(room / "planar" / "other.py")
    assert cache.source_hash(room) != found[0]


def test_where_the_cache_is(monkeypatch, tmp_path):
    monkeypatch.setenv("LINKWORK_CACHE", str(tmp_path / "own"))
    assert cache.cache_roots() == [tmp_path / "own"]
    monkeypatch.delenv("LINKWORK_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.cache_roots()[0] == tmp_path / "linkwork"


def test_without_a_home_there_is_a_private_folder_or_none(monkeypatch, tmp_path):
    def nobody():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("LINKWORK_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(cache.Path, "home", nobody)
    monkeypatch.setattr(cache.tempfile, "gettempdir", lambda: str(tmp_path))
    (root,) = cache.cache_roots()
    assert root.parent == tmp_path
    assert root.stat().st_mode & 0o777 == 0o700
    root.chmod(0o777)  # others could have put code there
    assert cache.cache_roots() == []
    assert cache.cache_folder() is None
    root.rmdir()
    root.symlink_to(tmp_path)
    assert cache.cache_roots() == []


def test_a_home_that_cannot_be_written_is_not_the_end(monkeypatch, tmp_path):
    """A container whose user has HOME=/ or none at all: temporary files are kept for this user alone."""
    (tmp_path / "file").write_text("x")
    monkeypatch.delenv("LINKWORK_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))  # no folder can be made there
    monkeypatch.setattr(cache.tempfile, "gettempdir", lambda: str(tmp_path))
    found = cache.cache_folder()
    assert found.parent == tmp_path / f"linkwork-{folders._user()}"
    assert found.is_dir()


def test_a_folder_that_is_empty_and_cannot_be_written_is_passed_over(monkeypatch, tmp_path):
    monkeypatch.delenv("LINKWORK_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(cache.tempfile, "gettempdir", lambda: str(tmp_path))
    folder = cache.cache_folder()
    assert folder.parent == tmp_path / "home" / "linkwork"
    monkeypatch.setattr(cache.os, "access", lambda path, mode: path != folder)
    assert cache.cache_folder().parent.parent == tmp_path
    (folder / "one.code").write_bytes(b"x")
    assert cache.cache_folder() == folder  # it can be read


def test_folders_that_were_not_used_for_long_are_removed(monkeypatch, tmp_path):
    monkeypatch.setenv("LINKWORK_CACHE", str(tmp_path))
    old, fresh, other = tmp_path / "kernels-old", tmp_path / "kernels-fresh", tmp_path / "mine"
    for folder, days in ((old, 40), (fresh, 2), (other, 400)):
        folder.mkdir()
        (folder / "file").write_text("x")
        (folder / "left.part").write_text("x")
        then = time.time() - days * 86400
        os.utime(folder / "left.part", (then, then))
        os.utime(folder, (then, then))
    found = cache.cache_folder()
    assert found == tmp_path / f"kernels-{cache.source_hash()}"
    assert found.is_dir()
    assert (old.exists(), fresh.exists(), other.exists()) == (False, True, True)
    assert not (fresh / "left.part").exists()


def test_no_place_to_write_means_no_cache(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("LINKWORK_CACHE", str(tmp_path / "file"))
    assert cache.cache_folder() is None
    monkeypatch.setattr(cache, "FOLDER", None)
    assert compiled()(3.0) == 1.5


@pytest.mark.slow
def test_kernels_of_the_product_are_found_by_a_second_clone(tmp_path):
    """The same sources in another folder, written at another time: not one kernel is compiled again."""
    if cache.FOLDER is None:
        pytest.skip("no cache on this machine")
    code = (
        "import linkwork as lw, sys, pathlib\n"
        "lw.gallery.four_bar().simulate(0.1, coordinates='body')\n"
        "from linkwork.kernels import compiling\n"
        "assert pathlib.Path(lw.__file__).parent == pathlib.Path(sys.argv[1]) / 'linkwork', lw.__file__\n"
        "for told in ('_cache_hits', '_cache_misses'):\n"
        "    print(sum(sum(getattr(one, told).values()) for one in compiling.DECLARED))"
    )
    first, clone = Path(lw.__file__).parents[1], tmp_path / "clone"
    shutil.copytree(first / "linkwork", clone / "linkwork", ignore=shutil.ignore_patterns("__pycache__"))
    counts = []
    for source in (first, first, clone):  # the first run may compile, the second asks for no more than it needs
        environment = {**os.environ, "PYTHONPATH": str(source), "LINKWORK_CACHE": str(cache.FOLDER.parent)}
        done = subprocess.run(
            [sys.executable, "-c", code, str(source)], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        found, missed = map(int, done.stdout.split())
        counts.append(found + missed)
    assert missed == 0 and found == counts[1] > 0


# -- what is said while it compiles ------------------------------------------------------------------------------------
@pytest.fixture
def heard(folder, monkeypatch, capsys):
    """What goes to stderr, with nothing compiled, nothing said, and progress not switched off."""
    monkeypatch.delenv("LINKWORK_PROGRESS", raising=False)

    def read():
        said = capsys.readouterr()
        assert said.out == ""
        return said.err

    return read


def test_compiling_is_said_once_where_nobody_looks_too(heard):
    compiled()
    said = heard()
    assert said.count("\n") == 1 and "compiles kernels" in said and "kept on disk" in said
    compiled("another")
    assert heard() == ""


def test_what_is_found_on_disk_is_not_announced(heard, monkeypatch):
    compiled()
    heard()
    monkeypatch.setattr(cache, "_told", set())
    compiled()
    assert heard() == ""


@pytest.mark.by_numba
def test_a_law_of_the_product_is_announced_like_a_kernel(heard, monkeypatch):
    monkeypatch.setattr(laws, "_slots", {})
    laws.function_slot(lw.Harmonic(1.0, 2.0))
    assert "compiles kernels" in heard()


def test_a_law_of_the_user_is_not(heard, monkeypatch):
    """It is compiled in every process and takes a moment only."""
    monkeypatch.setattr(laws, "_slots", {})
    m = lw.gallery.pendulum()
    part = lw.UserForce(lw.Angle(m.ground, m["rod"]), half_force).parts()[0]
    assert laws.law_slot(part).compiled
    assert heard() == ""


def half_force(value, rate, t):
    return 0.5 * value


def test_progress_off_means_silence(heard, monkeypatch):
    monkeypatch.setenv("LINKWORK_PROGRESS", "off")
    compiled()
    assert heard() == ""


def test_without_a_folder_the_remedy_is_said(heard, monkeypatch):
    monkeypatch.setattr(cache, "FOLDER", None)
    compiled()
    said = heard()
    assert "every process" in said and "LINKWORK_CACHE" in said


@pytest.mark.slow
def test_a_first_process_says_it_into_a_pipe(tmp_path):
    """A script whose stderr nobody watches: what it compiles first is a kernel that Python calls."""
    environment = {**os.environ, "LINKWORK_CACHE": str(tmp_path), "PYTHONPATH": str(Path(cache.__file__).parents[2])}
    environment.pop("LINKWORK_PROGRESS", None)
    said = [
        subprocess.run(
            [sys.executable, "-c", "from linkwork.kernels import calls, jit; jit.address_of(calls.sweep)"],
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        ).stderr
        for _ in range(2)
    ]
    assert said[0].count("compiles kernels") == 1 and said[1] == ""
