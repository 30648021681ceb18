"""Laws of users that are kept on disk: found again by what they are made of, and by nothing else."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork.compiled import laws
from linkwork.kernels import cache, checked, jit

TESTS = Path(__file__).parents[2]
WAY = lw.Distance(lw.Frame("one"), lw.Frame("two"))

PULL = """
import math
import numpy as np
from math import cos as turned

STIFF, SOFT = 3.0, True

def pull(length, rate, t, more=0.5):
    return STIFF * length + np.sin(t) * math.sqrt(more) - abs(rate) * turned(0.0) * SOFT
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "FOLDER", tmp_path)
    monkeypatch.setattr(laws, "_kept", set())
    return tmp_path


def written(folder, text, name="pull"):
    """A function of a module that has this text."""
    file = folder / "shop.py"
    file.write_text(text)
    spec = importlib.util.spec_from_file_location("shop", file)
    module = importlib.util.module_from_spec(spec)
    exec(compile(text, str(file), "exec"), vars(module))
    return getattr(module, name)


def slot_of(law, monkeypatch, numbers=()):
    """Its slot, in a process that has compiled nothing; how often it was found on disk; and its force."""
    monkeypatch.setattr(laws, "_slots", {})
    slot = laws.law_slot(lw.UserForce(WAY, law).parts()[0])
    hits = slot.keep.cache_hits if slot.compiled else 0
    return hits, force(slot, np.array(numbers))


def force(slot, numbers=None, t=0.25):
    """What a law gives at length 2, rate -1."""
    one, out, none = np.array([2.0, -1.0]), np.zeros(1), np.zeros(1)
    numbers = none if numbers is None else numbers
    at = jit.place_of
    sizes = 1, len(numbers), 0, 1, 0
    laws_of = jit.called_at(jit.LAW, slot.address)
    laws_of(t, at(one), at(one[1:]), at(numbers), at(none), at(out), at(none), at(none), *sizes)
    return out[0]


def expected(stiff=3.0, soft=1.0, more=0.5, t=0.25):
    return stiff * 2.0 + np.sin(t) * np.sqrt(more) - soft


def test_a_law_in_a_file_is_found_again(folder, monkeypatch):
    law = written(folder, PULL)
    found = [slot_of(law, monkeypatch, (0.5,)) for _ in range(2)]
    assert [hits for hits, _ in found] == [0, 1] and len(list(folder.glob("*.code"))) == 1
    assert found[0][1] == found[1][1] == pytest.approx(expected(), rel=1e-15)
    assert slot_of(written(folder, "# moved\n\n" + PULL), monkeypatch, (0.5,))[0] == 1  # where it stands is nothing


@pytest.mark.parametrize(
    "old, new, value",
    [
        ("STIFF, SOFT = 3.0", "STIFF, SOFT = 4.0", expected(stiff=4.0)),  # a number of its module
        ("3.0, True", "3.0, False", expected(soft=0.0)),
        ("STIFF * length", "STIFF / length", expected() - 6.0 + 1.5),  # its text
        ("- abs", "- 2.0 * abs", expected(soft=2.0)),
        ("np.sin(t)", "np.cos(t)", expected() + (np.cos(0.25) - np.sin(0.25)) * np.sqrt(0.5)),
        ("cos as turned", "sin as turned", expected(soft=0.0)),  # what a name stands for
        ("STIFF * length", "STIFF * rate", expected() - 9.0),
    ],
)
def test_one_that_was_changed_is_compiled(folder, monkeypatch, old, new, value):
    slot_of(written(folder, PULL), monkeypatch, (0.5,))
    assert PULL.count(old) == 1
    hits, found = slot_of(written(folder, PULL.replace(old, new)), monkeypatch, (0.5,))
    assert hits == 0 and found == pytest.approx(value, rel=1e-14)
    assert len(list(folder.glob("*.code"))) == 2


def test_usual_values_are_part_of_it():
    def one(length, rate, t, more=0.5):
        return more

    def other(length, rate, t, more=0.25):
        return more

    assert checked.lasting(one) != checked.lasting(other)


UNKEPT = {
    "a value of a call around it": "def outer(k):\n    return lambda length, rate, t: k * length\npull = outer(2.0)",
    "another function": "import numba\n@numba.njit\ndef half(x):\n    return 0.5 * x\n"
    "def pull(length, rate, t):\n    return half(length)",
    "an array": "import numpy as np\nA = np.ones(3)\ndef pull(length, rate, t):\n    return A[0] * length",
    "more of numpy": "import numpy as np\ndef pull(length, rate, t):\n    return np.linalg.norm(np.ones(2)) * length",
    "a compiled one": "import numba\n@numba.njit\ndef pull(length, rate, t):\n    return length",
    "one inside": "def pull(length, rate, t):\n    f = lambda x: 2.0 * x\n    return f(length)",
    "an object": "class K:\n    k = 2.0\nk = K()\ndef pull(length, rate, t):\n    return k.k * length",
}


@pytest.mark.parametrize("what", UNKEPT)
def test_what_depends_on_more_is_not_kept(folder, what):
    assert checked.lasting(written(folder, UNKEPT[what])) is None


def test_neither_is_one_without_a_file(folder, monkeypatch):
    space: dict = {}
    exec("def pull(length, rate, t):\n    return 2.0 * length", space)
    assert [slot_of(space["pull"], monkeypatch) for _ in range(2)] == [(0, 4.0), (0, 4.0)]
    assert list(folder.glob("*.code")) == []


def test_few_are_kept_of_a_search(folder, monkeypatch):
    monkeypatch.setattr(laws, "_MOST_KEPT", 2)
    for k in range(4):
        _, found = slot_of(written(folder, f"def pull(length, rate, t):\n    return {k}.0 * length"), monkeypatch)
        assert found == 2.0 * k
    assert len(list(folder.glob("*.code"))) == 2


def test_a_folder_that_cannot_be_written_is_no_matter(folder, monkeypatch, recwarn):
    monkeypatch.setattr(cache, "FOLDER", folder / "none")
    assert slot_of(written(folder, PULL), monkeypatch, (0.5,))[1] == pytest.approx(expected())
    assert [str(one.message) for one in recwarn] == []


MEETING = """
import sys
sys.path.insert(0, {tests!r})
from unit.compiled.test_kept_laws import WAY, force, laws, lw, written
from pathlib import Path
for k in {numbers}:
    law = written(Path({folder!r}), f"def pull(length, rate, t):\\n    return {{k}} * length")
    slot = laws.law_slot(lw.UserForce(WAY, law).parts()[0])
    print(slot.keep.cache_hits, force(slot))
"""


def test_laws_of_one_name_from_several_processes_stay_apart(tmp_path):
    def told(numbers):
        program = MEETING.format(tests=str(TESTS), numbers=numbers, folder=str(tmp_path))
        environment = {**os.environ, "LINKWORK_CACHE": str(tmp_path / "cache")}
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    assert told([2.0]) == ["0", "4.0"] and told([3.0]) == ["0", "6.0"]
    assert told([2.0, 3.0]) == ["1", "4.0", "1", "6.0"]
