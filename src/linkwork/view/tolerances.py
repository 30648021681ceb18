"""Pictures of tolerances: how a number of many runs spreads, and what makes it spread."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.arguments import explained
from linkwork.result.spread import REST, Spread
from linkwork.view.axis import unit_text
from linkwork.view.canvas import COLOURS, DASHES, GREY, INK, check_size, finish, new_figure, style, write

NUMBER = 0.09  # of the width of a histogram, that the number of a percentile takes


@explained
def plot_spread(spread: Spread, *, size: tuple[float, float] | None = None, dpi: int = 200, file: Any = None) -> Any:
    """Plot how a number spreads: a histogram with its percentiles, and the share of each varied number; the figure.

    `size` is (width, height) in inches; with `file` the picture is written there, and nothing is left open.
    """
    check_size(size, "plot")
    with style():
        figure = new_figure(size or (8.4, 3.4), file)
        left, right = figure.subplots(1, 2, width_ratios=(3, 2))
        figure.set_layout_engine("constrained", h_pad=0.05, w_pad=0.06)
        count = int(np.clip(np.sqrt(len(spread.values)), 8, 40))
        left.hist(spread.values, bins=count, color=COLOURS[0], alpha=0.55, edgecolor="white", linewidth=0.5)
        _percentiles(left, spread)
        unit = "" if spread.unit == "1" else f" [{unit_text(spread.unit)}]"
        left.set_xlabel(spread.name.replace("$", r"\$") + unit)
        left.set_ylabel("runs")
        left.yaxis.get_major_locator().set_params(integer=True)
        finish(left, "y")
        shares = sorted(spread.shares.items(), key=lambda one: one[1])
        names = [REST, *(name for name, _ in shares)]
        sizes = np.array([spread.rest, *(share for _, share in shares)]) * 100
        colours = [GREY] + [COLOURS[0]] * len(shares)
        right.barh(names, np.maximum(sizes, 0.0), color=colours, height=0.6)
        right.errorbar(
            sizes[1:],
            names[1:],
            xerr=[100 * spread.errors[one] for one in names[1:]],
            fmt="none",
            ecolor=INK,
            capsize=2,
        )
        right.set_xlabel("share in the variance [%]")
        right.set_xlim(0.0, None)
        finish(right)
        right.grid(False, axis="y")
        if file is not None:
            write(figure, file, dpi)
    return figure


def _percentiles(panel: Any, spread: Spread) -> None:
    """Lines at percentiles, with their numbers above; a number that would be beside another stands higher."""
    low, high = panel.get_xlim()
    ends = [-np.inf] * 3  # of the numbers in each row, as parts of the width
    for k, (percent, value) in enumerate(sorted(spread.percentiles.items())):
        panel.axvline(value, color=INK, linewidth=1.0, linestyle=DASHES[(k + 1) % len(DASHES)])
        place = (value - low) / ((high - low) or 1.0)
        row = next((j for j, end in enumerate(ends) if place > end), len(ends) - 1)
        ends[row] = place + NUMBER
        above = {"xycoords": panel.get_xaxis_transform(), "xytext": (0, 2 + 11 * row), "textcoords": "offset points"}
        panel.annotate(f"{percent:g} %", (value, 1.0), **above, ha="center", va="bottom", fontsize=9, color=INK)
