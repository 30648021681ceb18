"""Parts of a motion by hand: a bead on a turning arm, a line that changes its length; wrong use."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import DescriptionError, UnknownNameError

W, ALPHA, L, V, A = 1.7, -0.6, 0.8, 0.5, 0.3


def bead(dimension=2):
    """A bead that slides on an arm; the arm is driven, the bead is too."""
    m = lw.Mechanism("bead", dimension=dimension, gravity=None)
    inertia = 1.0 if dimension == 2 else (1.0, 1.0, 1.0)
    arm, ring = m.add("arm", lw.Body(1.0, inertia)), m.add("ring", lw.Body(1.0, inertia))
    m.add("O", lw.Revolute(m.ground, arm))
    m.add("guide", lw.Prismatic(arm, ring))
    m.add("turn", lw.Driver(m["O"].angle, lw.Polynomial(0.4, W, ALPHA / 2)))
    m.add("slide", lw.Driver(m["guide"].slide, lw.Polynomial(L, V, A / 2)))
    return m


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("coordinates", ["body", "joint"])
@pytest.mark.parametrize(
    "seen", [{"on": "arm"}, {"base": "ground"}, {}], ids=["on the arm", "along the line", "from O"]
)
def test_a_bead_on_an_arm(dimension, coordinates, seen):
    m = bead(dimension)
    parts = m.evaluate(m.assemble(coordinates=coordinates).state, coordinates=coordinates).motion_parts("ring", **seen)
    u, n = np.zeros((2, dimension))
    u[:2], n[:2] = (math.cos(0.4), math.sin(0.4)), (-math.sin(0.4), math.cos(0.4))
    for name, wanted in (("base", 0.0 * u), ("tangential", L * W * n), ("slip", V * u)):
        np.testing.assert_allclose(parts.velocity[name], wanted, atol=1e-12)
    for name, wanted in (
        ("base", 0.0 * u),
        ("tangential", L * ALPHA * n),
        ("normal", -L * W**2 * u),
        ("slip", A * u),
        ("coriolis", 2.0 * V * W * n),
    ):
        np.testing.assert_allclose(parts.acceleration[name], wanted, atol=1e-11)
    assert parts.residual < 1e-12


def test_over_a_run_and_printed():
    run = bead().simulate(0.5, every=0.1, coordinates="joint")
    parts = run.motion_parts("ring", on="arm")
    assert parts.velocity["slip"].shape == (6, 2) and parts.residual < 1e-12
    np.testing.assert_allclose(np.linalg.norm(parts.velocity["slip"], axis=1), V + A * run.t, atol=1e-9)
    assert "largest size" in str(parts) and "seen on body 'arm'" in str(parts)
    one = str(parts.at(0))
    assert "size" in one and "coriolis" in one and "along the line from" in str(run.motion_parts("ring"))


def test_a_point_of_the_body_itself_has_no_slip():
    m = bead()
    m.replace("arm", lw.Body(1.0, 1.0, points={"tip": (2.0, 0.5)}))
    parts = m.evaluate(m.assemble(coordinates="body").state, coordinates="body").motion_parts("arm.tip", on="arm")
    assert not parts.velocity["slip"].any() and not parts.acceleration["coriolis"].any()
    r = math.hypot(2.0, 0.5)
    assert np.linalg.norm(parts.acceleration["normal"]) == pytest.approx(r * W**2)
    assert np.linalg.norm(parts.acceleration["tangential"]) == pytest.approx(r * abs(ALPHA))


def test_frames_will_do_and_wrong_use_is_told():
    m = bead()
    ev = m.evaluate(m.assemble(coordinates="body").state, coordinates="body")
    assert ev.motion_parts(m["ring"].at(0.1, 0.2), on="arm", base=m["arm"].at(0.3, 0.0)).residual < 1e-12
    with pytest.raises(UnknownNameError, match="arm"):
        ev.motion_parts("ring", on="arn")
    with pytest.raises(UnknownNameError, match="ring"):
        ev.motion_parts("rin", on="arm")
    with pytest.raises(DescriptionError, match="does not move with body 'arm'"):
        ev.motion_parts("ring", on="arm", base="ground")
    with pytest.raises(DescriptionError, match="line without direction"):
        ev.motion_parts("arm", base="ground")
