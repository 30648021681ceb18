"""Errors of analyses in the words of the command line: options instead of arguments, commands instead of methods."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection

#: arguments whose option has another name
OPTIONS = {"actuators": "actuator", "weights": "weight"}
#: methods that are commands
METHODS = ("assemble", "check", "equilibrium", "equilibria", "evaluate", "kinematics", "modes", "statics", "steady")
#: what a limit says of its error, before "allow more"
REACHED = "What was reached is in the .result of this error; a"


def spoken(text: str, known: Collection[str]) -> str:
    """A message with `hold=["A.angle"]` as `--hold A.angle`, where the command has that option (`known`)."""

    def option(argument: str) -> str | None:
        name = OPTIONS.get(argument, argument)
        return f"--{name.replace('_', '-')}" if name in known else None

    def listed(found: re.Match) -> str:
        flag = option(found[1])
        if flag is None:
            return found[0]
        if found[2] == "[...]":
            return f"{flag} NAME"
        return " ".join(f"{flag} {name}" for name in ast.literal_eval(found[2]))

    def ranged(found: re.Match) -> str:
        flag = option(found[1])
        if flag is None:
            return found[0]
        ends = ",".join(part.strip().upper() for part in found[3].split(","))
        return f"{flag} {found[2].strip(chr(34)) if found[2] != 'name' else 'NAME'}={ends}"

    def bare(found: re.Match) -> str:
        return option(found[1]) or found[0]

    names = r"""\[(?:'[^'\]]*'|"[^"\]]*"|, )+\]|\[\.\.\.\]"""
    text = re.sub(rf"\b(\w+)=({names})", listed, text)
    text = re.sub(r"""\b(\w+)=\{("[^"]*"|name): \((\w+(?:, \w+)+)\)\}""", ranged, text)
    text = re.sub(r"""\b([a-z_]+)=(?=[\s,.;:)]|$)""", bare, text)
    text = text.replace(REACHED, "A")  # it was printed
    return re.sub(rf"\bm\.({'|'.join(METHODS)})\(\)", r"linkwork \1", text)
