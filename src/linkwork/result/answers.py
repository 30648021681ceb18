"""What questions about a result are answered with: numbers that know how far they may be off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from linkwork.records import dataclass

WAYS = {1.0: "rising", -1.0: "falling", 0.0: "touching"}


def rounded(error: float) -> str:
    """How far a number may be off, in one digit: 10, 0.003, 2e-09."""
    return f"{float(f'{error:.0e}'):g}"


def with_unit(name: str, units: Mapping[str, str]) -> str:
    """A name with its unit in brackets, where it has one that is known."""
    return name if units.get(name, "1") == "1" else f"{name} [{units[name]}]"


class Estimate(float):
    """A number read between stored times, and how far it may be off by that: `value.error`.

    It counts as any other number; printed, it shows its error, and its `unit` where that is not told elsewhere.  The
    error of the motion itself, which `rtol` of the run controls, is another thing.

    >>> Estimate(2.0, 1e-6)
    2 ± 1e-06
    >>> Estimate(2.0, 1e-6, "W")
    2 ± 1e-06 W
    >>> Estimate(2.0, 1e-6) + 1
    3.0
    """

    error: float
    unit: str

    def __new__(cls, value: float, error: float = 0.0, unit: str = "") -> Estimate:
        made = super().__new__(cls, value)
        made.error, made.unit = float(error), "" if unit == "1" else unit
        return made

    def __reduce__(self) -> tuple:
        return Estimate, (float(self), self.error, self.unit)

    def __repr__(self) -> str:
        return f"{float(self):.8g} ± {rounded(self.error)}{' ' * bool(self.unit)}{self.unit}"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else repr(self)


@dataclass(frozen=True)
class Moments:
    """Times at which a quantity has a value, in order: a list of numbers, each with its `.error`.

    `ways` says of each whether the quantity is "rising", "falling" or only "touching" the value; `stays` are stretches
    on which it keeps the value, each counted once, by its first time; at the times `doubtful` it comes so near that the
    interpolation does not tell whether it has it.
    """

    name: str
    value: float
    unit: str
    times: tuple[Estimate, ...]
    ways: tuple[str, ...]
    stays: tuple[tuple[float, float], ...] = ()
    doubtful: tuple[float, ...] = ()
    said: str = ""  # what the quantity does, where it never has the value

    def __len__(self) -> int:
        return len(self.times)

    def __iter__(self) -> Iterator[Estimate]:
        return iter(self.times)

    def __getitem__(self, k):
        return self.times[k]

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        return np.array([float(one) for one in self.times], dtype=dtype or float)

    def __str__(self) -> str:
        value = f"{self.value:.6g} {self.unit}"
        lines = [f"'{self.name}' is {value}: {len(self)} time{'s' * (len(self) != 1)}"]
        if not self.times:
            lines = [f"'{self.name}' is never {value}: {self.said}"]
        lines += [f"  t = {one} s, {way}" for one, way in zip(self.times, self.ways)]
        lines += [f"  stays there from {a:.6g} to {b:.6g} s" for a, b in self.stays]
        lines += [f"  comes so near at t = {one:.6g} s that more outputs must tell" for one in self.doubtful]
        return "\n".join(lines)


@dataclass(frozen=True)
class Extremes:
    """The least and the greatest value of a quantity, and their times; `stroke` is the way between them.

    `turning` lists all times within the run at which it turns around, each with the value there.
    """

    name: str
    unit: str
    least: Estimate
    least_at: Estimate
    greatest: Estimate
    greatest_at: Estimate
    turning: tuple[tuple[Estimate, Estimate], ...]
    notes: tuple[str, ...] = ()  # what the series does not show

    @property
    def stroke(self) -> Estimate:
        """Greatest minus least."""
        return Estimate(float(self.greatest) - float(self.least), self.greatest.error + self.least.error)

    def __str__(self) -> str:
        return "\n".join(
            [
                f"'{self.name}' [{self.unit}]",
                f"  least     {self.least} at t = {self.least_at} s",
                f"  greatest  {self.greatest} at t = {self.greatest_at} s",
                f"  stroke    {self.stroke}",
                f"  turns around {len(self.turning)} time{'s' * (len(self.turning) != 1)}",
                *(f"  {one}" for one in self.notes),
            ]
        )


@dataclass(frozen=True)
class Dwell:
    """The longest time that a quantity stays within a band: from `start` to `end`, between `low` and `high`."""

    name: str
    unit: str
    low: float
    high: float
    start: Estimate
    end: Estimate
    cut: bool = False  # whether the run begins or ends within it, so that it may last longer

    @property
    def duration(self) -> Estimate:
        """How long."""
        return Estimate(float(self.end) - float(self.start), self.start.error + self.end.error)

    def __str__(self) -> str:
        return (
            f"'{self.name}' stays between {self.low:.6g} and {self.high:.6g} {self.unit} for {self.duration} s, "
            f"from t = {self.start} s on{', cut off by the end of the run' if self.cut else ''}"
        )
