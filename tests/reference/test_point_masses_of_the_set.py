"""Mass matrices of García de Jalón and Bayo, chapter 4, as `coordinates="point"` has them; a mass on a rod in space."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.kernels import layout as at
from reference.book import agrees, load
from reference.test_joint_coordinates import BEADS, bead_on_rod


def expected(case, start):
    (found,) = [e for e in case["expected"] if e["quantity"].startswith(start)]
    return found


def mass_matrix(m, places):
    """M of some of the coordinates, from the plan: what turns without any inertia is refused by assembly."""
    plan = m.compile(coordinates="body").plan("point")
    M = np.zeros((plan.n_v, plan.n_v))
    for (i, j), value in zip(plan.table(at.T_MASS), plan.view(plan.parameters, at.P_MASS_ENTRY)):
        M[i, j] = M[j, i] = value
    some = places(plan.layout.choice)
    return M[np.ix_(some, some)]


def in_space(names):
    """Places of the coordinates of points and vectors by their names."""
    return lambda choice: [3 * [one.name for one in choice.sources].index(name) + c for name in names for c in range(3)]


def in_plane(names):
    return lambda choice: [
        2 * [one.joints[0] for one in choice.places].index(name) + c for name in names for c in (0, 1)
    ]


def test_plane_bar():
    case = load("spatial_gdj_ex4_6_planar_bar")
    m = lw.Mechanism("bar")
    bar = m.add("bar", lw.bar(length=case["model"]["L"], mass=case["model"]["m"]))
    for name, end in (("A", bar.a), ("B", bar.b)):
        m.add(name, lw.Revolute(end, m.add(f"at_{name}", lw.Particle(0.0))))
    agrees(mass_matrix(m, in_plane("AB")), expected(case, "M (4x4)"))


def test_bar_in_space():
    case = load("spatial_gdj_3d_2pt_bar_mass")
    mass, length = case["model"]["m"], case["model"]["L"]
    across = mass * length**2 / 12
    m = lw.Mechanism("bar", dimension=3)
    # nearly none about its axis: a bar with none at all does not turn there, and is given some, which nothing moves
    bar = m.add("bar", lw.Body(mass, (1e-13 * across, across, across), center=(length / 2, 0, 0)))
    for k, x in enumerate((0.0, length)):
        m.add(f"P{k}", lw.Spherical(bar.at(x, 0, 0), m.add(f"at{k}", lw.Particle(0.0))))
    M = mass_matrix(m, in_space(["P0", "P1"]))
    agrees(M[::3, ::3], expected(case, "M2"))
    np.testing.assert_array_equal(M, np.kron(M[::3, ::3], np.eye(3)))


def element(case):
    """The body of a case, its axes along those of the world, with a joint to a body without mass at each source."""
    d = case["model"]
    points = {name: np.array(place) for name, place in d["points_local"].items()}
    m = lw.Mechanism("element", dimension=3, gravity=None)
    inertia = tuple(map(tuple, d["body"]["inertia_tensor_about_G_local"]))
    body = m.add("body", lw.Body(d["body"]["m"], inertia, center=tuple(d["body"]["rG_local"])))
    return m, body, points, {name: tuple(way) for name, way in d["vectors_local"].items()}


@pytest.mark.parametrize("name", ["spatial_gdj_3d_2pt2vec_mass", "spatial_gdj_3d_3pt1vec_mass"])
def test_elements_of_space(name):
    """M4 of points and vectors that are shared: balls share points, hinges points and their axes."""
    case = load(name)
    m, body, points, vectors = element(case)
    axes = dict(zip(points, vectors.items()))  # the first points have hinges along the vectors, the others balls
    for at_point, place in points.items():
        other = m.add(f"other_{at_point}", lw.Body(0.0, (0.0, 0.0, 0.0)))
        if at_point in axes:
            _, way = axes[at_point]
            m.add(at_point, lw.Revolute(body.at(*place, axis=way), other.at(0, 0, 0)))
        else:
            m.add(at_point, lw.Spherical(body.at(*place), other.at(0, 0, 0)))
    names = [*points, *(f"{one}.axis" for one in axes)]
    M = mass_matrix(m, in_space(names))
    agrees(M[::3, ::3], expected(case, "M4"))
    np.testing.assert_array_equal(M, np.kron(M[::3, ::3], np.eye(3)))


@pytest.mark.parametrize("bead", BEADS[1:])
def test_bead_on_rod_in_space(bead):
    """Example 4.2 in space: a guide and a hinge, points and unit vectors."""
    numbers, m, given = bead_on_rod(bead)
    wanted = {e["quantity"].split(" ")[0]: e for e in numbers["expected"] if e["at"] == "initial"}
    space = m.in_space()
    ev = space.evaluate(given, coordinates="point")
    agrees([ev["S.slide.acceleration"], ev["A.angle.acceleration"]], wanted["qdd"])
    agrees([ev[f"{name}.acceleration"] for name in ("bead.x", "bead.y", "rod.tip.x", "rod.tip.y")], wanted["xdd"])
    moving = [e for e in numbers["expected"] if isinstance(e["at"], dict)]
    run = space.simulate([0.0, *(e["at"]["t"] for e in moving)], start=given, coordinates="point", rtol=1e-11)
    for k, entry in enumerate(moving, start=1):
        agrees([run[name][k] for name in ("S.slide", "A.angle", "S.slide.rate", "A.angle.rate")], entry)
    for total in run.energy.total:
        agrees(total, expected(numbers, "total energy"))
