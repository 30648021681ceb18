"""All states of rest in a range, each with its stability: along one freedom, or by a search from many places."""

from __future__ import annotations

from linkwork.cli import model

HELP = "all states of rest of a model file in a range"


def arguments(parser) -> None:
    """Declare the options."""
    model.add_file(parser)
    model.add_over(parser, "NAME=FROM,TO", "the range (may be repeated)")
    parser.add_argument("--count", metavar="NUMBER", type=int, help="positions on the way (361), or places (60)")
    model.add_start(parser)
    model.add_json(parser)


def run(options, out) -> int:
    """Do it."""
    mechanism, analysis = model.open_model(options)
    if analysis.get("type") != "equilibria":
        shared = ("start", "near", "t", "coordinates", "basis")
        analysis = {key: value for key, value in analysis.items() if key in shared}
    over = model.required(
        dict(options.over) or analysis.get("over"),
        options.file,
        "says nothing about the range",
        'give --over "A.angle=0,360 deg", or an analysis in the file: '
        "`analysis: {type: equilibria, over: {A.angle: [0, 360 deg]}}`",
    )
    given = model.rest_options(options, analysis)
    count = options.count if options.count is not None else analysis.get("count")
    found = mechanism.equilibria(over, **given, **({} if count is None else {"count": count}))
    out.data(
        {
            "ok": True,
            "mechanism": mechanism.name,
            "searched": found.searched,
            "notes": found.notes,
            "indifferent": found.indifferent,
            "equilibria": [
                {
                    "at": dict(zip(found.names, place)),
                    "stability": one.stability,
                    "frequencies": one.modes.frequencies,
                    "residual": one.residual,
                }
                for place, one in zip(found.places.tolist(), found)
            ],
        }
    )
    out.say(found)
    return 0
