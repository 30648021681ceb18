"""A body cut free: all that acts on it at one state, and its inertia, which together are zero.

    sum of applied forces + sum of reactions - m a = 0
    sum of their moments about the mass centre - (J alpha + w x J w) = 0

Every load is found by itself (a law's output times the gradient of the measure that it acts along, a multiplier times
the gradient of its row), the acceleration by the equations of the whole mechanism.  So the sum is a check.
"""

from __future__ import annotations

import numpy as np

from linkwork import rotation
from linkwork.errors import DescriptionError, UnknownNameError, message
from linkwork.kernels import layout as at
from linkwork.records import OnlyRead, dataclass
from linkwork.result.reactions import gradients_of


@dataclass(frozen=True)
class Load(OnlyRead):
    """Force and moment about the mass centre of a body, along world axes; in the plane the moment is one number."""

    name: str
    kind: str  # "applied", "reaction" or "inertia"
    force: np.ndarray
    moment: np.ndarray


@dataclass(frozen=True)
class FreeBody(OnlyRead):
    """All loads on a body at one time: `print` shows them as a table; `free["A"]` is one of them.

    Loads that are zero are left out, reactions of joints apart.  `unique` is false where redundant constraints leave
    reactions open.
    """

    body: str
    t: float
    center: np.ndarray
    loads: tuple[Load, ...]
    sizes: tuple[float, float]  # what is large for a force and for a moment here
    unique: bool = True

    def __getitem__(self, name: str) -> Load:
        found = next((one for one in self.loads if one.name == name), None)
        if found is None:
            raise UnknownNameError("load", str(name), [one.name for one in self.loads], f"on body '{self.body}'")
        return found

    def total(self, kind: str | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Force and moment of all loads, or of those of a kind: "applied", "reaction", "inertia"."""
        wanted = [one for one in self.loads if kind in (None, one.kind)]
        zero = np.zeros_like(self.loads[0].force), np.zeros_like(self.loads[0].moment)
        return sum((one.force for one in wanted), zero[0]), sum((one.moment for one in wanted), zero[1])

    @property
    def residual(self) -> float:
        """What the sum leaves, as a part of the largest load: of forces or of moments, whichever is more."""
        left = (float(np.linalg.norm(one)) for one in self.total())
        return max(one / size if size > 0.0 else one for one, size in zip(left, self.sizes))

    def __str__(self) -> str:
        flat = len(self.center) == 2
        heads = [f"force {axis}" for axis in "xyz"[: len(self.center)]]
        heads += ["moment"] if flat else [f"moment {axis}" for axis in "xyz"]
        where = ", ".join(f"{one:.6g}" for one in self.center)
        long = max(12, *(len(one.name) for one in self.loads)) + 2
        lines = [
            f"Free body '{self.body}' at t = {self.t:g} s, about its mass centre ({where}), world axes, N and N m",
            f"  {'':<{long}}{'':<10}" + "".join(f"{head:>14}" for head in heads),
        ]

        def line(name, kind, force, moment):
            numbers = [*force, *np.atleast_1d(moment)]
            return f"  {name:<{long}}{kind:<10}" + "".join(f"{one:14.6g}" for one in numbers)

        lines += [line(one.name, one.kind, one.force, one.moment) for one in self.loads]
        lines.append(line("sum", "", *self.total()))
        lines.append(f"  closes to {self.residual:.1g} of the largest load")
        if not self.unique:
            lines.append("  constraints are redundant: some reactions are not unique, those of least norm are shown")
        return "\n".join(lines)


def free_body(result, body: str) -> FreeBody:
    """The loads on a body at the first time of a result."""
    series, model = result._series, result.model
    mechanism = model.mechanism
    if body == "ground":
        raise DescriptionError(
            message("Free body 'ground'", "has no motion that closes it", remedy='run.reaction("A", on="ground")')
        )
    if body not in list(mechanism.bodies):
        raise UnknownNameError("body", body, list(mechanism.bodies), f"in mechanism '{mechanism.name}'")
    k, d = model.body_index[body], model.dimension
    info, (q, v) = model.bodies[k], series.bodies.of(k)
    axes = rotation.matrix(q[:, 3:])[0] if d == 3 else None

    def load(name, kind, wrench):
        """Force and moment from velocity coordinates of the kernels, whose turns are about axes of their own."""
        moment = wrench[2] if d == 2 else axes @ wrench[3:]
        return Load(name, kind, wrench[:d].copy(), np.asarray(moment) * (1.0 if info.has_angle else 0.0))

    def along(measures, sizes):
        total = np.zeros(model.dof)
        for _, found in gradients_of(series, measures):
            for size, of_body in zip(sizes, found):
                total += size * of_body[k][0] if k in of_body else 0.0
        return total

    loads = []
    weight = np.concatenate([model.weights[k], np.zeros(model.dof - d)])
    if weight.any():
        loads.append(load("weight", "applied", weight))
    out = series.section(at.W_OUT)[0] if model.laws else np.zeros(0)
    for element, laws in model.laws_of.items():
        measures = [one for law in laws for one in law.part.along]
        if any(body in one.bodies for one in measures):
            sizes = [out[law.first_out + j] for law in laws for j in range(len(law.part.along))]
            loads.append(load(element, "applied", along(measures, sizes)))
    lam = result.multipliers[0]
    for item, own in model.rows_of.items():
        rows = [*own, *model.locks_of.get(item, [])]
        measures = [model.rows[r].measure for r in rows]
        if any(body in one.bodies for one in measures):
            loads.append(load(item, "reaction", along(measures, lam[rows])))
    a = series.accelerations[0, model.dof * k : model.dof * (k + 1)]
    w = v[0, d:]
    gyroscopic = np.zeros(1) if d == 2 else np.cross(w, info.inertia * w)
    inertia = np.concatenate([info.mass * a[:d], info.inertia[: len(w)] * a[d:] + gyroscopic])
    loads.append(load("inertia", "inertia", -inertia))
    forces, moments = (max(float(np.linalg.norm(getattr(one, key))) for one in loads) for key in ("force", "moment"))
    large = forces, max(moments, forces * model.length, float(np.linalg.norm(gyroscopic)))
    return FreeBody(body, float(series.t[0]), q[0, :d].copy(), tuple(loads), large, not len(result.dependencies))
