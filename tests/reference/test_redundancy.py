"""Redundant constraints: Bricard's linkage (IFToMM benchmark A04), and parallelograms.

Bricard's redundancy holds on the constraints only, not inside a step, so it is the honest test; planar redundancy is
exact everywhere.  Reference of A04: relative coordinates with least-norm loop multipliers at tolerance 1e-13, checked
with absolute coordinates; the two agree to 2e-9.
"""

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS

POINTS = np.array([(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)], dtype=float)
AXES = [(0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0)]
END_OF_BAR_3 = (0.5390642884966441, -1.6384533082392772, 0.1577353783598212)  # at 9 s


def bricard():
    m = lw.Mechanism("Bricard", dimension=3, gravity=(0, -9.81, 0))
    before, origin = m.ground, np.zeros(3)
    for k in range(5):
        start, end = POINTS[k], POINTS[k + 1]
        center = (start + end) / 2
        inertia = [0.02 / 12 if along else 1.01 / 12 for along in np.abs(end - start) > 0.5]
        bar = m.add(
            f"bar{k + 1}",
            lw.Body(
                1.0, inertia, position=tuple(center), orientation=(1, 0, 0, 0), points={"end": tuple(end - center)}
            ),
        )
        m.add(f"J{k}", lw.Revolute(before.at(*(start - origin), axis=AXES[k]), bar.at(*(start - center), axis=AXES[k])))
        before, origin = bar, center
    m.add("J5", lw.Revolute(before.at(*(POINTS[5] - origin), axis=AXES[5]), m.ground.at(*POINTS[5], axis=AXES[5])))
    return m


@pytest.mark.parametrize("coordinates", SETS)
def test_bricard_has_one_freedom_and_one_redundant_constraint(coordinates):
    report = bricard().check(coordinates=coordinates)
    assert (report.freedom, report.redundant, report.loops) == (1, 1, 1)
    assert report.redundant_joints == tuple(f"J{k}" for k in range(6))


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize(("rtol", "wanted"), [(1e-8, 1e-7), (1e-10, 5e-9)])
def test_bricard_motion(rtol, wanted, coordinates):
    run = bricard().simulate(9.0, rtol=rtol, coordinates=coordinates)
    error = max(abs(run[f"bar3.end.{axis}"][-1] - value) for axis, value in zip("xyz", END_OF_BAR_3))
    assert error < wanted
    assert run.violation.max() < 1e-10
    assert not run.reaction("J2").unique


def test_bricard_reactions_of_least_norm_do_not_depend_on_the_set():
    """One row is left out in each set, not the same one; what is reported is the share of least norm in all."""
    m = bricard()
    state = m.assemble(coordinates="body").state
    runs = [m.simulate(1.0, every=0.25, start=state, rtol=1e-11, coordinates=one) for one in SETS]
    for name in m.joints:
        body, *others = (run.reaction(name) for run in runs)
        for other in others:
            assert other.force == pytest.approx(body.force, abs=1e-6)
            assert other.moment == pytest.approx(body.moment, abs=1e-6)
            assert other.unique == body.unique


def parallelogram(cranks=3):
    """A plate on equal parallel cranks: two are enough, every further one is redundant."""
    m = lw.Mechanism("parallelogram")
    plate = m.add("plate", lw.Body(5.0, 2.0, position=(0.5, 1.0), angle=0.0))
    for k in range(cranks):
        x = k / (cranks - 1)
        crank = m.add(f"crank{k}", lw.bar(length=1.0, mass=1.0, position=(x, 0.5), angle=np.pi / 2))
        m.add(f"A{k}", lw.Revolute(m.ground.at(x, 0), crank.a))
        m.add(f"B{k}", lw.Revolute(crank.b, plate.at(x - 0.5, 0)))
    return m


def test_third_crank_is_redundant_and_changes_nothing():
    report = parallelogram(3).check(coordinates="body")
    assert (report.freedom, report.redundant) == (1, 1)
    start = {"A0.angle.rate": -1.0}
    two, three = (
        parallelogram(n).simulate(1.0, every=0.1, start=start, rtol=1e-10, coordinates="body") for n in (2, 3)
    )
    # the third crank adds its own inertia: the exact motion is that of one angle,
    #   (n m L^2 / 3 + M L^2) a = (n m L / 2 + M L) g sin(angle from upright)
    for n, run in ((2, two), (3, three)):
        lean = np.pi / 2 - run["crank0.angle"]
        inertia, moment = n / 3 + 5.0, (n / 2 + 5.0) * 9.81
        assert -run["crank0.angle.acceleration"] == pytest.approx(moment / inertia * np.sin(lean), rel=1e-8, abs=1e-8)
    reaction = three.reaction("B1")
    assert not reaction.unique
    assert two.reaction("B1").unique


def test_least_norm_reactions_of_a_beam_on_three_supports():
    """A welded bar on three vertical rods in a row: the least-norm share of the weight is known by hand."""
    m = lw.Mechanism("beam")
    beam = m.add("beam", lw.Body(3.0, 1.0, position=(0.0, 1.0), angle=0.0))
    for k, x in enumerate((-1.0, 0.0, 1.0)):
        m.add(f"R{k}", lw.PinInSlot(m.ground.at(0, 1.0), beam.at(x, 0)))
    m.add("X", lw.Hold(m.ground, beam, x=0.0))
    run = m.simulate(0.1, coordinates="body")
    # three forces, two conditions (sum = weight, moment = 0): of least norm they are equal
    for k in range(3):
        assert run[f"R{k}.reaction.y"] == pytest.approx(3.0 * 9.81 / 3.0, rel=1e-9)
        assert run.reaction(f"R{k}").unique is False
    assert run.reaction("X").unique is True
