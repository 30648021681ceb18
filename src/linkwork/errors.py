"""Errors that Linkwork raises, and the one form of their messages.

Every error is a `LinkworkError` and also the built-in error a Python programmer would expect, so both
`except linkwork.errors.LinkworkError` and `except ValueError` work:

    LinkworkError
      DescriptionError (ValueError)    what the user wrote cannot be right
        UnknownAttributeError (AttributeError)  an attribute that does not exist; the message says what may be meant
        UnknownNameError (KeyError)      a name that does not exist; the message gives the nearest ones
        ArgumentError (TypeError)        arguments that a call does not take, or misses
        OutOfPlaneError                  something leaves the plane of a 2-D mechanism
        UnitError                        a quantity with a unit that does not fit or is not known
        FileError                        a file that cannot be read; the message gives file and line
      CompileError (ValueError)        the parts are right but do not make a mechanism
        NotConnectedError                a body that nothing holds or moves as asked
      MissingPackageError (ImportError)  a package that only some things need is not installed
      AnalysisError (RuntimeError)     an analysis stopped; `.result` holds what was reached
        AssemblyError                    no position meets the joints and the start values
        ConvergenceError                 an iteration or a step size gave up
        RunLimitError                    a run reached most_steps or most_seconds
        SingularConfigurationError       the mechanism cannot be carried on from this position
            DeadCentreError              a driver cannot move it any further
        UserFunctionError                a law or function of the user failed

    LinkworkWarning (UserWarning)    something to look at; nothing stops
      BoundsWarning                    a search whose bounds do not have the present number between them
      KinkWarning                      drivers whose speed jumps
      MisfitWarning                    gears held apart or askew, bushings whose ends are
      MotionEndsWarning                a driven motion that cannot go on to its end
      MovedWarning                     declared or given places and speeds that had to move
      RedundancyWarning                constraints that follow from others: some reactions are not unique
      RunQualityWarning                a finished run whose numbers can hardly be right
      SearchWarning                    what a search found can hardly be used: not converged, limits not met, a poor fit
      SingularOrientationWarning       angles that cannot be told apart at this orientation
      SweepWarning                     designs of a sweep that could not be run, or are doubtful
      UncompiledWarning (RuntimeWarning)  slopes of a law that numba cannot compile
      UndeterminedWarning              numbers that recorded series do not determine
      UnlikelyAngleWarning             an angle that was hardly meant in radians
      UnlikelyDriverWarning            a driver that hardly does what was meant
      UnlikelyInertiaWarning           an inertia that hardly fits the size of its body
      UnlikelyJointWarning             a joint of space that is another one in the plane

A message reads: item, what is wrong, got, wanted, remedy. `message` builds it.

>>> try:
...     lw.bar(length=-1.0, mass=2.0)
... except lw.errors.DescriptionError as error:
...     print(error)
bar length is too small. Got -1.0; wanted more than 0.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import threading
import warnings
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

__all__ = [
    "AnalysisError",
    "ArgumentError",
    "AssemblyError",
    "BoundsWarning",
    "CompileError",
    "ConvergenceError",
    "DescriptionError",
    "FileError",
    "KinkWarning",
    "LinkworkError",
    "LinkworkWarning",
    "MisfitWarning",
    "MissingPackageError",
    "MotionEndsWarning",
    "MovedWarning",
    "NotConnectedError",
    "OutOfPlaneError",
    "RedundancyWarning",
    "RunLimitError",
    "RunQualityWarning",
    "SearchWarning",
    "SingularConfigurationError",
    "DeadCentreError",
    "SingularOrientationWarning",
    "SweepWarning",
    "UncompiledWarning",
    "UndeterminedWarning",
    "UnitError",
    "UnknownAttributeError",
    "UnknownNameError",
    "UnlikelyAngleWarning",
    "UnlikelyDriverWarning",
    "UnlikelyInertiaWarning",
    "UnlikelyJointWarning",
    "UserFunctionError",
    "command",
    "extra_package",
    "message",
    "nearest_names",
    "printable",
    "warn",
]

# Words and symbols of books and other programs, and what stands for them here where it is known.
_OTHER_WORDS = {
    "k": "stiffness", "c": "damping", "d": "damping", "l0": "rest_length", "free_length": "rest_length", "m": "mass",
    "i": "inertia", "j": "inertia", "l": "length", "r": "radius", "rho": "density", "g": "gravity", "dt": "every step",
    "tol": "rtol", "tolerance": "rtol", "t_end": "times duration", "tend": "times duration", "duration": "times",
    "solver": "method", "integrator": "method", "initial": "start", "y0": "start",
    "spring": "springdamper torsionspringdamper", "damper": "springdamper torsionspringdamper", "hinge": "revolute",
    "pin": "revolute", "slider": "prismatic", "translational": "prismatic", "ball": "spherical", "weld": "fixed",
    "rigid": "fixed", "motor": "driver", "motion": "driver", "actuator": "driver", "link": "bar", "model": "mechanism",
    "system": "mechanism", "multibody": "mechanism", "stop": "limit", "contact": "limit", "marker": "frame",
    "pointmass": "particle", "sine": "harmonic", "sin": "harmonic", "spline": "table", "quaternion": "orientation",
    "rotation": "orientation", "ndim": "dimension", "least": "lower", "min": "lower", "greatest": "upper",
    "max": "upper", "simulate": "run", "show": "page", "foot": "ft", "inch": "in", "pound": "lb",
}  # fmt: skip
# Names listed in full in an UnknownNameError; of more, this many are listed and the rest counted.
LISTED_NAMES = 12


def message(item: str, wrong: str, got: object = None, wanted: object = None, remedy: str | None = None) -> str:
    """Return one sentence per part: item and what is wrong, got, wanted, remedy.

    Parts that are None are left out. A string is put in as it stands (of a value: its `repr`), all else by `repr`.

        >>> message("Body 'crank'", "has a mass below zero", got=-1.0, wanted="a number >= 0")
        "Body 'crank' has a mass below zero. Got -1.0; wanted a number >= 0."
    """
    sentences = [_sentence(f"{item} {wrong}")]
    if got is not None and wanted is not None:
        sentences.append(_sentence(f"Got {_words(got)}; wanted {_words(wanted)}"))
    elif got is not None:
        sentences.append(_sentence(f"Got {_words(got)}"))
    elif wanted is not None:
        sentences.append(_sentence(f"Wanted {_words(wanted)}"))
    if remedy is not None:
        sentences.append(_sentence(remedy[:1].upper() + remedy[1:]))
    return printable(" ".join(sentences))


def printable(text: str, lines: bool = True) -> str:
    """The text as a terminal may be given it: what is not printable is written as an escape.

    The one filter for all that is shown: control characters and marks of direction could play with the terminal of
    whoever reads a stranger's file.  Ends of lines and tabs stay where there are `lines`.
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() or (lines and one in "\n\t") else _escape(one) for one in text)


def _escape(one: str) -> str:
    code = ord(one)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def command(*words: object) -> str:
    """A command for a message, quoted so that it can be copied to a shell, whatever its names consist of."""
    texts = [str(word) for word in words]
    if os.name == "nt":
        import subprocess

        return f"`{subprocess.list2cmdline(texts)}`"
    import shlex

    return f"`{shlex.join(texts)}`"


_HERE = threading.local()  # of a thread: `how` it warns, of which kinds, and where it is `noted`
#: how many warnings there were: what can be kept of an answer can only be kept where it said nothing
warned = 0


@contextlib.contextmanager
def warnings_are(how: str, *kinds: type[Warning]) -> Iterator[None]:
    """Have warnings "raised", or those of these kinds (Linkwork's, if none is named) taken as "told already".

    In this thread alone: filters are those of all threads.  What is raised outside is raised inside, too.
    """
    before = getattr(_HERE, "how", ("", ()))
    if before[0] != "raised":
        _HERE.how = how, (*before[1], *(kinds or (LinkworkWarning,)))
    try:
        yield
    finally:
        _HERE.how = before


@contextlib.contextmanager
def warnings_noted() -> Iterator[list[tuple[type[Warning], str]]]:
    """Have what is warned of written down, kind and words, and not told: whoever asked tells it, or asks elsewhere."""
    found: list[tuple[type[Warning], str]] = []
    before = getattr(_HERE, "how", ("", ())), getattr(_HERE, "noted", None)
    _HERE.how, _HERE.noted = ("", ()), found
    try:
        yield found
    finally:
        _HERE.how, _HERE.noted = before


def warn(text: str, category: type[Warning]) -> None:
    """Warn in the name of whoever called the package: the first line outside it is the one that is shown."""
    global warned
    how, kinds = getattr(_HERE, "how", ("", ()))
    if how == "raised":
        raise category(text)
    warned += 1
    if how == "told already" and issubclass(category, kinds):
        return
    noted = getattr(_HERE, "noted", None)
    if noted is not None:
        noted.append((category, printable(text)))
        return
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "linkwork":
        frame, level = frame.f_back, level + 1
    warnings.warn(printable(text), category, stacklevel=level)


def extra_package(name: str, item: str, extra: str, otherwise: str = "") -> Any:
    """A package that comes with an extra of Linkwork, imported; without it, an error that says how to get it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        remedy = f"install it: {command('pip', 'install', f'linkwork[{extra}]')}{otherwise}"
        raise MissingPackageError(
            message(item, f"needs the package '{name}', which cannot be imported ({error})", remedy=remedy)
        ) from error


def nearest_names(name: str, known: Iterable[str], count: int = 3) -> list[str]:
    """Return up to `count` of the `known` names that mean the same as `name`, look most like it or begin with it.

    The best come first; case is ignored.
    """
    by_folded: dict[str, list[str]] = {}
    for other in dict.fromkeys(map(str, known)):
        by_folded.setdefault(other.casefold(), []).append(other)
    import difflib  # where something is wrong already

    asked = str(name).casefold()
    meant = [word for word in _OTHER_WORDS.get(asked, "").split() if word in by_folded]
    alike = difflib.get_close_matches(asked, list(by_folded), n=4 * count, cutoff=0.6)
    close = difflib.get_close_matches(asked, alike, n=4 * count, cutoff=0.7)  # "tap" may be "tip", "rod" no "ground"
    near = [one for one in alike if one in close or abs(len(one) - len(asked)) < 2 or asked.startswith(one)]
    found = meant or near or [other for other in by_folded if len(asked) > 2 and other.startswith(asked)]
    return [other for folded in found for other in by_folded[folded]][:count]


def plural(number: int, word: str) -> str:
    """Return a number and its word, "1 freedom" or "3 freedoms", "2 bodies"."""
    return f"{number} {word if number == 1 else word[:-1] + 'ies' if word.endswith('dy') else word + 's'}"


def _sentence(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "?", "!")) else text + "."


def _place(where: str) -> str:
    """Return the place with a space before it and, where it has no preposition of its own, "in"."""
    if not where:
        return ""
    return f" {where}" if where.split()[0] in {"at", "in", "of", "on"} else f" in {where}"


def _words(value: object) -> str:
    return value if isinstance(value, str) else repr(value)


class LinkworkError(Exception):
    """Any error that Linkwork raises on purpose."""


class DescriptionError(LinkworkError, ValueError):
    """Something the user wrote in a mechanism, an argument or a file cannot be right."""


class UnknownAttributeError(DescriptionError, AttributeError):
    """An attribute that something does not have; the message says what is perhaps meant."""


class UnknownNameError(DescriptionError, KeyError, AttributeError):
    """A name that does not exist where it was looked for.

    Built from the kind of thing (`"body"`), the name, the names that do exist and, if useful, the place
    (`"mechanism 'four-bar'"` or, with a preposition, `"on body 'crank'"`). All are kept as attributes;
    `nearest` holds the suggestions.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str] = (), where: str = "") -> None:
        self.kind = kind
        self.known = tuple(dict.fromkeys(map(str, known)))
        self.where = where
        # All four stay in args, so that copies and pickles are built the same way.
        super().__init__(kind, name, self.known, where)

    @property
    def name(self) -> Any:  # others who pickle errors forget the one of AttributeError
        """The name that was asked for."""
        return self.args[1]

    @name.setter
    def name(self, other: Any) -> None:
        """Python writes here what it looked for; that is known already."""

    @cached_property
    def nearest(self) -> tuple[str, ...]:
        """Names that are perhaps meant; Python itself asks for many names that nobody will be told of."""
        return tuple(nearest_names(str(self.name), self.known))

    def __str__(self) -> str:
        """Return the message itself; KeyError alone would show the repr of its argument."""
        place = _place(self.where)
        sentences = [f"There is no {self.kind} {self.name!r}{place}."]
        if self.nearest:
            sentences.append(f"Nearest: {', '.join(map(repr, self.nearest))}.")
        if not self.known:
            sentences.append(f"No {self.kind} is known there.")
        else:
            shown = ", ".join(map(repr, self.known[:LISTED_NAMES]))
            more = len(self.known) - LISTED_NAMES
            sentences.append(f"Known: {shown}{f' and {more} more' if more > 0 else ''}.")
        return " ".join(sentences)


class ArgumentError(DescriptionError, TypeError):
    """Arguments that a call does not take, or that it misses; the message names those that there are."""


class OutOfPlaneError(DescriptionError):
    """A part, axis or joint that leaves the plane of a 2-D mechanism."""


class UnitError(DescriptionError):
    """A unit that is not known, or does not fit the quantity it was given for."""


class FileError(DescriptionError):
    """A file that cannot be read or is not what it should be; the message begins with file and line.

    `.problems` holds all that was found, each with `file`, `line`, `column`, `message` and the `text` of the line.
    """

    def __init__(self, *args: Any, problems: Iterable[Any] = ()) -> None:
        super().__init__(*args)
        self.problems = tuple(problems)


class CompileError(LinkworkError, ValueError):
    """The parts are valid one by one, but together they do not make a mechanism that can be analysed."""


class NotConnectedError(CompileError):
    """A body or frame that is not connected to the rest as the analysis needs."""


class MissingPackageError(LinkworkError, ImportError):
    """A package that only some things need is not installed; the message says how to get it."""


class AnalysisError(LinkworkError, RuntimeError):
    """An analysis stopped before its end; `.result` holds what was reached, or None."""

    def __init__(self, *args: Any, result: Any = None) -> None:
        super().__init__(*args)
        self.result = result


class AssemblyError(AnalysisError):
    """No position or velocity meets the joints, the drivers and the values held at the start.

    `.conflict` names items that cannot all be met, while without any one of them the others can; it may be empty.
    """

    def __init__(self, *args: Any, result: Any = None, conflict: Iterable[str] = ()) -> None:
        super().__init__(*args, result=result)
        self.conflict = tuple(conflict)


class ConvergenceError(AnalysisError):
    """An iteration did not converge, or the step became too small."""


class RunLimitError(AnalysisError):
    """A run needed more steps, or more time, than it was allowed to (`most_steps`, `most_seconds`)."""


class SingularConfigurationError(AnalysisError):
    """The mechanism is at, or ran into, a position from which it cannot be carried on."""


class DeadCentreError(SingularConfigurationError):
    """A driver pushed the mechanism into a dead centre, from where it cannot move it further; `.time` says when."""

    def __init__(self, *args: Any, result: Any = None, time: float = float("nan")) -> None:
        super().__init__(*args, result=result)
        self.time = time


class UserFunctionError(AnalysisError):
    """A law or function given by the user raised, or returned something that is not a finite number."""


class LinkworkWarning(UserWarning):
    """Any warning that Linkwork gives: something to look at, while the work goes on."""


class KinkWarning(LinkworkWarning):
    """A driver whose speed jumps, so that velocities do; or a function with too many kinks to step on all of them."""


class BoundsWarning(LinkworkWarning):
    """A search between bounds that do not have the present number between them: it begins in the middle."""


class MisfitWarning(LinkworkWarning):
    """A gear or belt whose bodies are held in another way than it wants, or a bushing or spring hardly meant so."""


class MovedWarning(LinkworkWarning):
    """A declared or given place or speed had to move so that the mechanism goes together; the message says how far."""


class MotionEndsWarning(LinkworkWarning):
    """A driven motion ends before all that was asked for: its mechanism cannot be moved further."""


class RedundancyWarning(LinkworkWarning):
    """Constraints that follow from others and fit them: the motion is right, but some reactions are not unique."""


class RunQualityWarning(LinkworkWarning):
    """A run that came to its end and yet cannot be trusted: its energy does not balance, its constraints are not kept,
    it began in a singular position, or its tolerance allows anything; or an evaluation next to a singular position.
    """


class SearchWarning(LinkworkWarning):
    """A search that did not converge or meet its limits, or a fit that explains little or tells errors too small."""


class SingularOrientationWarning(LinkworkWarning):
    """Three angles were asked for where two of them turn about the same axis, so that only their sum is known."""


class SweepWarning(LinkworkWarning):
    """Designs of a sweep that could not be run, with the reason in `failed`, or that had something to warn of, which is
    in `doubts`: how many they are, and what the first one said.
    """


class UncompiledWarning(LinkworkWarning, RuntimeWarning):
    """Slopes of a law that numba cannot compile: stiff methods find them by differences, which is slower."""


class UndeterminedWarning(LinkworkWarning):
    """Numbers that were asked for, and that what was recorded does not determine: they may be anything."""


class UnlikelyAngleWarning(LinkworkWarning):
    """A plain number for an angle, which is in radians, that looks like degrees."""


class UnlikelyDriverWarning(LinkworkWarning):
    """A driver that hardly does what was meant: a number that holds an angle, where a speed was in mind."""


class UnlikelyInertiaWarning(LinkworkWarning):
    """An inertia that a body of this mass and size can hardly have; most often a unit is wrong."""


class UnlikelyJointWarning(LinkworkWarning):
    """A joint made for space that is another joint in the plane."""
