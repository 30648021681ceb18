"""Integrators: one method a file, each a table of coefficients for the kernel that takes its steps."""

from __future__ import annotations

from linkwork.analysis.integrators.dop853 import DOP853
from linkwork.analysis.integrators.dopri5 import DOPRI5
from linkwork.analysis.integrators.method import Choosing as Choosing
from linkwork.analysis.integrators.method import Implicit as Implicit
from linkwork.analysis.integrators.method import Method as Method
from linkwork.analysis.integrators.radau import RADAU
from linkwork.analysis.integrators.radau_soft import RADAU_SOFT
from linkwork.analysis.integrators.rk4 import RK4
from linkwork.analysis.integrators.rkc import RKC
from linkwork.errors import DescriptionError, UnknownNameError, message

METHODS: dict[str, Method | Implicit] = {
    method.name: method for method in (RK4, DOPRI5, DOP853, RKC, RADAU, RADAU_SOFT)
}

#: explicit until stiffness is told, then implicit
AUTO = Choosing("auto", DOP853, RADAU, RADAU_SOFT)
#: what users may say; methods of other packages come later
NAMES = (AUTO.name, *METHODS)


def register(method: Method | Implicit) -> Method | Implicit:
    """Have a method of another package called by its name."""
    if method.name == AUTO.name or METHODS.get(method.name, method) is not method:
        raise DescriptionError(message(f"Method '{method.name}'", "is there already", remedy="choose another name"))
    METHODS[method.name] = method
    return method


def get_method(method) -> Method | Implicit | Choosing:
    """A method by name, or the method itself."""
    if isinstance(method, (Method, Implicit, Choosing)):
        return method
    if isinstance(method, str) and method == AUTO.name:
        return AUTO
    if not isinstance(method, str) or method not in METHODS:
        raise UnknownNameError("integration method", str(method), [AUTO.name, *METHODS])
    return METHODS[method]
