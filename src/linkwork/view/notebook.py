"""What mechanisms, positions and results show in a cell of a notebook: a picture and a table."""

from __future__ import annotations

from typing import Any

from linkwork import cells
from linkwork.errors import plural
from linkwork.mechanism.mechanism import Mechanism
from linkwork.result import report

MOST_BODIES = 60  # in a picture that nobody asked for


def mechanism_html(mechanism: Any) -> str:
    """A mechanism: how it looks, and its items."""
    m = mechanism
    families = {"body": m.bodies, "joint": m.joints, "driver": m.drivers, "force": m.forces}
    counts = ", ".join(plural(len(some), word) for word, some in families.items())
    return cells.shown(
        f"Mechanism {m.name}",
        cells.notes(f"in {'the plane' if m.dimension == 2 else 'space'}: {counts}"),
        _picture(m, m.draw, f"drawing of mechanism {m.name}") if m.bodies else "",
        cells.table(
            ("body", "mass [kg]", "points"),
            [(name, body.mass, ", ".join(body.points)) for name, body in m.bodies.items()],
        ),
        cells.table(
            ("joint", "kind", "on", "to", "reads"),
            [(name, type(one).__name__, one.on, one.to, ", ".join(one.readings())) for name, one in m.joints.items()],
        ),
        cells.table(
            ("driver or force", "kind", "reads"),
            [
                *((name, "Driver", one.measure) for name, one in m.drivers.items()),
                *((name, type(one).__name__, ", ".join(one.readings())) for name, one in m.forces.items()),
                *((name, "Reading", one.measure) for name, one in m.readings.items()),
            ],
        ),
        cells.table(("parameter", "value"), list(m.parameters.items())),
    )


def body_html(body: Any) -> str:
    """A body: how it looks in its own frame, and its numbers."""
    inertia = body.inertia if isinstance(body.inertia, tuple) else ()
    deep = bool(inertia) or body.orientation is not None or any(len(one) == 3 for one in body.points.values())
    alone = Mechanism("body", dimension=3 if deep else 2)
    name = body.name or "body"
    placed = {"position": None, "angle": None, "orientation": None, "velocity": None, "angular_velocity": None}
    same = object.__new__(type(body))  # where it starts does not matter here
    same.__dict__.update({**body.__dict__, **placed})
    drawn = ""
    if name != "ground":
        alone.add(name, same)
        drawn = cells.picture(alone.draw, f"drawing of body {name}", size=(4.0, 2.6))
    shape = body.__dict__.get("_shape")
    numbers = {f"{key} of {shape.make.__name__}": one for key, one in shape.numbers().items()} if shape else {}
    return cells.shown(
        f"{type(body).__name__} {name}",
        drawn,
        cells.facts(
            [
                ("mass [kg]", body.mass),
                ("inertia [kg m²]", body.inertia),
                ("mass centre [m]", body.center),
                *numbers.items(),
                *((f"point {key} [m]", value) for key, value in body.points.items()),
                ("starts at [m]", body.position),
                ("starts turned by [rad]", body.angle),
            ]
        ),
    )


def assembly_html(assembly: Any) -> str:
    """An assembly: how it stands, and its report."""
    name = assembly.state.model.mechanism.name
    return cells.shown(
        f"Assembly of {name}",
        _picture(assembly.state.model.mechanism, assembly.draw, f"mechanism {name} as it was assembled"),
        cells.report(str(assembly)),
    )


def state_html(state: Any) -> str:
    """A state: how it stands, and the coordinates of its bodies."""
    return cells.shown(
        f"State of {state.model.mechanism.name} at t = {state.t:.6g} s",
        _picture(state.model.mechanism, state.draw, f"mechanism {state.model.mechanism.name} at this state"),
        cells.table(
            ("coordinate", "value", "rate"),
            [(name, state[name], state[f"{name}.rate"]) for name in _coordinates(state.model, state._result.names)],
        ),
    )


def evaluation_html(evaluation: Any) -> str:
    """An evaluation: how it stands, coordinates with rates and accelerations, and rows with their multipliers."""
    model = evaluation.state.model
    rows = zip(evaluation.rows, evaluation.constraint_error, evaluation.multipliers, strict=True)
    return cells.shown(
        f"{model.mechanism.name} evaluated at t = {evaluation.state.t:.6g} s",
        cells.notes(f"violates {evaluation.violated}" if evaluation.violated else "", *evaluation.notes),
        _picture(model.mechanism, evaluation.draw, f"mechanism {model.mechanism.name} at this state"),
        cells.table(
            ("coordinate", "value", "rate", "acceleration"),
            [
                (name, *(evaluation[name + ending] for ending in ("", ".rate", ".acceleration")))
                for name in _coordinates(model, evaluation.names)
            ],
        ),
        cells.table(("constraint", "error", "multiplier"), rows),
    )


def result_html(run: Any) -> str:
    """A result: how it begins, what it took, how well it kept its laws, what happened, and ranges of what moves."""
    name, s = run.mechanism.name, run.statistics
    if not len(run.t):
        return cells.shown(f"{run.title} of {name}", cells.notes(*(run.ended or "nothing was reached").split("; ")))
    free = set(run.freedoms())
    names = [
        n for n in run.names if n in free or (n.count(".") == 1 and n.partition(".")[2] in (*report.USUAL, "value"))
    ]
    return cells.shown(
        f"{run.title} of {name}",
        cells.notes(
            f"{run.t[0]:g} to {run.t[-1]:g} s, {len(run.t)} times, {s.steps} steps, {run.coordinates} coordinates"
            + report.held(run),
            *report.remarks(run),
        ),
        _picture(run.mechanism, run.draw, f"mechanism {name} at {run.t[0]:g} s"),
        cells.facts(
            [
                ("largest constraint error", run.violation.max() if run.model.rows else None),
                (
                    "energy not accounted for [J]",
                    abs(run.energy.balance).max() if "energy.balance" in run.names else None,
                ),
            ]
        ),
        cells.table(
            ("event", "t [s]", "lost [J]", "done"),
            [(one.name, one.t, one.energy_lost, ", ".join(one.done) or "recorded") for one in run.events],
            most=12,
        ),
        cells.table(
            ("series", "unit", "first", "last", "least", "greatest"),
            [(one, run.unit(one), run[one][0], run[one][-1], run[one].min(), run[one].max()) for one in names],
            most=12,
        ),
    )


def result_of_interrupt(run: Any, told: str) -> list[str]:
    """Show what a run had reached when Ctrl-C came; returns the lines that stand in place of a traceback.

    A notebook asks for the lines more than once, and shows the cell once.
    """
    from IPython.display import display

    if not run.__dict__.setdefault("_was_shown", False):
        run._was_shown = True
        display(run)
    return ["KeyboardInterrupt", *told.split("; ")]


def comparison_html(comparison: Any) -> str:
    """Two runs compared: the worst series over each other, and the table."""
    return cells.shown(
        "Two runs compared",
        cells.picture(comparison.plot, "two runs over each other, and their differences"),
        cells.report(str(comparison)),
    )


def _coordinates(model, names) -> list[str]:
    known = set(names)
    return [name for name in model.coordinate_names if name in known]


def _picture(mechanism, draw, said: str) -> str:
    if len(mechanism.bodies) > MOST_BODIES:
        return cells.notes(f"no picture of more than {MOST_BODIES} bodies unless asked for: .draw()")
    return cells.picture(draw, said)
