"""How a mechanism swings where it comes to rest: frequencies, damping, shapes, and a step that shows them."""

from __future__ import annotations

from linkwork.cli import model

HELP = "frequencies and damping of a model file where it comes to rest"


def arguments(parser) -> None:
    """Declare the options."""
    model.add_file(parser)
    parser.add_argument("--shapes", action="store_true", help="print the shapes too")
    model.add_start(parser)
    model.add_json(parser)


def run(options, out) -> int:
    """Do it."""
    mechanism, analysis = model.open_model(options)
    found = mechanism.modes(**model.rest_options(options, analysis))
    out.data(
        {
            "ok": True,
            "mechanism": mechanism.name,
            "t": found.state.t,
            "stability": found.stability,
            "step": found.step,
            "error": found.error,
            "modes": [mode_data(mode) for mode in found],
        }
    )
    out.say(found)
    if options.shapes:
        for k, mode in enumerate(found):
            out.title(f"Shape of mode {k}, {mode.frequency:.6g} Hz")
            parts = sorted(mode.shape.items(), key=lambda one: -abs(one[1]))
            out.table(
                ("coordinate", "size", "real", "imaginary"),
                [(name, abs(value), value.real, value.imag) for name, value in parts if abs(value) > 1e-9],
            )
    return 0


def mode_data(mode) -> dict:
    """A mode for machines."""
    return {
        "frequency": mode.frequency,
        "undamped": mode.undamped,
        "damping_ratio": mode.damping_ratio,
        "time_constant": mode.time_constant,
        "eigenvalue": [mode.eigenvalue.real, mode.eigenvalue.imag],
        "shape": {name: [value.real, value.imag] for name, value in mode.shape.items()},
    }
