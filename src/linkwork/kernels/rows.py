"""Constraint rows from measures: a row is a weighted sum of measures held at a number or at f(t).

| symbol | word                                       | shape        | book                          |
|--------|--------------------------------------------|--------------|-------------------------------|
| phi    | constraint error                           | rows         | Phi                           |
| J      | gradient, in blocks (row, body)            | blocks x dof | D                             |
| nu     | right side of J v = nu                     | rows         | -Phi_t                        |
| gamma  | right side of J a = gamma                  | rows         | gamma                         |
"""

from __future__ import annotations

import math

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, f8, i8, kernel, types

TURN = 2.0 * math.pi


@kernel(f8(f8, f8, i8, I, A))
def counted(value, rate, slot, tab, w):
    """An angle known up to full turns, in the turn nearest to the one remembered; it and its rate are noted."""
    value -= TURN * math.floor((value - w[tab[at.W_MEMORY] + slot]) / TURN + 0.5)
    w[tab[at.W_TURNED] + slot] = value
    w[tab[at.W_SWING] + slot] = rate
    return value


@kernel(types.void(A, I, A))
def build_rows(p, tab, w):
    """phi, J, nu and gamma of every row, from the measures and functions already in the workspace."""
    dof = tab[at.DOF]
    block = tab[at.W_BLOCK]
    values = tab[at.W_VALUE]
    biases = tab[at.W_BIAS]
    gradients = tab[at.W_GRADIENT]
    functions = tab[at.W_FUNCTION]
    row_term = tab[at.T_ROW_TERM]
    terms = tab[at.T_TERM]
    weights = tab[at.P_TERM]
    rows = tab[at.T_ROW]
    numbers = tab[at.P_ROW]
    w_phi = tab[at.W_PHI]
    w_nu = tab[at.W_NU]
    w_gamma = tab[at.W_GAMMA]
    row_block = tab[at.T_ROW_BLOCK]
    for r in range(tab[at.N_ROWS]):
        value = 0.0
        bias = 0.0
        first_term = tab[row_term + r]
        last_term = tab[row_term + r + 1]
        if last_term == first_term + 1:  # nearly all rows: one measure, its gradient is the row
            weight = p[weights + first_term]
            term = terms + at.TERM_COLUMNS * first_term
            measure = tab[term + at.TERM_MEASURE]
            value = weight * w[values + measure]
            bias = weight * w[biases + measure]
            gradient = gradients + 2 * dof * measure
            on = block + dof * tab[term + at.TERM_ON]
            to = block + dof * tab[term + at.TERM_TO]
            if tab[term + at.TERM_ON] >= 0:
                for c in range(dof):
                    w[on + c] = weight * w[gradient + c]
            if tab[term + at.TERM_TO] >= 0:
                for c in range(dof):
                    w[to + c] = weight * w[gradient + dof + c]
        else:
            for i in range(block + dof * tab[row_block + r], block + dof * tab[row_block + r + 1]):
                w[i] = 0.0
            for k in range(first_term, last_term):
                weight = p[weights + k]
                term = terms + at.TERM_COLUMNS * k
                measure = tab[term + at.TERM_MEASURE]
                value += weight * w[values + measure]
                bias += weight * w[biases + measure]
                gradient = gradients + 2 * dof * measure
                on = tab[term + at.TERM_ON]
                if on >= 0:
                    for c in range(dof):
                        w[block + dof * on + c] += weight * w[gradient + c]
                to = tab[term + at.TERM_TO]
                if to >= 0:
                    for c in range(dof):
                        w[block + dof * to + c] += weight * w[gradient + dof + c]
        row = rows + at.ROW_COLUMNS * r
        kind = tab[row + at.ROW_KIND]
        held = p[numbers + at.ROW_NUMBERS * r + at.ROW_VALUE]  # of a row of speed: the speed
        nu = held if kind == at.SPEED else 0.0
        gamma = -bias
        function = tab[row + at.ROW_FUNCTION]
        if function >= 0:
            first = functions + at.FUNCTION_ORDERS * function
            if kind == at.POSITION:
                held += w[first + at.FUNCTION_VALUE]
                nu = w[first + at.FUNCTION_RATE]
                gamma += w[first + at.FUNCTION_SECOND]
            else:
                nu += w[first + at.FUNCTION_VALUE]
                gamma += w[first + at.FUNCTION_RATE]
        phi = value - held
        if kind == at.SPEED:
            phi = 0.0
        elif tab[row + at.ROW_TURNS] == 1:
            phi -= TURN * math.floor(phi / TURN + 0.5)
        w[w_phi + r] = phi
        w[w_nu + r] = nu
        w[w_gamma + r] = gamma


@kernel(types.void(I, A))
def remember(tab, w):
    """The first state of a run: angles that count full turns, and what laws wrote there, are remembered."""
    for k in range(tab[at.N_MEMORY]):
        w[tab[at.W_MEMORY] + k] = w[tab[at.W_TURNED] + k]


@kernel(f8(I, A))
def fastest_turn(tab, w):
    """Largest rate among the angles that count full turns."""
    largest = 0.0
    for k in range(tab[at.N_MEMORY]):
        if tab[tab[at.T_MEMORY_MEASURE] + k] >= 0:
            largest = max(largest, abs(w[tab[at.W_SWING] + k]))
    return largest
