"""Errors in the words of the command line."""

import pytest

from linkwork import gallery, write
from linkwork.cli import main
from linkwork.cli.words import spoken

KNOWN = {"hold", "actuator", "over", "start", "near"}


@pytest.mark.parametrize(
    ("python", "command"),
    [
        ("give hold=['A.angle', 'B.angle'] to hold it", "give --hold A.angle --hold B.angle to hold it"),
        ("name the actuators, actuators=[...]; where", "name the actuators, --actuator NAME; where"),
        ("names to move, over={name: (from, to, count)}.", "names to move, --over NAME=FROM,TO,COUNT."),
        ('give over={"A.angle": (from, to, count)}', "give --over A.angle=FROM,TO,COUNT"),
        ("by start= or near=; else", "by --start or --near; else"),
        ("m.equilibrium() finds where", "linkwork equilibrium finds where"),
        ("choose by near={...}, or by start='rest'", "choose by --near NAME=VALUE, or by --start rest"),
        ("leave out every=.", "leave out every=."),  # the command has none
        ('or method="evolution"', 'or method="evolution"'),
        ("give weights=['x'] and start=3", "give weights=['x'] and start=3"),
    ],
)
def test_arguments_become_options(python, command):
    assert spoken(python, KNOWN) == command


def test_a_command_advises_its_own_options(tmp_path, capsys):
    file = tmp_path / "pendulum.yaml"
    write(gallery.pendulum(), file)
    assert main(["statics", str(file), "--start", "A.angle=0.3"]) != 0
    told = capsys.readouterr().err
    assert "--hold rod.angle" in told and "linkwork equilibrium" in told
    assert "hold=" not in told and "m." not in told.replace("pendulum.yaml", "")
