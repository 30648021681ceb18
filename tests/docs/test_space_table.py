"""The tables of joints in docs/space.md: all joints of space, with the rows, the freedom and the readings they have."""

import re
import warnings
from pathlib import Path

import pytest

import linkwork as lw
from linkwork.compiled.names import readings

PAGE = (Path(__file__).parents[2] / "docs" / "space.md").read_text(encoding="utf-8")
TABLES = PAGE.partition("\n## Joints\n")[2].partition("\n## ")[0]
LINES = [[cell.strip() for cell in line.strip("|").split("|")] for line in TABLES.splitlines() if line[:3] == "| `"]
BY_NAME = {re.match(r"`(\w+)", cells[0])[1]: cells[1:] for cells in LINES}
PUBLIC = {name: getattr(lw, name) for name in lw.__all__}
KINDS = {
    name: kind
    for name, kind in PUBLIC.items()
    if isinstance(kind, type) and issubclass(kind, lw.Joint) and kind is not lw.Joint and 3 in kind.dimensions
}


def test_every_joint_of_space_is_there():
    assert sorted(BY_NAME) == sorted(KINDS)


@pytest.mark.parametrize("name", sorted(KINDS))
def test_rows_freedom_and_readings(name):
    m = lw.Mechanism(name, dimension=3)
    body = m.add("body", lw.box(0.4, 0.3, 0.2, mass=1.0))
    m.add("joint", KINDS[name](m.ground.at(0.3, 0.1, 0.2), body.at(0.1, 0.2, 0.05), **KINDS[name].sample))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lw.errors.MisfitWarning)
        found = m.check(coordinates="body")
    cells = BY_NAME[name]
    if len(cells) == 4:  # joints; couplings have one row each
        rows, freedom = (list(map(int, re.findall(r"\d+", cell))) for cell in cells[1:3])
        if name == "Hold":  # "6 less 1 each"; the sample holds one value
            freedom = [freedom[0] - freedom[1]]
        assert (rows[0], freedom[0], freedom[-1]) == (found.constraints, found.freedom, found.position_freedom)
    else:
        assert (found.constraints, found.freedom) == (1, 5)
    told = {word for word in re.findall(r"`(\w+)`", cells[-1]) if word not in ("on", "to")}
    assert told == set(readings(m, "joint"))
