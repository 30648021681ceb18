"""What may stand in a file, from the classes themselves."""

from dataclasses import dataclass

import linkwork as lw
from linkwork.cli import COMMANDS
from linkwork.files.declarations import analyses, analysis_fields, declare, default_kind, kinds, shapes
from linkwork.units import Number
from unit.files.examples import two_bodies


def test_fields_of_a_joint():
    declaration = declare(lw.RollingDisc)
    assert list(declaration.fields) == ["on", "to", "radius", "on_radius", "reference", "active", "cut", "locked"]
    assert declaration.fields["on"].required and declaration.fields["on"].kinds == (lw.Frame,)
    assert declaration.fields["on_radius"].kinds == (Number("m", above=0.0), type(None))
    assert not declaration.fields["on_radius"].required and declaration.fields["on_radius"].plain
    assert declaration.text == lw.RollingDisc.__doc__ or "rolls without slip" in declaration.text


def test_positional_arguments_are_one_list():
    assert declare(lw.Polynomial).fields["coefficients"].many
    assert declare(lw.Sum).fields["parts"].kinds == (tuple[tuple[float, lw.Measure], ...],)
    assert declare(lw.join).fields["parts"].many


def test_shapes_take_the_options_of_a_body():
    fields = declare(lw.bar).fields
    assert {"length", "mass", "width", "depth", "position", "points"} <= set(fields)
    assert "inertia" not in fields and "name" not in fields
    assert set(shapes()) >= {"bar", "disc", "plate", "polygon", "join"}


def test_every_public_description_is_there():
    assert {"Body", "Particle"} <= set(kinds("bodies")) and default_kind("bodies") is lw.Body
    assert {"UserForce", "UserWrench", "SpringDamper"} <= set(kinds("forces"))
    assert {"Expression", "Table", "Callable"} <= set(kinds("functions"))
    assert kinds("joints") is lw.Joint.kinds and kinds("measures") is lw.Measure.kinds
    assert set(kinds("drivers")) == {"Driver"}


def test_laws_with_numbers_of_their_own():
    assert declare(lw.UserForce).numbers and not declare(lw.UserWrench).numbers


def test_analyses():
    known = {"simulate", "assemble", "evaluate", "check", "equilibrium", "statics", "modes", "linearize"}
    assert known <= set(analyses())
    for name in analyses():  # `linkwork run` hands over to the command of the same name
        assert name == "simulate" or name.replace("_", "-") in COMMANDS
        assert not {"mechanism", "progress"} & set(analysis_fields(analyses()[name]))
    assert "state" not in analysis_fields(lw.modes) and "state" in analysis_fields(lw.evaluate)
    fields = analysis_fields(lw.simulate)
    assert {"duration", "times", "every", "start", "near", "method"} <= set(fields)
    assert "mechanism" not in fields and "progress" not in fields


def test_a_class_whose_hints_cannot_be_read_takes_plain_values():
    class Odd(lw.Joint):
        """Its hints name something that is not there."""

        __annotations__ = {"size": "Nowhere"}
        size = 1.0

    try:
        Odd = dataclass(frozen=True)(Odd)
        assert declare(Odd).fields["size"].kinds and list(declare(Odd).fields) == [
            "on",
            "to",
            "size",
            "active",
            "cut",
            "locked",
        ]
    finally:
        del lw.Joint.kinds["Odd"]


def test_a_new_joint_is_in_files_at_once():
    @dataclass(frozen=True)
    class Hinge(lw.Joint):
        """A joint of a user."""

        play: float = 0.0
        side: str = "left"

        def constraints(self):
            return (self.pin("x"), self.pin("y"))

    try:
        m = two_bodies()
        m.add("H", Hinge(m["one"], m["two"], 0.5))
        assert "H: {type: Hinge, on: one, to: two, play: 0.5}" in lw.to_text(m)
        assert lw.read(lw.to_text(m)) == m
        assert set(lw.schema()["$defs"]["joints.Hinge"]["properties"]) == {
            "type",
            "on",
            "to",
            "play",
            "side",
            "active",
            "cut",
            "locked",
        }
    finally:
        del lw.Joint.kinds["Hinge"]
