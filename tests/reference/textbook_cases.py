"""Reads the reference cases of planar body coordinates and answers their `quantity` and `at` fields."""

from pathlib import Path

import numpy as np
import yaml

from linkwork import textbook as tb

FOLDER = Path(__file__).parent / "cases"
COORDINATE = {"x": 0, "y": 1, "phi": 2, "n": 2}


def load(case):
    """The case file of that name."""
    return yaml.safe_load((FOLDER / f"{case}.yaml").read_text())


def tire_unilateral(entry):
    """Tyre of 8.1.1: while y < R0, force -(k (y - R0) + dc y') up at the mass centre, or at a named point."""
    i, k, R0, dc = entry["i"], entry["k"], entry["R0"], entry["dc"]

    def law(t, model, c, cd):
        h = np.zeros_like(c)
        y, yd, phi = c[3 * i - 2], cd[3 * i - 2], c[3 * i - 1]
        if y < R0:
            fy = -(k * (y - R0) + dc * yd)
            h[3 * i - 2] = fy
            if "P_moment" in entry:
                s = model.points[entry["P_moment"] - 1].s
                h[3 * i - 1] = fy * (s[0] * np.cos(phi) - s[1] * np.sin(phi))
        return h

    return law


class Case:
    """A case, its model, and its answers at the start, corrected, at rest and along the uncorrected run."""

    def __init__(self, name):
        self.data = load(name)
        lists = "bodies", "points", "unit_vectors", "joints", "forces", "functions"
        model = {key: value for key, value in self.data["model"].items() if key in lists}
        self.model = tb.BookModel.from_case(model, laws={"tire_unilateral": tire_unilateral})
        self._states = {}

    def entries(self):
        """Every expected value."""
        return self.data["expected"]

    def state(self, at):
        """t, c, cd at `at`."""
        key = str(at)
        if key not in self._states:
            self._find(at)
        return self._states[key]

    def _find(self, at):
        m = self.model
        if at == "initial":
            self._states[at] = 0.0, m.c, m.cd
        elif at == "corrected":
            c = tb.planar.correct_positions(m, 0.0, m.c)
            self._states[at] = 0.0, c, tb.planar.correct_velocities(m, 0.0, c, m.cd)
        elif at == "equilibrium":
            _, c, _ = self.state("corrected")
            c, _ = tb.planar.static_equilibrium(m, self._settled(c))
            self._states[at] = 0.0, c, np.zeros_like(c)
        elif isinstance(at, dict):  # one run, from the corrected start, never corrected again
            _, c, cd = self.state("corrected")
            times = sorted({0.0} | {e["at"]["t"] for e in self.entries() if isinstance(e["at"], dict)})
            found = tb.planar.simulate(m, times, c, cd, rtol=1e-11, atol=1e-12)
            self._states |= {str({"t": t}): (t, *q) for t, *q in zip(times, *found)}
        else:
            raise KeyError(at)

    def _settled(self, c):
        """Where the run ends: a start near the equilibrium."""
        ends = [e["at"]["t"] for e in self.entries() if isinstance(e["at"], dict)]
        return self.state({"t": max(ends)})[1] if ends else c

    def value(self, quantity, at):
        """The value of q.b.c, v.b.c, a.b.c, h.b.c, lam.k, Phi.k, Phid.k, gamma.k, D.row.column or E.tot."""
        m, (t, c, cd) = self.model, self.state(at)
        kind, *where = quantity.split(".")
        if kind in "qvah":
            index = 3 * (int(where[0]) - 1) + COORDINATE[where[1]]
            if kind in "qv":
                return (c if kind == "q" else cd)[index]
            return (tb.planar.augmented(m, t, c, cd)[0] if kind == "a" else tb.planar.force_array(m, t, c, cd))[index]
        if kind == "E":
            return tb.planar.energy(m, t, c, cd).total
        if kind == "D":
            return tb.planar.jacobian(m, t, c)[int(where[0]) - 1, int(where[1]) - 1]
        if kind == "Phid":
            return (tb.planar.jacobian(m, t, c) @ cd - tb.planar.velocity_rhs(m, t, c))[int(where[0]) - 1]
        arrays = {
            "lam": lambda: tb.planar.augmented(m, t, c, cd)[1],
            "Phi": lambda: tb.planar.constraints(m, t, c),
            "gamma": lambda: tb.planar.gamma(m, t, c, cd),
        }
        return arrays[kind]()[int(where[0]) - 1]
