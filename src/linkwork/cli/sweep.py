"""Run a model file with other numbers, again and again, and write a table of what is read.

    linkwork sweep car.yaml --vary spring.stiffness=10:50:5 --read body.y.max --output table.parquet --plot map.png

--vary NAME=FROM:TO:COUNT takes so many values, both ends among them; NAME=A,B,C takes these; start:A.angle is a start
value.  Several make a grid.  With --over sobol or latin, --count samples are taken: NAME=LEAST:GREATEST of a uniform
distribution, NAME=MEAN+-DEVIATION of a normal one; then percentiles and shares are printed.  What is read is one number
of each run: a name with .first, .last, .min or .max behind it.  A file may say it: `analysis: {type: sweep, ...}`.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

from linkwork.cli import model, motion
from linkwork.errors import DescriptionError, message

HELP = "run with other numbers, again and again: tables, maps, tolerances"
ENDINGS = (".csv", ".parquet", ".nc")
SHOWN = 20  # rows that are printed
SAMPLED = ("latin", "sobol")
KIND = re.compile(r"\b(\w+Warning): ")


class Ends(list):
    """Least and greatest value of samples."""


def arguments(parser) -> None:
    """Declare the options."""
    model.add_file(parser)
    model.add_times(parser, steps=False)
    model.add_start(parser)
    model.add_method(parser)
    model.add_precision(parser, absolute=True)
    parser.add_argument(
        "--vary",
        action="append",
        default=[],
        metavar="NAME=FROM:TO:COUNT",
        type=_varied,
        help="what is varied (may be repeated)",
    )
    parser.add_argument("--read", action="append", metavar="NAME", help='"D.angle.max" (may be repeated)')
    parser.add_argument("--over", metavar="WAY", help="grid, list, latin or sobol (grid)")
    parser.add_argument("--count", metavar="NUMBER", type=int, help="samples, with --over latin or sobol")
    parser.add_argument("--seed", metavar="NUMBER", type=int, help="of the samples (0)")
    parser.add_argument("--output", "-o", metavar="FILE", type=Path, help="write the table: .csv, .parquet or .nc")
    parser.add_argument(
        "--plot", metavar="FILE", type=Path, help="draw what is read: lines, maps, or the spread of one"
    )
    parser.add_argument("--store", metavar="FOLDER", help="keep what is done there; the same command goes on with it")
    model.add_workers(parser)
    model.add_json(parser)


def _varied(text: str) -> tuple[str, Any]:
    """NAME=FROM:TO:COUNT, NAME=A,B,C; of samples NAME=LEAST:GREATEST, NAME=MEAN+-DEVIATION."""
    name, equals, given = text.partition("=")
    if not equals or not name.strip() or not given.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=FROM:TO:COUNT or NAME=A,B,C")
    name, given = name.strip(), given.replace("±", "+-")
    if "+-" in given:
        mean, _, deviation = given.partition("+-")
        return name, {"mean": model.plain(mean), "deviation": model.plain(deviation)}
    parts = given.split(":")
    if len(parts) == 2:
        return name, Ends(model.plain(one) for one in parts)
    if len(parts) != 3:
        return name, [model.plain(one) for one in given.split(",")]
    try:
        count = int(parts[2])
    except ValueError:
        count = 0
    if count < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=FROM:TO:COUNT, such as spring.stiffness=10:50:5")
    return name, {"from": model.plain(parts[0]), "to": model.plain(parts[1]), "count": count}


def _asked(options, analysis: dict[str, Any], mechanism: Any) -> dict[str, Any]:
    """What is varied and read: the file's, with that of the command line over it."""
    asked = {key: analysis.pop(key) for key in motion.of_designs("sweep") if analysis.get(key) is not None}
    given = model.by_name(options.vary, "--vary")
    over = options.over or asked.get("over", "grid")
    for name, one in given.items():
        if isinstance(one, Ends) and over not in SAMPLED:
            raise DescriptionError(
                message(
                    f"--vary {name}",
                    "has two ends and no count",
                    wanted=f"{name}=FROM:TO:COUNT, or {name}=A,B,C",
                    remedy="LEAST:GREATEST are samples, with --over sobol --count 64",
                )
            )
    asked["vary"] = {**(asked.get("vary") or {}), **given}
    for key in ("read", "over", "count", "seed"):
        if getattr(options, key, None) is not None:
            asked[key] = getattr(options, key)
    if not asked["vary"] or not asked.get("read"):
        raise DescriptionError(
            message(
                f"{options.file}:",
                "says nothing about " + ("what is varied" if not asked["vary"] else "what is read"),
                remedy=f"give {_missing(asked, mechanism)}, or `analysis: {{type: sweep, ...}}`",
            )
        )
    if isinstance(asked["read"], str):
        asked["read"] = [asked["read"]]
    return asked


def _missing(asked: dict[str, Any], mechanism: Any) -> str:
    """The options that are not there, with names of this mechanism."""
    vary = [] if asked["vary"] else [f"--vary {model.example_varied(mechanism, ':5')}"]
    return " ".join([*vary, *([] if asked.get("read") else [f"--read {model.example_read(mechanism)}"])])


def _refuse_series(mechanism: Any, asked: dict[str, Any]) -> None:
    """Refuse series, which a table of numbers has no place for; names that are unknown are told by the sweep."""
    import linkwork as lw

    series = [one for one in asked["read"] if lw.is_series(one, asked.get("analysis", "simulate"))]
    if lw.check_asked(mechanism, {"type": "sweep", "read": series}):
        return
    if series:
        raise DescriptionError(
            message("--read", "is a series", ", ".join(series), "one number of it, such as " + series[0] + ".max")
        )


def run(options, out) -> int:
    """Do it."""
    import linkwork as lw

    output = motion.files_to_write(options.output, ENDINGS)
    plot = motion.files_to_write(options.plot, motion.PICTURES)
    mechanism, analysis = model.open_model(options)
    kind = analysis.pop("type", "simulate")
    analysis = analysis if kind in ("simulate", "sweep") else {}
    asked = _asked(options, analysis, mechanism)
    _refuse_series(mechanism, asked)
    _refuse_two_spreads(options, asked)
    given = motion.options_of(options, asked.get("analysis", "simulate"), analysis)
    vary = asked.pop("vary")
    who = {"workers": options.workers, "processes": options.processes, "store": options.store}
    try:
        found = lw.sweep(mechanism, vary, **who, **asked, **given)
    except KeyboardInterrupt as stop:
        reached = getattr(stop, "result", None)
        if reached is not None:
            done = int((reached["failed"] != "not run").sum())
            out.say(f"{done} of {reached['failed'].size} designs are done")
            out.say(f"the same command goes on with {options.store}" if options.store else "--store would keep them")
        raise
    samples = asked.get("over") in SAMPLED
    frame = found.to_dataframe().reset_index()
    varied = [str(name) for name in found.coords if name != "run"]
    names = [*varied, *asked["read"], "failed", "doubts"]
    rows = [tuple(row) for row in frame[names].itertuples(index=False)]
    failed, doubtful = (int((frame[name] != "").sum()) for name in ("failed", "doubts"))
    try:
        spreads = [lw.spread(found, name) for name in asked["read"]] if samples else []
    except DescriptionError as error:  # too few samples
        spreads = []
        out.say(error)
    out.data(
        {
            "ok": True,
            "mechanism": mechanism.name,
            "varied": varied,
            "read": asked["read"],
            "units": {name: str(found[name].attrs["units"]) for name in names if "units" in found[name].attrs},
            "runs": len(rows),
            "failed": failed,
            "doubtful": doubtful,
            "rows": [dict(zip(names, row)) for row in rows],
            "spread": {one.name: {"percentiles": one.percentiles, "shares": one.shares} for one in spreads},
        }
    )
    for one in spreads:
        out.say(one)
    if not spreads:
        reasons = list(dict.fromkeys(row[-2] for row in rows[:SHOWN] if row[-2]))
        cells = [(*row[:-2], f"({reasons.index(row[-2]) + 1})" if row[-2] else "") for row in rows[:SHOWN]]
        heads = [_with_unit(found, name) for name in names[:-1]]
        if any(row[-1] for row in rows[:SHOWN]):  # their kinds: the words are in the warning, and in what is written
            heads.append("doubts")
            cells = [(*cell, " ".join(dict.fromkeys(KIND.findall(row[-1])))) for cell, row in zip(cells, rows)]
        out.table(tuple(heads), cells)
        if len(rows) > SHOWN:
            out.say(f"  and {len(rows) - SHOWN} more")
        for k, reason in enumerate(reasons, 1):
            out.say(f"  ({k}) {reason}")
    if failed:
        out.say(f"{failed} of {len(rows)} runs failed")
    if doubtful:
        out.say(f"{doubtful} of {len(rows)} runs with doubts")
    for path in plot:
        if spreads:
            spreads[0].plot(file=path)
        else:
            lw.plot_sweep(found, asked["read"], file=path)
        out.say(f"drawn to {path}")
    for path in output:
        _write(found, frame[names].rename(columns=_heads(found, varied)), path)
        out.say(f"written to {path}")
    return 1 if failed == len(rows) else 0


def _with_unit(found: Any, name: str) -> str:
    unit = found[name].attrs.get("units", "1")
    return name if unit == "1" else f"{name} [{unit}]"


def _heads(found: Any, varied: list[str]) -> dict[str, str]:
    """Names of columns of numbers that are not in SI, with their units behind them, as `lw.fit` reads them."""
    from linkwork.units import ANY, si

    units = {name: str(found[name].attrs.get("units", "1")) for name in varied}
    return {name: f"{name} [{unit}]" for name, unit in units.items() if si(f"1 {unit}", ANY, name, "unit") != 1.0}


def _refuse_two_spreads(options: Any, asked: dict[str, Any]) -> None:
    """Refuse a picture of the spread of several numbers, before anything is run: each is a picture of its own."""
    if options.plot and asked.get("over") in SAMPLED and len(asked["read"]) > 1:
        several = ", ".join(asked["read"])
        raise DescriptionError(
            message(
                "--plot", "draws the spread of one number", several, remedy=f"choose one, --read {asked['read'][0]}"
            )
        )


def _write(found: Any, frame: Any, path: Path) -> None:
    ending = path.suffix.lower()
    if ending == ".csv":
        frame.to_csv(path, index=False)
    elif ending == ".parquet":
        frame.to_parquet(path)
    else:
        found.to_netcdf(path, engine="h5netcdf")
