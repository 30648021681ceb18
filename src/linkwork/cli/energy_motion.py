"""Speed, acceleration and time of a machine of one freedom at each of its positions, by energy alone."""

from __future__ import annotations

from typing import Any

from linkwork.cli import model, report

HELP = "speed of a model file by its position, with its reduced inertia"
SERIES = ("value", "speed", "acceleration", "t", "inertia", "inertia_slope", "force", "work")


def arguments(parser) -> None:
    """Declare the options."""
    model.add_file(parser)
    model.add_over(parser, words="what moves")
    parser.add_argument(
        "--speed", metavar="SPEED", type=model.plain, help='of what moves, to begin with: "20", "20 rad/s" or "1 m/s"'
    )
    model.add_near(parser)
    model.add_precision(parser)
    report.add_report(parser)


def run(options, out) -> int:
    """Do it."""
    report.check_endings(options)
    mechanism, analysis = model.open_for(options, "energy_motion")
    report.check_writable(options)
    over = model.required(
        dict(options.over) or analysis.get("over"),
        options.file,
        "says nothing about what moves",
        'give --over "A.angle=0,360 deg,361", or an analysis in the file: '
        "`analysis: {type: energy_motion, over: {A.angle: [0, 360 deg, 361]}}`",
    )
    given: dict[str, Any] = {"near": {**(analysis.get("near") or {}), **dict(options.near)} or None}
    given |= model.set_options(options, analysis)
    for key in ("speed", "rtol"):
        value = getattr(options, key, None)
        value = analysis.get(key) if value is None else value
        if value is not None:
            given[key] = value
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
