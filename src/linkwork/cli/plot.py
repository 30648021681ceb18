"""Plot named series of a result, or of the motion that a model file asks for."""

from __future__ import annotations

from linkwork.cli import motion

HELP = "plot series of a model file or a result over time (png, svg, pdf)"


def arguments(parser) -> None:
    """Declare the options."""
    motion.add_motion(parser)
    parser.add_argument(
        "--show", action="append", default=[], metavar="NAME", help='a series, "A.angle" (may be repeated)'
    )
    motion.add_output(parser, "_plot.png", "a picture, .png, .svg or .pdf")


def run(options, out) -> int:
    """Do it."""
    path = motion.target(options, options.file, "_plot.png", motion.PICTURES)
    result = motion.motion(options, options.file)
    result.plot(*result.scalars(options.show or []), file=path)
    out.say(f"written to {path}")
    return 0
