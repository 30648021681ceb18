"""Questions: one a file, one shape of signature, each giving a report or a result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linkwork.arguments import explained
from linkwork.kernels.library import needs_numba
from linkwork.whole import load

if TYPE_CHECKING:
    from linkwork.compiled.model import Model

if needs_numba():  # every question does
    load("numba")


@explained
def compile_mechanism(mechanism: Any, coordinates: str = "auto", basis: Any = None) -> Model:
    """Words to numbers: the immutable model of a mechanism, for repeated runs."""
    from linkwork.analysis.common import model_in
    from linkwork.coordinates import definite

    model = model_in(mechanism, coordinates, basis)
    if coordinates != "auto":
        model.plan(definite(coordinates)).layout.made_ready()
    return model
