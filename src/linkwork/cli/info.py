"""Say what is installed: versions, where the kernels come from, where compiled code is kept and how large it is."""

from __future__ import annotations

import os
import shlex

from linkwork.errors import plural

HELP = "versions, where kernels come from, folders of compiled code"

SHOWN = 4  # folders that a command to delete them names


def arguments(parser) -> None:
    """Declare the options."""
    parser.add_argument("--json", action="store_true", help="the same as JSON")


def run(options, out) -> int:
    """Do it."""
    import linkwork as lw

    found = lw.installation()
    out.data({"ok": True, "linkwork": lw.__version__, **found})
    out.say(f"linkwork {lw.__version__}, Python {found['python']}, {found['platform']}")
    packages = (f"{name} {known or 'not installed'}" for name, known in found["packages"].items())
    out.say(f"packages   {', '.join(packages)}")
    if found["library"]:
        out.say(f"kernels    from a library, compiled before ({_size(found['library']['bytes'])})")
        out.say(f"           {found['library']['file']}")
    else:
        out.say(f"kernels    {found['kernels']}")
        out.say(f"{'because' if 'Python' in found['kernels'] else 'library':<11}{found['why']}")
    if not found["cache"]:
        out.say(f"cache      nothing is kept; it would be in {' or '.join(found['cache_roots']) or 'no folder'}")
    for one in found["cache"][:1]:
        out.say(f"cache      {one['folder']} ({_size(one['bytes'])}), used last")
    if older := found["cache"][1:]:
        size = _size(sum(one["bytes"] for one in older))
        out.say(f"{'':<11}{plural(len(older), 'folder')} of other kernels beside it ({size}), which may be deleted:")
        out.say(f"{'':<11}{_remove([one['folder'] for one in older[:SHOWN]])}")
        if len(older) > SHOWN:
            out.say(f"{'':<11}and {len(older) - SHOWN} more, which linkwork info --json lists")
    return 0


def _remove(folders: list[str]) -> str:
    """The command that deletes folders."""
    if os.name == "nt":
        return "rmdir /s /q " + " ".join(f'"{one}"' for one in folders)
    return f"rm -r {shlex.join(folders)}"


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} KB"
