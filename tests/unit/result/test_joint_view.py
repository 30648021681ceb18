"""One state seen in joint coordinates, by name."""

import numpy as np
import pytest

import linkwork as lw


def crane(dimension=2):
    """A trolley, a rope that turns, and a load on a slide; closed by a rod."""
    m = lw.Mechanism("crane", dimension=dimension)
    trolley = m.add("trolley", lw.Body(2.0, 0.1, position=(0.0, 0.0), angle=0.0, velocity=(0.5, 0.0)))
    arm = m.add("arm", lw.bar(length=1.0, mass=1.0))
    load = m.add("load", lw.Body(0.7, 0.2, center=(0.1, 0.0)))
    m.add("T", lw.Prismatic(m.ground, trolley))
    m.add("A", lw.Revolute(trolley, arm.a))
    m.add("S", lw.Prismatic(arm.b, load))
    m.add("rod", lw.Rod(m.ground.at(3.0, 0.0), load, length=2.6))
    return m


@pytest.fixture(scope="module")
def view():
    m = crane()
    start = {"A.angle": -1.0, "T.slide": 0.2, "A.angle.rate": 1.5}
    return m.evaluate(m.assemble(start=start, coordinates="joint").state, coordinates="joint").joint


def test_names(view):
    assert view.columns == ["T.slide", "A.angle", "S.slide"]
    assert view.tree_joints == ["T", "A", "S"] and view.cut_joints == ["rod"] and view.loop_rows == ["rod.length"]
    assert view.values[:2] == pytest.approx([0.2, -1.0]) and view.rates[1] == pytest.approx(1.5)
    assert view.loop_error == pytest.approx([0.0], abs=1e-10)


def test_shapes(view):
    assert view.transformation.shape == (9, 3) and view.bias.shape == (9,)
    assert view.mass_matrix.shape == (3, 3) and view.loop_jacobian.shape == (1, 3)
    assert view.force.shape == (3,) and view.loop_rhs.shape == (1,)


def test_transformation_by_hand(view):
    """The first column moves everything along x; the second turns arm and load about the trolley."""
    angle, slide = view.values[1:]
    c, s = np.cos(angle), np.sin(angle)
    assert view.transformation[:, 0] == pytest.approx([1, 0, 0] * 3)
    far = 1.0 + slide + 0.1
    assert view.transformation[:, 1] == pytest.approx([0, 0, 0, -0.5 * s, 0.5 * c, 1, -far * s, far * c, 1])
    assert view.transformation[:, 2] == pytest.approx([0, 0, 0, 0, 0, 0, c, s, 0])
    assert view.mass_matrix[0, 0] == pytest.approx(3.7) and view.mass_matrix[2, 2] == pytest.approx(0.7)


def test_the_view_can_be_had_from_every_set():
    m = crane()
    state = m.assemble(start={"A.angle": -1.0}, coordinates="body").state
    body, joint = (m.evaluate(state, coordinates=one).joint for one in ("body", "joint"))
    assert np.array_equal(body.mass_matrix, joint.mass_matrix) and body.columns == joint.columns


def test_reactions_along_the_coordinates(view):
    assert np.array_equal(view.reaction("A"), np.zeros(3))
    assert view.reaction("rod") == pytest.approx(view.loop_jacobian[0] * view.multipliers[0])
    with pytest.raises(lw.errors.UnknownNameError, match="rodd") as caught:
        view.reaction("rodd")
    assert "rod" in str(caught.value).replace("rodd", "") and "crane" in str(caught.value)


def test_inverse_dynamics_by_name_and_by_number(view):
    named = view.inverse_dynamics({"A.angle": 2.0})
    assert named == pytest.approx(view.mass_matrix @ [0.0, 2.0, 0.0] - view.force)
    assert np.array_equal(named, view.inverse_dynamics([0.0, 2.0, 0.0]))
    assert view.inverse_dynamics() == pytest.approx(view.reaction("rod"), abs=1e-10)


def test_wrong_accelerations_are_refused(view):
    with pytest.raises(lw.errors.UnknownNameError, match=r"A\.angel") as caught:
        view.inverse_dynamics({"A.angel": 2.0})
    assert "A.angle" in str(caught.value)
    for wrong in ([1.0], np.zeros(9), np.zeros((3, 3)), 2.0):
        with pytest.raises(lw.errors.DescriptionError, match="wrong number of accelerations"):
            view.inverse_dynamics(wrong)


def test_absolute_angles():
    m = lw.Mechanism("two arms")
    one, two, three = (m.add(name, lw.bar(length=1.0, mass=1.0)) for name in ("one", "two", "three"))
    m.add("A", lw.Revolute(m.ground, one.a))
    m.add("S", lw.Prismatic(one.b, two.a))
    m.add("B", lw.Revolute(three.a, two.b))  # reversed: its angle is that of two against three
    start = {"A.angle.rate": 1.0, "S.slide.rate": 0.5, "B.angle.rate": 3.0}
    ev = m.evaluate(m.assemble(start=start, coordinates="joint").state, coordinates="joint")
    view = ev.joint
    assert view.columns == ["A.angle", "S.slide", "B.angle"]
    assert view.to_absolute @ view.rates == pytest.approx([1.0, 0.5, ev["three.angle.rate"]])
    assert ev["three.angle.rate"] == pytest.approx(-2.0)


def test_absolute_angles_are_of_the_plane():
    m = lw.Mechanism("space", dimension=3)
    m.add("A", lw.Revolute(m.ground, m.add("one", lw.Body(1.0, (1.0, 1.0, 1.0)))))
    with pytest.raises(lw.errors.DescriptionError, match="plane only"):
        m.evaluate(m.assemble(coordinates="body").state, coordinates="joint").joint.to_absolute


# -- evaluation by names of joint coordinates ---------------------------------------------------------------


def test_evaluation_by_joint_coordinates():
    m = lw.Mechanism("double pendulum")
    one, two = (m.add(name, lw.bar(length=1.0, mass=1.0)) for name in ("one", "two"))
    m.add("A", lw.Revolute(m.ground, one.a))
    m.add("B", lw.Revolute(one.b, two.a))
    given = {"A.angle": 0.3, "B.angle": 0.5, "A.angle.rate": 1.0, "B.angle.rate": -0.4}
    ev = m.evaluate(given, coordinates="joint")
    assert [ev[name] for name in given] == pytest.approx(list(given.values()), abs=1e-14)
    assert ev["two.angle"] == pytest.approx(0.8) and ev["two.angle.rate"] == pytest.approx(0.6)
    assert ev["two.x"] == pytest.approx(np.cos(0.3) + 0.5 * np.cos(0.8))
    assert ev.constraint_error == pytest.approx(np.zeros(4), abs=1e-14)
    bodies = {f"{name}.{key}{end}": ev[f"{name}.{key}{end}"] for name in m.bodies for key in ("x", "y", "angle")
              for end in ("", ".rate")}  # fmt: skip
    assert m.evaluate(bodies, coordinates="body").accelerations == pytest.approx(ev.accelerations, abs=1e-10)


@pytest.mark.parametrize("name", ["A.angel", "A.angle.acceleration", "C.angle"])
def test_wrong_names_are_refused_with_the_nearest(name):
    m = lw.Mechanism("pendulum")
    m.add("A", lw.Revolute(m.ground, m.add("rod", lw.bar(length=1.0, mass=1.0)).a))
    with pytest.raises(lw.errors.UnknownNameError, match="pendulum") as caught:
        m.evaluate({name: 1.0}, coordinates="joint")
    text = str(caught.value)
    assert f"'{name}'" in text and "A.angle" in text.replace(name, "")
