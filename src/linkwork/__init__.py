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
from typing import TYPE_CHECKING

from linkwork._version import __version__ as __version__

if TYPE_CHECKING:  # the same list, for type checkers and editors
    from linkwork import errors as errors
    from linkwork import files as files
    from linkwork import gallery as gallery
    from linkwork import testing as testing
    from linkwork import textbook as textbook
    from linkwork import units as units
    from linkwork.analysis import compile_mechanism as compile_mechanism
    from linkwork.analysis.assemble import assemble as assemble
    from linkwork.analysis.check import check as check
    from linkwork.analysis.evaluate import evaluate as evaluate
    from linkwork.analysis.prepare import Prepared as Prepared
    from linkwork.analysis.prepare import prepare as prepare
    from linkwork.analysis.simulate import simulate as simulate
    from linkwork.analysis.verify import verify as verify
    from linkwork.files.fmt import format_text as format_text
    from linkwork.files.plain import convert_text as convert_text
    from linkwork.files.reader import Document as Document
    from linkwork.files.reader import read as read
    from linkwork.files.reader import read_document as read_document
    from linkwork.files.results import FileCheck as FileCheck
    from linkwork.files.results import check_result as check_result
    from linkwork.files.results import load as load
    from linkwork.files.schema import schema as schema
    from linkwork.files.writer import digest as digest
    from linkwork.files.writer import to_text as to_text
    from linkwork.files.writer import write as write
    from linkwork.mechanism.bodies import Body as Body
    from linkwork.mechanism.bodies import Particle as Particle
    from linkwork.mechanism.couplings import Belt as Belt
    from linkwork.mechanism.couplings import BevelGear as BevelGear
    from linkwork.mechanism.couplings import Gear as Gear
    from linkwork.mechanism.couplings import RackAndPinion as RackAndPinion
    from linkwork.mechanism.drivers import Driver as Driver
    from linkwork.mechanism.elements import BallFriction as BallFriction
    from linkwork.mechanism.elements import Bushing as Bushing
    from linkwork.mechanism.elements import Limit as Limit
    from linkwork.mechanism.expressions import Expression as Expression
    from linkwork.mechanism.expressions import evaluate_number as evaluate_number
    from linkwork.mechanism.expressions import resolve_parameters as resolve_parameters
    from linkwork.mechanism.forces import Force as Force
    from linkwork.mechanism.forces import PointForce as PointForce
    from linkwork.mechanism.forces import SpringDamper as SpringDamper
    from linkwork.mechanism.forces import Torque as Torque
    from linkwork.mechanism.forces import TorsionSpringDamper as TorsionSpringDamper
    from linkwork.mechanism.frames import Frame as Frame
    from linkwork.mechanism.functions import Callable as Callable
    from linkwork.mechanism.functions import Function as Function
    from linkwork.mechanism.functions import Harmonic as Harmonic
    from linkwork.mechanism.functions import Polynomial as Polynomial
    from linkwork.mechanism.functions import SmoothStep as SmoothStep
    from linkwork.mechanism.functions import SpeedRamp as SpeedRamp
    from linkwork.mechanism.functions import Table as Table
    from linkwork.mechanism.inertia import Inertia as Inertia
    from linkwork.mechanism.joints import Fixed as Fixed
    from linkwork.mechanism.joints import Hold as Hold
    from linkwork.mechanism.joints import Joint as Joint
    from linkwork.mechanism.joints import KnifeEdge as KnifeEdge
    from linkwork.mechanism.joints import PinInSlot as PinInSlot
    from linkwork.mechanism.joints import Prismatic as Prismatic
    from linkwork.mechanism.joints import Revolute as Revolute
    from linkwork.mechanism.joints import Rod as Rod
    from linkwork.mechanism.joints import RollingDisc as RollingDisc
    from linkwork.mechanism.joints import Row as Row
    from linkwork.mechanism.joints import Slide as Slide
    from linkwork.mechanism.joints import Turn as Turn
    from linkwork.mechanism.measures import Alignment as Alignment
    from linkwork.mechanism.measures import Angle as Angle
    from linkwork.mechanism.measures import Direction as Direction
    from linkwork.mechanism.measures import Distance as Distance
    from linkwork.mechanism.measures import EdgeSlip as EdgeSlip
    from linkwork.mechanism.measures import Gap as Gap
    from linkwork.mechanism.measures import Measure as Measure
    from linkwork.mechanism.measures import Offset as Offset
    from linkwork.mechanism.measures import Slip as Slip
    from linkwork.mechanism.measures import Spin as Spin
    from linkwork.mechanism.measures import Sum as Sum
    from linkwork.mechanism.measures import WorldOffset as WorldOffset
    from linkwork.mechanism.mechanism import Mechanism as Mechanism
    from linkwork.mechanism.mesh import from_mesh as from_mesh
    from linkwork.mechanism.orientation import Orientation as Orientation
    from linkwork.mechanism.readings import Reading as Reading
    from linkwork.mechanism.recipes import Recipe as Recipe
    from linkwork.mechanism.shapes import bar as bar
    from linkwork.mechanism.shapes import disc as disc
    from linkwork.mechanism.shapes import join as join
    from linkwork.mechanism.shapes import plate as plate
    from linkwork.mechanism.shapes import polygon as polygon
    from linkwork.mechanism.solids import box as box
    from linkwork.mechanism.solids import cone as cone
    from linkwork.mechanism.solids import cylinder as cylinder
    from linkwork.mechanism.solids import rod as rod
    from linkwork.mechanism.solids import sphere as sphere
    from linkwork.mechanism.solids import tube as tube
    from linkwork.mechanism.spatial_joints import ConstantVelocity as ConstantVelocity
    from linkwork.mechanism.spatial_joints import Cylindrical as Cylindrical
    from linkwork.mechanism.spatial_joints import Free as Free
    from linkwork.mechanism.spatial_joints import Planar as Planar
    from linkwork.mechanism.spatial_joints import PointOnPlane as PointOnPlane
    from linkwork.mechanism.spatial_joints import RevoluteCylindrical as RevoluteCylindrical
    from linkwork.mechanism.spatial_joints import RevoluteSpherical as RevoluteSpherical
    from linkwork.mechanism.spatial_joints import Screw as Screw
    from linkwork.mechanism.spatial_joints import Spherical as Spherical
    from linkwork.mechanism.spatial_joints import SphericalCylindrical as SphericalCylindrical
    from linkwork.mechanism.spatial_joints import Universal as Universal
    from linkwork.mechanism.spatial_joints import UniversalSpherical as UniversalSpherical
    from linkwork.mechanism.user_forces import UserForce as UserForce
    from linkwork.mechanism.user_forces import UserWrench as UserWrench
    from linkwork.result.quantities import quantity as quantity
    from linkwork.result.result import Result as Result
    from linkwork.result.state import State as State

_WHERE = {
    "linkwork.mechanism.mechanism": ("Mechanism",),
    "linkwork.mechanism.bodies": ("Body", "Particle"),
    "linkwork.mechanism.frames": ("Frame",),
    "linkwork.mechanism.orientation": ("Orientation",),
    "linkwork.mechanism.inertia": ("Inertia",),
    "linkwork.mechanism.shapes": ("bar", "disc", "plate", "polygon", "join"),
    "linkwork.mechanism.solids": ("box", "cylinder", "sphere", "cone", "tube", "rod"),
    "linkwork.mechanism.mesh": ("from_mesh",),
    "linkwork.mechanism.measures": (
        "Measure",
        "Offset",
        "WorldOffset",
        "Alignment",
        "Angle",
        "Direction",
        "Distance",
        "Slip",
        "Spin",
        "Gap",
        "EdgeSlip",
        "Sum",
    ),
    "linkwork.mechanism.joints": (
        "Joint",
        "Row",
        "Turn",
        "Slide",
        "Revolute",
        "Prismatic",
        "Fixed",
        "Rod",
        "PinInSlot",
        "RollingDisc",
        "Hold",
        "KnifeEdge",
    ),
    "linkwork.mechanism.couplings": ("Gear", "BevelGear", "RackAndPinion", "Belt"),
    "linkwork.mechanism.spatial_joints": (
        "Spherical",
        "Cylindrical",
        "Screw",
        "Universal",
        "ConstantVelocity",
        "Planar",
        "PointOnPlane",
        "RevoluteSpherical",
        "SphericalCylindrical",
        "RevoluteCylindrical",
        "UniversalSpherical",
        "Free",
    ),
    "linkwork.mechanism.drivers": ("Driver",),
    "linkwork.mechanism.readings": ("Reading",),
    "linkwork.mechanism.recipes": ("Recipe",),
    "linkwork.mechanism.functions": (
        "Function",
        "Polynomial",
        "SmoothStep",
        "SpeedRamp",
        "Harmonic",
        "Table",
        "Callable",
    ),
    "linkwork.mechanism.expressions": ("Expression", "evaluate_number", "resolve_parameters"),
    "linkwork.mechanism.forces": ("Force", "SpringDamper", "TorsionSpringDamper", "PointForce", "Torque"),
    "linkwork.mechanism.elements": ("Limit", "Bushing", "BallFriction"),
    "linkwork.mechanism.user_forces": ("UserForce", "UserWrench"),
    "linkwork.analysis": ("compile_mechanism",),
    "linkwork.analysis.evaluate": ("evaluate",),
    "linkwork.analysis.check": ("check",),
    "linkwork.analysis.assemble": ("assemble",),
    "linkwork.analysis.prepare": ("Prepared", "prepare"),
    "linkwork.analysis.simulate": ("simulate",),
    "linkwork.analysis.verify": ("verify",),
    "linkwork.files.fmt": ("format_text",),
    "linkwork.files.plain": ("convert_text",),
    "linkwork.files.reader": ("Document", "read", "read_document"),
    "linkwork.files.results": ("FileCheck", "check_result", "load"),
    "linkwork.files.schema": ("schema",),
    "linkwork.files.writer": ("digest", "to_text", "write"),
    "linkwork.result.quantities": ("quantity",),
    "linkwork.result.result": ("Result",),
    "linkwork.result.state": ("State",),
}
_MODULES = ("errors", "files", "gallery", "testing", "textbook", "units")
_HOME = {name: module for module, names in _WHERE.items() for name in names}

__all__ = sorted([*_HOME, *_MODULES, "__version__"])


def __getattr__(name: str):
    if name in _HOME:
        value = getattr(importlib.import_module(_HOME[name]), name)
    elif name in _MODULES:
        value = importlib.import_module(f"linkwork.{name}")
    elif name.startswith("__"):  # Python itself asks whether there is such a thing
        raise AttributeError(f"module 'linkwork' has no attribute '{name}'")
    else:
        from linkwork.errors import UnknownNameError

        raise UnknownNameError("name", name, __all__, "in linkwork")
    globals()[name] = value
    return value


def __dir__():
    return __all__
