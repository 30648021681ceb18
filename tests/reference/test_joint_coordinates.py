"""Mechanisms of chapter 9 and of the program DAP_JC, and two of other books, in every set of coordinates.

Nikravesh, Planar Multibody Dynamics, 2nd ed.; García de Jalón and Bayo, chapter 4; Veldpaus, Multibody dynamics. Each
case file names its section. Values belong to the mechanism, not to the coordinates it is solved in: each is asked of
every set. What belongs to the joint coordinates themselves is asked of that set alone.
"""

from dataclasses import replace
from functools import cache, cached_property

import numpy as np
import pytest

import linkwork as lw
from linkwork import textbook as tb
from linkwork.coordinates import SETS
from linkwork.textbook import planar_joint_coordinates as jc
from reference.book import COORDINATES, agrees, label, load, mechanism_from_case

CASES = [
    "nik_9_3_variable_length_pendulum",
    "nik_9_5_inverted_slider_crank_cut_joint",
    "nik_C1_sliding_pendulum_SP",
    "nik_C2_slider_crank_SC",
    "nik_C3_slider_crank_driver_SCd",
    "nik_C_double_A_arm_AA",
    "nik_C_macpherson_MP_A",
    "nik_ex13_03_vlp_joint_rk4",
]
LISTS = ("bodies", "points", "unit_vectors", "joints", "functions")


class Scene:
    """A case in one set of coordinates: its mechanism, evaluations and runs."""

    def __init__(self, name, coordinates):
        self.coordinates = coordinates
        self.case = load(name)
        self.numbers = self.case["model"]
        if "mechanism" in self.numbers:
            self.numbers = load(self.numbers["mechanism"])["model"] | self.numbers
        self.book = tb.BookModel.from_case({key: self.numbers.get(key) for key in LISTS})
        self.tree = tb.planar_joint_tree.joint_model(self.book, self.numbers.get("cut", ()))
        ids = {joint["name"]: f"j{joint['id']}" for joint in self.numbers["joints"]}
        self.cut = [ids[name] for name in self.numbers.get("cut", ())]
        self.angles = [".".join((ids[n.split(".")[0]], n.split(".")[1])) for n in self.numbers["coordinates"]]
        self.bodies = [f"b{body['id']}" for body in self.numbers["bodies"]]

    def mechanism(self, which="initial"):
        """The mechanism with its bodies where the case has them."""
        mechanism, _ = mechanism_from_case({"id": self.case["id"], "model": self.numbers}, self.state(which))
        for name in self.cut:
            mechanism.replace(name, replace(mechanism.joints[name], cut=True))
        for number in self.numbers.get("drivers", {}).values():
            turning = lw.Polynomial(*self.numbers["functions"][number - 1]["coeff"])
            mechanism.add("motor", lw.Driver(mechanism.joints["j1"].angle, turning))
        return mechanism

    @cache  # noqa: B019 - a handful of scenes, kept for the session
    def state(self, which="initial"):
        """Places and velocities of the bodies, from the joint coordinates that the case lists (or as corrected)."""
        if "book_initial_coordinates" in self.numbers:
            c = tb.planar.correct_positions(
                self.book, 0.0, np.array(self.numbers["book_initial_coordinates"], dtype=float)
            )
            cd = np.zeros_like(c)
        else:
            key = {"initial": "", "rounded": "_rounded", "listed": "_listed"}[which]
            theta = np.array(self.numbers.get(f"theta{key}", self.numbers["theta"]), dtype=float)
            thetad = np.array(self.numbers[f"theta_dot{key}"], dtype=float)
            if self.cut and key != "_rounded":  # the last digits
                held = self.numbers["coordinates"][:1]
                theta = jc.correct_joint_positions(self.tree, 0.0, theta, held)
                if "drivers" in self.numbers:
                    thetad[0] = self.numbers["functions"][0]["coeff"][1]
                thetad = jc.correct_joint_velocities(self.tree, 0.0, theta, thetad, held)
            c, cd = (jc.body_coordinates(self.tree, theta), jc.velocity_transformation(self.tree, theta) @ thetad)
        names = [f"{body}.{key}" for body in self.bodies for key in COORDINATES.values()]
        return dict(zip(names, c)) | {f"{name}.rate": rate for name, rate in zip(names, cd)}

    @cache  # noqa: B019
    def evaluation(self, which="initial"):
        return self.mechanism(which).evaluate(self.state(which), coordinates=self.coordinates)

    @cached_property
    def times(self):
        return sorted({0.0} | {e["at"]["t"] for e in self.case["expected"] if isinstance(e["at"], dict)})

    @cache  # noqa: B019
    def run(self, which="initial"):
        return self.mechanism(which).simulate(np.array(self.times), coordinates=self.coordinates, rtol=1e-10)

    def read(self, entry):
        """name -> number at the place of an entry, and joint -> its reaction there."""
        which = entry.get("start", "initial")
        if not isinstance(entry["at"], dict):
            ev = self.evaluation("rounded" if entry["at"] == "rounded" else which)
            return ev.__getitem__, ev.reaction
        run = self.run(which)
        k = int(np.argmin(np.abs(run.t - entry["at"]["t"])))
        return lambda name: run[name][k], lambda joint: run.reaction(joint).at(k)

    def value(self, entry):
        """The quantity of an entry."""
        quantity, (get, reaction) = entry["quantity"], self.read(entry)
        if quantity[:2] in ("q.", "v."):
            found = [
                get(f"b{body}.{COORDINATES[key]}" + (".rate" if kind == "v" else ""))
                for kind, body, key in (name.split(".") for name in quantity.split())
            ]
            return found if len(found) > 1 else found[0]
        by_coordinate = {"": "", "d": ".rate", "dd": ".acceleration"}
        theta = {key: [get(name + suffix) for name in self.angles] for key, suffix in by_coordinate.items()}
        if quantity == "thetadd":
            return theta["dd"]
        if quantity == "state":
            return theta[""] + theta["d"]
        if quantity == "motion":
            return list(theta.values())
        if quantity == "lambda":
            return [*(f for joint in self.cut for f in reaction(joint).force), *self.efforts(get)]
        if quantity in ("c", "a"):
            suffix = ".acceleration" if quantity == "a" else ""
            return [get(f"{body}.{key}{suffix}") for body in self.bodies for key in COORDINATES.values()]
        applied = {body: self.evaluation().applied_force(body) for body in self.bodies}
        if quantity == "h":
            return np.concatenate(list(applied.values()))
        if quantity == "spring torque":
            return abs(applied["b1"][2])
        if quantity == "spring-damper force":
            return -applied["b2"][:2] + (0.0, -9.81 * self.numbers["bodies"][1]["m"])
        joints = {"D' lambda": self.mechanism().joints, "D' lambda cut": self.cut}[quantity]
        return self.on_bodies(get, reaction, joints)

    def efforts(self, get):
        return [get("motor.effort")] if "drivers" in self.numbers else []

    def on_bodies(self, get, reaction, joints):
        """Force and moment about the mass centre that some joints exert on every body, from their reported reactions.

        Each acts on its `to` body at the joint, and opposite on the other body at the same place.
        """
        total = {body: np.zeros(3) for body in self.bodies} | {"ground": np.zeros(3)}
        everything = self.mechanism().joints
        for name in joints:
            on, to, found = everything[name].on, everything[name].to, reaction(name)
            centre = {body: np.array([get(f"{body}.x"), get(f"{body}.y")]) for body in self.bodies}
            centre["ground"] = np.zeros(2)
            angle = get(f"{to.body}.angle")
            c, s = np.cos(angle), np.sin(angle)
            place = centre[to.body] + np.array([[c, -s], [s, c]]) @ to.position[:2]
            for sign, body in ((1.0, to.body), (-1.0, on.body)):
                arm = place - centre[body]
                moment = found.moment + arm[0] * found.force[1] - arm[1] * found.force[0]
                total[body] += sign * np.array([*found.force, moment])
        return np.concatenate([total[body] for body in self.bodies])


scene = cache(Scene)

# What belongs to the formulation: in tests of their own below.
OF_THE_SET = ("B", "Bdot thetad", "M", "M diagonal", "h_j", "D cut", "C", "Cdot thetad", "C' lambda", "driver")
APART = ("corrected", "exercise_8_2_corrected", "equilibrium", "event")


def entries():
    return [
        pytest.param(name, e, id=f"{name.removeprefix('nik_')}: {label(e)} {e['kind']} {e.get('start', '')}")
        for name in CASES
        for e in load(name)["expected"]
        if e["quantity"] not in OF_THE_SET and e["at"] not in APART and "method" not in e
    ]


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize(("name", "entry"), entries())
def test_values(name, entry, coordinates):
    agrees(scene(name, coordinates).value(entry), entry)


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("name", CASES)
def test_the_run_stays_on_the_constraints(name, coordinates):
    run = scene(name, coordinates).run()
    assert np.max(np.abs(run.violation), initial=0.0) < 1e-9


# Initial conditions


def inverted_slider_crank():
    """Example 9.5 as it is described: nothing but lengths, masses and joints, no places of bodies."""
    m = lw.Mechanism("inverted slider-crank")
    crank = m.add("crank", lw.Body(0.2, 0.004, points={"o": (-0.104, 0.0), "b": (0.104, 0.0)}))
    guide = m.add("guide", lw.Body(1.0, 0.1, points={"q": (-0.3, 0.0)}))
    block = m.add("block", lw.Body(0.5, 0.05, points={"b": (0.0, 0.195)}))
    m.add("O", lw.Revolute(m.ground.at(0.15, 0.33), crank.o))
    m.add("Q", lw.Revolute(m.ground.at(0.0, 0.0), guide.q))
    m.add("S", lw.Prismatic(guide.q, block))
    m.add("B", lw.Revolute(block.b, crank.b))
    return m


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("branch", [1, -1])
def test_initial_conditions_of_a_loop(branch, coordinates):
    """Example 9.7: one coordinate and its rate given, the others from the loop; the estimates choose the branch."""
    given = load("nik_9_7_inverted_slider_crank_initial_conditions")
    near = given["model"]["estimates"]
    if branch < 0:  # the mirrored way to close the same triangle
        near = {"Q.angle": 0.2 - 2.4, "S.slide": -0.4}
    m = inverted_slider_crank()
    found = m.assemble(start=given["model"]["given"], near=near, coordinates=coordinates)
    for name, value in given["model"]["given"].items():
        assert found[name] == pytest.approx(value, abs=1e-12)
    assert branch * found["S.slide"] > 0.0
    if branch > 0:
        for entry in given["expected"]:
            agrees([found[name] for name in entry["quantity"]], entry)


@pytest.mark.parametrize("coordinates", SETS)
def test_history_from_joint_coordinates_alone(coordinates):
    """Example 9.5 from the values of example 9.7, by names of joints."""
    case = load("nik_9_5_inverted_slider_crank_cut_joint")
    given = load("nik_9_7_inverted_slider_crank_initial_conditions")["model"]
    wanted = [e for e in case["expected"] if e["quantity"] == "state"]
    run = inverted_slider_crank().simulate(
        [0.0, *(e["at"]["t"] for e in wanted)], start=given["given"], near=given["estimates"],
        coordinates=coordinates, rtol=1e-10,
    )  # fmt: skip
    names = case["model"]["coordinates"]
    for k, entry in enumerate(wanted, start=1):
        agrees([run[name][k] for name in (*names, *(f"{name}.rate" for name in names))], entry)


# Rest and contact


@pytest.mark.parametrize("coordinates", SETS)
def test_rest_of_the_double_a_arm(coordinates):
    """Where the acceleration from rest is zero, the loop closed at every angle of the lower arm."""
    from scipy.optimize import brentq

    arms = scene("nik_C_double_A_arm_AA", coordinates)
    (entry,) = [e for e in arms.case["expected"] if e["at"] == "equilibrium"]
    m = arms.mechanism()

    def at_rest(angle):
        state = m.assemble(start={"j1.angle": angle}, coordinates=coordinates).state
        return m.evaluate(state, coordinates=coordinates)

    rest = at_rest(brentq(lambda angle: at_rest(angle)["j1.angle.acceleration"], -0.2, 0.0, xtol=1e-13))
    agrees([rest["b2.y"], rest["b1.angle"], rest["b2.angle"], rest["b3.angle"]], entry)
    for name in arms.angles:
        assert rest[f"{name}.acceleration"] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("coordinates", SETS)
def test_first_contact_of_the_tyre(coordinates):
    """MacPherson strut: the root of the height over the tyre's radius, along the motion."""
    from scipy.optimize import brentq

    strut = scene("nik_C_macpherson_MP_A", coordinates)
    (entry,) = [e for e in strut.case["expected"] if e["at"] == "event"]
    run = strut.mechanism().simulate([0.0, 0.03, 0.05], coordinates=coordinates, rtol=1e-11)
    radius = strut.numbers["forces"][1]["R0"]
    agrees(brentq(lambda t: run.at(t)["b1.y"] - radius, 0.03, 0.05, xtol=1e-12), entry)


# García de Jalón and Bayo, examples 4.2 to 4.5: a mass sliding on a massless pendulum rod with another at its tip


def bead_on_rod(bead):
    numbers = load("spatial_gdj_ex4_2_bead_on_rod")
    data, start = numbers["model"], numbers["analysis"]["initial"]
    m = lw.Mechanism("bead on a rod", gravity=(0.0, -data["g"]))
    rod = m.add("rod", lw.Body(data["m2"], 0.0, center=(data["L"], 0.0), points={"tip": (data["L"], 0.0)}))
    m.add("A", lw.Revolute(m.ground, rod))
    if bead == "particle in a slot":
        m.add("S", lw.PinInSlot(rod, m.add("bead", lw.Particle(data["m1"]))))
    else:
        m.add("S", lw.Prismatic(rod, m.add("bead", lw.Body(data["m1"], 0.0))))
    (q1, q2), (q1d, q2d) = start["q"], start["qd"]
    given = {"S.slide": q1, "A.angle": q2, "S.slide.rate": q1d, "A.angle.rate": q2d}
    return numbers, m, given


BEADS = ["particle in a slot", "body on a guide"]


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("bead", BEADS)
def test_bead_on_rod_at_the_start(bead, coordinates):
    numbers, m, given = bead_on_rod(bead)
    data, wanted = numbers["model"], {e["quantity"].split(" ")[0]: e for e in numbers["expected"]}
    state = m.assemble(start=given, coordinates=coordinates).state
    ev = m.evaluate(state, coordinates=coordinates)
    agrees([ev["S.slide.acceleration"], ev["A.angle.acceleration"]], wanted["qdd"])
    natural = ["bead.x", "bead.y", "rod.tip.x", "rod.tip.y"]
    agrees([ev[f"{name}.acceleration"] for name in natural], wanted["xdd"])
    agrees(ev.energy.total, wanted["total"])
    # multipliers of the natural coordinates: x2^2 + y2^2 - L^2 and x1 y2 - x2 y1, entering with a minus
    x1, y1, x2, y2 = (ev[name] for name in natural)
    rod_force, slot_force = ev.reaction("A").force, ev.reaction("S").force
    lam2 = -slot_force @ (y2, -x2) / data["L"] ** 2
    tip = rod_force - slot_force  # what the tip mass feels
    lam1 = -(tip + lam2 * np.array([-y1, x1])) @ (x2, y2) / (2 * data["L"] ** 2)
    agrees([lam1, lam2], wanted["lambda"])


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("bead", BEADS)
def test_bead_on_rod_in_motion(bead, coordinates):
    numbers, m, given = bead_on_rod(bead)
    wanted = [e for e in numbers["expected"] if isinstance(e["at"], dict)]
    run = m.simulate([0.0, *(e["at"]["t"] for e in wanted)], start=given, coordinates=coordinates, rtol=1e-11)
    names = ["S.slide", "A.angle", "S.slide.rate", "A.angle.rate"]
    for k, entry in enumerate(wanted, start=1):
        agrees([run[name][k] for name in names], entry)
    (energy,) = [e for e in numbers["expected"] if e["quantity"].startswith("total energy")]
    for total in run.energy.total:
        agrees(total, energy)


# Veldpaus, sections 4.2 and 4.3: crank and connecting rod with actuator, dampers and a force on the slider


def slider_damper(value, rate, t, damping):
    """A viscous damper along the guide."""
    return -damping * rate


def crankshaft():
    numbers = load("spatial_veldpaus_crankshaft")
    d, start = numbers["model"], numbers["analysis"]["initial"]
    pivot = tuple(map(float, d["ground_pivot"]))
    m = lw.Mechanism("crankshaft", gravity=(0.0, -d["g"]))
    crank = m.add("crank", lw.Body(d["m1"], d["J1"], center=(d["c1"], 0.0), points={"pin": (d["l1"], 0.0)}))
    rod = m.add("rod", lw.Body(d["m2"], d["J2"], center=(d["c2"], 0.0), points={"tip": (d["l2"], 0.0)}))
    m.add("A1", lw.Revolute(m.ground.at(*pivot), crank))
    m.add("A2", lw.Revolute(crank.pin, rod))
    m.add("A3", lw.PinInSlot(m.ground.at(*pivot), rod.tip))
    m.add("actuator", lw.Torque(crank, d["tau"]))
    m.add("damper 1", lw.TorsionSpringDamper(m.ground, crank, damping=d["B1"]))
    m.add("damper 2", lw.TorsionSpringDamper(crank, rod, damping=d["B2"]))
    along = lw.WorldOffset(m.ground.at(*pivot), rod.tip, "x")
    m.add("damper 3", lw.UserForce(along, slider_damper, energy="dissipates", damping=d["B3"]))
    m.add("load", lw.PointForce(rod.tip, x=-d["F"]))
    given = {"A1.angle": start["beta"][0], "A1.angle.rate": start["beta_dot"][0]}
    return numbers, m, given, {"rod.angle": start["beta"][1]}


@pytest.mark.parametrize("coordinates", SETS)
def test_crankshaft_at_the_start(coordinates):
    numbers, m, given, near = crankshaft()
    wanted = {e["quantity"].split(" ")[0]: e for e in numbers["expected"] if e["at"] == "initial"}
    assembled = m.assemble(start=given, near=near, coordinates=coordinates)
    assert assembled["rod.angle"] == pytest.approx(numbers["analysis"]["initial"]["beta"][1], abs=1e-12)
    assert assembled["rod.angle.rate"] == pytest.approx(numbers["analysis"]["initial"]["beta_dot"][1], abs=1e-12)
    ev = m.evaluate(assembled.state, coordinates=coordinates)
    agrees([ev["crank.angle.acceleration"], ev["rod.angle.acceleration"]], wanted["[b1dd,b2dd]"])
    agrees(ev.reaction("A3").force[1], wanted["lambda"])
    agrees(ev.reaction("A1").force, wanted["F1"])
    agrees(ev.reaction("A2").force, wanted["F2"])


@pytest.mark.parametrize("coordinates", SETS)
def test_crankshaft_in_motion(coordinates):
    numbers, m, given, near = crankshaft()
    wanted = [e for e in numbers["expected"] if isinstance(e["at"], dict)]
    times = sorted({0.0} | {e["at"]["t"] for e in wanted})
    run = m.simulate(times, start=given, near=near, coordinates=coordinates, rtol=1e-11)
    for entry in wanted:
        k = times.index(entry["at"]["t"])
        if entry["quantity"] == "N":
            agrees(run.reaction("A3").force[k, 1], entry)
        else:
            agrees([run["A1.angle"][k], run["A1.angle.rate"][k]], entry)
