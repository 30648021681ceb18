"""Files and how they are spoilt: mutations of good ones, random text, random bytes.  All of it is seeded."""

import random
import re
import tempfile
import time
from pathlib import Path

import linkwork as lw
from linkwork.errors import FileError
from unit.files.examples import FOUR_BAR, LAWS, MECHANISMS

WHOLE = re.compile(r"The (file|text) is too large\. |reading stopped after \d+ problems")  # without a line


def try_to_read(text, folder):
    """Read a file, or see it refused in the right form; returns whether it was read, and the seconds."""
    path = folder / "m.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    begin = time.process_time()
    try:
        document = lw.read_document(path, laws=LAWS)
        read = True
    except FileError as error:
        read = False
        assert error.problems
        for line in str(error).splitlines():
            told = line.removeprefix(f"{path}:")
            assert (
                line.startswith("    ")
                or (told != line and re.match(r"\d+:\d+: \S", told))
                or (WHOLE.match(told.strip()))
            ), line
        for problem in error.problems:
            assert problem.file == str(path) and problem.message
            assert (problem.line > 0 and problem.column > 0) or WHOLE.match(problem.message)
    seconds = time.process_time() - begin
    if read:
        again = lw.read(lw.to_text(document.mechanism), laws=LAWS)
        assert again == document.mechanism, text
    return read, seconds


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


def spoilt(part, count):
    """A part of the fuzz: of ten files eight are mutations of good ones, one random text, one random bytes."""
    rng = random.Random(1000 + part)
    good = seeds()
    for k in range(count):
        if k % 10 == 8:
            yield random_text(rng)
        elif k % 10 == 9:
            yield rng.randbytes(rng.randrange(400)) + (b"" if k % 20 == 9 else rng.choice(good).encode())
        else:
            yield mutated(rng.choice(good), rng)


def read_spoilt(part, count):
    """Read a part of the fuzz, for `watch`; counts what could be read."""
    read = 0
    with tempfile.TemporaryDirectory() as folder:
        for text in spoilt(part, count):
            read += try_to_read(text, Path(folder))[0]
            yield text
    return read


def read_files(*paths):
    """Read files that may be of any kind, for `watch`; counts what could be read."""
    read = 0
    for path in paths:
        try:
            lw.read(path)
            read += 1
        except FileError:
            pass
        yield path
    return read
