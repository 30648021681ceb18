"""Put model files into the usual layout; comments and the order of items are kept.

Without options the files are rewritten in place; --check only says which would change.
"""

from __future__ import annotations

from pathlib import Path

HELP = "put model files into the usual layout, comments kept"


def arguments(parser) -> None:
    """Declare the options."""
    parser.add_argument("files", metavar="FILE", nargs="+", type=Path, help="model files (.yaml)")
    parser.add_argument("--check", action="store_true", help="change nothing; status 1 if a file would change")


def run(options, out) -> int:
    """Do it."""
    import linkwork as lw

    changed = []
    for path in options.files:
        before = path.read_text(encoding="utf-8")
        after = lw.format_text(before)
        if after != before:
            changed.append(path)
            if not options.check:
                path.write_text(after, encoding="utf-8")
    for path in changed:
        out.say(f"{path}: {'would change' if options.check else 'changed'}")
    return 1 if options.check and changed else 0
