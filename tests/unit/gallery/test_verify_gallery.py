"""`linkwork verify` over the whole gallery: all sets of the plane or of space carry each of it, and agree."""

import json

import pytest

from linkwork import gallery
from linkwork.cli import main
from linkwork.coordinates import SETS_OF

QUANTITIES = {"position", "speed", "force", "moment", "energy"}


@pytest.mark.parametrize("name", gallery.names())
def test_all_sets_agree(name, capsys):
    assert main(["verify", f"gallery:{name}", "--duration", "0.3", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] and not told["failed"]
    assert not told["left_out"]
    assert {one for difference in told["differences"] for one in difference["sets"]} == set(
        SETS_OF[gallery.get(name).dimension]
    )
    assert {difference["quantity"] for difference in told["differences"]} >= QUANTITIES
