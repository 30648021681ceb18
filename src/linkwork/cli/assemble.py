"""Put a mechanism together and print the corrected initial conditions."""

from __future__ import annotations

import math

from linkwork.cli import model

HELP = "corrected initial conditions of a model file"
CLOSE = 1e-6  # initial conditions that differ by less were not corrected, only completed to all digits


def arguments(parser) -> None:
    """Declare the options."""
    model.add_file(parser)
    model.add_start(parser)
    model.add_weights(parser)
    model.add_json(parser)


def run(options, out) -> int:
    """Do it."""
    mechanism, analysis = model.open_model(options)
    assembly = mechanism.assemble(**model.assembly_options(options, analysis))
    found = corrected(mechanism, assembly.state)
    out.data(
        {
            "ok": True,
            "mechanism": mechanism.name,
            "t": assembly.state.t,
            "freedom": assembly.freedom,
            "coordinates": {name: {"value": value, "rate": rate} for name, value, rate in found},
            "moved": assembly.moved,
            "independent": assembly.independent if out.json else {},
            "other ways": len(assembly.others) if out.json else 0,
        }
    )
    out.say(assembly)
    show(out, found)
    return 0


def corrected(mechanism, state) -> list[tuple[str, float, float]]:
    """(name, value, rate) of every body coordinate at a state."""
    evaluation = mechanism.evaluate(state)
    known = set(evaluation.names)
    return [(name, evaluation[name], evaluation[f"{name}.rate"]) for name in evaluation.columns if name in known]


def changed(result) -> list[tuple[str, float, float]]:
    """(name, given, corrected) of every declared position and velocity that a run does not start with."""
    found = []
    for body in result.mechanism.bodies.values():
        for quantity, given in (("", body.position), (".rate", body.velocity)):
            found += [(f"{body.name}.{axis}{quantity}", value) for axis, value in zip("xyz", given or ())]
        if result.mechanism.dimension == 2:
            found += [
                (f"{body.name}.{quantity}", value)
                for quantity, value in (("angle", body.angle), ("angle.rate", body.angular_velocity))
                if value is not None
            ]
    known = set(result.names)
    pairs = [(name, value, float(result[name][0])) for name, value in found if name in known]
    return [
        (name, given, start)
        for name, given, start in pairs
        if abs(start - given) > CLOSE * max(1.0, abs(given)) and not _whole_turns(name, start - given)
    ]


def _whole_turns(name: str, difference: float) -> bool:
    return name.endswith(".angle") and abs(math.remainder(difference, 2 * math.pi)) <= CLOSE


def show(out, found) -> None:
    """Print corrected initial conditions."""
    out.title("Corrected initial conditions")
    out.table(("coordinate", "value", "rate"), [(name, f"{value:.9g}", f"{rate:.9g}") for name, value, rate in found])
