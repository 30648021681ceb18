"""What commands that give a result share: where it goes, what is shown of it, and how it is told."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from linkwork.cli import assemble, model, motion
from linkwork.cli.words import going_on
from linkwork.errors import DescriptionError, command, message

MOST_SHOWN = 4  # corrected initial conditions, without -v
ENDINGS = (".nc", ".csv", ".json", ".parquet")
ENERGIES = ("kinetic", "potential", "total", "dissipated", "supplied")


def add_report(parser) -> None:
    """Files to write, series to show."""
    parser.add_argument(
        "--output",
        "-o",
        action="append",
        default=[],
        metavar="FILE",
        type=Path,
        help="write the results: .nc, .csv, .json or .parquet (may be repeated)",
    )
    parser.add_argument("--plot", metavar="FILE", type=Path, help="plot the series of --show, or the usual ones")
    parser.add_argument("--draw", metavar="FILE", type=Path, help="draw the mechanism as it starts")
    parser.add_argument("--page", metavar="FILE", type=Path, help="write a page that plays, .html")
    parser.add_argument(
        "--show",
        action="append",
        default=[],
        metavar="NAME",
        help='a series for the table and the plot, "D.angle" (may be repeated)',
    )
    model.add_json(parser)


def check_endings(options) -> None:
    """Raise where a result would go to a file of no format, before the model is read."""
    for path in options.output:
        if path.suffix.lower() not in ENDINGS:
            raise DescriptionError(
                message(
                    f"--output {path}:",
                    "has an ending that is no format of results",
                    repr(path.suffix),
                    ", ".join(ENDINGS),
                )
            )


def check_writable(options) -> None:
    """Raise unless all that was asked for can be written, before the work is done."""
    if options.page is not None:
        motion.check_ending(options.page, motion.PAGES)
    for picture in (options.plot, options.draw):
        if picture is not None:
            motion.check_ending(picture, motion.PICTURES)
    pictures = [one for one in (options.plot, options.draw, options.page) if one is not None]
    model.check_writable(*options.output, *pictures)


def check_names(options, mechanism) -> None:
    """Raise where a series is asked for that there will not be, before the work is done."""
    if options.show:
        known = without_motion(mechanism)
        for name in options.show:
            known.describe(name)


def without_motion(mechanism) -> Any:
    """A result of one state, which knows all names."""
    import linkwork as lw

    model = mechanism.compile()
    return lw.Result.of_motion(mechanism, [0.0], [[0.0] * (model.n_y + model.n_memory)])


def report(options, out, result, complete: bool, x: str = "t") -> None:
    """Print the table, write the files, say where; series are plotted over `x`."""
    files = [file for path in options.output for file in result.save(path)]  # first: what follows may be refused
    names = result.scalars(options.show) if options.show else _usual(result)
    corrected = assemble.changed(result)
    if corrected and not out.verbose:
        parts = [f"{name} {given:.6g} -> {start:.6g}" for name, given, start in corrected]
        more = f" and {len(parts) - MOST_SHOWN} more (-v shows all)" if len(parts) > MOST_SHOWN else ""
        out.say(f"initial conditions were corrected: {', '.join(parts[:MOST_SHOWN])}{more}")
    folder = options.file if options.command == "resume" else getattr(options, "store", None)
    out.say(going_on(str(result), folder))
    if options.show:
        out.table(
            ("", "unit", "first", "last", "least", "greatest"),
            [(name, result.unit(name), *_ends(result[name])) for name in names],
        )
    if options.plot is not None:
        result.plot(*(name for name in names if name != x), x=x, file=options.plot)
        files.append(options.plot)
    if options.draw is not None:
        result.draw(float(result.t[0]), file=options.draw)
        files.append(options.draw)
    if options.page is not None:
        result.page(options.page, plots=options.show)
        files.append(options.page)
    for path in files:
        out.say(f"written to {path}")
    if not options.output and not getattr(options, "store", None) and options.command != "resume":
        told = command("linkwork", options.command, options.file, "--output", f"{motion.stem(options.file)}.nc")
        out.say(f"the results were not written; {told} (or .csv, .json, .parquet) does so")
    if out.json and complete:
        import linkwork as lw

        out.data(
            {
                "ok": True,
                "mechanism": result.mechanism.name,
                "version": lw.__version__,
                "digest": lw.digest(result.mechanism),
                "options": result.manifest,
                "statistics": asdict(result.statistics),
                "t": [float(result.t[0]), float(result.t[-1])],
                "times": len(result.t),
                "violation": float(result.violation.max()),
                "corrected": {name: {"given": given, "start": start} for name, given, start in corrected},
                **_energies(result),
                "series": {
                    name: {
                        "unit": result.unit(name),
                        **dict(zip(("first", "last", "least", "greatest"), _ends(result[name]))),
                    }
                    for name in names
                },
                "files": [str(path) for path in files],
            }
        )


def _energies(result) -> dict:
    """The ledger at the last time, where work was integrated with the motion."""
    if any("work" not in one.needs for one in result.segments):
        return {}
    energy = result.energy
    return {
        "energy": {key: float(getattr(energy, key)[-1]) for key in ENERGIES},
        "energy_balance": float(abs(energy.balance).max()),
    }


def _usual(result) -> list[str]:
    """What people look at first: values of joints, drivers and springs, else places of bodies; and the energy."""
    words = ("angle", "slide", "length", "tension", "effort", "torque")
    items = {*result.mechanism.forces, *result.mechanism.drivers}
    loads = [f"{item}.{word}" for item in items for word in words]
    names = [*result.freedoms(), *(name for name in result.names if name in loads)][:6]
    return [*names, "energy.total"] if "energy.total" in result.names else names


def _ends(series) -> tuple[float, float, float, float]:
    return float(series[0]), float(series[-1]), float(series.min()), float(series.max())
