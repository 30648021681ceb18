"""Cases of the book as mechanisms: Nikravesh, Planar Multibody Dynamics, 2nd ed.

A case file holds a model in the words of the book's program (bodies, points, unit vectors, joints, forces,
functions, all by number; body 0 is the ground) and the values expected of it. Here it becomes a
`Mechanism`, through public names alone, together with what maps its rows and columns back to the numbers of
the book.

The book's d = r_i - r_j has its head on body i; our measures grow from `on` to `to`: i is `to`, j is `on`.
Rows then have the book's sign and scale on admissible states, except the pin in a slot: there the slot is
on i, which is our `on`.

| book | here | rows of the book | our rows | factor |
|---|---|---|---|---|
| rev | Revolute | d | x, y | 1 |
| tran | Prismatic | rot(u_j)'d, rot(u_j)'u_i | y, angle | 1 |
| rev-rev | Rod | (u'd - L)/2, u = d/L | length | 1 |
| rev-tran | PinInSlot | rot(u_i)'d - L | y | -1 |
| rigid | Fixed at the listed place | r_i - r_j - A_j d0, angle | x, y, angle | 1 |
| disc | RollingDisc | y - R, x - x0 + R (phi - p0) | contact, rolling | 1 |
| simple | Hold | coordinate - c | its name | 1 |
| rel-rot | Driver of Angle | phi_i - phi_j - f | the driver | 1 |
| rel-tran | Driver of Distance | (u'd - f)/2, u = d/f | the driver | 1 |
"""

import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import yaml

import linkwork as lw

CASES = Path(__file__).parent / "cases"
COORDINATES = {"x": "x", "y": "y", "phi": "angle"}


def load(name):
    """The case of this id."""
    with open(CASES / f"{name}.yaml", encoding="utf-8") as file:
        return yaml.safe_load(file)


@dataclass
class Info:
    """Where the numbers of the book are in the mechanism."""

    bodies: dict = field(default_factory=dict)  # number -> name
    rows: list = field(default_factory=list)  # of the book, in its order: (our row, factor)
    columns: list = field(default_factory=list)  # of the book, in its order: our column
    joints: dict = field(default_factory=dict)  # number -> name
    forces: dict = field(default_factory=dict)  # number -> name

    def jacobian(self, ev):
        """The book's Jacobian from an evaluation."""
        rows = np.array([factor * ev.jacobian[list(ev.rows).index(row)] for row, factor in self.rows])
        return rows[:, [list(ev.columns).index(column) for column in self.columns]]

    def by_row(self, ev, values):
        """Values by our row (multipliers, right sides), in the book's order and sign."""
        return np.array([factor * values[list(ev.rows).index(row)] for row, factor in self.rows])


def mechanism_from_case(case, state=None, joints=None):
    """The mechanism of a case and its `Info`.

    `state` ({"b1.x": ..., "b1.x.rate": ...}) replaces the listed positions and velocities; `joints`
    replaces the list of joints.
    """
    build = _Build(case["id"], case["model"], state or {})
    for joint in case["model"].get("joints") or [] if joints is None else joints:
        build.joint(joint)
    for force in case["model"].get("forces") or []:
        build.force(force)
    return build.mechanism, build.info


def listed_state(case):
    """The state that the case lists, by our names."""
    state = {}
    for body in case["model"]["bodies"]:
        name = f"b{body['id']}"
        for key, value in zip(("x", "y", "angle"), (*body["r"], body["phi"])):
            state[f"{name}.{key}"] = value
        for key, value in zip(("x", "y", "angle"), (*body.get("rd", (0, 0)), body.get("phid", 0))):
            state[f"{name}.{key}.rate"] = value
    return state


def stated(entry):
    """The expected value with all its digits, where they were computed again."""
    return entry.get("recomputed", entry["value"])


def expected_state(case, at):
    """The state made of the coordinates and velocities (zero if not listed) expected at this place."""
    bodies = [f"b{body['id']}" for body in case["model"]["bodies"]]
    state = {f"{name}.{key}.rate": 0.0 for name in bodies for key in COORDINATES.values()}
    found = False
    for entry in case["expected"]:
        kind, *rest = str(entry["quantity"]).split(".")
        if entry["at"] == at and kind in ("q", "v"):
            state[f"b{rest[0]}.{COORDINATES[rest[1]]}" + (".rate" if kind == "v" else "")] = stated(entry)
            found = True
    return state if found else None


def agrees(got, entry):
    """Assert that the value is the expected one within the tolerance of the entry."""
    wanted, tolerance = np.asarray(entry["value"], dtype=float), entry["tolerance"]
    if not isinstance(tolerance, dict):
        tolerance = {"abs": tolerance}
    allowed = tolerance.get("abs", 0.0) + tolerance.get("rel", 0.0) * np.abs(wanted)
    got = np.asarray(got, dtype=float)
    what = f"{label(entry)}: got {got.tolist()}, wanted {wanted.tolist()} within {entry['tolerance']}"
    assert got.shape == wanted.shape, what
    assert np.all(np.abs(got - wanted) <= allowed), what


def label(entry):
    """A short name of an entry, for the list of tests."""
    at = entry["at"]
    return f"{entry['quantity']} @ {'t=' + str(at['t']) if isinstance(at, dict) and 't' in at else at}"


def unilateral_tyre(value, rate, t, stiffness, damping, radius):
    """A vertical spring and damper below the wheel, acting while the centre is lower than the radius."""
    if value >= radius:
        return 0.0
    return -(stiffness * (value - radius) + damping * rate)


def unilateral_tyre_at_point(values, rates, t, numbers, memory, out):
    """The same, read at the wheel's centre and acting at another point: numbers stiffness, damping,
    radius."""
    out[0] = 0.0
    if values[0] < numbers[2]:
        out[0] = -(numbers[0] * (values[0] - numbers[2]) + numbers[1] * rates[0])


def motor_torque_speed(values, rates, t, numbers, memory, out):
    """A direct current motor: greatest torque at rest, none at its greatest speed; numbers torque, speed."""
    out[0] = -numbers[0] * (1.0 - abs(rates[0]) / numbers[1])


def belt_friction_a(value, rate, t, normal, static, sliding, belt, slow, power, steep):
    """Andersson's law (4.43) without its viscous part, of a belt that runs under a block."""
    v = belt - rate
    size = sliding + (static - sliding) * math.exp(-((abs(v) / slow) ** power))
    return normal * size * math.tanh(steep * v)


def belt_friction_b(value, rate, t, normal, static, sliding, belt, transition):
    """Brown and McPhee's law (4.44) without its viscous part."""
    r = (belt - rate) / transition
    return normal * (sliding * math.tanh(4.0 * r) + (static - sliding) * 16.0 * r / (r * r + 3.0) ** 2)


def variable_length_pendulum():
    """Example 14.2: a rod on a coil, with a block that slides along it on a spring."""
    m = lw.Mechanism("variable-length pendulum")
    rod = m.add("rod", lw.Body(2.0, 0.04, points={"O": (0.0, 0.5)}))
    block = m.add("block", lw.Body(1.0, 0.1))
    m.add("O", lw.Revolute(m.ground, rod.O))
    m.add("guide", lw.Prismatic(rod.at(0.0, 0.5, along=(0.0, -1.0)), block.at(0.0, 0.0, along=(0.0, -1.0))))
    m.add("coil", lw.TorsionSpringDamper(m.ground, rod, stiffness=6.0))
    m.add("spring", lw.SpringDamper(m.ground, block, stiffness=20.0, rest_length=0.7, damping=5.0))
    return m


class _Build:
    """One mechanism in the making."""

    def __init__(self, name, model, state):
        self.model = model
        self.info = Info()
        gravity = None
        for force in model.get("forces") or []:
            if force["type"] == "weight":
                gravity = tuple(force["g"] * component for component in force["dir"])
        self.mechanism = lw.Mechanism(name, dimension=2, gravity=gravity)
        self.points = {p["id"]: p for p in model.get("points") or []}
        self.vectors = {u["id"]: u for u in model.get("unit_vectors") or []}
        self.functions = {f["id"]: _function(f) for f in model.get("functions") or []}
        self.handles = {0: self.mechanism.ground}
        for body in model["bodies"]:
            self.body(body, state)

    def body(self, data, state):
        name = f"b{data['id']}"
        own = {f"P{k}": tuple(p["s"]) for k, p in self.points.items() if p["body"] == data["id"]}
        rates = (*data.get("rd", (0.0, 0.0)), data.get("phid", 0.0))
        x, y, angle = (
            state.get(f"{name}.{key}", value) for key, value in zip(("x", "y", "angle"), (*data["r"], data["phi"]))
        )
        vx, vy, w = (state.get(f"{name}.{key}.rate", value) for key, value in zip(("x", "y", "angle"), rates))
        self.handles[data["id"]] = self.mechanism.add(
            name,
            lw.Body(
                data["m"], data["J"], position=(x, y), angle=angle, velocity=(vx, vy), angular_velocity=w, points=own
            ),
        )
        self.info.bodies[data["id"]] = name
        self.info.columns += [f"{name}.x", f"{name}.y", f"{name}.angle"]

    def frame(self, point, vector=None):
        """The frame at a point, its x along a unit vector if one is given."""
        data = self.points[point]
        along = None if vector is None else tuple(self.vectors[vector]["u"])
        return self.handles[data["body"]].at(*data["s"], along=along)

    def joint(self, data):
        name = f"j{data['id']}"
        kind = data["type"]
        add = self.mechanism.add
        if kind == "rev":
            add(name, lw.Revolute(self.frame(data["Pj"]), self.frame(data["Pi"])))
            rows = [(f"{name}.x", 1.0), (f"{name}.y", 1.0)]
        elif kind == "tran":
            add(name, lw.Prismatic(self.frame(data["Pj"], data["Uj"]), self.frame(data["Pi"], data["Ui"])))
            rows = [(f"{name}.y", 1.0), (f"{name}.angle", 1.0)]
        elif kind == "rev-rev":
            add(name, lw.Rod(self.frame(data["Pj"]), self.frame(data["Pi"]), length=data["L"]))
            rows = [(f"{name}.length", 1.0)]
        elif kind == "rev-tran":
            slot = self.frame(data["Pi"], data["Ui"])
            add(name, lw.PinInSlot(slot, self.frame(data["Pj"]), offset=-data["L"]))
            rows = [(f"{name}.y", -1.0)]
        elif kind == "rigid":
            add(name, lw.Fixed(self.place_of(data["i"], data["j"]), self.handles[data["i"]].at(0, 0)))
            rows = [(f"{name}.x", 1.0), (f"{name}.y", 1.0), (f"{name}.angle", 1.0)]
        elif kind == "disc":
            reference = data["x0"] + data["R"] * data["p0"]
            disc = lw.RollingDisc(
                self.mechanism.ground.at(0, 0), self.handles[data["i"]].at(0, 0), data["R"], reference=reference
            )
            add(name, disc)
            rows = [(f"{name}.contact", 1.0), (f"{name}.rolling", 1.0)]
        elif kind == "simple":
            coordinate = COORDINATES[data["coord"]]
            held = {coordinate: data["c"]}
            add(name, lw.Hold(self.mechanism.ground.at(0, 0), self.handles[data["i"]].at(0, 0), **held))
            rows = [(f"{name}.{coordinate}", 1.0)]
        elif kind == "rel-rot":
            angle = lw.Angle(self.handles[data["j"]].at(0, 0), self.handles[data["i"]].at(0, 0))
            add(name, lw.Driver(angle, self.functions[data["funct"]]))
            rows = [(name, 1.0)]
        elif kind == "rel-tran":
            distance = lw.Distance(self.frame(data["Pj"]), self.frame(data["Pi"]))
            add(name, lw.Driver(distance, self.functions[data["funct"]]))
            rows = [(name, 1.0)]
        else:
            raise ValueError(f"joint type {kind!r} of the book is not known here")
        self.info.joints[data["id"]] = name
        self.info.rows += rows

    def place_of(self, i, j):
        """The frame on body j that coincides with the listed place of body i."""
        bodies = {b["id"]: b for b in self.model["bodies"]}
        angle = bodies[j]["phi"]
        d = np.subtract(bodies[i]["r"], bodies[j]["r"])
        c, s = math.cos(angle), math.sin(angle)
        return self.handles[j].at(c * d[0] + s * d[1], -s * d[0] + c * d[1], angle=bodies[i]["phi"] - angle)

    def force(self, data):
        kind = data["type"]
        if kind == "weight":
            return
        name = f"f{data['id']}"
        ground = self.mechanism.ground
        if kind == "ptp":
            item = lw.SpringDamper(
                self.frame(data["Pj"]),
                self.frame(data["Pi"]),
                stiffness=data.get("k", 0.0),
                rest_length=data.get("L0", 0.0),
                damping=data.get("dc", 0.0),
                actuator=data.get("f_a", 0.0),
            )
        elif kind == "rot-sda":
            item = lw.TorsionSpringDamper(
                self.handles[data["j"]].at(0, 0),
                self.handles[data["i"]].at(0, 0),
                stiffness=data.get("k", 0.0),
                rest_angle=data.get("theta0", 0.0),
                damping=data.get("dc", 0.0),
                actuator=data.get("T_a", 0.0),
            )
        elif kind == "fP":
            item = lw.PointForce(self.frame(data["P"]), x=data["f"][0], y=data["f"][1])
        elif kind == "f":
            item = lw.PointForce(self.handles[data["i"]].at(0, 0), x=data["f"][0], y=data["f"][1])
        elif kind == "flocal":
            local = data["flocal"]
            item = lw.PointForce(self.handles[data["i"]].at(0, 0), x=local[0], y=local[1], axes="body")
        elif kind == "T":
            item = lw.Torque(self.handles[data["i"]], data["T"])
        elif kind == "tire_unilateral":
            height = lw.WorldOffset(ground.at(0, 0), self.handles[data["i"]].at(0, 0), "y")
            if "P_moment" in data:
                item = lw.UserForce(
                    reads=[height],
                    along=[lw.WorldOffset(ground.at(0, 0), self.frame(data["P_moment"]), "y")],
                    law=unilateral_tyre_at_point,
                    numbers=[data["k"], data["dc"], data["R0"]],
                )
            else:
                item = lw.UserForce(height, unilateral_tyre, stiffness=data["k"], damping=data["dc"], radius=data["R0"])
        elif kind == "motor_torque_speed":
            i, j = self.handles[data["i"]], self.handles[data["j"]]
            item = lw.UserForce(
                reads=[lw.Angle(ground, i)],
                along=[lw.Angle(j, i)],
                law=motor_torque_speed,
                numbers=[data["T_max"], data["omega_max"]],
            )
        elif kind == "belt_friction":
            way = lw.WorldOffset(ground, self.handles[data["i"]], "x")
            both = {"normal": data["fN"], "static": data["mu_s"], "sliding": data["mu_d"], "belt": data["v_belt"]}
            if data["model"] == "A":
                own = {"slow": data["v_s"], "power": data["p"], "steep": data["k_t"]}
                item = lw.UserForce(way, belt_friction_a, **both, **own)
            else:
                item = lw.UserForce(way, belt_friction_b, **both, transition=data["v_t"])
        else:
            raise ValueError(f"force type {kind!r} of the book is not known here")
        self.mechanism.add(name, item)
        self.info.forces[data["id"]] = name


def _function(data):
    kind = data["type"]
    if kind == "a":
        return lw.Polynomial(*data["coeff"])
    if kind == "b":
        return lw.SmoothStep(data["t_start"], data["f_start"], data["t_end"], data["f_end"])
    if kind == "c":
        return lw.SpeedRamp(data["t_start"], data["f_start"], data["t_end"], data["dfdt_end"])
    raise ValueError(f"function type {kind!r} of the book is not known here")
