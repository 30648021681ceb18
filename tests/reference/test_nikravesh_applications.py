"""Statics, step sizes and the applications of chapters 8, 13, 14 and 15, and Vlase's reactions, asked of the product.

Nikravesh, Planar Multibody Dynamics, 2nd ed.; where a figure alone has the dimensions, the case chooses them.
"""

import math
from functools import cache

import numpy as np
import pytest

import linkwork as lw
from linkwork.textbook import BookModel, planar
from reference.book import (
    agrees,
    label,
    load,
    mechanism_from_case,
    unilateral_tyre,
    unilateral_tyre_at_point,
    variable_length_pendulum,
)


def entry(name, start, at=""):
    """The expected value whose quantity begins so, at a place whose name begins so."""
    return next(
        e for e in load(name)["expected"] if str(e["quantity"]).startswith(start) and str(e["at"]).startswith(at)
    )


def times_of(e):
    return [float(one) for one in str(e["at"]).removeprefix("t=").split(",")]


# -- chapter 14 ----------------------------------------------------------------------------------------------------


def two_bars():
    data = load("nik_ex14_01_structure")["model"]
    m = lw.Mechanism("two bars", gravity=tuple(data["gravity"]))
    one, two = (
        m.add(key, lw.bar(length=data[L], mass=b["m"]))
        for key, L, b in zip(("one", "two"), ("L1", "L2"), data["bodies"])
    )
    m.add("O", lw.Revolute(m.ground, one.a))
    m.add("Q", lw.Revolute(m.ground.at(data["L0"], 0), two.a))
    m.add("A", lw.Revolute(two.b, one.b))
    m.add("push", lw.PointForce(two.b, x=data["force_on_2_at_A"][0], y=data["force_on_2_at_A"][1]))
    return m


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_structure(coordinates):
    """Example 14.1 and problem 14.2: assembled from estimates; the reactions hold it."""
    name, m = "nik_ex14_01_structure", two_bars()
    estimate = load("nik_prob14_02_structure_assembly")["model"]["estimate"]
    near = dict(
        zip(("one.middle.x", "one.middle.y", "one.angle", "two.middle.x", "two.middle.y", "two.angle"), estimate)
    )
    assembled = m.assemble(near={k: v for k, v in near.items() if k.endswith("angle")}, coordinates=coordinates)
    ev = m.evaluate(assembled.state, coordinates=coordinates)
    agrees([ev[key] for key in near], load("nik_prob14_02_structure_assembly")["expected"][0])
    assert m.check(coordinates=coordinates).freedom == 0
    agrees(np.concatenate([ev.applied_force("one"), ev.applied_force("two")]), entry(name, "h"))
    agrees(np.concatenate([ev.reaction(joint).force for joint in "OQA"]), entry(name, "lambda"))
    np.testing.assert_allclose(ev.accelerations, 0.0, atol=1e-10)
    found = m.statics(start=assembled, coordinates=coordinates)
    agrees(np.concatenate([found.reaction(joint).force for joint in "OQA"]), entry(name, "lambda"))
    assert found.unique


@pytest.mark.parametrize("d", [2.0, 10.0])
@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_equilibrium_by_fictitious_damping(d, coordinates):
    """Example 14.2: dampers that the model does not have bring it to rest, where it does not depend on them."""
    (e,) = load("nik_ex14_02_equilibrium")["expected"]
    m = variable_length_pendulum()
    m.add("brake", lw.TorsionSpringDamper(m.ground, m["rod"], damping=d))
    start = {"O.angle": math.pi / 3, "guide.slide": 0.8}
    run = m.simulate(60.0 * max(d / 2.0, 1.0), every=1.0, start=start, coordinates=coordinates)
    agrees([run.final["rod.angle"], run.final["guide.slide"]], e)
    np.testing.assert_allclose(m.evaluate(run.final, coordinates=coordinates).accelerations, 0.0, atol=1e-6)


@pytest.mark.parametrize("extra", [False, True])
def test_scissor_lift(extra):
    """Section 14.4: one roller too many, found by its rank."""
    name = "nik_s14_4_scissor_lift_redundant"
    m = lw.Mechanism("scissor lift")
    arm = dict(points={"a": (-1.0, 0.0), "b": (1.0, 0.0)})
    one, two = (
        m.add(key, lw.Body(10.0, 1.0, angle=angle, **arm))
        for key, angle in (("one", math.pi / 6), ("two", -math.pi / 6))
    )
    deck = m.add("deck", lw.Body(200.0, 20.0, points={"corner": (-1.2, -0.3), "side": (-1.2, 0.0)}))
    m.add("O", lw.Revolute(m.ground, one.a))
    m.add("cross", lw.Revolute(one, two))
    m.add("A", lw.Revolute(two.a, deck.corner))
    m.add("floor", lw.PinInSlot(m.ground, two.b))
    m.add("rail", lw.PinInSlot(deck.corner, one.b))
    if extra:
        m.add("wall", lw.PinInSlot(m.ground.at(0, 0, angle=math.pi / 2), deck.side))
    found = m.check(near={"one.angle": math.pi / 6, "two.angle": -math.pi / 6}, coordinates="body")
    counts = entry(name, "n_v, n_c with extra" if extra else "n_v, n_c, dof without")["value"]
    assert [found.coordinates, found.constraints] == counts[:2]
    assert found.freedom == 1 and found.redundant == (1 if extra else 0)
    assert found.constraints - found.redundant == entry(name, "rank")["value"]
    if extra:
        assert "wall" in found.redundant_joints


# -- section 13.1.3 ------------------------------------------------------------------------------------------------


def test_periods_and_step_sizes():
    """Periods of a mass on a spring and of a small swing, told from runs; a tenth of them as step."""
    name = "nik_s13_1_3_step_size"
    data = load(name)["model"]
    m = lw.Mechanism("mass and spring", gravity=None)
    block = m.add("block", lw.Body(data["mass_spring"]["m"], 1.0))
    m.add("guide", lw.Prismatic(m.ground, block))
    m.add("spring", lw.SpringDamper(m.ground.at(-2, 0), block, stiffness=data["mass_spring"]["k"], rest_length=2.0))
    run = m.simulate(1.0, every=0.005, start={"guide.slide": 0.01}, rtol=1e-10, coordinates="joint")
    first, second = run.when("guide.slide", 0.0)[:2]
    spring = 2.0 * (second - first)
    m = lw.Mechanism("rod")
    rod = m.add("rod", lw.bar(length=data["rod_pendulum"]["L"], mass=1.0))
    m.add("A", lw.Revolute(m.ground, rod.a))
    run = m.simulate(2.0, every=0.01, start={"A.angle": -math.pi / 2 + 1e-3}, rtol=1e-10, coordinates="joint")
    first, second = run.when("A.angle", -math.pi / 2)[:2]
    swing = 2.0 * (second - first)
    agrees(spring, entry(name, "tau mass-spring"))
    agrees(swing, entry(name, "tau pendulum"))
    agrees([spring / 10, swing / 10], entry(name, "dt limit"))
    assert spring == pytest.approx(2 * math.pi / 10, abs=1e-7)
    assert swing == pytest.approx(2 * math.pi * math.sqrt(2 / 3 / 9.81), rel=1e-6)


@pytest.mark.parametrize("zeta", [0, 0.2, 1])
def test_damped_oscillation(zeta):
    name = "nik_s13_1_3_step_size"
    omega, e = 2.0 * math.pi, entry("nik_s13_1_3_step_size", f"x, zeta={zeta:g}")
    assert load(name)["model"]["damped"]["omega"] == pytest.approx(omega)
    m = lw.Mechanism("oscillator", gravity=None)
    block = m.add("block", lw.Body(1.0, 1.0))
    m.add("guide", lw.Prismatic(m.ground, block))
    spring = lw.SpringDamper(m.ground.at(-5, 0), block, stiffness=omega**2, rest_length=5.0, damping=2.0 * zeta * omega)
    m.add("spring", spring)
    run = m.simulate([0.0, 0.1, *times_of(e)], start={"guide.slide": 1.0}, rtol=1e-12, atol=1e-13, coordinates="joint")
    agrees(run["guide.slide"][2:], e)


# -- chapter 15 ----------------------------------------------------------------------------------------------------


def test_quick_return():
    """Section 15.3: the mechanism of the gallery, with gravity; stroke and times asked of the run."""
    name = "nik_15_03_quick_return"
    m = lw.gallery.six_bar_quick_return().with_numbers({"gravity": load(name)["model"]["gravity"]})
    degrees = np.arange(30.0, 30.0 + 721.0, 1.0)
    run = m.simulate(np.radians(degrees - 30.0) / (2 * math.pi), rtol=1e-11, atol=1e-12, coordinates="joint")
    found = run.extremes("slider.x")
    agrees(found.stroke, entry(name, "stroke"))
    turning = [float(t) for t, _ in found.turning]
    one, other = turning[1] - turning[0], turning[2] - turning[1]
    agrees(max(one, other) / min(one, other), entry(name, "time ratio"))
    speed = run.extremes("slider.x.rate")
    agrees([speed.greatest, speed.least], entry(name, "max speeds"))
    k = list(degrees).index(90.0)
    agrees([run[f"slider.x{order}"][k] for order in ("", ".rate", ".acceleration")], entry(name, "slider"))
    agrees(
        [run["motor.effort"][list(degrees).index(a)] for a in (30.0, 90.0, 180.0, 270.0)], entry(name, "driver torque")
    )


def dwell_mechanism():
    """Section 15.4: crank, coupler with an arm, rocker, and a slotted link that the arm's end moves."""
    data = load("nik_15_04_dwell")["model"]
    g = data["geometry_chosen"]
    mass = {b["name"].split()[0].split("+")[0]: (b["m"], b["J"]) for b in data["bodies"]}
    m = lw.Mechanism("dwell", gravity=None)
    crank = m.add("crank", lw.Body(*mass["crank"], points={"A": (g["L1"], 0.0)}))
    coupler = m.add("coupler", lw.Body(*mass["coupler"], points={"B": (g["L2"], 0.0), "C": (g["L2"], g["L5"])}))
    rocker = m.add("rocker", lw.Body(*mass["rocker"], points={"B": (g["L3"], 0.0)}))
    output, slider = m.add("output", lw.Body(*mass["output"])), m.add("slider", lw.Body(*mass["slider"]))
    m.add("O", lw.Revolute(m.ground, crank))
    m.add("A", lw.Revolute(crank.A, coupler))
    m.add("B", lw.Revolute(coupler.B, rocker.B))
    m.add("R", lw.Revolute(m.ground.at(g["c"], -g["b"]), rocker))
    m.add("C", lw.Revolute(coupler.C, slider))
    m.add("Q", lw.Revolute(m.ground.at(0.0, g["a"]), output))
    m.add("slot", lw.Prismatic(output, slider))
    m.add("motor", lw.Driver(m["O"].angle, lw.Polynomial(0.0, 2.0 * math.pi)))
    # the coupler's angle is the direction from A to R plus that of the triangle
    toward = math.atan2(-g["b"], g["c"] - g["L1"])
    d = math.hypot(g["c"] - g["L1"], g["b"])
    angle = toward + math.acos((d**2 + g["L2"] ** 2 - g["L3"] ** 2) / (2 * d * g["L2"]))
    B = (g["L1"] + g["L2"] * math.cos(angle), g["L2"] * math.sin(angle))
    C = (B[0] - g["L5"] * math.sin(angle), B[1] + g["L5"] * math.cos(angle))
    near = {
        "coupler.angle": angle,
        "rocker.angle": math.atan2(B[1] + g["b"], B[0] - g["c"]),
        "output.angle": math.atan2(C[1] - g["a"], C[0]),
    }
    return m, near


def test_dwell():
    """The output's angle over a turn: its swing, the least change within 96 degrees of crank, and the dwell itself."""
    name = "nik_15_04_dwell"
    m, near = dwell_mechanism()
    run = m.simulate(2.0, every=4.0 / 360.0, near=near, rtol=1e-10, coordinates="joint")
    angle = run["output.angle"]
    agrees(run.stroke("output.angle"), entry(name, "total swing"))
    windows = np.lib.stride_tricks.sliding_window_view(angle, 25)
    least = np.ptp(windows, axis=1).min()
    agrees(least, entry(name, "variation of theta4"))
    # within a band as wide as that it stays at least as long, and the run says where
    found = run.dwell("output.angle", float(least))
    assert found.duration >= 96.0 / 360.0 - found.duration.error
    assert found.duration == pytest.approx(96.0 / 360.0, abs=2.0 * 4.0 / 360.0)


def car_model(name, joints, forces):
    """A case of chapter 15 in the words of the program, from its tables of points by name."""
    data = load(name)["model"]
    points = [
        {"id": k, "name": key, "body": int(key[-1]), "s": s}
        for k, (key, s) in enumerate(data["points"].items(), start=1)
    ]
    number = {p["name"]: p["id"] for p in points}
    vectors = [
        {"id": k, "body": int(key[-1]), "u": u}
        for k, (key, u) in enumerate((data.get("unit_vectors") or {}).items(), start=1)
    ]
    bodies = [{"id": b["id"], "m": b["m"], "J": b["J"], "r": b["c"][:2], "phi": b["c"][2]} for b in data["bodies"]]
    listed = [
        {"id": k, "type": kind, "Pi": number[i], "Pj": number[j], **more}
        for k, (kind, i, j, more) in enumerate(joints, start=1)
    ]
    return {
        "id": name,
        "expected": [],
        "model": {
            "bodies": bodies,
            "points": points,
            "unit_vectors": vectors,
            "joints": listed,
            "forces": [{"id": 1, "type": "weight", "g": 9.81, "dir": [0.0, -1.0]}, *forces(number)],
        },
    }


@cache
def double_a_arm():
    joints = [("rev", "Q1", "Q0", {}), ("rev", "A1", "A2", {}), ("rev", "B2", "B3", {}), ("rev", "O3", "O0", {})]

    def forces(number):
        return [
            {"id": 2, "type": "ptp", "Pi": number["E1"], "Pj": number["F0"], "k": 90000.0, "L0": 0.23, "dc": 1100.0},
            {"id": 3, "type": "tire_unilateral", "i": 2, "k": 50000.0, "R0": 0.35, "dc": 1000.0},
        ]

    return car_model("nik_15_06_double_a_arm", joints, forces)


@cache
def macpherson():
    joints = [
        ("rev", "A1", "A2", {}),
        ("rev", "Q2", "Q0", {}),
        ("rev", "O3", "O0", {}),
        ("tran", "B1", "O3", {"Ui": 1, "Uj": 2}),
    ]

    def forces(number):
        return [
            {"id": 2, "type": "ptp", "Pi": number["B1"], "Pj": number["O0"], "k": 20000.0, "L0": 0.34, "dc": 1100.0},
            {
                "id": 3,
                "type": "tire_unilateral",
                "i": 1,
                "k": 100000.0,
                "R0": 0.3,
                "dc": 1000.0,
                "P_moment": number["C1"],
            },
        ]

    return car_model("nik_15_07_macpherson", joints, forces)


def corrected(case, c=None):
    """The start corrected in the book's way, a radian counting as a metre."""
    lists = ("bodies", "points", "unit_vectors", "joints")
    model = BookModel.from_case({key: case["model"].get(key) for key in lists})
    return planar.correct_positions(model, 0.0, model.c if c is None else c), model


def dropped(case, times, end):
    """The run from the corrected start, read at times, and where it settles."""
    c, _ = corrected(case)
    columns = [f"b{k}.{axis}" for k in (1, 2, 3) for axis in ("x", "y", "angle")]
    mechanism, info = mechanism_from_case(case, dict(zip(columns, c)))
    run = mechanism.simulate(sorted({0.0, *times, end}), coordinates="body", rtol=1e-10)
    assert info.columns == columns
    return run, columns


def test_double_a_arm():
    """Section 15.6: the wheel drops onto its tyre and settles."""
    name, case = "nik_15_06_double_a_arm", double_a_arm()
    c, model = corrected(case)
    agrees(c, entry(name, "corrected initial c"))
    agrees(np.linalg.norm(planar.constraints(model, 0.0, model.c)), entry(name, "norm Phi"))
    wrong = load(name)["analysis"]["ic_incorrect"]
    agrees(
        corrected(case, np.concatenate([wrong[f"b{k}"] for k in (1, 2, 3)]))[0],
        entry(name, "corrected c from the incorrect"),
    )
    e = entry(name, "y2", "t=0.02")
    run, columns = dropped(case, times_of(e), 4.0)
    agrees([run["b2.y"][list(run.t).index(t)] for t in times_of(e)], e)
    agrees([run[key][-1] for key in columns], entry(name, "settled c"))
    agrees(run["b2.y"][-1], entry(name, "y2 settled"))
    agrees(run["b2.y.acceleration"][0], entry(name, "acceleration y2"))


def test_macpherson():
    """Section 15.7: three bodies, and one body with the strut and the arm as massless joints."""
    name, case = "nik_15_07_macpherson", macpherson()
    agrees(corrected(case)[0], entry(name, "corrected initial c"))
    y1, y2 = entry(name, "y1", "t=0.05"), entry(name, "y2")
    run, columns = dropped(case, [*times_of(y1), *times_of(y2)], 3.0)
    agrees([run["b1.y"][list(run.t).index(t)] for t in times_of(y1)], y1)
    agrees([run["b2.y"][list(run.t).index(t)] for t in times_of(y2)], y2)
    agrees([run[key][-1] for key in columns], entry(name, "settled c"))


def test_macpherson_of_one_body():
    """The strut a pin in a slot, the arm a massless rod."""
    name, data = "nik_15_07_macpherson", load("nik_15_07_macpherson")["model"]
    c, points = corrected(macpherson())[0], data["points"]
    m = lw.Mechanism("one body")
    wheel = m.add("wheel", lw.Body(20.0, 2.5, position=tuple(c[:2]), angle=c[2]))
    m.add(
        "strut",
        lw.PinInSlot(
            wheel.at(*points["B1"], along=tuple(data["unit_vectors"]["u1_body1"])), m.ground.at(*points["O0"])
        ),
    )
    m.add("arm", lw.Rod(m.ground.at(*points["Q0"]), wheel.at(*points["A1"]), length=0.45))
    m.add(
        "spring",
        lw.SpringDamper(
            m.ground.at(*points["O0"]), wheel.at(*points["B1"]), stiffness=20000.0, rest_length=0.34, damping=1100.0
        ),
    )
    height = [lw.WorldOffset(m.ground, frame, "y") for frame in (wheel, wheel.at(*points["C1"]))]
    tyre = lw.UserForce(
        reads=height[:1], along=height[1:], law=unilateral_tyre_at_point, numbers=[100000.0, 1000.0, 0.3]
    )
    m.add("tyre", tyre)
    run = m.simulate([0.0, 0.4], rtol=1e-10, coordinates="body")
    agrees(run["wheel.y"][-1], entry(name, "y1 one-body"))


def test_tyres_push_and_never_pull():
    assert unilateral_tyre(0.36, -5.0, 0.0, 1e5, 1e3, 0.35) == 0.0
    assert unilateral_tyre(0.34, 0.0, 0.0, 1e5, 1e3, 0.35) == pytest.approx(1e3)


def head_and_neck():
    """Section 15.14: torso on a slide, seven vertebrae, skull, and the brain held in it by springs alone."""
    data = load("nik_15_14_head_neck")["model"]
    chosen, elements = data["chosen"], data["elements"]
    high = chosen["vertebra_height"]
    m = lw.Mechanism("head and neck", gravity=tuple(chosen["gravity"]))
    torso = m.add("torso", lw.Body(50.0, 1.2))
    m.add("slide", lw.Prismatic(m.ground, torso))
    below = torso
    for k in range(7, 0, -1):
        bone = m.add(f"C{k}", lw.Body(0.25, 0.0004, center=(0.0, high / 2), points={"top": (0.0, high)}))
        place = below if below is torso else below.top
        values = elements["C7_torso" if below is torso else "vertebra_vertebra"]
        m.add(f"pin{k}", lw.Revolute(place, bone))
        m.add(f"coil{k}", lw.TorsionSpringDamper(place, bone, stiffness=values["k"], damping=values["dc"]))
        below = bone
    skull = m.add("skull", lw.Body(2.0, 0.03, center=(0.0, chosen["skull_com_above_C1"])))
    m.add("pin0", lw.Revolute(below.top, skull))
    m.add(
        "coil0",
        lw.TorsionSpringDamper(
            below.top, skull, stiffness=elements["skull_C1"]["k"], damping=elements["skull_C1"]["dc"]
        ),
    )
    middle = chosen["skull_com_above_C1"] + chosen["brain_com_offset"][1]
    start = (0.0, 7 * high + middle)
    brain = m.add("brain", lw.Body(1.4, 0.004, position=start, angle=0.0))
    for k in range(4):
        way = np.array([math.cos(k * math.pi / 2), math.sin(k * math.pi / 2)])
        ends = skull.at(*(np.array([0.0, middle]) + 0.08 * way)), brain.at(*(0.05 * way))
        m.add(f"spring{k}", lw.SpringDamper(*ends, stiffness=8750.0, rest_length=0.03, damping=90.0))
    m.add("coil_brain", lw.TorsionSpringDamper(skull, brain, stiffness=23.0, damping=0.05))
    m.add("shake", lw.Driver(m["slide"].slide, lw.Harmonic(0.1, "2 Hz", phase=math.pi / 2)))
    return m


def test_head_and_neck():
    name, m = "nik_15_14_head_neck", head_and_neck()
    kinds = [type(one).__name__ for one in (*m.joints.values(), *m.forces.values())]
    got = [len(m.bodies), kinds.count("Revolute"), kinds.count("TorsionSpringDamper"), kinds.count("SpringDamper")]
    assert got == entry(name, "bodies")["value"]
    near = {key: 0.0 for body in m.bodies for key in [f"{body}.angle"]}
    assert m.check(near=near, coordinates="body").freedom == entry(name, "degrees of freedom")["value"]
    ends = {}
    for coordinates in ("body", "joint", "point"):
        run = m.simulate(0.5, every=0.01, near=near, coordinates=coordinates)
        assert np.abs(run.energy.balance).max() < 1e-5 * run.energy.in_play
        np.testing.assert_allclose(run["torso.x"], 0.1 * np.cos(4 * math.pi * run.t), atol=1e-9)
        ends[coordinates] = run["skull.angle"][-1], run["brain.x"][-1]
    np.testing.assert_allclose(ends["body"], ends["joint"], atol=1e-6)


def test_head_and_neck_shaken():
    """As many modes as freedoms; shaken slowly all follow the torso, and quickly the brain stays behind."""
    name, m = "nik_15_14_head_neck", head_and_neck()
    near = {key: 0.0 for body in m.bodies for key in [f"{body}.angle"]}
    found = {
        coordinates: m.frequency_response(
            "shake",
            ["skull.x", "brain.x", "shake.effort"],
            frequencies=[0.01, 2.0, 400.0],
            near=near,
            coordinates=coordinates,
        )
        for coordinates in ("body", "joint", "point")
    }
    one = found["body"]
    assert len(one.linear.states) == 2 * entry(name, "degrees of freedom")["value"]
    np.testing.assert_allclose(one.values, found["joint"].values, rtol=1e-6, atol=1e-5)
    np.testing.assert_allclose(one.values[0, :2, 0], 1.0, atol=1e-3)
    mass = sum(body.mass for body in m.bodies.values())
    assert one["shake.effort"][0] == pytest.approx(-mass * (0.02 * math.pi) ** 2, rel=1e-2)
    assert abs(one["brain.x"][2]) < 1e-2


# -- chapter 8: belt and cart --------------------------------------------------------------------------------------


@cache
def belt(name):
    case = load(name)
    mechanism, _ = mechanism_from_case(case)
    listed = {e["at"]["t"] for e in case["expected"] if isinstance(e["at"], dict)}
    times = np.union1d(np.linspace(0.0, 6.0, 6001), sorted(listed))
    return mechanism.simulate(times, coordinates="joint", rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", [f"nik_dapbc_CB_conveyor_friction_{law}_L0_book" for law in "AB"])
def test_block_on_a_belt(name):
    """Stick and slip by both laws of friction; beginnings of sticking and slipping asked of the run."""
    run, crossings = belt(name), {}
    for direction, word in (("rising", "stick"), ("falling", "slip")):
        crossings[word] = list(run.when("b1.x.rate", 0.09, direction=direction))
    for e in load(name)["expected"]:
        quantity = str(e["quantity"])
        if isinstance(e["at"], dict):
            k = int(np.argmin(np.abs(run.t - e["at"]["t"])))
            agrees(run["b1.x" + {"q": "", "v": ".rate"}[quantity[0]]][k], e)
        elif quantity.startswith("a."):
            agrees(run["b1.x.acceleration"][0], e)
        elif "start" in quantity:
            word, _, number = quantity.split()[:3]
            agrees(crossings[word][int(number) - 1], e)
        elif quantity.startswith("min"):
            agrees(run.extremes("b1.x").least, e)
        else:
            late = [(t, x) for t, x in run.extremes("b1.x").turning if t > 0.5]
            agrees(max(x for _, x in late), e)


@cache
def cart():
    case = load("nik_dapbc_Cart_C")
    mechanism, info = mechanism_from_case(case)
    times = sorted({0.0} | {e["at"]["t"] for e in case["expected"] if isinstance(e["at"], dict)})
    return mechanism.simulate(times, coordinates="body", rtol=1e-11), info


@pytest.mark.parametrize("e", load("nik_dapbc_Cart_C")["expected"], ids=label)
def test_cart_with_a_motor(e):
    """A motor whose torque falls with its speed: v = 0.4 pi (1 - exp(-t / tau))."""
    run, info = cart()
    if e["quantity"].startswith("time constant"):
        k = list(run.t).index(1.0)
        agrees(-1.0 / math.log(1.0 - run["b1.x.rate"][k] / (0.4 * math.pi)), {**e, "tolerance": 1e-9})
        return
    k = list(run.t).index(e["at"]["t"])
    kind, *rest = e["quantity"].removesuffix(" limit").split(".")
    if kind == "lam":
        names = run.rows
        row, factor = info.rows[int(rest[0]) - 1]
        agrees(factor * run.multipliers[k, names.index(row)], e)
    else:
        name = f"b{rest[0]}.{ {'x': 'x', 'y': 'y', 'phi': 'angle'}[rest[1]] }"
        agrees(run[name + {"q": "", "v": ".rate"}[kind]][k], e)


# -- Vlase ---------------------------------------------------------------------------------------------------------


def crank_and_rod(data, state):
    """The machine of the paper, start values of a state, and what is near them."""
    r, l, a, b = (data[key] for key in ("r_crank", "l_rod", "a_crank_com", "b_rod_com_from_B"))
    m = lw.Mechanism("crank and rod", gravity=None)
    crank = m.add("crank", lw.Body(data["m_crank"], data["J_crank"], points={"A": (-a, 0.0), "B": (r - a, 0.0)}))
    rod = m.add("rod", lw.Body(data["m_rod"], data["J_rod"], points={"B": (-b, 0.0), "C": (l - b, 0.0)}))
    slider = m.add("slider", lw.Body(data["m_slider"], 1.0))
    m.add("A", lw.Revolute(m.ground, crank.A))
    m.add("B", lw.Revolute(rod.B, crank.B))
    m.add("C", lw.Revolute(slider, rod.C))
    m.add("guide", lw.Prismatic(m.ground, slider))
    m.add("motor", lw.Torque(crank, data["motor_torque"]))
    m.add("load", lw.PointForce(slider, x=data["slider_force_x"]))
    beta = math.asin(r * math.sin(state["alpha"]) / l)
    start = {"A.angle": state["alpha"], "A.angle.rate": state["w1"]}
    near = {"rod.angle": -beta, "slider.x": r * math.cos(state["alpha"]) + l * math.cos(beta)}
    return m, start, near


@pytest.mark.parametrize("k", range(4))
@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_reactions_of_vlase(k, coordinates):
    """Accelerations and all reactions of crank, rod and slider; the reduced inertia from the kinetic energy."""
    case = load("vlase_crank_rod_reactions")
    data, state = case["model"], case["analysis"]["states"][k]
    m, start, near = crank_and_rod(data, state)
    ev = m.evaluate(m.assemble(start=start, near=near, coordinates=coordinates).state, coordinates=coordinates)
    coordinates_of = ["crank.x", "crank.y", "crank.angle", "rod.x", "rod.y", "rod.angle", "slider.x"]
    w1 = state["w1"]
    rates = np.array([ev[f"{name}.rate"] for name in coordinates_of])
    second = np.array([ev[f"{name}.acceleration"] for name in coordinates_of])
    A1 = rates / w1
    A2 = (second - A1 * second[2]) / w1**2
    J = 2.0 * ev.energy.kinetic / w1**2
    power = data["motor_torque"] + data["slider_force_x"] * A1[6]
    values = {
        "[t,u]": [A1[5], A2[5]],
        "A1": A1,
        "A2 (corrected)": A2,
        "J": J,
        "J' (=1/2 dJ/dalpha)": (power - J * second[2]) / w1**2,
        "angular acceleration e1": second[2],
        "xdd [x1,y1,e1,x2,y2,e2,xC]": second,
        "reactions [XA,YA,XB,YB,XC,YC]": np.concatenate([ev.reaction(joint).force for joint in "ABC"]),
        "guide normal force on slider": ev.reaction("guide").force[1],
    }
    here = [e for e in case["expected"] if e["at"].startswith(f"alpha={round(math.degrees(state['alpha']))} deg")]
    assert len(here) == len(values)
    for e in here:
        agrees(values[e["quantity"]], e)


@pytest.mark.parametrize("k", range(4))
@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_reduced_inertia_of_vlase(k, coordinates):
    """J, J', acceleration and reactions from the energy, by position (14, 20 to 24), over a turn from each state."""
    case = load("vlase_crank_rod_reactions")
    state = case["analysis"]["states"][k]
    m, _, near = crank_and_rod(case["model"], state)
    alpha = state["alpha"]
    found = m.energy_motion(
        {"A.angle": (alpha, alpha + 1.0, 101)}, speed=state["w1"], near={**near, "A.angle": alpha},
        coordinates=coordinates, rtol=1e-11,
    )  # fmt: skip
    values = {
        "J": found.inertia[0],
        "J' (=1/2 dJ/dalpha)": found.inertia_slope[0],
        "angular acceleration e1": found.acceleration[0],
        "reactions [XA,YA,XB,YB,XC,YC]": np.concatenate([found.run.reaction(joint).force[0] for joint in "ABC"]),
        "guide normal force on slider": found.run.reaction("guide").force[0, 1],
    }
    here = [e for e in case["expected"] if e["at"].startswith(f"alpha={round(math.degrees(alpha))} deg")]
    asked = [e for e in here if e["quantity"] in values]
    assert len(asked) == len(values)
    for e in asked:
        agrees(values[e["quantity"]], e)
