"""Functions of time for drivers and forces (Nikravesh, Planar Multibody Dynamics, 2nd ed., 8.1.3 and B.2).

Every function is called with t and gives f, f' and f''. In types b and c, x = t - t_start and T = t_end -
t_start.
"""

from dataclasses import dataclass

import numpy as np

from linkwork.errors import DescriptionError, message


@dataclass(frozen=True)
class FunctionA:
    """f = c1 + c2 t + c3 t^2: constant speed or constant acceleration (8.1)."""

    coeff: tuple = (0.0, 0.0, 0.0)

    def __call__(self, t):
        c1, c2, c3 = self.coeff
        return c1 + c2 * t + c3 * t**2, c2 + 2 * c3 * t, 2 * c3


@dataclass(frozen=True)
class FunctionB:
    """Smooth step from f_start to f_end; f' and f'' are zero at both ends (8.2, printed without f_start)."""

    t_start: float = 0.0
    f_start: float = 0.0
    t_end: float = 1.0
    f_end: float = 1.0

    @property
    def coefficients(self):
        """c1, c2, c3 of x^3, x^4, x^5."""
        T, rise = self.t_end - self.t_start, self.f_end - self.f_start
        return 10 * rise / T**3, -15 * rise / T**4, 6 * rise / T**5

    def __call__(self, t):
        if t <= self.t_start:
            return self.f_start, 0.0, 0.0
        if t >= self.t_end:
            return self.f_end, 0.0, 0.0
        return _polynomial((self.f_start, 0.0, 0.0, *self.coefficients), t - self.t_start)


@dataclass(frozen=True)
class FunctionC:
    """Speed ramp from rest to f' = dfdt_end, kept after t_end; f'' and f''' are zero at both ends (8.3)."""

    t_start: float = 0.0
    f_start: float = 0.0
    t_end: float = 1.0
    dfdt_end: float = 1.0

    @property
    def coefficients(self):
        """c1, c2, c3, c4 of x^3, x^4, x^5, x^6; the end conditions make c1 zero."""
        T, V = self.t_end - self.t_start, self.dfdt_end
        return 0.0, 2.5 * V / T**3, -3 * V / T**4, V / T**5

    def __call__(self, t):
        if t <= self.t_start:
            return self.f_start, 0.0, 0.0
        x, T = t - self.t_start, self.t_end - self.t_start
        if x >= T:
            return self.f_start + self.dfdt_end * (x - T / 2), self.dfdt_end, 0.0
        return _polynomial((self.f_start, 0.0, 0.0, *self.coefficients), x)


def function(type="a", **fields):
    """The function of type "a", "b" or "c" with the fields of table B.6."""
    types = {"a": FunctionA, "b": FunctionB, "c": FunctionC}
    if type not in types:
        wanted = f"one of {sorted(types)}"
        raise DescriptionError(message("A function", "has an unknown type", got=repr(type), wanted=wanted))
    if "coeff" in fields:
        fields["coeff"] = tuple(fields["coeff"])
    return types[type](**fields)


def _polynomial(coefficients, x):
    p = np.polynomial.Polynomial(coefficients)
    return float(p(x)), float(p.deriv()(x)), float(p.deriv(2)(x))
