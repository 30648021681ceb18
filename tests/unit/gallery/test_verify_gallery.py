"""`linkwork verify` over the whole gallery: all sets of the plane or of space agree, or say why they do not apply."""

import json

import pytest

from linkwork import gallery
from linkwork.cli import main
from linkwork.coordinates import SETS_OF

#: what a set may say where it does not apply; nothing of the gallery needs it now
REASONS = ("needs mass or inertia", "light bodies that carry heavy ones")


@pytest.mark.parametrize("name", gallery.names())
def test_all_sets_agree(name, capsys):
    assert main(["verify", f"gallery:{name}", "--duration", "0.3", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] and not told["failed"]
    compared = {one for difference in told["differences"] for one in difference["sets"]}
    sets = set(SETS_OF[gallery.get(name).dimension])
    assert compared | set(told["left_out"]) == sets and len(compared) >= 2
    for one, why in told["left_out"].items():
        assert any(reason in why for reason in REASONS), (one, why)
