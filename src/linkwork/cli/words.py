"""Errors of analyses in the words of the command line: options instead of arguments, commands instead of methods."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection

from linkwork.errors import command

#: arguments whose option has another name
OPTIONS = {"actuators": "actuator", "weights": "weight"}
#: methods that are commands
METHODS = ("assemble", "check", "equilibrium", "equilibria", "evaluate", "kinematics", "modes", "statics", "steady")
#: calls that are commands
CALLS = {
    "read it by lw.load(folder)": "look at it by linkwork plot FOLDER",
    "lw.load(folder) reads": "linkwork plot FOLDER shows",
    "lw.resume(folder)": "linkwork resume FOLDER",
}
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

    def valued(found: re.Match, value: str) -> str:
        flag = option(found[1])
        return found[0] if flag is None else f"{flag} {value}"

    names = r"""\[(?:'[^'\]]*'|"[^"\]]*"|, )+\]|\[\.\.\.\]"""
    text = re.sub(rf"\b(\w+)=({names})", listed, text)
    text = re.sub(r"""\b(\w+)=\{("[^"]*"|name): \((\w+(?:, \w+)+)\)\}""", ranged, text)
    text = re.sub(r"""\b([a-z_]+)=\{\.\.\.\}""", lambda found: valued(found, "NAME=VALUE"), text)
    text = re.sub(r"""\b([a-z_]+)=(?:"(\w+)"|'(\w+)')""", lambda found: valued(found, found[2] or found[3]), text)
    text = re.sub(r"""\b([a-z_]+)=(?=[\s,.;:)]|$)""", bare, text)
    text = text.replace(REACHED, "A")  # it was printed
    for call, words in CALLS.items():
        text = text.replace(call, words)
    return re.sub(rf"\bm\.({'|'.join(METHODS)})\(\)", r"linkwork \1", text)


def going_on(text: str, folder: str | None) -> str:
    """What a result says of its end, with the command that goes on with the run in `folder`, if there is one."""
    text = re.sub(r"; start=run\.final goes on from t = \S+ s", "", text)
    resume = command("linkwork", "resume", folder) if folder else ""
    return re.sub(r"lw\.resume\(.*\) goes on", lambda _: f"{resume} goes on", text) if folder else text
