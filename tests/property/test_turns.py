"""Full turns: random planar mechanisms whose bodies and frames are turned by several of them begin with the same angles
and move alike in both sets of coordinates and in space.

What an angle has to begin with is worked out here, from the declared angles alone.
"""

import math
from dataclasses import replace

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

import linkwork as lw
from linkwork.coordinates import SETS
from property.draws import examples
from property.strategies import LASTING, Plan, Rejections, _words, set_plans

REJECTIONS = Rejections()
TURN = 2.0 * math.pi


@st.composite
def turned_plans(draw, loops=1, **options):
    """Mechanisms with torsion springs and stops of angles; full turns are added to bodies and to frames."""
    plan = draw(set_plans(most=3, loops=loops, **options))
    assume(not any(joint[1] == "RollingDisc" for joint in plan.joints))  # in space that is another joint
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    solid = ["ground", *(body[0] for body in plan.bodies if body[2] is not None)]
    assume(len(solid) > 1)
    forces = list(plan.forces)
    for k in range(2):
        pair = rng.permutation(solid)[:2]
        forces.append((f"T{k}", "TorsionSpringDamper", *(_words(rng, str(name)) for name in pair),
                       {"stiffness": rng.uniform(1.0, 9.0), "rest_angle": rng.uniform(-1.0, 1.0),
                        "damping": rng.uniform(0.1, 1.0)}))  # fmt: skip

    def frame(words):
        return (*words[:3], words[3] + TURN * rng.integers(-2, 3))

    bodies = [(*body[:4], body[4] + [0.0, 0.0, TURN * rng.choice([0, 0, -1, 1, 3])], body[5]) if body[2] is not None
              else body for body in plan.bodies]  # fmt: skip
    return Plan(bodies, [(name, kind, frame(on), frame(to), sample) for name, kind, on, to, sample in plan.joints],
                [(name, kind, frame(on), frame(to), numbers) for name, kind, on, to, numbers in forces],
                plan.drivers, plan.gravity)  # fmt: skip


def stopped(m, rng):
    """The same with a soft stop of the angle of the first spring, which it has passed already."""
    spring = m.forces["T0"]
    angle = begins(m, spring.on, spring.to)
    m.add("stop", lw.Limit(lw.Angle(spring.on, spring.to), upper=angle - rng.uniform(0.0, 0.5), stiffness=5.0))
    return m


def begins(m, on, to):
    """Within half a turn; bodies turned against each other by more than a turn take the angle along."""
    bodies = [0.0 if frame.body == "ground" else m.bodies[frame.body].angle for frame in (on, to)]
    against = bodies[1] - bodies[0]
    frames = math.remainder(to.angle - on.angle, TURN)
    return against + frames if abs(against) > TURN else math.remainder(against + frames, TURN)


def everywhere(m):
    return [(one, coordinates) for one in (m, m.in_space()) for coordinates in SETS]


def drawn(plan, seed):
    m = stopped(plan.build(), np.random.default_rng(seed))
    assume(REJECTIONS.well_conditioned(m.evaluate(coordinates="body")))
    return m


@examples(40)
@given(turned_plans(loops=2), st.integers(0, 99))
def test_angles_begin_within_half_a_turn(plan, seed):
    m = drawn(plan, seed)
    springs = {name: one for name, one in m.forces.items() if type(one).__name__ == "TorsionSpringDamper"}
    wanted = {name: begins(m, one.on, one.to) for name, one in springs.items()}
    for one, coordinates in everywhere(m):
        start = one.assemble(coordinates="body").state
        for state in (None, start, replace(start, turned=None)):
            ev = one.evaluate(state, coordinates=coordinates)
            for name, angle in wanted.items():
                spring = springs[name]
                assert abs(ev[f"{name}.angle"] - angle) < 1e-7, (name, coordinates, one.dimension)
                torque = -spring.stiffness * (angle - spring.rest_angle) - spring.damping * ev[f"{name}.angle.rate"]
                assert abs(ev[f"{name}.torque"] - torque) < 1e-6 * max(1.0, abs(torque))


@examples(25)
@given(turned_plans(drivers=False, closing=LASTING), st.integers(0, 99))
def test_turned_mechanisms_move_alike(plan, seed):
    m = drawn(plan, seed)
    runs = [one.simulate(0.3, every=0.1, coordinates=coordinates, rtol=1e-10) for one, coordinates in everywhere(m)]
    names = [f"{body}.{axis}" for body in m.bodies for axis in "xy"]
    angles = [name for name in runs[0].names if name.endswith(".angle") and name.partition(".")[0] not in m.bodies]
    names += [name for name in angles if name in runs[-1].names]  # a torque in space acts about an axis: no angle
    for run in runs[1:]:
        for name in (*names, "energy.total", "energy.dissipated"):
            size = max(1.0, np.abs(runs[0][name]).max())
            assert np.abs(run[name] - runs[0][name]).max() <= 1e-6 * size, (name, run.coordinates)
    flat = runs[1]["T0.angle"]
    final = [run.final for run in runs]
    for run, state in zip(runs, final):  # what goes on keeps its turns, by memory or by what is known
        again = run.mechanism.simulate(0.1, start=state, coordinates=run.coordinates)
        for name in names:
            assert abs(again[name][0] - run[name][-1]) < 1e-9 * max(1.0, abs(run[name][-1])), name
        copy = run.mechanism.copy().simulate(0.1, start=state, coordinates=run.coordinates)
        assert abs(copy["T0.angle"][0] - flat[-1]) < 1e-6


@examples(25)
@given(turned_plans(loops=0, drivers=False), st.integers(0, 99), st.integers(-3, 3))
def test_start_values_say_the_turn(plan, seed, turns):
    m = drawn(plan, seed)
    turning = [
        name
        for name, joint in m.joints.items()
        if type(joint).__name__ == "Revolute"
        and all(frame.body == "ground" or m.bodies[frame.body].has_angle for frame in (joint.on, joint.to))
    ]
    assume(turning)
    name = turning[seed % len(turning)]
    value = begins(m, m.joints[name].on, m.joints[name].to) + 0.1 + TURN * turns
    m.add("coil", lw.TorsionSpringDamper(m.joints[name].on, m.joints[name].to, stiffness=0.7))
    runs = []
    for one, coordinates in everywhere(m):
        runs.append(one.simulate(0.1, every=0.05, start={f"{name}.angle": value}, coordinates=coordinates, rtol=1e-10))
        assert abs(runs[-1][f"{name}.angle"][0] - value) < 1e-7
        assert abs(runs[-1]["coil.torque"][0] + 0.7 * value) < 1e-6
        assert np.abs(runs[-1]["coil.angle"] - runs[0]["coil.angle"]).max() < 1e-6


def test_most_draws_are_used():
    assert REJECTIONS.refused <= 0.5 * REJECTIONS.seen
