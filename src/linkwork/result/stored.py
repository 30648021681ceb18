"""What a result consists of, checked when it comes back from a file."""

from __future__ import annotations

import math

import numpy as np

from linkwork.compiled.names import all_measures, measure_of
from linkwork.errors import DescriptionError, message
from linkwork.kernels import layout as at


def arrays_of(mechanism, model, stored) -> dict[str, np.ndarray]:
    """Times, states, rows held, their values and dependencies as arrays; wrong sizes are refused."""
    rows, wide = len(model.rows), model.n_y + model.size(at.N_MEMORY)
    wanted = {"t": (None,), "states": (None, wide), "held": (rows,), "values": (rows,), "dependencies": (None, rows)}
    arrays = {key: np.array(stored[key], dtype=float, order="C") for key in wanted}
    wanted["states"] = (arrays["t"].size, wide)
    for key, shape in wanted.items():
        got = arrays[key].shape
        if len(got) != len(shape) or any(b is not None and a != b for a, b in zip(got, shape)):
            raise DescriptionError(message(f"Result of '{mechanism.name}'",
                                           f"has '{key}' of a size that does not fit its mechanism", str(got),
                                           str(shape).replace("None", "any")))
    t = arrays["t"]
    if not t.size or not np.all(np.isfinite(t)) or np.any(np.diff(t) <= 0.0):
        raise DescriptionError(message(f"Result of '{mechanism.name}'", "has times that do not increase",
                                       wanted="increasing finite numbers"))
    return arrays


def first_turns(result) -> dict[str, float]:
    """Angles that begin beyond half a turn, by name: a position alone does not tell."""
    known = result.state(0).known_turns()
    names = {measure: name for name, measure in all_measures(result.mechanism).items()}
    return {names[measure]: value for measure, value in known.items() if abs(value) > math.pi}


def turns_by_measure(mechanism, said) -> dict | None:
    """The same by measure, from what a file says."""
    if not said:
        return None
    return {measure_of(mechanism, str(name))[0]: float(value) for name, value in dict(said).items()}
