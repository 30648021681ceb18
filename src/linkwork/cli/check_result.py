"""Compare all of a result file with its digests: states, mechanism, and every series that other programs read.

`linkwork.load` compares what it reads; this compares the whole file, which tells whether it arrived as it was written.
Exit status 0 if it did, 2 if it is damaged, was changed, or is no result.
"""

from __future__ import annotations

from dataclasses import asdict

from linkwork.cli import model
from linkwork.cli.words import going_on

HELP = "whether a result file is whole, by its digests"


def arguments(parser) -> None:
    """Declare the options."""
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="results (.nc, .parquet, .csv, .json, folders of long runs)"
    )
    model.add_json(parser)


def run(options, out) -> int:
    """Do it."""
    import linkwork as lw

    found = []
    for path in options.files:
        found.append(lw.check_result(path))
        out.say(going_on(str(found[-1]), path))
    out.data({"ok": True, "files": [asdict(one) for one in found]})
    return 0
