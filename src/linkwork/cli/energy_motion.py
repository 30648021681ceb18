"""Speed, acceleration and time of a machine of one freedom at each of its positions, by energy alone."""

from __future__ import annotations

from typing import Any

from linkwork.cli import model, report

HELP = "speed of a model file by its position, with its reduced inertia"
SERIES = ("value", "speed", "acceleration", "t", "inertia", "inertia_slope", "force", "work")


def arguments(parser) -> None:
    """Declare the options."""
    model.add_file(parser)
    parser.add_argument(
        "--over", metavar="NAME=FROM,TO,COUNT", type=model.span, help='what moves, "A.angle=0,360 deg,361"'
    )
    parser.add_argument("--speed", metavar="SPEED", help='of what moves, to begin with: "20", "20 rad/s" or "1 m/s"')
    parser.add_argument(
        "--near", action="append", default=[], metavar="NAME=VALUE", type=model.named_value, help="choose the branch"
    )
    parser.add_argument("--rtol", metavar="NUMBER", type=model.number("1"), help="error allowed in a step (1e-8)")
    parser.add_argument("--coordinates", metavar="NAME", help="coordinates: auto (the faster ones), body or joint")
    report.add_report(parser)


def run(options, out) -> int:
    """Do it."""
    report.check_endings(options)
    mechanism, analysis = model.open_model(options)
    if analysis.pop("type", None) != "energy_motion":
        analysis = {}
    report.check_writable(options)
    over = model.required(
        options.over or analysis.get("over"),
        options.file,
        "says nothing about what moves",
        'give --over "A.angle=0,360 deg,361", or an analysis in the file: '
        "`analysis: {type: energy_motion, over: {A.angle: [0, 360 deg, 361]}}`",
    )
    given: dict[str, Any] = {"near": {**(analysis.get("near") or {}), **dict(options.near)} or None}
    for key in ("speed", "coordinates", "rtol"):
        value = getattr(options, key, None)
        value = analysis.get(key) if value is None else value
        if value is not None:
            given[key] = float(value) if key == "speed" and _plain(value) else value
    found = mechanism.energy_motion(over, **given)
    if out.json:
        out.data(
            {
                "ok": True,
                "mechanism": found.mechanism,
                "name": found.name,
                "unit": found.unit,
                "error": found.error,
                "ended": found.ended,
                **{key: getattr(found, key) for key in SERIES},
            }
        )
        return 0
    out.say(found)
    report.report(options, out, found.run, True)
    return 0


def _plain(value: Any) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True
