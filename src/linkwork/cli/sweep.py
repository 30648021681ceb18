"""Simulate a model file with other numbers, again and again, and write a table of what is read.

    linkwork sweep car.yaml --vary spring.stiffness=10:50:5 --read body.y.max --output table.csv

--vary NAME=FROM:TO:COUNT takes so many values, both ends among them; NAME=A,B,C takes these; start:A.angle is a start
value.  Several make a grid.  What is read is one number of each run: a name with .first, .last, .min or .max behind it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from linkwork.cli import model, motion
from linkwork.errors import DescriptionError, message

HELP = "simulate with other numbers, again and again"
ENDINGS = (".csv", ".parquet", ".nc")
SHOWN = 20  # rows that are printed


def arguments(parser) -> None:
    """Declare the options."""
    model.add_file(parser)
    model.add_times(parser, steps=False)
    model.add_start(parser)
    model.add_precision(parser)
    parser.add_argument(
        "--vary",
        action="append",
        required=True,
        metavar="NAME=FROM:TO:COUNT",
        type=_varied,
        help="what is varied (may be repeated)",
    )
    parser.add_argument(
        "--read", action="append", required=True, metavar="NAME", help='"D.angle.max" (may be repeated)'
    )
    parser.add_argument("--output", "-o", metavar="FILE", type=Path, help="write the table: .csv, .parquet or .nc")
    parser.add_argument("--store", metavar="FOLDER", help="keep what is done there; the same command goes on with it")
    parser.add_argument("--workers", metavar="NUMBER", type=int, default=1, help="runs at the same time (1)")


def _varied(text: str) -> tuple[str, list[float | str]]:
    name, equals, given = text.partition("=")
    if not equals or not name.strip() or not given.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=FROM:TO:COUNT or NAME=A,B,C")
    parts = given.split(":")
    if len(parts) != 3:
        return name.strip(), [model.plain(one) for one in given.split(",")]
    try:
        first, last, count = float(parts[0]), float(parts[1]), int(parts[2])
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=FROM:TO:COUNT in SI") from None
    if count < 1:
        raise argparse.ArgumentTypeError(f"{text!r} has no values")
    step = (last - first) / max(1, count - 1)
    return name.strip(), [first + step * k if k < count - 1 or count == 1 else last for k in range(count)]


def run(options, out) -> int:
    """Do it."""
    import linkwork as lw

    if options.output is not None:
        motion.check_ending(options.output, ENDINGS)
        model.check_writable(options.output)
    numbers = [one for one in options.read if one.rpartition(".")[2] not in ("first", "last", "min", "max")]
    if numbers:
        raise DescriptionError(
            message("--read", "is a series", ", ".join(numbers), "one number of it, such as " + numbers[0] + ".max")
        )
    mechanism, analysis = model.open_model(options)
    kind = analysis.pop("type", "simulate")
    given = motion.simulate_options(options, options.file, analysis if kind == "simulate" else {})
    found = lw.sweep(
        mechanism,
        dict(options.vary),
        times=given.pop("times"),
        read=options.read,
        workers=options.workers,
        store=options.store,
        **given,
    )
    frame = found.to_dataframe().reset_index()
    names = [*dict(options.vary), *options.read, "failed"]
    out.table(tuple(names), [tuple(row) for row in frame[names].head(SHOWN).itertuples(index=False)])
    if len(frame) > SHOWN:
        out.say(f"  and {len(frame) - SHOWN} more")
    failed = int((frame["failed"] != "").sum())
    if failed:
        out.say(f"{failed} of {len(frame)} runs failed")
    if options.output is not None:
        ending = options.output.suffix.lower()
        if ending == ".csv":
            frame[names].to_csv(options.output, index=False)
        elif ending == ".parquet":
            frame[names].to_parquet(options.output)
        else:
            found.to_netcdf(options.output, engine="h5netcdf")
        out.say(f"written to {options.output}")
    return 0
