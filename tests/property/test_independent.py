"""Independent coordinates: as many as there is freedom, and given as start values they give the state again."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import linkwork as lw
from linkwork.analysis.common import start_rows
from linkwork.analysis.rank import scaled_rows
from linkwork.compiled.names import measure_of
from linkwork.coordinates.body import System
from linkwork.textbook import elimination
from property.draws import assembler, examples
from property.redundant import REDUNDANT
from property.spatial_strategies import spatial_plans
from property.strategies import Rejections, set_plans

assembled = assembler(Rejections())
SEEDS = st.integers(0, 2**32 - 1)


def again(m, assembly):
    """The same mechanism put together from nothing but its independent coordinates, near where it was."""
    near = {name: assembly[name] for joint in m.joints for name in [f"{joint}.angle"] if name in names_of(m)}
    return m.assemble(start=assembly.independent, near=near, coordinates="body")


def names_of(m):
    return {f"{name}.{key}" for name, joint in m.joints.items() for key in joint.readings()}


def same(m, one, other, atol=1e-7):
    for body in m.bodies:
        for axis in "xyz"[: m.dimension]:
            for end in ("", ".rate"):
                assert one[f"{body}.{axis}{end}"] == pytest.approx(other[f"{body}.{axis}{end}"], abs=atol), body


@pytest.mark.parametrize("name", [name for name in REDUNDANT if name != "door"])
@given(SEEDS)
@examples(5)
def test_redundant_mechanisms_of_space_wherever_they_stand(name, seed):
    m, start = REDUNDANT[name][0](np.random.default_rng(seed))
    found = m.assemble(start=start, coordinates="body")
    rates = [key for key in found.independent if key.endswith(".rate")]
    assert len(rates) == len(found.independent) - len(rates) == found.freedom
    for key, value in found.independent.items():
        assert value == pytest.approx(found[key], abs=1e-9)
    same(m, again(m, found), found)


@given(SEEDS)
@examples(20)
def test_chains_and_loops_of_the_plane(seed):
    """Garlands between two places: of n links n - 2 angles are free, and the rest follows."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(3, 8))
    m = lw.Mechanism("garland", gravity=None)
    before = m.ground.at(0, 0)
    angle = rng.uniform(-3.0, 3.0, count)
    place = np.zeros(2)
    for k in range(count):
        way = np.array([np.cos(angle[k]), np.sin(angle[k])])
        link = m.add(f"link{k}", lw.bar(length=1.0, mass=1.0, position=tuple(place + way / 2), angle=angle[k],
                                        velocity=tuple(rng.normal(size=2)), angular_velocity=rng.normal()))  # fmt: skip
        m.add(f"J{k}", lw.Revolute(before, link.a))
        before, place = link.b, place + way
    m.add("end", lw.Revolute(before, m.ground.at(*place)))
    found = m.assemble(coordinates="body")
    assert found.freedom == count - 2 and len(found.independent) == 2 * (count - 2)
    J = m.evaluate(found.state, coordinates="body").jacobian
    held = [key for key in found.independent if not key.endswith(".rate")]
    # with these held nothing is free any more: rank by singular values
    rows = []
    for key in held:
        row = np.zeros(J.shape[1])
        joint = m.joints[key.partition(".")[0]]
        for frame, sign in ((joint.to, 1.0), (joint.on, -1.0)):
            if frame.body != "ground":
                row[3 * list(m.bodies).index(frame.body) + 2] = sign
        rows.append(row)
    assert np.linalg.svd(np.vstack([J, *rows]), compute_uv=False)[-1] > 1e-6
    same(m, again(m, found), found, atol=1e-6)


@given(SEEDS)
@examples(30)
def test_as_the_book_chooses(seed):
    """Example A.3 and random tables: the smallest pivots are left, as by exchange of columns in L-U of the book.

    The book pivots by entries, here columns count as a whole: both choose so that the dependent part is regular.
    """
    from linkwork.analysis.rank import pivoted_qr

    rng = np.random.default_rng(seed)
    B = rng.normal(size=(rng.integers(1, 4), rng.integers(5, 8)))
    order, rank, _ = pivoted_qr(B)
    theirs = np.setdiff1d(np.arange(B.shape[1]), elimination.independent_variables(B))
    ours = np.sort(order[:rank])
    sizes = [np.linalg.svd(B[:, some], compute_uv=False)[-1] for some in (ours, theirs)]
    assert rank == len(B) and min(sizes) > 1e-6 * np.linalg.norm(B)


def test_example_a_3():
    """B of the book: x1 is chosen freely, and an error of it changes the others least."""
    from linkwork.analysis.rank import pivoted_qr
    from reference.book import load

    B = np.array(load("nik_exA_3_independent_variable")["model"]["B"], dtype=float)
    order, rank, _ = pivoted_qr(B)
    assert (rank, order[rank:].tolist()) == (2, [0])
    assert elimination.independent_variables(B).tolist() == [0]


def test_rolling_has_more_positions_than_rates():
    m = lw.Mechanism("skate", dimension=3)
    ice = m.ground.at(0.3, 0, 0, axis=(0.2, 0, 1))
    skate = m.add("skate", lw.Body(1.0, (0.1, 0.2, 0.25), center=(0.1, 0, 0.3)))
    m.add("ice", lw.Planar(ice, skate))
    m.add("blade", lw.KnifeEdge(ice, skate.at(-0.2, 0, 0)))
    found = m.assemble(coordinates="body").independent
    rates = [key for key in found if key.endswith(".rate")]
    assert (len(found) - len(rates), len(rates)) == (3, 2)


def test_balls_are_named_by_their_bodies():
    m = lw.Mechanism("rods", dimension=3)
    tips = {"crank": 0.4, "rod": 1.1, "rocker": 0.8}
    crank, rod, rocker = (m.add(name, lw.cylinder(radius=0.02, length=length, mass=1.0, axis="x"))
                          for name, length in tips.items())  # fmt: skip
    m.add("A", lw.Revolute(m.ground, crank.a))
    m.add("S", lw.Spherical(crank.b, rod.a))
    m.add("T", lw.Spherical(rod.b, rocker.b))
    m.add("D", lw.Revolute(m.ground.at(0.9, 0.3, 0.2, axis=(1, 0, 0), along=(0, 1, 0)), rocker.a))
    found = m.assemble(start={"A.angle": 0.3, "A.angle.rate": 1.0}, coordinates="body")
    assert found.freedom == 2 and len(found.independent) == 4
    assert any(key.startswith("rod.cardan.") for key in found.independent)
    near = {"A.angle": 0.3, "D.angle": found["D.angle"]}
    other = m.assemble(start=found.independent, near=near, coordinates="body")
    same(m, other, found)


def test_shown():
    text = str(lw.gallery.four_bar().assemble(coordinates="body"))
    assert "  independent: " in text and ".angle.rate 0" in text
    assert lw.gallery.slider_crank().assemble(coordinates="body").independent == {}


def rank(J):
    return int((np.linalg.svd(J, compute_uv=False) > 1e-9).sum()) if J.size else 0


def independent_indeed(m, state, found, report):
    """Rows that hold them are independent of the constraints and of each other, by singular values."""
    model = state.model
    rates = {key: value for key, value in found.items() if measure_of(m, key)[1] == 1}
    places = {key: value for key, value in found.items() if key not in rates}
    for some, freedom, speeds in ((places, report.position_freedom, False), (rates, report.freedom, True)):
        system = System(model.plan(rows=start_rows(m, some)) if some else model.plan())
        system.locate(state.t, state.y)
        held = [r for r, row in enumerate(model.rows) if speeds or not row.speed]
        J = scaled_rows(system, [*held, *range(len(model.rows), system.n_rows)], system.columns)
        assert rank(J) == rank(J[: len(held)]) + len(some)
        if m.dimension == 2:  # all is named
            assert len(some) == freedom == J.shape[1] - rank(J[: len(held)])
        else:
            assert len(some) <= freedom


def chosen_and_independent(plan):
    m, state = assembled(plan)
    report = m.check(start=state, coordinates="body")
    found = m.assemble(start=state, coordinates="body").independent
    for key, value in found.items():
        assert value == pytest.approx(state[key], abs=1e-9)
    independent_indeed(m, state, found, report)


@given(set_plans(most=5, loops=2))
@examples(30)
def test_random_mechanisms_of_the_plane(plan):
    chosen_and_independent(plan)


@given(spatial_plans(most=4, loops=1))
@examples(30)
def test_random_mechanisms_of_space(plan):
    chosen_and_independent(plan)
