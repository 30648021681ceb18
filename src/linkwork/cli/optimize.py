"""Search for the numbers of a model file, between bounds, that make something smallest or largest.

    linkwork optimize car.yaml --vary spring.stiffness=10:50 --minimize body.y.max --subject-to "ram.length.min >= 0.2"

What is made small or large is one number of an answer: a name with .first, .last, .min or .max behind it.  --minimize
several times means the sum of squares.  A file may say it: `analysis: {type: optimize, ...}`.
"""

from __future__ import annotations

from linkwork.cli import model, motion, search
from linkwork.errors import DescriptionError, message

HELP = "search for the numbers that make something smallest or largest"


def arguments(parser) -> None:
    """Declare the options."""
    search.add_search(parser, "auto, slsqp, least squares or evolution (auto)")
    model.add_times(parser, steps=False)
    parser.add_argument("--minimize", action="append", metavar="NAME", help='"D.angle.max" (several: sum of squares)')
    parser.add_argument("--maximize", metavar="NAME", help='"ball.x.last"')
    parser.add_argument(
        "--subject-to", action="append", metavar="LIMIT", help='"B.reaction.x.max <= 2 kN" (may be repeated)'
    )


def run(options, out) -> int:
    """Do it."""
    import linkwork as lw

    models = motion.files_to_write(options.output, search.MODELS)
    mechanism, analysis = search.opened(options, "optimize")
    varied, read = model.example_varied(mechanism), model.example_read(mechanism)
    remedy = (
        f"give --vary {varied} --minimize {read}, or `analysis: {{type: optimize, vary: ..., minimize: {read}, ...}}`"
    )
    asked = search.asked(options, analysis, "optimize", remedy)
    if options.minimize and options.maximize is None:
        asked.pop("maximize", None)
    elif options.maximize is not None and not options.minimize:
        asked.pop("minimize", None)
    if isinstance(asked.get("minimize"), list) and len(asked["minimize"]) == 1:
        (asked["minimize"],) = asked["minimize"]
    if not asked.get("minimize") and not asked.get("maximize"):
        raise DescriptionError(message(f"{options.file}:", "says nothing about what is made best", remedy=remedy))
    kind = asked.get("analysis", "simulate")
    given = motion.options_of(options, kind, analysis, without=("method",))
    with search.best_told(out):
        found = lw.optimize(mechanism, asked.pop("vary"), **asked, **given)
    out.data(
        {
            "ok": True,
            "mechanism": mechanism.name,
            "goal": found.goal,
            "value": found.value,
            "first": found.first,
            "values": found.values,
            "on_bounds": found.on_bounds,
            "limits": {said: {"is": value, "met": met} for said, (value, met) in found.limits.items()},
            "method": found.method,
            **search.how_it_ended(found),
        }
    )
    out.say(found)
    search.write_model(out, models, found, kind, given, mechanism)
    return 0 if found.met else 1
