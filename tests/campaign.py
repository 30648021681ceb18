"""Campaigns: tests that try very many things.  `make test` does a tenth of each, `make soak` all of it.

A campaign has the mark `soak`, asks `count` how many of its things to try, and prints one line with what it found;
`make soak` shows these lines, which are those of docs/security.md.
"""

import os

import pytest

WHOLE = os.environ.get("LINKWORK_SOAK", "") not in ("", "0")
campaign = pytest.mark.soak


def count(whole):
    """How many to try: all in `make soak`, else a tenth."""
    return whole if WHOLE else -(-whole // 10)
