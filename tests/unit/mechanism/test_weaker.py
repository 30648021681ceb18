"""Joints that hold less: where the stronger one is met, they are met too, and leave as much more as they say."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.mechanism.weaker import _LESS

MORE = {"Screw": {"pitch": 0.3}, "RollingDisc": {"radius": 0.4, "reference": 0.1}}
KINDS = [(dimension, kind) for dimension, table in _LESS.items() for kind in table]


@pytest.mark.parametrize(("dimension", "kind"), KINDS, ids=lambda one: getattr(one, "__name__", str(one)))
@pytest.mark.parametrize("seed", range(3))
def test_weaker_joints_hold_less_and_the_same(dimension, kind, seed):
    rng = np.random.default_rng(seed)
    m = lw.Mechanism("one", dimension=dimension, gravity=None)

    def frame(body):
        if dimension == 2:
            return body.at(*rng.normal(size=2), angle=rng.uniform(-3, 3))
        return body.at(*rng.normal(size=3), axis=tuple(rng.normal(size=3)), along=tuple(rng.normal(size=3)))

    body = m.add("body", lw.Body(1.0, 1.0 if dimension == 2 else (1.0, 1.1, 1.2)))
    joint = m.add("J", kind(frame(m.ground), frame(body), **MORE.get(kind.__name__, {})))
    state = m.assemble(coordinates="body").state
    freedom = m.check(coordinates="body").freedom
    found = joint.weaker(dimension)
    assert found
    for made, released, _ in found:
        labels = [row.label for row in joint.rows(dimension)]
        assert set(released) <= set(labels) and len(made.rows(dimension)) == len(labels) - len(released)
        other = m.copy()
        other.replace("J", made)
        assert not other.evaluate(state, coordinates="body").violated
        assert other.check(start=state, coordinates="body").freedom == freedom + len(released)
        # what it lets go and what it holds span what the stronger one holds: no new direction is held
        J, K = (one.evaluate(state, coordinates="body").jacobian for one in (m, other))
        assert np.linalg.matrix_rank(np.vstack([J, K]), 1e-9) == len(J)
        kept = [k for k, label in enumerate(labels) if label not in released]
        pin = [labels.index(axis) for axis in "xyz"[:dimension] if axis in labels]
        if len(pin) == dimension:  # along axes of the world; what is let go is along those of the joint
            J[pin] = joint.on.rotation()[:dimension, :dimension].T @ J[pin]
        assert np.linalg.matrix_rank(np.vstack([J[kept], K]), 1e-9) == len(kept)


def test_kinds_that_nothing_is_known_of():
    m = lw.Mechanism("rod")
    body = m.add("body", lw.bar(length=1.0, mass=1.0))
    assert m.add("R", lw.Rod(m.ground, body.a, length=1.0)).weaker(2) == []
