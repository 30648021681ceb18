"""The tree as tables: links with their numbers, and the ways of rows to the root."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.compiled.numbering import model_of
from linkwork.compiled.scales import typical_length
from linkwork.compiled.tree import planar_numbers, spatial_numbers
from linkwork.kernels import layout as at


def chain(count=3, dimension=2, closed=True):
    m = lw.Mechanism("chain", dimension=dimension)
    before = m.ground.at(0, 0)
    inertia = 0.2 if dimension == 2 else (0.1, 0.2, 0.3)
    for k in range(count):
        link = m.add(f"link{k}", lw.Body(1.0 + k, inertia, center=(0.5,) + (0.0,) * (dimension - 1)))
        m.add(f"J{k}", lw.Revolute(before, link.at(0, 0)))
        before = link.at(1.0, 0)
    if closed:
        m.add("rod", lw.Rod(m.ground.at(2.0, 0), before, length=1.0))
    return m


@pytest.mark.parametrize("dimension", [2, 3])
def test_links(dimension):
    model = model_of(chain(dimension=dimension)).plan("joint")
    assert model.size(at.N_LINKS) == 3 and (model.n_q, model.n_v) == (3, 3)
    links = model.table(at.T_LINK)
    assert links[1:, at.LINK_KIND].tolist() == [at.TURN] * 3
    assert links[1:, at.LINK_PARENT].tolist() == [0, 1, 2] and links[1:, at.LINK_PLACE].tolist() == [0, 1, 2]
    assert links[1:, at.LINK_BODY].tolist() == [1, 2, 3]
    # a link that carries others, and one that is the first to be gathered on its parent
    children = links[1:, at.LINK_CHILDREN]
    assert (children & at.CARRIES > 0).tolist() == [True, True, False]
    assert (children & at.OPENS > 0).tolist() == [False, True, True]
    assert model.table(at.T_BODY_LINK).tolist() == [0, 1, 2, 3]


def test_only_one_of_several_children_opens_its_parent():
    m = chain(1, closed=False)
    for k in range(3):
        m.add(f"leaf{k}", lw.Body(1.0, 0.1))
        m.add(f"L{k}", lw.Revolute(m["link0"].at(1.0, 0), m[f"leaf{k}"]))
    links = model_of(m).plan("joint").table(at.T_LINK)
    assert (links[:, at.LINK_PARENT] == 1).sum() == 3
    opening = [k for k in range(1, 5) if links[k, at.LINK_CHILDREN] & at.OPENS]
    assert opening == [4]  # the last is gathered first


def test_the_way_of_a_row():
    """A rod between ground and the last link goes through every link, from the tip to the root."""
    model = model_of(chain()).plan("joint")
    assert model.size(at.N_ENTRIES) == 3 and len(model.rows) == 1
    entries = model.table(at.T_ENTRY)
    assert entries.tolist() == [[3, 1, 0], [2, 2, 0], [1, -1, 0]]


def test_a_row_between_two_branches_meets_each_link_once():
    m = chain(1, closed=False)
    for k in range(2):
        m.add(f"leaf{k}", lw.Body(1.0, 0.1, position=(1.0, 0.0), angle=float(k)))
        m.add(f"L{k}", lw.Revolute(m["link0"].at(1.0, 0), m[f"leaf{k}"]))
    m.add("rod", lw.Rod(m["leaf0"].at(1.0), m["leaf1"].at(1.0), length=1.0))
    entries = model_of(m).plan("joint").table(at.T_ENTRY)
    assert entries[:, 0].tolist() == [3, 2, 1] and entries[:, 1].tolist() == [2, 2, -1]


def test_a_ball_is_three_entries():
    m = lw.Mechanism("stone", dimension=3)
    stone = m.add("stone", lw.Body(1.0, (1.0, 1.0, 1.0), position=(1.0, 0.0, 0.0), orientation=(1, 0, 0, 0)))
    m.add("rod", lw.Rod(m.ground, stone.at(0.1), length=1.1))
    model = model_of(m).plan("joint")
    assert model.size(at.N_ENTRIES) == 6
    entries = model.table(at.T_ENTRY)
    assert entries[:3].tolist() == [[4, 3, 0], [4, 3, 1], [4, 3, 2]] and entries[-1].tolist() == [1, -1, 0]


def test_numbers_of_a_planar_link():
    model = model_of(chain(closed=False)).plan("joint")
    numbers = planar_numbers(model.layout.tree.links[2], model.model.bodies[1])
    assert numbers == pytest.approx([1, 0, 0, 0, 0, 0, 1, 0.5, 0, 2, 0.2])
    assert planar_numbers(model.layout.tree.links[0], None)[-2:] == [0.0, 0.0]


def test_numbers_of_a_spatial_link_turn_it_about_its_axis():
    """R(e, angle) R0 from its three parts is the rotation about e."""
    m = lw.Mechanism("one", dimension=3)
    one = m.add("one", lw.Body(1.0, (0.1, 0.2, 0.3)))
    m.add("A", lw.Revolute(m.ground.at(1, 2, 3, axis=(1, 1, 0)), one.at(0, 0, 0, axis=(0, 1, 1))))
    model = model_of(m).plan("joint")
    numbers = np.array(spatial_numbers(model.layout.tree.links[1], model.model.bodies[0]))
    shift, axis, parts = numbers[:3], numbers[3:6], numbers[6:33].reshape(3, 3, 3)
    assert shift == pytest.approx([1, 2, 3]) and axis == pytest.approx(np.array([1, 1, 0]) / np.sqrt(2))
    for angle in (0.0, 0.7, -2.0):
        rotation = parts[0] + np.cos(angle) * parts[1] + np.sin(angle) * parts[2]
        assert rotation @ rotation.T == pytest.approx(np.eye(3), abs=1e-14)
        relative = rotation @ (parts[0] + parts[1]).T
        assert relative @ axis == pytest.approx(axis) and np.trace(relative) == pytest.approx(1 + 2 * np.cos(angle))


# -- scales -------------------------------------------------------------------------------------------------


def test_length_without_anything_to_measure():
    assert typical_length((), (), ()) == 1.0


def test_rows_on_bodies_without_inertia_are_measured_by_the_usual():
    m = chain()
    m.replace("link1", lw.Body(0.0, 0.0))
    for coordinates, finite in (("body", False), ("joint", True)):
        model = model_of(m).plan(coordinates)
        inverse = model.view(model.parameters, at.P_INVERSE_MASS)[2]
        assert np.all(inverse > 0.0) if finite else np.all(inverse == 0.0), coordinates
