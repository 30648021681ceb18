"""From a mechanism to a model: frames, measures, rows and laws are numbered, then written into flat tables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from linkwork.compiled import laws as law_slots
from linkwork.compiled.geometry import counts_turns, frame_key, write_geometry
from linkwork.compiled.graph import Edge
from linkwork.compiled.model import BodyInfo, LawInfo, Model, RowInfo
from linkwork.compiled.pattern import Blocks, choose, rows_only
from linkwork.compiled.scales import masses, typical_length
from linkwork.compiled.tree import grow
from linkwork.compiled.tree_tables import write_paths, write_tree
from linkwork.errors import CompileError, DescriptionError, OutOfPlaneError, message
from linkwork.kernels import layout as at
from linkwork.mechanism.functions import Polynomial
from linkwork.mechanism.measures import contains_z


def build(mechanism, start_rows=(), sensors=(), like: Model | None = None, coordinates: str = "body") -> Model:
    """Compile a mechanism.  `start_rows` are further rows (values to hold at assembly), `sensors` further measures.

    `like` is a model of the same mechanism: its compiled laws and functions serve again.  In joint coordinates the
    joints of the tree have no rows.
    """
    return _Builder(mechanism, coordinates, like).run(start_rows, sensors)


def same_structure(one: Model, other: Model) -> None:
    """Raise unless two models differ in numbers only."""
    if one.tab.shape != other.tab.shape or not np.array_equal(one.tab, other.tab):
        raise CompileError(message(f"Mechanism '{other.mechanism.name}'", "has another structure than the model it is "
                                   "to refill", remedy="change numbers only, or compile the mechanism anew"))


class _Builder:
    def __init__(self, mechanism, coordinates, like):
        self.coordinates, self.like = coordinates, like
        self.mechanism = mechanism.copy()  # what is added later belongs to another model
        self.dimension = mechanism.dimension
        self.plane = self.dimension == 2
        self.body_names = list(mechanism.bodies)
        self.index = {"ground": 0, **{name: k + 1 for k, name in enumerate(self.body_names)}}
        self.frames: dict = {}
        self.measures: dict = {}
        self.channels: dict = {}
        self.functions: dict = {}
        self.function_owners: list[str] = []
        self.rows: list[RowInfo] = []
        self.laws: list = []
        self.work: list[str] = []
        self.edges: list[Edge] = []

    # -- numbering -------------------------------------------------------------------------------------------------
    def run(self, start_rows, sensors) -> Model:
        self.bodies = tuple(self._body(body) for body in self.mechanism.bodies.values())
        self.tree = grow(self.mechanism, self.bodies, self.index) if self.coordinates == "joint" else None
        for joint in self.mechanism.joints.values():
            if joint.active:
                self._joint(joint)
        for driver in self.mechanism.drivers.values():
            if driver.active:
                self._driver(driver)
        for row in start_rows:
            self._measure(row.measure, f"start value '{row.name}'")
            if row.speed:  # the rate is held at its value: a constant function
                row = replace(row, function=self._function(Polynomial(row.value), row.name), value=0.0)
            self.rows.append(row)
        for force in self.mechanism.forces.values():
            if force.active:
                for part in force.parts_in(self.dimension):
                    self._law(force, part)
        for sensor in sensors:
            self._measure(sensor, "sensor")
        return self._write()

    def _body(self, body) -> BodyInfo:
        center = np.zeros(3)
        center[:len(body.center)] = body.center
        item = f"Body '{body.name}'"
        if self.plane:
            if np.ndim(body.inertia):
                raise DescriptionError(message(item, "has an inertia for space", str(body.inertia),
                                               "one number in a 2-D mechanism"))
            if center[2] or any(v and len(v) == 3 and v[2] for v in (body.position, body.velocity)):
                raise OutOfPlaneError(message(item, "leaves the plane of this 2-D mechanism", remedy="leave out z"))
            if body.orientation is not None:
                raise OutOfPlaneError(message(item, "has a quaternion in a 2-D mechanism", remedy="use angle="))
            if np.ndim(body.angular_velocity or 0.0):
                raise OutOfPlaneError(message(item, "has an angular_velocity for space", str(body.angular_velocity),
                                              "one number in a 2-D mechanism"))
            return BodyInfo(body.name, body.has_angle, center, np.eye(3), body.mass, np.array([body.inertia]))
        if body.angular_velocity is not None and np.ndim(body.angular_velocity) == 0:
            raise DescriptionError(message(item, "has an angular_velocity of one number in a 3-D mechanism",
                                           repr(body.angular_velocity), "three numbers, along the axes of the body"))
        if body.angle is not None and body.orientation is not None:
            raise DescriptionError(message(item, "has an angle and an orientation", remedy="give one of them"))
        inertia = np.asarray(body.inertia, dtype=float)
        if inertia.ndim == 0 and body.has_angle and inertia != 0.0:
            raise DescriptionError(message(item, "has one moment of inertia in a 3-D mechanism", repr(body.inertia),
                                           "three principal values or a 3 x 3 matrix"))
        if inertia.ndim == 2:
            values, axes = np.linalg.eigh(inertia)
            if np.linalg.det(axes) < 0.0:
                axes[:, 0] = -axes[:, 0]
        else:
            values, axes = np.broadcast_to(inertia, (3,)), np.eye(3)
        if values.min() < -1e-12 * max(1e-30, values.max()):
            raise DescriptionError(message(item, "has an inertia that is not positive", str(values), "values >= 0"))
        return BodyInfo(body.name, body.has_angle, center, axes, body.mass, np.array(values))

    def _joint(self, joint):
        rows = joint.rows(self.dimension)
        if self.dimension not in joint.dimensions:
            raise OutOfPlaneError(message(joint.item, f"exists in {'space' if self.plane else 'the plane'} only",
                                          remedy=f"use another joint, or Mechanism(dimension={joint.dimensions[0]})"))
        for row in rows:
            measure = row.measure
            if self.tree is not None and joint.name in self.tree.joints:
                if any(counts_turns(one, self.dimension) for _, one in measure.terms()):
                    self._measure(measure, joint.item)  # memory is laid out alike in every set
                continue
            self._measure(measure, joint.item)
            self.rows.append(RowInfo(joint.name, row.label, measure, "joint", measure.rate_only, row.value))
        if not rows and joint.constraints():
            raise OutOfPlaneError(message(joint.item, "holds nothing in the plane of this 2-D mechanism",
                                          remedy="use another joint, or Mechanism(dimension=3)"))
        self.edges.append(Edge(joint.name, (joint.on.body, joint.to.body)))

    def _driver(self, driver):
        speed = driver.level == "speed"
        self._measure(driver.measure, driver.item)
        function = self._function(driver.function, driver.item)
        value = None if driver.from_assembled else 0.0
        self.rows.append(RowInfo(driver.name, "", driver.measure, "driver", speed, value, function))
        self.work.append(driver.name)
        self.edges.append(Edge(driver.name, driver.measure.bodies))

    def _law(self, force, part):
        reads = [self._channel(one, force.item) if hasattr(one, "terms") else
                 -1 - self._function(one, force.item) for one in part.reads]
        along = [self._channel(one, force.item) for one in part.along]
        work = -1
        if part.energy != "stores" or part.potential is None:
            work = len(self.work)
            self.work.append(f"{force.name}.{part.label}")
        self.laws.append((force, part, reads, along, work))

    def _channel(self, measure, owner: str) -> int:
        """What a law reads or acts along: a measure, or a sum of them."""
        self._measure(measure, owner)
        return self.channels.setdefault(measure, len(self.channels))

    def _function(self, function, owner: str) -> int:
        if function not in self.functions:
            self.functions[function] = len(self.functions)
            self.function_owners.append(owner)
        return self.functions[function]

    def _frame(self, frame) -> int:
        key = frame_key(frame)
        if key not in self.frames:
            self.frames[key] = (len(self.frames), frame)
        return self.frames[key][0]

    def _measure(self, measure, owner: str) -> None:
        """Number a measure (a sum: its terms); refuses what a particle or the plane does not have."""
        for _, one in measure.terms():
            kind = type(one).__name__
            if self.plane and contains_z(one):
                raise OutOfPlaneError(message(owner,
                                              f"uses {kind} along z, which leaves the plane of this 2-D mechanism",
                                              remedy="use x or y, or Mechanism(dimension=3)"))
            if self.dimension not in one.dimensions:
                where = "space" if self.plane else "the plane"
                raise OutOfPlaneError(message(owner, f"uses {kind}, which exists in {where} only",
                                              remedy="use Angle" if kind == "Alignment" else
                                              f"use Mechanism(dimension={one.dimensions[0]})"))
            for side in one.turns_with:
                name = getattr(one, side).body
                if name != "ground" and not self.mechanism.bodies[name].has_angle:
                    raise DescriptionError(message(owner,
                                                   f"needs the angle of '{name}', which is a Particle and has none",
                                                   remedy="use a Body, with inertia 0 if it has none"))
            if one not in self.measures:
                self._frame(one.on)
                self._frame(one.to)
                self.measures[one] = len(self.measures)

    # -- writing ---------------------------------------------------------------------------------------------------
    def _write(self) -> Model:
        d = self.dimension
        n_bodies = len(self.bodies)
        positions, dof = at.COORDINATES[d]
        tab, p = at.Table(np.int64, reserved=at.HEADER), at.Table(np.float64)
        w = at.Table(np.float64, reserved=at.W_FIXED)
        head = np.zeros(at.HEADER, dtype=np.int64)
        length = self.like.length if self.like is not None else typical_length(self)

        unwinding = [m for m in self.measures if counts_turns(m, d)]
        law_memory = sum(part.memory for _, part, _, _, _ in self.laws)
        tree = self.tree
        turning = ([0] * d + [1] * (positions - d)) * n_bodies + ([0] * d + [1] * (dof - d)) * n_bodies
        if tree is not None:
            turning = write_tree(tree, self.bodies, d, head, tab, p, w)
        head[at.T_TURNING] = tab.add(turning)
        for key, value in ((at.DIMENSION, d), (at.DOF, dof), (at.N_BODIES, n_bodies),
                           (at.N_Q, positions * n_bodies if tree is None else tree.n_q),
                           (at.N_V, dof * n_bodies if tree is None else tree.n_v), (at.N_Z, len(self.work)),
                           (at.N_MEMORY, len(unwinding) + law_memory), (at.N_FUNCTIONS, len(self.functions)),
                           (at.N_LAWS, len(self.laws)), (at.N_ROWS, len(self.rows))):
            head[key] = value

        # bodies
        mass, inverse, unit, weight = masses(self, length)
        self.unit = unit
        for key, values in ((at.P_GRAVITY, weight), (at.P_MASS, mass), (at.P_INVERSE_MASS, inverse),
                            (at.P_ROOT_INVERSE, np.sqrt(inverse)),
                            (at.P_MASS_SCALE, unit)):
            head[key] = p.add(values)
        head[at.P_LENGTH] = p.add([length])

        numbered = {name: (k, self.bodies[k - 1] if k else None) for name, k in self.index.items()}
        write_geometry(d, self.frames, self.measures, unwinding, numbered, head, tab, p)
        head[at.T_MEMORY_MEASURE] = tab.add([self.measures[m] for m in unwinding] + [-1] * law_memory)

        # time functions
        known = dict(zip(self.like.functions, self.like.function_slots)) if self.like is not None else {}
        slots = [known.get(f) or law_slots.function_slot(f) for f in self.functions]
        table = []
        for function, slot in zip(self.functions, slots, strict=True):
            numbers = function.numbers()
            table.append((slot.address, p.add(numbers), len(numbers)))
        head[at.T_FUNCTION] = tab.add(np.array(table, dtype=np.int64))

        laws = self._write_laws(head, tab, p, w, len(unwinding))
        self._write_rows(head, tab, p, length)
        self._write_pattern(head, tab)
        if tree is not None:
            head[at.W_PUSH] = w.reserve((dof + 1) * int(head[at.N_ENTRIES]))

        n_rows, n_blocks, n_measures = head[at.N_ROWS], head[at.N_BLOCKS], head[at.N_MEASURES]
        n_v, n = dof * n_bodies, head[at.N_UNKNOWNS]
        for key, count in (
                (at.W_POSE, at.POSE_SCRATCH[d] * (n_bodies + 1)), (at.W_TWIST, dof * (n_bodies + 1)),
                (at.W_FRAME, at.FRAME_SCRATCH[d] * len(self.frames)), (at.W_VALUE, n_measures),
                (at.W_RATE, n_measures), (at.W_BIAS, n_measures), (at.W_GRADIENT, 2 * dof * n_measures),
                (at.W_MEMORY, head[at.N_MEMORY]),
                (at.W_TURNED, head[at.N_MEMORY]), (at.W_SWING, head[at.N_MEMORY]),
                (at.W_FUNCTION, 3 * head[at.N_FUNCTIONS]),
                (at.W_APPLIED, dof + n_v), (at.W_PHI, n_rows), (at.W_NU, n_rows), (at.W_GAMMA, n_rows),
                (at.W_HELD, n_rows), (at.W_BLOCK, dof * n_blocks),
                (at.W_SCALED, dof * n_blocks if tree is None else head[at.N_ENTRIES]),
                (at.W_LAMBDA, n_rows), (at.W_ACCELERATION, dof + n_v), (at.W_FACTOR, n + head[at.N_FILL]),
                (at.W_SCALE, n), (at.W_UNKNOWN, n), (at.W_RESIDUAL, 2 * n_rows), (at.W_STEP, max(dof + n_v, n))):
            head[key] = w.reserve(int(count))
        if tree is None:  # coordinates are those of the bodies
            head[at.W_CHANGE] = head[at.W_ACCELERATION] + dof
        workspace = np.concatenate([np.zeros(at.W_FIXED), w.vector()])
        workspace[head[at.W_HELD]:head[at.W_HELD] + n_rows] = 1.0
        workspace[at.PROJECT_TOLERANCE] = 1e-13
        workspace[at.PROJECT_COUNT] = 10
        tables = np.concatenate([head, tab.vector()])
        return Model(self.mechanism, d, tables, p.vector(), workspace, self.bodies, tuple(self.rows), laws,
                     tuple(self.functions), tuple(self.function_owners), tuple(slots), tuple(self.measures),
                     dict(self.measures), tuple(self.edges), length, tuple(self.work), tree)

    def _write_laws(self, head, tab, p, w, memory_at):
        reads_all, along_all, table, infos = [], [], [], []
        most = 0
        for force, part, reads, along, work in self.laws:
            slot = law_slots.law_slot(part) if self.like is None else self.like.laws[len(infos)].slot
            table.append((slot.address, len(reads_all), len(reads), len(along_all), len(along), p.add(part.numbers),
                          len(part.numbers), memory_at, part.memory, work))
            infos.append(LawInfo(force.name, part, slot, len(along_all), work))
            reads_all += reads
            along_all += along
            memory_at += part.memory
            most = max(most, len(reads))
        head[at.T_LAW] = tab.add(np.array(table, dtype=np.int64))
        head[at.T_READS] = tab.add(reads_all)
        head[at.T_ALONG] = tab.add(along_all)
        parts = [measure.terms() for measure in self.channels]
        head[at.T_CHANNEL] = tab.add(np.cumsum([0, *(len(terms) for terms in parts)]))
        head[at.T_CHANNEL_TERM] = tab.add([self.measures[one] for terms in parts for _, one in terms])
        head[at.P_CHANNEL] = p.add([weight for terms in parts for weight, _ in terms])
        head[at.W_READ] = w.reserve(2 * most)
        head[at.W_OUT] = w.reserve(len(along_all))
        return tuple(infos)

    def _write_rows(self, head, tab, p, length):
        rows, values, terms, weights, row_term = [], [], [], [], [0]
        block_body, row_block = [], [0]
        work = 0
        for row in self.rows:
            parts = row.measure.terms()
            slot = -1
            if row.kind == "driver":
                slot, work = work, work + 1
            turn = int(len(parts) == 1 and parts[0][1].quantity == "angle" and abs(parts[0][0]) == 1.0)
            rows.append((at.SPEED if row.speed else at.POSITION, row.function, slot, turn))
            values.append((0.0 if row.value is None else row.value,
                           length if row.measure.quantity == "length" else 1.0))
            blocks: dict[int, int] = {}
            for weight, measure in parts:
                places = []
                for frame in (measure.on, measure.to):
                    body = self.index[frame.body]
                    if body and body not in blocks:
                        blocks[body] = len(block_body)
                        block_body.append(body)
                    places.append(blocks[body] if body else -1)
                terms.append((self.measures[measure], *places))
                weights.append(weight)
            row_term.append(len(terms))
            row_block.append(len(block_body))
        head[at.N_BLOCKS], head[at.N_TERMS] = len(block_body), len(terms)
        head[at.T_ROW] = tab.add(np.array(rows, dtype=np.int64))
        head[at.T_ROW_TERM] = tab.add(row_term)
        head[at.T_TERM] = tab.add(np.array(terms, dtype=np.int64))
        head[at.T_ROW_BLOCK] = tab.add(row_block)
        head[at.T_BLOCK_BODY] = tab.add(at.COORDINATES[self.dimension][1] * np.array(block_body, dtype=np.int64))
        head[at.P_ROW] = p.add(np.array(values))
        head[at.P_TERM] = p.add(weights)
        self.block_body, self.row_block = block_body, row_block

    def _write_pattern(self, head, tab):
        """Choose between S and the saddle point by their fill; write the chosen pattern."""
        _, dof = at.COORDINATES[self.dimension]
        groups: dict[str, list[int]] = {}
        for r, row in enumerate(self.rows):
            groups.setdefault(row.item if row.kind != "start" else row.name, []).append(r)
        # with hardly any inertia S has pivots that look singular; with the accelerations among the unknowns it has not
        little = at.LITTLE * self.unit
        massless = any(body.mass <= little[k, 0] or (body.has_angle and body.inertia.min() <= little[k, -1])
                       for k, body in enumerate(self.bodies, start=1))
        if self.tree is not None:
            row_entry, entry_slot = write_paths(self.tree, self.row_block, self.block_body, head, tab)
            blocks = Blocks(1, 0, tuple(groups.values()), tuple(row_entry), tuple(entry_slot))
            (pattern, assembly), saddle = rows_only(blocks), False
        else:
            blocks = Blocks(dof, len(self.bodies), tuple(groups.values()), tuple(self.row_block),
                            tuple(self.block_body))
            pattern, assembly, saddle = choose(blocks, saddle_only=massless)
        head[at.SADDLE] = int(saddle)
        head[at.N_UNKNOWNS] = pattern.place.size
        head[at.N_FILL] = pattern.entry_row.size
        head[at.N_ASSEMBLY] = len(assembly)
        head[at.T_PERMUTATION] = tab.add(pattern.place)
        head[at.T_COLUMN] = tab.add(pattern.column)
        head[at.T_ENTRY_ROW] = tab.add(pattern.entry_row)
        head[at.T_ASSEMBLY] = tab.add(np.array(assembly, dtype=np.int64))
        head[at.T_TARGET] = tab.add(pattern.target)
