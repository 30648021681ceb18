"""Pictures of sweeps: numbers of many runs over what was varied, and their series over time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from linkwork.arguments import explained
from linkwork.errors import DescriptionError, message
from linkwork.result.spread import number_in, varied_in
from linkwork.view.axis import unit_text
from linkwork.view.canvas import COLOURS, INK, check_size, finish, new_figure, style, write

LEVELS = 12  # of a map
MANY = 12  # texts that a legend has room for


@explained
def plot_sweep(
    found: Any,
    name: str | Sequence[str] | None = None,
    *,
    ax: Any = None,
    size: tuple[float, float] | None = None,
    dpi: int = 200,
    file: Any = None,
) -> Any:
    """Plot one number of the table of `lw.sweep` over what was varied; returns the figure.

    One varied number gives a line, two a map with lines of equal height, where designs that failed are crossed out.
    Samples, and lists, are points, a panel for each varied number.  A series has a line for each design, in the colours
    of the varied number, a panel for each of these.  `name` may be left out where the table has one number only; a list
    of names has panels for each.

    | option | meaning |
    |---|---|
    | `ax` | matplotlib axes to draw into, one for each panel |
    | `size`, `dpi` | size of the figure, (width, height) in inches, and dots an inch |
    | `file` | where the picture is written (png, svg, pdf, ...); then nothing is left open |

    >>> found = lw.sweep(lw.gallery.four_bar(), {"spring.stiffness": [10, 20, 40]}, times=0.2, read="D.angle.max")
    >>> figure = lw.plot_sweep(found)
    """
    check_size(size, "plot_sweep")
    several = name is not None and not isinstance(name, str)
    names = [number_in(found, one, "plot_sweep", True) for one in (list(name or ()) if several else [name])]
    if not names:
        raise DescriptionError(message("plot_sweep", "got an empty list of names", wanted="one name or more"))
    plans = [_plan(found, one) for one in names]
    many = [count for _, count in plans]
    rows, columns = (len(names), max(many)) if max(many) > 1 else (1, len(names))
    with style():
        if ax is None:
            figure = new_figure(size or (max(4.8, 3.2 * columns, 4.8 * len(names) / rows), 0.8 + 3.0 * rows), file)
            grid = figure.subplots(rows, columns, squeeze=False).reshape(len(names), -1)
            figure.set_layout_engine("constrained", h_pad=0.05, w_pad=0.06)
            for row, count in zip(grid, many):
                for left_over in row[count:]:
                    left_over.remove()
        else:
            given = np.ravel(ax)
            if len(given) != sum(many):
                raise DescriptionError(message("plot_sweep", "has another number of axes", len(given), sum(many)))
            ends = np.cumsum([0, *many])
            grid = [given[first:last] for first, last in pairwise(ends)]
            figure = given[0].figure
        for row, one, (draw, count) in zip(grid, names, plans):
            draw(row[:count], found, one)
        if file is not None:
            write(figure, file, dpi)
    return figure


def _plan(found: Any, name: str) -> tuple[Any, int]:
    """What draws a number, and on how many panels."""
    dims = [str(one) for one in found[name].dims]
    varied = _varied(found)
    if found[name].ndim > found["failed"].ndim:
        return _series, len(varied)
    if dims == ["run"]:
        return _samples, len(varied)
    if len(dims) not in (1, 2):
        raise DescriptionError(
            message("plot_sweep", "cannot draw so many dimensions", ", ".join(dims), "one or two", "choose with .sel()")
        )
    return (_line if len(dims) == 1 else _map), 1


def _varied(found: Any) -> list[str]:
    """Names of what was varied: of samples or a list, or of a grid."""
    dims = [str(one) for one in found["failed"].dims]
    return varied_in(found) if dims == ["run"] else dims


def _said(found: Any, name: str) -> str:
    unit = found[name].attrs.get("units", "1")
    called = str(found[name].attrs.get("long_name", name))
    return called.replace("$", r"\$") + ("" if unit == "1" else f" [{unit_text(unit)}]")


def _places(values: np.ndarray) -> tuple[np.ndarray, list[str] | None]:
    """Where values stand on an axis; texts that are no quantities stand in their order."""
    if values.dtype.kind in "fiu":
        return values.astype(float), None
    return np.arange(len(values), dtype=float), [str(one) for one in values]


def _line(axes: Any, found: Any, name: str) -> None:
    (one,), (panel,) = found[name].dims, axes
    x, words = _places(found[one].values)
    y = np.asarray(found[name].values, dtype=float)
    joined = {"linestyle": "none"} if words else {"linewidth": 1.4}
    panel.plot(x, y, color=COLOURS[0], marker="o", markersize=3.5, **joined)
    failed = ~np.isfinite(y)
    if failed.any():
        at = np.nanmin(y) if np.isfinite(y).any() else 0.0
        panel.plot(x[failed], np.full(failed.sum(), at), "x", color=COLOURS[1], label="failed")
        panel.legend(frameon=False)
    if words:
        panel.set_xticks(x, words)
    panel.set_xlabel(_said(found, str(one)))
    panel.set_ylabel(_said(found, name))
    finish(panel)


def _map(axes: Any, found: Any, name: str) -> None:
    (panel,), (first, second) = axes, found[name].dims
    (x, x_words), (y, y_words) = _places(found[first].values), _places(found[second].values)
    order_x, order_y = np.argsort(x), np.argsort(y)
    z = np.asarray(found[name].values, dtype=float)[np.ix_(order_x, order_y)].T
    x, y = x[order_x], y[order_y]
    if len(x) < 2 or len(y) < 2:
        raise DescriptionError(message("plot_sweep", "has one value along an axis", remedy="choose with .sel()"))
    mesh = panel.pcolormesh(x, y, np.ma.masked_invalid(z), shading="nearest", cmap=_light(), rasterized=True)
    some = z[np.isfinite(z)]
    even = not x_words and not y_words  # between names there is nothing, so no line of equal height
    if even and len(x) > 2 and len(y) > 2 and some.size and some.max() > some.min():
        lines = panel.contour(x, y, z, levels=LEVELS, colors=INK, linewidths=0.7)
        panel.clabel(lines, fontsize=8, fmt="%.4g")
    failed = ~np.isfinite(z)
    if failed.any():
        rows, columns = np.nonzero(failed)
        panel.plot(x[columns], y[rows], "x", color=COLOURS[1], markersize=5, label="failed")
        panel.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), frameon=False, borderaxespad=0.1)
    if x_words:
        panel.set_xticks(x, [x_words[k] for k in order_x])
    if y_words:
        panel.set_yticks(y, [y_words[k] for k in order_y])
    panel.set_xlabel(_said(found, str(first)))
    panel.set_ylabel(_said(found, str(second)))
    panel.tick_params(length=3, width=0.6)
    panel.figure.colorbar(mesh, ax=panel, label=_said(found, name))


def _light() -> Any:
    """Colours on which ink can be read, the low ones and the high ones."""
    from matplotlib import colormaps
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("light", colormaps["YlGnBu"](np.linspace(0.0, 0.55, 64)))


def _samples(axes: Any, found: Any, name: str) -> None:
    y = np.asarray(found[name].values, dtype=float)
    for panel, one in zip(axes, _varied(found)):
        x, words = _places(found[one].values)
        panel.plot(x, y, ".", color=COLOURS[0], markersize=3.5, alpha=0.7)
        if words:
            panel.set_xticks(x, words)
        panel.set_xlabel(_said(found, one))
        finish(panel)
        if panel is not axes[0]:
            panel.sharey(axes[0])
            panel.tick_params(labelleft=False)
    axes[0].set_ylabel(_said(found, name))


def _series(axes: Any, found: Any, name: str) -> None:
    """A line for each design over time, in the colour of the varied number."""
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.collections import LineCollection
    from matplotlib.colors import Normalize

    shades = colormaps["viridis"]
    values = np.asarray(found[name].transpose(*found["failed"].dims, ...).values, dtype=float)
    y = values.reshape(-1, values.shape[-1])
    t = np.broadcast_to(np.asarray(found["time"].values, dtype=float), values.shape).reshape(y.shape)
    lines = np.stack([t, y], axis=-1)
    for panel, one in zip(axes, _varied(found)):
        places, words = _places(found[one].values)
        at = found[one].copy(data=places).broadcast_like(found["failed"]).transpose(*found["failed"].dims).values
        colour = Normalize(places.min(), places.max() if places.max() > places.min() else places.min() + 1.0)
        kept = [np.isfinite(line).all(axis=1) for line in lines]
        panel.add_collection(
            LineCollection(
                [line[there] for line, there in zip(lines, kept)],
                colors=shades(0.92 * colour(np.ravel(at))),
                linewidths=1.2,
            )
        )
        panel.autoscale()
        panel.set_xlabel(_said(found, "time"))
        panel.set_ylabel(_said(found, name))
        if words and len(words) <= MANY:
            for k, word in enumerate(words):
                panel.plot([], [], color=shades(0.92 * float(colour(k))), label=word)
            panel.legend(title=_said(found, one), frameon=False)
        else:
            panel.figure.colorbar(ScalarMappable(colour, _cut(shades)), ax=panel, label=_said(found, one))
        finish(panel)


def _cut(shades: Any) -> Any:
    """Colours without the last ones, which are too light for lines."""
    from matplotlib.colors import ListedColormap

    return ListedColormap(shades(np.linspace(0.0, 0.92, 256)))
