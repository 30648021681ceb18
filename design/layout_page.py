"""Write docs/layout.md: what the three vectors of the kernels hold, from `linkwork.kernels.sections` and `layout`.

python design/layout_page.py
"""

from __future__ import annotations

import re
from pathlib import Path

from linkwork.kernels import layout, motion
from linkwork.kernels.sections import SIZES, TABLE

#: a name of `layout` with what it says of it
ENTRY = re.compile(r"^    ([A-Z]\w*),  # (.+)$", re.M)
PAGE = Path(__file__).parents[1] / "docs" / "layout.md"

HEAD = """# What kernels read and write

<!-- made by design/layout_page.py -->

Kernels have a model in three flat vectors: `tab` (integers: its structure), `p` (numbers) and `w` (the workspace). The
header, the first entries of `tab`, has sizes, addresses of kernels, and where every section begins. The tables below
are made from `src/linkwork/kernels/sections.py`, which also places and views the sections; the names are those of
`src/linkwork/kernels/layout.py`, which says what the header and the first places of `w` hold.

Shapes are written in sizes of the header. `bodies + 1`: ground is body 0. `dof` is 3 in the plane and 6 in space. What
only one set of coordinates has is marked with it. In `w` sections with *twice* have low parts behind them where bodies
are light beside others.

In Python, `plan.view(vector, key)` is a section in its shape, `plan.table(key)` one of `tab`, `plan.places(key)` where
its numbers are, and `system.view(key)` one of the parameters or of the workspace of a system.
"""

TITLES = {"tab": "tab: structure", "p": "p: numbers", "w": "w: workspace"}


def entries(first: str, end: str) -> dict[str, str]:
    """Names of `layout` between two of them, with what it says of each."""
    text = Path(layout.__file__).read_text(encoding="utf-8")
    found = dict(ENTRY.findall(text[text.index(f"    {first},") : text.index(f"    {end},\n")]))
    if [getattr(layout, name) for name in found] != list(range(getattr(layout, first), getattr(layout, end))):
        raise ValueError(f"say in layout.py what every entry from {first} on is")
    return found


def header() -> str:
    """The header of tab: sizes with their words in shapes, and addresses."""
    words = {key: word for word, key in SIZES.items() if isinstance(key, int)}
    out = ["\n## Header of tab\n\n| entry | in shapes | holds |\n|---|---|---|\n"]
    for name, meaning in entries("DIMENSION", "_SIZES").items():
        out.append(f"| `{name}` | {words.get(getattr(layout, name), '')} | {meaning} |\n")
    for name, meaning in re.findall(r"^\| (A_[A-Z]+) +\| (.+?) +\|$", motion.__doc__ or "", re.M):
        out.append(f"| `{name}` | | address of a kernel: {meaning} |\n")
    return "".join([*out, "\nThen follows where every section begins, by its name.\n"])


def fixed() -> str:
    """The first places of w."""
    out = ["\n## First places of w\n\n| place | set by | holds |\n|---|---|---|\n"]
    for name, meaning in entries("STATUS", "W_FIXED").items():
        setting = meaning.startswith("set by Python: ")
        out.append(f"| `{name}` | {'Python' if setting else 'kernels'} | {meaning.removeprefix('set by Python: ')} |\n")
    return "".join(out)


def page() -> str:
    """The whole page."""
    out = [HEAD, header(), fixed()]
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
