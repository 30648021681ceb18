"""What all pictures share: loading matplotlib, one style, and writing a file whole or not at all."""

from __future__ import annotations

import io
import math
import os
from functools import partial
from pathlib import Path
from typing import Any, Literal

from linkwork.errors import DescriptionError, FileError, extra_package, message

#: dark, distinguishable by colour-blind readers and, with the dashes, on a grey print
COLOURS = ("#1f5f99", "#c8501e", "#2e7d4f", "#8a4a9e", "#b8860b", "#3a3a3a")
DASHES = ("-", (0, (5, 1.6)), (0, (5, 1.4, 1.2, 1.4)), (0, (1.4, 1.2)), (0, (8, 2)), (0, (3, 1.2, 1, 1.2, 1, 1.2)))
INK = "#22303c"
SCREEN = 96  # dots an inch that a notebook shows
GREY = "#7b8791"
GRID = "#e3e7ea"

STYLE = {
    "font.family": "STIXGeneral",
    "font.size": 11.0,
    "text.color": INK,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.7,
    "axes.unicode_minus": True,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "svg.hashsalt": "linkwork",
}


def require_matplotlib() -> Any:
    """The matplotlib package, or an error that says how to get it."""
    return extra_package("matplotlib", "A picture", "plot")


def style() -> Any:
    """The context in which pictures are made."""
    return require_matplotlib().rc_context(STYLE)


def check_size(size: Any, item: str) -> None:
    """Raise unless a size that is given is two lengths."""
    try:
        right = size is None or (len(size) == 2 and all(0.0 < float(one) < math.inf for one in size))
    except (TypeError, ValueError):
        right = False
    if not right:
        raise DescriptionError(message(item, "cannot use its size", repr(size), "(width, height) in inches"))


def new_figure(size: Any, file: Any) -> Any:
    """A figure of a size in inches: one that `pyplot.show` knows; for a file, one that needs no closing."""
    require_matplotlib()
    if file is None:
        from matplotlib import pyplot

        figure: Any = pyplot.figure(figsize=size)
        figure._ipython_display_ = partial(_show_once, figure)
        return figure
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size)
    FigureCanvasAgg(figure)
    return figure


def finish(panel: Any, along: Literal["both", "x", "y"] = "both") -> None:
    """Grid, ticks and borders as all plots have them; `along` says which lines the grid has."""
    panel.grid(True, axis=along, color=GRID, linewidth=0.6)
    panel.set_axisbelow(True)
    panel.tick_params(length=3, width=0.6)
    for side in ("top", "right"):
        panel.spines[side].set_visible(False)


def _show_once(figure) -> None:
    """Show a figure that is the value of a cell, and have pyplot forget it, which would show it again at its end."""
    from matplotlib import get_backend, pyplot

    if "inline" not in get_backend():
        print(repr(figure))
        return
    from IPython.display import Image, display

    memory = io.BytesIO()
    figure.savefig(memory, format="png", dpi=2 * SCREEN)
    display(Image(memory.getvalue(), width=int(SCREEN * figure.get_size_inches()[0])))
    pyplot.close(figure)


def write(figure, file, dpi: int = 200) -> None:
    """Write the picture whole or not at all, so that a reader never sees half a file."""
    from linkwork.files import write_whole

    if not isinstance(file, (str, os.PathLike)):
        raise FileError(message("A picture", "has no name of a file", repr(file), "a path such as 'picture.png'"))
    path = Path(file)
    kinds = figure.canvas.get_supported_filetypes()
    kind = path.suffix.lstrip(".").lower()
    if kind not in kinds:
        raise FileError(
            message(
                f"{path}:",
                "is no kind of picture that can be written",
                repr(path.suffix),
                ", ".join(f".{one}" for one in sorted(kinds)),
            )
        )
    if not path.parent.is_dir():
        raise FileError(
            message(
                f"{path}:", "is in a folder that does not exist", str(path.parent), remedy="create the folder first"
            )
        )
    memory: Any = io.StringIO() if kind == "pgf" else io.BytesIO()  # pgf alone is made of text
    figure.savefig(memory, format=kind, dpi=dpi, metadata=_metadata(kind))
    data = memory.getvalue()
    write_whole(path, data.encode("utf-8") if isinstance(data, str) else data)


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    from linkwork.files import write_whole

    write_whole(path, data)


def _metadata(kind: str) -> dict | None:
    """No dates and versions: the same picture gives the same file."""
    return {
        "png": {"Software": None},
        "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
        "svg": {"Date": None, "Creator": None},
    }.get(kind)


def model_text(mechanism) -> str:
    """The model file of a mechanism, or why it cannot be one."""
    from linkwork.errors import LinkworkError
    from linkwork.files.writer import to_text

    try:
        return to_text(mechanism)
    except LinkworkError as error:
        return f"This mechanism cannot be written as a file. {error}"
