"""Run the analysis of a model file: what the file says, with the options here in place of its own.

A file without an analysis is simulated for --duration.  What the program DAP_BC
of Nikravesh's Planar Multibody Dynamics (2nd ed.) asks in its dialogue is answered by FILE (the model), --no-correction
(are the initial conditions to be corrected?), --duration (final time) and --every (reporting step).
"""

from __future__ import annotations

import argparse
import importlib
from typing import Any

from linkwork.cli import COMMANDS, assemble, model, motion, report
from linkwork.errors import AnalysisError, AssemblyError, DescriptionError, command, message

HELP = "simulate a model file, write results and pictures"


def arguments(parser) -> None:
    """Declare the options."""
    model.add_file(parser)
    model.add_times(parser)
    model.add_start(parser)
    parser.add_argument(
        "--no-correction", action="store_true", help="start from the declared positions and velocities as they are"
    )
    model.add_method(parser)
    model.add_precision(parser, absolute=True)
    parser.add_argument("--step", metavar="TIME", type=model.number("s"), help="step of rk4; first step of the others")
    parser.add_argument(
        "--constraints",
        metavar="NAME",
        help="how they are held: projection (the usual way); to compare: baumgarte or none",
    )
    parser.add_argument("--alpha", metavar="RATE", type=model.number("1/s"), help="constant of baumgarte")
    parser.add_argument("--beta", metavar="RATE", type=model.number("1/s"), help="the other one (as --alpha)")
    parser.add_argument(
        "--most-steps",
        metavar="NUMBER",
        type=model.number("1"),
        help="stop after so many steps; what was reached is shown and written",
    )
    parser.add_argument("--most-seconds", metavar="TIME", type=model.number("s"), help="stop after computing so long")
    parser.add_argument(
        "--until", metavar="WHAT", type=model.until, help='end early: at an event, at "A.angle=90 deg", or at "rest"'
    )
    parser.add_argument(
        "--store",
        metavar="FOLDER",
        help="write outputs there while it runs, with flat memory; linkwork resume FOLDER goes on after a power cut",
    )
    parser.add_argument(
        "--checkpoint", metavar="TIME", type=model.number("s"), help="with --store: write at least that often (60 s)"
    )
    parser.add_argument("--no-output", action="store_true", help=argparse.SUPPRESS)  # what happens anyway
    report.add_report(parser)


def run(options, out) -> int:
    """Do it."""
    mechanism, analysis = model.open_model(options)
    kind = analysis.pop("type", "simulate")
    if kind != "simulate" and options.duration is None:
        return _other(kind, options, out)
    report.check_endings(options)
    report.check_writable(options)
    report.check_names(options, mechanism)
    given = _simulate_options(options, analysis if kind == "simulate" else {}, mechanism)
    times = given.pop("times")
    given |= {key: value for key in ("store", "checkpoint") if (value := getattr(options, key)) is not None}
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
            if options.store:
                out.say(f"{command('linkwork', 'resume', options.store)} goes on with it")
            report.report(options, out, reached, False)
        raise
    report.report(options, out, result, True)
    return 0


def _other(kind: str, options, out) -> int:
    """A file may ask for another analysis than a motion: its command, with the options that were given here."""
    if kind.replace("_", "-") not in COMMANDS:
        known = "one that is a command: linkwork --help lists them"
        raise DescriptionError(
            message(f"{options.file}:", "asks for an analysis that is not known here", repr(kind), known)
        )
    command = importlib.import_module(f"linkwork.cli.{kind}")
    parser = argparse.ArgumentParser()
    command.arguments(parser)
    usual, _ = parser.parse_known_args([options.file])
    if options.output and not hasattr(usual, "output"):
        remedy = "leave out --output; --json prints the numbers"
        raise DescriptionError(message(f"{options.file}:", f"asks for {kind}, which writes no file", remedy=remedy))
    for name, value in vars(usual).items():
        if not hasattr(options, name):
            setattr(options, name, value)
    return command.run(options, out)


def _simulate_options(options, analysis: dict[str, Any], mechanism) -> dict[str, Any]:
    given = motion.simulate_options(options, options.file, analysis)
    if not given.pop("correct", True):
        options.no_correction = True
    if options.no_correction:
        times = given["times"]
        begin = times[0] if hasattr(times, "__len__") else 0.0
        given.pop("near", None)
        any_state = given.get("constraints", "projection") != "projection"
        given["start"] = _as_declared(mechanism, given.pop("start", {}), given.pop("t", begin), any_state)
        if any_state:
            given["correct"] = False
    return given


def _as_declared(mechanism, values, t: float, any_state: bool):
    """The declared state; it must meet the constraints, unless a run may start from any."""
    evaluation = mechanism.evaluate(values, t=t)
    if evaluation.violated and not any_state:
        raise AssemblyError(
            message(
                f"Mechanism '{mechanism.name}'",
                f"has a declared state that violates {evaluation.violated}",
                remedy="leave out --no-correction; with --constraints baumgarte or none it is run as it is",
            )
        )
    return evaluation.state
