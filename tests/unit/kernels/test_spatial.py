"""Space: every measure against differences along a free motion, joints in odd frames, momenta and energy kept."""

import numpy as np
import pytest

import linkwork as lw

STEP = 1e-3
TILTED = [[2.0, 0.1, 0.2], [0.1, 1.5, 0.05], [0.2, 0.05, 1.1]]


def nothing(value, rate, t):
    return 0.0 * value


def orientation(seed):
    e = np.random.default_rng(seed).normal(size=4)
    return tuple(e / np.linalg.norm(e))


def two_bodies():
    m = lw.Mechanism("two bodies", dimension=3, gravity=None)
    a = m.add(
        "a",
        lw.Body(
            1.0,
            TILTED,
            center=(0.1, 0.2, -0.1),
            position=(0, 0, 0),
            orientation=orientation(1),
            velocity=(0.3, 0.1, -0.4),
            angular_velocity=(1.0, -0.5, 0.8),
        ),
    )
    b = m.add(
        "b",
        lw.Body(
            1.0,
            (0.4, 0.6, 0.5),
            center=(-0.2, 0.1, 0.3),
            position=(0.5, 0.4, -0.3),
            orientation=orientation(2),
            velocity=(-0.2, 0.5, 0.1),
            angular_velocity=(-0.6, 0.9, 0.4),
        ),
    )
    return m, a.at(0.3, 0.2, 0.1, axis=(1, 2, 0.5)), b.at(-0.2, 0.4, 0.3, axis=(0.2, -1, 0.7))


def difference(series):
    """Five-point derivative inside the series."""
    return (series[:-4] - 8 * series[1:-3] + 8 * series[3:-1] - series[4:]) / (12 * STEP)


@pytest.mark.parametrize(
    "kind", ["Offset x", "Offset z", "WorldOffset y", "Alignment", "Angle", "Distance", "Slip y", "Sum"]
)
def test_rate_and_acceleration_of_a_measure(kind):
    m, on, to = two_bodies()
    name, _, axis = kind.partition(" ")
    measure = (
        lw.Sum((2.0, lw.Offset(on, to, "x")), (-1.0, lw.Angle(on, to)))
        if name == "Sum"
        else lw.Alignment(on, to, "x", "z")
        if name == "Alignment"
        else getattr(lw, name)(on, to, *([axis] if axis else []))
    )
    m.add("reader", lw.UserForce(measure, nothing))
    run = m.simulate(np.arange(31) * STEP, rtol=1e-12, coordinates="body")
    value, rate, acceleration = (run._series.measure(measure, order) for order in range(3))
    if not measure.rate_only:
        assert difference(value) == pytest.approx(rate[2:-2], abs=1e-9)
    assert difference(rate) == pytest.approx(acceleration[2:-2], abs=1e-9)


def test_free_bodies_keep_energy_and_momentum():
    m, _, _ = two_bodies()
    run = m.simulate(2.0, rtol=1e-11, coordinates="body")
    assert np.ptp(run.energy.kinetic) < 1e-9
    for axis in "xyz":
        assert np.ptp(run[f"system.momentum.{axis}"]) < 1e-12


@pytest.mark.parametrize(("joint", "freedom"), [(lw.Revolute, 2), (lw.Prismatic, 2), (lw.Fixed, 1)])
def test_joints_in_tilted_frames(joint, freedom):
    m = lw.Mechanism("two joints", dimension=3)
    one = m.add("one", lw.Body(1.0, (0.4, 0.6, 0.5), center=(0.1, 0.2, -0.1)))
    two = m.add("two", lw.Body(2.0, TILTED, center=(0, 0.1, 0)))
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0, axis=(0, 1, 1)), one.at(0.1, 0.2, 0.3, axis=(1, 1, 0))))
    m.add("B", joint(one.at(0.3, 0.1, 0.2, axis=(1, 0.3, 0)), two.at(-0.2, 0.1, 0.4, axis=(0, 0.2, 1))))
    assert m.check(coordinates="body").freedom == freedom
    run = m.simulate(1.0, rtol=1e-10, coordinates="body")
    assert np.abs(run.energy.balance).max() < 1e-7
    assert run.violation.max() < 1e-12
    # the joint pushes both bodies alike: what `two` feels, `one` feels oppositely
    assert run.reaction("B").force == pytest.approx(-run.reaction("B", on="one").force, abs=1e-9)


def test_reactions_balance_momentum_in_space():
    """Force of the joint on a body = m a - weight of that body, at its mass centre."""
    m = lw.Mechanism("pendulum", dimension=3)
    rod = m.add("rod", lw.Body(2.0, (0.1, 0.5, 0.5), center=(0.5, 0, 0)))
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0, axis=(0, 1, 0)), rod.at(0, 0, 0, axis=(0, 1, 0))))
    run = m.simulate(0.5, rtol=1e-10, start={"A.angle.rate": 2.0}, coordinates="body")
    acceleration = np.column_stack([run[f"system.center.{axis}.acceleration"] for axis in "xyz"])
    assert run.reaction("A").force == pytest.approx(2.0 * acceleration + [0, 0, 2.0 * 9.81], abs=1e-8)
