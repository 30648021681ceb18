"""Write a film of a result, or of the motion that a model file asks for: .gif, .mp4, or .html, a page that plays."""

from __future__ import annotations

from linkwork.cli import model, motion

HELP = "a film of a model file or a result (gif, mp4, html)"


def arguments(parser) -> None:
    """Declare the options."""
    motion.add_motion(parser)
    motion.add_output(parser, ".gif", "a film, .gif, .mp4 or .html")
    parser.add_argument("--fps", metavar="NUMBER", type=model.number("1"), default=25.0, help="pictures a second (25)")
    parser.add_argument(
        "--speed", metavar="NUMBER", type=model.number("1"), help="seconds of the motion a second (1, or slower)"
    )
    motion.add_look(parser)


def run(options, out) -> int:
    """Do it."""
    path = motion.target(options, options.file, ".gif", motion.FILMS)
    result = motion.motion(options, options.file)
    result.animate(path, fps=options.fps, speed=options.speed, **motion.look(options))
    out.say(f"written to {path}")
    return 0
