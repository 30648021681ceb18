"""Mechanisms of space with what the compiled equations give, in every set of coordinates.

A body shows its orientation by three named points, one along each of its axes.
"""

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS
from linkwork.textbook import spatial_rotation as rot
from reference.book import agrees, label, load

AXES = {"e1": (1.0, 0.0, 0.0), "e2": (0.0, 1.0, 0.0), "e3": (0.0, 0.0, 1.0)}


class Reader:
    """World vectors of a body out of an evaluation or a result (at its k-th time)."""

    def __init__(self, source, body, k=None):
        self.read = (lambda name: source[name]) if k is None else (lambda name: source[name][k])
        self.body = body

    def vector(self, point="", ending=""):
        names = (f"{self.body}.{point}{'.' if point else ''}{axis}{ending}" for axis in "xyz")
        return np.array([self.read(name) for name in names])

    def axes(self, ending=""):
        """The axes as columns, or their rates or accelerations."""
        return np.column_stack([self.vector(point, ending) - self.vector("", ending) for point in AXES])

    @property
    def omega_bar(self):
        """Angular velocity in body axes: A'A' = ~w."""
        return rot.axial(self.axes().T @ self.axes(".rate"))

    @property
    def omega_bar_rate(self):
        """A'A'' = ~w' + ~w ~w."""
        return rot.axial(self.axes().T @ self.axes(".acceleration"))


def times_of(case):
    return sorted({0.0} | {e["at"]["t"] for e in case["expected"] if isinstance(e["at"], dict)})


def couple(m, body, name, moment):
    """A moment about axes of the body, as pairs of opposite forces that turn with it."""
    for k, value in enumerate(moment):
        arm, across = 0.5 * np.eye(3)[(k + 1) % 3], "xyz"[(k + 2) % 3]
        for sign in (1, -1):
            side = "plus" if sign > 0 else "minus"
            m.add(f"{name}{k} {side}", lw.PointForce(body.at(*(sign * arm)), axes="body", **{across: sign * value}))


@pytest.mark.parametrize("coordinates", SETS)
def test_torque_free_symmetric_body(coordinates):
    case = load("spatial_torque_free_symmetric")
    d = case["model"]
    m = lw.Mechanism("free top", dimension=3, gravity=None)
    m.add("top", lw.Body(d["m"], d["J_bar"], position=(0, 0, 0), orientation=d["p0"], velocity=(0, 0, 0),
                         angular_velocity=d["omega_bar0"], points=AXES))  # fmt: skip
    times = times_of(case)
    run = m.simulate(times, coordinates=coordinates, rtol=1e-12)
    J = np.array(d["J_bar"])
    for entry in case["expected"]:
        name = entry["quantity"]
        for k in [times.index(entry["at"]["t"])] if isinstance(entry["at"], dict) else range(len(times)):
            top = Reader(run, "top", k)
            if name == "rotation matrix":
                agrees(top.axes(), entry)
            elif name == "omega body":
                agrees(top.omega_bar, entry)
            elif name.startswith("euler parameters"):  # of the two, the one on the wanted side
                p = rot.euler_parameters(top.axes())
                agrees(p * np.sign(p @ entry["value"]), entry)
            elif name == "kinetic energy":
                agrees(run.energy.kinetic[k], entry)
            elif name == "L global":
                agrees(top.axes() @ (J * top.omega_bar), entry)
            elif name == "angle between L and symmetry axis":
                L = top.axes() @ (J * top.omega_bar)
                agrees(np.arccos(L @ top.axes()[:, 2] / np.linalg.norm(L)), entry)
            elif name == "precession rate |L|/J1":
                agrees(np.linalg.norm(J * top.omega_bar) / J[0], entry)
            else:
                assert name == "body spin rate (J1-J3)/J1*w3", label(entry)
                agrees((J[0] - J[2]) / J[0] * top.omega_bar[2], entry)


@pytest.mark.parametrize("coordinates", SETS)
def test_driven_revolute_pendulum(coordinates):
    case = load("spatial_driven_revolute_pendulum")
    d = case["model"]
    m = lw.Mechanism("driven pendulum", dimension=3, gravity=d["gravity"])
    bar = m.add("bar", lw.Body(d["m"], d["J_bar"]))
    hinge = m.add("hinge", lw.Revolute(m.ground.at(0, 0, 0, axis=d["hinge_axis"], along=(0, 0, -1)),
                                       bar.at(*d["hinge_at_sbar"])))  # fmt: skip
    m.add("motor", lw.Driver(hinge.angle, "pi/5*cos(2.2*t)"))
    times = case["analysis"]["times"]
    run = m.simulate(times, coordinates=coordinates, rtol=1e-11)
    force = run.reaction("hinge")
    for entry in case["expected"]:
        k = times.index(entry["at"]["t"])
        if entry["quantity"] == "c.o.m. acceleration":
            agrees(Reader(run, "bar", k).vector("", ".acceleration"), entry)
        elif entry["quantity"] == "hinge reaction force on the bar":
            agrees(force.force[k], entry)
        else:
            assert entry["quantity"] == "driving torque about the hinge axis (on the bar)"
            agrees(run["motor.effort"][k], entry)
    # the bar stays in the plane of the swing and is symmetric there: the hinge gives no moment
    np.testing.assert_allclose(force.moment, 0.0, atol=1e-9)


@pytest.mark.parametrize("coordinates", SETS)
def test_two_bodies_with_a_strut(coordinates):
    case = load("spatial_two_bodies_strut")
    d = case["model"]
    m = lw.Mechanism("two bodies", dimension=3, gravity=None)
    ends = []
    for name in "AB":
        b = d[f"body_{name}"]
        body = m.add(name, lw.Body(b["m"], b["J_bar"], position=b["r"], orientation=b["p"], velocity=b["rd"],
                                   angular_velocity=b["omega_bar"], points=AXES))  # fmt: skip
        ends.append(body.at(*b["strut_point_sbar"]))
    m.add("strut", lw.SpringDamper(*ends, stiffness=d["k"], rest_length=d["l0"], damping=d["damping"]))
    ev = m.evaluate(coordinates=coordinates)
    times = times_of(case)
    run = m.simulate(times, coordinates=coordinates, rtol=1e-11)

    def moment_of_momentum(k):
        total = np.zeros(3)
        for name in "AB":
            b, read = d[f"body_{name}"], Reader(run, name, k)
            total += np.cross(read.vector(), b["m"] * read.vector("", ".rate"))
            total += read.axes() @ (np.array(b["J_bar"]) * read.omega_bar)
        return total

    answers = {
        "force on body A": lambda k: ev.applied_force("A")[:3],
        "torque on body A (body frame, about c.o.m.)": lambda k: ev.applied_force("A")[3:],
        "torque on body B (body frame, about c.o.m.)": lambda k: ev.applied_force("B")[3:],
        "positions [r_A, r_B]": lambda k: [Reader(run, name, k).vector() for name in "AB"],
        "omega_bar [A,B]": lambda k: [Reader(run, name, k).omega_bar for name in "AB"],
        "strut length": lambda k: run["strut.length"][k],
        "mechanical energy": lambda k: run.energy.total[k],
        "total momentum": lambda k: [run[f"system.momentum.{axis}"][k] for axis in "xyz"],
        "total moment of momentum about origin": moment_of_momentum,
    }
    for entry in case["expected"]:
        for k in [times.index(entry["at"]["t"])] if isinstance(entry["at"], dict) else range(len(times)):
            agrees(answers[entry["quantity"]](k), entry)


@pytest.mark.parametrize("coordinates", SETS)
def test_rigid_body_under_its_resultants(coordinates):
    """Veldpaus, chapter 2: the force and moment that a motion asks for, applied, give that motion."""
    case = load("spatial_veldpaus_rigid_body_quantities")
    d, wanted = case["model"], {e["quantity"]: e for e in case["expected"]}
    R = rot.cardan_matrix(d["phi_cardan"])
    m = lw.Mechanism("one body", dimension=3, gravity=None)
    body = m.add("body", lw.Body(d["m"], d["J_M0_body"], position=d["x_M"], orientation=rot.euler_parameters(R),
                                 velocity=d["v_M"], angular_velocity=R.T @ d["omega_global"],
                                 points=AXES))  # fmt: skip
    force = wanted["resultant force"]["value"]
    m.add("force", lw.PointForce(body, **dict(zip("xyz", force))))
    couple(m, body, "moment", R.T @ wanted["resultant moment about M"]["value"])
    ev = m.evaluate(coordinates=coordinates)
    read = Reader(ev, "body")
    agrees([ev[f"system.momentum.{axis}"] for axis in "xyz"], wanted["momentum"])
    agrees(ev.energy.kinetic, wanted["kinetic energy"])
    np.testing.assert_allclose(read.vector("", ".acceleration"), d["a_M"], atol=1e-12)
    np.testing.assert_allclose(read.axes() @ read.omega_bar_rate, d["omega_dot_global"], atol=1e-12)
    np.testing.assert_allclose(read.axes() @ read.omega_bar, d["omega_global"], atol=1e-12)
    # the kernels' principal axes hold the same inertia
    np.testing.assert_allclose(np.sort(np.diag(ev.mass_matrix)[3:]), np.linalg.eigvalsh(d["J_M0_body"]), atol=1e-15)


@pytest.mark.parametrize("coordinates", SETS)
def test_single_body_under_loads(coordinates):
    """Negrut: two forces at points, a torque about body axes (here as couples) and weight."""
    case = load("spatial_negrut_single_body_loads")
    d, s, wanted = case["model"], case["model"]["state"], {e["quantity"]: e for e in case["expected"]}
    m = lw.Mechanism("one body", dimension=3, gravity=d["gravity"])
    body = m.add("body", lw.Body(d["m"], np.diag(d["J_bar"]), position=s["r"], orientation=s["p"], velocity=s["rd"],
                                 angular_velocity=s["omega_bar"], points=AXES))  # fmt: skip
    for k, (force, at) in enumerate(zip(d["forces_global"], d["at_sbar"])):
        m.add(f"force {k}", lw.PointForce(body.at(*at), **dict(zip("xyz", force))))
    couple(m, body, "torque", d["torque_bar"])
    ev = m.evaluate(coordinates=coordinates)
    applied = ev.applied_force("body")
    agrees(applied[:3] - d["m"] * np.array(d["gravity"]), wanted["total active force (without gravity)"])
    agrees(applied[3:], wanted["total active torque, body frame"])
    read = Reader(ev, "body")
    agrees(read.vector("", ".acceleration"), wanted["rdd"])
    agrees(read.omega_bar_rate, wanted["omega_bar_dot"])
    agrees(rot.parameter_accelerations(s["p"], s["omega_bar"], read.omega_bar_rate), wanted["pdd"])


@pytest.mark.parametrize("coordinates", SETS)
def test_spherical_pendulum_on_a_rod(coordinates):
    case = load("spatial_spherical_pendulum")
    d, start = case["model"], case["model"]["initial"]
    m = lw.Mechanism("spherical pendulum", dimension=3, gravity=d["gravity"])
    ball = m.add("ball", lw.Particle(d["m"], position=start["r"], velocity=start["rd"]))
    m.add("rod", lw.Rod(m.ground, ball, length=d["length"]))
    times = times_of(case)
    run = m.simulate(times, coordinates=coordinates, rtol=1e-11)
    for entry in case["expected"]:
        name = entry["quantity"]
        if name.startswith("conical") or name == "other turning polar angle":
            continue  # closed forms, answered by the textbook; the conical motion is below
        for k in [times.index(entry["at"]["t"])] if isinstance(entry["at"], dict) else range(len(times)):
            r, v = (Reader(run, "ball", k).vector("", ending) for ending in ("", ".rate"))
            if name == "position":
                agrees(r, entry)
            elif name == "tension":
                agrees(-run.reaction("rod").force[k] @ r / d["length"], entry)
            elif name == "energy":
                agrees(run.energy.total[k], entry)
            else:
                assert name == "vertical angular momentum"
                agrees(d["m"] * np.cross(r, v)[2], entry)


@pytest.mark.parametrize("coordinates", SETS)
def test_conical_pendulum(coordinates):
    """A circle at polar angle 0.7, at the rate that keeps it there."""
    case = load("spatial_spherical_pendulum")
    d, wanted = case["model"], {e["quantity"].split(": ")[-1]: e for e in case["expected"]}
    rate = wanted["angular rate at polar angle 0.7 from the downward vertical"]["value"]
    r = d["length"] * np.array([np.sin(0.7), 0.0, -np.cos(0.7)])
    m = lw.Mechanism("conical pendulum", dimension=3, gravity=d["gravity"])
    ball = m.add("ball", lw.Particle(d["m"], position=r, velocity=rate * np.cross((0, 0, 1), r)))
    m.add("rod", lw.Rod(m.ground, ball, length=d["length"]))
    run = m.simulate([0.0, 0.5, 2.0], coordinates=coordinates, rtol=1e-11)
    np.testing.assert_allclose(run["ball.z"], r[2], atol=1e-9)
    np.testing.assert_allclose(run["ball.x"], r[0] * np.cos(rate * run.t), atol=1e-8)
    force = run.reaction("rod").force
    agrees(np.linalg.norm(force[0]), wanted["string tension"])


def slider_damper(value, rate, t, damping):
    """A viscous damper along the guide."""
    return -damping * rate


def crankshaft(tilt):
    """Veldpaus, sections 4.2 and 4.3: crank and connecting rod, in a plane turned about the world's x by `tilt`."""
    case = load("spatial_veldpaus_crankshaft")
    d, start = case["model"], case["analysis"]["initial"]
    c, s = np.cos(tilt), np.sin(tilt)
    place = {"axis": (0.0, -s, c), "along": (1.0, 0.0, 0.0)}
    pivot = (float(d["ground_pivot"][0]), 0.0, 0.0)
    m = lw.Mechanism("crankshaft", dimension=3, gravity=(0.0, -d["g"] * c, -d["g"] * s))
    crank = m.add("crank", lw.Body(d["m1"], (0.01, 0.015, d["J1"]), center=(d["c1"], 0, 0)))
    rod = m.add("rod", lw.Body(d["m2"], (0.02, 0.1, d["J2"]), center=(d["c2"], 0, 0), points={"tip": (d["l2"], 0, 0)}))
    A1 = m.add("A1", lw.Revolute(m.ground.at(*pivot, **place), crank))
    A2 = m.add("A2", lw.Revolute(crank.at(d["l1"], 0, 0), rod))
    m.add("A3", lw.PinInSlot(m.ground.at(*pivot, **place), rod.tip))
    m.add("actuator", lw.TorsionSpringDamper(A1.on, A1.to, actuator=-d["tau"], damping=d["B1"]))
    m.add("damper 2", lw.TorsionSpringDamper(A2.on, A2.to, damping=d["B2"]))
    along = lw.WorldOffset(m.ground.at(*pivot), rod.tip, "x")
    m.add("damper 3", lw.UserForce(along, slider_damper, energy="dissipates", damping=d["B3"]))
    m.add("load", lw.PointForce(rod.tip, x=-d["F"]))
    (b1, b2), rate = start["beta"], start["beta_dot"][0]
    given = {"A1.angle": b1, "A1.angle.rate": rate}
    up = np.array([0.0, c, s])  # the plane's y in the world
    return case, m, given, {"A2.angle": b2 - b1}, up


@pytest.mark.parametrize("tilt", [0.0, 0.6])
@pytest.mark.parametrize("coordinates", SETS)
def test_crankshaft_at_the_start(coordinates, tilt):
    case, m, given, near, up = crankshaft(tilt)
    wanted = {e["quantity"].split(" ")[0]: e for e in case["expected"] if e["at"] == "initial"}
    state = m.assemble(start=given, near=near, coordinates=coordinates).state
    ev = m.evaluate(state, coordinates=coordinates)
    b1dd, b12dd = ev["A1.angle.acceleration"], ev["A2.angle.acceleration"]
    agrees([b1dd, b1dd + b12dd], wanted["[b1dd,b2dd]"])
    agrees(ev.reaction("A3").force @ up, wanted["lambda"])
    for joint, quantity in (("A1", "F1"), ("A2", "F2")):
        force = ev.reaction(joint).force
        agrees([force[0], force @ up], wanted[quantity])
        assert force @ np.cross((1, 0, 0), up) == pytest.approx(0.0, abs=1e-9)  # nothing out of the plane


@pytest.mark.parametrize("tilt", [0.0, 0.6])
@pytest.mark.parametrize("coordinates", SETS)
def test_crankshaft_in_motion(coordinates, tilt):
    case, m, given, near, up = crankshaft(tilt)
    wanted = [e for e in case["expected"] if isinstance(e["at"], dict)]
    times = times_of(case)
    run = m.simulate(times, start=given, near=near, coordinates=coordinates, rtol=1e-11)
    for entry in wanted:
        k = times.index(entry["at"]["t"])
        if entry["quantity"] == "N":
            agrees(run.reaction("A3").force[k] @ up, entry)
        else:
            agrees([run["A1.angle"][k], run["A1.angle.rate"][k]], entry)
