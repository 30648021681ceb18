"""Point coordinates of the plane (Nikravesh, chapter 10): particles at points, and constraints between them.

    M r'' = h + D'lambda,  D r'' = gamma                                                                   (10.39)

| constraint | Phi | gamma |
|---|---|---|
| length | (d'd - L^2)/2, d = r_i - r_j | -d.'d. |
| normal | d_ij'd_ik | -2 d._ij'd._ik |
| parallel | rot(d_ij)'d_ik, rot(d_ij)'d_kl | -2 rot(d._ij)'d._ik |
| angle | d_ij'd_kj - L_ij L_kj cos(theta) | -2 d._ij'd._kj |
| simple | x_i - c, y_i - c | 0 |

All but the last are one bilinear form, (W d_ij)'d_kl with W the unit matrix or rot. A primary point has coordinates, a
stationary one none, and a secondary one is a linear combination of others, without coordinates or rows of its own.
"""

from dataclasses import dataclass, field

import numpy as np

from linkwork.errors import DescriptionError, message
from linkwork.textbook.linear import solve
from linkwork.textbook.planar_kinematics import rot

TURN = np.array([[0.0, -1.0], [1.0, 0.0]])  # rot as a matrix


# secondary points: coefficients of the points that they are told by


def on_line(a, L):
    """r_P = (1 - a/L) r_A + (a/L) r_B, at the distance a from A towards B (10.26)."""
    return np.array([1.0 - a / L, a / L])


def off_line(a, b, L):
    """Matrices of r_A and r_B for r_P, a along AB and b to its left (10.28)."""
    turned = b / L * TURN
    return (1.0 - a / L) * np.eye(2) - turned, a / L * np.eye(2) + turned


def of_three(a, b, L_BA, L_CA):
    """Coefficients of r_A, r_B and r_C for r_P, a along AB and b along AC (10.29)."""
    return np.array([1.0 - a / L_BA - b / L_CA, a / L_BA, b / L_CA])


def along_and_beside(r_A, r_B, r_P):
    """a and b of P in the axes of AB (10.30), (10.31)."""
    d = np.subtract(r_B, r_A)
    u = d / np.linalg.norm(d)
    s = np.subtract(r_P, r_A)
    return float(u @ s), float(rot(u) @ s)


def shares(r_A, r_B, r_C, r_P):
    """Coefficients of r_A, r_B and r_C for r_P from their places, the three not in line (problem 10.6)."""
    edges = np.column_stack([np.subtract(r_B, r_A), np.subtract(r_C, r_A)])
    p, q = np.linalg.solve(edges, np.subtract(r_P, r_A))
    return np.array([1.0 - p - q, p, q])


# constraints


@dataclass(frozen=True)
class PointConstraint:
    """(W d_ij)'d_kl factor - constant for the pairs of points (i, j) and (k, l)."""

    pairs: tuple
    turned: bool = False
    constant: float = 0.0
    factor: float = 1.0

    def parts(self, r):
        """W d_ij and W'd_kl for positions or velocities of points."""
        (i, j), (k, l) = self.pairs
        W = TURN if self.turned else np.eye(2)
        return W @ np.subtract(r(i), r(j)), W.T @ np.subtract(r(k), r(l)), np.subtract(r(k), r(l))

    def value(self, r):
        """Phi."""
        first, _, second = self.parts(r)
        return self.factor * (first @ second) - self.constant

    def row(self, r):
        """Derivatives of Phi by point, as pairs of a point and a vector."""
        (i, j), (k, l) = self.pairs
        first, back, _ = self.parts(r)
        return [(i, self.factor * back), (j, -self.factor * back), (k, self.factor * first), (l, -self.factor * first)]

    def gamma(self, rd):
        """Right side of the accelerations."""
        first, _, second = self.parts(rd)
        return -2.0 * self.factor * (first @ second)


@dataclass(frozen=True)
class SimpleConstraint:
    """Coordinate x or y of a point is a constant (10.23)."""

    point: str
    coordinate: str
    constant: float = 0.0

    def value(self, r):
        """Phi."""
        return r(self.point)["xy".index(self.coordinate)] - self.constant

    def row(self, r):
        """Derivative of Phi by point."""
        return [(self.point, np.eye(2)["xy".index(self.coordinate)])]

    def gamma(self, rd):
        """Zero."""
        return 0.0


def length(i, j, L):
    """The distance of two points is L (10.14)."""
    return PointConstraint(((i, j), (i, j)), constant=0.5 * L**2, factor=0.5)


def normal(i, j, k):
    """ij is normal to ik (10.17)."""
    return PointConstraint(((i, j), (i, k)))


def parallel(i, j, k, l=None):
    """i, j and k in line (10.20), or ij parallel to kl (10.22)."""
    return PointConstraint(((i, j), (i, k) if l is None else (k, l)), turned=True)


def angle(i, j, k, L_ij, L_kj, theta):
    """The angle at j between ji and jk is theta (10.21); not for theta of 0 or pi, where its row vanishes: parallel."""
    return PointConstraint(((i, j), (k, j)), constant=L_ij * L_kj * np.cos(theta))


def simple(point, coordinate, constant=0.0):
    """Coordinate "x" or "y" of a point is a constant (10.23)."""
    return SimpleConstraint(point, coordinate, constant)


# models


@dataclass(frozen=True)
class PointModel:
    """A system of points: places by name, links with their mass matrices, constraints and forces.

    `links` are pairs of point names and the mass matrix of these points (`point_masses`).  `secondary` has for each
    point the points that tell it and their coefficients, numbers or matrices.  `forces` are functions of the places and
    velocities, both as functions of a name, which give pairs of a point and a force.
    """

    primary: dict
    stationary: dict = field(default_factory=dict)
    secondary: dict = field(default_factory=dict)
    links: tuple = ()
    constraints: tuple = ()
    forces: tuple = ()
    gravity: tuple = (0.0, 0.0)
    name: str = "points"

    @property
    def r(self):
        """Declared places of the primary points, one after the other."""
        return np.array(list(self.primary.values()), dtype=float).ravel()

    def N(self, point):
        """N of r_P = N r + constant: how the coordinates tell a point, and its velocity by the same matrix (10.27)."""
        N = np.zeros((2, 2 * len(self.primary)))
        if point in self.primary:
            first = 2 * list(self.primary).index(point)
            N[:, first : first + 2] = np.eye(2)
        elif point in self.secondary:
            for other, share in self.secondary[point].items():
                N += (np.asarray(share) if np.ndim(share) else share * np.eye(2)) @ self.N(other)
        elif point not in self.stationary:
            known = [*self.primary, *self.stationary, *self.secondary]
            raise DescriptionError(message(f"Point {point!r}", "is not known", wanted=f"one of {', '.join(known)}"))
        return N

    def place(self, r):
        """Places of points by name, as a function, for the coordinates r."""

        def of(point):
            if point in self.stationary:
                return np.asarray(self.stationary[point], dtype=float)
            if point in self.secondary:
                parts = self.secondary[point].items()
                return sum((np.asarray(c) if np.ndim(c) else c * np.eye(2)) @ of(other) for other, c in parts)
            return self.N(point) @ r

        return of

    def velocity(self, rd):
        """Velocities of points by name, as a function; stationary ones rest."""
        return lambda point: self.N(point) @ rd


def constraints(model, r):
    """Phi of all constraints."""
    return np.array([one.value(model.place(r)) for one in model.constraints])


def jacobian(model, r):
    """D, with no columns for stationary points."""
    D = np.zeros((len(model.constraints), 2 * len(model.primary)))
    for k, one in enumerate(model.constraints):
        for point, vector in one.row(model.place(r)):
            D[k] += vector @ model.N(point)
    return D


def gamma(model, rd):
    """Right side of D r'' = gamma (10.12)."""
    return np.array([one.gamma(model.velocity(rd)) for one in model.constraints])


def mass_matrix(model):
    """M of all links; shared points add (10.58)."""
    M = np.zeros((2 * len(model.primary),) * 2)
    for points, own in model.links:
        N = np.vstack([model.N(point) for point in points])
        M += N.T @ np.kron(np.atleast_2d(own), np.eye(2)) @ N
    return M


def force_array(model, r, rd):
    """h: weight of all links, and the forces on points (10.6)."""
    h = np.zeros(2 * len(model.primary))
    for points, own in model.links:
        for point, mass in zip(points, np.atleast_2d(own).sum(axis=1)):
            h += model.N(point).T @ (mass * np.asarray(model.gravity))
    for force in model.forces:
        for point, f in force(model.place(r), model.velocity(rd)):
            h += model.N(point).T @ f
    return h


def spring(i, j, k, L0, dc=0.0):
    """A spring with a damper between two points, as a force of a model."""

    def law(place, velocity):
        d, dd = place(i) - place(j), velocity(i) - velocity(j)
        L = np.linalg.norm(d)
        f = -(k * (L - L0) + dc * (d @ dd) / L) * d / L
        return [(i, f), (j, -f)]

    return law


def accelerations(model, r, rd):
    """r'' and lambda (10.39)."""
    M, D = mass_matrix(model), jacobian(model, r)
    n = len(M)
    matrix = np.block([[M, -D.T], [D, np.zeros((len(D), len(D)))]])
    found = solve(matrix, np.r_[force_array(model, r, rd), gamma(model, rd)], model, 0.0, "a matrix")
    return found[:n], found[n:]


def pin_forces(model, r, rd, rdd, lam):
    """Forces of the pins on the links at their points, {(link, point): force}, from each link's own equations.

    M_e r'' - h_e - D_e'lambda of one link is what its pins push it with: constraints between points of one link are its
    own.  A load on a point that several links share acts on the pin there.  Links have primary and stationary points.
    """
    place, acceleration = model.place(r), model.velocity(rdd)  # N is constant: accelerations go as velocities do
    loads = [pair for force in model.forces for pair in force(place, model.velocity(rd))]
    found, used = {}, set()
    for number, (points, own) in enumerate(model.links):
        own = np.atleast_2d(own)
        f = own @ [acceleration(point) for point in points] - np.outer(own.sum(axis=1), model.gravity)
        for k, one in enumerate(model.constraints):
            row = one.row(place)
            if k not in used and len({point for point, _ in row}) > 1 and all(point in points for point, _ in row):
                used.add(k)
                for point, vector in row:
                    f[points.index(point)] -= lam[k] * vector
        for point, load in loads:
            if point in points and sum(point in others for others, _ in model.links) == 1:
                f[points.index(point)] -= load
        found |= {(number, point): force for point, force in zip(points, f)}
    return found


def peeled(forces, pins):
    """Force of each pin on its second link, where several links share a point: leaf by leaf.

    `forces` has the force of all pins on each link at that point, `pins` are pairs of links; "ground" needs no force.
    As many pins as links (a closed ring of pins at one point) have no answer of their own.
    """
    left, rest, found = dict(enumerate(pins)), {link: np.array(f) for link, f in forces.items()}, {}
    while left:
        ends = [link for pair in left.values() for link in pair]
        leaf = next((link for link in ends if ends.count(link) == 1 and link in rest), None)
        if leaf is None:
            raise DescriptionError(
                message("The pins at one point", "form a ring", pins, remedy="remove one: it holds nothing more")
            )
        k, (on, to) = next((k, pair) for k, pair in left.items() if leaf in pair)
        push = rest.pop(leaf)  # the only pin left on this link gives all of it
        other = on if leaf == to else to
        found[k] = push if leaf == to else -push
        if other in rest:
            rest[other] = rest[other] + push
        del left[k]
    return [found[k] for k in range(len(pins))]
