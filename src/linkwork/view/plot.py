"""Named series over time, one panel a unit."""

from __future__ import annotations

from linkwork.arguments import explained
from linkwork.errors import DescriptionError, message
from linkwork.result.result import Result
from linkwork.view.canvas import COLOURS, DASHES, new_figure, style, write

#: what a unit usually measures, for the axis
QUANTITIES = {
    "m": "length",
    "m/s": "speed",
    "m/s^2": "acceleration",
    "rad": "angle",
    "rad/s": "angular speed",
    "rad/s^2": "angular acceleration",
    "N": "force",
    "N m": "moment",
    "W": "power",
    "J": "energy",
    "s": "time",
    "kg m/s": "momentum",
    "kg m^2/s": "angular momentum",
}
PANEL_HEIGHT, WIDTH = 2.3, 7.2
MOST_CHOSEN = 4  # series of one kind when no names are given


@explained
def plot(result, *names, file=None):
    """Plot named series over time; returns the matplotlib figure.

    Series of one unit share a panel.  Without names a few telling ones are taken: motion of the joints (of
    the bodies where there are none), forces of elements and drivers, energies.  With `file` the picture is
    written there (kind by its ending: png, svg, pdf, ...) and nothing is left open.
    """
    if not isinstance(result, Result):
        raise DescriptionError(
            message(
                "plot",
                "needs a result to read series from",
                type(result).__name__,
                "what simulate returns",
                "plot(m.simulate(...), 'A.angle')",
            )
        )
    listed = [one for name in names for one in (name if isinstance(name, (list, tuple)) else [name])]
    names = list({one if isinstance(one, str) else repr(one): one for one in listed}.values()) or chosen(result)
    panels: dict[str, list] = {}
    for name in names:
        series = result[name]  # unknown names stop here, before anything is drawn
        panels.setdefault(result.unit(name), []).append((name, series))
    with style():
        figure = new_figure((WIDTH, PANEL_HEIGHT * len(panels) + 0.6), file)
        axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
        for one, (unit, lines) in zip(axes, panels.items(), strict=True):
            _panel(one, result.t, unit, lines)
        axes[-1].set_xlabel("time [s]")
        if len(result.t) > 1:
            axes[-1].set_xlim(result.t[0], result.t[-1])
        figure.align_ylabels(axes)
        figure.set_layout_engine("constrained", h_pad=0.06, w_pad=0.06)
        if file is not None:
            write(figure, file)
    return figure


def chosen(result) -> list[str]:
    """A few names that tell most about a result."""
    mechanism, known = result.mechanism, set(result.names)

    def of(items, *keys):
        return [name for item in items for key in keys if (name := f"{item}.{key}") in known][:MOST_CHOSEN]

    motion = of(mechanism.joints, "angle", "slide") or of(mechanism.bodies, "x", "y", "angle")
    forces = of(mechanism.drivers, "effort") + of(mechanism.forces, "tension", "force", "torque")
    doubled = {f"{name.rpartition('.')[0]}.force" for name in forces if name.endswith(".tension")}
    forces = [name for name in forces if name not in doubled][:MOST_CHOSEN]
    return [*motion, *forces, "energy.kinetic", "energy.potential", "energy.total"]


def unit_text(unit: str) -> str:
    """A unit as it is printed: powers raised, factors with a dot between."""
    return unit.replace("^2", "²").replace("^3", "³").replace(" ", "·")


def axis_label(unit: str) -> str:
    """What an axis shows, with its unit in brackets."""
    if unit in ("", "1"):
        return "value" if not unit else "value [–]"
    return f"{QUANTITIES.get(unit, 'value')} [{unit_text(unit)}]"


def _label(name: str) -> str:
    """A name as it is drawn: no formula between dollars, and not hidden, as labels are that begin with a line."""
    text = name.replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text


def _panel(axes, t, unit, lines) -> None:
    for k, (name, series) in enumerate(lines):
        axes.plot(
            t,
            series,
            color=COLOURS[k % len(COLOURS)],
            linestyle=DASHES[k % len(DASHES)],
            linewidth=1.4,
            marker="o" if len(t) == 1 else None,
            label=_label(name),
        )
    axes.set_ylabel(axis_label(unit))
    axes.grid(True, color="#e3e7ea", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(length=3, width=0.6)
    axes.margins(x=0.0, y=0.08)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    # above the panel, so that it never lies on the lines
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(-0.01, 0.99),
        ncols=4,
        frameon=False,
        handlelength=2.2,
        columnspacing=1.6,
        borderaxespad=0.0,
        fontsize=10.5,
    )
