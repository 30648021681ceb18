"""Simulate a model file in every set of coordinates and compare motion, reactions, efforts and energy.

Exit status 0 if the sets agree within --tolerance, 1 if they do not.
"""

from __future__ import annotations

from linkwork.cli import model

HELP = "the same motion in all sets of coordinates, compared"


def arguments(parser) -> None:
    """Declare the options."""
    model.add_file(parser)
    parser.add_argument(
        "--duration",
        metavar="TIME",
        type=model.number("s"),
        help='how long, "10" or "250 ms" (the file\'s, at most 1 s)',
    )
    model.add_start(parser)
    parser.add_argument("--rtol", metavar="NUMBER", type=model.number("1"), help="error allowed in a step (1e-10)")
    parser.add_argument(
        "--tolerance",
        metavar="NUMBER",
        type=model.number("1"),
        help="difference allowed, against the largest value of its kind (1e-5)",
    )
    model.add_json(parser)


def run(options, out) -> int:
    """Do it."""
    mechanism, analysis = model.open_model(options)
    times = analysis.get("times")
    duration = options.duration
    if duration is None:
        duration = analysis.get("duration") or (float(times[-1]) - float(times[0]) if times is not None else 1.0)
        duration = min(float(duration), 1.0)
    given = model.start_options(options, analysis)
    given.pop("t", None)
    given.update({key: getattr(options, key) for key in ("rtol", "tolerance") if getattr(options, key) is not None})
    found = mechanism.verify(duration, **given)
    out.data(
        {
            "ok": found.agree,
            "tolerance": found.tolerance,
            "left_out": found.left_out,
            "failed": {name: str(error) for name, error in found.failed.items()},
            "differences": [vars(one) for one in found.differences],
        }
    )
    out.say(found)
    return 0 if found.agree else 1
