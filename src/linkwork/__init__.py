"""Multibody dynamics for Python: planar and spatial mechanisms, described once, solved and checked.

    import linkwork as lw

    m = lw.Mechanism("pendulum")
    rod = m.add("rod", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), rod.a))
    run = m.simulate(10, every=0.01, start={"A.angle": 0.0})

Names load when they are used, so that importing is quick.
"""

from __future__ import annotations

import importlib

from linkwork._version import __version__

_WHERE = {
    "linkwork.mechanism.mechanism": ("Mechanism",),
    "linkwork.mechanism.bodies": ("Body", "Particle"),
    "linkwork.mechanism.frames": ("Frame",),
    "linkwork.mechanism.shapes": ("bar", "disc", "plate", "polygon", "join"),
    "linkwork.mechanism.measures": ("Measure", "Offset", "WorldOffset", "Alignment", "Angle", "Direction", "Distance",
                                    "Slip", "Sum"),
    "linkwork.mechanism.joints": ("Joint", "Row", "Turn", "Slide", "Revolute", "Prismatic", "Fixed", "Rod", "PinInSlot",
                                  "RollingDisc", "Hold", "KnifeEdge", "Gear", "RackAndPinion", "Belt"),
    "linkwork.mechanism.drivers": ("Driver",),
    "linkwork.mechanism.functions": ("Function", "Polynomial", "SmoothStep", "SpeedRamp", "Harmonic", "Table",
                                     "Callable"),
    "linkwork.mechanism.forces": ("Force", "SpringDamper", "TorsionSpringDamper", "PointForce", "Torque"),
    "linkwork.mechanism.user_forces": ("UserForce", "UserWrench"),
    "linkwork.analysis": ("compile_mechanism",),
    "linkwork.analysis.evaluate": ("evaluate",),
    "linkwork.analysis.check": ("check",),
    "linkwork.analysis.assemble": ("assemble",),
    "linkwork.analysis.simulate": ("simulate",),
    "linkwork.result.result": ("Result",),
    "linkwork.result.state": ("State",),
}
_MODULES = ("errors", "testing", "textbook")
_HOME = {name: module for module, names in _WHERE.items() for name in names}

__all__ = sorted([*_HOME, *_MODULES, "__version__"])


def __getattr__(name: str):
    if name in _HOME:
        value = getattr(importlib.import_module(_HOME[name]), name)
    elif name in _MODULES:
        value = importlib.import_module(f"linkwork.{name}")
    else:
        raise AttributeError(f"module 'linkwork' has no attribute '{name}'")
    globals()[name] = value
    return value


def __dir__():
    return __all__
