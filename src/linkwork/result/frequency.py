"""Answers to small harmonic motions and forces: how far, and how late, outputs follow at every frequency."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork import cells
from linkwork.arguments import Explained, mirrored
from linkwork.errors import UnknownNameError
from linkwork.records import OnlyRead, dataclass

if TYPE_CHECKING:
    from linkwork.view.bode import plot_bode as _plot


@dataclass(frozen=True)
class FrequencyResponse(OnlyRead, metaclass=Explained):
    """Outputs for inputs of size one, at `frequencies` in Hz: `found["body.y"]` is complex, (frequencies,).

    `values` has all of them, (frequencies, outputs, inputs).  Where there are several inputs,
    `found["body.y", "road"]` says which.
    """

    mechanism: str
    frequencies: np.ndarray = field(repr=False)
    values: np.ndarray = field(repr=False)
    outputs: tuple[str, ...]
    inputs: tuple[str, ...]
    output_units: tuple[str, ...] = field(repr=False)
    input_units: tuple[str, ...] = field(repr=False)
    linear: Any = field(repr=False, default=None)  # the linear motion that it comes from

    def __getitem__(self, names: str | tuple[str, str]) -> np.ndarray:
        """The complex answer of an output, to an input by name where there are several."""
        output, given = (names, None) if isinstance(names, str) else names
        if given is None and len(self.inputs) > 1:
            raise UnknownNameError("input", "none", list(self.inputs), 'of several; write found["output", "input"]')
        source = self.inputs[0] if given is None else given
        for what, name, known in (("output", output, self.outputs), ("input", source, self.inputs)):
            if name not in known:
                raise UnknownNameError(what, str(name), list(known), f"in this response of '{self.mechanism}'")
        return self.values[:, self.outputs.index(output), self.inputs.index(source)]

    def magnitude(self, output: str, source: str | None = None) -> np.ndarray:
        """Size of an output for an input of size one."""
        return np.abs(self._of(output, source))

    def phase(self, output: str, source: str | None = None) -> np.ndarray:
        """Angle in rad by which an output is ahead of the input, without jumps; it begins between -pi and pi."""
        return np.unwrap(np.angle(self._of(output, source)))

    def peak(self, output: str, source: str | None = None) -> tuple[float, float]:
        """Frequency in Hz at which an output is largest, and its size there; between the frequencies by a parabola."""
        size = self.magnitude(output, source)
        k = int(np.argmax(size))
        if not 0 < k < len(size) - 1:
            return float(self.frequencies[k]), float(size[k])
        x, y = np.log(self.frequencies[k - 1 : k + 2]), np.log(size[k - 1 : k + 2])
        a, b, c = np.polyfit(x - x[1], y, 2)
        at = -b / (2.0 * a) if a < 0.0 else 0.0
        return float(np.exp(x[1] + at)), float(np.exp(c + at * (b + a * at)))

    def _of(self, output: str, source: str | None) -> np.ndarray:
        return self[output] if source is None else self[output, source]

    def unit(self, output: str, source: str | None = None) -> str:
        """Unit of an answer: that of the output for one of the input."""
        over = self.output_units[self.outputs.index(output)]
        under = self.input_units[0 if source is None else self.inputs.index(source)]
        return "1" if over == under else f"{over}/({under})" if " " in under or "/" in under else f"{over}/{under}"

    def __str__(self) -> str:
        f = self.frequencies
        lines = [
            f"Frequency response of '{self.mechanism}': {len(f)} frequencies, {f[0]:.4g} to {f[-1]:.4g} Hz",
            f"  {'output':<24}{'input':<18}{'unit':<12}{'at first':>14}{'largest':>14}{'at [Hz]':>12}{'at last':>14}",
        ]
        for output, source, (at, most), size in self._lines():
            lines.append(
                f"  {output:<24}{source:<18}{self.unit(output, source):<12}{size[0]:14.6g}{most:14.6g}{at:12.5g}"
                f"{size[-1]:14.6g}"
            )
        return "\n".join(lines)

    def _lines(self):
        for output in self.outputs:
            for source in self.inputs:
                yield output, source, self.peak(output, source), self.magnitude(output, source)

    def _repr_html_(self) -> str:
        rows = [
            (output, source, self.unit(output, source), float(size[0]), most, at, float(size[-1]))
            for output, source, (at, most), size in self._lines()
        ]
        return cells.shown(
            f"Frequency response of {self.mechanism}",
            cells.table(("output", "input", "unit", "at first", "largest", "at [Hz]", "at last"), rows),
            cells.picture(self.plot, "Bode plot"),
        )

    if TYPE_CHECKING:
        plot = _plot
    else:
        plot = mirrored("linkwork.view.bode", "plot_bode")
