"""Assemble a mechanism and say what it is: freedom, loops, unconnected bodies, redundant constraints."""

from __future__ import annotations

from linkwork.cli import model

HELP = "freedom, loops, redundant constraints of a model file"


def arguments(parser) -> None:
    """Declare the options."""
    model.add_file(parser)
    model.add_start(parser)
    model.add_weights(parser)
    model.add_set_of_coordinates(parser)
    parser.add_argument(
        "--strict",
        action="store_true",
        help="answer no (status 1) if constraints are redundant or a body is not connected",
    )
    model.add_json(parser)


def run(options, out) -> int:
    """Do it."""
    mechanism, analysis = model.open_model(options)
    report = mechanism.check(**model.assembly_options(options, analysis))
    out.data({"ok": True, **vars(report)})
    out.say(report)
    return 1 if options.strict and (report.redundant or report.unconnected or report.singular) else 0
