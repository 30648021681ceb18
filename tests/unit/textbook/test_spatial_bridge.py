"""Random spatial mechanisms: what the compiled equations give against the books' r-omega and r-p forms."""

from dataclasses import replace

import numpy as np
import pytest

import linkwork as lw
from linkwork import textbook as tb
from linkwork.errors import DescriptionError
from linkwork.textbook import spatial, spatial_bridge
from linkwork.textbook import spatial_rotation as rot

KINDS = ["Revolute", "Prismatic", "Fixed"]
POINTS = {"e1": (1.0, 0.0, 0.0), "e2": (0.0, 1.0, 0.0), "e3": (0.0, 0.0, 1.0)}


def rotation(random):
    p = random.normal(size=4)
    return rot.A(p / np.linalg.norm(p))


def frame(body, position, axes):
    return body.at(*position, axis=axes[:, 2], along=axes[:, 0])


def random_mechanism(seed, kinds=KINDS, rods=1):
    """Bodies at random places on random joints whose frames meet there; rods close loops; loads of every kind."""
    random = np.random.default_rng(seed)
    m = lw.Mechanism(f"random {seed}", dimension=3, gravity=random.normal(size=3) * 5)
    poses = [(m.ground, np.zeros(3), np.eye(3))]
    for k in range(int(random.integers(2, 5))):
        r, R = random.normal(size=3), rotation(random)
        Q = rotation(random)
        tilted = k % 2 == 1
        inertia = Q @ np.diag((0.3, 0.4, 0.5)) @ Q.T if tilted else (0.3, 0.4, 0.5)
        body = m.add(f"b{k}", lw.Body(random.uniform(0.5, 2.0), inertia, center=random.normal(size=3) * 0.2, position=r,
                                      orientation=rot.euler_parameters(R), velocity=random.normal(size=3),
                                      angular_velocity=random.normal(size=3), points=POINTS))  # fmt: skip
        parent, r_p, R_p = poses[int(random.integers(len(poses)))]
        s, axes = random.normal(size=3), rotation(random)
        at_body = R.T @ (r_p + R_p @ s - r)
        kind = kinds[int(random.integers(len(kinds)))]
        m.add(f"J{k}", getattr(lw, kind)(frame(parent, s, axes), frame(body, at_body, R.T @ R_p @ axes)))
        poses.append((body, r, R))
    for k in range(rods):
        one, other = (poses[i] for i in sorted(random.choice(len(poses), 2, replace=False)))
        s, q = random.normal(size=3), random.normal(size=3)
        length = np.linalg.norm(other[1] + other[2] @ q - one[1] - one[2] @ s)
        m.add(f"rod{k}", lw.Rod(one[0].at(*s), other[0].at(*q), length=length))
    ends = poses[0][0].at(*random.normal(size=3)), poses[-1][0].at(*random.normal(size=3))
    m.add("spring", lw.SpringDamper(*ends, stiffness=20.0, rest_length=0.7, damping=3.0, actuator=2.0))
    m.add("push", lw.PointForce(poses[1][0].at(*random.normal(size=3)), x=3.0, y=-2.0, z=4.0))
    return m


def admissible(m):
    """The mechanism with velocities that keep its joints, and the books' model at that motion."""
    model = spatial_bridge.space_model(m)
    x = spatial.correct_velocities(model, spatial.correct_positions(model, model.start))
    for name, (r, p, v, w) in spatial_bridge.declared(m, x).items():
        m.replace(name, replace(m[name], position=r, orientation=p, velocity=v, angular_velocity=w, points=POINTS))
    model = spatial_bridge.space_model(m)
    return model, model.start


def independent(model, x):
    q = spatial.rows(model, x)
    sizes = np.linalg.svd(np.hstack([q.Phi_r, q.Pi_bar]), compute_uv=False)
    return len(q.Phi) < 6 * x.count and sizes[-1] > 1e-2 * sizes[0]


def draw(count, **options):
    """Seeds whose constraints are independent and leave a freedom; the others are counted."""
    found, seed = [], 0
    while len(found) < count:
        model, x = admissible(random_mechanism(seed, **options))
        found += [seed] if independent(model, x) else []
        seed += 1
    assert seed < 4 * count, f"only {count} of {seed} draws were of use"
    return found


SEEDS = draw(16)


@pytest.mark.parametrize("coordinates", ["body", "joint"])
@pytest.mark.parametrize("seed", SEEDS)
def test_accelerations_and_reactions(seed, coordinates):
    m = random_mechanism(seed)
    model, x = admissible(m)
    ev = m.evaluate(coordinates=coordinates)
    assert np.max(np.abs(ev.constraint_error), initial=0.0) < 1e-12
    turning, by_parameters = spatial.r_omega(model, x), spatial.r_p(model, x)
    scale = 1.0 + np.max(np.abs(np.r_[turning.rdd, turning.wd]))
    np.testing.assert_allclose(by_parameters.rdd, turning.rdd, atol=1e-10 * scale)
    for k, name in enumerate(m.bodies, start=1):
        center = np.append(m.bodies[name].center, 0.0)[:3]
        for point, place in {"": (0.0, 0.0, 0.0), **POINTS}.items():
            # r'' + A (~w ~w + ~w') s of the point, seen from the mass centre
            s, w = np.array(place) - center, x.w[k]
            wanted = turning.rdd[k - 1] + x.A[k] @ (np.cross(w, np.cross(w, s)) + np.cross(turning.wd[k - 1], s))
            base = f"{name}.{point}." if point else f"{name}."
            got = [ev[f"{base}{axis}.acceleration"] for axis in "xyz"]
            np.testing.assert_allclose(got, wanted, rtol=0, atol=1e-9 * scale)
    size = 1.0 + np.max(np.abs(turning.lam))
    for name, joint in m.joints.items():
        body = list(m.bodies).index(joint.to.body) + 1
        about = np.array(joint.to.position) - np.append(m.bodies[joint.to.body].center, 0.0)[:3]
        wanted, got = spatial.reaction(model, x, turning.lam, name, body, about), ev.reaction(name)
        np.testing.assert_allclose(got.force, wanted.force, rtol=0, atol=1e-9 * size)
        np.testing.assert_allclose(got.moment, wanted.moment, rtol=0, atol=1e-9 * size)
    kinetic, potential = spatial.energy(model, x)
    assert ev.energy.kinetic == pytest.approx(kinetic, rel=1e-12)
    P, _ = spatial.momentum(model, x)
    np.testing.assert_allclose([ev[f"system.momentum.{axis}"] for axis in "xyz"], P, atol=1e-11)


@pytest.mark.parametrize("seed", SEEDS[:6])
def test_rows(seed):
    """Jacobian and gamma of rows that both write alike: the offsets of a guide across its direction."""
    m = random_mechanism(seed, kinds=["Prismatic"], rods=0)
    model, x = admissible(m)
    ev, q = m.evaluate(coordinates="body"), spatial.rows(model, x)
    assert ev.rows[:2] == ["J0.y", "J0.z"]
    # the book's order: y-x, z-x, then the offsets along y and z
    np.testing.assert_allclose(ev.jacobian[:2, :3], q.Phi_r[2:4, :3], atol=1e-12)
    np.testing.assert_allclose(ev.acceleration_rhs[:2], q.gamma[2:4], atol=1e-11)


def test_drivers():
    """A measure held at a function of time is the primitive with f(t)."""
    for seed in range(3):
        m = random_mechanism(seed, kinds=["Revolute"], rods=0)
        joint = m.joints["J0"]
        m.add("drive", lw.Driver(lw.Alignment(joint.on, joint.to, "x", "y"), lw.Polynomial(0.0, 0.2, 0.4)))
        model, x = admissible(m)
        ev, wanted = m.evaluate(coordinates="body"), spatial.r_omega(model, x)
        row = ev.rows.index("drive")
        assert ev.multipliers[row] == pytest.approx(-wanted.lam[-1], rel=1e-8)
        assert ev.velocity_rhs[row] == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("item", "text"),
    [
        (lambda a, b: lw.PinInSlot(a.at(), b.at()), "PinInSlot"),
        (lambda a, b: lw.TorsionSpringDamper(a.at(), b.at(), stiffness=1.0), "TorsionSpringDamper"),
        (lambda a, b: lw.Driver(lw.Angle(a.at(), b.at()), 0.0), "Angle"),
    ],
    ids=["joint", "force", "driver"],
)
def test_what_the_books_do_not_have_is_refused(item, text):
    m = lw.Mechanism("refused", dimension=3)
    a, b = (m.add(name, lw.Body(1.0, (1.0, 1.0, 1.0))) for name in "ab")
    m.add("item", item(a, b))
    with pytest.raises(DescriptionError, match=text):
        spatial_bridge.space_model(m)


def test_planar_mechanism_is_refused():
    with pytest.raises(DescriptionError, match="not spatial"):
        spatial_bridge.space_model(lw.Mechanism("flat"))


def test_inactive_elements_are_left_out():
    m = random_mechanism(0)
    m.replace("push", replace(m["push"], active=False))
    assert not any(isinstance(load, tb.ForceAt) for load in spatial_bridge.space_model(m).loads)
