"""The tables of docs/constraint_handling.md are those that its script makes."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LEAST = 1e-11  # below this, errors are rounding


def made():
    spec = importlib.util.spec_from_file_location("constraints_compared", ROOT / "design" / "constraint_handling.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rows(text):
    """Words -> violation, error of energy, evaluations, in the order of the lines."""
    found = re.findall(r"^\| ([^|]+) \| (\S+) \| (\S+) \| (\d+) \|$", text, re.MULTILINE)
    return [(words, float(violation), float(energy), int(count)) for words, violation, energy, count in found]


def near(shown, now):
    return max(shown, LEAST) < 5.0 * max(now, LEAST) and max(now, LEAST) < 5.0 * max(shown, LEAST)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pendulum", "four_bar"])
def test_tables_are_those_of_the_script(name, tmp_path):
    module = made()
    shown = rows((ROOT / "docs" / "constraint_handling.md").read_text(encoding="utf-8"))
    assert len(shown) == 20
    shown = shown[:10] if name == "pendulum" else shown[10:]
    m, found = module.compared(getattr(module, name))
    now = rows(module.table(found))
    assert [one[0] for one in shown] == [one[0] for one in now]
    for one, other in zip(shown, now):
        assert near(one[1], other[1]) and near(one[2], other[2]), (one, other)
        assert one[3] == pytest.approx(other[3], rel=0.2), (one, other)
    module.picture(m.name, found, tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 10_000
