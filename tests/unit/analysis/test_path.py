"""Paths of drivers: crossings, dead centres, other branches, idle bodies, kinks; what is told and what is refused."""

import math
import warnings

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import AnalysisError, DescriptionError, MotionEndsWarning, SingularConfigurationError

PI = math.pi
COUNTS = (9, 37, 361)


def four_bar(ground, crank, coupler, rocker, mass=1.0, shift=0.0):
    m = lw.Mechanism("four-bar")
    a, b, c = (
        m.add(name, lw.bar(length=length, mass=mass))
        for name, length in (("crank", crank), ("coupler", coupler), ("rocker", rocker))
    )
    m.add("A", lw.Revolute(m.ground.at(shift, 0), a.a))
    m.add("B", lw.Revolute(a.b, b.a))
    m.add("C", lw.Revolute(b.b, c.b))
    m.add("D", lw.Revolute(m.ground.at(ground + shift, 0), c.a))
    return m


def rocker_angle(lengths, theta, sign):
    """Closed form: the rocker against the line from its pin to the end of the crank."""
    g, a, b, c = lengths
    x, y = a * np.cos(theta) - g, a * np.sin(theta)
    d = np.hypot(x, y)
    return np.arctan2(y, x) + sign * np.arccos(np.clip((c**2 + d**2 - b**2) / (2.0 * c * d), -1.0, 1.0))


def slider_crank(crank=0.5, rod=1.3, offset=0.2, mass=1.0):
    m = lw.Mechanism("slider-crank")
    one, two = m.add("crank", lw.bar(length=crank, mass=mass)), m.add("rod", lw.bar(length=rod, mass=mass))
    block = m.add("block", lw.Body(mass=mass, inertia=mass))
    m.add("A", lw.Revolute(m.ground.at(0, 0), one.a))
    m.add("B", lw.Revolute(one.b, two.a))
    m.add("C", lw.Revolute(two.b, block))
    m.add("S", lw.Prismatic(m.ground.at(0, offset), block))
    return m


def turned(angle):
    """An angle without full turns."""
    return np.remainder(angle + PI, 2.0 * PI) - PI


# -- where ways cross --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("mass", [1.0, 0.0])
@pytest.mark.parametrize("count", COUNTS)
def test_a_parallelogram_stays_one(count, mass):
    """At 0 and 180 degrees, which are among the positions, all links lie along one line and another way begins."""
    m = four_bar(2.0, 1.0, 2.0, 1.0, mass)
    run = m.kinematics(over={"A.angle": ("-90 deg", "270 deg", count)}, near={"D.angle": -0.5 * PI})
    assert np.abs(run["D.angle"] - run["A.angle"]).max() < 1e-9
    assert np.abs(run["coupler.angle"]).max() < 1e-9
    first, second = run.manifest["crossings"]
    beside = np.minimum(np.abs(run.t - first), np.abs(run.t - second)) > 0.05
    for name, wanted, off, there in (("rate", 1.0, 1e-8, 1e-7), ("acceleration", 0.0, 1e-6, 1e-4)):
        missed = np.abs(run[f"D.angle.{name}"] - wanted)
        assert missed[beside].max() < off and missed.max() < there  # on the spot itself they are less sure
    assert first == pytest.approx(0.5 * PI, abs=1e-6) and second == pytest.approx(1.5 * PI, abs=1e-6)
    middle = (run.t > first) & (run.t < second)
    assert np.array_equal(run.branch == run.branch[0], ~middle) and "crossings of ways" in str(run)


def test_its_crossed_way_goes_on_crossed():
    m = four_bar(2.0, 1.0, 2.0, 1.0)
    lengths, theta = (2.0, 1.0, 2.0, 1.0), np.linspace(0.5, 2.6, 50)
    sign = next(s for s in (1.0, -1.0) if abs(turned(rocker_angle(lengths, 0.5, s) - 0.5)) > 0.1)
    near = {"D.angle": float(rocker_angle(lengths, 0.5, sign))}
    run = m.kinematics(over={"A.angle": (0.5, 2.6, 50)}, near=near)
    assert np.abs(turned(run["D.angle"] - rocker_angle(lengths, theta, sign))).max() < 1e-9


@pytest.mark.parametrize("margin", [1e-2, 1e-4, 1e-6, 1e-8])
@pytest.mark.parametrize("count", COUNTS)
def test_ways_that_only_come_near(margin, count):
    """With a rocker a little longer nothing crosses: it turns over sharply instead, and no step goes past that."""
    lengths = (2.0, 1.0, 2.0, 1.0 + margin)
    run = four_bar(*lengths).kinematics(over={"A.angle": (0.5, 0.5 + 2.0 * PI, count)}, near={"D.angle": 0.5})
    theta = 0.5 + np.linspace(0.0, 2.0 * PI, count)
    sign = next(s for s in (1.0, -1.0) if abs(turned(rocker_angle(lengths, 0.5, s) - run["D.angle"][0])) < 1e-9)
    assert np.abs(turned(run["D.angle"] - rocker_angle(lengths, theta, sign))).max() < 1e-7
    assert (run.branch == run.branch[0]).all() and "crossings" not in run.manifest
    assert run.statistics.evaluations < 2000 + 4 * count


@pytest.mark.parametrize("stages", [1, 2, 3])
def test_a_scissor_lift_through_flat(stages):
    m = lw.Mechanism("scissors", gravity=None)
    for k in range(stages):
        a, b = (m.add(f"{name}{k}", lw.bar(length=1.0, mass=1.0)) for name in "ab")
        m.add(f"M{k}", lw.Revolute(a.middle, b.middle))
        if k == 0:
            m.add("G", lw.Revolute(m.ground.at(0, 0), a.a))
            foot = m.add("foot", lw.Body(mass=1.0, inertia=1.0))
            m.add("S", lw.Prismatic(m.ground.at(0, 0), foot))
            m.add("T", lw.Revolute(foot, b.a))
        else:
            m.add(f"P{k}", lw.Revolute(m[f"a{k - 1}"].b, b.a))
            m.add(f"Q{k}", lw.Revolute(m[f"b{k - 1}"].b, a.a))
    near = {f"b{k}.angle": PI - 0.8 for k in range(stages)} | {f"a{k}.angle": 0.8 for k in range(stages)}
    run = m.kinematics(over={"G.angle": (0.8, -0.4, 61)}, near=near)
    for k in range(stages):
        assert np.abs(turned(run[f"a{k}.angle"] - run["G.angle"])).max() < 1e-9
        assert np.abs(turned(run[f"b{k}.angle"] + run["G.angle"] - PI)).max() < 1e-9
    assert run.violation.max() < 1e-9


def test_singular_first_positions_are_refused():
    with pytest.raises(SingularConfigurationError, match="begins in a singular position"):
        four_bar(2.0, 1.0, 2.0, 1.0).kinematics(over={"A.angle": (0.0, 1.0, 11)}, near={"D.angle": 0.0})
    m = slider_crank(offset=0.0)
    with pytest.raises(SingularConfigurationError, match="cannot follow driver 'drives S slide' from here"):
        m.kinematics(over={"S.slide": (1.8, 1.5, 11)})


# -- dead centres ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("shift, within", [(0.0, 0.0), (1e5, 0.0), (1e6, 1e-7)])
@pytest.mark.parametrize("count", [3, 11, 1001])
def test_a_dead_centre_is_told_quickly_wherever_it_is(shift, within, count):
    g, a, b, c = 2.2, 2.0, 1.5, 1.2
    limit = math.acos((a**2 + g**2 - (b + c) ** 2) / (2 * a * g))
    with pytest.warns(MotionEndsWarning):
        run = four_bar(g, a, b, c, shift=shift).kinematics(over={"A.angle": (1.0, 4.0, count)})
    assert float(run.ended.split("= ")[1]) == pytest.approx(limit, abs=max(within, 1e-8))
    assert run["A.angle"][-1] < limit < run["A.angle"][-1] + 3.0 / (count - 1)
    assert run.statistics.evaluations < 2000


@pytest.mark.parametrize("mass", [1.0, 0.0])
def test_a_slider_that_turns_back_turns_the_crank_over(mass):
    """Pulled to its dead centre and back it takes the crank through a full turn; both ends are among the positions."""
    m = slider_crank(offset=0.0, mass=mass)
    run = m.kinematics(over={"S.slide": (1.3, 3.3, 401)}, near={"A.angle": 1.2}, reverse=True)
    assert [where for _, where in run.turned] == ["S.slide = 1.8", "S.slide = 0.8"]
    assert [t for t, _ in run.turned] == pytest.approx([0.5, 1.5], abs=1e-9)
    wanted = 1.3 + np.where(run.t < 0.5, run.t, np.where(run.t < 1.5, 1.0 - run.t, run.t - 2.0))
    assert np.abs(run["S.slide"] - wanted).max() < 1e-9 and run.violation.max() < 1e-9
    angle = run["A.angle"]
    exact = np.arccos(np.clip((0.25 + run["S.slide"] ** 2 - 1.69) / run["S.slide"], -1.0, 1.0))
    assert np.abs(np.cos(angle) - np.cos(exact)).max() < 1e-8
    assert np.all(np.diff(angle) < 0.0) and angle[-1] == pytest.approx(angle[0] - 2.0 * PI, abs=1e-9)
    assert "turned round at t = 0.5 s, S.slide = 1.8" in str(run)
    signs = [run.branch[k] for k in (0, 150, 390)]
    assert signs[0] == -signs[1] == signs[2]


def test_what_turns_back_has_the_forces_of_its_motion():
    """Dampers and masses included: what the result says is what an evaluation of its states says."""
    m = slider_crank()
    m.add(
        "pull", lw.SpringDamper(m.ground.at(0.3, -0.4), m["rod"].middle, stiffness=20.0, rest_length=0.4, damping=3.0)
    )
    run = m.kinematics(over={"S.slide": (1.3, 3.1, 29)}, near={"A.angle": 1.2}, reverse=True)
    assert len(run.turned) == 2
    for k in (0, 5, 14, 20, 28):
        same = run.mechanism.evaluate(run.state(k), coordinates="body")
        size = np.abs(same.multipliers).max()
        assert np.abs(run.multipliers[k] - same.multipliers).max() < 1e-8 * size
        assert np.abs(run._series.accelerations[k] - same.accelerations).max() < 1e-8 * np.abs(same.accelerations).max()


def test_an_end_that_is_asked_for_is_reached_nearly():
    m = slider_crank(offset=0.0)
    found = m.range("S.slide", start={"A.angle": 1.0}, near={"S.slide": 1.5})
    run = m.kinematics(over={"S.slide": (1.4, found.greatest, 11)}, near={"A.angle": 1.0})
    assert len(run.t) == 11 and not run.ended
    assert run["S.slide"][-1] == pytest.approx(1.8, abs=1e-6) and run.violation.max() < 1e-9


# -- branches ----------------------------------------------------------------------------------------------------------
def test_all_ways_to_assemble_it_on_request():
    m = four_bar(3.2, 1.0, 3.0, 2.5)
    run = m.kinematics(over={"A.angle": (0.2, 0.2 + 2.0 * PI, 101)}, others=True)
    (other,) = run.others
    theta = 0.2 + np.linspace(0.0, 2.0 * PI, 101)
    for one in (run, other):
        off = [np.abs(turned(one["D.angle"] - rocker_angle((3.2, 1.0, 3.0, 2.5), theta, s))).max() for s in (1.0, -1.0)]
        assert min(off) < 1e-9 < max(off)
    assert (run.branch == -other.branch).all() and "1 other way to assemble it" in str(run)
    assert m.kinematics(over={"A.angle": (0.2, 1.0, 5)}).others == ()


def test_only_drivers_tell_branches():
    with pytest.raises(AnalysisError, match="has no branches, because forces decide its motion"):
        lw.gallery.four_bar().simulate(0.1, coordinates="body").branch


# -- what nothing drives -----------------------------------------------------------------------------------------------
def spatial_four_bar(mass):
    m = lw.Mechanism("RSSR", dimension=3)
    inertia = (0.1 * mass, 0.1 * mass, 0.1 * mass)
    crank = m.add("crank", lw.Body(mass=mass, inertia=inertia, points={"end": (0.8, 0, 0)}))
    rocker = m.add("rocker", lw.Body(mass=mass, inertia=inertia, points={"end": (0, 0.6, 0)}))
    coupler = m.add("coupler", lw.Body(mass=mass, inertia=inertia, points={"a": (-0.6, 0, 0), "b": (0.6, 0, 0)}))
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0), crank))
    m.add("D", lw.Revolute(m.ground.at(1.5, 0, 0.3, axis=(1, 0, 0)), rocker.at(0, 0, 0, axis=(1, 0, 0))))
    m.add("B", lw.Spherical(crank.end, coupler.a))
    m.add("C", lw.Spherical(coupler.b, rocker.end))
    return m


def rocker_ends(angle):
    """Both places of the rocker's end, on a circle about x, that are 1.2 m from the end of the crank."""
    p = np.array([0.8 * math.cos(angle) - 1.5, 0.8 * math.sin(angle), -0.3])
    across = math.hypot(p[1], p[2])
    middle = (p @ p + 0.36 - 1.44) / (2.0 * 0.6)  # of p . (end of the rocker) / 0.6
    turn, half = math.atan2(p[2], p[1]), math.acos(min(1.0, middle / across))
    return [np.array([1.5, 0.6 * math.cos(one), 0.3 + 0.6 * math.sin(one)]) for one in (turn - half, turn + half)]


@pytest.mark.parametrize("mass", [1.0, 0.0])
def test_a_coupler_between_balls_may_turn_idly(mass):
    m = spatial_four_bar(mass)
    with pytest.warns(MotionEndsWarning):
        run = m.kinematics(over={"A.angle": (0.5, 2.5, 401)})
    assert run.manifest["idle"] == ["coupler"] and "coupler may turn about itself" in str(run)
    ways = np.array([rocker_ends(one) for one in run["A.angle"]])
    off = np.linalg.norm(ways - run["rocker.end"][:, None, :], axis=2)
    assert off.max(axis=0).min() < 1e-9  # one way, all along
    limit = float(run.ended.split("= ")[1])
    found = m.range("A.angle", start={"A.angle": 0.5})
    assert found.greatest == pytest.approx(limit, abs=1e-9) and found.idle == ("coupler",)
    assert "coupler may turn idly" in str(found)
    assert (run.branch == 0).all()


def test_a_bob_is_not_idle():
    m = four_bar(3.2, 1.0, 3.0, 2.5)
    bob = m.add("bob", lw.bar(length=0.6, mass=0.4))
    m.add("P", lw.Revolute(m["coupler"].middle, bob.a))
    with pytest.raises(DescriptionError, match="1 freedom that no driver moves"):
        m.kinematics(over={"A.angle": (0.0, 1.0, 5)})
    with pytest.raises(DescriptionError, match=r"2 freedoms, so that 'A\.angle' alone does not move it"):
        m.range("A.angle")
    m.add("hold", lw.Driver("P.angle", lw.Polynomial(0.3, 5.0)))
    assert m.range("A.angle").turns_fully  # the other freedom is held where it begins
    run = m.kinematics(over={"A.angle": (0.0, 1.0, 5)})
    assert np.abs(run["P.angle"] - 0.3).max() < 1e-12


# -- masses and drivers ------------------------------------------------------------------------------------------------
def test_without_masses_nothing_is_said_of_energy():
    run = four_bar(3.2, 1.0, 3.0, 2.5, mass=0.0).kinematics(over={"A.angle": (0.0, 1.0, 5)})
    assert run.segments[0].source == "kinematics" and "energy" not in str(run)
    assert np.abs(run["drives A angle.effort"]).max() < 1e-12
    with pytest.raises(AnalysisError, match="its motion comes from kinematics"):
        run.energy.balance
    with_mass = four_bar(3.2, 1.0, 3.0, 2.5).kinematics(over={"A.angle": (0.0, 1.0, 5)})
    assert with_mass.energy.kinetic.min() > 0.0 and np.abs(with_mass.reaction("B").force).max() > 1.0


def test_a_driver_gives_way_to_a_name():
    m = lw.gallery.slider_crank()  # its motor drives crank.angle
    run = m.kinematics(over={"guide.slide": (0.12, 0.2, 21)}, near={"crank.angle": 1.0})
    assert np.abs(run["guide.slide"] - np.linspace(0.12, 0.2, 21)).max() < 1e-12
    assert m.range("crank.angle").turns_fully
    found = m.range("guide.slide", start={"crank.angle": 1.0})
    assert (found.least, found.greatest) == (pytest.approx(0.11), pytest.approx(0.21))


def test_more_drivers_than_freedoms():
    m = four_bar(3.2, 1.0, 3.0, 2.5)
    at = m.assemble(start={"A.angle": 1.0}, coordinates="body")["D.angle"]
    with pytest.raises(DescriptionError, match="more drivers than freedoms: 'drives A angle', 'drives D angle'"):
        m.driven({"A.angle": (1.0, 1.0), "D.angle": (at, 1.0)}).kinematics(1.0)
    truss = lw.Mechanism("truss")
    bar = truss.add("bar", lw.bar(length=1.0, mass=1.0))
    truss.add("A", lw.Revolute("ground", bar.a))
    truss.add("S", lw.Rod(truss.ground.at(0.5, 0.6), bar.b, length=0.7))
    with pytest.raises(DescriptionError, match="its joints leave no freedom for it"):
        truss.kinematics(over={"A.angle": (truss.assemble(coordinates="body")["A.angle"], 2.0, 5)})


def test_a_range_that_cannot_be_reached():
    with pytest.raises(lw.errors.AssemblyError, match=r"not with start value 'guide\.slide'"):
        lw.gallery.slider_crank().kinematics(over={"guide.slide": (0.5, 0.7, 21)})


@pytest.mark.parametrize("options, words", [({"times": 1.0}, "functions of time"), ({"start": "state"}, "others=")])
def test_wrong_uses_of_reverse_and_others(options, words):
    m = four_bar(3.2, 1.0, 3.0, 2.5)
    if "times" in options:
        with pytest.raises(DescriptionError, match=words):
            m.driven({"A.angle": (0.0, 1.0)}).kinematics(1.0, reverse=True)
    else:
        with pytest.raises(DescriptionError, match=words):
            m.kinematics(
                over={"A.angle": (0.0, 1.0, 5)},
                start=m.assemble(start={"A.angle": 0.0}, coordinates="body"),
                others=True,
            )
    with pytest.raises(DescriptionError, match="neither true nor false"):
        m.kinematics(over={"A.angle": (0.0, 1.0, 5)}, reverse="yes")


def test_speeds_jump_where_a_function_does():
    m = four_bar(3.2, 1.0, 3.0, 2.5)
    m.add("motor", lw.Driver("A.angle", "1 + 2*min(t, 0.5)"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lw.errors.KinkWarning)
        run = m.kinematics(np.linspace(0.0, 1.0, 21))
    wanted = 1.0 + 2.0 * np.minimum(run.t, 0.5)
    assert np.abs(run["A.angle"] - wanted).max() < 1e-12
    assert np.abs(run["A.angle.rate"] - np.where(run.t < 0.5 - 1e-12, 2.0, 0.0)).max() < 1e-12
    assert np.abs(run["D.angle.rate"][run.t > 0.6]).max() < 1e-12


def test_laws_that_have_states_leave_reactions_open():
    m = four_bar(3.2, 1.0, 3.0, 2.5)

    def law(values, rates, t, numbers, memory, out, states, state_rates):
        state_rates[0] = rates[0] - states[0]
        out[0] = -10.0 * states[0]

    way = (lw.Distance(m.ground.at(0, 1), m["coupler"].middle),)
    m.add("rubber", lw.UserForce(reads=way, along=way, law=law, states={"stretch": 0.0}, energy="dissipates"))
    run = m.kinematics(over={"A.angle": (0.0, 1.0, 5)})
    assert np.isfinite(run["D.angle.acceleration"]).all() and not [name for name in run.names if "reaction" in name]
    with pytest.raises(AnalysisError, match="has no multipliers"):
        run.reaction("B")


# -- results -----------------------------------------------------------------------------------------------------------
def test_between_positions_and_in_files(tmp_path):
    m = slider_crank()
    run = m.kinematics(over={"S.slide": (1.3, 1.5, 11)}, near={"A.angle": 1.2})
    between = run.at(0.055)
    assert between["S.slide"] == pytest.approx(1.355, abs=1e-12)
    turning = m.kinematics(over={"S.slide": (1.3, 2.3, 11)}, near={"A.angle": 1.2}, reverse=True)
    path = tmp_path / "turning.json"
    turning.save(path)
    again = lw.load(path)
    assert again.turned == turning.turned and np.array_equal(again.branch, turning.branch)
    for name in ("A.angle", "A.angle.acceleration", "B.reaction.x"):
        assert np.array_equal(again[name], turning[name])
    with pytest.raises(DescriptionError, match="no state at this time"):
        turning.at(0.033)
