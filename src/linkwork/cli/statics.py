"""What joints, drivers and force elements carry at rest, where nothing is free, or where it is held."""

from __future__ import annotations

from linkwork.cli import model

HELP = "reactions of a model file at rest, of a structure or held"


def arguments(parser) -> None:
    """Declare the options."""
    model.add_file(parser)
    parser.add_argument(
        "--hold",
        action="append",
        default=[],
        metavar="NAME",
        help='hold a quantity where it is, "A.angle" (may be repeated), or all that is free: "all"',
    )
    model.add_start(parser)
    model.add_json(parser)


def run(options, out) -> int:
    """Do it."""
    mechanism, analysis = model.open_model(options)
    given = model.rest_options(options, analysis)
    hold = options.hold or analysis.get("hold") or []
    found = mechanism.statics(hold="all" if hold in ("all", ["all"]) else hold, **given)
    out.data(
        {
            "ok": True,
            "mechanism": mechanism.name,
            "t": found.state.t,
            "held": found.held,
            "unique": found.unique,
            "loads": [
                {"name": one.name, "kind": one.kind, "values": one.values, "not_unique": one.open}
                for one in found.loads
            ],
        }
    )
    out.say(found)
    return 0
