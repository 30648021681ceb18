"""Units by their text: "N/mm", "kg*cm^2", "m/s2" to a factor and a dimension.

    unit      factor, or factors joined by *, a space or a middle dot (product) and / (quotient)
    factor    name, 1, or (unit); with a power: ^2  **-1  ²  ⁻¹, or digits after a name: m/s2

Factors are exact fractions times a power of pi. Nothing in a text is executed; its length, powers and parentheses are
limited.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from linkwork.errors import nearest_names

LONGEST_TEXT = 100
LARGEST_POWER = 9
DEEPEST = 5
_MOST_BITS = 2000  # of the fraction of a unit


class Unit(NamedTuple):
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
        """Powers of m, kg and s."""
        return self.length, self.mass, self.time

    def times(self, other: Unit) -> Unit:
        """The product of two units."""
        powers = [a + b for a, b in zip(self[1:6], other[1:6], strict=True)]
        return Unit._make([self.factor * other.factor, *powers, self.cycles or other.cycles])

    def power(self, n: int) -> Unit:
        """A whole power of the unit."""
        return Unit._make([self.factor**n, *(n * a for a in self[1:6]), self.cycles])


_ONE = Unit(Fraction(1))
_PREFIXES = {
    "n": -9, "u": -6, "µ": -6, "μ": -6, "m": -3, "c": -2, "d": -1, "h": 2, "k": 3, "M": 6, "G": 9,
}  # fmt: skip


def _table() -> dict[str, Unit]:
    """All units by name."""
    m, kg, s, rad = _ONE._replace(length=1), _ONE._replace(mass=1), _ONE._replace(time=1), _ONE._replace(angle=1)
    newton = Unit(Fraction(1), 0, 1, 1, -2)
    pascal, joule, watt = newton.times(m.power(-2)), newton.times(m), newton.times(m).times(s.power(-1))
    hertz = s.power(-1)._replace(cycles=True)
    litre = m.power(3)._replace(factor=Fraction(1, 1000))
    gram = kg._replace(factor=Fraction(1, 1000))

    def of(unit: Unit, factor: str, turns: int = 0) -> Unit:
        return unit._replace(factor=unit.factor * Fraction(factor), turns=unit.turns + turns)

    found: dict[str, Unit] = {}
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


UNITS = _table()

# what a dimension (powers of m, kg, s, rad) is called in messages
KINDS = {
    (0, 0, 0, 0): "a pure number", (1, 0, 0, 0): "a length", (2, 0, 0, 0): "an area", (3, 0, 0, 0): "a volume",
    (0, 1, 0, 0): "a mass", (0, 0, 1, 0): "a time", (0, 0, 0, 1): "an angle", (0, 0, -1, 0): "a frequency",
    (1, 0, -1, 0): "a speed", (1, 0, -2, 0): "an acceleration", (0, 0, -1, 1): "an angular speed",
    (0, 0, -2, 1): "an angular acceleration", (2, 1, 0, 0): "a moment of inertia", (1, 1, -2, 0): "a force",
    (2, 1, -2, 0): "a torque or energy", (2, 1, -3, 0): "a power", (-1, 1, -2, 0): "a pressure",
    (0, 1, -2, 0): "a stiffness", (0, 1, -1, 0): "a damping", (2, 1, -2, -1): "a torsional stiffness",
    (2, 1, -1, -1): "a torsional damping", (1, 1, -1, 0): "a momentum", (2, 1, -1, 0): "an angular momentum",
    (-3, 1, 0, 0): "a density",
}  # fmt: skip

# what an engineer writes for a dimension (powers of m, kg, s, rad), where that is not its base units
USUAL = {
    (1, 1, -2, 0): "N", (2, 1, -2, 0): "N m", (2, 1, -3, 0): "W", (-1, 1, -2, 0): "Pa", (0, 1, -2, 0): "N/m",
    (0, 1, -1, 0): "N s/m", (2, 1, -2, -1): "N m/rad", (2, 1, -1, -1): "N m s/rad",
}  # fmt: skip

_TOKEN = re.compile(r"\s*(\*\*|[*/^()·⋅×]|[A-Za-zµμ]+|°|[0-9]+|[⁻⁰¹²³⁴-⁹]+|[+-][0-9]+)")
_NAME = re.compile(r"[^\W\d]\w*")
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


class WrongUnit(Exception):
    """What is wrong with a unit's text, and a remedy."""

    def __init__(self, wrong: str, remedy: str | None = None) -> None:
        super().__init__(wrong)
        self.remedy = remedy


@lru_cache(maxsize=512)
def unit_of(text: str) -> Unit:
    """The unit that a text means; raises `WrongUnit`."""
    if len(text) > LONGEST_TEXT:
        raise WrongUnit(f"the unit is too long ({len(text)} characters; at most {LONGEST_TEXT})")
    tokens, place = [], 0
    while place < len(text.rstrip()):
        found = _TOKEN.match(text, place)
        if found is None:
            sign = text[place:].strip()[0]
            raise WrongUnit(
                f"'{sign}' has no place in a unit",
                "give the quantities as parameters of an expression"
                if sign in "+-"
                else "write it like kg*m^2 or N/mm",
            )
        tokens.append((found[1], found.start(1) > place))
        place = found.end()
    if not tokens:
        raise WrongUnit("the unit is empty", "write it like kg*m^2 or N/mm, or 1 for a pure number")
    unit, place = _product(tokens, 0, 0)
    if place < len(tokens):
        raise WrongUnit("a parenthesis is closed that was not opened")
    return unit


def leading_unit(text: str, taken: Collection[str]) -> int:
    """Length of the longest unit that a text begins with, 0 if it begins with none.

    Names in `taken` mean something else, and so does a name before a parenthesis: min(...) is no minute.
    """
    ends, place = [], 0
    while (found := _TOKEN.match(text, place)) is not None:
        name = _NAME.match(text, found.start(1))
        if name is not None and (
            unicodedata.normalize("NFKC", name[0]) in taken
            or found[1] not in UNITS
            or not (name[0][len(found[1]) :] or "0").isdecimal()
            or text[name.end() :].lstrip()[:1] == "("
        ):
            break
        place = found.end()
        ends.append(place)
    for end in reversed(ends):
        try:
            unit_of(text[:end].strip())
        except WrongUnit:
            continue
        return end
    return 0


def _product(tokens: list[tuple[str, bool]], place: int, depth: int) -> tuple[Unit, int]:
    """Factors joined by products and quotients, up to a closing parenthesis or the end."""
    if depth > DEEPEST:
        raise WrongUnit(f"the parentheses are nested deeper than {DEEPEST}")
    unit, place = _factor(tokens, place, depth)
    divided = False
    while place < len(tokens) and tokens[place][0] != ")":
        sign = tokens[place][0]
        if sign in ("*", "·", "⋅", "×", "/"):
            place += 1
        elif divided:
            raise WrongUnit(
                "a space after a quotient is not clear", "write parentheses or signs, such as kg/(m*s) or kg*s/m"
            )
        factor, place = _factor(tokens, place, depth)
        divided = divided or sign == "/"
        unit = unit.times(factor.power(-1) if sign == "/" else factor)
        _check_size(unit)
    return unit, place


def _factor(tokens: list[tuple[str, bool]], place: int, depth: int) -> tuple[Unit, int]:
    """One name or parenthesis with its power."""
    token = tokens[place][0] if place < len(tokens) else ""
    if token == "(":
        unit, place = _product(tokens, place + 1, depth + 1)
        if place == len(tokens):
            raise WrongUnit("a parenthesis is not closed")
        place += 1
    elif token == "1":
        return _ONE, place + 1
    elif token in UNITS:
        unit, place = UNITS[token], place + 1
        if place < len(tokens) and tokens[place][0].isdecimal() and not tokens[place][1]:  # m/s2
            power = tokens[place][0]
            return _raised(unit, power), place + 1
    elif token.isalpha():
        close = nearest_names(token, UNITS)
        raise WrongUnit(
            f"the unit '{token}' is not known",
            f"nearest: {', '.join(close)}"
            if close
            else "join units by signs, such as N*m, and use names such as mm, kg, s, deg, rpm, N",
        )
    elif token.isdecimal():
        raise WrongUnit(f"the number {token} stands where a unit should", "give one number, then its unit")
    else:
        place_text = f"before {token!r}" if token else "at the end"
        raise WrongUnit(f"a unit is missing {place_text}", "write it like kg*m^2 or N/mm")
    if place < len(tokens):
        token = tokens[place][0]
        if token in ("^", "**"):
            power = tokens[place + 1][0] if place + 1 < len(tokens) else ""
            return _raised(unit, power), place + 2
        raised = token.translate(_RAISED)
        if raised != token:
            return _raised(unit, raised), place + 1
    return unit, place


def _raised(unit: Unit, power: str) -> Unit:
    if not re.fullmatch(r"[+-]?[0-9]{1,3}", power) or abs(int(power)) > LARGEST_POWER:
        raise WrongUnit(
            f"the power {power!r} is not usable" if power else "a power is missing",
            f"powers are whole numbers from -{LARGEST_POWER} to {LARGEST_POWER}",
        )
    n = int(power)
    if abs(n) * _bits(unit) > _MOST_BITS:
        raise WrongUnit("the unit is too large or too small")
    return unit.power(n)


def _bits(unit: Unit) -> int:
    return max(unit.factor.numerator.bit_length(), unit.factor.denominator.bit_length(), *map(abs, unit[1:6]))


def _check_size(unit: Unit) -> None:
    if _bits(unit) > _MOST_BITS:
        raise WrongUnit("the unit is too large or too small")


def kind(unit: Unit) -> str:
    """What a unit measures, in words and in SI: "a torque or energy (N m or J)"."""
    words = KINDS.get((*unit.dimension, unit.angle), "a quantity")
    return f"{words} ({usual_text(unit)}{' or J' if words.endswith('energy') else ''})"


def usual_text(unit: Unit) -> str:
    """The SI unit of the same dimension as it is usually written: N/m for kg/s^2."""
    return USUAL.get((*unit.dimension, unit.angle)) or si_text(unit)


def si_text(unit: Unit) -> str:
    """The SI unit of the same dimension, in base units."""
    named = (("kg", unit.mass), ("m", unit.length), ("s", unit.time), ("rad", unit.angle))
    up = [f"{name}^{n}" if n > 1 else name for name, n in named if n > 0]
    down = [f"{name}^{-n}" if n < -1 else name for name, n in named if n < 0]
    text = " ".join(up) or "1"
    if down:
        text += f"/({' '.join(down)})" if len(down) > 1 else f"/{down[0]}"
    return text
