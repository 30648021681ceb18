"""MuJoCo: joint coordinates; loops are closed by `connect`, which is soft and made as stiff as the step allows.

All steps of a run are one call of `mj_step`, a loop in C.
"""

from __future__ import annotations

import time
from xml.sax.saxutils import quoteattr

import mujoco
import numpy as np

from benchmarks.peers.tools import Method, remember

_INTEGRATORS = {
    name: getattr(mujoco.mjtIntegrator, f"mjINT_{name.upper()}")
    for name in ("RK4", "Euler", "implicit", "implicitfast")
}
JOINT_COORDINATES = True
_prepared: dict = {}


def methods(scheme) -> list[Method]:
    """RK4 first; the implicit ones where dampers make the problem stiff."""
    names = ["RK4", "Euler"] + (["implicit", "implicitfast"] if scheme.damped else [])
    if scheme.damped:
        names.remove("Euler")
    return [Method(name, "steps", scheme.steps, 4e6) for name in names]


def _text(**attributes) -> str:
    """Attributes of an element; numbers with all their digits."""

    def plain(value):
        return value if isinstance(value, str) else " ".join(f"{x:.17g}" for x in np.ravel(value))

    return " ".join(f"{key}={quoteattr(plain(value))}" for key, value in attributes.items())


def description(scheme) -> str:
    """The scheme in MuJoCo's language."""
    inboard = scheme.inboard
    sites: dict = {}
    for k, spring in enumerate(scheme.springs):
        sites.setdefault(spring.on, []).append((f"on{k}", spring.on_point))
        sites.setdefault(spring.to, []).append((f"to{k}", spring.to_point))

    def inside(name) -> str:
        parts = [f"<site {_text(name=site, pos=point - inboard[name])}/>" for site, point in sites.get(name, ())]
        for joint in scheme.tree:
            if joint.parent == name:
                link = scheme.links[joint.child]
                kind = "hinge" if joint.kind == "turn" else "slide"
                full = link.inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
                parts.append(
                    f"<body {_text(name=link.name, pos=joint.point - inboard[name])}>"
                    f"<inertial {_text(pos=link.center - joint.point, mass=link.mass, fullinertia=full)}/>"
                    f"<joint {_text(name=link.name, type=kind, axis=joint.axis)}/>"
                    f"{inside(link.name)}</body>"
                )
        return "".join(parts)

    ties = []
    for joint in scheme.loops:
        first, second = (joint.child, joint.parent) if joint.parent == "ground" else (joint.parent, joint.child)
        for point in scheme.closing_points(joint):
            other = {} if second == "ground" else {"body2": second}
            ties.append(
                f"<connect {_text(body1=first, **other, anchor=point - inboard[first])} "
                f"{_text(solimp=(0.9999, 0.9999, 0.001, 0.5, 2))}/>"
            )
    tendons = [
        f"<spatial {_text(stiffness=s.stiffness, damping=s.damping, springlength=s.rest_length)}>"
        f'<site site="on{k}"/><site site="to{k}"/></spatial>'
        for k, s in enumerate(scheme.springs)
    ]
    unused = ["contact", "autoreset", "sensor", "midphase", "actuation"] + ([] if scheme.loops else ["constraint"])
    flags = _text(**dict.fromkeys(unused, "disable"))
    return (
        f'<mujoco><compiler boundmass="0" boundinertia="0" balanceinertia="false" autolimits="false"/>'
        f"<option {_text(gravity=scheme.gravity, tolerance=1e-12)}><flag {flags}/>"
        f"</option><worldbody>{inside('ground')}</worldbody><tendon>{''.join(tendons)}</tendon>"
        f"<equality>{''.join(ties)}</equality></mujoco>"
    )


def _model(scheme):
    def build():
        model = mujoco.MjModel.from_xml_string(description(scheme))
        return model, mujoco.MjData(model)

    return remember(_prepared, scheme.key, build)


def prepare(scheme, method: Method, setting: float):
    """A run of `setting` equal steps."""
    model, data = _model(scheme)
    steps = int(setting)
    address = {joint.child: model.joint(joint.child).dofadr[0] for joint in scheme.tree}

    def run():
        model.opt.timestep = scheme.end / steps
        model.opt.integrator = _INTEGRATORS[method.name]
        if scheme.loops:  # a time constant of two steps is the stiffest that MuJoCo takes
            model.eq_solref[:] = (2.0 * model.opt.timestep, 1.0)
        mujoco.mj_resetData(model, data)
        for joint in scheme.tree:
            data.qvel[address[joint.child]] = joint.rate
        for name, torque in scheme.torques.items():
            data.qfrc_applied[address[name]] = torque
        begin = time.process_time()
        mujoco.mj_step(model, data, nstep=steps)
        mujoco.mj_kinematics(model, data)
        poses = {
            name: (data.body(name).xmat.reshape(3, 3).copy(), data.body(name).xpos.copy()) for name in scheme.observed
        }
        spent = time.process_time() - begin
        return spent, scheme.error(scheme.centers(poses))

    return run
