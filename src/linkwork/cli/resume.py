"""Go on with a long run that was begun by `linkwork run FILE --store FOLDER`: after Ctrl-C, a limit or a power cut.

It goes on from the last state that was written in the folder, to the same numbers as if it had never been stopped.  A
run that is finished is only told.
"""

from __future__ import annotations

from linkwork.cli import model, report
from linkwork.errors import AnalysisError, LinkworkError

HELP = "go on with a long run in a folder"


def arguments(parser) -> None:
    """Declare the options."""
    parser.add_argument("file", metavar="FOLDER", help="the folder of run --store")
    parser.add_argument("--most-steps", metavar="NUMBER", type=model.number("1"), help="stop after so many more steps")
    parser.add_argument("--most-seconds", metavar="TIME", type=model.number("s"), help="stop after computing so long")
    parser.add_argument("--checkpoint", metavar="TIME", type=model.number("s"), help="write at least that often (60 s)")
    report.add_report(parser)


def run(options, out) -> int:
    """Do it."""
    import linkwork as lw

    report.check_endings(options)
    report.check_writable(options)
    given = {key: getattr(options, key) for key in ("most_steps", "most_seconds", "checkpoint")}
    if _finished(options.file):
        out.say("This run was finished already.")
    try:
        result = lw.resume(options.file, **{key: value for key, value in given.items() if value is not None})
    except (AnalysisError, KeyboardInterrupt) as error:
        reached = getattr(error, "result", None)
        if reached is not None and len(reached.t):
            out.say(f"The run stopped at t = {reached.t[-1]:g} s; what was reached:")
            report.report(options, out, reached, False)
        raise
    report.report(options, out, result, True)
    return 0


def _finished(folder: str) -> bool:
    """Whether nothing is left to do; what is wrong with a folder is told by who resumes it."""
    import linkwork as lw

    try:
        return not lw.load(folder).ended.startswith(("not finished", "failed"))
    except (LinkworkError, OSError):
        return False
