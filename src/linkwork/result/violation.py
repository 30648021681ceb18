"""How far a state is off its constraints: positions and velocities, by the names of the rows."""

from __future__ import annotations

import numpy as np

from linkwork.records import dataclass

TOLD = 1e-6  # more than this, against a length or a radian, or against the speeds of the rows, is told
SHOWN = 3  # rows named in a sentence; of more, the rest is counted


@dataclass(frozen=True)
class Violation:
    """Rows that a state does not meet, the worst first, and the largest error of all rows against their size."""

    positions: dict[str, float]
    velocities: dict[str, float]
    position: float
    velocity: float

    def __bool__(self) -> bool:
        return bool(self.positions or self.velocities)

    def __str__(self) -> str:
        return " and ".join(
            f"{what} of {_listed(rows)}"
            for what, rows in (("positions", self.positions), ("velocities", self.velocities))
            if rows
        )


def _listed(rows: dict[str, float]) -> str:
    parts = [f"{name} ({off:.3g})" for name, off in list(rows.items())[:SHOWN]]
    return ", ".join(parts) + (f" and {len(rows) - SHOWN} more" if len(rows) > SHOWN else "")


def violation_of(state) -> Violation:
    """What a state violates: all rows are asked that are not free, also those that were dropped as redundant."""
    model, system = state.model, state.system(held=False)
    system.locate(state.t, state.y)
    rates, sizes = system.row_rates(state.y[model.n_q : model.n_q + model.n_v])
    names = [row.name for row in system.plan.rows]
    moves, moving = system.phi.copy(), rates - system.nu
    of_place, of_speed = system.row_scale, max(1e-3, (sizes + np.abs(system.nu)).max(initial=0.0))
    if model.dimension == 3:  # Euler parameters of a length that is not one turn nothing
        turns = state.y[: model.n_q].reshape(-1, 7)[:, 3:]
        names += [f"orientation of {body.name}" for body in model.bodies]
        moves = np.concatenate([moves, np.linalg.norm(turns, axis=1) - 1.0])
        of_place = np.concatenate([of_place, np.ones(len(model.bodies))])
    return Violation(
        _named(names, moves, moves / of_place),
        _named(names, moving, moving / of_speed),
        _largest(moves / of_place),
        _largest(moving / of_speed),
    )


def _named(names, errors, relative) -> dict[str, float]:
    worst = np.argsort(-np.abs(np.nan_to_num(relative, nan=np.inf)), kind="stable")
    return {names[r]: float(errors[r]) for r in worst if not abs(relative[r]) <= TOLD}


def _largest(relative) -> float:
    return float(np.abs(np.nan_to_num(relative, nan=np.inf)).max(initial=0.0))
