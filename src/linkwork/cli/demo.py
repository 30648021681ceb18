"""A four-bar with a spring, from its description to its forces: what Linkwork does, in one page.

Writes results, pictures and a page that plays into a folder, demo_output unless said.
"""

from __future__ import annotations

import math
from pathlib import Path

from linkwork.cli import model
from linkwork.errors import LinkworkError

HELP = "what Linkwork does, on a four-bar; writes results, pictures and a page"
START = {"A.angle": math.radians(60)}  # held exactly
NEAR = {"coupler.angle": math.radians(30), "rocker.angle": math.radians(95)}  # chooses the open branch
SERIES = ("A.angle", "D.angle", "spring.tension", "energy.kinetic", "energy.potential", "energy.total")


def arguments(parser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--output",
        "-o",
        metavar="FOLDER",
        type=Path,
        default=Path("demo_output"),
        help="where to write results, pictures and the page (demo_output)",
    )


def run(options, out) -> int:
    """Do it."""
    import linkwork as lw

    options.output.mkdir(parents=True, exist_ok=True)
    model.check_writable(options.output / "four_bar.csv")
    m = lw.gallery.four_bar()
    out.title("What is it?")
    out.say(m.check(start=START, near=NEAR))

    out.title("How does it go together?")
    out.say(m.assemble(start=START, near=NEAR))

    out.title("How does it move?")
    result = m.simulate(10, every=0.01, start=START, near=NEAR)
    out.say(result)

    _forces(m, result, out)
    _energies(result, out)
    agree = _twice(m, result, out)
    _files(result, options.output, out)
    if not agree:
        return out.fail("The two ways to the same accelerations disagree.", 1)
    return 0


def _forces(m, result, out) -> None:
    out.title("What do the joints carry?")
    rows = []
    for joint in m.joints:
        force = result.reaction(joint).force
        size = (force * force).sum(axis=1) ** 0.5
        k = int(size.argmax())
        angle = math.degrees(result["A.angle"][k]) % 360
        rows.append((joint, f"{size[k]:.3f}", f"{result.t[k]:.2f}", f"{angle:.1f}"))
    out.table(("joint", "largest force [N]", "at t [s]", "at crank angle [deg]"), rows)


def _energies(result, out) -> None:
    out.title("Where does the energy go?")
    energy = result.energy
    k = int(energy.kinetic.argmax())
    series = {"kinetic": energy.kinetic, "gravity": energy.gravity, **energy.by_element, "total": energy.total}
    out.table(
        ("[J]", "at the start", f"at {result.t[k]:.2f} s"),
        [(name, f"{values[0]:.6f}", f"{values[k]:.6f}") for name, values in series.items()],
    )
    out.say(f"  not accounted for after 10 s: {abs(energy.balance[-1]):.1e} J")


def _twice(m, result, out) -> bool:
    """The same accelerations by the textbook's equations."""
    import linkwork as lw

    out.title("Is it right?")
    out.say("  The same state through the textbook's dense equations (Nikravesh, augmented form),")
    out.say("  which share no code with the compiled kernels:")
    state = result.at(1.0)
    names = [f"{body}.{q}" for body in m.bodies for q in ("x", "y", "angle")]
    numbers = {name + end: state[name + end] for name in names for end in ("", ".rate")}
    book = lw.textbook.planar_bridge.from_mechanism(m, numbers)
    theirs, _ = lw.textbook.planar.augmented(book, state.t, book.c, book.cd)
    ours = [state[f"{name}.acceleration"] for name in names]
    difference = max(abs(one - other) for one, other in zip(ours, theirs))
    largest = max(map(abs, ours))
    out.say(f"  largest acceleration {largest:.3f}, largest difference {difference:.1e}")
    return bool(difference <= 1e-9 * largest)


def _files(result, folder: Path, out) -> None:
    out.title("Files")
    for name, what in (
        ("four_bar.nc", "all series with units, for xarray and linkwork.load"),
        ("four_bar.csv", "the same for a spreadsheet; units are in four_bar.csv.json"),
    ):
        try:
            result.save(folder / name)
        except LinkworkError as error:
            out.say(f"  {name} was not written. {error}")
        else:
            _line(out, folder / name, what)
    try:
        result.plot(*SERIES, file=folder / "four_bar_motion.png")
        _line(out, folder / "four_bar_motion.png", "angles, spring force and energies over time")
        result.draw(0.0, file=folder / "four_bar.png", trace="coupler.tracer", ghosts=(0.5, 0.75, 1.0, 1.25))
        _line(out, folder / "four_bar.png", "the mechanism, the path of a coupler point, other positions")
    except ImportError as error:
        out.say(f"  No pictures: {error}")
    page = folder / "four_bar.html"
    result.page(page, plots=SERIES, trace="coupler.tracer")
    _line(out, page, "all of it moving")
    out.say(f"\nOpen {page.resolve().as_uri()} in a browser.")


def _line(out, path: Path, what: str) -> None:
    out.say(f"  {path!s:<36}  {what}")
