"""Efforts of drivers found by other ways than multipliers, as a check; each says where it does not apply.

    power         sum of effort x rate = v' (M a - h):  one driver's effort, of several only their sum     (ID2)
    elimination   J R = 0 for the rows of the joints:  R'G' u = R' (M a - h), without any reaction          (Vlase)

h are the applied forces, G the rows of the drivers.  Both take accelerations as the result has them, and neither uses
its multipliers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from linkwork.coordinates.body import body_weights
from linkwork.coordinates.system import blocks
from linkwork.errors import DescriptionError, UnknownNameError, message
from linkwork.kernels import layout as at
from linkwork.records import OnlyRead, dataclass
from linkwork.result.reactions import gradients_of

WAYS = ("power", "elimination")
STILL = 1e-6  # of the largest rate: slower tells nothing of an effort
NOISE = 1e-12  # rad/s or m/s: no motion at all
RANK = 1e-9


@dataclass(frozen=True)
class EffortCheck(OnlyRead):
    """Efforts by another way: `efforts` by driver, not a number where the way does not apply; `applies` says where.

    `gap` is the largest difference from the efforts of the result, over the largest of these and the loads that they
    balance; `why` says why the way does not apply somewhere.
    """

    way: str
    efforts: Mapping[str, np.ndarray]
    applies: np.ndarray
    gap: float
    why: str = ""

    def __str__(self) -> str:
        count, total = int(np.count_nonzero(self.applies)), len(self.applies)
        if not count:
            return f"  {self.way:<13} does not apply: {self.why}"
        where = f"; not at {total - count} of {total} times, where {self.why}" if count < total else ""
        return f"  {self.way:<13} {', '.join(self.efforts)} within {self.gap:.1g} of efforts and loads{where}"


class Efforts(dict):
    """Efforts by driver; one that was made for a quantity, `A angle` for `A.angle`, is found by that too."""

    def __missing__(self, name: str) -> np.ndarray:
        for other in (made := str(name).replace(".", " "), f"drives {made}"):
            if other in self:
                return self[other]
        raise UnknownNameError("driver or actuator", str(name), self, "in this result")


class EffortChecks(dict):
    """Checks by way: `checks["power"]`; `gap` is the largest of all, `print` shows them."""

    @property
    def gap(self) -> float:
        """The largest difference of all ways that apply."""
        return max((one.gap for one in self.values() if one.applies.any()), default=float("nan"))

    def __str__(self) -> str:
        return "\n".join(["Efforts by other ways", *map(str, self.values())])


def check_efforts(result, by=WAYS) -> EffortChecks:
    """The efforts of all drivers by the ways asked for, beside those of the result."""
    ways = (by,) if isinstance(by, str) else tuple(by)
    for way in ways:
        if way not in WAYS:
            raise DescriptionError(message("check_efforts", "knows no such way", repr(way), " or ".join(WAYS)))
    model, series = result.model, result._series
    rows = [r for r, row in enumerate(model.rows) if row.kind == "driver"]
    if not rows:
        raise DescriptionError(
            message(f"Result of '{model.mechanism.name}'", "has no drivers or actuators whose efforts can be checked")
        )
    h = series.pick(series.plan.places(at.W_APPLIED)[1:].ravel())
    rest = np.where(model.existing, series.accelerations * model.masses - h, 0.0)
    loads = np.where(model.existing, np.abs(series.accelerations * model.masses) + np.abs(h), 0.0)
    found = {"power": _by_power, "elimination": _by_elimination}
    return EffortChecks({way: found[way](result, rows, rest, loads) for way in ways})


def _by_power(result, rows, rest, loads) -> EffortCheck:
    """The balance of power; of several drivers it is that of their sum."""
    model, series = result.model, result._series
    v = series.states[:, model.n_q : model.n_q + model.n_v]
    power, sizes = np.einsum("ti,ti->t", rest, v), np.einsum("ti,ti->t", loads, np.abs(v))
    rates = np.column_stack([series.measure(model.rows[r].measure, 1) for r in rows])
    efforts = result.multipliers[:, rows]
    if len(rows) > 1:
        own = efforts * rates
        applies = np.abs(rates).max(axis=1) > NOISE
        gap = _gap(own.sum(axis=1)[applies], power[applies], (np.abs(own).sum(axis=1) + sizes)[applies])
        return EffortCheck("power", {"power of all together": power}, applies, gap, "nothing moves")
    applies = np.abs(rates[:, 0]) > max(STILL * np.abs(rates).max(initial=0.0), NOISE)
    with np.errstate(all="ignore"):
        found = np.where(applies, power / rates[:, 0], np.nan)
        sizes = sizes / np.abs(rates[:, 0])
    name = model.rows[rows[0]].item
    gap = _gap(found[applies], efforts[applies, 0], sizes[applies])
    return EffortCheck("power", {name: found}, applies, gap, f"{name} stands still, and power tells no effort")


def _by_elimination(result, rows, rest, loads) -> EffortCheck:
    """Reactions eliminated by velocities that the joints allow."""
    model, series = result.model, result._series
    existing = model.existing
    weights = body_weights(model)[existing]
    free = result.segments[0].free
    joints = [r for r, row in enumerate(model.rows) if row.kind == "joint" and r not in free]
    rating = result.manifest.get("ratings", {})
    ratings = np.array([float(rating.get(model.rows[r].item, 1.0)) for r in rows])
    out, applies = np.full((len(rest), len(rows)), np.nan), np.zeros(len(rest), dtype=bool)
    sizes = np.zeros(out.shape)
    names, ranks = [model.rows[r].item for r in rows], np.zeros(len(rest), dtype=int)
    if len({one.free for one in result.segments}) > 1:
        return EffortCheck(
            "elimination", dict(zip(names, out.T)), applies, 0.0, "joints are released or caught on the way"
        )
    for part, jacobian in _jacobians(series, [*joints, *rows]):
        jacobian = jacobian[:, :, existing] * weights
        J, G = jacobian[:, : len(joints)], jacobian[:, len(joints) :]
        lengths, turned = _singular(J)
        rank = np.count_nonzero(lengths > RANK * max(1.0, float(lengths.max(initial=0.0))), axis=1)
        ranks[part] = rank
        for one in np.unique(rank):  # nearly always the same
            at_ = np.flatnonzero(rank == one)
            R = turned[at_, one:].transpose(0, 2, 1)
            B = R.transpose(0, 2, 1) @ G[at_].transpose(0, 2, 1) * ratings
            back = np.linalg.pinv(B, rcond=RANK)
            right = np.einsum("tij,ti->tj", R, rest[part][at_][:, existing] * weights)
            size = np.einsum("tij,ti->tj", np.abs(R), loads[part][at_][:, existing] * weights)
            out[part.start + at_] = (back @ right[:, :, None])[:, :, 0] * ratings
            sizes[part.start + at_] = (np.abs(back) @ size[:, :, None])[:, :, 0] * ratings
            least = np.linalg.svd(B, compute_uv=False)
            most = np.abs(G[at_] * ratings[:, None]).max(axis=(1, 2), initial=0.0)
            applies[part.start + at_] = (least[:, -1] > RANK * most) if least.shape[1] else False
    applies &= ranks == ranks.max(initial=0)
    out[~applies] = np.nan
    gap = _gap(out[applies], result.multipliers[applies][:, rows], sizes[applies])
    why = "the joints are in a singular position, or the drivers do not move it on their own"
    return EffortCheck("elimination", dict(zip(names, out.T)), applies, gap, why)


def _jacobians(series, rows) -> Iterator[tuple[slice, np.ndarray]]:
    """Block by block of times: where, and (times, rows, velocity coordinates)."""
    model = series.model
    for whole, gradients in gradients_of(series, [model.rows[r].measure for r in rows]):
        for part in blocks(whole.stop - whole.start, (len(rows) + model.n_v) * model.n_v):
            out = np.zeros((part.stop - part.start, len(rows), model.n_v))
            for k, of_row in enumerate(gradients):
                for body, gradient in of_row.items():
                    out[:, k, model.dof * body : model.dof * (body + 1)] = gradient[part]
            yield slice(whole.start + part.start, whole.start + part.stop), out


def _singular(J) -> tuple[np.ndarray, np.ndarray]:
    """Sizes of the rows, each of length one, and all right vectors."""
    if not J.shape[1]:
        return np.zeros((len(J), 0)), np.broadcast_to(np.eye(J.shape[2]), (len(J), J.shape[2], J.shape[2]))
    norms = np.linalg.norm(J, axis=2, keepdims=True)
    _, sizes, turned = np.linalg.svd(J / np.where(norms > 0.0, norms, 1.0))
    return sizes, turned


def _gap(found, wanted, sizes) -> float:
    """The largest difference, over the largest number and what was balanced for each."""
    off = np.abs(found - wanted)
    return float(np.max(off / (np.abs(wanted).max(initial=0.0) + sizes + 1e-300), initial=0.0))
