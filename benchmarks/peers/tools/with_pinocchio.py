"""Pinocchio: articulated bodies for trees, `lcaba` and `constraintDynamics` for loops.

The package computes accelerations and has no integrator, so the loop over time is Python, as its users write it: the
classical Runge-Kutta method in numpy, or scipy's `solve_ivp`.  Springs are Python too.
"""

from __future__ import annotations

import time

import numpy as np
import pinocchio as pin
from scipy.integrate import solve_ivp

from benchmarks.peers.tools import Method

_JOINTS = {
    ("turn", 0): pin.JointModelRX,
    ("turn", 1): pin.JointModelRY,
    ("turn", 2): pin.JointModelRZ,
    ("slide", 0): pin.JointModelPX,
    ("slide", 1): pin.JointModelPY,
    ("slide", 2): pin.JointModelPZ,
}
JOINT_COORDINATES = True


def methods(scheme) -> list[Method]:
    """Equal steps for all; error control by scipy for trees, where no drift has to be held back."""
    if scheme.loops:
        return [
            Method("lcaba, RK4", "steps", scheme.steps, 1e6),
            Method("constraintDynamics, RK4", "steps", scheme.steps, 1e6),
        ]
    if scheme.damped:
        return [
            Method("aba, scipy LSODA", "tolerance", 1e-2, 1e-11),
            Method("aba, scipy Radau", "tolerance", 1e-2, 1e-9),
        ]
    return [
        Method("aba, scipy DOP853", "tolerance", 1.0, 1e-12),
        Method("aba, scipy RK45", "tolerance", 1.0, 1e-10),
        Method("aba, RK4", "steps", scheme.steps, 1e6),
    ]


def _tree(scheme):
    """Model, joint numbers and start speeds."""
    model = pin.Model()
    model.gravity.linear = scheme.gravity
    numbers, inboard = {"ground": 0}, scheme.inboard
    for joint in scheme.tree:
        link = scheme.links[joint.child]
        kind = _JOINTS[joint.kind, int(np.argmax(joint.axis))]()
        number = model.addJoint(
            numbers[joint.parent], kind, pin.SE3(np.eye(3), joint.point - inboard[joint.parent]), link.name
        )
        model.appendBodyToJoint(
            number, pin.Inertia(link.mass, link.center - joint.point, link.inertia), pin.SE3.Identity()
        )
        numbers[link.name] = number
    speeds, torques = np.zeros(model.nv), np.zeros(model.nv)
    for joint in scheme.tree:
        speeds[model.joints[numbers[joint.child]].idx_v] = joint.rate
    for name, torque in scheme.torques.items():
        torques[model.joints[numbers[name]].idx_v] = torque
    return model, numbers, speeds, torques


def _spring_torques(scheme, model, numbers):
    """A function (q, v) -> generalized forces of the springs, by the Jacobians of the joints they hang on."""
    data, inboard = model.createData(), scheme.inboard  # its own data: the dynamics keep theirs
    ends = [
        (s, numbers[s.on], s.on_point - inboard[s.on], numbers[s.to], s.to_point - inboard[s.to])
        for s in scheme.springs
    ]

    def end(q, number, arm):
        """Place of a point and the Jacobian of its velocity, in world axes."""
        if number == 0:
            return arm, None
        local = pin.computeJointJacobian(model, data, q, number)
        pose = data.oMi[number]
        return pose.act(arm), pose.rotation @ (local[:3] - pin.skew(arm) @ local[3:])

    def torques(q, v):
        total = np.zeros(model.nv)
        pin.forwardKinematics(model, data, q)
        for s, on, on_arm, to, to_arm in ends:
            a, jacobian_a = end(q, on, on_arm)
            b, jacobian_b = end(q, to, to_arm)
            d = b - a
            length = np.sqrt(d @ d)
            row = d @ jacobian_b if jacobian_a is None else d @ (jacobian_b - jacobian_a)
            row = row / length  # rate of the length = row v
            total -= (s.stiffness * (length - s.rest_length) + s.damping * (row @ v)) * row
        return total

    return torques


def _loops(scheme, model, data, numbers, gain: float):
    """Constraints that close the loops; `gain` is the rate at which a gap closes."""
    models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    inboard = scheme.inboard
    for joint in scheme.loops:
        for point in scheme.closing_points(joint):
            tie = pin.RigidConstraintModel(
                pin.ContactType.CONTACT_3D,
                model,
                numbers[joint.parent],
                pin.SE3(np.eye(3), point - inboard[joint.parent]),
                numbers[joint.child],
                pin.SE3(np.eye(3), point - inboard[joint.child]),
                pin.ReferenceFrame.LOCAL,
            )
            tie.setBaumgarteCorrectorParameters(pin.BaumgarteCorrectorParameters(gain * gain, 2.0 * gain))
            models.append(tie)
    for tie in models:
        datas.append(tie.createData())
    return models, datas


def _accelerations(scheme, method: Method, setting: float):
    """Model, its data, joint numbers, start speeds, and a function (q, v) -> accelerations."""
    model, numbers, speeds, given = _tree(scheme)
    data = model.createData()
    springs = _spring_torques(scheme, model, numbers) if scheme.springs else None
    if not scheme.loops:
        if springs is None:
            return model, data, numbers, speeds, lambda q, v: pin.aba(model, data, q, v, given)
        return model, data, numbers, speeds, lambda q, v: pin.aba(model, data, q, v, given + springs(q, v))
    models, datas = _loops(scheme, model, data, numbers, 0.25 * setting / scheme.end)
    pin.initConstraintDynamics(model, data, models, datas)
    if method.name.startswith("lcaba"):
        pin.computeJointMinimalOrdering(model, data, models)
        solve, proximal = pin.lcaba, pin.ProximalSettings(1e-13, 1e-2, 5)
    else:
        solve, proximal = pin.constraintDynamics, pin.ProximalSettings(1e-13, 1e-6, 5)
    if springs is None:
        return model, data, numbers, speeds, lambda q, v: solve(model, data, q, v, given, models, datas, proximal)
    return (
        model,
        data,
        numbers,
        speeds,
        lambda q, v: solve(model, data, q, v, given + springs(q, v), models, datas, proximal),
    )


def _equal_steps(acceleration, q, v, end, steps):
    h = end / steps
    for _ in range(steps):
        a1 = acceleration(q, v).copy()
        v2 = v + 0.5 * h * a1
        a2 = acceleration(q + 0.5 * h * v, v2).copy()
        v3 = v + 0.5 * h * a2
        a3 = acceleration(q + 0.5 * h * v2, v3).copy()
        v4 = v + h * a3
        a4 = acceleration(q + h * v3, v4)
        q = q + h / 6.0 * (v + 2.0 * (v2 + v3) + v4)
        v = v + h / 6.0 * (a1 + 2.0 * (a2 + a3) + a4)
    return q


def prepare(scheme, method: Method, setting: float):
    """A run of the Python loop."""
    model, data, numbers, speeds, acceleration = _accelerations(scheme, method, setting)
    n, start = model.nv, np.zeros(model.nv)

    def rhs(t, y):
        return np.concatenate([y[n:], acceleration(y[:n], y[n:])])

    def run():
        begin = time.process_time()
        if method.kind == "steps":
            q = _equal_steps(acceleration, start, speeds, scheme.end, int(setting))
        else:
            q = solve_ivp(
                rhs,
                (0.0, scheme.end),
                np.concatenate([start, speeds]),
                method=method.name.split()[-1],
                rtol=setting,
                atol=0.01 * setting,
            ).y[:n, -1]
        pin.forwardKinematics(model, data, q)
        poses = {
            name: (data.oMi[numbers[name]].rotation, data.oMi[numbers[name]].translation) for name in scheme.observed
        }
        spent = time.process_time() - begin
        return spent, scheme.error(scheme.centers(poses))

    return run
