"""How far a quantity of a mechanism can be moved each way, until a dead centre; no masses are needed."""

from __future__ import annotations

from linkwork.cli import model

HELP = "how far a quantity of a model file can be moved each way"


def arguments(parser) -> None:
    """Declare the options."""
    model.add_file(parser)
    parser.add_argument(
        "--name", action="append", default=[], metavar="NAME", help='what is moved, "A.angle" (may be repeated)'
    )
    model.add_start(parser, t=False)
    model.add_json(parser)


def run(options, out) -> int:
    """Do it."""
    mechanism, analysis = model.open_for(options, "range")
    names = options.name or ([analysis["name"]] if analysis.get("name") else [])
    model.required(
        names or None,
        options.file,
        "says nothing about what is to be moved",
        "give --name A.angle, or an analysis in the file: `analysis: {type: range, name: A.angle}`",
    )
    given = {key: value for key, value in model.start_options(options, analysis).items() if key != "t"}
    found = [mechanism.range(name, **given) for name in names]
    out.data(
        {
            "ok": True,
            "mechanism": mechanism.name,
            "ranges": [
                {
                    "name": one.name,
                    "unit": one.unit,
                    "least": one.least,
                    "greatest": one.greatest,
                    "at": one.at,
                    "turns_fully": one.turns_fully,
                    "idle": list(one.idle),
                }
                for one in found
            ],
        }
    )
    for one in found:
        out.say(one)
    return 0
