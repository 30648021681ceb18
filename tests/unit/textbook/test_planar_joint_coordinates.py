"""Joint coordinates against differences of positions, and against the same mechanism in body coordinates."""

from dataclasses import replace

import numpy as np
import pytest

from linkwork import textbook as tb
from linkwork.errors import ConvergenceError, DescriptionError
from linkwork.mechanism.bodies import Body
from linkwork.mechanism.drivers import Driver
from linkwork.mechanism.forces import SpringDamper, Torque
from linkwork.mechanism.functions import Harmonic
from linkwork.mechanism.guides import PinInSlot, RollingDisc
from linkwork.mechanism.joints import Fixed, Hold, Prismatic, Revolute, Rod
from linkwork.mechanism.mechanism import Mechanism
from linkwork.textbook import planar_joint_coordinates as jc
from linkwork.textbook.planar_joint_bridge import joint_model_from_mechanism
from linkwork.textbook.planar_kinematics import A

T, STEP = 0.3, 1e-5
KINDS = {
    "revolute": Revolute,
    "prismatic": Prismatic,
    "rod": lambda on, to: Rod(on, to, length=0.8),
    "slot": lambda on, to: PinInSlot(on, to, offset=0.2),
    "fixed": Fixed,
}


def random_frame(rng, body):
    return body.at(*rng.uniform(-1.0, 1.0, 2), angle=rng.uniform(-1.0, 1.0))


def random_tree(rng, kinds, reversed_joints=False, floating=False, name="random tree"):
    """Bodies with mass centres off their origins on joints of these kinds, springs between them."""
    m = Mechanism(name)
    bodies = [m.ground]
    for n, kind in enumerate(kinds, start=1):
        size = rng.uniform(0.5, 2.0, 2)
        body = m.add(f"b{n}", Body(size[0], size[1], center=tuple(rng.uniform(-0.3, 0.3, 2))))
        ends = [random_frame(rng, bodies[rng.integers(len(bodies))]), random_frame(rng, body)]
        if reversed_joints and rng.random() < 0.6:
            ends.reverse()
        if not (floating and n == 1):
            m.add(f"j{n}", KINDS[kind](*ends))
        bodies.append(body)
        m.add(f"s{n}", SpringDamper(random_frame(rng, m.ground), random_frame(rng, body), 20.0, 1.0, damping=2.0))
        m.add(f"t{n}", Torque(body, rng.uniform(-3.0, 3.0)))
        if floating and n == 1:
            bodies.remove(m.ground)
    return m


def frames_here(rng, m, c, on, to, place, angle):
    """Frames on two bodies that coincide at this place and angle when the bodies stand as in c."""

    def frame(name):
        if name == "ground":
            return m.ground.at(*place, angle=angle)
        n = list(m.bodies).index(name) - ("ground" in m.bodies)
        phi = c[3 * n + 2]
        s = A(phi).T @ (place - c[3 * n : 3 * n + 2]) + m.bodies[name].center[:2]
        return m.bodies[name].at(*s, angle=angle - phi)

    return frame(on), frame(to)


def close_loop(rng, m, model, theta, kind, name):
    """Add a joint between the ground or the first body and the last one, which fits where theta puts the bodies."""
    c, last = jc.body_coordinates(model, theta), f"b{len(model.book.bodies)}"
    place, angle = rng.uniform(-1.0, 1.0, 2), rng.uniform(-1.0, 1.0)
    on, to = frames_here(rng, m, c, rng.choice(["ground", "b1"]) if last != "b1" else "ground", last, place, angle)
    if kind in ("rod", "slot"):  # the ends apart, along x or y of `on`
        shift = np.array((1.0, 0.0)) if kind == "rod" else np.array((0.3, 0.2))
        body = m.ground if on.body == "ground" else m.bodies[on.body]
        on = body.at(*(on.position[:2] - A(on.angle) @ shift), angle=on.angle)
        m.add(name, Rod(on, to, length=1.0) if kind == "rod" else PinInSlot(on, to, offset=0.2))
    else:
        m.add(name, KINDS[kind](on, to))


def random_state(rng, model):
    """theta, and rates that keep the loops closed."""
    theta = rng.uniform(-1.0, 1.0, len(model.names))
    return theta, admissible(rng, model, theta)


def admissible(rng, model, theta):
    thetad = rng.uniform(-1.0, 1.0, len(model.names))
    return jc.correct_joint_velocities(model, T, theta, thetad)


def trees():
    for seed in range(12):
        rng = np.random.default_rng(seed)
        kinds = rng.choice(list(KINDS), size=int(rng.integers(1, 6)))
        yield pytest.param(seed, kinds, seed % 2 == 1, seed % 3 == 2, id=f"{seed}: " + " ".join(kinds))


def differences(f, theta, thetad):
    return (f(theta + STEP * thetad) - f(theta - STEP * thetad)) / (2 * STEP)


@pytest.mark.parametrize(("seed", "kinds", "turned", "floating"), list(trees()))
class TestTrees:
    """Random trees, also reversed and floating."""

    def model(self, seed, kinds, turned, floating, absolute=False):
        rng = np.random.default_rng(seed)
        m = random_tree(rng, kinds, turned, floating)
        pins = [name for name, joint in m.joints.items() if absolute and isinstance(joint, Revolute)]
        model = joint_model_from_mechanism(m, absolute=pins)
        return model, *random_state(rng, model)

    @pytest.mark.parametrize("absolute", [False, True])
    def test_transformation_is_the_rate_of_positions(self, seed, kinds, turned, floating, absolute):
        model, theta, thetad = self.model(seed, kinds, turned, floating, absolute)
        B = jc.velocity_transformation(model, theta)
        for k, unit in enumerate(np.eye(len(theta))):
            wanted = differences(lambda th: jc.body_coordinates(model, th), theta, unit)
            np.testing.assert_allclose(B[:, k], wanted, atol=1e-9)
        wanted = differences(lambda th: jc.velocity_transformation(model, th) @ thetad, theta, thetad)
        np.testing.assert_allclose(jc.transformation_rate(model, theta, thetad), wanted, atol=1e-8)

    def test_joints_of_the_tree_are_met(self, seed, kinds, turned, floating):
        model, theta, _ = self.model(seed, kinds, turned, floating)
        c = jc.body_coordinates(model, theta)
        np.testing.assert_allclose(tb.planar.constraints(model.tree, T, c), 0.0, atol=1e-12)
        D = tb.planar.jacobian(model.tree, T, c)
        np.testing.assert_allclose(D @ jc.velocity_transformation(model, theta), 0.0, atol=1e-12)  # (9.20)

    @pytest.mark.parametrize("absolute", [False, True])
    def test_there_and_back(self, seed, kinds, turned, floating, absolute):
        model, theta, thetad = self.model(seed, kinds, turned, floating, absolute)
        c, cd = (jc.body_coordinates(model, theta), jc.velocity_transformation(model, theta) @ thetad)
        np.testing.assert_allclose(jc.joint_coordinates(model, c), theta, atol=1e-12)
        np.testing.assert_allclose(jc.joint_rates(model, c, cd), thetad, atol=1e-11)

    @pytest.mark.parametrize("absolute", [False, True])
    def test_motion_is_that_of_body_coordinates(self, seed, kinds, turned, floating, absolute):
        model, theta, thetad = self.model(seed, kinds, turned, floating, absolute)
        check_against_bodies(model, theta, thetad)

    def test_mass_matrix(self, seed, kinds, turned, floating):
        model, theta, _ = self.model(seed, kinds, turned, floating)
        M = jc.joint_mass_matrix(model, theta)
        np.testing.assert_allclose(M, M.T, atol=1e-12)
        assert np.all(np.linalg.eigvalsh(M) > 0.0)


def check_against_bodies(model, theta, thetad):
    """Accelerations and reactions of the augmented equations of the whole model."""
    c, cd = (jc.body_coordinates(model, theta), jc.velocity_transformation(model, theta) @ thetad)
    wanted, lam = tb.planar.augmented(model.book, T, c, cd)
    thetadd, lam_cut = jc.joint_augmented(model, T, theta, thetad)
    got = jc.body_accelerations(model, theta, thetad, thetadd)
    scale = max(1.0, np.max(np.abs(wanted), initial=0.0))
    np.testing.assert_allclose(got, wanted, atol=1e-9 * scale)
    bodies = tb.planar.reactions(model.book, T, c, lam)
    found = jc.joint_reactions(model, T, theta, thetad)
    assert found.keys() == bodies.keys()
    scale = max(1.0, np.max(np.abs(lam), initial=0.0))
    B, C, n = (jc.velocity_transformation(model, theta), jc.cut_jacobian(model, T, theta), len(lam_cut))
    in_cut = {q.name for q in model.cut.joints}
    total = np.zeros_like(theta)
    for name, reaction in found.items():
        full = np.zeros(len(c))
        for b, h in reaction.bodies.items():
            np.testing.assert_allclose(h, bodies[name][b], atol=1e-9 * scale)
            full[3 * b - 3 : 3 * b] = h
        np.testing.assert_allclose(reaction.coordinates, B.T @ full, atol=1e-9 * scale)
        if name not in in_cut:
            np.testing.assert_allclose(reaction.coordinates, 0.0, atol=1e-9 * scale)
        total += reaction.coordinates
    np.testing.assert_allclose(total, C.T @ lam_cut if n else 0.0 * theta, atol=1e-9 * scale)


def loops():
    """Trees with one or two joints more; draws whose rows are nearly dependent are passed over."""
    seed, found = 100, 0
    while found < 16:
        seed += 1
        rng = np.random.default_rng(seed)
        kinds = rng.choice(["revolute", "revolute", "prismatic", "slot", "rod"], size=int(rng.integers(2, 6)))
        closing = rng.choice(["revolute", "prismatic", "rod", "slot"], size=int(rng.integers(1, 3)))
        model, theta, _ = closed(seed, kinds, closing)
        rows = np.linalg.svd(jc.cut_jacobian(model, T, theta), compute_uv=False)
        if len(rows) < len(theta) and rows[-1] > 1e-2 * rows[0]:
            found += 1
            yield pytest.param(seed, kinds, closing, id=f"{seed}: " + " ".join([*kinds, "closed by", *closing]))


def closed(seed, kinds, closing):
    rng = np.random.default_rng(seed)
    m = random_tree(rng, kinds, reversed_joints=True)
    model = joint_model_from_mechanism(m)
    theta = rng.uniform(-1.0, 1.0, len(model.names))
    for n, kind in enumerate(closing):
        close_loop(rng, m, model, theta, kind, f"c{n}")
    c = jc.body_coordinates(model, theta)
    state = {f"b{n + 1}.angle": c[3 * n + 2] for n in range(len(c) // 3)}  # the whole turns of angles that are held
    model = joint_model_from_mechanism(m, [f"c{n}" for n in range(len(closing))], state)
    return model, theta, admissible(rng, model, theta)


@pytest.mark.parametrize(("seed", "kinds", "closing"), list(loops()))
class TestLoops:
    """Random closed mechanisms."""

    def test_cut_joints(self, seed, kinds, closing):
        model, theta, thetad = closed(seed, kinds, closing)
        np.testing.assert_allclose(jc.cut_constraints(model, T, theta), 0.0, atol=1e-12)
        C = jc.cut_jacobian(model, T, theta)
        wanted = [differences(lambda th: jc.cut_constraints(model, T, th), theta, unit) for unit in np.eye(len(theta))]
        np.testing.assert_allclose(C, np.transpose(wanted), atol=1e-8)

        def along(s):  # a motion with these rates that stays on the loops to second order
            moved = theta + s * thetad + 0.5 * s**2 * np.linalg.pinv(C) @ jc.cut_gamma(model, T, theta, thetad)
            return jc.cut_constraints(model, T, moved)

        step, size = 1e-3, np.max(np.abs(jc.cut_gamma(model, T, theta, thetad)))
        second = (along(step) - 2 * along(0.0) + along(-step)) / step**2
        np.testing.assert_allclose(second, 0.0, atol=1e-4 * max(1.0, size))

    def test_jacobian_by_table_9_2(self, seed, kinds, closing):
        model, theta, _ = closed(seed, kinds, closing)
        only = replace(model.cut, joints=tuple(q for q in model.cut.joints if q.type in ("rev", "tran")))
        model = replace(model, cut=only)
        got, wanted = (jc.cut_jacobian_by_table(model, theta), jc.cut_jacobian(model, T, theta))
        np.testing.assert_allclose(got, wanted, atol=1e-12)

    def test_motion_is_that_of_body_coordinates(self, seed, kinds, closing):
        check_against_bodies(*closed(seed, kinds, closing))


def four_bar():
    m = Mechanism("four-bar")
    for name, length in (("crank", 1.0), ("coupler", 3.0), ("rocker", 2.5)):
        m.add(name, Body(length, length**3 / 12, points={"a": (-length / 2, 0.0), "b": (length / 2, 0.0)}))
    m.add("A", Revolute(m.ground.at(0, 0), m["crank"].a))
    m.add("B", Revolute(m["crank"].b, m["coupler"].a))
    m.add("C", Revolute(m["coupler"].b, m["rocker"].b))
    m.add("D", Revolute(m.ground.at(3.2, 0), m["rocker"].a))
    return m


@pytest.mark.parametrize("cut", "ABCD")
def test_four_bar_cut_anywhere(cut):
    start = {"A.angle": 1.0, "B.angle": -0.6, "C.angle": 1.3, "D.angle": 1.8}
    model = joint_model_from_mechanism(four_bar(), [cut])
    assert set(model.names) == {name for name in start if name[0] != cut}
    held = [model.names[0]]
    theta = jc.correct_joint_positions(model, 0.0, [start[name] for name in model.names], held)
    assert theta[0] == start[model.names[0]]
    thetad = jc.correct_joint_velocities(model, 0.0, theta, np.ones(3), held)
    assert thetad[0] == 1.0
    np.testing.assert_allclose(jc.cut_constraints(model, 0.0, theta), 0.0, atol=1e-12)
    np.testing.assert_allclose(jc.cut_jacobian(model, 0.0, theta) @ thetad, 0.0, atol=1e-12)
    check_against_bodies(model, theta, thetad)


def test_runs_keep_energy():
    model = joint_model_from_mechanism(four_bar(), ["C"])
    theta = jc.correct_joint_positions(model, 0.0, [1.0, -0.6, 1.8], ["A.angle"])
    run = jc.simulate_joint_coordinates(model, [0.0, 0.5, 1.0], theta, np.zeros(3))
    energies = []
    for th, thd in zip(*run):
        c, cd = (jc.body_coordinates(model, th), jc.velocity_transformation(model, th) @ thd)
        energies.append(tb.planar.energy(model.book, 0.0, c, cd).total)
    np.testing.assert_allclose(energies, energies[0], atol=1e-8)
    np.testing.assert_allclose(jc.cut_constraints(model, 1.0, run[0][-1]), 0.0, atol=1e-8)
    assert np.max(np.abs(run[0][-1] - theta)) > 0.1


@pytest.mark.parametrize("reference", [None, 0.35])
def test_rolling_disc_carries_a_pendulum(reference):
    m = Mechanism("wheel")
    wheel = m.add("wheel", Body(2.0, 0.3, center=(0.1, 0.2), position=(0.3, 0.4), angle=0.3))
    arm = m.add("arm", Body(1.0, 0.2, center=(0.0, -0.5)))
    m.add("R", RollingDisc(m.ground.at(0.2, -0.1), wheel.at(0.1, 0.2, angle=0.4), 0.5, reference=reference))
    m.add("P", Revolute(wheel.at(0.1, 0.2), arm.at(0.0, 0.0)))
    model = joint_model_from_mechanism(m)
    assert model.names == ("R.slide", "P.angle")
    theta, thetad = np.array([0.7, -0.4]), np.array([1.1, 0.6])
    B = jc.velocity_transformation(model, theta)
    wanted = [differences(lambda th: jc.body_coordinates(model, th), theta, unit) for unit in np.eye(2)]
    np.testing.assert_allclose(B, np.transpose(wanted), atol=1e-9)
    np.testing.assert_allclose(B[:3, 0], [1.0, 0.0, -2.0], atol=1e-12)
    c = jc.body_coordinates(model, theta)
    assert c[0] == pytest.approx(0.2 + 0.7)
    np.testing.assert_allclose(tb.planar.constraints(model.tree, 0.0, c), 0.0, atol=1e-12)
    np.testing.assert_allclose(jc.joint_coordinates(model, c), theta, atol=1e-12)
    check_against_bodies(model, theta, thetad)


def test_rigid_joint_between_origins():
    start = (tb.Body(r=(0.3, 0.1), phi=0.4), tb.Body(r=(1.0, 0.6), phi=-0.2))
    points, pin = (tb.Point(0), tb.Point(1, (-0.5, 0.0))), tb.Joint("rev", Pi=2, Pj=1, name="A")
    book = tb.BookModel(start, points, (), (pin, tb.Joint("rigid", i=2, j=1, name="F")), (tb.Force("weight"),))
    model = tb.planar_joint_tree.joint_model(book)
    assert model.names == ("A.angle",)
    np.testing.assert_allclose(tb.planar.constraints(book, 0.0, jc.body_coordinates(model, [0.9])), 0.0, atol=1e-12)
    check_against_bodies(model, np.array([0.9]), np.array([1.3]))


def test_names_and_order():
    m = Mechanism("cart")
    chassis, arm = m.add("chassis", Body(5.0, 1.0, center=(0.2, 0.1))), m.add("arm", Body(1.0, 0.1))
    m.add("P", Prismatic(arm.at(0.0, 0.0), chassis.at(0.5, 0.0)))
    model = joint_model_from_mechanism(m)
    assert model.names == ("chassis.x", "chassis.y", "chassis.angle", "P.slide")
    c = jc.body_coordinates(model, [1.0, 2.0, 0.3, 0.25])
    np.testing.assert_allclose(c[:2], [1.0, 2.0] + A(0.3) @ (0.2, 0.1))  # coordinates of the frame, not the centre
    np.testing.assert_allclose(c[3:5], [1.0, 2.0] + A(0.3) @ (0.25, 0.0))


def test_floating_block_of_table_9_1():
    """(9.11): [I, rot(d); 0, 1] for every body beyond a body that floats."""
    m = Mechanism("free")
    one, two = m.add("one", Body(1.0, 0.1)), m.add("two", Body(2.0, 0.2))
    m.add("A", Revolute(one.at(1.0, 0.0), two.at(-0.5, 0.0)))
    B = jc.velocity_transformation(joint_model_from_mechanism(m), [0.0, 0.0, np.pi / 2, -np.pi / 2])
    wanted = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 0, -1.0, 0.0], [0, 1, 0.5, 0.5], [0, 0, 1, 1]]
    np.testing.assert_allclose(B, wanted, atol=1e-12)


def test_absolute_angle_of_the_space_arm():
    """(9.14): beyond the absolute pin B nothing turns with the joints before it."""
    m = Mechanism("shuttle")
    parts = [m.add(name, Body(1.0, 0.1)) for name in ("shuttle", "upper", "lower")]
    m.add("A", Revolute(parts[0].at(1.0, 0.0), parts[1].at(-0.5, 0.0)))
    m.add("B", Revolute(parts[1].at(0.5, 0.0), parts[2].at(-0.4, 0.0)))
    B = jc.velocity_transformation(joint_model_from_mechanism(m, absolute=["B"]), np.zeros(5))
    np.testing.assert_allclose(B[6:], [[1, 0, 0, 0, 0], [0, 1, 2.0, 1.0, 0.4], [0, 0, 0, 0, 1]], atol=1e-12)


@pytest.mark.parametrize("absolute", [(), ("A",)])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("driven", ["A.angle", "B.slide"])
def test_drivers_of_joint_coordinates(driven, reverse, absolute):
    """The driver's effort and the reactions are those of the same motion forced by the same loads on the bodies."""
    m = Mechanism("driven")
    one = m.add("one", Body(2.0, 0.3, center=(0.1, 0.2)))
    two = m.add("two", Body(1.0, 0.2, center=(-0.1, 0.1)))
    a = m.ground.at(0.1, 0.2), one.at(0.5, 0.0)
    b = one.at(0.2, 0.1, angle=0.3), two.at(0.0, 0.3, angle=-0.2)
    m.add("A", Revolute(*(reversed(a) if reverse else a)))
    m.add("B", Prismatic(*(reversed(b) if reverse else b)))
    f = Harmonic(0.4, 2.0)
    model = joint_model_from_mechanism(m, absolute=absolute, drivers={driven: f})
    k, theta, thetad = model.names.index(driven), np.array([0.4, 0.7]), np.array([0.8, -0.5])
    thetadd, lam = jc.joint_augmented(model, T, theta, thetad)
    assert thetadd[k] == pytest.approx(f(T)[2])
    np.testing.assert_array_equal(jc.cut_jacobian(model, T, theta), np.eye(2)[[k]])
    assert jc.cut_velocity_rhs(model, T, theta) == pytest.approx([f(T)[1]])
    assert jc.cut_constraints(model, T, theta) == pytest.approx([theta[k] - f(T)[0]])
    M, h = (jc.joint_mass_matrix(model, theta), jc.joint_force_array(model, T, theta, thetad))
    np.testing.assert_allclose(M @ thetadd - h, np.eye(2)[k] * lam, atol=1e-12)
    # Newton-Euler for the outer body alone: what its joint and motor exert follows from its acceleration
    a_two = jc.body_accelerations(model, theta, thetad, thetadd)[3:]
    needed = np.diag([1.0, 1.0, 0.2]) @ a_two - [0.0, -9.81, 0.0]
    motor = np.zeros(3)
    if driven == "B.slide":
        x = jc.body_coordinates(model, theta)
        on = 1 if reverse else 0
        frame_angle = (x[2], x[5])[on] + (0.3, -0.2)[on]
        force = lam[0] * A(frame_angle)[:, 0] * (-1.0 if reverse else 1.0)
        to = x[0:2] + A(x[2]) @ (0.1, -0.1) if reverse else x[3:5] + A(x[5]) @ (0.1, 0.2)
        arm = to - x[3:5]
        motor = np.array([*force, arm[0] * force[1] - arm[1] * force[0]])
    got = jc.joint_reactions(model, T, theta, thetad)["B"].bodies[2]
    np.testing.assert_allclose(got + motor, needed, atol=1e-11)


def test_held_values_and_drivers_are_rows():
    m = four_bar()
    m.add("H", Hold(m.ground.at(0, 0), m["crank"], y=0.3))
    m.add("motor", Driver(m.joints["A"].angle, Harmonic(0.3, 1.0)))
    model = joint_model_from_mechanism(m, ["C"])
    assert [q.name for q in model.cut.joints] == ["C", "H", "motor"]
    assert [q.name for q in model.tree.joints] == ["A", "B", "D"]


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({}, "closes a loop that is not cut"),
        ({"cut": ["X"]}, "'X' is not in the model"),
        ({"cut": ["C"], "absolute": ["C"]}, "'C' has no absolute angle"),
        ({"cut": ["C"], "drivers": {"C.angle": Harmonic(1.0, 1.0)}}, "'C.angle' cannot be driven"),
    ],
)
def test_refused(options, fault):
    with pytest.raises(DescriptionError, match=fault):
        joint_model_from_mechanism(four_bar(), **options)


def test_loops_that_cannot_close():
    model = joint_model_from_mechanism(four_bar(), ["C"])
    with pytest.raises(ConvergenceError, match=r"'four-bar'.*close its loops"):
        jc.correct_joint_positions(model, 0.0, [1.0, 0.0, 3.0], ["A.angle", "D.angle"])


@pytest.mark.parametrize("seed", range(6))
def test_coriolis_matrix(seed):
    """C theta' holds the velocity terms, C - M'/2 is skew, and M' = C + C' is the rate of the mass matrix."""
    rng = np.random.default_rng(seed)
    model = joint_model_from_mechanism(
        random_tree(rng, ["revolute", "prismatic", "rod", "slot"], floating=seed % 2 == 1)
    )
    theta, thetad = rng.normal(size=(2, len(model.names)))
    C = jc.coriolis_matrix(model, theta, thetad)
    B = jc.velocity_transformation(model, theta)
    np.testing.assert_allclose(
        C @ thetad, B.T @ model.book.M @ jc.transformation_rate(model, theta, thetad), atol=1e-11
    )
    h = 1e-6
    rate = (jc.joint_mass_matrix(model, theta + h * thetad) - jc.joint_mass_matrix(model, theta - h * thetad)) / (2 * h)
    np.testing.assert_allclose(C + C.T, rate, atol=1e-6 * np.abs(rate).max())
    skew = C - 0.5 * rate
    np.testing.assert_allclose(skew, -skew.T, atol=1e-6 * np.abs(rate).max())
    assert abs(thetad @ (C - 0.5 * (C + C.T)) @ thetad) < 1e-12
