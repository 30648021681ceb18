"""What searches share on the command line: bounds, where they begin, how long they go on, and the best model."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from linkwork.cli import model, motion
from linkwork.errors import DescriptionError, UnitError, message

MODELS = (".yaml", ".yml", ".json")


def add_search(parser, methods: str) -> None:
    """What is varied between which bounds, and how it is searched for."""
    model.add_file(parser)
    model.add_start(parser)
    parser.add_argument(
        "--vary",
        action="append",
        default=[],
        metavar="NAME=LEAST:GREATEST",
        type=_bounds,
        help='what is varied, "spring.stiffness=10:50" or "L=0.2 m:0.4 m" (may be repeated)',
    )
    parser.add_argument(
        "--begin",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        type=model.named_value,
        help="where the search begins (its present number; may be repeated)",
    )
    parser.add_argument("--method", metavar="NAME", help=methods)
    parser.add_argument("--tolerance", metavar="NUMBER", type=model.number("1"), help="of the value, when to stop")
    parser.add_argument("--most-runs", metavar="NUMBER", type=int, help="so many runs and not more")
    parser.add_argument("--seed", metavar="NUMBER", type=int, help="of evolution (0)")
    model.add_precision(parser, absolute=True)
    model.add_workers(parser)
    parser.add_argument("--output", "-o", metavar="FILE", type=Path, help="write the best model: .yaml or .json")
    model.add_json(parser)


def _bounds(text: str) -> tuple[str, list[Any]]:
    name, equals, given = text.partition("=")
    ends = [model.plain(one) for one in given.split(":") if one.strip()]
    if not equals or not name.strip() or len(ends) != 2:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=LEAST:GREATEST, such as spring.stiffness=10:50")
    return name.strip(), ends


def asked(options, analysis: dict[str, Any], kind: str, remedy: str) -> dict[str, Any]:
    """What a search is asked: the file's, with that of the command line over it; taken out of `analysis`."""
    own = motion.of_designs(kind)
    found = {key: analysis.pop(key) for key in own if analysis.get(key) is not None}
    for key in ("vary", "begin"):
        found[key] = {**(found.get(key) or {}), **model.by_name(getattr(options, key), f"--{key}")}
    if not found["begin"]:
        del found["begin"]
    for key in own:
        if key not in ("vary", "begin") and getattr(options, key, None) is not None:
            found[key] = getattr(options, key)
    if not found["vary"]:
        raise DescriptionError(message(f"{options.file}:", "says nothing about what is varied", remedy=remedy))
    return found


def opened(options, kind: str, own: tuple[str, ...] = ()) -> tuple[Any, dict[str, Any]]:
    """The mechanism of a file, and what it says of this search, or of a run without what is the search's `own`."""
    mechanism, analysis = model.open_model(options)
    said = analysis.pop("type", "simulate")
    if said == "simulate":
        return mechanism, {key: value for key, value in analysis.items() if key not in ("method", *own)}
    return mechanism, analysis if said == kind else {}


@contextmanager
def best_told(out) -> Iterator[None]:
    """After Ctrl-C the best so far is said, where there is one."""
    try:
        yield
    except KeyboardInterrupt as stop:
        best = getattr(stop, "result", None)
        if best is not None:
            out.say(best)
        raise


def how_it_ended(found: Any) -> dict[str, Any]:
    """What `--json` says of the end of any search."""
    return {name: getattr(found, name) for name in ("converged", "why", "runs", "failed", "notes")}


def _in_their_units(values: dict[str, float], before: Any) -> dict[str, str]:
    """Parameters that the file has with a unit, as texts with the same unit."""
    from linkwork.units import is_quantity, quantity, recount  # loads numpy, which help does not need

    kept = {}
    for name, value in values.items():
        text = before.written_parameters.get(name)
        text = getattr(text, "text", text)  # of a number that knows how it was written
        if not isinstance(text, str) or not is_quantity(text):
            continue
        unit = quantity(text)[1]
        try:
            kept[name] = f"{recount(value, '', unit, name):.12g} {unit}".strip()
        except UnitError:  # Hz: it stays in SI
            continue
    return kept


def write_model(out, paths: list[Path], found: Any, kind: str, given: dict[str, Any], before: Any) -> None:
    """Write the mechanism with the numbers that were found, and the analysis that was asked about each design."""
    import linkwork as lw

    start = {**(given.get("start") or {}), **found.start}
    analysis = {"type": kind, **given, **({"start": start} if start else {})}
    if isinstance(analysis.get("times"), (int, float, str)):
        analysis["duration"] = analysis.pop("times")
    best = found.mechanism.with_numbers(_in_their_units(found.values, before)) if paths else found.mechanism
    for path in paths:
        lw.write(best, path, analysis)
        out.say(f"written to {path}")
