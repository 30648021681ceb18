"""Exudyn: trees as `ObjectKinematicTree` with explicit methods; bodies and joints with implicit ones for all problems.

In the plane bodies are `ObjectRigidBody2D` with revolute joints, in space rigid bodies with Euler parameters.  The fast
variant of the module, without range checks, is loaded.
"""

from __future__ import annotations

import sys
import time

import numpy as np

sys.exudynFast = True  # read by the package when it is imported, so the imports below cannot be above (E402)
import exudyn as exu  # noqa: E402
import exudyn.itemInterface as item  # noqa: E402
from exudyn.utilities import RigidBodyInertia  # noqa: E402

from benchmarks.peers.tools import Method, remember  # noqa: E402

exu.config.printToConsole = False
_TREE = {"tree DOPRI5": ("DOPRI5", "tolerance"), "tree RK44": ("RK44", "steps"), "tree RK67": ("RK67", "steps")}
#: method -> (solver, relative tolerance of Newton's method)
_BODIES = {
    "bodies generalized-alpha": ("GeneralizedAlpha", 1e-6),
    "bodies trapezoidal": ("TrapezoidalIndex2", 1e-6),
    "bodies generalized-alpha, tight Newton": ("GeneralizedAlpha", 1e-10),
    "bodies trapezoidal, tight Newton": ("TrapezoidalIndex2", 1e-10),
}
_JOINTS = {
    ("turn", 0): "RevoluteX",
    ("turn", 1): "RevoluteY",
    ("turn", 2): "RevoluteZ",
    ("slide", 0): "PrismaticX",
    ("slide", 1): "PrismaticY",
    ("slide", 2): "PrismaticZ",
}
JOINT_COORDINATES = False  # loops are closed by joints between bodies: no tree to choose
_prepared: dict = {}


def methods(scheme) -> list[Method]:
    """Explicit methods on the tree where there are neither loops nor springs, implicit ones on bodies for all."""
    out = []
    if not scheme.loops and not scheme.springs:
        out += [
            Method(name, kind, 1e-1 if kind == "tolerance" else scheme.steps, 1e-12 if kind == "tolerance" else 1e6)
            for name, (_, kind) in _TREE.items()
        ]
    return out + [Method(name, "steps", 2 * scheme.steps, 1e6) for name in _BODIES]


def _tree(scheme):
    """All links in one object with joint coordinates."""
    system = exu.SystemContainer().AddSystem()
    count = len(scheme.tree)
    zeros, rates = [0.0] * count, [joint.rate for joint in scheme.tree]
    node = system.AddNode(
        item.NodeGenericODE2(
            referenceCoordinates=zeros,
            initialCoordinates=zeros,
            initialCoordinates_t=rates,
            numberOfODE2Coordinates=count,
        )
    )
    order = {joint.child: k for k, joint in enumerate(scheme.tree)}
    inboard = scheme.inboard
    turns, offsets = exu.Matrix3DList(), exu.Vector3DList()
    inertias, centers = exu.Matrix3DList(), exu.Vector3DList()
    for joint in scheme.tree:
        link = scheme.links[joint.child]
        turns.Append(np.eye(3))
        offsets.Append(joint.point - inboard[joint.parent])
        inertias.Append(link.inertia)
        centers.Append(link.center - joint.point)
    kinds = [_JOINTS[joint.kind, int(np.argmax(joint.axis))] for joint in scheme.tree]
    tree = system.AddObject(
        item.ObjectKinematicTree(
            nodeNumber=node,
            jointTypes=[getattr(exu.JointType, kind) for kind in kinds],
            linkParents=[order.get(joint.parent, -1) for joint in scheme.tree],
            jointTransformations=turns,
            jointOffsets=offsets,
            linkInertiasCOM=inertias,
            linkCOMs=centers,
            linkMasses=[scheme.links[joint.child].mass for joint in scheme.tree],
            gravity=list(scheme.gravity),
        )
    )
    sensors = {}
    for name in scheme.observed:
        sensors[name] = [
            system.AddSensor(
                item.SensorKinematicTree(
                    objectNumber=tree,
                    linkNumber=order[name],
                    localPosition=list(place),
                    storeInternal=True,
                    outputVariableType=exu.OutputVariableType.Position,
                )
            )
            for place in np.vstack([np.zeros(3), np.eye(3)])
        ]
    system.Assemble()

    def poses():
        out = {}
        for name, four in sensors.items():
            origin, *tips = (np.array(system.GetSensorValues(sensor)) for sensor in four)
            out[name] = np.column_stack([tip - origin for tip in tips]), origin
        return scheme.centers(out)

    return system, poses


def _connect_springs(system, scheme, marker):
    for s in scheme.springs:
        system.AddObject(
            item.ObjectConnectorSpringDamper(
                markerNumbers=[marker(s.on, s.on_point), marker(s.to, s.to_point)],
                stiffness=s.stiffness,
                damping=s.damping,
                referenceLength=s.rest_length,
            )
        )


def _planar(scheme):
    """Bodies with x, y and an angle, joined by pins."""
    system = exu.SystemContainer().AddSystem()
    bodies = {"ground": system.AddObject(item.ObjectGround())}
    for link in scheme.links.values():
        node = system.AddNode(
            item.NodeRigidBody2D(
                referenceCoordinates=[*link.center[:2], 0.0], initialVelocities=[*link.speed[:2], link.rate[2]]
            )
        )
        body = system.AddObject(
            item.ObjectRigidBody2D(physicsMass=link.mass, physicsInertia=link.inertia[2, 2], nodeNumber=node)
        )
        bodies[link.name] = body
        if np.any(scheme.gravity):
            mass = system.AddMarker(item.MarkerBodyMass(bodyNumber=body))
            system.AddLoad(item.LoadMassProportional(markerNumber=mass, loadVector=list(scheme.gravity)))

    def marker(name, point):
        local = point if name == "ground" else point - scheme.links[name].center
        return system.AddMarker(item.MarkerBodyPosition(bodyNumber=bodies[name], localPosition=list(local)))

    for joint in (*scheme.tree, *scheme.loops):
        system.AddObject(
            item.ObjectJointRevolute2D(
                markerNumbers=[marker(joint.parent, joint.point), marker(joint.child, joint.point)]
            )
        )
    _connect_springs(system, scheme, marker)
    for name, torque in scheme.torques.items():
        rigid = system.AddMarker(item.MarkerBodyRigid(bodyNumber=bodies[name]))
        system.AddLoad(item.LoadTorqueVector(markerNumber=rigid, loadVector=[0.0, 0.0, torque]))
    system.Assemble()
    order = {name: 3 * k for k, name in enumerate(scheme.links)}

    def poses():
        q, out = system.systemData.GetODE2Coordinates(), {}
        for name in scheme.observed:
            x, y, angle = q[order[name] : order[name] + 3]
            c, s = np.cos(angle), np.sin(angle)
            out[name] = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]), scheme.links[name].center + (x, y, 0.0)
        return out

    return system, poses


def _spatial(scheme):
    """Bodies with Euler parameters and generic joints."""
    system = exu.SystemContainer().AddSystem()
    bodies = {"ground": system.CreateGround()}
    for link in scheme.links.values():
        bodies[link.name] = system.CreateRigidBody(
            inertia=RigidBodyInertia(link.mass, link.inertia),
            referencePosition=list(link.center),
            initialVelocity=list(link.speed),
            initialAngularVelocity=list(link.rate),
            gravity=list(scheme.gravity),
        )
    for joint in (*scheme.tree, *scheme.loops):
        make = system.CreateRevoluteJoint if joint.kind == "turn" else system.CreatePrismaticJoint
        make(
            bodyNumbers=[bodies[joint.parent], bodies[joint.child]],
            position=list(joint.point),
            axis=list(joint.axis),
            useGlobalFrame=True,
            show=False,
        )

    def marker(name, point):
        local = point if name == "ground" else point - scheme.links[name].center
        return system.AddMarker(item.MarkerBodyPosition(bodyNumber=bodies[name], localPosition=list(local)))

    _connect_springs(system, scheme, marker)
    system.Assemble()
    read = exu.OutputVariableType

    def poses():
        return {
            name: (
                np.reshape(system.GetObjectOutputBody(bodies[name], read.RotationMatrix, [0, 0, 0]), (3, 3)),
                np.array(system.GetObjectOutputBody(bodies[name], read.Position, [0, 0, 0])),
            )
            for name in scheme.observed
        }

    return system, poses


def _settings(scheme, method: Method, setting: float):
    s = exu.SimulationSettings()
    s.solutionSettings.writeSolutionToFile = False
    s.solutionSettings.sensorsWritePeriod = scheme.end
    s.displayStatistics = s.displayComputationTime = False
    march = s.timeIntegration
    march.endTime, march.verboseMode = scheme.end, 0
    march.newton.useModifiedNewton = True
    march.explicit.computeEndOfStepAccelerations = False
    if method.kind == "tolerance":
        march.automaticStepSize, march.numberOfSteps = True, 20
        march.relativeTolerance, march.absoluteTolerance = setting, 0.1 * setting
    else:
        march.automaticStepSize, march.numberOfSteps = False, int(setting)
    march.generalizedAlpha.computeInitialAccelerations = True
    march.generalizedAlpha.spectralRadius = 0.95
    large, solvers = len(scheme.links) >= 10, exu.LinearSolverType
    if method.name in _TREE:  # dense mass matrix
        s.linearSolverType = solvers.EigenDense if large else solvers.EXUdense
        return s
    s.linearSolverType = solvers.EigenSparse if large else solvers.EXUdense
    march.newton.relativeTolerance = _BODIES[method.name][1]
    if scheme.loops and scheme.dimension == 3:  # redundant rows
        s.linearSolverType = solvers.EigenDense
        s.linearSolverSettings.ignoreSingularJacobian = True
    return s


def prepare(scheme, method: Method, setting: float):
    """A run by `SolveDynamic`, which starts from the initial values each time."""
    tree = method.name in _TREE
    build = _tree if tree else (_planar if scheme.dimension == 2 else _spatial)
    system, poses = remember(_prepared, (scheme.key, build), lambda: build(scheme))
    settings = _settings(scheme, method, setting)
    solver = getattr(exu.DynamicSolverType, _TREE[method.name][0] if tree else _BODIES[method.name][0])

    def run():
        begin = time.process_time()
        done = system.SolveDynamic(settings, solverType=solver)
        if not done:
            raise RuntimeError("SolveDynamic ended early")
        found = poses()
        spent = time.process_time() - begin
        return spent, scheme.error(found)

    return run
