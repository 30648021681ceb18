"""Put model files into the usual layout; comments and the order of items are kept.

Without options the files are rewritten in place; --check only says which would change.
"""

from __future__ import annotations

from pathlib import Path

from linkwork.errors import FileError, message

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
        before = path.read_bytes()
        try:
            after = lw.format_text(before.decode("utf-8")).encode("utf-8")
        except FileError as error:  # it knows the text, not the file
            raise FileError(str(error).replace("<text>", str(path))) from error
        except UnicodeDecodeError as error:
            raise FileError(message(f"{path}:", f"is not UTF-8 text ({error.reason})")) from error
        if after != before:
            changed.append(path)
            if not options.check:
                lw.files.write_whole(path, after)
    for path in changed:
        out.say(f"{path}: {'would change' if options.check else 'changed'}")
    return 1 if options.check and changed else 0
