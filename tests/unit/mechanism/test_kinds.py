"""Families of classes by name: whole when they are asked for, and loaded no further than needed."""

import subprocess
import sys
from dataclasses import dataclass

import pytest

import linkwork as lw
from linkwork.mechanism.kinds import Kinds


def _says(program: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_families_are_whole():
    assert {"Revolute", "Spherical", "Gear", "PinInSlot", "Free"} <= set(lw.Joint.kinds)
    assert {"SpringDamper", "Bushing", "UserForce"} <= set(lw.Force.kinds)
    assert lw.Joint.kinds["Universal"] is lw.Universal and "Expression" in lw.Function.kinds
    assert len(lw.Joint.kinds) == len(list(lw.Joint.kinds)) and "_RadiusPair" not in lw.Joint.kinds
    with pytest.raises(KeyError):
        lw.Joint.kinds["Hinge"]


def test_a_file_loads_what_it_names():
    shown = "print(*(one.removeprefix('linkwork.') for one in sys.modules))"
    loaded = set(_says(f"import sys, linkwork as lw; lw.read(lw.gallery.path('four_bar')); {shown}"))
    assert {"mechanism.joints", "mechanism.forces", "files.reader", "analysis.simulate"} <= loaded
    others = "spatial_joints couplings guides user_forces flexible mesh".split()
    assert not {f"mechanism.{one}" for one in others} & loaded
    assert not {f"analysis.{one}" for one in ("modes", "statics", "frequency", "kinematics", "check", "sweep")} & loaded


def test_a_class_of_the_user_stays():
    said = _says(
        "from dataclasses import dataclass\n"
        "import linkwork as lw\n"
        "@dataclass(frozen=True)\n"
        "class Gear(lw.Joint):\n"
        "    '''One of a user, before ours is loaded.'''\n"
        "lw.BevelGear\n"
        "print(lw.Joint.kinds['Gear'] is Gear, lw.Gear is Gear)"
    )
    assert said == ["True", "False"]


def test_one_of_the_user_takes_the_place_of_another():
    kinds = Kinds()

    @dataclass(frozen=True)
    class Hinge:
        pass

    kinds.add(Hinge)
    kinds["Gear"] = lw.Gear
    kinds["Gear"] = Hinge
    assert kinds["Hinge"] is Hinge and kinds["Gear"] is Hinge and dict(kinds) == {"Hinge": Hinge, "Gear": Hinge}
    del kinds["Gear"]
    assert "Gear" not in kinds
