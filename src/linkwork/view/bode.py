"""Frequency responses: size and phase over frequency, one pair of panels a unit."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.arguments import explained
from linkwork.errors import DescriptionError, message
from linkwork.view.axis import unit_text
from linkwork.view.canvas import COLOURS, DASHES, check_size, finish, new_figure, style, write
from linkwork.view.plot import _label, _listed

WIDTH, SIZE_HEIGHT, PHASE_HEIGHT = 7.2, 2.5, 1.7
STEPS = (15.0, 30.0, 45.0, 90.0, 180.0, 360.0)  # degrees between ticks
MOST_TICKS = 6


@explained
def plot_bode(
    response: Any,
    *outputs: Any,
    source: str | None = None,
    decibel: bool = False,
    ax: Any = None,
    size: tuple[float, float] | None = None,
    dpi: int = 200,
    file: Any = None,
) -> Any:
    """Plot size and phase of a frequency response over frequency, both axes of size logarithmic; returns the figure.

    Without `outputs` all are drawn.  Answers of one unit share a pair of panels; names differ in dash and colour.

    | option | meaning |
    |---|---|
    | `source` | the input that is answered to; without it all |
    | `decibel` | sizes as 20 log10, instead of on a logarithmic axis |
    | `ax` | matplotlib axes to draw into: two for each unit, size and phase |
    | `size`, `dpi` | size of the figure, (width, height) in inches, and dots an inch |
    | `file` | where the picture is written (png, svg, pdf, ...); then nothing is left open |
    """
    check_size(size, "plot")
    names = _listed(outputs) or list(response.outputs)
    sources = list(response.inputs) if source is None else [source]
    pairs: dict[str, list[tuple[str, np.ndarray, np.ndarray]]] = {}
    for name in names:
        for one in sources:
            answer = response[name, one]  # unknown names stop here, before anything is drawn
            said = name if len(response.inputs) == 1 else f"{name} to {one}"
            pairs.setdefault(response.unit(name, one), []).append((said, np.abs(answer), response.phase(name, one)))
    with style():
        if ax is None:
            height = (SIZE_HEIGHT + PHASE_HEIGHT) * len(pairs) + 0.5
            figure = new_figure(size or (WIDTH, height), file)
            ratios = [SIZE_HEIGHT, PHASE_HEIGHT] * len(pairs)
            axes = figure.subplots(2 * len(pairs), 1, sharex=True, squeeze=False, height_ratios=ratios).ravel()
            figure.set_layout_engine("constrained", h_pad=0.05, w_pad=0.06)
        else:
            axes = np.ravel(ax)
            if len(axes) != 2 * len(pairs):
                raise DescriptionError(
                    message("plot", "has another number of panels than axes", len(axes), f"{2 * len(pairs)} axes")
                )
            figure = axes[0].figure
        for k, (unit, lines) in enumerate(pairs.items()):
            _sizes(axes[2 * k], response.frequencies, lines, unit, decibel)
            _phases(axes[2 * k + 1], response.frequencies, lines)
        axes[-1].set_xlabel("frequency [Hz]")
        if ax is None:
            figure.align_ylabels(axes)
        if file is not None:
            write(figure, file, dpi)
    return figure


def _sizes(axes, f, lines, unit: str, decibel: bool) -> None:
    for k, (said, size, _) in enumerate(lines):
        some = (f > 0.0) & (size > 0.0)
        shown = 20.0 * np.log10(size[some]) if decibel else size[some]
        _draw(axes, f[some], shown, k, _label(said))
    shown = "" if unit == "1" else f" [{unit_text(unit)}]"
    axes.set_ylabel(f"size [dB{'' if unit == '1' else f', 1 is 1 {unit_text(unit)}'}]" if decibel else f"size{shown}")
    if not decibel:
        axes.set_yscale("log")
    _finish(axes)
    # above the panel, so that it never lies on the lines
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(-0.01, 0.99),
        ncols=3,
        frameon=False,
        handlelength=2.2,
        columnspacing=1.6,
        borderaxespad=0.0,
        fontsize=10.5,
    )


def _phases(axes, f, lines) -> None:
    low, high = 0.0, 0.0
    for k, (_, size, phase) in enumerate(lines):
        some = (f > 0.0) & (size > 0.0)
        degrees = np.degrees(phase[some])
        if degrees.size:
            low, high = min(low, degrees.min()), max(high, degrees.max())
        _draw(axes, f[some], degrees, k, "_phase")
    from matplotlib.ticker import MultipleLocator

    step = next((one for one in STEPS if (high - low) / one <= MOST_TICKS), STEPS[-1])
    axes.yaxis.set_major_locator(MultipleLocator(step))
    axes.set_ylabel("phase [deg]")
    _finish(axes)


def _draw(axes, x, y, k: int, label: str) -> None:
    alone = "o" if len(x) == 1 else None
    axes.plot(
        x,
        y,
        color=COLOURS[k % len(COLOURS)],
        linestyle=DASHES[k % len(DASHES)],
        linewidth=1.4,
        marker=alone,
        label=label,
    )


def _finish(axes) -> None:
    axes.set_xscale("log")
    finish(axes)
    axes.tick_params(which="minor", length=2, width=0.4)
    axes.margins(x=0.0, y=0.08)
