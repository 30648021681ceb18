"""Write a page that plays: one HTML file for a browser, offline, of a model file or a result; several side by side."""

from __future__ import annotations

from linkwork.cli import model, motion

HELP = "a page that plays a model file or a result, in one HTML file"


def arguments(parser) -> None:
    """Declare the options."""
    motion.add_motion(parser, several=True)
    motion.add_output(parser, ".html", "a page, .html")
    parser.add_argument(
        "--show", action="append", default=[], metavar="NAME", help='a series to plot, "A.angle" (may be repeated)'
    )
    parser.add_argument(
        "--speed", metavar="NUMBER", type=model.number("1"), help="seconds of the motion a second (1, or slower)"
    )
    parser.add_argument("--play", action="store_true", help="play at once")
    motion.add_look(parser)


def run(options, out) -> int:
    """Do it."""
    import linkwork as lw

    path = motion.target(options, options.files[0], ".html", motion.PAGES)
    runs = [motion.motion(options, file) for file in options.files]
    lw.page(runs, path, plots=options.show, speed=options.speed, play=options.play, **motion.look(options))
    out.say(f"written to {path}; open it in a browser")
    return 0
