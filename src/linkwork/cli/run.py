"""Run the analysis of a model file: what the file says, with the options here in place of its own.

A file without an analysis is simulated for --duration.  What the book's program DAP_BC asks in its dialogue is answered
by FILE (the model), --no-correction (are the initial conditions to be corrected?), --duration (final time) and --every
(reporting step).
"""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from linkwork.cli import assemble, check, equilibrium, evaluate, model, motion
from linkwork.errors import AnalysisError, AssemblyError, DescriptionError, command, message

HELP = "simulate a model file, write results and pictures"
MOST_SHOWN = 4  # corrected initial conditions, without -v
ENDINGS = (".nc", ".csv", ".json", ".parquet")


def arguments(parser) -> None:
    """Declare the options."""
    model.add_file(parser)
    parser.add_argument("--duration", metavar="TIME", type=model.number("s"), help='how long, "10" or "250 ms"')
    parser.add_argument("--every", metavar="TIME", type=model.number("s"), help="time between outputs")
    model.add_start(parser)
    parser.add_argument(
        "--no-correction", action="store_true", help="start from the declared positions and velocities as they are"
    )
    parser.add_argument(
        "--method", metavar="NAME", help="dop853 (the usual one), dopri5, rkc (strong damping) or rk4 (with --step)"
    )
    parser.add_argument("--rtol", metavar="NUMBER", type=model.number("1"), help="error allowed in a step (1e-8)")
    parser.add_argument("--atol", metavar="NUMBER", type=model.number("1"), help="the same, absolute")
    parser.add_argument("--step", metavar="TIME", type=model.number("s"), help="step of rk4; first step of the others")
    parser.add_argument(
        "--most-steps",
        metavar="NUMBER",
        type=model.number("1"),
        help="stop after so many steps; what was reached is shown and written",
    )
    parser.add_argument("--most-seconds", metavar="TIME", type=model.number("s"), help="stop after computing so long")
    parser.add_argument("--coordinates", metavar="NAME", help="coordinates: auto (the faster ones), body or joint")
    parser.add_argument(
        "--output",
        "-o",
        action="append",
        default=[],
        metavar="FILE",
        type=Path,
        help="write the results: .nc, .csv, .json or .parquet (may be repeated)",
    )
    parser.add_argument("--no-output", action="store_true", help=argparse.SUPPRESS)  # what happens anyway
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


def run(options, out) -> int:
    """Do it."""
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
    mechanism, analysis = model.open_model(options)
    kind = analysis.pop("type", "simulate")
    if kind != "simulate" and options.duration is None:
        return _other(kind, options, out)
    if options.page is not None:
        motion.check_ending(options.page, motion.PAGES)
    pictures = [one for one in (options.plot, options.draw, options.page) if one is not None]
    model.check_writable(*options.output, *pictures)
    given = _simulate_options(options, analysis if kind == "simulate" else {}, mechanism)
    times = given.pop("times")
    if out.verbose and not options.no_correction:
        start = {key: given[key] for key in ("start", "near") if key in given}
        t = float(times[0]) if hasattr(times, "__len__") else 0.0
        assembly = mechanism.assemble(**start, t=t)
        out.detail(assembly)
        assemble.show(out, assemble.corrected(mechanism, assembly.state))
        out.detail("")
    try:
        result = mechanism.simulate(times, **given)
    except (AnalysisError, KeyboardInterrupt) as error:
        reached = getattr(error, "result", None)
        if reached is not None and len(reached.t):
            out.say(f"The run stopped at t = {reached.t[-1]:g} s; what was reached:")
            _report(options, out, reached, False)
        raise
    _report(options, out, result, True)
    return 0


def _other(kind: str, options, out) -> int:
    """A file may ask for another analysis than a motion."""
    command = {"assemble": assemble, "check": check, "evaluate": evaluate, "equilibrium": equilibrium}.get(kind)
    if command is None:
        raise DescriptionError(
            message(
                f"{options.file}:",
                "asks for an analysis that is not known here",
                repr(kind),
                "simulate, assemble, check, evaluate or equilibrium",
            )
        )
    for name, value in (("strict", False), ("state", []), ("assemble", False)):
        if not hasattr(options, name):
            setattr(options, name, value)
    return command.run(options, out)


def _simulate_options(options, analysis: dict[str, Any], mechanism) -> dict[str, Any]:
    given = motion.simulate_options(options, options.file, analysis)
    if options.no_correction:
        times = given["times"]
        begin = times[0] if hasattr(times, "__len__") else 0.0
        given.pop("near", None)
        given["start"] = _as_declared(mechanism, given.pop("start", {}), given.pop("t", begin))
    return given


def _as_declared(mechanism, values, t: float):
    """The declared state, if it meets the constraints: no run can start from one that does not."""
    evaluation = mechanism.evaluate(values, t=t)
    if evaluation.violated:
        raise AssemblyError(
            message(
                f"Mechanism '{mechanism.name}'",
                f"has a declared state that violates {evaluation.violated}",
                remedy="leave out --no-correction",
            )
        )
    return evaluation.state


def _report(options, out, result, complete: bool) -> None:
    """Print the table, write the files, say where."""
    files = [file for path in options.output for file in result.save(path)]  # first: what follows may be refused
    names = result.scalars(options.show) if options.show else _usual(result)
    corrected = assemble.changed(result)
    if corrected and not out.verbose:
        parts = [f"{name} {given:.6g} -> {start:.6g}" for name, given, start in corrected]
        more = f" and {len(parts) - MOST_SHOWN} more (-v shows all)" if len(parts) > MOST_SHOWN else ""
        out.say(f"initial conditions were corrected: {', '.join(parts[:MOST_SHOWN])}{more}")
    out.say(result)
    if options.show:
        out.table(
            ("", "unit", "first", "last", "least", "greatest"),
            [(name, result.unit(name), *_ends(result[name])) for name in names],
        )
    if options.plot is not None:
        result.plot(*names, file=options.plot)
        files.append(options.plot)
    if options.draw is not None:
        result.draw(float(result.t[0]), file=options.draw)
        files.append(options.draw)
    if options.page is not None:
        result.page(options.page, plots=options.show)
        files.append(options.page)
    for path in files:
        out.say(f"written to {path}")
    if not options.output:
        told = command("linkwork", "run", options.file, "--output", f"{motion.stem(options.file)}.nc")
        out.say(f"the results were not written; {told} (or .csv, .json, .parquet) does so")
    if out.json and complete:
        import linkwork as lw

        energy = result.energy
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
                "energy": {
                    key: float(getattr(energy, key)[-1])
                    for key in ("kinetic", "potential", "total", "dissipated", "supplied")
                },
                "energy_balance": float(abs(energy.balance).max()),
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


def _usual(result) -> list[str]:
    """What people look at first: values of joints, drivers and springs, else places of bodies; and the energy."""
    words = ("angle", "slide", "length", "tension", "effort", "torque")
    items = {*result.mechanism.joints, *result.mechanism.forces, *result.mechanism.drivers}
    names = [
        name
        for name in result.names
        if name.count(".") == 1 and name.split(".")[0] in items and name.split(".")[1] in words
    ][:6]
    names = names or [name for name in result.names if name.split(".")[0] in result.mechanism.bodies][:6]
    return [*names, "energy.total"]


def _ends(series) -> tuple[float, float, float, float]:
    return float(series[0]), float(series[-1]), float(series.min()), float(series.max())
