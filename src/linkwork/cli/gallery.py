"""List the ready mechanisms, print the file of one, copy it to a folder, or show all of them moving in one page."""

from __future__ import annotations

from pathlib import Path

from linkwork.cli import model, motion
from linkwork.errors import FileError, command, message

HELP = "ready mechanisms: list, print, copy, show moving"
TIMES = 600  # kept of each motion in the page


def arguments(parser) -> None:
    """Declare the options."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="print the model file of this mechanism")
    parser.add_argument("--write", metavar="FOLDER", type=Path, help="copy the file (without NAME: all) to this folder")
    parser.add_argument(
        "--page", metavar="FILE", type=Path, help="write a page, .html, where it (without NAME: all) moves"
    )
    parser.add_argument("--force", action="store_true", help="replace files that are already there")
    parser.add_argument("--json", action="store_true", help="the list as JSON")


def run(options, out) -> int:
    """Do it."""
    import linkwork as lw

    gallery = lw.gallery
    if options.page is not None:
        return _page(options, out)
    if options.name is None and options.write is None:
        found = {name: gallery.summary(name) for name in gallery.names()}
        out.data({"ok": True, "gallery": found})
        width = max(map(len, found))
        for name, text in found.items():
            out.say(f"{name:<{width}}  {text}")
        out.say("\nlinkwork gallery NAME prints a file, --write FOLDER copies it, linkwork run gallery:NAME runs it,")
        out.say("linkwork gallery --page gallery.html shows all of them moving")
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


def _page(options, out) -> int:
    """All motions in one page; they begin and end together, each at its own speed."""
    import linkwork as lw

    motion.check_ending(options.page, motion.PAGES)
    model.check_writable(options.page)
    names = lw.gallery.names() if options.name is None else [options.name]
    runs = []
    for name in names:
        document = lw.read_document(lw.gallery.path(name))
        analysis = dict(document.analysis or {})
        analysis.pop("type", None)
        runs.append(document.mechanism.simulate(analysis.pop("duration"), **analysis))
        out.detail(f"{name}: {len(runs[-1].t)} times")
    title = "Gallery of Linkwork" if options.name is None else options.name
    lw.page(runs, options.page, title=title, titles=names, times=TIMES, stretch=True, play=True)
    out.say(f"written to {options.page}; open it in a browser")
    return 0
