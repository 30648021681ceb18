"""Efforts of drivers or actuators, and all reactions, that a known motion needs.

The motion is that of the file's own drivers over --duration, or that of --motion: a result, or a table of a recorded
motion (.csv) with times "t" and a series for every freedom.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from linkwork.cli import model, motion, report

HELP = "efforts and reactions of a known motion of a model file"


def arguments(parser) -> None:
    """Declare the options."""
    model.add_file(parser)
    model.add_times(parser, steps=False)
    parser.add_argument("--motion", metavar="FILE", type=Path, help="a result, or a recorded table (.csv), to follow")
    parser.add_argument(
        "--actuator",
        action="append",
        default=[],
        metavar="NAME[=RATING]",
        type=_actuator,
        help='what moves it in place of its drivers, "A.angle" or "A.angle=40" (may be repeated)',
    )
    parser.add_argument("--check", action="store_true", help="compare with power balance and eliminated reactions")
    model.add_start(parser)
    model.add_precision(parser)
    report.add_report(parser)


def _actuator(text: str) -> tuple[str, float]:
    if "=" not in text:
        return text.strip(), 1.0
    name, _, rating = text.partition("=")
    return name.strip(), model.number("1")(rating)


def run(options, out) -> int:
    """Do it."""
    report.check_endings(options)
    mechanism, analysis = model.open_for_times(options, "inverse_dynamics")
    report.check_writable(options)
    asked = analysis.pop("actuators", None)
    given: dict[str, Any] = {"actuators": dict(options.actuator) or asked}
    if options.motion is not None:
        known = _motion(options.motion)
        given |= {"motion": known, **_choice(options, analysis, not isinstance(known, Path))}
    else:
        given |= motion.simulate_options(options, options.file, analysis)
    result = mechanism.inverse_dynamics(given.pop("times", None), **given)
    checks = result.check_efforts() if options.check else None
    if checks is not None:
        result.manifest["checks"] = {way: one.gap for way, one in checks.items() if one.applies.any()}
    report.report(options, out, result, True)
    if checks is not None:
        out.say(checks)
    return 0


def _motion(path: Path) -> Any:
    """A result, or the name of a table, which has no description beside it."""
    import linkwork as lw

    if path.suffix.lower() == ".csv" and not path.with_name(f"{path.name}.json").exists():
        return path
    return lw.load(path)


def _choice(options, analysis, known: bool) -> dict[str, Any]:
    """Options that a given motion leaves: of a table the branch, of a result the coordinates alone."""
    found = model.set_options(options, analysis)
    if not known:
        rtol = options.rtol or analysis.get("rtol")
        found |= model.start_options(options, analysis) | ({} if rtol is None else {"rtol": rtol})
    return found
