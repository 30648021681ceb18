"""How outputs follow small harmonic motions of a driver, or harmonic forces, at every frequency."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from linkwork.analysis.common import model_in
from linkwork.analysis.inputs import read_inputs
from linkwork.analysis.linear import Linear, linearize
from linkwork.analysis.options import FREQUENCY, Basis, Coordinates, Frequency, Time, Values
from linkwork.arguments import explained
from linkwork.errors import DescriptionError, message
from linkwork.result.frequency import FrequencyResponse
from linkwork.result.state import State
from linkwork.units import whole

COUNT = 400  # frequencies, where none are given
AROUND = 10.0  # times below the slowest and above the fastest mode
BLOCK = 64  # frequencies that are solved for together
NARROW = np.concatenate([-np.logspace(0.0, -3.0, 25), [0.0], np.logspace(-3.0, 0.0, 25)])


@explained
def frequency_response(
    mechanism: Any,
    inputs: str | Sequence[str] | None = None,
    outputs: str | Sequence[str] | None = None,
    *,
    frequencies: Sequence[Frequency] | np.ndarray | None = None,
    count: int | None = None,
    state: Any = None,
    start: Values | State | None = None,
    near: Values | None = None,
    t: Time | None = None,
    coordinates: Coordinates = "auto",
    basis: Basis | None = None,
) -> FrequencyResponse:
    """How far and how late `outputs` follow `inputs` that are small and harmonic, at each of the `frequencies`.

    `inputs` are drivers, whose motion has size one, or forces, as in `linearize`; so are `outputs`, `state`, `start`,
    `near`, `t`, `coordinates` and `basis`.  `frequencies` are a list in Hz; with `count` a pair, between which so many
    are taken in equal ratios.  Without any they reach from a tenth of the slowest mode to ten times the fastest, and
    are close together around each.  A mechanism that does not come back by itself, because it is unstable, is refused.

    Units: frequencies [Hz], t [s].

    >>> m = lw.Mechanism("mass on a spring", gravity=None)
    >>> block = m.add("block", lw.Body(2.0, 1.0))
    >>> _ = m.add("guide", lw.Prismatic("ground", "block"))
    >>> _ = m.add("spring", lw.SpringDamper(m.ground.at(-1, 0), block, stiffness=50.0, rest_length=1.0, damping=4.0))
    >>> found = m.frequency_response("block.x", "block.x", frequencies=[0.0, 5.0 / (2 * np.pi)])
    >>> found.magnitude("block.x").round(6).tolist()
    [0.02, 0.05]
    """
    asked = _frequencies(frequencies, count)
    model = model_in(mechanism, coordinates, basis)
    if not read_inputs(model, inputs, "frequency_response: input"):
        raise DescriptionError(
            message(
                f"Mechanism '{model.mechanism.name}'",
                "has no driver and no force to answer to",
                wanted='an input, such as inputs="rod.y" for a force along it',
            )
        )
    linear = linearize(
        model, state, inputs=inputs, outputs=outputs, start=start, near=near, t=t, coordinates=coordinates
    )
    _settles(linear)
    f = _around(linear) if asked is None else asked
    values = np.concatenate([linear.response(f[k : k + BLOCK]) for k in range(0, len(f), BLOCK)])
    return FrequencyResponse(
        linear.mechanism,
        f,
        values,
        linear.outputs,
        tuple(one.name for one in linear.moved),
        linear.output_units,
        tuple(one.unit for one in linear.moved),
        linear,
    )


def _frequencies(given: Any, count: int | None) -> np.ndarray | None:
    """Frequencies in Hz, in order."""
    item = "frequency_response"
    if given is None:
        if count is not None:
            raise DescriptionError(message(item, "has a count but no frequencies", wanted="frequencies=(first, last)"))
        return None
    if isinstance(given, str) or not hasattr(given, "__len__") or not len(given):
        raise DescriptionError(message(item, "frequencies are no list", repr(given), "numbers in Hz"))
    found = np.array([FREQUENCY.read(one, item, "frequencies") for one in given], dtype=float)
    if np.any(np.diff(found) <= 0.0):
        raise DescriptionError(message(item, "frequencies do not rise", repr(given)[:60], "numbers in rising order"))
    if count is None:
        return found
    number = whole(count, item, "count", 2)
    if len(found) != 2 or not found[0] > 0.0:
        raise DescriptionError(
            message(item, "count= goes with two frequencies above zero", repr(given)[:60], "(first, last)")
        )
    return np.geomspace(found[0], found[1], number)


def _settles(linear: Linear) -> None:
    """Refuse what runs away: a harmonic answer is never reached."""
    values = linear.eigenvalues
    fastest = np.abs(values).max(initial=0.0)
    growing = values[values.real > 1e-6 * fastest]
    if growing.size:
        raise DescriptionError(
            message(
                f"Mechanism '{linear.mechanism}'",
                "is unstable in this state, so that small motions grow whatever moves it",
                f"an eigenvalue of {growing[0].real:.4g} 1/s",
                "a stable state",
                "m.equilibrium() goes to one",
            )
        )


def _around(linear: Linear) -> np.ndarray:
    """Frequencies from well below the slowest mode to well above the fastest, close together where it may be large."""
    values = linear.eigenvalues
    sizes = np.abs(values) / (2.0 * math.pi)
    some = sizes[sizes > 1e-6 * sizes.max(initial=0.0)]
    if not some.size:
        return np.geomspace(0.01, 100.0, COUNT)
    found = [np.geomspace(some.min() / AROUND, some.max() * AROUND, COUNT)]
    for value in values[(values.imag > 0.0) & (sizes > 1e-6 * sizes.max())]:
        wide = 10.0 * max(abs(value.real), 1e-4 * abs(value.imag))
        near = (value.imag + wide * NARROW) / (2.0 * math.pi)
        found.append(near[(near > found[0][0]) & (near < found[0][-1])])
    return np.unique(np.concatenate(found))
