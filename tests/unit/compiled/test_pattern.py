"""Elimination order, fill and the factorisation that runs on them, against dense linear algebra."""

import numpy as np
import pytest

from linkwork.compiled.pattern import expand, fill, minimum_degree
from linkwork.kernels.jit import called, place_of
from linkwork.kernels.linear import factorise, substitute


def factor_and_solve(n, column, row, target, scale, right, tab, w):
    """The two kernels on arrays."""
    smallest = called(factorise)(n, column, target, 0, scale, place_of(tab), place_of(w))
    called(substitute)(n, column, row, 0, right, place_of(tab), place_of(w))
    return smallest


def random_blocks(rng, count, density=0.3):
    """Sizes and neighbours of a random symmetric pattern of blocks."""
    sizes = [int(s) for s in rng.integers(1, 4, count)]
    neighbours = [set() for _ in range(count)]
    for one in range(count):
        for other in range(one):
            if rng.uniform() < density:
                neighbours[one].add(other)
                neighbours[other].add(one)
    first = np.concatenate([[0], np.cumsum(sizes)])
    members = [list(range(first[k], first[k + 1])) for k in range(count)]
    return sizes, neighbours, members


def random_matrix(rng, neighbours, members, signs=None):
    """Symmetric with that pattern: positive definite, or quasi-definite where `signs` has minus ones."""
    n = sum(map(len, members))
    A = np.zeros((n, n))
    for one, near in enumerate(neighbours):
        for other in near | {one}:
            A[np.ix_(members[one], members[other])] = rng.uniform(-1, 1, (len(members[one]), len(members[other])))
    A = (A + A.T) / 2
    signs = np.ones(n) if signs is None else signs
    same = np.outer(signs, signs) > 0
    strength = np.abs(np.where(same, A, 0.0)).sum(axis=1) + 0.1  # each diagonal block is definite by itself
    A[np.arange(n), np.arange(n)] = signs * strength
    return A


def solve(A, members, order, beside, b):
    """Through the kernels, on flat vectors as a model has them; gives the solution and the smallest pivot."""
    pattern = expand(members, order, beside)
    n, entries = len(A), pattern.entry_row.size
    tab = np.concatenate([pattern.column, pattern.entry_row, pattern.target]).astype(np.int64)
    w = np.zeros(n + entries + 2 * n)
    rows, columns = np.nonzero(np.tril(A))
    w[pattern.positions(rows, columns)] = A[rows, columns]
    scale, right = n + entries, 2 * n + entries
    w[scale : scale + n] = np.abs(w[:n])
    w[right + pattern.place] = b
    column, row, target = 0, n + 1, n + 1 + entries
    smallest = factor_and_solve(n, column, row, target, scale, right, tab, w)
    return w[right + pattern.place], smallest


@pytest.mark.parametrize("seed", range(12))
def test_positive_definite(seed):
    rng = np.random.default_rng(seed)
    sizes, neighbours, members = random_blocks(rng, int(rng.integers(1, 14)))
    A = random_matrix(rng, neighbours, members)
    b = rng.uniform(-1, 1, len(A))
    x, smallest = solve(A, members, *minimum_degree(sizes, neighbours), b)
    assert np.abs(A @ x - b).max() < 1e-11
    assert 0.0 < smallest <= 1.0


@pytest.mark.parametrize("seed", range(12))
def test_quasi_definite(seed):
    rng = np.random.default_rng(100 + seed)
    sizes, neighbours, members = random_blocks(rng, int(rng.integers(2, 14)))
    n = sum(sizes)
    signs = np.where(rng.uniform(size=n) < 0.5, -1.0, 1.0)
    A = random_matrix(rng, neighbours, members, signs)
    b = rng.uniform(-1, 1, n)
    x, _ = solve(A, members, *minimum_degree(sizes, neighbours), b)
    assert np.abs(x - np.linalg.solve(A, b)).max() < 1e-9 * max(1.0, np.abs(x).max())


def test_any_order_gives_the_same_solution():
    rng = np.random.default_rng(5)
    sizes, neighbours, members = random_blocks(rng, 8)
    A, b = random_matrix(rng, neighbours, members), rng.uniform(-1, 1, sum(sizes))
    best, beside = minimum_degree(sizes, neighbours)
    wait = minimum_degree(sizes, neighbours, lambda node, gone: node != best[0] or len(gone) == 7)
    assert wait[0][-1] == best[0] != wait[0][0]
    x, _ = solve(A, members, best, beside, b)
    y, _ = solve(A, members, *wait, b)
    assert np.abs(x - y).max() < 1e-11


def test_fill_is_what_is_stored_and_a_chain_has_none_to_spare():
    sizes = [2] * 10
    neighbours = [{k - 1, k + 1} & set(range(10)) for k in range(10)]
    members = [[2 * k, 2 * k + 1] for k in range(10)]
    order, beside = minimum_degree(sizes, neighbours)
    assert fill(sizes, order, beside) == expand(members, order, beside).entry_row.size == 10 * 1 + 9 * 4


def test_a_star_is_eliminated_from_its_tips():
    neighbours = [set(range(1, 6)), *({0} for _ in range(5))]
    order, _ = minimum_degree([1] * 6, neighbours)
    assert order.index(0) >= 4


def test_a_pivot_of_rounding_size_is_kept_finite():
    A = np.array([[1.0, 1.0], [1.0, 1.0]])
    order, beside = minimum_degree([1, 1], [{1}, {0}])
    x, smallest = solve(A, [[0], [1]], order, beside, np.array([1.0, 2.0]))
    assert smallest < 1e-14
    assert np.all(np.isfinite(x))
