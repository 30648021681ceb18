"""Draw a mechanism as a textbook would: a model file as it is assembled, a result or a motion at a time.

A model file is only assembled, unless --t, --trace, --ghosts or --duration ask for its motion.
"""

from __future__ import annotations

from linkwork.cli import model, motion

HELP = "draw a model file, or a result at a time (png, svg, pdf)"


def arguments(parser) -> None:
    """Declare the options."""
    motion.add_motion(parser)
    motion.add_output(parser, ".png", "a picture, .png, .svg or .pdf")
    when = "the time of the motion that is drawn (its first)"
    parser.add_argument("--t", metavar="TIME", dest="when", type=model.number("s"), help=when)
    motion.add_look(parser)
    parser.add_argument("--ghosts", metavar="NUMBER", type=int, default=0, help="so many other positions")
    parser.add_argument("--frames", action="store_true", help="axes of the frames of joints")


def run(options, out) -> int:
    """Do it."""
    path = motion.target(options, options.file, ".png")
    given = motion.look(options) | {"frames": options.frames}
    if (
        options.when is None
        and not (options.trace or options.ghosts or options.duration is not None)
        and not motion.is_result(options.file)
    ):
        mechanism, analysis = model.open_model(options)
        start = model.start_options(options, analysis)
        start.pop("t", None)
        mechanism.draw(file=path, **start, **given)
    else:
        result = motion.motion(options, options.file)
        result.draw(options.when, file=path, ghosts=options.ghosts, **given)
    out.say(f"written to {path}")
    return 0
