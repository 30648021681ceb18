"""docs/layout.md is what the table of sections says."""

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_is_made_from_the_table():
    made = runpy.run_path(str(ROOT / "design" / "layout_page.py"))["page"]()
    assert (ROOT / "docs" / "layout.md").read_text(encoding="utf-8") == made, "run design/layout_page.py"
