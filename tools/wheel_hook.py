"""The wheel of one platform: a plain wheel and the library of compiled kernels that LINKWORK_BUILT_LIBRARY names.

It is asked for by name, HATCH_BUILD_HOOK_ENABLE_CUSTOM=true; `make release` does that.  The library needs nothing of
Python, so one wheel serves all versions.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from build_library import newest_glibc
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

#: by target of `build_library.py`, of those that something has run
TAGS = {"linux-x86_64": "py3-none-manylinux_2_17_x86_64"}


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
        promised = tuple(map(int, re.findall(r"_(\d+)_(\d+)_", TAGS[target])[0]))
        if (asked := newest_glibc(Path(named).read_bytes())) > promised:
            words = "{}.{}".format
            raise SystemExit(
                f"{named} asks for glibc {words(*asked)}, the tag promises {words(*promised)}: link with zig."
            )
        build_data["force_include"][named] = f"linkwork/kernels/_library{Path(named).suffix}"
        build_data["pure_python"] = False
        build_data["tag"] = TAGS[target]
