"""Say what is installed: versions, where the kernels come from, where compiled code is kept and how large it is."""

from __future__ import annotations

HELP = "versions, where kernels come from, folders of compiled code"
SHOWN = 3  # folders of the cache, those used last


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
        of_library = "" if "Python" in found["kernels"] else "no library of kernels, "
        out.say(f"kernels    {found['kernels']}: {of_library}{found['why']}")
    if not found["cache"]:
        out.say(f"cache      nothing is kept; it would be in {' or '.join(found['cache_roots']) or 'no folder'}")
    for number, one in enumerate(found["cache"][:SHOWN]):
        out.say(f"{'' if number else 'cache':<11}{one['folder']} ({_size(one['bytes'])})")
    if older := found["cache"][SHOWN:]:
        out.say(f"{'':<11}and {len(older)} older ones ({_size(sum(one['bytes'] for one in older))})")
    return 0


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} KB"
