"""Write docs/layout.md: what the three vectors of the kernels hold, from the table in `linkwork.kernels.sections`.

python design/layout_page.py
"""

from __future__ import annotations

from pathlib import Path

from linkwork.kernels.sections import TABLE

PAGE = Path(__file__).parents[1] / "docs" / "layout.md"

HEAD = """# What kernels read and write

<!-- made by design/layout_page.py -->

Kernels have a model in three flat vectors: `tab` (integers: its structure), `p` (numbers) and `w` (the workspace). The
header, the first entries of `tab`, has sizes, addresses of kernels, and where every section begins. The tables below
are made from `src/linkwork/kernels/sections.py`, which also places and views the sections; the names are those of
`src/linkwork/kernels/layout.py`.

Shapes are written in sizes of the header. `bodies + 1`: ground is body 0. `dof` is 3 in the plane and 6 in space. What
only one set of coordinates has is marked with it. In `w` sections with *twice* have low parts behind them where bodies
are light beside others.

In Python, `plan.view(vector, key)` is a section in its shape, `plan.table(key)` one of `tab`, `plan.places(key)` where
its numbers are, and `system.view(key)` one of the parameters or of the workspace of a system.
"""

TITLES = {"tab": "tab: structure", "p": "p: numbers", "w": "w: workspace"}


def page() -> str:
    """The whole page."""
    out = [HEAD]
    for vector, title in TITLES.items():
        out.append(f"\n## {title}\n\n| section | shape | holds |\n|---|---|---|\n")
        for one in TABLE:
            if one.vector == vector:
                notes = ", ".join(
                    [
                        *([f"{' and '.join(one.coordinates.split())} coordinates"] if one.coordinates else []),
                        *(["*twice*"] if one.doubled else []),
                    ]
                )
                shape = one.shape.replace("columns", str(len(one.columns)))
                out.append(f"| `{one.name}` | {shape} | {one.meaning}{f' ({notes})' if notes else ''} |\n")
    out.append("\n## Columns\n\n| section | column | holds |\n|---|---|---|\n")
    for one in TABLE:
        out += [f"| `{one.name}` | `{name}` | {words} |\n" for name, words in one.columns.items()]
    return "".join(out)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
