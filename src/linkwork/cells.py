"""What a cell of a notebook shows: tables and pictures as HTML.

Names come from users and files of strangers, so all text is escaped here; pictures are images, in which nothing runs.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from numbers import Real
from pathlib import Path
from typing import Any

from linkwork.errors import LinkworkError, LinkworkWarning, printable

MOST_ROWS = 24  # of a table; of more, the rest is counted
LONGEST = 80  # characters of a value
_CELL = "text-align:left;padding:1px 12px 1px 0;vertical-align:top"
_NUMBER = "text-align:right;padding:1px 12px 1px 0;font-variant-numeric:tabular-nums"


def escape(text: str) -> str:
    """A text that says nothing to a browser but itself."""
    import html  # few programs show cells

    return html.escape(text)


def words(value: Any) -> str:
    """A value as it is shown: numbers short, things by their own words."""
    if isinstance(value, Real) and not isinstance(value, bool):
        return f"{float(value):.6g}"
    if isinstance(value, (tuple, list)):
        return ", ".join(words(one) for one in value)
    text = printable(str(value), lines=False)
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def shown(title: str, *parts: str) -> str:
    """The whole of a cell: a title, then tables and pictures."""
    named = escape(printable(title, lines=False))
    return f'<div class="linkwork"><p style="margin:0 0 4px"><b>{named}</b></p>{"".join(parts)}</div>'


def table(head: Sequence[str], rows: Iterable[Sequence[Any]], most: int = MOST_ROWS) -> str:
    """A table; numbers stand at the right.  Nothing where there are no rows."""
    rows = list(rows)
    if not rows:
        return ""
    sides = [_NUMBER if isinstance(one, Real) else _CELL for one in rows[0]]
    heads = "".join(f'<th scope="col" style="{side}">{escape(one)}</th>' for one, side in zip(head, sides))
    lines = [f"<thead><tr>{heads}</tr></thead>"] if any(head) else []
    for row in rows[:most]:
        cells = (f'<td style="{_NUMBER if isinstance(one, Real) else _CELL}">{escape(words(one))}</td>' for one in row)
        lines.append(f"<tr>{''.join(cells)}</tr>")
    more = f"<p>and {len(rows) - most} more</p>" if len(rows) > most else ""
    return f'<table style="border-collapse:collapse;margin:4px 0">{"".join(lines)}</table>{more}'


def facts(pairs: Iterable[tuple[str, Any]]) -> str:
    """A table of two columns: what it is, and the value."""
    return table(("", ""), [(name, words(value)) for name, value in pairs if not _nothing(value)])


def _nothing(value: Any) -> bool:
    return value is None or (isinstance(value, (str, tuple, dict)) and not value)


def notes(*lines: str) -> str:
    """Sentences, a line each."""
    return "".join(f'<p style="margin:2px 0">{escape(printable(one, lines=False))}</p>' for one in lines if one)


def report(text: str) -> str:
    """A report as it is printed."""
    return f'<pre style="margin:0;line-height:1.25">{escape(printable(text))}</pre>'


def picture(draw: Callable, said: str, **options: Any) -> str:
    """The picture that `draw(file=...)` makes; where it cannot be drawn, a line that says why."""
    import base64
    import tempfile

    try:
        with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
            warnings.simplefilter("ignore", LinkworkWarning)  # of a look at something, nobody asked for them
            file = Path(folder) / "picture.svg"
            draw(file=file, **options)
            data = file.read_bytes()
    except LinkworkError as error:
        return f'<p style="margin:2px 0"><i>no picture: {escape(printable(str(error), lines=False))}</i></p>'
    coded = base64.b64encode(data).decode("ascii")
    return f'<img src="data:image/svg+xml;base64,{coded}" alt="{escape(said)}" style="max-width:min(100%, 560px)">'
