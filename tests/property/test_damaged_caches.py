"""Damaged caches: whatever a machine did to the files of compiled code, a run gives its numbers and heals them."""

import os
import random
import shutil
import subprocess
import sys
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


def process(folder):
    import json

    environment = {
        **os.environ,
        "LINKWORK_CACHE": str(folder),
        "PYTHONPATH": str(Path(lw.__file__).parents[1]),
        "LINKWORK_PROGRESS": "off",
    }
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


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
