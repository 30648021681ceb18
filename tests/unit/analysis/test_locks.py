"""Every kind of joint locked in motion: two free bodies become one, whose motion momentum alone decides."""

import warnings

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import AnalysisError
from linkwork.mechanism.joints import Joint

for _name in lw.__all__:
    getattr(lw, _name)
KINDS = sorted(
    (one for one in Joint.kinds.values() if one.__module__.startswith("linkwork.")), key=lambda k: k.__name__
)
CASES = [
    pytest.param(kind, dimension, coordinates, id=f"{kind.__name__}-{dimension}-{coordinates}")
    for kind in KINDS
    for dimension in kind.dimensions
    for coordinates in ("body", "joint", "point")
    if kind is not lw.Fixed
]
STICK, LOOSE, END = 0.02, 0.06, 0.08


def pair(kind, dimension, seed, **more):
    """Two free bodies anywhere, in motion, and a joint between them."""
    rng = np.random.default_rng(seed)

    def some(size):
        return tuple(size * rng.normal(size=dimension))

    def body(name, **placed):
        inertia, spin = (0.1, float(rng.normal())) if dimension == 2 else ((0.1, 0.2, 0.25), some(2.0))
        return m.add(name, lw.Body(rng.uniform(0.5, 2.0), inertia, velocity=some(1.0), angular_velocity=spin, **placed))

    m = lw.Mechanism("pair", dimension=dimension, gravity=None)
    turn = rng.normal(size=4)
    turned = {"angle": float(rng.normal())} if dimension == 2 else {"orientation": tuple(turn / np.linalg.norm(turn))}
    one, other = body("one", position=some(1.0), **turned), body("other")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # joints of space in the plane
        m.add("J", kind(one.at(*some(0.3)), other.at(*some(0.3)), **kind.sample, **more))
    return m


def poses(run, name):
    """Places and axes of a body's frame, at all times."""
    place = run[name]
    if run.mechanism.dimension == 3:
        return place, run.orientation(name).matrix
    c, s = np.cos(run[f"{name}.angle"]), np.sin(run[f"{name}.angle"])
    return place, np.stack([np.stack([c, -s], -1), np.stack([s, c], -1)], -2)


def apart(run):
    """How far the place and the axes of `other`, seen from `one`, are from those at the first time."""
    (p, A), (q, B) = poses(run, "one"), poses(run, "other")
    place, turn = np.einsum("tji,tj->ti", A, q - p), np.einsum("tji,tjk->tik", A, B)
    return max(np.abs(place - place[0]).max(), np.abs(turn - turn[0]).max())


def as_one(state):
    """Momentum, angular momentum about the mass centre of both, and the inertia there: what one rigid body has."""
    bodies, masses = ("one", "other"), [state.model.mechanism.bodies[name].mass for name in ("one", "other")]
    flat = state.model.dimension == 2
    x, v = ([np.append(state[name + end], [0.0] * flat)[:3] for name in bodies] for end in ("", ".rate"))
    center = np.average(x, axis=0, weights=masses)
    P, L, I = np.zeros(3), np.zeros(3), np.zeros((3, 3))
    for name, mass, place, speed in zip(bodies, masses, x, v):
        inertia = state.model.mechanism.bodies[name].inertia
        if flat:
            A, own, spin = np.eye(3), np.diag([1.0, 1.0, inertia]), np.array([0.0, 0.0, state[f"{name}.angle.rate"]])
        else:
            A, own = state._result.orientation(name).matrix[0], np.diag(inertia)
            spin = state[f"{name}.angular_velocity.world"]
        arm = place - center
        P += mass * speed
        L += A @ own @ A.T @ spin + mass * np.cross(arm, speed)
        I += A @ own @ A.T + mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    return sum(masses), center, P, L, I


@pytest.mark.parametrize(("kind", "dimension", "coordinates"), CASES)
def test_two_bodies_become_one_and_two_again(kind, dimension, coordinates):
    m = pair(kind, dimension, 5)
    m.add("stick", lw.Event("t", STICK, then=lw.Lock("J")))
    m.add("loose", lw.Event("t", LOOSE, then=lw.Release("J")))
    with warnings.catch_warnings():
        warnings.simplefilter("error", lw.errors.RunQualityWarning)
        run = m.simulate(END, every=0.01, coordinates=coordinates)
    stick, loose = run.events
    assert stick.done[0] == "lock J" and loose.done == ("release J",)
    # M, center, P, L and I are those of before; one body moves as they say
    mass, center, P, L, I = as_one(stick.before)
    spin = np.linalg.solve(I, L)
    for name in ("one", "other"):
        place, rate = (np.append(stick.after[name + end], [0.0] * (3 - dimension))[:3] for end in ("", ".rate"))
        assert rate == pytest.approx(P / mass + np.cross(spin, place - center), abs=1e-9)
        found = stick.after[f"{name}.angle.rate"] if dimension == 2 else stick.after[f"{name}.angular_velocity.world"]
        assert found == pytest.approx(spin[2] if dimension == 2 else spin, abs=1e-9)
    lost = 0.5 * (P @ P / mass + spin @ L)
    assert stick.energy_lost == pytest.approx(stick.before["energy.kinetic"] - lost, abs=1e-9)
    assert apart(m.simulate(0.03, every=0.01, start=stick.after, coordinates=coordinates)) < 1e-10
    assert [len(one.dependencies) for one in run.segments] == [0, 0, 0]  # nothing is called redundant
    assert [run.at(t).mode("J") for t in (0.03, 0.07)] == ["locked", "free" if kind is lw.Free else "held"]
    assert np.abs(run.energy.balance).max() < 1e-8


@pytest.mark.parametrize("coordinates", ["body", "joint"])
@pytest.mark.parametrize("seed", range(4))
def test_a_ball_is_locked_from_the_start(coordinates, seed):
    """Its bodies move as one, nothing is called redundant, and it is let go."""
    m = pair(lw.Spherical, 3, seed, locked=True)
    m.add("loose", lw.Event("t", 0.05, then=lw.Release("J"), most=1))
    m.add("again", lw.Event("t", 0.1, then=lw.Lock("J"), most=1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", lw.errors.MovedWarning)  # declared speeds are not those of one body
        assert m.check(coordinates=coordinates).freedom == 6
        run = m.simulate(0.15, every=0.01, coordinates=coordinates)
        alone = m.simulate(0.15, every=0.01, coordinates=coordinates, events=False)
    assert apart(alone) < 1e-12 and 1e-4 < apart(run)
    assert [run.at(t).mode("J") for t in (0.0, 0.07, 0.15)] == ["locked", "held", "locked"]
    assert np.abs(run.energy.balance).max() < 1e-8


def test_what_leaves_nothing_to_lock_is_told():
    m = pair(lw.Fixed, 3, 1)
    m.add("stick", lw.Event("t", 0.1, then=lw.Lock("J")))
    with pytest.raises(AnalysisError, match="leaves nothing to lock"):
        m.simulate(0.2, coordinates="body")


@pytest.mark.parametrize("dimension", [2, 3])
def test_rods_of_particles_are_locked(dimension):
    """A particle at a body moves with it; two particles keep the line between them."""
    m = lw.Mechanism("bola", dimension=dimension, gravity=None)
    place = (0.0,) * dimension
    inertia, spin = (0.3, 2.0) if dimension == 2 else ((0.2, 0.3, 0.4), (0.3, -1.0, 2.0))
    m.add("body", lw.Body(1.0, inertia, position=place, angle=0.0, velocity=place, angular_velocity=spin))
    m.add("bead", lw.Particle(0.5, position=(1.0, *place[1:]), velocity=(0.0, 1.0, 0.4)[:dimension]))
    m.add("ball", lw.Particle(0.5, position=(1.0, 1.0, 0.2)[:dimension], velocity=(0.2, 0.0, -0.4)[:dimension]))
    m.add("near", lw.Rod("bead", "body", length=1.0))
    m.add("far", lw.Rod("bead", "ball"))
    m.add("stick", lw.Event("t", 0.1, then=[lw.Lock("near"), lw.Lock("far")]))
    for coordinates in ("body", "joint"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", lw.errors.MovedWarning)
            run = m.simulate(0.4, every=0.05, coordinates=coordinates)
        k = run.t >= 0.1
        p, A = poses(run, "body")
        seen = np.einsum("tji,tj->ti", A, run["bead"] - p)[k]
        line = (run["ball"] - run["bead"])[k]
        assert np.abs(seen - seen[0]).max() < 1e-10 and np.abs(line - line[0]).max() < 1e-10
        assert [run.final.mode(one) for one in ("near", "far")] == ["locked", "locked"]
        assert np.abs(run.energy.balance).max() < 1e-8
