"""What the documents show under their blocks is what the blocks print, and the pictures and numbers they show exist.

A block marked `text` that follows a `python` block is its output.  Words must agree; numbers to a thousandth, errors
far below what matters (1e-4) in that they are; steps and seconds of a run, and runs of a search, differ from machine to
machine.
"""

import os
import re
import subprocess
import sys

import pytest

from docs.test_readme import DOCUMENTS, ROOT

BLOCK = re.compile(
    r"^(?P<skip><!-- not run -->[ \t]*\n)?```python[ \t]*\n(?P<code>.*?)^```[ \t]*\n(?:\n```text\n(?P<out>.*?)^```)?",
    re.MULTILINE | re.DOTALL,
)
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
RUNS = re.compile(r"\s*\d+ runs")  # of a search: where rounding differs, it goes another way
ENDS = "-- end of block {} --"
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHOWING = [path for path in DOCUMENTS if any(one["out"] for one in BLOCK.finditer(path.read_text(encoding="utf-8")))]


def differ(shown, printed):
    """What is wrong with the output that is shown, or None."""
    shown, printed = shown.rstrip().splitlines(), printed.rstrip().splitlines()
    if len(shown) != len(printed):
        return f"{len(shown)} lines are shown and {len(printed)} printed"
    for one, other in zip(shown, printed):
        if NUMBER.sub("#", one).split() != NUMBER.sub("#", other).split():
            return f"shown:   {one}\nprinted: {other}"
        if " steps (" in one or RUNS.fullmatch(one):
            continue
        for a, b in zip(NUMBER.findall(one), NUMBER.findall(other)):
            small = abs(float(a)) < 1e-4 and abs(float(b)) < 1e-4
            if not small and abs(float(a) - float(b)) > 1e-3 * abs(float(a)):
                return f"shown:   {one}\nprinted: {other}"
    return None


def test_the_comparison_can_fail():
    assert differ("x = 1.0 m\n", "x = 1.0 m\n") is None
    assert differ("error 1e-09\n", "error 3e-12\n") is None
    assert differ("  41 steps (0 rejected), 0.1 s\n", "  52 steps (1 rejected), 0.3 s\n") is None
    assert differ("  24 runs\n", "  26 runs\n") is None and differ("  24 runs of 3\n", "  26 runs of 3\n")
    for other in ("x = 1.1 m\n", "x = 1.0 N\n", "x = 1.0 m\ny\n", "", "x = 1e-9 m\n"):
        assert differ("x = 1.0 m\n", other), other


@pytest.mark.parametrize("document", SHOWING, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_blocks_print_what_is_shown(document, tmp_path):
    blocks = [one for one in BLOCK.finditer(document.read_text(encoding="utf-8")) if not one["skip"]]
    script = "".join(f"{one['code']}\nprint({ENDS.format(k)!r})\n" for k, one in enumerate(blocks))
    (tmp_path / "blocks.py").write_text(script, encoding="utf-8")
    paths = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "blocks.py"],
        cwd=tmp_path,
        env={**os.environ, "MPLBACKEND": "Agg", "LINKWORK_PROGRESS": "off", "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    rest = done.stdout
    for k, one in enumerate(blocks):
        printed, _, rest = rest.partition(f"{ENDS.format(k)}\n")
        wrong = differ(one["out"], printed) if one["out"] else None
        assert not wrong, f"{document.name}, under\n{one['code'][:200]}\n{wrong}"


def test_the_readme_shows_outputs():
    assert len([one for one in BLOCK.finditer(README) if one["out"]]) >= 6


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere_and_pictures_have_words(document):
    text = re.sub(r"^```.*?^```", "", document.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for bang, words, link in re.findall(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)", text):
        if link.startswith(("http://", "https://", "mailto:")):
            continue
        file, _, heading = link.partition("#")
        target = (document.parent / file).resolve() if file else document
        assert target.exists(), f"{document.name}: {link}"
        assert not bang or len(words) > 20, f"{document.name}: {link} has no words for who cannot see it"
        if heading and target.suffix == ".md":
            heads = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            known = {re.sub(r"[^\w\- ]", "", one).strip().lower().replace(" ", "-") for one in heads}
            assert heading in known, f"{document.name}: {link}"


def test_times_of_the_readme_are_those_of_the_benchmarks():
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| [^|]*\(`([^`]+)`\) \|(.*)\|$", README, re.MULTILINE)
    assert len(rows) >= 5
    for name, cells in rows:
        measured = re.search(rf"^\| {re.escape(name)} \| 1e-6 \|(.*)\|$", page, re.MULTILINE)[1].split("|")
        for shown, own in zip(cells.split("|"), measured):
            own = own.replace("*", "").strip()
            assert shown.strip() == ("-" if own.startswith("-") else own), name
