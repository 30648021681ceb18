"""Print the JSON schema of model files, which editors use for completion and for checking while typing.

In VS Code with the YAML extension, write `linkwork schema --output linkwork.schema.json` and put
`# yaml-language-server: $schema=linkwork.schema.json` at the top of a model file.
"""

from __future__ import annotations

import json
from pathlib import Path

HELP = "JSON schema of model files, for editors"


def arguments(parser) -> None:
    """Declare the options."""
    parser.add_argument("--output", "-o", metavar="FILE", type=Path, help="write it to a file")


def run(options, out) -> int:
    """Do it."""
    import linkwork as lw

    text = json.dumps(lw.schema(), indent=1) + "\n"
    if options.output is None:
        print(text, end="")
    else:
        lw.files.write_whole(options.output, text.encode("utf-8"))
        out.say(f"schema written to {options.output}")
    return 0
