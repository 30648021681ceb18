"""Put a mechanism together and print the corrected initial conditions."""

from __future__ import annotations

from linkwork.cli import model

HELP = "corrected initial conditions of a model file"


def arguments(parser) -> None:
    """Declare the options."""
    model.add_file(parser)
    model.add_start(parser)
    model.add_json(parser)


def run(options, out) -> int:
    """Do it."""
    mechanism, analysis = model.open_model(options)
    assembly = mechanism.assemble(**model.start_options(options, analysis))
    found = corrected(mechanism, assembly.state)
    out.data({"ok": True, "mechanism": mechanism.name, "t": assembly.state.t, "freedom": assembly.freedom,
              "coordinates": {name: {"value": value, "rate": rate} for name, value, rate in found},
              "moved": assembly.moved, "other ways": len(assembly.others) if out.json else 0})
    out.say(assembly)
    show(out, found)
    return 0


def corrected(mechanism, state) -> list[tuple[str, float, float]]:
    """(name, value, rate) of every body coordinate at a state."""
    evaluation = mechanism.evaluate(state)
    known = set(evaluation.names)
    return [(name, evaluation[name], evaluation[f"{name}.rate"]) for name in evaluation.columns if name in known]


def show(out, found) -> None:
    """Print corrected initial conditions."""
    out.title("Corrected initial conditions")
    out.table(("coordinate", "value", "rate"), [(name, f"{value:.9g}", f"{rate:.9g}") for name, value, rate in found])
