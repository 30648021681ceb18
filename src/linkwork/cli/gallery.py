"""List the ready mechanisms, print the file of one, or copy it to a folder."""

from __future__ import annotations

from pathlib import Path

from linkwork.errors import FileError, command, message

HELP = "ready mechanisms: list, print, copy"


def arguments(parser) -> None:
    """Declare the options."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="print the model file of this mechanism")
    parser.add_argument("--write", metavar="FOLDER", type=Path, help="copy the file (without NAME: all) to this folder")
    parser.add_argument("--force", action="store_true", help="replace files that are already there")
    parser.add_argument("--json", action="store_true", help="the list as JSON")


def run(options, out) -> int:
    """Do it."""
    import linkwork as lw

    gallery = lw.gallery
    if options.name is None and options.write is None:
        found = {name: gallery.summary(name) for name in gallery.names()}
        out.data({"ok": True, "gallery": found})
        width = max(map(len, found))
        for name, text in found.items():
            out.say(f"{name:<{width}}  {text}")
        out.say("\nlinkwork gallery NAME prints a file, --write FOLDER copies it, linkwork run gallery:NAME runs it")
        return 0
    paths = [gallery.path(name) for name in (gallery.names() if options.name is None else [options.name])]
    if options.write is None:
        print(paths[0].read_text(encoding="utf-8"), end="")
        return 0
    options.write.mkdir(parents=True, exist_ok=True)
    for path in paths:
        target = options.write / path.name
        if target.exists() and not options.force:
            again = ["linkwork", "gallery", *([options.name] if options.name else []), "--write", options.write]
            raise FileError(
                message(f"{target}:", "is already there", remedy=f"{command(*again, '--force')} replaces it")
            )
    for path in paths:
        target = options.write / path.name
        lw.files.write_whole(target, path.read_bytes())
        out.say(f"written to {target}")
    return 0
