"""Model files: nothing is lost on the way to a file and back, and no file, however made, does harm.

The fuzz is seeded, so every run tries the same files.  Each is read or refused by a `FileError` whose lines begin with
a place; nothing else may be raised, and none may take longer than two seconds of the processor's time.
"""

import random
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import linkwork as lw
from linkwork.errors import FileError
from linkwork.files.fmt import format_text
from linkwork.files.plain import load_plain
from property.hostile_files import HEAD, HOSTILE
from property.strategies import Rejections, plans
from unit.files.examples import FOUR_BAR, LAWS, MECHANISMS

SECONDS = 2.0
MEGABYTES = 200
WHOLE = re.compile(r"The (file|text) is too large\. |reading stopped after \d+ problems")  # without a line


def examples(count):
    return settings(
        derandomize=True,
        max_examples=count,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow, HealthCheck.data_too_large],
    )


# -- round trip ------------------------------------------------------------------------------------------------------

numbers = st.floats(allow_nan=False, allow_infinity=False)
words = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="."), min_size=1, max_size=12).filter(
    lambda name: name == name.strip() and name not in ("ground", "system", "energy", "time", "t")
)


def round_trip(m, laws=None):
    for format in ("yaml", "json"):
        text = lw.to_text(m, format)
        again = lw.read(text, laws=laws)
        assert again == m and lw.digest(again) == lw.digest(m)
        assert lw.to_text(again, format) == text
    return again


@examples(60)
@given(plans(most=5, loops=2, damped=True))
def test_random_mechanisms_come_back(plan):
    m = plan.build()
    again = round_trip(m)
    for family in ("bodies", "joints", "forces"):
        assert dict(getattr(m, family)) == dict(getattr(again, family))


@examples(10)
@given(plans(most=3, loops=1))
def test_random_mechanisms_move_alike(plan):
    m = plan.build()
    assume(Rejections().well_conditioned(m.evaluate(coordinates="body")))
    again = round_trip(m)
    first, second = (one.simulate(0.2, every=0.05, coordinates="body") for one in (m, again))
    for name in m.bodies:
        assert np.array_equal(first[f"{name}.x"], second[f"{name}.x"])
        assert np.array_equal(first[f"{name}.angle"], second[f"{name}.angle"])


@examples(200)
@given(
    st.text(st.characters(exclude_categories=("Cs",)), max_size=30),
    words,
    words,
    st.tuples(numbers, numbers),
    st.tuples(numbers, numbers),
    st.floats(0.0, 1e300),
)
def test_any_names_and_numbers_come_back(title, body, joint, place, center, mass):
    assume(body != joint)
    m = lw.Mechanism(title)
    one = m.add(body, lw.Body(mass, mass, center=center, position=place, points={"a": place}))
    m.add(joint, lw.Revolute(m.ground.at(*place), one.a))
    again = round_trip(m)
    assert again.name == title and again.bodies[body].center == center and again.bodies[body].mass == mass


@examples(50)
@given(st.lists(numbers, min_size=4, max_size=4).filter(lambda q: 1e-3 < max(map(abs, q)) < 1e3))
def test_orientations_keep_every_digit(q):
    m = lw.Mechanism("m", dimension=3)
    m.add("b", lw.Body(1.0, (1.0, 1.0, 1.0), orientation=tuple(np.array(q) / np.linalg.norm(q))))
    assert round_trip(m).bodies["b"].orientation == m.bodies["b"].orientation


@pytest.mark.parametrize("name", lw.gallery.names())
def test_the_gallery_comes_back(name):
    m = lw.gallery.get(name)
    round_trip(m)
    assert lw.read(lw.gallery.path(name)) == m
    text = lw.gallery.path(name).read_text()
    assert lw.read(format_text(text)) == m


# -- fuzz ------------------------------------------------------------------------------------------------------------


def try_to_read(text, folder):
    """Read a file, or see it refused in the right form; returns whether it was read, and the seconds."""
    path = folder / "m.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    begin = time.process_time()
    try:
        lw.read_document(path, laws=LAWS)
        read = True
    except FileError as error:
        read = False
        assert error.problems
        for line in str(error).splitlines():
            told = line.removeprefix(f"{path}:")
            assert line.startswith("    ") or (told != line and re.match(r"\d+:\d+: \S", told)) or (
                WHOLE.match(told.strip())), line
        for problem in error.problems:
            assert problem.file == str(path) and problem.message
            assert (problem.line > 0 and problem.column > 0) or WHOLE.match(problem.message)
    return read, time.process_time() - begin


def seeds():
    made = [lw.to_text(build()) for build in MECHANISMS.values()]
    gallery = [lw.gallery.path(name).read_text() for name in lw.gallery.names()]
    return [FOUR_BAR, *made, *gallery, *(lw.to_text(lw.read(text), "json") for text in (FOUR_BAR, gallery[0]))]


NASTY = [
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "#",
    "&a",
    "*a",
    "!!python/object:os.system",
    "!",
    "|",
    ">",
    "'",
    '"',
    "%",
    "@",
    "`",
    "\t",
    "\n",
    "\0",
    "\ufeff",
    "\u2028",
    "\U0001f600",
    "é",
    "- ",
    "? ",
    "---",
    "...",
    "<<: *a",
    ".nan",
    ".inf",
    "1e999",
    "-1e308",
    "9**9**9",
    "__import__('os').system('x')",
    "().__class__.__bases__",
    "lambda: 1",
    "L",
    "2*L",
    "t",
    "null",
    "~",
    "true",
    "1 m",
    "20 N/mm",
    "5 parsec",
    "../../etc/passwd",
    "{file: ../x.csv}",
    "{law: bump}",
    "{type: Table}",
    "crank.a",
    "ground",
    "A.angle",
    "x" * 3000,
    "[" * 60,
    "{a: " * 60,
    "0x1F",
    "1_000",
    "1:30:00",
    "2001-01-01",
    "<script>",
    "\\ud800",
    "\x1b[2J",
]


def mutated(text, rng):
    """A file with a few things changed: characters, lines, words, numbers, pieces of other files."""
    for _ in range(rng.randint(1, 4)):
        way = rng.randrange(9)
        k = rng.randrange(len(text) + 1)
        lines = text.split("\n")
        j = rng.randrange(len(lines))
        if way == 0:
            text = text[:k] + rng.choice(NASTY) + text[k:]
        elif way == 1:
            text = text[:k] + text[k + rng.randint(1, 12) :]
        elif way == 2:
            text = (
                text[:k]
                + chr(rng.choice([rng.randrange(128), rng.randrange(0xD800), rng.randrange(0x110000)]))
                + text[k + 1 :]
            )
        elif way == 3:
            lines.insert(rng.randrange(len(lines)), lines[j])
            text = "\n".join(lines)
        elif way == 4:
            del lines[j]
            text = "\n".join(lines)
        elif way == 5:
            lines[j] = " " * rng.randrange(7) + lines[j].lstrip()
            text = "\n".join(lines)
        elif way == 6:
            found = list(re.finditer(r"[\w.]+", text))
            one = rng.choice(found) if found else None
            other = rng.choice([*NASTY, rng.choice(found)[0]]) if found else ""
            text = text[: one.start()] + other + text[one.end() :] if one else other
        elif way == 7:
            found = list(re.finditer(r"-?\d+(\.\d+)?", text))
            one = rng.choice(found) if found else None
            number = rng.choice(
                ["0", "-1", "1e308", "1e-320", "[1]", "'2*L'", "true", "999999999999999999999", "1e400"]
            )
            text = text[: one.start()] + number + text[one.end() :] if one else number
        else:
            a, b = sorted(rng.sample(range(len(text) + 1), 2)) if len(text) > 2 else (0, 0)
            text = text[:k] + text[a : min(b, a + 200)] + text[k:]
    return text


def random_text(rng):
    """Text that was never a file: tokens of YAML and of ours in any order."""
    own = [
        "linkwork: 1\n",
        "bodies:",
        "joints:",
        "type:",
        "Revolute",
        "on:",
        "to:",
        "shape:",
        "bar",
        "mass:",
        "1",
        " ",
        "  ",
        "\n",
    ]
    pieces = [rng.choice(NASTY if rng.random() < 0.3 else own) for _ in range(rng.randint(1, 60))]
    return rng.choice(["", "linkwork: 1\n"]) + "".join(pieces)


@pytest.mark.parametrize("part", range(8))
def test_fuzz(part, tmp_path):
    """2,400 files in eight parts: mutations of good files, random text, random bytes."""
    rng = random.Random(1000 + part)
    good = seeds()
    read, slowest = 0, 0.0
    for k in range(300):
        if k % 10 == 8:
            text = random_text(rng)
        elif k % 10 == 9:
            text = rng.randbytes(rng.randrange(400)) + (b"" if k % 20 == 9 else rng.choice(good).encode())
        else:
            text = mutated(rng.choice(good), rng)
        one, seconds = try_to_read(text, tmp_path)
        read += one
        slowest = max(slowest, seconds)
        assert seconds < SECONDS
    assert 0 < read < 300  # some changes do no harm
    print(f"part {part}: {read} of 300 read, slowest {slowest:.3f} s")


@pytest.mark.parametrize("part", range(2))
def test_fuzz_of_the_formatter(part):
    """Layout is put in order without a change of meaning, once and for all."""
    rng = random.Random(2000 + part)
    good = [text for text in seeds() if len(text) < 6000]
    for _ in range(100):
        text = mutated(rng.choice(good), rng)
        try:
            before = load_plain(text + "\n")
            found = format_text(text + "\n")
        except FileError:
            continue
        assert load_plain(found) == before
        assert format_text(found) == found
        assert re.findall(r"#.*", found) == re.findall(r"#.*", text) or "\r" in text


# -- named cases ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile(name, tmp_path):
    text, told = HOSTILE[name]
    read, seconds = try_to_read(text, tmp_path)
    assert not read and seconds < SECONDS
    with pytest.raises(FileError) as caught:
        lw.read(tmp_path / "m.yaml")
    assert told in str(caught.value)
    begin = time.process_time()
    try:
        format_text(text if isinstance(text, str) else text.decode("latin-1"))
    except FileError:
        pass  # only its syntax counts for the layout
    assert time.process_time() - begin < 2 * SECONDS  # half of it on a machine with nothing else to do
    assert str(caught.value).replace("\n", "").isprintable()


def test_names_that_only_look_bad_are_names(tmp_path):
    assert try_to_read(
        "\ufeff" + HEAD + "name: <b>\nbodies: {<script>: {mass: 1}, 'DROP TABLE': {mass: 1}}\n", tmp_path
    )[0]
    assert list(lw.read(tmp_path / "m.yaml").bodies) == ["<script>", "DROP TABLE"]


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of memory is read from /proc")
def test_memory_stays_bounded(tmp_path):
    """The hostile files and the largest that are read, in a fresh process, need less than 200 MB in all."""
    large = [
        HEAD + "bodies:\n" + "".join(f"  b{k}: {{mass: 1, inertia: 2}}\n" for k in range(9_999)),
        HEAD + "bodies: {b: {mass: 1, outline: [[line, [" + "[0, 1], " * 30_000 + "[1, 1]]]]}}\n",
    ]
    paths = []
    for k, text in enumerate([*(text for text, _ in HOSTILE.values()), *large]):
        paths.append(tmp_path / f"{k}.yaml")
        paths[-1].write_bytes(text if isinstance(text, bytes) else text.encode())
    code = (
        "import re, sys, linkwork as lw\n"
        "count = 0\n"
        "for path in sys.argv[1:]:\n"
        "    try:\n        lw.read(path)\n        count += 1\n    except lw.errors.FileError:\n        pass\n"
        "print(count, re.search(r'VmHWM:\\s*(\\d+) kB', open('/proc/self/status').read())[1])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, paths)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={"PYTHONPATH": str(Path(lw.__file__).parents[1]), "PATH": ""},
    )
    assert done.returncode == 0, done.stderr
    count, peak = map(int, done.stdout.split())
    assert count == len(large)
    assert peak < MEGABYTES * 1024
    print(f"peak {peak // 1024} MB")
