"""Damaged caches: whatever a machine did to the files of compiled code, a run gives its numbers and heals them."""

import json
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import linkwork as lw
from campaign import campaign, count
from linkwork.kernels import cache

SCRIPT = """
import hashlib, json, sys, warnings
import linkwork as lw
from linkwork.kernels import cache
used, load = [], cache.KernelCache._load
def noting(self, signature, context):
    used.append(self._file(signature, context.codegen()).name)
    return load(self, signature, context)
cache.KernelCache._load = noting
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    m = lw.gallery.pendulum()
    m.add("spring", lw.TorsionSpringDamper(m.ground, m[next(iter(m.bodies))], stiffness=1.0, damping=0.1))
    run = m.simulate(0.5, every=0.1, coordinates="body")
print(json.dumps([hashlib.sha256(run._series.states.tobytes()).hexdigest(), used,
                  [str(one.message) for one in told if one.category is RuntimeWarning]]))
"""


def started(folder):
    environment = {
        **os.environ,
        "LINKWORK_CACHE": str(folder),
        "PYTHONPATH": str(Path(lw.__file__).parents[1]),
        "LINKWORK_PROGRESS": "off",
    }
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", SCRIPT], env=environment, stdout=pipe, stderr=pipe, text=True)


def ended(child):
    out, told = child.communicate()
    assert child.returncode == 0, told
    return json.loads(out)


def process(folder):
    return ended(started(folder))


def damage(file, generator):
    content = file.read_bytes()
    place = generator.randrange(len(content))
    kind = generator.choice(["empty", "cut", "flipped", "zeros", "longer", "another"])
    file.write_bytes(
        {
            "empty": b"",
            "cut": content[:place],
            "zeros": bytes(len(content)),
            "longer": content + b"x",
            "flipped": content[:place] + bytes([content[place] ^ 1 << generator.randrange(8)]) + content[place + 1 :],
            "another": b"\x80\x04" + generator.randbytes(200),
        }[kind]
    )
    return kind


@campaign
def test_damaged_caches_heal(tmp_path, capsys):
    if cache.FOLDER is None:
        pytest.skip("no cache on this machine")
    root = tmp_path / "cache"
    shutil.copytree(cache.FOLDER, root / cache.FOLDER.name, ignore=shutil.ignore_patterns("*.part"))
    process(root)  # compiles what is missing
    right, used, told = process(root)
    assert told == []
    folder, generator, kinds = root / cache.FOLDER.name, random.Random(11), {}
    kept = sorted(name for name in set(used) if (folder / name).is_file())
    for _ in range(count(50)):
        names = generator.sample(kept, generator.choice([1, 1, 2]))
        for name in names:
            kind = damage(folder / name, generator)
            kinds[kind] = kinds.get(kind, 0) + 1
        found, _, told = process(root)
        assert found == right
        assert len(told) == 1 and "damaged" in told[0] and "compiled again" in told[0], told
    assert process(root)[::2] == [right, []]  # all is whole again
    assert not list(folder.glob("*.part"))
    with capsys.disabled():
        told = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
        print(f"\ndamaged caches: {count(50)} tried ({told}), all healed")


@pytest.fixture
def copied(tmp_path):
    """A cache of its own with all that the script needs, the folder in it, the files and the right answer."""
    if cache.FOLDER is None:
        pytest.skip("no cache on this machine")
    root = tmp_path / "cache"
    shutil.copytree(cache.FOLDER, root / cache.FOLDER.name, ignore=shutil.ignore_patterns("*.part"))
    right, used, _ = process(root)
    folder = root / cache.FOLDER.name
    return root, folder, sorted(name for name in set(used) if (folder / name).is_file()), right


@pytest.mark.slow
def test_two_processes_that_compile_at_once(copied):
    root, folder, names, right = copied
    for name in names[::12]:
        (folder / name).unlink()
    both = [started(root) for _ in range(2)]
    assert [ended(child)[::2] for child in both] == [[right, []], [right, []]]
    assert all((folder / name).is_file() for name in names)
    assert process(root)[::2] == [right, []]


@pytest.mark.slow
def test_a_compilation_that_is_killed(copied):
    root, folder, names, right = copied
    for turn in range(2):
        gone = names[turn::12]
        for name in gone:
            (folder / name).unlink()
        child = started(root)
        while child.poll() is None and not any((folder / name).exists() for name in gone[: turn + 1]):
            time.sleep(0.01)  # until it has written something, and is at the next
        child.kill()
        child.communicate()
        assert process(root)[::2] == [right, []]
        assert all((folder / name).is_file() for name in names)
