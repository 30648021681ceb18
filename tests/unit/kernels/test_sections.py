"""The table of sections: complete, in agreement with the constants of the kernels, and with what plans hold."""

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork.compiled.numbering import model_of
from linkwork.compiled.plans import tables
from linkwork.compiled.writer import Writer
from linkwork.coordinates import SETS_OF
from linkwork.kernels import layout as at
from linkwork.kernels.sections import SECTIONS, SIZES, TABLE, shape_of

KERNELS = Path(at.__file__).parent


def test_every_section_of_the_header_is_said_once():
    names = [name for name in vars(at) if re.match("[TPW]_", name) and name != "W_FIXED"]
    assert sorted(one.name for one in TABLE) == sorted(names)
    assert sorted(SECTIONS) == list(range(at.A_ADD + 1, at.HEADER))


@pytest.mark.parametrize("section", [one for one in TABLE if one.columns], ids=lambda one: one.name)
def test_columns_are_in_the_order_of_their_constants(section):
    assert [getattr(at, name) for name in section.columns] == list(range(len(section.columns)))
    assert section.shape.endswith("columns")


def test_every_constant_of_a_column_is_named():
    named = {name for one in TABLE for name in one.columns}
    widths = {
        "MEASURE_COLUMNS",
        "FUNCTION_COLUMNS",
        "FUNCTION_ORDERS",
        "LAW_COLUMNS",
        "ROW_COLUMNS",
        "ROW_NUMBERS",
        "TERM_COLUMNS",
        "ASSEMBLY_COLUMNS",
        "LINK_COLUMNS",
        "ENTRY_COLUMNS",
        "CLASS_COLUMNS",
        "SHARE_COLUMNS",
        "SHARE_NUMBERS",
        "MASS_COLUMNS",
        "SWAY_COLUMNS",
        "VECTOR_COLUMNS",
        "BASIS_COLUMNS",
        "PRODUCT_COLUMNS",
        "LINK_NUMBERS",
        "LINK_SCRATCH",
        "LAW_FAILED",
        "FUNCTION_FAILED",
    }
    found = {
        name
        for name in vars(at)
        if re.match(
            "(MEASURE|FUNCTION|LAW|ROW|TERM|ASSEMBLY|LINK|ENTRY|CLASS|SHARE|MASS|SWAY|VECTOR|BASIS|PRODUCT)_", name
        )
    }
    assert found - widths == named


def test_every_size_is_used():
    used = " ".join(one.shape for one in TABLE)
    assert [name for name in SIZES if name not in used] == []


@pytest.mark.parametrize(
    ("build", "coordinates"),
    [(lw.gallery.four_bar, one) for one in SETS_OF[2]] + [(lw.gallery.spatial_chain, one) for one in SETS_OF[3]],
)
def test_plans_write_every_section_of_their_set(build, coordinates, monkeypatch):
    made = []
    monkeypatch.setattr(tables, "Writer", lambda *given: made.append(Writer(*given)) or made[-1])
    plan = model_of(build()).plan(coordinates)
    assert made[0].missing(coordinates) == []
    spans = sorted(
        (plan._span(one.key)[0].start, plan._span(one.key)[0].stop)
        for one in TABLE
        if one.vector == "w" and one.of(coordinates, build().dimension)
    )
    assert spans[0][0] == at.W_FIXED and spans[-1][1] <= plan.workspace.size
    assert all(before[1] <= after[0] for before, after in pairwise(spans))  # none lies in another


def test_views_are_of_the_shape_that_is_said():
    plan = model_of(lw.gallery.four_bar()).plan()
    assert plan.view(plan.parameters, at.P_MASS).shape == (4, 3)
    assert plan.table(at.T_MEASURE).shape == (len(plan.measures), at.MEASURE_COLUMNS)
    assert plan.view(plan.workspace, at.W_GRADIENT).shape == (len(plan.measures), 6)
    places = plan.places(at.P_MASS)
    assert np.array_equal(plan.parameters[places], plan.view(plan.parameters, at.P_MASS))
    assert plan.view(plan.parameters, at.P_ROW)[:, at.ROW_SCALE].min() > 0.0


def test_a_section_of_another_size_is_refused():
    writer = Writer(2)
    writer.sizes(N_FRAMES=2)
    with pytest.raises(ValueError, match=r"T_FRAME_BODY: 3 numbers for the shape \(2,\) \(frames\)"):
        writer.put(at.T_FRAME_BODY, [0, 1, 1])
    assert writer.put(at.T_FRAME_BODY, [0, 1]) == at.HEADER
    assert shape_of(at.P_FRAME, writer.head) == (2, 3) and shape_of(at.P_LENGTH, writer.head) == (1,)


def test_low_parts_stand_behind_what_has_them():
    m = lw.gallery.four_bar()
    m.replace("coupler", lw.bar(length=3.0, mass=1e-9))
    for coordinates in ("body", "joint"):
        plan = model_of(m).plan(coordinates)
        low, doubled = plan.size(at.LOW), [one for one in TABLE if one.doubled and one.of(coordinates, 2)]
        spans = [plan._span(one.key)[0] for one in doubled]
        assert low >= max(one.stop for one in spans) - min(one.start for one in spans)
        assert max(one.stop for one in spans) + low <= plan.workspace.size


def test_kernels_name_columns():
    """No bare number stands for a column of the tables of integers."""
    bare = [
        f"{path.name}: {line.strip()}"
        for path in KERNELS.rglob("*.py")
        for line in path.read_text().splitlines()
        if re.search(r"tab\[(row|entry|term) \+ \d", line)
    ]
    assert bare == []
