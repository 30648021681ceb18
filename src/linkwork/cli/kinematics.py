"""Where drivers, or names that are moved instead of them, take a mechanism: positions, rates and accelerations.

No masses are needed.  Where it cannot be moved any further that is told; with --reverse it turns back on its other
branch.
"""

from __future__ import annotations

from typing import Any

from linkwork.cli import model, motion, report

HELP = "motion of a model file that its drivers, or moved names, decide"


def arguments(parser) -> None:
    """Declare the options."""
    model.add_file(parser)
    model.add_times(parser, steps=False)
    model.add_over(parser)
    parser.add_argument("--reverse", action="store_true", help="turn back in dead centres, on the other branch")
    parser.add_argument("--others", action="store_true", help="also all other ways to assemble it")
    model.add_start(parser)
    report.add_report(parser)
    parser.add_argument(
        "--path", metavar="NAME=FILE", type=model.named_value, help='plot the path of a point, "coupler.tracer=it.png"'
    )


def run(options, out) -> int:
    """Do it."""
    report.check_endings(options)
    mechanism, analysis = model.open_for_times(options, "kinematics")
    report.check_writable(options)
    given: dict[str, Any] = {key: True for key in ("reverse", "others") if getattr(options, key) or analysis.get(key)}
    over = dict(options.over) or (None if options.duration is not None else analysis.get("over"))
    if over is not None:
        given |= {"over": over, **model.start_options(options, {k: v for k, v in analysis.items() if k != "t"})}
    else:
        left = {key: value for key, value in analysis.items() if key not in ("over", "reverse", "others")}
        given |= motion.simulate_options(options, options.file, left)
    result = mechanism.kinematics(given.pop("times", None), **given)
    report.report(options, out, result, True, x=next(iter(given.get("over", ())), "t"))
    for k, one in enumerate(result.others):
        out.title(f"Another way to assemble it ({k + 1})")
        out.say(one)
    if options.path is not None:
        point, file = options.path
        result.plot_path(point, file=str(file))
        out.say(f"written to {file}")
    return 0
