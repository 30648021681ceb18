"""Where a mechanism stays while its drivers move at constant speed, and how it swings about that."""

from __future__ import annotations

from linkwork.cli import model
from linkwork.cli.modes import mode_data

HELP = "steady motion of a model file, such as of a governor"


def arguments(parser) -> None:
    """Declare the options."""
    model.add_file(parser)
    parser.add_argument(
        "--speed",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        type=model.named_value,
        help='move a quantity that has no driver, "shaft.angle=300 rpm" (may be repeated)',
    )
    parser.add_argument(
        "--constant", action="append", default=[], metavar="NAME", help="a reading that stays (may be repeated)"
    )
    parser.add_argument("--method", choices=("downhill", "root"), help="to a stable one (default), or the nearest")
    model.add_start(parser)
    model.add_json(parser)


def run(options, out) -> int:
    """Do it."""
    mechanism, analysis = model.open_model(options)
    given = model.rest_options(options, analysis)
    speeds = {**(analysis.get("speeds") or {}), **dict(options.speed)}
    for key in ("constant", "method"):
        value = getattr(options, key, None) or analysis.get(key)
        if value:
            given[key] = value
    found = mechanism.steady(speeds or None, **given)
    out.data(
        {
            "ok": True,
            "mechanism": mechanism.name,
            "t": found.state.t,
            "stability": found.stability,
            "speeds": found.speeds,
            "efforts": found.efforts,
            "stays": {name: float(found[name]) for name in found.constant},
            "modes": [mode_data(mode) for mode in found.modes],
        }
    )
    out.say(found)
    return 0
