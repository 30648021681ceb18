"""Integrators: one method a file, each a table of coefficients for the one Runge-Kutta kernel."""

from __future__ import annotations

from linkwork.analysis.integrators.dop853 import DOP853
from linkwork.analysis.integrators.dopri5 import DOPRI5
from linkwork.analysis.integrators.method import Method
from linkwork.analysis.integrators.rk4 import RK4
from linkwork.analysis.integrators.rkc import RKC
from linkwork.errors import DescriptionError, UnknownNameError, message

METHODS = {method.name: method for method in (RK4, DOPRI5, DOP853, RKC)}


def register(method: Method) -> Method:
    """Have a method of another package called by its name."""
    if METHODS.get(method.name, method) is not method:
        raise DescriptionError(message(f"Method '{method.name}'", "is there already", remedy="choose another name"))
    METHODS[method.name] = method
    return method


def get_method(method) -> Method:
    """A method by name, or the method itself."""
    if isinstance(method, Method):
        return method
    if not isinstance(method, str) or method not in METHODS:
        raise UnknownNameError("integration method", str(method), list(METHODS))
    return METHODS[method]
