"""Inverse dynamics: drivers, actuators in place of a path, too many of them, recorded tables, and what is refused."""

import math
import pickle

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.switching import switch
from linkwork.analysis.tables import splined
from linkwork.coordinates import SETS
from linkwork.errors import (
    AnalysisError,
    DescriptionError,
    FileError,
    MotionEndsWarning,
    SingularConfigurationError,
    UnknownNameError,
)

T = np.linspace(0.0, 1.0, 41)
G = 9.81


def arm(l1=0.7, l2=0.5, m1=2.0, m2=1.5):
    """Two links in the plane; both angles count from x and from the first link."""
    m = lw.Mechanism("arm")
    one, two = (m.add(n, lw.bar(length=l, mass=k)) for n, l, k in (("one", l1, m1), ("two", l2, m2)))
    m.add("A", lw.Revolute("ground", one.a))
    m.add("B", lw.Revolute(one.b, two.a))
    return m


def arm_torques(q, qd, qdd, l1=0.7, l2=0.5, m1=2.0, m2=1.5):
    """Closed form of two uniform rods: M q" + C + g."""
    i1, i2 = m1 * l1**2 / 12.0, m2 * l2**2 / 12.0
    a, b, c = i1 + m1 * l1**2 / 4.0 + m2 * l1**2, i2 + m2 * l2**2 / 4.0, m2 * l1 * l2 / 2.0
    c2, s2 = np.cos(q[1]), np.sin(q[1])
    g1 = (m1 * l1 / 2.0 + m2 * l1) * G * np.cos(q[0])
    g2 = m2 * l2 / 2.0 * G * np.cos(q[0] + q[1])
    first = (a + b + 2 * c * c2) * qdd[0] + (b + c * c2) * qdd[1] - c * s2 * (2 * qd[0] * qd[1] + qd[1] ** 2) + g1 + g2
    second = (b + c * c2) * qdd[0] + b * qdd[1] + c * s2 * qd[0] ** 2 + g2
    return first, second


def four_bar(driver=None):
    m = lw.Mechanism("four-bar")
    a, b, c = (m.add(n, lw.bar(length=l, mass=l)) for n, l in (("crank", 1.0), ("coupler", 3.0), ("rocker", 2.5)))
    m.add("A", lw.Revolute("ground", a.a))
    m.add("B", lw.Revolute(a.b, b.a))
    m.add("C", lw.Revolute(b.b, c.b))
    m.add("D", lw.Revolute(m.ground.at(3.2, 0), c.a))
    m.add("spring", lw.SpringDamper(m.ground.at(0, 2), b, stiffness=30.0, rest_length=1.0, damping=2.0))
    if driver:
        m.add("motor", lw.Driver("A.angle", driver))
    return m


NEAR = {"coupler.angle": 0.4, "rocker.angle": 1.6}


# -- drivers and actuators -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("space", [False, True])
def test_drivers_of_an_arm_against_its_closed_form(coordinates, space):
    m = arm()
    m.add("one motor", lw.Driver("A.angle", "0.3 + 2*t - t^2"))
    m.add("two motor", lw.Driver("B.angle", "1 + 0.5*sin(3*t)"))
    if space:
        m = m.in_space()
        m.gravity = (0.0, -G, 0.0)
    run = m.inverse_dynamics(T, coordinates=coordinates)
    q = 0.3 + 2 * T - T**2, 1 + 0.5 * np.sin(3 * T)
    qd, qdd = (2 - 2 * T, 1.5 * np.cos(3 * T)), (-2.0 + 0 * T, -4.5 * np.sin(3 * T))
    for got, wanted in zip((run["one motor.effort"], run["two motor.effort"]), arm_torques(q, qd, qdd)):
        assert np.abs(got - wanted).max() < 1e-8 * np.abs(wanted).max()
    assert run.check_efforts().gap < 1e-9 and run.manifest["analysis"] == "inverse_dynamics"


@pytest.mark.parametrize("coordinates", SETS)
def test_a_path_of_the_tip_needs_the_torques_of_the_closed_form(coordinates):
    m = arm()
    m.add("across", lw.Driver("two.b.x", "0.6 + 0.2*cos(2*t)"))
    m.add("up", lw.Driver("two.b.y", "0.5 + 0.1*t^2"))
    near = {"one.angle": 0.2, "two.angle": 1.2}
    run = m.inverse_dynamics(T, near=near, actuators=["A.angle", "B.angle"], coordinates=coordinates)
    assert list(run.mechanism.drivers) == ["A angle", "B angle"] == list(run.efforts)
    q, qd, qdd = ([run[f"{one}.angle{end}"] for one in "AB"] for end in ("", ".rate", ".acceleration"))
    x, y = 0.6 + 0.2 * np.cos(2 * T), 0.5 + 0.1 * T**2  # by the law of cosines, and differences of that
    elbow = np.arccos((x**2 + y**2 - 0.49 - 0.25) / (2 * 0.7 * 0.5))
    assert np.abs(q[1] - elbow).max() < 1e-9
    for got, wanted in zip(run.efforts.values(), arm_torques(q, qd, qdd)):
        assert np.abs(got - wanted).max() < 1e-8 * np.abs(wanted).max()
    path = m.inverse_dynamics(T, near=near, coordinates=coordinates)
    power = sum(path[f"{name}.power"] for name in ("across", "up"))
    assert np.abs(sum(run[f"{name}.power"] for name in run.efforts) - power).max() < 1e-8 * np.abs(power).max()


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("actuator", ["D.angle", "spring.length", "coupler.b.x", "B.angle"])
def test_another_actuator_of_a_closed_chain_does_the_same_work(coordinates, actuator):
    """The effort of another actuator follows from the first by the ratio of rates: virtual power."""
    m = four_bar("1 + 2*t")
    first = m.inverse_dynamics(T, near=NEAR, coordinates=coordinates)
    run = m.inverse_dynamics(T, near=NEAR, coordinates=coordinates, actuators=[actuator])
    rate = first[f"{actuator}.rate"] / 2.0
    wanted = first["motor.effort"] / rate
    (got,) = run.efforts.values()
    assert np.abs(got - wanted).max() < 1e-8 * np.abs(wanted).max()
    assert run.check_efforts().gap < 1e-9
    assert run["B.reaction.x"] is not None and run.reaction("D").unique


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("actuator", [None, "B.angle", "D.angle"])
def test_all_multipliers_against_the_books_equations(coordinates, actuator):
    """ID1 and ID2 of the textbook, dense and written apart, at some of the times."""
    m = four_bar("1 + 2*t")
    run = m.inverse_dynamics(T, near=NEAR, coordinates=coordinates, actuators=actuator and [actuator])
    for k in (0, 17, 40):
        book = lw.textbook.planar_bridge.from_mechanism(run.mechanism)
        c, cd = (run.state(k).y[part] for part in (slice(0, 9), slice(9, 18)))
        cdd = run._series.accelerations[k]
        lam = lw.textbook.inverse_dynamics.ID1(book, run.t[k], c, cd, cdd)
        assert np.abs(lam - run.multipliers[k]).max() < 1e-9 * np.abs(lam).max()
        if actuator is None:
            effort = lw.textbook.inverse_dynamics.ID2(book, run.t[k], c, cd, cdd, "motor")
            assert effort == pytest.approx(run["motor.effort"][k], rel=1e-9)


def pulled(values, rates, t, numbers, memory, out):
    """The force that a function of time says."""
    out[0] = values[0]


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("case", ["arm", "four-bar", "space"])
def test_efforts_put_on_as_forces_lead_along_the_same_motion(case, coordinates):
    """forward(inverse(motion)) over time: efforts between outputs by a spline, whose error falls with their number."""
    t = np.linspace(0.0, 1.0, 401)
    if case == "four-bar":
        path, near, names = four_bar("1 + sin(t)"), NEAR, ["D.angle"]
    else:
        path, near, names = arm(), {"one.angle": 0.2, "two.angle": 1.2}, ["A.angle", "B.angle"]
        path.add("across", lw.Driver("two.b.x", "0.6 + 0.2*cos(2*t)"))
        path.add("up", lw.Driver("two.b.y", "0.5 + 0.1*t^2"))
        if case == "space":
            path, near = path.in_space(), {"A.angle": 0.2, "B.angle": 1.0}
            path.gravity = (0.0, -G, 0.0)
    run = path.inverse_dynamics(t, near=near, actuators=names, coordinates=coordinates)
    free = path.actuated([])
    for name, effort in zip(names, run.efforts.values()):
        function, measure = lw.Table(t, effort), free.measure(name)
        free.add(f"push {name[0]}", lw.UserForce(reads=[function], along=[measure], law=pulled))
    again = free.simulate(t, start=run.state(0), coordinates=coordinates, rtol=1e-11)
    for name in ("A.angle", "B.angle"):
        assert np.abs(again[name] - run[name]).max() < 1e-6
        assert np.abs(again[f"{name}.rate"] - run[f"{name}.rate"]).max() < 1e-5


def test_the_efforts_of_a_run_are_found_again_for_other_masses():
    """Massless kinematics give the motion, the mechanism with masses what it needs: as if it were driven itself."""
    light = lw.Mechanism("light")
    rod = light.add("rod", lw.bar(length=1.0, mass=0.0))
    light.add("A", lw.Revolute("ground", rod.a))
    run = light.kinematics(over={"A.angle": (0.2, 1.4, 21)})
    heavy = lw.Mechanism("heavy")
    rod = heavy.add("rod", lw.Body(2.0, 0.3, center=(0.1, 0.2), points={"a": (-0.5, 0.0)}))
    heavy.add("A", lw.Revolute("ground", rod.a))
    found = heavy.inverse_dynamics(motion=run)
    angle = np.linspace(0.2, 1.4, 21)
    wanted = 2.0 * G * (0.6 * np.cos(angle) - 0.2 * np.sin(angle))  # even motion: the weight alone
    assert np.abs(found["drives A angle.effort"] - wanted).max() < 1e-9
    assert np.abs(found["rod.x.acceleration"] - run["rod.x.acceleration"]).max() < 1e-12


def test_a_motion_by_forces_alone_needs_no_efforts():
    m = lw.gallery.double_pendulum()
    run = m.simulate(1.0, every=0.05, coordinates="body")
    found = m.inverse_dynamics(motion=run, actuators=["A.angle", "B.angle"])
    assert max(np.abs(one).max() for one in found.efforts.values()) < 1e-9
    assert found.check_efforts().gap < 1e-12  # nothing, against the loads
    assert np.abs(found.reaction("B").force - run.reaction("B").force).max() < 1e-8


def test_inactive_drivers_name_actuators():
    m = four_bar("1 + 2*t")
    m.add("ram", lw.Driver("spring.length", 0.0, active=False))
    run = m.inverse_dynamics(T, near=NEAR, actuators=["ram"])
    assert list(run.efforts) == ["ram"] and run.unit("ram.effort") == "N"
    other = m.inverse_dynamics(T, near=NEAR, actuators=["spring.length"])
    assert np.array_equal(run["ram.effort"], other["spring length.effort"])


# -- too many ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("ratings", [(1.0, 1.0), (2.0, 0.5), (1e3, 1.0)])
def test_two_actuators_of_one_freedom_share_by_least_norm(coordinates, ratings):
    """u = uA + r uD with least (uA/a)^2 + (uD/d)^2:  uA = u a^2/(a^2 + r^2 d^2),  uD = r d^2 uA/a^2."""
    m = four_bar("1 + 2*t")
    alone = m.inverse_dynamics(T, near=NEAR, coordinates=coordinates)
    asked = dict(zip(("A.angle", "D.angle"), ratings))
    run = m.inverse_dynamics(T, near=NEAR, coordinates=coordinates, actuators=asked)
    a, d = ratings
    r = alone["D.angle.rate"] / alone["A.angle.rate"]
    first = alone["motor.effort"] * a**2 / (a**2 + r**2 * d**2)
    assert np.abs(run["A angle.effort"] - first).max() < 1e-9 * np.abs(first).max()
    assert np.abs(run["D angle.effort"] - r * d**2 / a**2 * first).max() < 1e-9 * np.abs(first).max()
    assert run.manifest["over_actuated"] == 1 and "least norm" in str(run)
    assert not run.reaction("B").unique
    checks = run.check_efforts()
    assert checks["elimination"].gap < 1e-9 and checks["power"].gap < 1e-9
    assert "power of all together" in str(checks)


def test_redundant_joints_keep_their_least_norm_and_the_efforts():
    """A parallelogram with a third crank: reactions as forward dynamics spreads them."""
    m = lw.Mechanism("parallelogram")
    top = m.add("top", lw.bar(length=2.0, mass=1.0))
    for k, x in enumerate((0.0, 0.7, 2.0)):
        crank = m.add(f"crank{k}", lw.bar(length=1.0, mass=0.5 + k))
        m.add(f"A{k}", lw.Revolute(m.ground.at(x, 0), crank.a))
        m.add(f"B{k}", lw.Revolute(top.at(x - 1.0, 0), crank.b))
    m.add("motor", lw.Driver("A0.angle", "1 + t"))
    near = {"top.angle": 0.0, **{f"crank{k}.angle": 1.0 for k in range(3)}}
    run = m.kinematics(T, near=near, coordinates="body")
    found = m.inverse_dynamics(T, near=near, coordinates="body")
    assert np.abs(found["motor.effort"] - run["motor.effort"]).max() < 1e-8
    for k in range(3):
        assert np.abs(found.reaction(f"A{k}").force - run.reaction(f"A{k}").force).max() < 1e-7
        assert not found.reaction(f"A{k}").unique
    assert "over_actuated" not in found.manifest


# -- checks --------------------------------------------------------------------------------------------------------
def test_checks_say_where_they_do_not_apply():
    m = four_bar("1 + 0.5*sin(3.14159265358979*t)")  # at rest at t = 0.5
    run = m.inverse_dynamics(np.linspace(0.0, 1.0, 5), near=NEAR)
    power = run.check_efforts("power")["power"]
    assert list(power.applies) == [True, True, False, True, True] and math.isnan(power.efforts["motor"][2])
    assert "not at 1 of 5 times, where motor stands still" in str(power) and power.gap < 1e-9
    held = four_bar("1")
    still = held.inverse_dynamics([0.0, 1.0], near=NEAR).check_efforts()
    assert "does not apply" in str(still["power"]) and still["elimination"].gap < 1e-9
    with pytest.raises(DescriptionError, match="knows no such way"):
        run.check_efforts("guessing")
    with pytest.raises(DescriptionError, match="no drivers"):
        lw.gallery.pendulum().simulate(0.1, coordinates="body").check_efforts()


def test_a_wrong_effort_is_found_by_the_checks():
    run = four_bar("1 + 2*t").inverse_dynamics(T, near=NEAR)
    stored = run.stored()
    row = [r.item for r in run.model.rows].index("motor")
    stored["multipliers"][:, row] *= 1.001
    wrong = lw.Result.restored(run.mechanism, stored, run.options(), {})
    checks = wrong.check_efforts()
    assert 1e-4 < checks["power"].gap < 2e-3 and 1e-4 < checks["elimination"].gap < 2e-3


def test_a_dead_centre_of_the_actuators_is_refused_with_its_time():
    m = lw.gallery.slider_crank()
    m.replace("motor", lw.Driver("A.angle", "1 rad/s*t"))
    slider = next(name for name, joint in m.joints.items() if type(joint).__name__ == "Prismatic")
    beside = m.inverse_dynamics([0.3, 0.9, 1.5], t=0.3, actuators=[f"{slider}.slide"])
    assert beside.check_efforts().gap < 1e-8
    with pytest.raises(SingularConfigurationError, match=r"at t = 0 s.*dead centre"):
        m.inverse_dynamics([0.0, 0.9, 1.5], actuators=[f"{slider}.slide"])


# -- recorded tables -----------------------------------------------------------------------------------------------
def pendulum():
    m = lw.Mechanism("pendulum")
    rod = m.add("rod", lw.bar(length=1.0, mass=3.0))
    m.add("A", lw.Revolute("ground", rod.a))
    return m


@pytest.mark.parametrize("count", [21, 51, 201])
def test_a_recorded_swing_against_its_closed_form(count):
    t = np.linspace(0.0, 2.0, count)
    q = 0.4 + 0.8 * np.sin(3 * t)
    run = pendulum().inverse_dynamics(motion={"t": t, "A.angle": q})
    exact = 1.0 * -7.2 * np.sin(3 * t) + 3.0 * G * 0.5 * np.cos(q)  # m l^2/3 = 1
    told = run.manifest["recorded"]["A.angle"]["acceleration_error"]
    assert np.abs(run["A angle.effort"] - exact).max() <= told + 1e-8
    assert told < 1e5 / count**4 and np.array_equal(run.t, t)
    assert "splined" in str(run)


def test_noise_is_told_by_the_error():
    t = np.linspace(0.0, 2.0, 101)
    q = 0.8 * np.sin(3 * t)
    noisy = q + 1e-4 * np.random.default_rng(3).normal(size=t.size)
    _, acceleration, error = splined(t, noisy)
    off = np.abs(acceleration + 9.0 * q).max()
    assert off > 0.5 and 0.3 * off < error < 10.0 * off


def test_tables_of_all_kinds(tmp_path):
    pandas, xarray = pytest.importorskip("pandas"), pytest.importorskip("xarray")
    m, t = pendulum(), np.linspace(0.0, 1.0, 31)
    q = 0.8 * np.sin(3 * t)
    wanted = m.inverse_dynamics(motion={"t": t, "A.angle": q})["A angle.effort"]
    csv = tmp_path / "swing.csv"
    lines = [f"{1000 * a:.17g},{math.degrees(b):.17g}" for a, b in zip(t, q)]
    csv.write_text("\n".join(["time [ms],A.angle [deg]", *lines]))
    tables = [
        pandas.DataFrame({"A.angle": q}, index=t),
        pandas.DataFrame({"t": t, "A.angle": q}),
        xarray.Dataset({"A.angle": ("t", q)}, coords={"t": t}),
        xarray.Dataset(
            {"A.angle": ("t", np.degrees(q), {"units": "deg"})}, coords={"t": ("t", 1000 * t, {"units": "ms"})}
        ),
        pandas.DataFrame({"A.angle": q}, index=pandas.to_timedelta(t, unit="s")),
        csv,
        str(csv),
    ]
    for table in tables:
        got = m.inverse_dynamics(motion=table)["A angle.effort"]
        assert np.abs(got - wanted).max() < 1e-6 * np.abs(wanted).max()


def test_a_recorded_path_and_the_mechanisms_own_drivers_as_actuators():
    m = four_bar("5*t")  # its own motion has no part in it
    t = np.linspace(0.0, 1.0, 101)
    driven = four_bar("1 + 2*t").inverse_dynamics(t, near=NEAR)
    run = m.inverse_dynamics(motion={"t": t, "D.angle": driven["D.angle"]}, near={**NEAR, "A.angle": 1.0})
    error = run.manifest["recorded"]["D.angle"]["acceleration_error"]
    assert np.abs(run["motor.effort"] - driven["motor.effort"]).max() < 1e-3 + 200.0 * error


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"t": T}, "needs times and series"),
        ({"A.angle": T}, "needs times and series"),
        ({"t": T, "A.angle": T, "D.angle": T}, "Leave out those that follow"),
        ({"t": T[:5], "A.angle": T[:5]}, "too few samples"),
        ({"t": T, "A.angle": T[:-1]}, "other lengths"),
        ({"t": T[::-1], "A.angle": T}, "do not increase"),
        ({"t": T, "A.angle": T * np.nan}, "finite"),
        ({"t": T, "A.angle": ["one"] * len(T)}, "no series of numbers"),
        ({"t": T, "A.angle.rate": T}, "is a rate"),
        (7, "neither a result nor a table"),
    ],
)
def test_tables_that_cannot_be_followed(table, words):
    with pytest.raises(DescriptionError, match=words):
        four_bar().inverse_dynamics(motion=table, near=NEAR)


def test_a_table_without_a_freedom_names_it():
    with pytest.raises(DescriptionError, match=r"leaves 1 of them open.*wanted also two\.angle"):
        arm().inverse_dynamics(motion={"t": T, "A.angle": T})
    with pytest.raises(UnknownNameError, match=r"A\.angel"):
        arm().inverse_dynamics(motion={"t": T, "A.angel": T})


def test_files_that_are_no_table(tmp_path):
    bad = tmp_path / "bad.csv"
    for text, words in (
        ("t,A.angle\n1,x\n", "no number"),
        ("t\n", "is no table"),
        ("t,A.angle\n1\n2,3\n", "no number"),
    ):
        bad.write_text(text)
        with pytest.raises(FileError, match=words):
            arm().inverse_dynamics(motion=bad)
    with pytest.raises(FileError, match="cannot be read"):
        arm().inverse_dynamics(motion=tmp_path / "none.csv")


# -- wrong use -----------------------------------------------------------------------------------------------------
def test_a_freedom_that_is_left_is_named():
    m = arm()
    with pytest.raises(DescriptionError, match="has no driver"):
        m.inverse_dynamics(1.0)
    run = m.simulate(0.1, coordinates="body")
    with pytest.raises(DescriptionError, match=r"2 freedoms that nothing moves"):
        m.inverse_dynamics(motion=run)
    with pytest.raises(DescriptionError, match=r"1 freedom that its driver \(A angle\) leaves over.*two\.angle"):
        m.inverse_dynamics(motion=run, actuators=["A.angle"])
    m.add("motor", lw.Driver("A.angle", "t"))
    with pytest.raises(DescriptionError, match=r"1 freedom that its driver \(motor\) leaves over.*two\.angle"):
        m.inverse_dynamics(1.0)
    with pytest.raises(DescriptionError, match=r"1 freedom that its driver \(motor\) leaves over"):
        m.inverse_dynamics(motion=m.simulate(0.1, coordinates="body"))


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({}, DescriptionError, "neither times nor a motion"),
        ({"times": 1.0, "motion": {"t": T}}, DescriptionError, "both times and a motion"),
        ({"times": 1.0, "actuators": "A.angle"}, DescriptionError, "no list of names"),
        ({"times": 1.0, "actuators": []}, DescriptionError, "no list of names"),
        ({"times": 1.0, "actuators": [3]}, DescriptionError, "no text"),
        ({"times": 1.0, "actuators": ["A.angle", "A.angle"]}, DescriptionError, "twice"),
        ({"times": 1.0, "actuators": {"A.angle": 0.0}}, DescriptionError, "rating"),
        ({"times": 1.0, "actuators": ["E.angle"]}, UnknownNameError, "E.angle"),
        ({"times": 1.0, "coordinates": "best"}, DescriptionError, "unknown"),
    ],
)
def test_wrong_arguments(given, error, words):
    with pytest.raises(error, match=words):
        four_bar("1 + t").inverse_dynamics(near=NEAR, **given)


def test_a_motion_of_another_mechanism_is_refused():
    run = arm().simulate(0.1, coordinates="body")
    with pytest.raises(DescriptionError, match="its bodies are others"):
        four_bar("1 + t").inverse_dynamics(motion=run)
    with pytest.raises(DescriptionError, match=r"does not fit joint '[AB]'.*off in its place"):
        arm(l1=0.8).inverse_dynamics(motion=run, actuators=["A.angle", "B.angle"])
    with pytest.raises(DescriptionError, match="every= and a motion"):
        arm().inverse_dynamics(motion=run, every=0.1)


# -- results -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("ending", [".json", ".csv", ".nc"])
def test_efforts_go_through_files(tmp_path, ending):
    if ending == ".nc":
        pytest.importorskip("h5netcdf")
    run = four_bar("1 + 2*t").inverse_dynamics(T, near=NEAR, actuators={"A.angle": 2.0, "D.angle": 1.0})
    run.save(tmp_path / f"run{ending}")
    again = lw.load(tmp_path / f"run{ending}")
    for name in ("A angle.effort", "D angle.effort", "B.reaction.x", "coupler.angle.acceleration"):
        assert np.array_equal(again[name], run[name])
    assert again.manifest["over_actuated"] == 1 and again.check_efforts().gap < 1e-9
    assert np.array_equal(pickle.loads(pickle.dumps(run))["A angle.effort"], run["A angle.effort"])


def test_parts_that_follow_each_other_stay_parts():
    m = four_bar("1 + 2*t")
    first = m.simulate(0.5, every=0.1, near=NEAR, coordinates="body")
    run = first + m.simulate(0.5, every=0.1, start=first.final, coordinates="body")
    found = m.inverse_dynamics(motion=run)
    assert len(found.segments) == 2 and np.array_equal(found.t, run.t)
    assert np.abs(found["motor.effort"] - run["motor.effort"]).max() < 1e-8


def test_bodies_without_mass_carry_loads():
    """A rod without mass between crank and slider: the crank's torque by virtual power."""
    m = lw.Mechanism("engine", gravity=None)
    crank = m.add("crank", lw.bar(length=0.1, mass=0.0))
    rod = m.add("rod", lw.bar(length=0.3, mass=0.0))
    slider = m.add("slider", lw.Body(2.0, 0.1))
    m.add("O", lw.Revolute("ground", crank.a))
    m.add("A", lw.Revolute(crank.b, rod.a))
    m.add("B", lw.Revolute(rod.b, slider))
    m.add("guide", lw.Prismatic("ground", slider))
    m.add("motor", lw.Driver("O.angle", "0.5 + 10*t"))
    run = m.inverse_dynamics(np.linspace(0.0, 0.1, 11), near={"rod.angle": 0.0, "slider.x": 0.4}, coordinates="body")
    wanted = 2.0 * run["slider.x.acceleration"] * run["slider.x.rate"] / 10.0
    assert np.abs(run["motor.effort"] - wanted).max() < 1e-9 * np.abs(wanted).max()


def test_rolling_and_drivers_of_speed():
    m = lw.Mechanism("wheel")
    wheel = m.add("wheel", lw.disc(radius=0.5, mass=4.0, position=(0.0, 0.5)))
    m.add("rolls", lw.RollingDisc("ground", wheel, radius=0.5))
    m.add("motor", lw.Driver("wheel.angle", "3*t", level="speed"))
    run = m.inverse_dynamics(T)
    # rolling to -x: 3/2 m R^2 alpha
    assert np.abs(run["motor.effort"] - 1.5 * 4.0 * 0.25 * 3.0).max() < 1e-9
    pulled = m.inverse_dynamics(T, actuators=["wheel.x"])
    assert np.abs(np.abs(pulled["wheel x.effort"]) - 1.5 * 4.0 * 0.5 * 3.0).max() < 1e-9


def test_joints_that_are_released_on_the_way_carry_nothing():
    """A rod swings, flies off its pin and is asked, in both parts, what moves it: nothing but its weight."""
    m = lw.Mechanism("thrown")
    rod = m.add("rod", lw.bar(length=1.0, mass=2.0))
    m.add("A", lw.Revolute("ground", rod.a))
    swing = m.simulate(0.2, every=0.05, start={"A.angle": 0.1, "A.angle.rate": 3.0}, coordinates="body")
    run = swing + m.simulate(0.2, every=0.05, start=switch(swing.final, release="A").state, coordinates="body")
    found = m.inverse_dynamics(motion=run, actuators=["rod.angle", "rod.x", "rod.y"])
    assert len(found.segments) == 2 and max(np.abs(one).max() for one in found.efforts.values()) < 1e-8
    assert np.abs(found["A.reaction.y"] - run["A.reaction.y"]).max() < 1e-8
    assert np.all(found["A.reaction.y"][-3:] == 0.0)
    assert "released or caught" in str(found.check_efforts()["elimination"])


def test_a_table_begins_in_the_turn_that_it_says():
    t = np.linspace(0.0, 2.0, 201)
    q = 7.0 + 2.0 * math.pi * t
    run = four_bar().inverse_dynamics(motion={"t": t, "A.angle": q}, near=NEAR)
    assert np.abs(run["A.angle"] - q).max() < 1e-9
    effort = run["A angle.effort"]
    assert np.abs(effort[0:100:20] - effort[100:200:20]).max() < 1e-6 * np.abs(effort).max()


def test_a_motion_that_ends_says_so_here_too():
    m = lw.Mechanism("rockers")
    for name, length in (("a", 2.0), ("b", 1.5), ("c", 1.4)):
        m.add(name, lw.bar(length=length, mass=1.0))
    m.add("A", lw.Revolute("ground", "a.a"))
    m.add("B", lw.Revolute("a.b", "b.a"))
    m.add("C", lw.Revolute("b.b", "c.b"))
    m.add("D", lw.Revolute(m.ground.at(2.2, 0), "c.a"))
    m.add("motor", lw.Driver("A.angle", "1 + t"))
    with pytest.warns(MotionEndsWarning):
        run = m.inverse_dynamics(1.0, every=0.05)
    assert "dead centre at t = 0.5219" in run.ended and run.t[-1] == 0.5
    assert np.isfinite(run["motor.effort"]).all()


def test_one_time_pages_and_checks_of_a_result():
    m = four_bar("1 + 2*t")
    one = m.inverse_dynamics([0.3], t=0.0, near=NEAR, actuators=["D.angle"])
    whole = m.inverse_dynamics([0.0, 0.3], near=NEAR, actuators=["D.angle"])
    assert one["D angle.effort"][0] == pytest.approx(whole["D angle.effort"][1], rel=1e-9)
    assert "not driven" in str(
        whole.mechanism.check(start=whole.state(0), coordinates="body")
    )  # actuators hold nothing
    assert whole.free_body("coupler", 0.3).residual < 1e-10


def test_a_result_without_accelerations_says_what_it_lacks():
    m = four_bar("1 + 2*t")
    run = m.simulate(0.1, every=0.05, near=NEAR, coordinates="body")
    known = lw.Result.of_motion(m, run.t, run._series.states)
    with pytest.raises(AnalysisError, match="has no accelerations"):
        m.inverse_dynamics(motion=known)


def lagging(values, rates, t, numbers, memory, out, states, state_rates):
    out[0] = states[0]
    state_rates[0] = (-numbers[0] * (values[0] - numbers[2]) - states[0]) / numbers[1]


def ratchet(values, rates, t, numbers, memory, out):
    memory[0] = max(memory[0], values[0])
    out[0] = -numbers[0] * memory[0]


def remembering(law, driver="0.1 + t", **more):
    """A rod of mass centre 0.4 m from its pin, with a torque of state (40 N m/rad, 50 ms, 0.3 rad) or memory."""
    m = lw.Mechanism()
    m.add("rod", lw.Body(1.3, 0.02, center=(0.4, 0)))
    m.add("A", lw.Revolute("ground", "rod"))
    if law is not None:
        m.add("law", lw.UserForce(reads=["A.angle"], along=["A.angle"], law=law, numbers=[40.0, 0.05, 0.3], **more))
    if driver:
        m.add("motor", lw.Driver("A.angle", driver))
    return m


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("way", ["times", "actuators", "table"])
def test_states_and_memory_of_laws_go_along_the_motion(way, coordinates):
    """u' = (-k (q - r) - u)/T with q = 0.1 + t; the greatest angle so far is the present one."""
    q = 0.1 + T
    settled = -40.0 * (q - 0.3) + 40.0 * 0.05
    u = settled + (1.0 - settled[0]) * np.exp(-T / 0.05)
    weight = 1.3 * G * 0.4 * np.cos(q)
    for law, more, torque in ((lagging, {"states": {"u": 1.0}}, u), (ratchet, {"memory": 1}, -40.0 * q)):
        m = remembering(law, None if way == "table" else "0.1 + t", **more)
        given = {"motion": {"t": T, "A.angle": q}} if way == "table" else {"times": T}
        if way == "actuators":
            given["actuators"] = ["A.angle"]
        run = m.inverse_dynamics(**given, coordinates=coordinates)
        (effort,) = run.efforts.values()
        np.testing.assert_allclose(effort, weight - torque, atol=1e-5)


def test_a_motion_that_does_not_know_states_of_laws_is_refused():
    m = remembering(lagging, states={"u": 1.0})
    np.testing.assert_allclose(
        m.inverse_dynamics(motion=m.simulate(T, coordinates="body")).efforts["motor"],
        m.inverse_dynamics(T).efforts["motor"],
        atol=1e-6,
    )
    for motion, what in (
        (m.kinematics(T), "a motion by kinematics"),
        (remembering(None).simulate(T, coordinates="body"), "a motion without this force"),
    ):
        with pytest.raises(DescriptionError, match=f"Force 'law' has states or memory.*{what}"):
            m.inverse_dynamics(motion=motion)


def test_an_effort_is_found_by_what_the_actuator_moves():
    m = lw.gallery.four_bar()
    known = m.kinematics(over={"A.angle": ("60 deg", "90 deg", 5)}, coordinates="body")
    run = m.inverse_dynamics(motion=known, actuators=["A.angle"], coordinates="body")
    assert (run.efforts["A.angle"] == run.efforts["A angle"]).all() and list(run.efforts) == ["A angle"]
    assert known.efforts["A.angle"].shape == (5,)
    with pytest.raises(lw.errors.UnknownNameError, match="no driver or actuator 'motor' in this result"):
        run.efforts["motor"]
