"""The command line: `linkwork COMMAND ...`, also `python -m linkwork`.

One file a command, each with `HELP`, `arguments(parser)` and `run(options, out)`.  Exit status 0: done; 1: the answer
is no (it cannot be assembled, a run failed); 2: the input cannot be right.  Nothing heavy is imported before a command
needs it, so that `--help` is quick.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import sys
import warnings
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

from linkwork import __version__
from linkwork.cli.output import Output
from linkwork.cli.words import spoken
from linkwork.errors import AnalysisError, LinkworkError, LinkworkWarning, command, nearest_names, printable

COMMANDS = (
    "run",
    "resume",
    "check",
    "assemble",
    "evaluate",
    "kinematics",
    "range",
    "inverse-dynamics",
    "energy-motion",
    "equilibrium",
    "equilibria",
    "steady",
    "statics",
    "modes",
    "linearize",
    "frequency-response",
    "sweep",
    "optimize",
    "fit",
    "verify",
    "draw",
    "plot",
    "animate",
    "page",
    "check-result",
    "gallery",
    "demo",
    "fmt",
    "convert",
    "schema",
    "info",
    "bench",
)

OK, NO, BAD = 0, 1, 2
INTERRUPTED = 130

EXAMPLES = """examples:
  linkwork demo                                   see what it does
  linkwork gallery four_bar --write .             a model file to start from
  linkwork check four_bar.yaml                    freedom, loops, redundant constraints
  linkwork draw four_bar.yaml                     a picture of it
  linkwork page four_bar.yaml                     its motion in a page for the browser
  linkwork run four_bar.yaml                      what the file's analysis says
  linkwork run four_bar.yaml --duration 10 --every 0.01 --start "A.angle=60 deg" --output motion.nc --plot motion.png

exit status: 0 done, 1 the answer is no (cannot be assembled, a run failed), 2 the input cannot be right"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    if arguments is not None:
        return _run(arguments)
    gc.set_threshold(200_000, 20, 20)  # a process of its own: hardly anything that is loaded at its start is garbage
    status = _run(sys.argv[1:])
    gc.freeze()  # and nobody need look for garbage at its end, which takes half as long as numpy's import
    return status


def _run(arguments: Sequence[str]) -> int:
    try:
        parser = _parser(tuple(arguments[:1]) if arguments and arguments[0] in COMMANDS else COMMANDS)
        options = _parsed(parser, arguments)
        if options.command is None:  # nothing was asked for: what can be
            parser.print_help()
            return OK
    except SystemExit as done:  # argparse has printed help, the version, or what is wrong
        return done.code if isinstance(done.code, int) else BAD
    as_json, quiet, verbose = (bool(getattr(options, name, False)) for name in ("json", "quiet", "verbose"))
    out = Output(as_json, quiet, verbose, vars(options))
    try:
        with _short_warnings(vars(options)):
            return _command(options.command).run(options, out)
    except AnalysisError as error:
        return out.fail(error, NO)
    except LinkworkError as error:
        return out.fail(error, BAD)
    except BrokenPipeError:  # whoever reads, a pager perhaps, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return out.fail(f"{where}{error.strerror or error}", BAD)
    except ImportError as error:
        return out.fail(
            f"A package is missing: {error}. Install it, or all that Linkwork can use: "
            f"{command('pip', 'install', 'linkwork[all]')}.",
            BAD,
        )
    except KeyboardInterrupt:
        return out.fail("Interrupted.", INTERRUPTED)
    except Exception as error:
        if out.verbose:
            raise
        return out.fail(
            f"This is a mistake in Linkwork, not in your input ({type(error).__name__}: {error}). "
            "Please report it; -v shows where.",
            NO,
        )


def _parsed(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> argparse.Namespace:
    """The options; what is left over is told by its command, with the option that was perhaps meant."""
    first = next(iter(arguments), "")
    if not first.startswith("-") and first and first not in COMMANDS:
        nearest = ", ".join(nearest_names(first, COMMANDS))
        words = f"there is no command '{first}'" + (f"; nearest: {nearest}" if nearest else "")
        parser.error(f"{words} ({command('linkwork', '--help')} lists all)")
    options, left = parser.parse_known_args(arguments)
    if not left:
        return options
    if options.command is None:
        parser.error(
            f"does not know {' '.join(left)}; a command comes first ({command('linkwork', '--help')} lists all)"
        )
    words, first = f"does not know {' '.join(left)}", left[0].partition("=")[0]
    known = [name for action in options.parser._actions for name in action.option_strings]
    if near := nearest_names(first, known) if first.startswith("-") else []:
        words += f"; nearest: {', '.join(near)}"
    elif "--show" in known:
        words += f"; a series is asked for by --show {first}"
    elif "--name" in known:
        words += f"; the quantity is asked for by --name {first}"
    return options.parser.error(f"{words} ({command('linkwork', options.command, '--help')} lists all)")


@contextmanager
def _short_warnings(options: Collection[str]) -> Iterator[None]:
    """Warnings in words alone, those of commands: which line of this program gave them says nothing to who uses it."""
    usual = warnings.formatwarning

    def short(message, category, filename, lineno, line=None) -> str:
        if not issubclass(category, LinkworkWarning):
            return usual(message, category, filename, lineno, line)
        return f"linkwork: {category.__name__}: {printable(spoken(str(message), options))}\n"

    warnings.formatwarning = short
    try:
        yield
    finally:
        warnings.formatwarning = usual


def _command(name: str):
    return importlib.import_module(f"linkwork.cli.{name.replace('-', '_')}")


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """What is wrong with the arguments, which may be names of a stranger's files."""
        super().error(printable(message))


def _parser(names: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """The parser of these commands: one that is asked for by name needs no other."""
    parser = _Parser(
        prog="linkwork",
        description="Multibody dynamics: mechanisms from files, checked, assembled, simulated.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"linkwork {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", prog="linkwork")  # else a page of help is made
    for name in names:
        command = _command(name)
        one = commands.add_parser(
            name, help=command.HELP, description=command.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        command.arguments(one)
        one.set_defaults(parser=one)
        loud = one.add_mutually_exclusive_group()
        loud.add_argument("-q", "--quiet", action="store_true", help="print only errors, and what --json prints")
        loud.add_argument("-v", "--verbose", action="store_true", help="print more")
    return parser
