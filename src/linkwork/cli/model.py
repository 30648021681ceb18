"""What commands share: the model file, start values, and options that replace those of the file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from linkwork.errors import DescriptionError, extra_package, message

#: what files of an ending need, and the extra that it comes with
IN_TIME = ("duration", "times", "every", "t", "start", "near")  # what other motions in time take from a simulation
PACKAGES = {
    ".nc": ("h5netcdf", "io"),
    ".parquet": ("pyarrow", "io"),
    ".gif": ("PIL", "film"),
    ".mp4": ("imageio_ffmpeg", "film"),
} | dict.fromkeys((".png", ".svg", ".pdf", ".jpg", ".jpeg"), ("matplotlib", "plot"))


def add_file(parser) -> None:
    """The model file."""
    parser.add_argument("file", metavar="FILE", help="a model file (.yaml or .json), or gallery:NAME")
    add_set(parser)


def add_set(parser) -> None:
    """Other values for parameters of the file."""
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        type=named_value,
        help='another value for a parameter of the file, "L=300 mm" (may be repeated)',
    )


def add_json(parser) -> None:
    """The answer for machines."""
    parser.add_argument("--json", action="store_true", help="print the answer as JSON")


def add_start(parser, t: bool = True) -> None:
    """Start values, the branch, and the time of both."""
    parser.add_argument(
        "--start",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        type=named_value,
        help='hold a value at the start exactly, "A.angle=60 deg" (may be repeated)',
    )
    add_near(parser)
    if t:
        parser.add_argument("--t", metavar="TIME", type=number("s"), help="the time to assemble at")


def add_near(parser) -> None:
    """The branch."""
    parser.add_argument(
        "--near",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        type=named_value,
        help='choose the branch, "coupler.angle=30 deg" (may be repeated)',
    )


def add_times(parser, steps: bool = True) -> None:
    """How long; outputs at every step too, where there are steps."""
    parser.add_argument("--duration", metavar="TIME", type=number("s"), help='how long, "10" or "250 ms"')
    kind, words = (every, ', or "step"') if steps else (number("s"), "")
    parser.add_argument("--every", metavar="TIME", type=kind, help=f"time between outputs{words}")


def add_precision(parser, absolute: bool = False) -> None:
    """How exactly, and in which coordinates; of runs that are integrated the `absolute` error, too."""
    parser.add_argument("--rtol", metavar="NUMBER", type=number("1"), help="error allowed in a step (1e-8)")
    if absolute:
        parser.add_argument("--atol", metavar="NUMBER", type=number("1"), help="the same, absolute")
    add_set_of_coordinates(parser)


def add_set_of_coordinates(parser) -> None:
    """In which coordinates."""
    parser.add_argument("--coordinates", metavar="NAME", help="auto (the faster ones), body, joint or point")
    parser.add_argument(
        "--basis",
        action="append",
        metavar="BODY=POINT,POINT",
        type=_basis,
        help='with --coordinates point: points that a body goes along, "coupler=a,b" (may be repeated)',
    )


def add_method(parser) -> None:
    """The integrator."""
    parser.add_argument(
        "--method",
        metavar="NAME",
        help="auto (the usual one), dop853, dopri5, radau (stiff), radau_soft (stiff and large), rkc (strong damping) "
        "or rk4 (with --step)",
    )


def add_workers(parser) -> None:
    """Who shares the runs."""
    parser.add_argument("--workers", metavar="NUMBER", type=int, default=1, help="runs at the same time (1)")
    parser.add_argument("--processes", action="store_true", help="workers are processes, not threads")


def _basis(text: str) -> tuple[str, list[str]]:
    body, equals, points = text.partition("=")
    names = [one.strip() for one in points.split(",")]
    if not equals or not body.strip() or not all(names):
        raise argparse.ArgumentTypeError(f'{text!r} is not BODY=POINT,POINT, such as "coupler=a,b"')
    return body.strip(), names


def set_options(options, analysis: dict[str, Any]) -> dict[str, Any]:
    """coordinates= and basis=, the file's with those of the command line over them."""
    coordinates = getattr(options, "coordinates", None) or analysis.get("coordinates")
    basis = {**(analysis.get("basis") or {}), **dict(getattr(options, "basis", None) or ())}
    return {key: value for key, value in (("coordinates", coordinates), ("basis", basis)) if value}


def named_value(text: str) -> tuple[str, float | str]:
    """NAME=VALUE; the value is a number in SI, or a quantity with its unit."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise argparse.ArgumentTypeError(f'{text!r} is not NAME=VALUE, such as "A.angle=60 deg"')
    return name.strip(), plain(value)


def by_name(pairs: list[tuple[str, Any]], flag: str) -> dict[str, Any]:
    """Values by name; a name that was given twice is refused."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise DescriptionError(message(flag, "was given twice for one name", twice, "each name once"))
    return found


def plain(text: str) -> float | str:
    """A number in SI, or a quantity with its unit as it is written."""
    try:
        return float(text)
    except ValueError:
        return text.strip()


def add_over(parser, form: str = "NAME=FROM,TO,COUNT", words: str = "what is moved (may be repeated)") -> None:
    """Ranges of what is moved."""
    size = form.count(",") + 1
    example = f'"A.angle={",".join(("0", "360 deg", "361")[:size])}"'

    def span(text: str) -> tuple[str, list[float | str]]:
        name, equals, given = text.partition("=")
        parts = [named_value(f"{name}={one}")[1] for one in given.split(",")] if equals and given.strip() else []
        if len(parts) != size:
            raise argparse.ArgumentTypeError(f"{text!r} is not {form}, such as {example}")
        return name.strip(), parts

    parser.add_argument(
        "--over", action="append", default=[], metavar=form, type=span, help=f"{words}, such as {example}"
    )


def until(text: str) -> str | dict[str, str]:
    """What a run ends at: the name of an event, "rest", or NAME=VALUE."""
    name, equals, value = text.partition("=")
    return {name.strip(): value.strip()} if equals else text


def number(unit: str):
    """A reader of numbers in SI or with a unit, for argparse."""

    def read(text: str) -> float:
        from linkwork.errors import LinkworkError
        from linkwork.units import si

        try:
            return si(text, unit, "The option", "value")
        except LinkworkError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read


def every(text: str) -> float | str:
    """A time between outputs, or "step" for every step."""
    return text if text == "step" else number("s")(text)


def open_model(options, file: str | None = None) -> tuple[Any, dict[str, Any]]:
    """The mechanism of a file or of the gallery, and the analysis that the file asks for."""
    import linkwork as lw

    name = options.file if file is None else file
    path = lw.gallery.path(name.removeprefix("gallery:")) if name.startswith("gallery:") else Path(name)
    document = lw.read_document(path, parameters=dict(options.set))
    return document.mechanism, dict(document.analysis or {})


def open_for(options, kind: str) -> tuple[Any, dict[str, Any]]:
    """The mechanism of a file, and what the file says about this kind of analysis."""
    mechanism, analysis = open_model(options)
    return mechanism, analysis if analysis.pop("type", None) == kind else {}


def open_for_times(options, kind: str) -> tuple[Any, dict[str, Any]]:
    """The same for a motion in time: of a file that asks for a simulation, its times and where it starts."""
    mechanism, analysis = open_model(options)
    found = analysis.pop("type", None)
    led = getattr(options, "over", None) or getattr(options, "motion", None)
    if found == "simulate" and options.duration is None and not led:
        return mechanism, {key: analysis[key] for key in IN_TIME if key in analysis and analysis[key] != "step"}
    return mechanism, analysis if found == kind else {}


def start_options(options, analysis: dict[str, Any]) -> dict[str, Any]:
    """start=, near= and t= for an analysis: the file's, with those of the command line over them."""
    found: dict[str, Any] = {}
    for key in ("start", "near"):
        values = {**(analysis.get(key) or {}), **dict(getattr(options, key))}
        if values:
            found[key] = values
    t = getattr(options, "t", None)
    t = analysis.get("t") if t is None else t
    return {**found, **({} if t is None else {"t": t})}


def add_weights(parser) -> None:
    """What shall hardly move."""
    parser.add_argument(
        "--weight",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        type=named_value,
        help='make a body, or a coordinate of it, heavier to move, "crank=100" or "rod.angle=10" (may be repeated)',
    )


def assembly_options(options, analysis: dict[str, Any]) -> dict[str, Any]:
    """start=, near=, t=, coordinates=, basis= and weights= for an assembly."""
    weights = {**(analysis.get("weights") or {}), **dict(options.weight)}
    return start_options(options, analysis) | set_options(options, analysis) | ({"weights": weights} if weights else {})


def rest_options(options, analysis: dict[str, Any]) -> dict[str, Any]:
    """start=, near=, t=, coordinates= and basis= for a question about rest."""
    return start_options(options, analysis) | set_options(options, analysis)


def add_linear(parser) -> None:
    """What moves, and what is asked for."""
    for key, words in (
        ("input", 'a driver, a force element, or a measure that a force acts along, "road"'),
        ("show", 'a quantity that is asked for, "body.y"'),
    ):
        parser.add_argument(f"--{key}", action="append", default=[], metavar="NAME", help=f"{words} (may be repeated)")


def linear_options(options, analysis: dict[str, Any]) -> dict[str, Any]:
    """inputs= and outputs=, the file's or those of the command line."""
    found = {"inputs": options.input or analysis.get("inputs"), "outputs": options.show or analysis.get("outputs")}
    return {key: value for key, value in found.items() if value}


def check_writable(*paths: Path) -> None:
    """Raise unless files of these names can be written, before the work is done whose results they are for."""
    if paths:
        import tempfile  # which brings much along
    for path in paths:
        if path.suffix.lower() in PACKAGES:
            package, extra = PACKAGES[path.suffix.lower()]
            extra_package(package, f"{path}:", extra, ", or write .csv or .json" if extra == "io" else "")
        wrong = "it is a folder" if path.is_dir() else None
        try:
            with tempfile.TemporaryFile(dir=path.parent):
                pass
        except OSError as error:
            wrong = error.strerror or str(error)
        if wrong:
            raise DescriptionError(
                message(
                    f"{path}:",
                    f"cannot be written ({wrong})",
                    remedy="check that the folder exists and may be written to",
                )
            )


def example_varied(mechanism: Any, count: str = "") -> str:
    """A number of this mechanism and a span about it, as --vary takes them: "r=0.06 m:0.1 m"."""
    from linkwork.units import is_measured

    parameters = {name: one for name, one in mechanism.parameters.items() if one}
    name = next(iter([*parameters, *(f"{one}.mass" for one in mechanism.bodies)]), "NAME")
    value = parameters.get(name)
    unit = " " + value.written().partition(" ")[2] if is_measured(value) else ""
    ends = ":".join(f"{part * float(value):.3g}{unit}" for part in (0.8, 1.2)) if value is not None else "1:2"
    return f'"{name}={ends}{count}"' if unit else f"{name}={ends}{count}"


def example_read(mechanism: Any) -> str:
    """A number of a run of this mechanism: "motor.effort.max"."""
    for name, driver in mechanism.drivers.items():
        if driver.active:
            return f"{name}.effort.max"
    for name, joint in mechanism.joints.items():
        if known := list(joint.readings()):
            return f"{name}.{known[0]}.max"
    return f"{next(iter(mechanism.bodies), 'NAME')}.x.max"


def required(value: Any, file: str, wrong: str, remedy: str) -> Any:
    """The value, or an error that says how to give it."""
    if value is None:
        raise DescriptionError(message(f"{file}:", wrong, remedy=remedy))
    return value
