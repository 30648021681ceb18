"""How far and how late quantities follow a small harmonic motion of a driver, or a force, at every frequency."""

from __future__ import annotations

from pathlib import Path

from linkwork.cli import model

HELP = "frequency response of a model file, with a Bode plot"


def arguments(parser) -> None:
    """Declare the options."""
    model.add_file(parser)
    model.add_linear(parser)
    parser.add_argument(
        "--from", dest="first", metavar="FREQUENCY", type=model.number("Hz"), help="lowest frequency, in Hz"
    )
    parser.add_argument("--to", dest="last", metavar="FREQUENCY", type=model.number("Hz"), help="highest frequency")
    parser.add_argument("--count", metavar="NUMBER", type=int, help="how many between them, in equal ratios (400)")
    parser.add_argument("--plot", metavar="FILE", type=Path, help="write a Bode plot (.png, .svg, .pdf)")
    model.add_start(parser)
    model.add_json(parser)


def run(options, out) -> int:
    """Do it."""
    mechanism, analysis = model.open_model(options)
    if options.plot is not None:
        model.check_writable(options.plot)
    given = model.rest_options(options, analysis) | model.linear_options(options, analysis)
    for key in ("frequencies", "count"):
        if analysis.get(key) is not None:
            given[key] = analysis[key]
    if options.count is not None:
        given["count"] = options.count
    ends = [options.first, options.last]
    if ends != [None, None]:
        known = given.get("frequencies") or [None, None]
        given["frequencies"] = [one if one is not None else known[k] for k, one in zip((0, -1), ends, strict=True)]
        model.required(
            None if None in given["frequencies"] else 1,
            options.file,
            "has one end of its frequencies only",
            "give --from and --to",
        )
        given.setdefault("count", 400)
    found = mechanism.frequency_response(**given)
    if options.plot is not None:
        found.plot(file=options.plot)
    out.data(
        {
            "ok": True,
            "mechanism": mechanism.name,
            "inputs": found.inputs,
            "outputs": found.outputs,
            "frequencies": found.frequencies,
            "size": {f"{a} to {b}": found.magnitude(a, b) for a in found.outputs for b in found.inputs},
            "phase": {f"{a} to {b}": found.phase(a, b) for a in found.outputs for b in found.inputs},
            "files": [str(options.plot)] if options.plot is not None else [],
        }
    )
    out.say(found)
    if options.plot is not None:
        out.say(f"written to {options.plot}")
    return 0
