"""Where a mechanism comes to rest, whether it stays there, and how it swings."""

from __future__ import annotations

from linkwork.cli import model
from linkwork.cli.modes import mode_data

HELP = "state of rest of a model file, its stability and its frequencies"
METHODS = ("downhill", "root", "energy", "damping")


def arguments(parser) -> None:
    """Declare the options."""
    model.add_file(parser)
    parser.add_argument(
        "--method",
        choices=METHODS,
        help="downhill to a stable state of rest (default), the nearest root, least energy, or damping",
    )
    model.add_start(parser)
    model.add_json(parser)


def run(options, out) -> int:
    """Do it."""
    mechanism, analysis = model.open_model(options)
    given = model.rest_options(options, analysis)
    method = getattr(options, "method", None) or analysis.get("method")
    if method is not None:
        given["method"] = method
    rest = mechanism.equilibrium(**given)
    evaluation = mechanism.evaluate(rest.state)
    known = set(evaluation.names)
    found = {name: evaluation[name] for name in evaluation.columns if name in known}
    out.data(
        {
            "ok": True,
            "mechanism": mechanism.name,
            "t": rest.state.t,
            "stability": rest.stability,
            "coordinates": found,
            "modes": [mode_data(mode) for mode in rest.modes],
        }
    )
    out.say(rest)
    out.title("State of rest")
    out.table(("coordinate", "value"), [(name, f"{value:.9g}") for name, value in found.items()])
    return 0
