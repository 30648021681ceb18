"""The table of the comparison and its notes, as aligned text or as Markdown."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

OURS = "linkwork"


@dataclass(frozen=True)
class Cell:
    """What one package needed for one case and error.

    `seconds` is None where the error was not reached: then `smallest` is the smallest error that two neighbouring
    settings stayed below, or `reason` says why there is none.
    """

    case: str
    target: float
    tool: str
    seconds: float | None = None
    error: float | None = None
    method: str = ""
    setting: float | None = None
    smallest: float | None = None
    reason: str = ""

    def plain(self) -> dict:
        """As written to the results."""
        return asdict(self)


def duration(seconds: float) -> str:
    """Seconds with three digits and a unit."""
    factor, unit = next(((f, u) for f, u in ((1.0, "s"), (1e3, "ms")) if seconds * f >= 0.9995), (1e6, "us"))
    return f"{seconds * factor:#.3g}".rstrip(".") + f" {unit}"


def ratio(row: dict[str, Cell]) -> float | None:
    """Time of the fastest other package over that of Linkwork; infinite where only Linkwork reaches the error."""
    ours = row.get(OURS)
    if ours is None or ours.seconds is None:
        return None
    others = [cell.seconds for tool, cell in row.items() if tool != OURS and cell.seconds is not None]
    return min(others) / ours.seconds if others else math.inf


def best_peer(row: dict[str, Cell]) -> str | None:
    """The fastest other package of a row."""
    reached = {tool: cell.seconds for tool, cell in row.items() if tool != OURS and cell.seconds is not None}
    return min(reached, key=lambda tool: reached[tool]) if reached else None


def by_rows(cells: list[Cell]) -> dict[tuple[str, float], dict[str, Cell]]:
    """Cells gathered by case and error."""
    rows: dict[tuple[str, float], dict[str, Cell]] = {}
    for cell in cells:
        rows.setdefault((cell.case, cell.target), {})[cell.tool] = cell
    return rows


def _cell_text(cell: Cell | None, best: bool, notes: list[str]) -> str:
    if cell is None:
        return ""
    if cell.seconds is not None:
        return duration(cell.seconds) + (" *" if best else "")
    if cell.smallest is not None and math.isfinite(cell.smallest):
        return f"- ({cell.smallest:.0e})"
    reason = cell.reason or "no run gave an answer"
    if reason not in notes:
        notes.append(reason)
    return f"- [{notes.index(reason) + 1}]"


def _ratio_text(row: dict[str, Cell]) -> str:
    if OURS not in row or len(row) == 1:
        return ""
    value = ratio(row)
    if value is None:
        return "behind" if best_peer(row) else "none"
    return "alone" if math.isinf(value) else f"{value:.3g}" + ("" if value >= 1.0 else " BEHIND")


def table(cells: list[Cell], titles: dict[str, str], markdown: bool = False) -> str:
    """Rows by problem and error, columns by package (name -> title), then the ratio and the notes."""
    notes: list[str] = []
    lines = [("problem", "error", *titles.values(), "best peer / Linkwork")]
    for (case, target), row in by_rows(cells).items():
        best = best_peer(row)
        lines.append(
            (
                case,
                f"{target:.0e}".replace("e-0", "e-"),
                *(_cell_text(row.get(tool), tool == best, notes) for tool in titles),
                _ratio_text(row),
            )
        )
    if markdown:
        out = ["| " + " | ".join(line) + " |" for line in lines]
        out.insert(1, "|---" * len(lines[0]) + "|")
    else:
        widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
        lines.insert(1, tuple("-" * width for width in widths))
        out = ["  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip() for line in lines]
    out += ["", "*: the fastest of the others.  - (x): not reached; two neighbouring settings stayed below x at best."]
    out += [f"[{k}]: {note}" for k, note in enumerate(notes, start=1)]
    return "\n".join(out)
