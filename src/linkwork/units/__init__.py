"""Quantities with units at the border: "30 deg", "1200 rpm", "20 N/mm", "5 kg*cm^2" to SI, and back on reading.

    text      number [unit]                         "3" is a plain number, which is always SI (radians for angles)
    unit      factor, or factors joined by *, a space or a middle dot (product) and / (quotient)
    factor    name, 1, or (unit); with a power: ^2  **-1  ²  ⁻¹, or digits after a name: m/s2

Quotients are taken from left to right, m/s/s = m/s^2. After a quotient a product by a space alone is refused, because
readers differ on what kg/m s means: write kg/(m s) or kg*s/m. Names are as in SI, upper and lower case count.

An angle in radians is a number, so rad may be left out of what is given ("5 N m" for "N m/rad"), but not put in where
none is wanted: "30 deg" is no length and no pure number. Hz is refused where an angular speed is wanted (or the
reverse), because it leaves open whether 2 pi is meant: rev/s, rpm and rad/s do not. The frequency of an oscillation is
another thing: there a cycle is 2 pi, and "2 Hz" is 4 pi rad/s.

Factors are exact fractions times a power of pi, so "29 cm" is the same number as 0.29 and "180 deg" the same as pi.
Nothing in a text is executed; its length, powers and parentheses are limited.

>>> lw.units.convert(np.pi, "rad", "deg")
180.0
>>> lw.bar(length="25 cm", mass="300 g").length
0.25
"""

from __future__ import annotations

import math
import numbers
import operator
import re
from fractions import Fraction
from typing import Any, NamedTuple, TypeGuard

from linkwork.errors import DescriptionError, UnitError, UnlikelyAngleWarning, message, warn
from linkwork.tape import Traced, finite, plainly, real
from linkwork.units.names import LONGEST_TEXT, UNITS, Unit, WrongUnit, kind, leading_unit, si_text, unit_of, usual_text

__all__ = [
    "ANY",
    "MEASURE_UNITS",
    "Measured",
    "Number",
    "Unit",
    "convert",
    "is_quantity",
    "leading_unit",
    "like_degrees",
    "must_fit",
    "si",
    "tell_degrees",
    "unit_names",
]

#: as the unit wanted: every unit will do, where nobody can say which is right
ANY = "any"
#: SI units of a measure by its quantity: of the value, its rate and its acceleration
MEASURE_UNITS = {"length": ("m", "m/s", "m/s^2"), "angle": ("rad", "rad/s", "rad/s^2"), "cosine": ("1", "1/s", "1/s^2")}

_PARAMETER = "check the units of the parameters; a plain number in an expression has none"
_GOES_ON = re.compile(r"(?<!\w)t(?!\w)|[-+(]|[*/^]\s*[0-9.]")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]")


class Measured(float):
    """A number in SI that remembers its unit: what a text with a unit becomes where any unit will do."""

    unit: Unit
    text: str  # as it was written, where it was

    def __new__(cls, value: float, unit: Unit, text: str = "") -> Measured:
        made = super().__new__(cls, value)
        made.unit, made.text = unit, text
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Measured, (float(self), self.unit, self.text)

    def written(self) -> str:
        """The number with its SI unit, as a text that is read again: "0.6 m"."""
        return f"{float(self)!r} {usual_text(self.unit)}"


def measured(value: float, unit: Unit) -> Any:
    """A number in SI with its unit."""
    return value.measured(unit) if isinstance(value, Traced) else Measured(value, unit)


def is_measured(value: Any) -> TypeGuard[Measured]:
    """Whether a number knows its unit."""
    return isinstance(value, Measured) or (isinstance(value, Traced) and value.unit is not None)


class Number(NamedTuple):
    """What a number means, for type hints: its SI unit (None: none is read) and the range that it must be in.

    ``Annotated[float, Number("kg", least=0.0)]`` is read by constructors, by model files and by their schema.
    """

    unit: str | None = None
    least: float | None = None
    above: float | None = None
    remedy: str | None = None
    cycles: bool = False  # Hz will do, a cycle being 2 pi

    def read(self, value: Any, item: str, what: str) -> float:
        """`value` as a finite float in SI within the range, or a DescriptionError that names the item."""
        if type(value) is float and self.above == 0.0 and 0.0 < value < math.inf:
            return value  # most of what is read
        if self.unit is not None and (isinstance(value, str) or is_measured(value)):
            value = si(value, self.unit, item, what, self.cycles)
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            raise DescriptionError(message(item, f"{what} is not a number", repr(value), "a finite number"))
        found = _float(value)
        if not finite(found):
            raise DescriptionError(message(item, f"{what} is not finite", repr(found), "a finite number"))
        if (self.least is not None and found < self.least) or (self.above is not None and found <= self.above):
            wanted = f"more than {self.above:g}" if self.least is None else f"at least {self.least:g}"
            raise DescriptionError(message(item, f"{what} is too small", repr(found), wanted, self.remedy))
        return found


def whole(value: Any, item: str, what: str, least: int = 0, most: int | None = None) -> int:
    """`value` as a whole number within the range, or a DescriptionError that names the item."""
    try:
        found = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        found = int(value) if isinstance(value, float) and value.is_integer() else None
    if found is None or found < least or (most is not None and found > most):
        raise DescriptionError(
            message(
                item,
                f"{what} is no whole number that will do",
                shown(value),
                f"{least} or more" if most is None else f"{least} to {most}",
            )
        )
    return found


def _float(value: numbers.Real) -> float:
    """A number of any kind as the one that is computed with; infinite where it is too large for that."""
    try:
        found: float = real(value)
        return found
    except OverflowError:
        return math.inf


def si(value: Any, unit: str, item: str, what: str, cycles: bool = False) -> float:
    """`value` as a finite number in the SI unit `unit` ("m", "rad", "N m/rad", "1", or `ANY`).

    A number is taken as it is; a text has a number and a unit of the same dimension. `item` and `what` name the thing
    in messages: ``si("30 mm", "m", "Body 'crank'", "position")``. With `cycles`, Hz stands for 2 pi rad/s.

    >>> si("20 N/mm", "N/m", "Spring", "stiffness")
    20000.0
    """
    if isinstance(value, bool) or not isinstance(value, numbers.Real | str):
        wanted = f"a finite number{_such_as(unit)}"
        raise DescriptionError(message(item, f"{what} is not a number", shown(value), wanted))
    if is_measured(value):
        given = _turning(value.unit) if cycles else value.unit
        must_fit(given, unit, item, what, f"{plainly(value):g}", _PARAMETER)
        return value if unit == ANY else real(value) * (math.tau if given is not value.unit else 1.0)
    found = _read(value, unit, item, what, cycles) if isinstance(value, str) else _float(value)
    if not finite(found):
        raise DescriptionError(message(item, f"{what} is not finite", shown(value), "a finite number"))
    return found


def like_degrees(value: Any) -> bool:
    """Whether a plain number for an angle was hardly meant in radians: beyond a turn, and round as degrees are.

    A text without a unit is a plain number.
    """
    value = _plain(value)
    if not isinstance(value, numbers.Real) or isinstance(value, bool) or is_measured(value):
        return False
    return abs(_float(value)) > math.tau and (2.0 * _float(value)).is_integer()  # which infinity and nan are not


def tell_degrees(value: Any, what: str) -> None:
    """Warn of a plain number for an angle that looks like degrees."""
    if like_degrees(value):
        value = _plain(value)
        warn(
            message(
                what,
                "looks like degrees, and is in radians",
                f"{value:g}",
                remedy=f'write "{value:g} deg", or "{value:g} rad" if that is meant',
            ),
            UnlikelyAngleWarning,
        )


def _plain(value: Any) -> Any:
    """The number of a text without a unit; all else as it is."""
    if isinstance(value, str) and len(value) <= LONGEST_TEXT and _NUMBER.fullmatch(value.strip()):
        return float(value)
    return value


def must_fit(given: Unit, unit: str, item: str, what: str, got: str, remedy: str | None = None) -> None:
    """Raise a UnitError unless a number of the unit `given` may stand where the SI unit `unit` is wanted."""
    if unit != ANY and not _fits(given, target := unit_of(unit)):
        remedy = _remedy(given, target) or remedy or f"write for example {_example(unit)!r}"
        got = f"{got}, {kind(given)}"
        raise UnitError(message(item, f"{what} has a unit of another kind", got, _wanted(unit), remedy))


def convert(values: Any, unit: str, to: str, item: str = "Quantity") -> Any:
    """Numbers (or an array of them) in the SI unit `unit`, as numbers in the unit `to`.

    >>> convert(3.141592653589793, "rad", "deg")
    180.0
    """
    if not isinstance(to, str):
        raise UnitError(message(item, "cannot be read in what is no unit", shown(to), _wanted(unit)))
    try:
        source, target = unit_of(unit), unit_of(to)
    except WrongUnit as wrong:
        raise UnitError(message(item, f"cannot be read in {shown(to)}: {wrong}", remedy=wrong.remedy)) from None
    if not _fits(target, source):
        raise UnitError(
            message(item, f"cannot be read in {shown(to)}", kind(target), _wanted(unit), _remedy(target, source))
        )
    # one division each, so that pi becomes exactly 180 deg
    ratio = target.factor / source.factor
    scaled = values / math.pi ** (target.turns - source.turns) if target.turns != source.turns else values
    if ratio.numerator == 1:
        return scaled * float(ratio.denominator)
    return scaled / float(ratio)


def is_quantity(text: Any, timed: bool = False) -> bool:
    """Whether a text begins as a number with or without a unit does, so that `si` is the one to read it.

    No expression with an operator does ("2*L", "-(t)"): behind the number stands a unit, not an operator.  Where
    functions of time are read (`timed`), t is the time and no tonne, and a text goes on as an expression if t, a number
    or a sum follows the unit: "1200 rpm*t", "30 deg + 5 deg".
    """
    if not isinstance(text, str):
        return False
    text = text.strip()
    number = _NUMBER.match(text)
    if number is None:
        return False
    rest = text[number.end() :].lstrip()
    if rest and rest[0] in "*/+-^.,)%<>=!&|~_":
        return False
    return not timed or not _GOES_ON.search(rest, leading_unit(rest, {"t"}))


def quantity(text: str) -> tuple[float, str]:
    """The number of a text, and its unit as it is written ("": none); a UnitError where it is no quantity.

    >>> quantity("20 N/mm")
    (20.0, 'N/mm')
    """
    si(text, ANY, "Quantity", "value")
    stripped = text.strip()
    number = _NUMBER.match(stripped)
    assert number is not None  # si has read it
    return float(number[0]), stripped[number.end() :].strip()


def recount(number: float, unit: str, to: str, item: str) -> float:
    """A number of a unit in another one ("" is SI); Hz and rad/s are not made of each other.

    >>> recount(2.0, "N/mm", "N/cm", "Spring")
    20.0
    """
    source, target = unit_of(unit or "1"), unit_of(to or "1")
    alike = source.dimension == target.dimension or not unit or not to
    if not alike or source.cycles != target.cycles:
        raise UnitError(message(item, f"cannot count {shown(unit)} in {shown(to)}"))
    found = float(si(f"{number!r} {unit}".strip(), ANY, item, "value"))
    return float(convert(found, si_text(target), to)) if to else found


def unit_names() -> list[str]:
    """All names of units that are known."""
    return sorted(UNITS)


# -- reading -----------------------------------------------------------------------------------------------------------


def _read(text: str, unit: str, item: str, what: str, cycles: bool) -> float:
    wanted = f"a number{_such_as(unit)}"
    if len(text) > LONGEST_TEXT:
        raise UnitError(
            message(item, f"{what} is too long to be a quantity", f"{len(text)} characters", f"at most {LONGEST_TEXT}")
        )
    stripped = text.strip()
    number = _NUMBER.match(stripped)
    if number is None or not is_quantity(stripped):
        comma = "decimals stand behind a point" if _DECIMAL_COMMA.match(stripped) else None
        raise UnitError(message(item, f"{what} is not a number with a unit", shown(text), wanted, comma))
    value = float(number[0])
    if not math.isfinite(value):
        raise UnitError(message(item, f"{what} is not finite", shown(text), "a finite number"))
    rest = stripped[number.end() :].strip()
    if not rest:
        return value
    try:
        given = _turning(unit_of(rest)) if cycles else unit_of(rest)
    except WrongUnit as wrong:
        raise UnitError(message(item, f"{what}: {wrong}", shown(text), wanted, wrong.remedy)) from None
    must_fit(given, unit, item, what, shown(text))
    try:
        found = float(Fraction(number[0]) * given.factor) * math.pi**given.turns if value else value
        return Measured(found, given, text.strip()) if unit == ANY else found
    except OverflowError:
        raise UnitError(message(item, f"{what} is not finite", shown(text), "a finite number")) from None


def _turning(given: Unit) -> Unit:
    """Hz as turns a second; any other unit as it is."""
    if not given.cycles:
        return given
    return given._replace(factor=2 * given.factor, turns=given.turns + 1, angle=given.angle + 1, cycles=False)


# -- words -------------------------------------------------------------------------------------------------------------


def _fits(given: Unit, wanted: Unit) -> bool:
    """Equal dimensions; rad may be missing in what is given, and cycles per second are no angular speed."""
    if given.dimension != wanted.dimension:
        return False
    if (given.cycles and wanted.angle) or (wanted.cycles and given.angle):
        return False
    return given.angle in (0, wanted.angle)


def _wanted(unit: str) -> str:
    words = kind(unit_of(unit)).split(" (")[0]
    return words if unit == "1" else f"{words} ({unit})"


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


def _remedy(given: Unit, wanted: Unit) -> str | None:
    if given.dimension == wanted.dimension and (given.cycles or wanted.cycles):
        return "Hz leaves open whether 2 pi is meant: write rev/s, rpm or rad/s"
    return None


def shown(value: Any) -> str:
    """A value as messages show it, cut where it is long."""
    text = repr(value)
    return text if len(text) <= 60 else text[:56] + "..." + text[0]
