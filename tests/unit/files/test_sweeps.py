"""Folders of sweeps from strangers: parts whose digests agree, and whose answers cannot be right."""

import importlib
import json
import os
import signal
import subprocess
import sys
import textwrap
import warnings

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import FileError
from linkwork.files import digests, packs, sweeps
from linkwork.kernels.library import sources

pytest.importorskip("xarray")


def sweep(store):
    m = lw.gallery.four_bar()
    return lw.sweep(m, {"spring.stiffness": [10.0, 20.0]}, times=0.1, every=0.05, read="D.angle", store=store)


def rewrite(folder, change, name="part-00000000.bin", **others):
    """Write the part of a folder anew, sealed, with other answers."""
    pack = packs.Pack(str(folder), name, "answers")
    header = {key: one for key, one in pack.header.items() if key not in ("arrays", digests.SEAL)}
    arrays = pack.arrays()
    change(header["rows"][0]["names"], arrays)
    for row in header["rows"]:
        row.update(others)
    (folder / name).write_bytes(packs.packed(header, arrays)[0])


def longer_too(names, arrays):
    for j in range(len(names)):
        arrays[f"0/{j}"] = np.append(arrays[f"0/{j}"], [9.0])


def called_failed(names, arrays):
    names[0] = "failed"


def twice(names, arrays):
    names[0] = names[1]


def without_time(names, arrays):
    names[names.index("time")] = "clock"


def longer(names, arrays):
    arrays["0/0"] = np.append(arrays["0/0"], [1.0, 2.0])


def one_time(names, arrays):
    arrays[f"0/{names.index('time')}"] = np.array(3.0)


def test_what_is_there_is_taken(tmp_path):
    wanted = sweep(tmp_path)
    rewrite(tmp_path, lambda names, arrays: None)
    assert sweep(tmp_path).identical(wanted)


@pytest.mark.parametrize("change", [called_failed, twice, without_time, longer, one_time])
def test_answers_that_cannot_be_right_are_refused(tmp_path, change):
    sweep(tmp_path)
    rewrite(tmp_path, change)
    with pytest.raises(FileError, match=r"part-00000000\.bin: has (answers that are none|series that do not fit)"):
        sweep(tmp_path)


@pytest.mark.parametrize(
    "others", [{"doubts": "MovedWarning: far"}, {"doubts": [1]}, {"doubts": None}, {"failed": 1}, {"k": 2}]
)
def test_words_that_cannot_be_right_are_refused(tmp_path, others):
    sweep(tmp_path)
    rewrite(tmp_path, lambda names, arrays: None, **others)
    with pytest.raises(
        FileError, match=r"part-00000000\.bin: has answers (that are none|to designs that there are none)"
    ):
        sweep(tmp_path)


def test_of_two_answers_to_a_design_the_first_counts(tmp_path):
    wanted = sweep(tmp_path)
    (tmp_path / "part-00000001.bin").write_bytes((tmp_path / "part-00000000.bin").read_bytes())
    rewrite(tmp_path, longer_too, name="part-00000001.bin")
    assert sweep(tmp_path).identical(wanted)


def test_doubts_are_kept_and_told_again(tmp_path):
    m = lw.gallery.four_bar()

    def asked():
        with pytest.warns(lw.errors.SweepWarning, match=r"about 1 of 2 designs") as told:
            found = lw.sweep(m, {"crank.length": [1.0, 0.9]}, times=0.1, every=0.05, read="D.angle", store=tmp_path)
        return found, [str(one.message) for one in told]

    wanted, said = asked()
    assert wanted["doubts"].values[0] == "" and "moved rocker by" in wanted["doubts"].values[1]
    again, resaid = asked()
    assert again.identical(wanted) and resaid == said
    rewrite(tmp_path, lambda names, arrays: None, doubts=[])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bare = lw.sweep(m, {"crank.length": [1.0, 0.9]}, times=0.1, every=0.05, read="D.angle", store=tmp_path)
    assert (bare["doubts"] == "").all()


def test_names_of_what_is_varied_are_refused(tmp_path):
    sweep(tmp_path)

    def named(names, arrays):
        names[0] = "spring.stiffness"

    rewrite(tmp_path, named)
    with pytest.raises(lw.errors.DescriptionError, match="whose name is varied"):
        sweep(tmp_path)


def test_of_another_manifest_no_more_is_read_than_ours_has(tmp_path, monkeypatch):
    sweep(tmp_path)
    ours = (tmp_path / sweeps.MANIFEST).read_bytes()
    with open(tmp_path / sweeps.MANIFEST, "r+b") as file:
        file.truncate(1 << 31)  # 2 GB of nothing behind it
    with pytest.raises(FileError, match="holds another sweep"):
        sweep(tmp_path)
    (tmp_path / sweeps.MANIFEST).write_bytes(ours)
    sweep(tmp_path)


def test_a_folder_whose_begin_was_cut_is_taken(tmp_path):
    """What is left of a manifest whose writer was killed is no file of others; what looks alike is."""
    folder = tmp_path / "designs"
    folder.mkdir()
    gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True)
    left = folder / f".sweep.json.{int(gone.stdout)}-0123abcd.part"
    left.write_text('{"analysis":')
    wanted = sweep(tmp_path / "other")
    assert sweep(folder).identical(wanted) and not left.exists()
    for other in (".sweep.json.x-0123abcd.part", ".other.json.12-0123abcd.part", "sweep.json.12-0123abcd.part"):
        folder = tmp_path / other.strip(".")
        folder.mkdir()
        (folder / other).write_text("")
        with pytest.raises(FileError, match="other files in it"):
            sweep(folder)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kills by a signal")
def test_a_program_that_is_killed_while_it_writes_the_manifest_goes_on(tmp_path):
    program = """
        import os, signal, sys
        import linkwork as lw

        if sys.argv[2] == "dies":
            os.fsync = lambda handle: os.kill(os.getpid(), signal.SIGKILL)
        m = lw.gallery.four_bar()
        lw.sweep(m, {"spring.stiffness": [10.0, 20.0]}, times=0.1, every=0.05, read="D.angle", store=sys.argv[1])
    """
    store, script = tmp_path / "designs", tmp_path / "program.py"
    script.write_text(textwrap.dedent(program))
    killed = subprocess.run([sys.executable, str(script), str(store), "dies"], capture_output=True, text=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    (left,) = (one for one in os.listdir(store) if one != sweeps.LOCK)
    assert left.startswith(".sweep.json.") and left.endswith(".part")
    subprocess.run([sys.executable, str(script), str(store), "lives"], check=True)
    assert sorted(os.listdir(store)) == [sweeps.LOCK, "part-00000000.bin", sweeps.MANIFEST]


def test_a_folder_of_another_linkwork_is_refused(tmp_path, monkeypatch):
    module = importlib.import_module("linkwork.analysis.sweep")
    wanted = sweep(tmp_path)
    said = json.loads((tmp_path / sweeps.MANIFEST).read_text())
    assert said["version"] == lw.__version__ and said["kernels"] == sources()
    assert json.loads(wanted.attrs["sweep"])["version"] == lw.__version__
    monkeypatch.setattr(module, "__version__", "9.9.9")
    with pytest.raises(
        FileError, match=rf"another Linkwork, version {lw.__version__}: its numbers may differ.*that version"
    ):
        sweep(tmp_path)
    monkeypatch.setattr(module, "sources", lambda: "0" * 64)
    with pytest.raises(FileError, match=rf"version {lw.__version__} with other kernels than this one has: its"):
        sweep(tmp_path)
    monkeypatch.undo()
    assert sweep(tmp_path).identical(wanted)
    changed = {**said, "version": "0.1\x1b[2J"}  # not sealed, or of a stranger
    (tmp_path / sweeps.MANIFEST).write_text(json.dumps(changed))
    with pytest.raises(FileError, match="holds another sweep"):
        sweep(tmp_path)
    sealed = digests.sealed({key: one for key, one in changed.items() if key != digests.SEAL})
    (tmp_path / sweeps.MANIFEST).write_text(json.dumps(sealed))
    with pytest.raises(FileError, match="another Linkwork") as told:
        sweep(tmp_path)
    assert "\x1b" not in str(told.value)


def test_a_folder_for_too_many_designs_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(sweeps, "MOST_MANIFEST", 200)
    with pytest.raises(FileError, match=r"too many designs.*at most 0 MB.*several calls"):
        sweep(tmp_path / "new")
