"""OpenSim (Simbody): joint coordinates, loops by point constraints with projection, the integrators of `Manager`."""

from __future__ import annotations

import math
import time

import numpy as np
import opensim

from benchmarks.peers.tools import Method, remember

opensim.Logger.setLevelString("Off")
_METHODS = {
    "RungeKuttaMerson": opensim.Manager.IntegratorMethod_RungeKuttaMerson,
    "RungeKuttaFeldberg": opensim.Manager.IntegratorMethod_RungeKuttaFeldberg,
    "RungeKutta3": opensim.Manager.IntegratorMethod_RungeKutta3,
    "CPodes": opensim.Manager.IntegratorMethod_CPodes,
}
#: rotations that bring z (pins) or x (sliders) of a joint's frame along a world axis
_PIN = ((0.0, math.pi / 2, 0.0), (-math.pi / 2, 0.0, 0.0), (0.0, 0.0, 0.0))
_SLIDER = ((0.0, 0.0, 0.0), (0.0, 0.0, math.pi / 2), (0.0, -math.pi / 2, 0.0))
JOINT_COORDINATES = True
_prepared: dict = {}


def methods(scheme) -> list[Method]:
    """Every error-controlled integrator of order three and above; the multistep one first where it is stiff."""
    names = sorted(_METHODS, key=lambda name: name != "CPodes") if scheme.damped else list(_METHODS)
    return [Method(name, "tolerance", 1e-1, 1e-11) for name in names]


def _vec(values) -> opensim.Vec3:
    return opensim.Vec3(*(float(x) for x in values))


def _build(scheme):
    model = opensim.Model()
    model.setGravity(_vec(scheme.gravity))
    bodies, inboard, kept = {"ground": model.getGround()}, scheme.inboard, []
    for joint in scheme.tree:
        link = scheme.links[joint.child]
        inertia = opensim.Inertia(*(float(x) for x in link.inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]))
        body = opensim.Body(link.name, link.mass, _vec(link.center - joint.point), inertia)
        make, turns = (opensim.PinJoint, _PIN) if joint.kind == "turn" else (opensim.SliderJoint, _SLIDER)
        turn = _vec(turns[int(np.argmax(np.abs(joint.axis)))])
        hinge = make(
            f"{link.name}_joint",
            bodies[joint.parent],
            _vec(joint.point - inboard[joint.parent]),
            turn,
            body,
            _vec((0, 0, 0)),
            turn,
        )
        coordinate = hinge.updCoordinate()
        coordinate.setName(f"{link.name}_q")
        coordinate.setDefaultValue(0.0)
        coordinate.setDefaultSpeedValue(joint.rate)
        model.addBody(body)
        model.addJoint(hinge)
        bodies[link.name] = body
        kept += [body, hinge]
    for joint in scheme.loops:
        for point in scheme.closing_points(joint):
            tie = opensim.PointConstraint(
                bodies[joint.parent],
                _vec(point - inboard[joint.parent]),
                bodies[joint.child],
                _vec(point - inboard[joint.child]),
            )
            model.addConstraint(tie)
            kept.append(tie)
    for s in scheme.springs:
        force = opensim.ExpressionBasedPointToPointForce(
            s.on,
            _vec(s.on_point - inboard[s.on]),
            s.to,
            _vec(s.to_point - inboard[s.to]),
            f"{s.stiffness}*(d-{s.rest_length})+{s.damping}*ddot",
        )
        model.addForce(force)
        kept.append(force)
    for name, torque in scheme.torques.items():
        motor = opensim.CoordinateActuator(f"{name}_q")
        motor.setName(f"{name}_motor")
        motor.setOptimalForce(torque)
        model.addForce(motor)
        control = opensim.PrescribedController()
        control.addActuator(motor)
        control.prescribeControlForActuator(f"{name}_motor", opensim.Constant(1.0))
        model.addController(control)
        kept += [motor, control]
    model.finalizeConnections()
    model.initSystem()
    return model, bodies, kept


def prepare(scheme, method: Method, setting: float):
    """A run by `Manager.integrate` without stored states."""
    model, bodies, _ = remember(_prepared, scheme.key, lambda: _build(scheme))

    def place(state, name, point):
        found = bodies[name].findStationLocationInGround(state, _vec(point))
        return np.array([found.get(k) for k in range(3)])

    def run():
        state = model.initializeState()
        manager = opensim.Manager(model)
        manager.setIntegratorMethod(_METHODS[method.name])
        manager.setIntegratorAccuracy(setting)
        manager.setWriteToStorage(False)
        manager.setPerformAnalyses(False)
        manager.initialize(state)
        begin = time.process_time()
        state = manager.integrate(scheme.end)
        model.realizePosition(state)
        poses = {}
        for name in scheme.observed:
            origin = place(state, name, np.zeros(3))
            tips = [place(state, name, axis) - origin for axis in np.eye(3)]
            poses[name] = np.column_stack(tips), origin
        spent = time.process_time() - begin
        return spent, scheme.error(scheme.centers(poses))

    return run
