"""The linear motion around rest: x' = A x + B u, y = C x + D u, every row and column by name."""

from __future__ import annotations

from linkwork.cli import model

HELP = "linear motion of a model file around rest, as named matrices"


def arguments(parser) -> None:
    """Declare the options."""
    model.add_file(parser)
    model.add_linear(parser)
    parser.add_argument(
        "--state",
        action="append",
        default=[],
        metavar="NAME",
        help='an independent position for x, "A.angle" (may be repeated)',
    )
    model.add_start(parser)
    model.add_json(parser)


def run(options, out) -> int:
    """Do it."""
    mechanism, analysis = model.open_model(options)
    given = model.rest_options(options, analysis) | model.linear_options(options, analysis)
    states = options.state or analysis.get("states")
    found = mechanism.linearize(states=states or None, **given)
    out.data(
        {
            "ok": True,
            "mechanism": mechanism.name,
            "t": found.state.t,
            "states": found.states,
            "inputs": found.inputs,
            "outputs": found.outputs,
            **{key: getattr(found, key) for key in "ABCD"},
            "error": found.error,
        }
    )
    out.say(found)
    return 0
