"""Quantities with units at the border: "30 deg", "1200 rpm", "20 N/mm", "5 kg*cm^2" to SI, and back on reading.

    text      number [unit]                         "3" is a plain number, which is always SI (radians for angles)
    unit      factor, or factors joined by *, a space or a middle dot (product) and / (quotient)
    factor    name, 1, or (unit); with a power: ^2  **-1  ²  ⁻¹, or digits after a name: m/s2

Quotients are taken from left to right, m/s/s = m/s^2. After a quotient a product by a space alone is refused, because
readers differ on what kg/m s means: write kg/(m s) or kg*s/m. Names are as in SI, upper and lower case count.

An angle in radians is a number, so rad may be left out of what is given ("5 N m" for "N m/rad"), but not put in where
none is wanted: "30 deg" is no length and no pure number. Hz is refused where rad/s is wanted (or the reverse), because
it leaves open whether 2 pi is meant: rev/s, rpm and rad/s do not.

Factors are exact fractions times a power of pi, so "29 cm" is the same number as 0.29 and "180 deg" the same as pi.
Nothing in a text is executed; its length, powers and parentheses are limited.
"""

from __future__ import annotations

import math
import numbers
import re
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from linkwork.errors import DescriptionError, UnitError, message, nearest_names

__all__ = ["ANY", "MEASURE_UNITS", "convert", "is_quantity", "si", "unit_names"]

#: as the unit wanted: every unit will do, where nobody can say which is right
ANY = "any"
#: SI units of a measure by its quantity: of the value, its rate and its acceleration
MEASURE_UNITS = {
    "length": ("m", "m/s", "m/s^2"),
    "angle": ("rad", "rad/s", "rad/s^2"),
    "cosine": ("1", "1/s", "1/s^2"),
}

LONGEST_TEXT = 100
LARGEST_POWER = 9
DEEPEST = 5
_MOST_BITS = 2000  # of the fraction of a unit


class _Unit(NamedTuple):
    """factor * pi^turns in SI, and the dimension as powers of m, kg, s and rad; `cycles` where Hz takes part."""

    factor: Fraction
    turns: int = 0
    length: int = 0
    mass: int = 0
    time: int = 0
    angle: int = 0
    cycles: bool = False

    @property
    def dimension(self) -> tuple[int, int, int]:
        return self.length, self.mass, self.time

    def times(self, other: _Unit) -> _Unit:
        powers = [a + b for a, b in zip(self[1:6], other[1:6], strict=True)]
        return _Unit._make([self.factor * other.factor, *powers, self.cycles or other.cycles])

    def power(self, n: int) -> _Unit:
        return _Unit._make([self.factor**n, *(n * a for a in self[1:6]), self.cycles])


_ONE = _Unit(Fraction(1))
_PREFIXES = {
    "n": -9, "u": -6, "µ": -6, "μ": -6, "m": -3, "c": -2, "d": -1, "h": 2, "k": 3, "M": 6, "G": 9,
}  # fmt: skip


def _table() -> dict[str, _Unit]:
    """All units by name."""
    m, kg, s, rad = _ONE._replace(length=1), _ONE._replace(mass=1), _ONE._replace(time=1), _ONE._replace(angle=1)
    newton = _Unit(Fraction(1), 0, 1, 1, -2)
    pascal, joule, watt = newton.times(m.power(-2)), newton.times(m), newton.times(m).times(s.power(-1))
    hertz = s.power(-1)._replace(cycles=True)
    litre = m.power(3)._replace(factor=Fraction(1, 1000))
    gram = kg._replace(factor=Fraction(1, 1000))

    def of(unit: _Unit, factor: str, turns: int = 0) -> _Unit:
        return unit._replace(factor=unit.factor * Fraction(factor), turns=unit.turns + turns)

    found: dict[str, _Unit] = {}
    for name, unit, prefixes in (
        ("m", m, "nuµμmcdk"), ("g", gram, "nuµμmkM"), ("N", newton, "nuµμmcdkMG"), ("s", s, "nuµμmk"),
        ("Pa", pascal, "mhkMG"), ("J", joule, "nuµμmkMG"), ("W", watt, "nuµμmkMG"), ("Hz", hertz, "mkMG"),
        ("Nm", joule, "uµμmckM"), ("rad", rad, "uµμm"), ("l", litre, "uµμmcdh"), ("L", litre, "uµμmcdh"),
        ("bar", of(pascal, "100000"), "m"), ("t", of(kg, "1000"), "k"), ("Wh", of(joule, "3600"), "kMG"),
    ):  # fmt: skip
        found[name] = unit
        for prefix in prefixes:
            found[prefix + name] = unit._replace(factor=unit.factor * Fraction(10) ** _PREFIXES[prefix])
    pound, inch = "0.45359237", "0.0254"
    gravity = Fraction("9.80665")
    lbf = of(newton, pound)._replace(factor=Fraction(pound) * gravity)
    foot = of(m, "0.3048")
    found |= {
        "deg": of(rad, "1/180", 1), "°": of(rad, "1/180", 1), "rev": of(rad, "2", 1), "turn": of(rad, "2", 1),
        "arcmin": of(rad, "1/10800", 1), "arcsec": of(rad, "1/648000", 1), "gon": of(rad, "1/200", 1),
        "rpm": of(rad, "1/30", 1).times(s.power(-1)),
        "min": of(s, "60"), "h": of(s, "3600"), "day": of(s, "86400"),
        "in": of(m, inch), "ft": foot, "yd": of(m, "0.9144"), "mi": of(m, "1609.344"),
        "mph": of(m, "0.44704").times(s.power(-1)),
        "lb": of(kg, pound), "oz": of(kg, "0.028349523125"), "slug": lbf.times(s.power(2)).times(foot.power(-1)),
        "lbf": lbf, "kgf": newton._replace(factor=gravity), "dyn": of(newton, "1/100000"),
        "psi": lbf.times(of(m, inch).power(-2)), "atm": of(pascal, "101325"),
        "hp": of(lbf.times(foot), "550").times(s.power(-1)), "PS": of(watt, "735.49875"),
    }  # fmt: skip
    return found


_UNITS = _table()

# what a dimension (powers of m, kg, s, rad) is called in messages
_KINDS = {
    (0, 0, 0, 0): "a pure number", (1, 0, 0, 0): "a length", (2, 0, 0, 0): "an area", (3, 0, 0, 0): "a volume",
    (0, 1, 0, 0): "a mass", (0, 0, 1, 0): "a time", (0, 0, 0, 1): "an angle", (0, 0, -1, 0): "a frequency",
    (1, 0, -1, 0): "a speed", (1, 0, -2, 0): "an acceleration", (0, 0, -1, 1): "an angular speed",
    (0, 0, -2, 1): "an angular acceleration", (2, 1, 0, 0): "a moment of inertia", (1, 1, -2, 0): "a force",
    (2, 1, -2, 0): "a torque or energy", (2, 1, -3, 0): "a power", (-1, 1, -2, 0): "a pressure",
    (0, 1, -2, 0): "a stiffness", (0, 1, -1, 0): "a damping", (2, 1, -2, -1): "a torsional stiffness",
    (2, 1, -1, -1): "a torsional damping", (1, 1, -1, 0): "a momentum", (2, 1, -1, 0): "an angular momentum",
    (-3, 1, 0, 0): "a density",
}  # fmt: skip

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_TOKEN = re.compile(r"\s*(\*\*|[*/^()·⋅×]|[A-Za-zµμ]+|°|[0-9]+|[⁻⁰¹²³⁴-⁹]+|[+-][0-9]+)")
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


class _Wrong(Exception):
    """What is wrong with a unit's text, and a remedy."""

    def __init__(self, wrong: str, remedy: str | None = None) -> None:
        super().__init__(wrong)
        self.remedy = remedy


def si(value: Any, unit: str, item: str, what: str) -> float:
    """`value` as a finite number in the SI unit `unit` ("m", "rad", "N m/rad", "1", or `ANY`).

    A number is taken as it is; a text has a number and a unit of the same dimension. `item` and `what` name the thing
    in messages: ``si("30 mm", "m", "Body 'crank'", "position")``.

    >>> si("20 N/mm", "N/m", "Spring", "stiffness")
    20000.0
    """
    if isinstance(value, bool) or not isinstance(value, numbers.Real | str):
        wanted = f"a finite number{_such_as(unit)}"
        raise DescriptionError(message(item, f"{what} is not a number", _shown(value), wanted))
    found = _read(value, unit, item, what) if isinstance(value, str) else float(value)
    if not math.isfinite(found):
        raise DescriptionError(message(item, f"{what} is not finite", _shown(value), "a finite number"))
    return found


def convert(values: Any, unit: str, to: str, item: str = "Quantity") -> Any:
    """Numbers (or an array of them) in the SI unit `unit`, as numbers in the unit `to`.

    >>> convert(3.141592653589793, "rad", "deg")
    180.0
    """
    try:
        source, target = _unit(unit), _unit(to)
    except _Wrong as wrong:
        raise UnitError(message(item, f"cannot be read in {_shown(to)}: {wrong}", remedy=wrong.remedy)) from None
    if not _fits(target, source):
        raise UnitError(
            message(item, f"cannot be read in {_shown(to)}", _kind(target), _wanted(unit), _remedy(target, source))
        )
    # one division each, so that pi becomes exactly 180 deg
    ratio = target.factor / source.factor
    scaled = values / math.pi ** (target.turns - source.turns) if target.turns != source.turns else values
    if ratio.numerator == 1:
        return scaled * float(ratio.denominator)
    return scaled / float(ratio)


def is_quantity(text: Any) -> bool:
    """Whether a text begins as a number with or without a unit does, so that `si` is the one to read it.

    No expression with an operator does ("2*L", "-(t)"): behind the number stands a unit, not an operator.
    """
    if not isinstance(text, str):
        return False
    text = text.strip()
    number = _NUMBER.match(text)
    if number is None:
        return False
    rest = text[number.end():].lstrip()
    return not rest or rest[0] not in "*/+-^.,)%<>=!&|~_"


def unit_names() -> list[str]:
    """All names of units that are known."""
    return sorted(_UNITS)


# -- reading -----------------------------------------------------------------------------------------------------------


def _read(text: str, unit: str, item: str, what: str) -> float:
    wanted = f"a number{_such_as(unit)}"
    if len(text) > LONGEST_TEXT:
        raise UnitError(
            message(item, f"{what} is too long to be a quantity", f"{len(text)} characters", f"at most {LONGEST_TEXT}")
        )
    stripped = text.strip()
    number = _NUMBER.match(stripped)
    if number is None or not is_quantity(stripped):
        raise UnitError(message(item, f"{what} is not a number with a unit", _shown(text), wanted))
    value = float(number[0])
    if not math.isfinite(value):
        raise UnitError(message(item, f"{what} is not finite", _shown(text), "a finite number"))
    rest = stripped[number.end():].strip()
    if not rest:
        return value
    try:
        given = _unit(rest)
    except _Wrong as wrong:
        raise UnitError(message(item, f"{what}: {wrong}", _shown(text), wanted, wrong.remedy)) from None
    if unit != ANY:
        target = _unit(unit)
        if not _fits(given, target):
            remedy = _remedy(given, target) or f"write for example {_example(unit)!r}"
            raise UnitError(message(item, f"{what} has a unit of another kind", f"{_shown(text)}, {_kind(given)}",
                                    _wanted(unit), remedy))  # fmt: skip
    if value == 0.0:
        return value
    try:
        return float(Fraction(number[0]) * given.factor) * math.pi**given.turns
    except OverflowError:
        raise UnitError(message(item, f"{what} is not finite", _shown(text), "a finite number")) from None


@lru_cache(maxsize=512)
def _unit(text: str) -> _Unit:
    """The unit that a text means; raises `_Wrong`."""
    if len(text) > LONGEST_TEXT:
        raise _Wrong(f"the unit is too long ({len(text)} characters; at most {LONGEST_TEXT})")
    tokens, place = [], 0
    while place < len(text.rstrip()):
        found = _TOKEN.match(text, place)
        if found is None:
            raise _Wrong(f"'{text[place:].strip()[0]}' has no place in a unit", "write it like kg*m^2 or N/mm")
        tokens.append((found[1], found.start(1) > place))
        place = found.end()
    if not tokens:
        raise _Wrong("the unit is empty", "write it like kg*m^2 or N/mm, or 1 for a pure number")
    unit, place = _product(tokens, 0, 0)
    if place < len(tokens):
        raise _Wrong("a parenthesis is closed that was not opened")
    return unit


def _product(tokens: list, place: int, depth: int) -> tuple[_Unit, int]:
    """Factors joined by products and quotients, up to a closing parenthesis or the end."""
    if depth > DEEPEST:
        raise _Wrong(f"the parentheses are nested deeper than {DEEPEST}")
    unit, place = _factor(tokens, place, depth)
    divided = False
    while place < len(tokens) and tokens[place][0] != ")":
        sign = tokens[place][0]
        if sign in ("*", "·", "⋅", "×", "/"):
            place += 1
        elif divided:
            raise _Wrong(
                "a space after a quotient is not clear", "write parentheses or signs, such as kg/(m*s) or kg*s/m"
            )
        factor, place = _factor(tokens, place, depth)
        divided = divided or sign == "/"
        unit = unit.times(factor.power(-1) if sign == "/" else factor)
        _check_size(unit)
    return unit, place


def _factor(tokens: list, place: int, depth: int) -> tuple[_Unit, int]:
    """One name or parenthesis with its power."""
    token = tokens[place][0] if place < len(tokens) else ""
    if token == "(":
        unit, place = _product(tokens, place + 1, depth + 1)
        if place == len(tokens):
            raise _Wrong("a parenthesis is not closed")
        place += 1
    elif token == "1":
        return _ONE, place + 1
    elif token in _UNITS:
        unit, place = _UNITS[token], place + 1
        if place < len(tokens) and tokens[place][0].isdecimal() and not tokens[place][1]:  # m/s2
            power = tokens[place][0]
            return _raised(unit, power), place + 1
    elif token.isalpha():
        close = nearest_names(token, _UNITS)
        raise _Wrong(
            f"the unit '{token}' is not known",
            f"nearest: {', '.join(close)}" if close else "join units by signs, such as N*m, and use names such as mm, "
            "kg, s, deg, rpm, N",
        )
    elif token.isdecimal():
        raise _Wrong(f"the number {token} stands where a unit should", "give one number, then its unit")
    else:
        place_text = f"before {token!r}" if token else "at the end"
        raise _Wrong(f"a unit is missing {place_text}", "write it like kg*m^2 or N/mm")
    if place < len(tokens):
        token = tokens[place][0]
        if token in ("^", "**"):
            power = tokens[place + 1][0] if place + 1 < len(tokens) else ""
            return _raised(unit, power), place + 2
        raised = token.translate(_RAISED)
        if raised != token:
            return _raised(unit, raised), place + 1
    return unit, place


def _raised(unit: _Unit, power: str) -> _Unit:
    if not re.fullmatch(r"[+-]?[0-9]{1,3}", power) or abs(int(power)) > LARGEST_POWER:
        raise _Wrong(
            f"the power {power!r} is not usable" if power else "a power is missing",
            f"powers are whole numbers from -{LARGEST_POWER} to {LARGEST_POWER}",
        )
    n = int(power)
    if abs(n) * _bits(unit) > _MOST_BITS:
        raise _Wrong("the unit is too large or too small")
    return unit.power(n)


def _bits(unit: _Unit) -> int:
    return max(unit.factor.numerator.bit_length(), unit.factor.denominator.bit_length(), *map(abs, unit[1:6]))


def _check_size(unit: _Unit) -> None:
    if _bits(unit) > _MOST_BITS:
        raise _Wrong("the unit is too large or too small")


# -- words -------------------------------------------------------------------------------------------------------------


def _fits(given: _Unit, wanted: _Unit) -> bool:
    """Equal dimensions; rad may be missing in what is given, and cycles per second are no angular speed."""
    if given.dimension != wanted.dimension:
        return False
    if (given.cycles and wanted.angle) or (wanted.cycles and given.angle):
        return False
    return given.angle in (0, wanted.angle)


def _kind(unit: _Unit) -> str:
    """What a unit measures, in words and in SI."""
    powers = (*unit.dimension, unit.angle)
    named = (("kg", unit.mass), ("m", unit.length), ("s", unit.time), ("rad", unit.angle))
    up = [f"{name}^{n}" if n > 1 else name for name, n in named if n > 0]
    down = [f"{name}^{-n}" if n < -1 else name for name, n in named if n < 0]
    text = " ".join(up) or "1"
    if down:
        text += f"/({' '.join(down)})" if len(down) > 1 else f"/{down[0]}"
    return f"{_KINDS.get(powers, 'a quantity')} ({text})"


def _wanted(unit: str) -> str:
    kind = _kind(_unit(unit)).split(" (")[0]
    return kind if unit == "1" else f"{kind} ({unit})"


def _such_as(unit: str) -> str:
    """Examples of a quantity."""
    if unit == "1":
        return " without a unit"
    if unit == ANY:
        return ", or text such as '20 N/mm'"
    return f" in {unit}, or text such as {_example(unit)!r}"


_EXAMPLES = {
    "m": "30 mm", "rad": "30 deg", "kg": "200 g", "kg m^2": "5 kg*cm^2", "s": "10 ms", "rad/s": "1200 rpm",
    "m/s": "30 km/h", "N/m": "20 N/mm", "N": "2 kN", "N m": "5 N*mm", "N s/m": "3 N*s/mm", "1": "0.5",
}  # fmt: skip


def _example(unit: str) -> str:
    return _EXAMPLES.get(unit, f"3 {unit}")


def _remedy(given: _Unit, wanted: _Unit) -> str | None:
    if given.dimension == wanted.dimension and (given.cycles or wanted.cycles):
        return "Hz leaves open whether 2 pi is meant: write rev/s, rpm or rad/s"
    return None


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:56] + "..." + text[0]
