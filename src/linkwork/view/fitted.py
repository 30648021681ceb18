"""Pictures of identified numbers: what was recorded, what the mechanism does, and what is left."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.arguments import explained
from linkwork.errors import UnknownNameError
from linkwork.result.fitted import Fit
from linkwork.view.axis import unit_text
from linkwork.view.canvas import COLOURS, GREY, INK, check_size, finish, new_figure, style, write

WITHIN = 2.0  # times the noise: the band that 95 % of the residuals are in, where noise is all that is left


@explained
def plot_fit(
    fit: Fit, name: str | None = None, *, size: tuple[float, float] | None = None, dpi: int = 200, file: Any = None
) -> Any:
    """Plot records as points, the fitted motion as a line, and below what is left with a band of twice the noise.

    `name` chooses one record, all are drawn without it.  `size` is (width, height) in inches; with `file` the picture
    is written there, and nothing is left open.
    """
    check_size(size, "plot")
    if name is not None and name not in fit.measured:
        raise UnknownNameError("record", str(name), tuple(fit.measured), "of this fit")
    names = list(fit.measured) if name is None else [name]
    with style():
        figure = new_figure(size or (max(4.8, 4.2 * len(names)), 4.4), file)
        panels = figure.subplots(2, len(names), sharex="col", squeeze=False, height_ratios=(5, 2))
        figure.set_layout_engine("constrained", h_pad=0.05, w_pad=0.06)
        for (upper, lower), one in zip(panels.T, names):
            t, values = fit.measured[one]
            unit = "" if fit.units[one] == "1" else f" [{unit_text(fit.units[one])}]"
            upper.plot(t, values, ".", color=GREY, markersize=4, label="recorded")
            upper.plot(t, fit.computed(one), color=COLOURS[0], linewidth=1.4, label="fitted")
            upper.set_ylabel(one.replace("$", r"\$") + unit)
            wide = WITHIN * fit.noise[one]
            lower.axhspan(-wide, wide, color=COLOURS[0], alpha=0.15, linewidth=0, label="± 2 × noise")
            lower.axhline(0.0, color=INK, linewidth=0.6)
            lower.plot(t, fit.residuals[one], ".", color=GREY, markersize=3)
            largest = max(1.3 * wide, 1.15 * float(np.max(np.abs(fit.residuals[one]))))
            if largest > 0.0:
                lower.set_ylim(-largest, largest)
            lower.set_ylabel("residual" + unit)
            lower.set_xlabel("time [s]")
            for panel in (upper, lower):
                finish(panel)
                panel.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2, frameon=False, borderaxespad=0.1)
        figure.align_ylabels(panels)
        if file is not None:
            write(figure, file, dpi)
    return figure
