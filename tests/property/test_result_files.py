"""Campaigns against result files: damage, forgery, kills while writing, and reading again and again.

Each file that is tried is refused by a `FileError`, or loaded with the very numbers that were written; nothing else may
be raised, and nothing may crash, take long, or take memory.
"""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import linkwork as lw
from campaign import campaign, count
from linkwork import gallery
from linkwork.errors import FileError
from property.result_fuzz import CODECS, example, same
from property.watch import watch, watched

SOURCE = str(Path(lw.__file__).parents[1])
TESTS = str(Path(__file__).parents[1])
SECONDS = 3.0
MEGABYTES = 600  # numba, pyarrow and HDF5 included


@campaign
@watched
@pytest.mark.parametrize("form", CODECS)
def test_spoilt_results(form):
    """10,000 in all formats: of four, three are damaged, and one is forged with the seal that belongs to it."""
    pytest.importorskip({"nc": "h5py", "parquet": "pyarrow"}.get(form, "json"))
    number = count(2600)
    found, worst = watch("property.result_fuzz:try_results", form, 1, number, seconds=SECONDS, megabytes=MEGABYTES)
    assert 0 < found["loaded"] < number and found["passed"] <= found["loaded"]  # some damage hits what is not read
    print(
        f"result files, {form}: {number} spoilt, {found['forged']} of them forged; {number - found['loaded']} "
        f"refused by load, {number - found['passed']} by check-result; 0 tracebacks, 0 crashes, 0 changed "
        f"unseen; {worst}"
    )


@campaign
@watched
def test_memory_of_reading_is_flat():
    number = count(2000)
    grown, worst = watch("property.result_fuzz:read_again", number, seconds=SECONDS, megabytes=MEGABYTES)
    assert grown < 3.0
    print(f"memory: {grown:.1f} MB more after the last three quarters of {number} reads; {worst}")


# One process makes the bytes; a child of it does nothing but write them as `save` does, until it is killed.
WRITER = """
import os, sys
import linkwork as lw
from linkwork.files.whole import write_together
from property.result_fuzz import CODECS
from linkwork.files.result_content import content_of
form, target, *paths = sys.argv[1:]
codec = CODECS[form]
turns = [dict(zip([target + end for end in codec.endings], codec.encode(content_of(lw.load(path), ["energy.total"]))))
         for path in paths]
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        while True:
            for files in turns:
                write_together(files)
                os.write(1, b"written\\n")
    os.write(1, b"%d\\n" % child)
    os.waitpid(child, 0)
    os.write(1, b"killed\\n")
"""


@campaign
@pytest.mark.skipif(os.name != "posix", reason="needs kill -9")
@pytest.mark.parametrize("form", CODECS)
def test_kill_while_a_result_is_written(form, tmp_path):
    """Two results take turns in one file; after each kill it is one of them, whole."""
    pytest.importorskip({"nc": "h5py", "parquet": "pyarrow"}.get(form, "json"))
    runs = [example(), gallery.pendulum().simulate(2.0, every=0.001, coordinates="body")]
    series = ["energy.total"]
    folder, target = tmp_path / "out", tmp_path / "out" / f"run.{form}"
    folder.mkdir()
    for k, run in enumerate(runs):
        run.save(tmp_path / f"{k}.json", series)
    runs[0].save(target, series)
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, form, str(target), *(str(tmp_path / f"{k}.json") for k in range(2))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((SOURCE, TESTS))},
    )
    rng, kills, writes, apart = random.Random(form), count(200), 0, 0
    try:
        for _ in range(kills):
            writer.stdin.write(b"go\n")
            writer.stdin.flush()
            child = None
            while child is None:
                line = writer.stdout.readline()
                assert line, "the writer is gone"
                child = int(line) if line.strip().isdigit() else None
                writes += line == b"written\n"
            time.sleep(rng.uniform(0.0, 0.05))
            os.kill(child, signal.SIGKILL)
            while (line := writer.stdout.readline()) != b"killed\n":
                assert line == b"written\n"
                writes += 1
            try:
                back = lw.load(target)
                assert any(same(run, back, True) for run in runs)
            except FileError as error:  # killed between the moves of a table and of what belongs to it
                assert form == "csv" and "replaced without the other" in str(error)
                apart += 1
            assert sum(path.name.endswith(".part") for path in folder.iterdir()) <= len(CODECS[form].endings)
    finally:
        writer.stdin.close()
        writer.wait(timeout=60)
        writer.stdout.close()
    assert writes >= kills // 10
    runs[0].save(target, series)
    assert sorted(os.listdir(folder)) == sorted(target.name + ending for ending in CODECS[form].endings)
    print(
        f"kills, {form}: {kills} while {writes} files were written; 0 torn, 0 lost, {apart} told as a table and its "
        f".json file that do not belong together"
    )


def test_the_campaign_can_bite(monkeypatch):
    """Without digests, damage would be seen by the campaign."""
    from linkwork.files import digests
    from property import result_fuzz

    monkeypatch.setattr(digests, "_compare", lambda *given: None)
    with pytest.raises(AssertionError, match="changed unseen"):
        for _ in result_fuzz.try_results("nc", 1, 200):
            pass


def test_forgeries_leave_the_list_of_nasty_values_alone():
    """A second change that went into the list itself made later forgeries others than the seed says, or endless."""
    from linkwork.files.result_content import content_of
    from property import result_fuzz

    before = repr(result_fuzz.NASTY)
    rng, content = random.Random(5), content_of(example(), ["energy.total"])
    for _ in range(2000):
        result_fuzz.forged(content, result_fuzz.CODECS["json"], rng)
    assert repr(result_fuzz.NASTY) == before
