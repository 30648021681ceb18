"""Search for the numbers of a model file, between bounds, with which it follows a record best, and tell their errors.

    linkwork fit pendulum.yaml --vary bob.mass=0.5:8 --measured record.csv --noise "A.angle=1 deg" --plot fit.png

The record is a table (.csv) with times, "t" or "time", and a column for each series, units in brackets: A.angle [deg].
Cells may be empty.  A file may say it: `analysis: {type: fit, measured: record.csv, ...}`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from linkwork.cli import model, motion, search
from linkwork.errors import DescriptionError, message

HELP = "search for the numbers with which a model follows a record"


def arguments(parser) -> None:
    """Declare the options."""
    search.add_search(parser, "least squares or evolution (least squares)")
    parser.add_argument("--measured", metavar="FILE", type=Path, help="the record: a table (.csv) with t and series")
    parser.add_argument(
        "--noise",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        type=lambda text: model.named_value(text) if "=" in text else ("", model.plain(text)),
        help='standard deviation of a recorded value, "A.angle=1 deg" (may be repeated), or "1 deg" of all of them; '
        "(found from what is left)",
    )
    parser.add_argument("--confidence", metavar="SHARE", type=model.number("1"), help="of the limits (0.95)")
    parser.add_argument("--plot", metavar="FILE", type=Path, help="draw record, fitted motion and what is left")


def _noise(given: list[tuple[str, float | str]]) -> Any:
    """Noise by name, or one of all records, which has no name."""
    found = model.by_name(given, "--noise")
    if "" not in found:
        return found or None
    if len(found) > 1:
        wanted = 'one for all records, or a name for each, such as "A.angle=1 deg"'
        raise DescriptionError(message("--noise", "was given with names and without", repr(found[""]), wanted))
    return found[""]


def run(options, out) -> int:
    """Do it."""
    import linkwork as lw

    models = motion.files_to_write(options.output, search.MODELS)
    pictures = motion.files_to_write(options.plot, motion.PICTURES)
    mechanism, analysis = search.opened(options, "fit", ("duration", "times", "every"))  # times are those of the record
    options.noise = _noise(options.noise)
    remedy = (
        f"give --vary {model.example_varied(mechanism)} --measured record.csv, or "
        "`analysis: {type: fit, vary: ..., measured: record.csv}`"
    )
    asked = search.asked(options, analysis, "fit", remedy)
    if asked.get("measured") is None:
        raise DescriptionError(message(f"{options.file}:", "says nothing about what was measured", remedy=remedy))
    given = motion.run_options(options, analysis, without=("method",))
    kind = asked.get("analysis", "simulate")
    with search.best_told(out):
        found = lw.fit(mechanism, asked.pop("vary"), asked.pop("measured"), **asked, **given)
    out.data(
        {
            "ok": True,
            "mechanism": mechanism.name,
            "values": found.values,
            "errors": found.errors,
            "limits": found.limits,
            "confidence": found.confidence,
            "undetermined": found.undetermined,
            "on_bounds": found.on_bounds,
            "noise": found.noise,
            **search.how_it_ended(found),
        }
    )
    out.say(found)
    for path in pictures:
        found.plot(file=path)
        out.say(f"drawn to {path}")
    first, last = (end(t[k] for t, _ in found.measured.values()) for end, k in ((min, 0), (max, -1)))
    times = float(last) if first >= 0.0 else [float(first), float(last)]
    search.write_model(out, models, found, kind, {**given, "times": times}, mechanism)
    return 0
