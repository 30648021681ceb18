"""Every YAML block in the documents is a model file that reads and runs."""

import re
from pathlib import Path

import pytest

import linkwork as lw

ROOT = Path(__file__).parents[2]
BLOCKS = [
    (path.name, k, text)
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    for k, text in enumerate(re.findall(r"```yaml\n(.*?)```", path.read_text(), re.DOTALL))
]


def test_there_are_blocks():
    assert len(BLOCKS) >= 2


@pytest.mark.parametrize(("name", "k", "text"), BLOCKS, ids=[f"{name}-{k}" for name, k, _ in BLOCKS])
def test_block_runs(name, k, text):
    document = lw.read_document(text)
    options = {key: value for key, value in document.analysis.items() if key in ("start", "near")}
    run = document.mechanism.simulate(0.5, coordinates="body", **options)
    assert abs(run.energy.balance).max() < 1e-6 * max(1.0, run.energy.kinetic.max())
    assert "energy not accounted for" in str(run)


def test_a_driver_that_is_switched_off_has_no_effort():
    text = next(text for name, _, text in BLOCKS if name == "files.md")
    run = lw.read(text).simulate(0.1, coordinates="body")
    assert "shaker.effort" not in run.names
    with pytest.raises(lw.errors.UnknownNameError):
        run["shaker.effort"]
