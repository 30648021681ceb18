"""Mass centre and momenta, of all bodies together and of each."""

from __future__ import annotations

import numpy as np

from linkwork import rotation


def center(series, order: int) -> np.ndarray:
    """(times, 2 or 3): mass centre of all bodies, its velocity or its acceleration."""
    model, d = series.model, series.model.dimension
    masses = _masses(model)
    out = np.empty((len(series.t), d))
    for part, q, v in series.bodies.parts():
        source = (q, v, series.accelerations[part].reshape(v.shape) if order == 2 else v)[order]
        out[part] = np.einsum("tbc,b->tc", source[:, :, :d], masses)
    return out / masses.sum()


def momentum(series) -> np.ndarray:
    """(times, 2 or 3): sum of m v."""
    out = np.empty((len(series.t), series.model.dimension))
    for part, _, v in series.bodies.parts():
        out[part] = np.einsum("tbc,b->tc", v[:, :, : series.model.dimension], _masses(series.model))
    return out


def angular_momentum(series) -> np.ndarray:
    """About the world's origin, sum over the bodies: in the plane (times,), in space (times, 3)."""
    model = series.model
    out = np.empty((len(series.t), 1 if model.dimension == 2 else 3))
    inertia = np.array([body.inertia if body.has_angle else 0.0 * body.inertia for body in model.bodies])
    for part, q, v in series.bodies.parts():
        out[part] = _about_origin(model.dimension, _masses(model), inertia, q, v).sum(axis=1)
    return out[:, 0] if model.dimension == 2 else out


def momentum_of(series, body: int) -> np.ndarray:
    """(times, 2 or 3): m v of one body."""
    return series.model.bodies[body].mass * series.bodies.of(body)[1][:, : series.model.dimension]


def angular_momentum_of(series, body: int) -> np.ndarray:
    """The same of one body, about the world's origin."""
    info, (q, v) = series.model.bodies[body], series.bodies.of(body)
    inertia = info.inertia if info.has_angle else 0.0 * info.inertia
    found = _about_origin(series.model.dimension, np.array([info.mass]), inertia[None], q[:, None], v[:, None])[:, 0]
    return found[:, 0] if series.model.dimension == 2 else found


def _masses(model) -> np.ndarray:
    return np.array([body.mass for body in model.bodies])


def _about_origin(dimension, masses, inertia, q, v) -> np.ndarray:
    """(times, bodies, 1 or 3):  r x m v + A J w."""
    if dimension == 2:
        orbit = q[:, :, 0] * v[:, :, 1] - q[:, :, 1] * v[:, :, 0]
        return (orbit * masses + v[:, :, 2] * inertia[:, 0])[:, :, None]
    orbit = np.cross(q[:, :, :3], v[:, :, :3]) * masses[:, None]
    return orbit + rotation.apply(q[:, :, 3:], inertia * v[:, :, 3:])
