"""Where frames are, against what assemblies read by name."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates.frames import frame_at, frame_in


def body_somewhere(dimension, rng):
    m = lw.Mechanism("one", dimension=dimension)
    place = tuple(rng.normal(size=dimension))
    point = {"tip": tuple(rng.normal(size=dimension))}
    if dimension == 2:
        pose = {"position": place, "angle": float(rng.uniform(-3.0, 3.0)), "center": tuple(rng.normal(size=2))}
        return m, m.add("body", lw.Body(1.0, 1.0, points=point, **pose))
    q = rng.normal(size=4)
    skew = rng.normal(size=(3, 3))
    inertia = np.eye(3) + 0.1 * skew @ skew.T  # principal axes of its own
    pose = {"position": place, "orientation": tuple(q / np.linalg.norm(q)), "center": tuple(rng.normal(size=3))}
    return m, m.add("body", lw.Body(1.0, tuple(map(tuple, inertia)), points=point, **pose))


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("seed", range(5))
def test_a_frame_is_where_its_point_is(dimension, seed):
    m, body = body_somewhere(dimension, np.random.default_rng(seed))
    there = m.assemble(coordinates="body")
    model, y = there.state.model, there.state.y
    place, axes = frame_in(model, body.tip, y)
    assert place[:dimension] == pytest.approx([there[f"body.tip.{axis}"] for axis in "xyz"[:dimension]])
    assert axes @ axes.T == pytest.approx(np.eye(3))
    origin, own = frame_in(model, body.at(0.0, 0.0), y)
    ahead, _ = frame_in(model, body.at(1.0, 0.0), y)
    assert ahead - origin == pytest.approx(own[:, 0])
    turned = frame_in(model, body.at(0.0, 0.0, angle=0.3), y)[1]
    assert np.arctan2(own[:, 1] @ turned[:, 0], own[:, 0] @ turned[:, 0]) == pytest.approx(0.3)


@pytest.mark.parametrize("dimension", [2, 3])
def test_many_positions_are_as_each_of_them(dimension):
    rng = np.random.default_rng(7)
    m, body = body_somewhere(dimension, rng)
    there = m.assemble(coordinates="body")
    model, size = there.state.model, 3 if dimension == 2 else 7
    q = rng.normal(size=(4, size))
    for frame in (body.tip, m.ground.at(1.0, 2.0, angle=0.4)):
        places, axes = frame_at(model, frame, q)
        assert places.shape == (4, 3) and axes.shape == (4, 3, 3)
        for k in range(4):
            one = frame_at(model, frame, q[k])
            assert places[k] == pytest.approx(one[0]) and axes[k] == pytest.approx(one[1])
    assert places[2] == pytest.approx([1.0, 2.0, 0.0])
