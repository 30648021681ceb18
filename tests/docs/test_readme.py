"""What the documents and the examples show runs as it is written.

Blocks marked `python` in the README, in CONTRIBUTING and under `docs/` run in order, in one namespace per
file, in a process and an empty folder of their own. A block that is not meant to run is preceded by the
comment `<!-- not run -->`.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    path
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if path.exists()
]
EXAMPLES = [path for path in sorted((ROOT / "examples").glob("*.py")) if not path.name.startswith("_")]
BLOCK = re.compile(
    r"^(?P<skip><!-- not run -->[ \t]*\n)?```python[ \t]*\n(?P<code>.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL
)


def script_of(text):
    """Return the blocks of a document that are meant to run, each at its own line, empty lines between."""
    script = ""
    for match in BLOCK.finditer(text):
        if not match["skip"]:
            before = text.count("\n", 0, match.start("code")) - script.count("\n")
            script += "\n" * before + match["code"]
    return script


def run(file, folder):
    """Run a file in a folder, without pictures on the screen and without progress; fail with its output."""
    environment = {
        **os.environ,
        "MPLBACKEND": "Agg",
        "LINKWORK_PROGRESS": "off",
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]),
    }
    done = subprocess.run(
        [sys.executable, str(file)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, f"{file.name} failed:\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize(
    "document",
    [path for path in DOCUMENTS if script_of(path.read_text(encoding="utf-8"))],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_document_runs(document, tmp_path):
    script = tmp_path / f"{document.stem.lower().replace('-', '_')}_blocks.py"
    script.write_text(script_of(document.read_text(encoding="utf-8")), encoding="utf-8")
    folder = tmp_path / "empty"
    folder.mkdir()
    run(script, folder)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_example_runs(example, tmp_path):
    run(example, tmp_path)


def test_blocks_keep_their_order_and_their_lines():
    text = (
        "a\n```python\nx = 1\n```\n"
        "```\nnot python\n```\n"
        "<!-- not run -->\n```python\nbad(\n```\n\n"
        "```python\ny = x\n```\n"
    )
    lines = script_of(text).splitlines()
    assert [(k, line) for k, line in enumerate(lines, start=1) if line] == [(3, "x = 1"), (14, "y = x")]
    assert text.splitlines()[13] == "y = x"


def test_the_install_line_has_what_the_readme_writes():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    install = next(one for one in blocks if one.startswith("pip install"))
    extras = set(re.search(r"\[(.*?)\]", install)[1].split(","))
    for ending, extra in ((".png", "plot"), (".gif", "film"), (".nc", "io")):
        assert any(re.search(rf"\w\{ending}\b", one) for one in blocks) and extra in extras, ending
