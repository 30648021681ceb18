"""One HTML file that plays: everything it needs is inside, and it asks nobody for anything."""

from __future__ import annotations

import base64
import hashlib
import html
import math
import os
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.arguments import explained
from linkwork.errors import DescriptionError, FileError, message
from linkwork.result.result import Result
from linkwork.view.canvas import write_bytes
from linkwork.view.page.data import run_data
from linkwork.view.page.pack import Pack
from linkwork.view.poses import nearest

HERE = Path(__file__).parent
#: in the order in which they are read; each file says what it holds
SCRIPTS = ("data", "colors", "plane", "solids", "gl", "space", "names", "stage", "plots", "panel", "page")
MOST_TIMES, TIMES = 20_000, 2_000
MOST_RUNS = 24
ENDINGS = (".html", ".htm")


class Page:
    """A page as text; `save(file)` writes it, a notebook shows it in a frame."""

    def __init__(self, text: str, title: str, height: int = 640):
        self.text, self.title, self.height = text, title, height

    def save(self, file: Any) -> Path:
        """Write the file whole or not at all."""
        path = checked_file(file)
        write_bytes(path, self.text.encode("utf-8"))
        return path

    def _repr_html_(self) -> str:
        inside = html.escape(self.text, quote=True)
        return (
            f'<iframe srcdoc="{inside}" title="{html.escape(self.title, quote=True)}" sandbox="allow-scripts" '
            f'style="width:100%;height:{self.height}px;border:0"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<page of {self.title}: {len(self.text) / 1000:.0f} kB>"


@explained
def page(
    runs: Any,
    file: Any = None,
    *,
    beside: Any = (),
    plots: Any = (),
    trace: Any = (),
    arrows: Any = (),
    names: Any = True,
    color: Any = None,
    frames: bool = False,
    limits: Any = None,
    view: Any = "perspective",
    speed: float | None = None,
    play: bool = False,
    times: int = TIMES,
    title: str | None = None,
    titles: Any = (),
    stretch: bool = False,
    rows: Any = None,
) -> Page:
    """Write a page that plays a run, or several side by side: one HTML file, which needs no network.

    | option | meaning |
    |---|---|
    | `runs` | a run, or several in a list |
    | `beside` | further runs |
    | `plots` | series that are plotted at first, of those runs that have them; all others are a click away |
    | `trace` | points or bodies whose paths are drawn, "coupler.tracer" |
    | `arrows` | kinds that are shown at first: "velocity", "force", "reaction" |
    | `view` | in space, where the eye is at first: "perspective", "front", "side", "top", or two angles in degrees |
    | `speed` | seconds of the motion a second: 1, or slower where all of it lasts less than a second |
    | `play` | whether it plays at once; readers who asked their system for less motion still have to start it |
    | `times` | at most so many of the stored times are kept, spread evenly; the page says so |
    | `title` | of the page; without, those of its runs |
    | `titles` | one for each run; without, the names of the mechanisms |
    | `stretch` | whether runs of different lengths begin and end together, each at its own speed |
    | `names`, `color`, `frames`, `limits` | as for `draw` |
    | `rows` | which of the stored times are kept, by number, instead of `times` |
    | `file` | where it is written; without, the page comes back, which a notebook shows |

    >>> run = lw.gallery.four_bar().simulate(1.0, every=0.1)
    >>> page = lw.page(run, "four_bar.html", trace="coupler.tracer", plots=["D.angle"])
    >>> page.title, page.text[:15]
    ('four-bar', '<!DOCTYPE html>')
    """
    if file is not None:
        file = checked_file(file)
    found = _runs(runs, beside)
    if isinstance(times, bool) or not isinstance(times, (int, np.integer)) or not 1 <= times <= MOST_TIMES:
        raise DescriptionError(
            message(
                "page",
                "cannot use its times",
                repr(times),
                f"a whole number from 1 to {MOST_TIMES}",
                "a browser that plays 60 pictures a second shows 2,000 in half a minute",
            )
        )
    speed = fitting_speed(found) if speed is None else speed
    positive(speed, "page", "speed")
    titles = _titles(titles, found)
    pack = Pack()
    plots = [plots] if isinstance(plots, str) else list(plots)
    for name in plots:
        if not any(name in run for run in found):
            found[0][name]  # nobody has it: its error suggests others
    options = {"trace": trace, "names": names, "color": color, "frames": frames, "limits": limits}
    title = _together(titles) if title is None else str(title)
    data = {
        "title": title,
        "speed": float(speed),
        "play": bool(play),
        "stretch": bool(stretch),
        "runs": [
            {"title": one}
            | run_data(
                pack,
                run,
                _rows(run, times) if rows is None else rows,
                plots=[name for name in plots if name in run],
                arrows=arrows,
                view=view,
                **options,
            )
            for one, run in zip(titles, found, strict=True)
        ],
    }
    made = Page(_filled(title, pack.text(data)), title)
    if file is not None:
        made.save(file)
    return made


def fitting_speed(runs: list[Result]) -> float:
    """Seconds of the motion a second: 1, and for what lasts less than a second 1, 2 or 5 of a power of ten, so that
    it is shown in four seconds or somewhat more."""
    duration = max(float(run.t[-1] - run.t[0]) for run in runs)
    if not 0.0 < duration < 1.0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(duration / 4.0))
    return float(f"{max(one for one in (1, 2, 5) if one * power <= duration / 4.0 or one == 1) * power:.3g}")


def positive(value: Any, item: str, name: str) -> None:
    """Raise unless a value is a number above 0."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 < value < 1e9:
        raise DescriptionError(message(item, f"cannot use its {name}", repr(value), "a number above 0"))


def checked_file(file: Any, item: str = "A page", endings: tuple[str, ...] = ENDINGS) -> Path:
    """The path of a file that can be written, with one of these endings."""
    if not isinstance(file, (str, os.PathLike)):
        raise FileError(message(item, "has no name of a file", repr(file), f"a path such as 'motion{endings[0]}'"))
    path = Path(os.fsdecode(file))
    if path.suffix.lower() not in endings:
        raise FileError(
            message(
                f"{path}:",
                f"is no kind of {item.split()[-1]} that can be written",
                repr(path.suffix),
                " or ".join(endings) if len(endings) < 3 else f"{', '.join(endings[:-1])} or {endings[-1]}",
            )
        )
    if not path.parent.is_dir():
        raise FileError(
            message(
                f"{path}:", "is in a folder that does not exist", str(path.parent), remedy="create the folder first"
            )
        )
    return path


def _runs(*given: Any) -> list[Result]:
    found = [run for one in given for run in (one if isinstance(one, (list, tuple)) else [one])]
    for run in found:
        if not isinstance(run, Result):
            raise DescriptionError(
                message("page", "needs results", type(run).__name__, "what simulate returns, or a list of such")
            )
    if not 1 <= len(found) <= MOST_RUNS:
        raise DescriptionError(message("page", "cannot show so many runs", len(found), f"1 to {MOST_RUNS}"))
    return found


def _titles(titles: Any, runs: list[Result]) -> list[str]:
    given = [titles] if isinstance(titles, str) else list(titles)
    if given and len(given) != len(runs):
        raise DescriptionError(message("page", "has another number of titles than of runs", len(given), len(runs)))
    if given:
        return [str(one) for one in given]
    found = [run.mechanism.name for run in runs]
    doubled = {one for one in found if found.count(one) > 1}
    return [f"{one} ({found[: k + 1].count(one)})" if one in doubled else one for k, one in enumerate(found)]


def _together(titles: list[str]) -> str:
    """A title for the page: those of its runs, the first three of many."""
    more = f" and {len(titles) - 3} more" if len(titles) > 4 else ""
    return ", ".join(dict.fromkeys(titles[:3] if more else titles)) + more


def _rows(run: Result, most: int) -> np.ndarray:
    """Stored times spread evenly over the run, at most so many."""
    if len(run.t) <= most:
        return np.arange(len(run.t))
    return np.unique(nearest(run.t, np.linspace(run.t[0], run.t[-1], most)))


@lru_cache
def _part(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def _filled(title: str, data: str) -> str:
    """The page: its scripts are named by their digest, so that the browser runs no others and loads nothing."""
    script = "".join(["'use strict';\n(() => {\n", *(_part(f"{name}.js") for name in SCRIPTS), "})();\n"])
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    parts = {
        "{{title}}": html.escape(title, quote=True),
        "{{digest}}": digest,
        "{{style}}": _part("page.css"),
        "{{script}}": script,
        "{{data}}": data,
    }
    marks = re.compile("|".join(map(re.escape, parts)))
    return marks.sub(lambda found: parts[found[0]], _part("page.html"))
