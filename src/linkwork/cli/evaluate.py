"""Everything at one state: coordinates, accelerations, constraint errors, multipliers, reactions and energies.

Where the file, or --start, gives start values, the state is the one that an analysis would start from, assembled with
them.  Else it is what the file declares, taken as it is, and with --state it is that with these values put in.
"""

from __future__ import annotations

from linkwork.cli import model

HELP = "everything at one state of a model file"


def arguments(parser) -> None:
    """Declare the options."""
    model.add_file(parser)
    parser.add_argument(
        "--state",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        type=model.named_value,
        help='a body coordinate or rate, "crank.angle=30 deg" (may be repeated)',
    )
    parser.add_argument("--assemble", action="store_true", help="correct the state first, as `linkwork assemble` does")
    parser.add_argument(
        "--show",
        action="append",
        default=[],
        metavar="NAME",
        help='print only this quantity, "A.reaction.x" (may be repeated)',
    )
    model.add_start(parser)
    model.add_json(parser)


def run(options, out) -> int:
    """Do it."""
    mechanism, analysis = model.open_model(options)
    values = {**(analysis.get("state") or {}), **dict(options.state)}
    given = model.start_options(options, analysis)
    if options.assemble or ("start" in given and not values):
        evaluation = mechanism.evaluate(mechanism.assemble(**given).state)
    else:
        evaluation = mechanism.evaluate(values, t=given.get("t", 0.0))
    if options.show:
        found = {name: evaluation[name] for name in options.show}
        out.data({"ok": True, "t": evaluation.state.t, "values": found})
        out.table(("quantity", "value"), [(name, f"{value:.12g}") for name, value in found.items()])
        return 0
    energy = {key: getattr(evaluation.energy, key) for key in ("kinetic", "potential", "total")}
    reactions = {name: evaluation.reaction(name) for name, joint in mechanism.joints.items() if joint.active}
    if out.json:
        out.data(
            {
                "ok": True,
                "mechanism": mechanism.name,
                "t": evaluation.state.t,
                "values": {name: evaluation[name] for name in evaluation.names},
                "accelerations": dict(zip(evaluation.columns, evaluation.accelerations.tolist())),
                "rows": evaluation.rows,
                "columns": evaluation.columns,
                "constraint_error": evaluation.constraint_error,
                "velocity_error": evaluation.velocity_error,
                "multipliers": evaluation.multipliers,
                "jacobian": evaluation.jacobian,
                "mass_matrix": evaluation.mass_matrix,
                "energy": energy,
            }
        )
    out.say(evaluation)
    if reactions:
        out.title("Reactions on the body `to`, at the joint")
        axes = "xyz"[: mechanism.dimension]
        out.table(
            ("joint", *(f"{axis} [N]" for axis in axes), "moment [N m]"),
            [(name, *map(float, one.force), _moment(one.moment)) for name, one in reactions.items()],
        )
    out.title("Energy")
    out.table(("", "[J]"), [(key, float(value)) for key, value in energy.items()])
    return 0


def _moment(moment) -> str:
    parts = moment.tolist() if hasattr(moment, "tolist") else moment
    return ", ".join(f"{part:.6g}" for part in (parts if isinstance(parts, list) else [parts]))
