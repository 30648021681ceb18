"""What commands that show something share: a motion from a model file or a result file, and where the picture goes."""

from __future__ import annotations

import argparse
import inspect
from pathlib import Path
from typing import Any

from linkwork.cli import model
from linkwork.errors import DescriptionError, FileError, command, message

PASSED_ON = (
    *("every", "method", "rtol", "atol", "step"),
    *("constraints", "alpha", "beta", "most_steps", "most_seconds", "until", "events"),
)
RESULTS = (".nc", ".nc4", ".csv", ".parquet", ".json")
PAGES = (".html", ".htm")
PICTURES = (
    *(".png", ".svg", ".svgz", ".pdf", ".jpg", ".jpeg", ".webp", ".tif", ".tiff"),
    *(".eps", ".ps", ".pgf", ".raw", ".rgba"),
)
FILMS = (".gif", ".mp4", ".html")
OUTPUTS = 500  # of a motion whose file says nothing about them


def add_motion(parser, several: bool = False) -> None:
    """The file or files, how long, and from where."""
    words = "a model file (.yaml, .json), gallery:NAME, or a result (.nc, .csv, .json, .parquet, a folder)"
    parser.add_argument(*(("files",) if several else ("file",)), metavar="FILE", help=words, **_plus(several))
    model.add_set(parser)
    model.add_times(parser)
    model.add_start(parser, t=False)


def _plus(several: bool) -> dict[str, Any]:
    return {"nargs": "+"} if several else {}


def add_output(parser, ending: str, words: str) -> None:
    """Where the picture goes."""
    parser.add_argument(
        "--output", "-o", metavar="FILE", type=Path, help=f"what to write: {words} (the name of FILE with {ending})"
    )


def add_look(parser) -> None:
    """What is drawn of it."""
    parser.add_argument(
        "--trace", action="append", default=[], metavar="NAME", help='draw the path of a point, "coupler.tracer"'
    )
    parser.add_argument(
        "--arrows", action="append", default=[], metavar="KIND", help="velocity, force or reaction (may be repeated)"
    )
    parser.add_argument("--view", metavar="VIEW", type=_view, help='in space: front, side, top, or angles "-40,20"')


def _view(text: str) -> str | tuple[float, float]:
    if "," not in text:
        return text
    try:
        azimuth, elevation = (float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f'{text!r} is no view, such as "front" or "-40,20"') from None
    return azimuth, elevation


def look(options) -> dict[str, Any]:
    """Options of drawings, films and pages, as far as they were given."""
    found = {"trace": options.trace, "arrows": options.arrows, "view": options.view}
    return {key: value for key, value in found.items() if value}


def target(options, file: str, ending: str, endings: tuple[str, ...] = ()) -> Path:
    """The file to write: as asked for, or named after what is read, which then must not replace anything."""
    path = options.output or Path(stem(file) + ending)
    if endings:
        check_ending(path, endings)
    if options.output is None and path.exists():
        again = command("linkwork", options.command, file, "--output", path)
        raise FileError(message(f"{path}:", "is already there", remedy=f"{again} replaces it"))
    model.check_writable(path)
    return path


def check_ending(path: Path, endings: tuple[str, ...]) -> None:
    """Raise unless a file has one of these endings, before the work is done that it is for."""
    if path.suffix.lower() not in endings:
        raise FileError(message(f"{path}:", "has an ending that does not fit", repr(path.suffix), ", ".join(endings)))


def files_to_write(given: Any, endings: tuple[str, ...]) -> list[Path]:
    """The files of an option, none, one or several, once it is known that they fit and can be written."""
    paths = [] if given is None else [Path(one) for one in given] if isinstance(given, list) else [given]
    for path in paths:
        check_ending(path, endings)
    model.check_writable(*paths)
    return paths


def stem(file: str) -> str:
    """A name for files that belong to a model file, to a result, or to one of the gallery."""
    return Path(file.removeprefix("gallery:")).stem


def is_result(file: str | Path) -> bool:
    """Whether a file is a result, by its ending, for .json by how it begins."""
    path = Path(file)
    if path.is_dir():  # of a long run
        return True
    if path.suffix.lower() != ".json":
        return path.suffix.lower() in RESULTS
    with open(path, "rb") as opened:
        return b'"linkwork_result"' in opened.read(200)


def motion(options, file: str) -> Any:
    """The result in a file, or that of the motion which a model file asks for."""
    import linkwork as lw

    if is_result(file):
        _refused(options, file)
        return lw.load(file)
    mechanism, analysis = model.open_model(options, file)
    kind = analysis.pop("type", "simulate")
    many = lw.known_analyses()[kind].answers == "designs"
    if many:  # the present one of them is shown
        analysis = {key: value for key, value in analysis.items() if key not in of_designs(kind)}
    given = simulate_options(options, file, analysis if many or kind == "simulate" else {})
    times = given.pop("times")
    if isinstance(times, (int, float)):
        given.setdefault("every", float(times) / OUTPUTS)
    return mechanism.simulate(times, **given)


def _refused(options, file: str) -> None:
    """A result has its motion: options that would change it are not passed over."""
    for key in ("duration", "every", "start", "near", "set"):
        if getattr(options, key, None):
            raise DescriptionError(
                message(f"{file}:", f"is a result, which --{key} cannot change", remedy="give the model file instead")
            )


def of_designs(kind: str) -> list[str]:
    """What an analysis of many designs has besides the options of its runs."""
    import linkwork as lw

    own = inspect.signature(getattr(lw, lw.known_analyses()[kind].function)).parameters.values()
    return [one.name for one in own if one.kind is not one.VAR_KEYWORD and one.name not in ("mechanism", "times")]


def run_options(options, analysis: dict[str, Any], without: tuple[str, ...] = ()) -> dict[str, Any]:
    """Arguments of `simulate` but its times: the file's, with those of the command line over them."""
    given = {key: value for key, value in analysis.items() if value is not None}
    passed = [key for key in PASSED_ON if key not in without]
    given.update({key: value for key in passed if (value := getattr(options, key, None)) is not None})
    given.update(model.start_options(options, analysis) | model.set_options(options, analysis))
    return given


def options_of(options, kind: str, analysis: dict[str, Any], without: tuple[str, ...] = ()) -> dict[str, Any]:
    """Arguments of an analysis that is asked about many designs."""
    import linkwork as lw

    known = lw.known_analyses().get(kind)
    if known is None or known.answers == "series":
        return simulate_options(options, options.file, analysis, without)
    return model.rest_options(options, analysis)


def simulate_options(options, file: str, analysis: dict[str, Any], without: tuple[str, ...] = ()) -> dict[str, Any]:
    """Arguments of `simulate`: the file's, with those of the command line over them."""
    given = run_options(options, analysis, without)
    times: Any = given.pop("times", None)
    duration = given.pop("duration", None)
    if options.duration is not None:
        times, duration = None, options.duration
    elif options.every is not None and times is not None:
        given.setdefault("t", times[0])
        times, duration = None, float(times[-1]) - float(times[0])
    given["times"] = (
        times
        if times is not None
        else model.required(
            duration,
            file,
            "says nothing about how long to run",
            "give --duration, or an analysis in the file: `analysis: {type: simulate, duration: 10, every: 0.01}`",
        )
    )
    return given
