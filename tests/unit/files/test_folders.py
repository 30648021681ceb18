"""Folders of long runs: what was cut, changed, exchanged or linked is named, and nothing of it is followed."""

import os
import shutil
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis import storing
from linkwork.errors import FileError, RunLimitError
from linkwork.files import packs
from linkwork.files.folders import Folder
from linkwork.kernels.time import watches as of


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A run that was stopped, of several parts, and another one."""
    where = tmp_path_factory.mktemp("runs")
    before, storing.PART_BYTES = storing.PART_BYTES, 3000
    try:
        for name, m in (("one", lw.gallery.four_bar()), ("other", lw.gallery.double_pendulum())):
            with pytest.raises(RunLimitError):
                m.simulate(5.0, every=0.01, coordinates="joint", store=where / name, most_steps=60)
    finally:
        storing.PART_BYTES = before
    return where


@pytest.fixture
def folder(made, tmp_path):
    shutil.copytree(made / "one", tmp_path / "one")
    return tmp_path / "one"


def all_refuse(folder, match):
    for act in (lw.load, lw.check_result, lw.resume):
        with pytest.raises(FileError, match=match):
            act(folder)


def parts(folder):
    return sorted(Path(folder).glob("part-*.bin"))


def test_a_part_that_is_missing_is_named(folder):
    parts(folder)[1].unlink()
    all_refuse(folder, r"part 2 of \d+ is missing.*part-00000001")


@pytest.mark.parametrize("left", [0, 5, 20, 300, -1])
def test_a_part_that_was_cut_is_named(folder, left):
    one = parts(folder)[1]
    data = one.read_bytes()
    one.write_bytes(data[:left])
    all_refuse(folder, "part-00000001.bin")


def test_a_part_that_is_longer_is_named(folder):
    with open(parts(folder)[0], "ab") as file:
        file.write(b"x")
    all_refuse(folder, "is longer than it says")


def test_a_number_that_was_changed_is_told_when_it_is_read(folder):
    one = parts(folder)[1]
    data = bytearray(one.read_bytes())
    data[-900] ^= 1
    one.write_bytes(data)
    with pytest.raises(FileError, match=r"part-00000001.bin: is damaged"):
        lw.load(folder)["A.angle"]
    with pytest.raises(FileError, match=r"part-00000001.bin"):
        lw.check_result(folder)


def test_parts_of_another_run_are_refused(folder, made):
    shutil.copy(parts(made / "other")[1], parts(folder)[1])
    all_refuse(folder, r"part-00000001.bin: belongs to another run")


def test_parts_that_were_exchanged_are_refused(folder):
    one, other = parts(folder)[:2]
    data = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(data)
    all_refuse(folder, "does not follow part")


def test_how_far_another_run_has_come_is_refused(folder, made):
    shutil.copy(made / "other" / "reached.bin", folder / "reached.bin")
    all_refuse(folder, "reached.bin: belongs to another run")


@pytest.mark.parametrize("name", ["run.json", "reached.bin", "part-00000000.bin"])
def test_links_are_not_followed(folder, name, made):
    (folder / name).unlink()
    os.symlink(made / "one" / name, folder / name)
    all_refuse(folder, "is a link, which is not followed")


@pytest.mark.skipif(os.name != "posix", reason="needs pipes")
def test_a_pipe_does_not_stop_the_reader(folder):
    (folder / "reached.bin").unlink()
    os.mkfifo(folder / "reached.bin")
    all_refuse(folder, "not a plain file")


def test_writing_replaces_a_link_and_leaves_what_it_leads_to(folder, tmp_path):
    mine = tmp_path / "mine.txt"
    mine.write_text("precious")
    number = len(parts(folder))
    os.symlink(mine, folder / f"part-{number:08d}.bin")
    run = lw.resume(folder)
    assert mine.read_text() == "precious" and run.t[-1] == 5.0
    assert not (folder / f"part-{number:08d}.bin").is_symlink()


def forged(folder, name, change):
    """A file of the folder, changed by somebody who knows how seals are made."""
    pack = packs.Pack(str(folder), name, "reached" if name == "reached.bin" else "part")
    header = {key: value for key, value in pack.header.items() if key not in ("seal", "arrays")}
    arrays = pack.arrays()
    change(header, arrays)
    (folder / name).write_bytes(packs.packed(header, arrays)[0])


@pytest.mark.parametrize(
    "change",
    [
        lambda header, arrays: header.update(count=[*header["count"], 1]),
        lambda header, arrays: header.update(count=[10**6] * len(header["count"])),
        lambda header, arrays: header.update(count="none"),
        lambda header, arrays: header.update(put_out=-1),
        lambda header, arrays: header.update(crossed=7),
        lambda header, arrays: header.update(method="none"),
        lambda header, arrays: header.update(state={}),
        lambda header, arrays: header.pop("own"),
        lambda header, arrays: arrays.update(run=arrays["run"][:-1]),
        lambda header, arrays: arrays.update(workspace=np.zeros(3)),
        lambda header, arrays: arrays.update(y=np.full_like(arrays["y"], np.nan)),
        lambda header, arrays: arrays.update(parameters=arrays["parameters"] + 1.0),
        lambda header, arrays: arrays.update(state=arrays["state"][:3]),
        lambda header, arrays: arrays.update(window=np.zeros((2, 2))),
        lambda header, arrays: arrays.pop("modes"),
    ],
)
def test_an_inner_state_that_cannot_be_right_is_refused(folder, change):
    forged(folder, "reached.bin", change)
    with pytest.raises(lw.errors.LinkworkError):
        lw.resume(folder)


@pytest.mark.parametrize(
    "change",
    [
        lambda header, arrays: header.update(spans=[]),
        lambda header, arrays: header["spans"][0].__setitem__(0, 10**9),
        lambda header, arrays: header.update(segments=[{}]),
        lambda header, arrays: arrays.update(t=arrays["t"][::-1].copy()),
        lambda header, arrays: arrays.update(states=arrays["states"][:, :4].copy()),
        lambda header, arrays: arrays.update(t=np.full_like(arrays["t"], np.inf)),
    ],
)
def test_parts_that_cannot_be_right_are_refused(folder, change):
    """Also where everything was sealed anew: the last part, and how far the run has come."""
    last = parts(folder)[-1].name
    forged(folder, last, change)
    seal = packs.Pack(str(folder), last, "part").seal
    forged(folder, "reached.bin", lambda header, arrays: header.update(last=seal))
    with pytest.raises(FileError):
        run = lw.load(folder)
        run["A.angle"]
    with pytest.raises(FileError):
        lw.check_result(folder)


def test_two_processes_do_not_run_one_folder(folder):
    other = Folder.opened(folder)
    other.lock()
    with pytest.raises(FileError, match="run by another process"):
        lw.resume(folder)
    other.unlock()
    assert lw.resume(folder).t[-1] == 5.0


def test_a_mechanism_that_was_changed_is_told(folder):
    text = (folder / "run.json").read_text()
    (folder / "run.json").write_text(text.replace('"stiffness": 20', '"stiffness": 21').replace("0.2", "0.3", 1))
    all_refuse(folder, "run.json")


@pytest.fixture(scope="module")
def watched(tmp_path_factory):
    """A run with events that was stopped."""
    where = tmp_path_factory.mktemp("watched") / "one"
    m = lw.gallery.double_pendulum()
    m.add("turns", lw.Event(f"{next(iter(m.joints))}.angle.rate"))
    with pytest.raises(RunLimitError):
        m.simulate(5.0, every=0.01, coordinates="joint", store=where, most_steps=60)
    return where


@pytest.mark.parametrize(
    "change",
    [
        {str(of.PYTHON): [4096]},  # an address
        {str(of.FIRST): [10**6]},
        {str(of.SCAN): [3]},
        {str(of.FIRED): [True]},
        {str(of.LEFT): [-1, -1]},
        {"looks": []},
    ],
)
def test_counts_of_what_is_watched_are_looked_at(watched, tmp_path, change):
    folder = tmp_path / "one"
    shutil.copytree(watched, folder)
    forged(folder, "reached.bin", lambda header, arrays: header["events"]["seen"].update(change))
    with pytest.raises(FileError, match="cannot be right"):
        lw.resume(folder)


def test_a_run_with_events_that_was_not_changed_goes_on(watched, tmp_path):
    shutil.copytree(watched, tmp_path / "one")
    assert lw.resume(tmp_path / "one").t[-1] == 5.0
