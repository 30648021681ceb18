"""The cache of compiled kernels: named by their sources, old ones removed, none without a place to write."""

import os
import time

import pytest
from numba import types

from linkwork import gallery
from linkwork.kernels import jit


def test_the_folder_is_named_by_the_hash_of_the_sources():
    assert jit.CACHE_FOLDER is None or jit.CACHE_FOLDER.name == f"kernels-{jit._source_hash()}"


def test_an_edit_in_any_kernel_is_another_folder(tmp_path, monkeypatch):
    room = tmp_path / "kernels"
    (room / "planar").mkdir(parents=True)
    (room / "jit.py").write_text("a = 1\n")
    (room / "planar" / "measures.py").write_text("b = 1\n")
    monkeypatch.setattr(jit, "__file__", str(room / "jit.py"))
    first = jit._source_hash()
    assert jit._source_hash() == first
    (room / "planar" / "measures.py").write_text("b = 2\n")
    second = jit._source_hash()
    assert second != first
    (room / "planar" / "measures.py").rename(room / "planar" / "other.py")
    assert jit._source_hash() not in (first, second)


def test_where_the_cache_is(monkeypatch, tmp_path):
    monkeypatch.setenv("LINKWORK_CACHE", str(tmp_path / "own"))
    assert jit._cache_root() == tmp_path / "own"
    monkeypatch.delenv("LINKWORK_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert jit._cache_root() == tmp_path / "linkwork"


def test_folders_that_were_not_used_for_long_are_removed(monkeypatch, tmp_path):
    monkeypatch.setenv("LINKWORK_CACHE", str(tmp_path))
    old, fresh, other = tmp_path / "kernels-old", tmp_path / "kernels-fresh", tmp_path / "mine"
    for folder, days in ((old, 40), (fresh, 2), (other, 400)):
        folder.mkdir()
        (folder / "file").write_text("x")
        then = time.time() - days * 86400
        os.utime(folder, (then, then))
    found = jit._cache_folder()
    assert found == tmp_path / f"kernels-{jit._source_hash()}"
    assert found.is_dir()
    assert (old.exists(), fresh.exists(), other.exists()) == (False, True, True)


def test_no_place_to_write_means_no_cache(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("LINKWORK_CACHE", str(tmp_path / "file"))
    assert jit._cache_folder() is None


def test_numbas_own_setting_is_put_back():
    before = jit.config.CACHE_DIR
    with pytest.raises(RuntimeError):
        jit.cached(_fails)
    assert jit.config.CACHE_DIR == before


def _fails(cache):
    raise RuntimeError("no")


def test_kernels_are_compiled_for_the_signature_they_declare():
    for build in (gallery.four_bar, gallery.spatial_chain):
        for coordinates in ("body", "joint"):
            build().simulate(0.01, coordinates=coordinates)
    assert len(jit.DECLARED) > 50
    for kernel, declared in jit.DECLARED.items():
        for found in kernel.signatures:
            assert tuple(map(types.unliteral, found)) == declared.args, kernel.__name__
