"""Convert a model file (YAML, JSON) or a result (.nc, .csv, .json, .parquet) to another format, by the ending of OUT.

A model file keeps its words: shapes, units, parameters and expressions. Only comments are lost. A result as CSV is two
files: OUT, a table, and OUT.json beside it with units, mechanism and digest.
A file that cannot be read is refused, with all that is wrong in it.
"""

from __future__ import annotations

from pathlib import Path

from linkwork.cli import motion
from linkwork.errors import FileError, message

HELP = "convert a model file or a result to another format"
MODELS = (".yaml", ".yml", ".json")


def arguments(parser) -> None:
    """Declare the options."""
    parser.add_argument("file", metavar="FILE", type=Path, help="what to convert")
    parser.add_argument("out", metavar="OUT", type=Path, help="what to write; its ending says the format")


def run(options, out) -> int:
    """Do it."""
    import linkwork as lw

    is_result = motion.is_result(options.file)
    wanted = motion.RESULTS if is_result else MODELS
    if options.out.suffix.lower() not in wanted:
        raise FileError(
            message(
                f"{options.out}:",
                "has an ending that is no format of " + ("results" if is_result else "models"),
                repr(options.out.suffix),
                ", ".join(wanted),
            )
        )
    if is_result:
        written = lw.load(options.file).save(options.out)
    else:
        lw.read_document(options.file)  # what cannot be read is not passed on
        form = "json" if options.out.suffix.lower() == ".json" else "yaml"
        written = [lw.files.write_whole(options.out, lw.convert_text(options.file, form).encode())]
    for path in written:
        out.say(f"written to {path}")
    return 0
