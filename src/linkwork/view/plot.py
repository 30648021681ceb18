"""Named series over time or over each other, one panel a unit; paths of vectors; the energy ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import numpy as np

from linkwork.arguments import explained
from linkwork.errors import (
    DescriptionError,
    SingularOrientationWarning,
    UnitError,
    UnknownNameError,
    message,
    warnings_are,
)
from linkwork.result.result import Result
from linkwork.view.axis import axis_label, measured, unit_text
from linkwork.view.canvas import COLOURS, DASHES, INK, check_size, finish, new_figure, style, write

LEDGER = ("kinetic", "potential", "total", "supplied", "dissipated", "lost")
ALWAYS = LEDGER[:3]  # the others where there are any
PANEL_HEIGHT, WIDTH = 2.3, 7.2
ROUNDING = 1e-9  # of the numbers of a panel: what changes less is constant
NEGLIGIBLE = 1e-6  # of the energy in play
MOST_CHOSEN = 4  # series of one kind when no names are given
STILL = 1e-9  # radians, or lengths of the mechanism: what moves less is no motion
MOST_BORDERS = 40  # segments whose borders are drawn
MOST_COMPARED = 3


@dataclass
class Line:
    """One line of a panel."""

    x: np.ndarray
    y: np.ndarray
    label: str
    color: Any
    dash: Any


@dataclass
class Panel:
    """Axes of a figure: what they say, and their lines; `equal` scales where a length stands over a length."""

    ylabel: str
    xlabel: str
    lines: list[Line] = field(default_factory=list)
    equal: bool = False
    timed: bool = False
    zero: bool = False
    play: float = 0.0  # the largest energy in play, where energies are drawn
    borders: tuple[float, ...] = ()  # times of events that did something


@explained
def plot(
    run: Any,
    *names: Any,
    x: str | None = None,
    to: Any = None,
    others: Any = (),
    labels: Any = None,
    ax: Any = None,
    size: tuple[float, float] | None = None,
    dpi: int = 200,
    file: Any = None,
) -> Any:
    """Plot named series; returns the matplotlib figure.

    Series of one unit share a panel, and of a vector all components are drawn.  Without `names` a few telling ones are
    taken: motion of the joints (of the bodies where there are none), forces of elements and drivers, energies.
    "energy" is the whole ledger: what there is, what came in and went out, and below what does not balance.

    | option | meaning |
    |---|---|
    | `x` | a name that series are drawn over instead of time: "A.angle.rate" over `x="A.angle"` is a phase plot, |
    | | "coupler.tracer.y" over `x="coupler.tracer.x"` a coupler curve; of `kinematics(over=...)` it is what was moved |
    | | unless `x="t"` is said |
    | `to` | units instead of those of SI, "deg" or ["deg", "mm"]: each for all series of its kind, x too |
    | `others` | further runs, drawn over this one in other colours |
    | `labels` | names of the runs for the legend, this one first |
    | `ax` | matplotlib axes to draw into, one for each panel |
    | `size`, `dpi` | size of the figure, (width, height) in inches, and dots an inch |
    | `file` | where the picture is written (png, svg, pdf, ...); then nothing is left open |
    """
    runs, called = _runs(run, others, labels, "plot")
    units = _Units(to)
    x = _moved(run) if x is None else x
    panels: dict[Any, Panel] = {}
    for group, name in _expanded(run, names):
        for k, own in enumerate(runs):
            one = own if name.startswith("energy.") else _with_borders(own)
            y, unit = units.read(one, name)  # unknown names stop here, before anything is drawn
            over, over_unit = units.read(one, _scalar(one, x, "x"))
            xlabel = "time [s]" if (x, over_unit) == ("t", "s") else f"{_label(x)} [{unit_text(over_unit)}]"
            ylabel = f"{group} [{unit_text(unit)}]" if group else axis_label(unit, one.unit(name))
            panel = panels.setdefault((group, unit), Panel(ylabel, xlabel))
            panel.equal = unit == over_unit and one.unit(name) == "m"
            panel.timed, panel.zero = x in ("t", "time"), group == "balance"
            if panel.timed and k == 0 and len(own.segments) <= MOST_BORDERS:
                panel.borders = tuple(part.begins for part in own.segments[1:] if not part.goes_on)
            if name in (f"energy.{each}" for each in ALWAYS):
                panel.play = max(panel.play, *(np.abs(units.read(one, f"energy.{each}")[0]).max() for each in ALWAYS))
            count = len({line.label for line in panel.lines})
            said = name.removeprefix("energy.") if group else name
            panel.lines.append(_line(over, y, said, count, k, called))
    units.check("plot")
    return _shown(list(panels.values()), ax, size, dpi, file)


@explained
def plot_path(
    run: Any,
    *names: Any,
    plane: str = "xy",
    to: Any = None,
    others: Any = (),
    labels: Any = None,
    ax: Any = None,
    size: tuple[float, float] | None = None,
    dpi: int = 200,
    file: Any = None,
) -> Any:
    """Plot the paths of vectors, with equal scales: "coupler.tracer" is a coupler curve, "B.reaction" or
    "coupler.tracer.rate" a hodograph; a dot is where it begins.  Returns the matplotlib figure.

    In space `plane` says which two axes are looked at, "xy", "xz" or "zy".  The other options are those of `plot`;
    vectors of one unit share a panel.
    """
    if not names:
        raise DescriptionError(message("plot_path", "is given no vector", wanted='a name such as "coupler.tracer"'))
    runs, called = _runs(run, others, labels, "plot_path")
    units = _Units(to)
    panels: dict[str, Panel] = {}
    for name in _listed(names):
        for k, one in enumerate(runs):
            ends = _plane(one, name, plane)
            across, unit = units.read(one, ends[0])
            along, _ = units.read(one, ends[1])
            said = [f"{measured(one.unit(ends[0]))} {axis} [{unit_text(unit)}]" for axis in plane]
            panel = panels.setdefault(unit, Panel(said[1], said[0], equal=True))
            count = len({line.label for line in panel.lines})
            panel.lines.append(_line(across, along, name, count, k, called))
    units.check("plot_path")
    size = (5.2 * len(panels), 4.6) if size is None else size
    return _shown(list(panels.values()), ax, size, dpi, file, paths=True)


@explained
def plot_comparison(
    comparison: Any, *names: Any, size: tuple[float, float] | None = None, dpi: int = 200, file: Any = None
) -> Any:
    """Plot two runs over each other, and their difference beside it, one row a series; returns the matplotlib figure.

    Without `names`, those that are farthest apart are taken.  With `file` the picture is written there.
    """
    check_size(size, "plot")
    listed = _listed(names) or [row.name for row in comparison.rows[:MOST_COMPARED]]
    t, one, other = comparison.t, comparison.run, comparison.other
    _, called = _runs(one, other, None, "plot")
    with style():
        figure = new_figure(size or (WIDTH + 1.6, PANEL_HEIGHT * len(listed) + 0.6), file)
        axes = figure.subplots(len(listed), 2, sharex=True, squeeze=False)
        for (left, right), name in zip(axes, listed, strict=True):
            apart, unit = comparison[name], one.unit(name)
            both = Panel(f"{_label(name)} [{unit_text(unit)}]", "time [s]", timed=True)
            for k, own in enumerate((one, other)):
                both.lines.append(Line(own.t, own[name], _label(called[k]), COLOURS[k], DASHES[k]))
            gap = Panel(f"difference [{unit_text(unit)}]", "time [s]", timed=True, zero=True)
            gap.lines.append(Line(t, apart, _label(f"{called[1]} less {called[0]}"), INK, "-"))
            for ax, panel in ((left, both), (right, gap)):
                _draw_panel(ax, panel, False)
        for ax in axes[-1]:
            ax.set_xlabel("time [s]")
        figure.set_layout_engine("constrained", h_pad=0.06, w_pad=0.06)
        if file is not None:
            write(figure, file, dpi)
    return figure


# -- what is asked for -------------------------------------------------------------------------------------------------


def _moved(run) -> str:
    """The quantity that `kinematics(over=...)` moved, the first of several; "t" where time moves it."""
    name = run.manifest.get("moved")
    return name if isinstance(name, str) and name in run else "t"


def _runs(run, others, labels, item: str) -> tuple[list, list[str]]:
    """All runs, and what each is called in the legend; one alone needs no name."""
    runs = [run, *(others if isinstance(others, (list, tuple)) else [others])]
    for one in runs:
        if not isinstance(one, Result):
            raise DescriptionError(
                message(
                    item,
                    "needs a result to read series from",
                    type(one).__name__,
                    "what simulate returns",
                    f"{item}(m.simulate(...), 'A.angle')",
                )
            )
    if labels is not None and (isinstance(labels, str) or len(labels) != len(runs)):
        raise DescriptionError(message(item, "has labels that do not fit its runs", repr(labels), f"{len(runs)} words"))
    if labels is not None:
        return runs, [str(one) for one in labels]
    names = [one.mechanism.name for one in runs]
    if len(set(names)) < len(names):  # the same mechanism with other numbers
        names = [f"run {k}" for k in range(1, len(runs) + 1)]
    return runs, names if len(runs) > 1 else [""]


def _with_borders(run) -> Any:
    """A run with both states at every event, so that jumps are shown as such: its times are not unique."""
    if len(run.segments) == 1 or any(one.goes_on for one in run.segments):  # states on disk stay there
        return run
    known = run.__dict__.get("_bordered")
    if known is None:
        known = run.__dict__["_bordered"] = Result([replace(one, outputs=slice(None)) for one in run.segments])
    return known


def _listed(names) -> list:
    """Names in a flat list, each once."""
    found = [one for name in names for one in (name if isinstance(name, (list, tuple)) else [name])]
    return list({one if isinstance(one, str) else repr(one): one for one in found}.values())


def _expanded(run, names) -> list[tuple[str, str]]:
    """(group, name) of scalars: vectors as their components, "energy" as the ledger."""
    found = []
    for name in _listed(names) or chosen(run):
        if name == "energy":
            kept = [one for one in LEDGER if one in ALWAYS or np.any(getattr(run.energy, one))]
            found += [("energy", f"energy.{one}") for one in kept] + [("balance", "energy.balance")]
        elif isinstance(name, str) and name in run:
            found += [("", one) for one in run.scalars([name])]
        else:
            run[name]  # raises, with the nearest names
    return found


def _scalar(run, name: Any, what: str) -> str:
    if isinstance(name, str) and np.ndim(run[name]) == 2:
        raise DescriptionError(
            message(
                "plot", f"`{what}` is a vector", repr(name), "one number", f"give {' or '.join(run.scalars([name]))}"
            )
        )
    return name


def _plane(run, name: Any, plane: str) -> tuple[str, str]:
    """Names of the two components that are looked at."""
    axes = "xyz"[: run.mechanism.dimension]
    if not isinstance(plane, str) or len(plane) != 2 or plane[0] == plane[1] or not set(plane) <= set(axes):
        raise DescriptionError(message("plot_path", "cannot use its plane", repr(plane), f"two of {', '.join(axes)}"))
    parts = run.scalars([name]) if isinstance(name, str) else []
    if len(parts) != len(axes):
        run[name]  # an unknown name is told as such
        known = [one[:-2] for one in run.names if one.endswith(".x")]
        raise UnknownNameError("vector", str(name), known, f"in mechanism '{run.mechanism.name}'")
    return parts[axes.index(plane[0])], parts[axes.index(plane[1])]


class _Units:
    """Units to draw in: each text is for all series of its kind."""

    def __init__(self, to: Any):
        given = [] if to is None else list(to.values()) if isinstance(to, Mapping) else to
        self.given = list(given) if isinstance(given, (list, tuple)) else [given]
        self.named = dict(to) if isinstance(to, Mapping) else {}
        self.used: set = set()
        self.read_ones: list[str] = []

    def read(self, run, name: str) -> tuple[np.ndarray, str]:
        """A series and the unit that it is in."""
        self.read_ones.append(name)
        if name in self.named:
            self.used.add(self.named[name])
            return run.read(name, to=self.named[name]), self.named[name]
        for unit in self.given if not self.named else ():
            try:
                series = run.read(name, to=unit)
            except UnitError:
                continue
            self.used.add(unit)
            return series, unit
        return run[name], run.unit(name)

    def check(self, item: str) -> None:
        """A name that is not plotted is a mistake, and so is a unit that fits nothing."""
        for name in self.named:
            if name not in self.read_ones:
                raise UnknownNameError("series", str(name), self.read_ones, "of those that are plotted, wanted by to=")
        for unit in self.given:
            if unit not in self.used:
                raise UnitError(
                    message(
                        item,
                        "cannot use its unit for any of its series",
                        repr(unit),
                        f"a unit of {', '.join(dict.fromkeys(self.read_ones))}",
                    )
                )


def chosen(result) -> list[str]:
    """A few names that tell most about a result."""
    mechanism, known = result.mechanism, set(result.names)

    def of(items, *keys):
        return [name for item in items for key in keys if (name := f"{item}.{key}") in known][:MOST_CHOSEN]

    free = result.freedoms()
    with warnings_are("told already", SingularOrientationWarning):  # Cardan angles may meet one
        moving = islice((name for name in free if _moves(result, name)), MOST_CHOSEN)
        motion = list(moving) or free[:MOST_CHOSEN]
    forces = of(mechanism.drivers, "effort") + of(mechanism.forces, "tension", "force", "torque")
    doubled = {f"{name.rpartition('.')[0]}.force" for name in forces if name.endswith(".tension")}
    forces = [name for name in forces if name not in doubled][:MOST_CHOSEN]
    return [*motion, *forces, "energy.kinetic", "energy.potential", "energy.total"]


def _moves(result, name: str) -> bool:
    """Whether a position changes by more than rounding, which would fill a plot of its own with noise."""
    scale = result.model.length if result.unit(name) == "m" else 1.0
    return float(np.ptp(result[name])) > STILL * scale


def _label(name: str) -> str:
    """A name as it is drawn: no formula between dollars, and not hidden, as labels are that begin with a line."""
    text = name.replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text


# -- drawing -----------------------------------------------------------------------------------------------------------


def _line(x, y, name: str, count: int, k: int, called: list[str]) -> Line:
    """The line of a name in the k-th run: names differ in dash, and runs in colour where there are several."""
    if len(called) == 1:
        return Line(x, y, _label(name), COLOURS[count % len(COLOURS)], DASHES[count % len(DASHES)])
    return Line(
        x, y, _label(f"{name}, {called[k]}"), COLOURS[k % len(COLOURS)], DASHES[count // len(called) % len(DASHES)]
    )


def _shown(panels: list[Panel], ax, size, dpi, file, paths: bool = False):
    check_size(size, "plot")
    with style():
        if ax is None:
            figure = new_figure(size or (WIDTH, PANEL_HEIGHT * len(panels) + 0.6), file)
            across = len(panels) if paths else 1
            shared = not paths and not any(panel.equal for panel in panels)
            axes = figure.subplots(len(panels) // across, across, sharex=shared, squeeze=False).ravel()
            figure.set_layout_engine("constrained", h_pad=0.06, w_pad=0.06)
        else:
            axes = np.ravel(ax)
            if len(axes) != len(panels):
                said = f"{len(panels)} axes: {', '.join(panel.ylabel for panel in panels)}"
                raise DescriptionError(message("plot", "has another number of panels than axes", len(axes), said))
            figure = axes[0].figure
        for one, panel in zip(axes, panels, strict=True):
            _draw_panel(one, panel, paths)
            if paths or one is axes[-1] or ax is not None:
                one.set_xlabel(panel.xlabel)
        if ax is None and not paths:
            figure.align_ylabels(axes)
        if file is not None:
            write(figure, file, dpi)
    return figure


def _keep_noise_flat(axes, panel: Panel) -> None:
    """Show what is constant but for rounding as a level line, not as noise beside a long number."""
    data = np.concatenate([line.y for line in panel.lines])
    low, high, size = data.min(initial=np.inf), data.max(initial=-np.inf), np.abs(data).max(initial=0.0)
    noise = max(ROUNDING * size, NEGLIGIBLE * panel.play)
    if 0.0 <= high - low <= noise and not panel.zero:
        reach = 0.1 * max(size, panel.play) or 1.0
        axes.set_ylim(0.5 * (low + high) - reach, 0.5 * (low + high) + reach)


def _draw_panel(axes, panel: Panel, paths: bool) -> None:
    for line in panel.lines:
        alone = "o" if len(line.x) == 1 else None
        axes.plot(line.x, line.y, color=line.color, linestyle=line.dash, linewidth=1.4, marker=alone, label=line.label)
        if paths:
            axes.plot(line.x[:1], line.y[:1], marker="o", markersize=4, color=line.color, label="_start")
    for border in panel.borders:
        axes.axvline(border, color="#8a949b", linewidth=0.8, linestyle=":", label="_event")
    axes.set_ylabel(panel.ylabel)
    finish(axes)
    axes.ticklabel_format(axis="y", useOffset=False)
    axes.margins(x=0.0 if panel.timed else 0.04, y=0.08)
    power = axes.yaxis.get_offset_text()  # of ten: at the right, where the legend does not reach
    power.set_position((1.0, 0.0))
    power.set_horizontalalignment("right")
    if panel.equal:
        axes.set_aspect("equal", adjustable="datalim")
    _keep_noise_flat(axes, panel)
    if panel.zero:
        axes.axhline(0.0, color=INK, linewidth=0.5, label="_zero")
    # above the panel, so that it never lies on the lines
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(-0.01, 0.99),
        ncols=2 if paths else 4,
        frameon=False,
        handlelength=2.2,
        columnspacing=1.6,
        borderaxespad=0.0,
        fontsize=10.5,
    )
