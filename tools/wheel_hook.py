"""The wheel of one platform: a plain wheel and the library of compiled kernels that LINKWORK_BUILT_LIBRARY names.

It is asked for by name, HATCH_BUILD_HOOK_ENABLE_CUSTOM=true; `make release` does that.  The library needs nothing of
Python, so one wheel serves all versions.  It must be one of the very sources that are packed: with any other one the
wheel would compile its kernels without a word.  Linkwork is imported to compare, so its dependencies must be there.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from build_library import machine_of, newest_glibc, stale
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

#: by target of `build_library.py`, of those that something has run; and the processor, as ELF numbers it
TAGS = {"linux-x86_64": ("py3-none-manylinux_2_17_x86_64", 62)}


class LibraryHook(BuildHookInterface):
    """Put the library into the wheel, and say for which platform it is."""

    def initialize(self, version: str, build_data: dict) -> None:
        """Called by hatchling before the wheel is written."""
        named = os.environ.get("LINKWORK_BUILT_LIBRARY")
        if not named or not Path(named).is_file():
            raise SystemExit("LINKWORK_BUILT_LIBRARY must name the library that tools/build_library.py has made.")
        target = os.environ.get("LINKWORK_TARGET", "linux-x86_64")
        if target not in TAGS:
            raise SystemExit(f"Nothing has run a library for {target} yet; known: {', '.join(TAGS)}.")
        tag, machine = TAGS[target]
        made = Path(named).read_bytes()
        if machine_of(made) != machine:
            raise SystemExit(f"{named} is no library for {target}: build it with --target {target}.")
        if why := stale(made):
            raise SystemExit(f"{named} {why}. Build it again: python tools/build_library.py {named}")
        promised = tuple(map(int, re.findall(r"_(\d+)_(\d+)_", tag)[0]))
        if (asked := newest_glibc(made)) > promised:
            words = "{}.{}".format
            raise SystemExit(
                f"{named} asks for glibc {words(*asked)}, the tag promises {words(*promised)}: link with zig."
            )
        build_data["force_include"][named] = f"linkwork/kernels/_library{Path(named).suffix}"
        build_data["pure_python"] = False
        build_data["tag"] = tag
