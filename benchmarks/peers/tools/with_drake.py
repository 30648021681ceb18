"""Drake: a continuous `MultibodyPlant` with error-controlled integrators for trees.

Loops are ball constraints.  No integrator with error control takes them (`cenic` refuses them by a message), so loops
run in a plant of equal steps, which is of first order.
"""

from __future__ import annotations

import time

import numpy as np
from pydrake.math import RigidTransform
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (
    FixedOffsetFrame,
    LinearSpringDamper,
    PrismaticJoint,
    RevoluteJoint,
    SpatialInertia,
    UnitInertia,
)
from pydrake.systems.analysis import ApplySimulatorConfig, Simulator, SimulatorConfig
from pydrake.systems.framework import DiagramBuilder
from pydrake.systems.primitives import ConstantVectorSource

from benchmarks.peers.tools import Method, remember

JOINT_COORDINATES = True
_prepared: dict = {}


def methods(scheme) -> list[Method]:
    """Runge-Kutta for trees, implicit methods too where it is stiff; equal steps for loops."""
    if scheme.loops:
        return [Method("equal steps", "steps", scheme.steps, 1e6)]
    names = ["runge_kutta3", "runge_kutta5", "bogacki_shampine3"]
    if scheme.damped:
        names = ["radau3", "implicit_euler", "runge_kutta3"]
    return [Method(name, "tolerance", 1e-1, 1e-12) for name in names]


def _build(scheme, step: float):
    """The diagram of a plant; `step` 0 makes it continuous."""
    plant = MultibodyPlant(time_step=step)
    plant.mutable_gravity_field().set_gravity_vector(scheme.gravity)
    bodies, joints, inboard = {"ground": plant.world_body()}, {}, scheme.inboard
    for joint in scheme.tree:
        link = scheme.links[joint.child]
        arm = link.center - joint.point
        unit = link.inertia / link.mass + (arm @ arm) * np.eye(3) - np.outer(arm, arm)
        inertia = SpatialInertia(
            link.mass, arm, UnitInertia(*unit[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]), skip_validity_check=True
        )
        body = bodies[link.name] = plant.AddRigidBody(link.name, inertia)
        base = plant.AddFrame(
            FixedOffsetFrame(
                f"{link.name}_base",
                bodies[joint.parent].body_frame(),
                RigidTransform(joint.point - inboard[joint.parent]),
            )
        )
        make = RevoluteJoint if joint.kind == "turn" else PrismaticJoint
        joints[link.name] = plant.AddJoint(make(f"{link.name}_joint", base, body.body_frame(), joint.axis, damping=0.0))
    if any("ground" in (joint.parent, joint.child) for joint in scheme.loops):
        # a constraint against the world's own body ends the process; a body welded to it does not
        bodies["ground"] = plant.AddRigidBody("base", SpatialInertia(1.0, np.zeros(3), UnitInertia(1.0, 1.0, 1.0)))
        plant.WeldFrames(plant.world_frame(), bodies["ground"].body_frame(), RigidTransform())
    for joint in scheme.loops:
        for point in scheme.closing_points(joint):
            plant.AddBallConstraint(
                bodies[joint.parent], point - inboard[joint.parent], bodies[joint.child], point - inboard[joint.child]
            )
    for s in scheme.springs:
        plant.AddForceElement(
            LinearSpringDamper(
                bodies[s.on],
                s.on_point - inboard[s.on],
                bodies[s.to],
                s.to_point - inboard[s.to],
                s.rest_length,
                s.stiffness,
                s.damping,
            )
        )
    for name in scheme.torques:
        plant.AddJointActuator(f"{name}_motor", joints[name])
    plant.Finalize()
    builder = DiagramBuilder()
    builder.AddNamedSystem("plant", plant)
    if scheme.torques:
        source = builder.AddSystem(ConstantVectorSource(list(scheme.torques.values())))
        builder.Connect(source.get_output_port(), plant.get_actuation_input_port())
    return builder.Build(), plant, bodies, joints


def prepare(scheme, method: Method, setting: float):
    """A run by `AdvanceTo`; the simulator is new for each run and initialised before the clock starts."""
    step = 0.0 if method.kind == "tolerance" else scheme.end / setting
    diagram, plant, bodies, joints = remember(_prepared, (scheme.key, step), lambda: _build(scheme, step), 8)
    config = SimulatorConfig()
    if method.kind == "tolerance":
        config.integration_scheme, config.accuracy = method.name, setting
        config.use_error_control, config.max_step_size = True, scheme.end

    def run():
        simulator = Simulator(diagram)
        if method.kind == "tolerance":
            ApplySimulatorConfig(config, simulator)
        context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
        for joint in scheme.tree:
            if joint.kind == "turn":
                joints[joint.child].set_angular_rate(context, joint.rate)
            else:
                joints[joint.child].set_translation_rate(context, joint.rate)
        simulator.Initialize()
        begin = time.process_time()
        simulator.AdvanceTo(scheme.end)
        poses = {}
        for name in scheme.observed:
            pose = plant.EvalBodyPoseInWorld(context, bodies[name])
            poses[name] = pose.rotation().matrix(), pose.translation()
        spent = time.process_time() - begin
        return spent, scheme.error(scheme.centers(poses))

    return run
