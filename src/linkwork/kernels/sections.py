"""The sections of the three vectors, said once: name, shape by sizes, meaning, columns.

Offsets, reservations, views by name and the page docs/layout.md are made from this table.  A shape is written in sizes
of the header: `rows + 1`, `measures, 2 dof`; `columns` is the number of the columns that are named.
"""

from __future__ import annotations

from math import prod

from linkwork.kernels import layout as at
from linkwork.kernels.point_sections import OF_POINTS
from linkwork.kernels.section import Section

#: sizes that shapes are written in: an entry of the header, or numbers by dimension
SIZES = {
    "dof": at.DOF,
    "bodies": at.N_BODIES,
    "positions": at.N_Q,
    "speeds": at.N_V,
    "states": at.N_STATES,
    "memory": at.N_MEMORY,
    "frames": at.N_FRAMES,
    "measures": at.N_MEASURES,
    "measure numbers": at.N_MEASURE_NUMBERS,
    "seen": at.N_SEEN,
    "functions": at.N_FUNCTIONS,
    "laws": at.N_LAWS,
    "numbers": at.N_NUMBERS,
    "reads": at.N_READS,
    "most reads": at.MOST_READS,
    "along": at.N_ALONG,
    "channels": at.N_CHANNELS,
    "channel terms": at.N_CHANNEL_TERMS,
    "rows": at.N_ROWS,
    "blocks": at.N_BLOCKS,
    "terms": at.N_TERMS,
    "unknowns": at.N_UNKNOWNS,
    "fill": at.N_FILL,
    "targets": at.N_TARGETS,
    "assembly": at.N_ASSEMBLY,
    "classes": at.N_CLASSES,
    "class terms": at.N_CLASS_TERMS,
    "share terms": at.N_SHARE_TERMS,
    "block terms": at.N_BLOCK_TERMS,
    "masses": at.N_MASSES,
    "sways": at.N_SWAYS,
    "vectors": at.N_VECTORS,
    "vector terms": at.N_VECTOR_TERMS,
    "bases": at.N_BASES,
    "products": at.N_PRODUCTS,
    "product terms": at.N_PRODUCT_TERMS,
    "links": at.N_LINKS,
    "entries": at.N_ENTRIES,
    "pose": at.POSE_SCRATCH,
    "frame numbers": at.FRAME_NUMBERS,
    "frame scratch": at.FRAME_SCRATCH,
    "link numbers": at.LINK_NUMBERS,
    "link scratch": at.LINK_SCRATCH,
}

TABLE: tuple[Section, ...] = (
    Section("T_FRAME_BODY", "frames", "body of a frame"),
    Section(
        "T_MEASURE",
        "measures, columns",
        "what a measure is",
        {
            "MEASURE_CODE": "which one",
            "MEASURE_ON": "frame `on`",
            "MEASURE_TO": "frame `to`",
            "MEASURE_PAIR": "what it reads of both, place in W_PAIR",
            "MEASURE_OPENS": "LINE, EDGE or MOTION where it is the first to read that, or -1",
            "MEASURE_AXIS": "axis",
            "MEASURE_OTHER": "axis of `to` where there are two",
            "MEASURE_SLOT": "first slot of memory, or -1",
            "MEASURE_N_MEMORY": "how many numbers its function remembers; 0 where full turns are counted",
            "MEASURE_NUMBERS": "place in p of its first number",
            "MEASURE_N_NUMBERS": "how many it has",
            "MEASURE_FUNCTION": "where its function is, if it has one of its own, or 0",
            "MEASURE_ADDRESS": "where its kernel is, written when a model is run; 0 where it is called directly",
        },
    ),
    Section("T_MEMORY_MEASURE", "memory", "measure whose full turns are counted there; -1 for other memory"),
    Section(
        "T_FUNCTION",
        "functions, columns",
        "functions of time",
        {
            "FUNCTION_ADDRESS": "where its code is",
            "FUNCTION_NUMBERS": "place in p of when its time begins; its own numbers come behind",
            "FUNCTION_N_NUMBERS": "how many these are",
        },
    ),
    Section(
        "T_LAW",
        "laws, columns",
        "laws of forces",
        {
            "LAW_ADDRESS": "where its code is; 0 where it is switched off",
            "LAW_READS": "first of T_READS",
            "LAW_N_READS": "how many it reads",
            "LAW_ALONG": "first of T_ALONG and W_OUT",
            "LAW_N_ALONG": "how many forces it gives",
            "LAW_NUMBERS": "place in p of its first number",
            "LAW_N_NUMBERS": "how many it has",
            "LAW_MEMORY": "first slot of memory",
            "LAW_N_MEMORY": "how many slots",
            "LAW_STATES": "first of its states",
            "LAW_N_STATES": "how many states it has",
            "LAW_WORK": "work that counts it, or -1",
            "LAW_ACCEPT": "where the code is that runs when a step is accepted, or 0",
        },
    ),
    Section("T_READS", "reads", "what laws read: a channel, or -1 - function"),
    Section("T_ALONG", "along", "channels that laws act along; a guard before the first law and behind each"),
    Section("T_CHANNEL", "channels + 1", "first term of a channel: a weighted sum of measures"),
    Section("T_CHANNEL_TERM", "channel terms", "measure of a term"),
    Section(
        "T_ROW",
        "rows, columns",
        "what a row holds",
        {
            "ROW_KIND": "POSITION or SPEED",
            "ROW_FUNCTION": "function, or -1",
            "ROW_WORK": "work of a driver, or -1",
            "ROW_TURNS": "1 where the nearest whole turn is meant",
        },
    ),
    Section("T_ROW_TERM", "rows + 1", "first term of a row"),
    Section(
        "T_TERM",
        "terms, columns",
        "measures that a row adds up",
        {"TERM_MEASURE": "measure", "TERM_ON": "block of `on`, or -1", "TERM_TO": "block of `to`, or -1"},
    ),
    Section("T_ROW_BLOCK", "rows + 1", "first block of a row"),
    Section("T_BLOCK_BODY", "blocks", "first coordinate of the body of a block: dof * body"),
    Section("T_PERMUTATION", "unknowns", "place in the elimination of rows (S), or of coordinates, then rows (saddle)"),
    Section("T_COLUMN", "unknowns + 1", "first entry of a column of L, counted in W_FACTOR"),
    Section("T_ENTRY_ROW", "fill", "row, in the order of elimination, of an entry of L"),
    Section("T_TARGET", "targets", "targets of the updates of the factorisation, in the order of its loops"),
    Section(
        "T_ASSEMBLY",
        "assembly, columns",
        "products that are added up to S, or entries of the saddle point",
        {
            "ASSEMBLY_ONE": "block or entry",
            "ASSEMBLY_OTHER": "block or entry (S), or row (saddle point)",
            "ASSEMBLY_TARGET": "place in W_FACTOR",
        },
    ),
    Section("T_TURNING", "positions + speeds", "1 for a coordinate or speed that turns, 0 for one that shifts"),
    Section(
        "T_LINK",
        "links + 1, columns",
        "links of the tree, after their parents",
        {
            "LINK_KIND": "the step that leads to it",
            "LINK_PARENT": "link",
            "LINK_PLACE": "first position",
            "LINK_SPEED": "first speed",
            "LINK_BODY": "body that it carries, or 0",
            "LINK_CHILDREN": "CARRIES where it has some, OPENS where it is gathered first among those of its parent",
        },
        "joint",
    ),
    Section("T_BODY_LINK", "bodies + 1", "link that carries a body", coordinates="joint"),
    Section(
        "T_ROW_ENTRY",
        "rows + 1",
        "first entry of a row: links on the way from its bodies to the root; of point coordinates, numbers of J",
        coordinates="joint point",
    ),
    Section(
        "T_ENTRY",
        "entries, columns",
        "one freedom of a link on that way",
        {"ENTRY_LINK": "link", "ENTRY_UP": "entry of its parent, or -1", "ENTRY_PART": "which of its freedoms"},
        "joint",
    ),
    Section("T_BLOCK_ENTRY", "blocks", "entry of the link that carries the body of a block", coordinates="joint"),
    Section("P_GRAVITY", "bodies + 1, dof", "weight, as force on the coordinates"),
    Section("P_MASS", "bodies + 1, dof", "diagonal of M"),
    Section("P_INVERSE_MASS", "bodies + 1, dof", "diagonal of M^-1, zero for ground"),
    Section("P_ROOT_INVERSE", "bodies + 1, dof", "root of it"),
    Section("P_MASS_SCALE", "bodies + 1, dof", "what counts as one unit of inertia of that coordinate"),
    Section("P_LEAST", "1", "the smallest inertia, against the unit of its coordinate"),
    Section("P_LENGTH", "1", "one length of the mechanism"),
    Section("P_FRAME", "frames, frame numbers", "a frame on its body: place and angle, in space place and three axes"),
    Section("P_MEASURE", "measure numbers", "numbers of measures, such as the radius of a disc"),
    Section("P_NUMBERS", "numbers", "numbers of functions, then of laws"),
    Section("P_CHANNEL", "channel terms", "weight of a measure in its channel"),
    Section(
        "P_ROW",
        "rows, columns",
        "numbers of a row",
        {"ROW_VALUE": "value held; of a row of speed, the speed", "ROW_SCALE": "what its error is compared with"},
    ),
    Section("P_TERM", "terms", "weight of a measure in its row"),
    Section(
        "P_LINK",
        "links + 1, link numbers",
        "the step to a link, and its body: see the files `links`",
        coordinates="joint",
    ),
    Section("W_POSE", "bodies + 1, pose", "x, y, angle, cosine, sine; in space place and rotation matrix"),
    Section("W_TWIST", "bodies + 1, dof", "velocity and angular velocity"),
    Section("W_FRAME", "frames, frame scratch", "frames in the world: see the files `frames`"),
    Section("W_PAIR", "seen", "what is between two frames: see the files `frames`"),
    Section("W_VALUE", "measures", "value"),
    Section("W_RATE", "measures", "rate"),
    Section("W_BIAS", "measures", "J-dot v, what the second rate is without accelerations"),
    Section("W_GRADIENT", "measures, 2 dof", "with respect to the twists of `on` and `to`"),
    Section(
        "W_MEMORY",
        "memory",
        "angles that turns are counted from, or turns to add; then the memory of measures, of laws",
    ),
    Section("W_TURNED", "memory", "the same at the state evaluated last, and what measures and laws wrote there"),
    Section("W_SWING", "memory", "rates of those angles: no step may turn them by more than a part of a turn"),
    Section(
        "W_FUNCTION",
        "functions, columns",
        "functions of time now",
        {"FUNCTION_VALUE": "f", "FUNCTION_RATE": "f'", "FUNCTION_SECOND": "f''"},
    ),
    Section("W_READ", "2 most reads", "values that a law reads, then their rates"),
    Section("W_OUT", "along", "force of every law along its channels, each law between two guards"),
    Section("W_STATE", "states", "states of laws, as they are given to them"),
    Section("W_STATE_RATE", "states", "their rates, as laws give them"),
    Section("W_APPLIED", "bodies + 1, dof", "applied force"),
    Section("W_PHI", "rows", "constraint error"),
    Section("W_NU", "rows", "right side of J v = nu"),
    Section("W_GAMMA", "rows", "right side of J a = gamma"),
    Section("W_HELD", "rows", "1 held, 0 dropped or released"),
    Section(
        "W_COMPLIANCE",
        "rows",
        "compliance of a row, zero where it is rigid: J a + compliance lam = right side",
        coordinates="body",
    ),
    Section("W_BLOCK", "blocks, dof", "J"),
    Section("W_RESIDUAL", "rows", "what the solution leaves of the rows"),
    Section("W_RIGHT", "rows", "right side of a step of a projection: -phi, or nu - J v"),
    Section("W_SCALE", "unknowns", "size of the diagonal before elimination"),
    Section("W_SCALED_BLOCK", "blocks, dof", "J M^-1/2 of the held rows", coordinates="body"),
    Section(
        "W_FREE",
        "unknowns",
        "what the diagonal of a row would be between free bodies; zero where it is not held",
        coordinates="joint",
    ),
    Section(
        "W_ANGLE", "3, links + 7", "angles of the links, in space of their steps; cosines; sines", coordinates="joint"
    ),
    Section("W_LINK", "links + 1, link scratch", "the recursion: see the files `links`", coordinates="joint"),
    Section(
        "W_PUSH",
        "entries, dof + 1",
        "wrench of a row on its way to the root, and u, its part along the step",
        coordinates="joint",
    ),
    Section(
        "W_CHANGE",
        "speeds",
        "accelerations of the coordinates, or a step; in body coordinates those of W_ACCELERATION without ground",
        coordinates="joint point",
    ),
    Section("W_LAMBDA", "rows", "multipliers", doubled=True),
    Section("W_ACCELERATION", "bodies + 1, dof", "accelerations, or a step", doubled=True),
    Section("W_FACTOR", "unknowns + fill", "the factor: diagonal first, then columns of L", doubled=True),
    Section("W_UNKNOWN", "unknowns", "right side, then solution, in the order of elimination", doubled=True),
    Section("W_STEP", "bodies + 1, dof", "h - M a + J' lam of the bodies; a step that is kept", doubled=True),
    Section("W_SCALED_ENTRY", "entries", "u / sqrt(D) of a row along the steps", coordinates="joint", doubled=True),
    Section(
        "W_PULL", "links + 1, 3", "forces of the rows along the steps of the tree", coordinates="joint", doubled=True
    ),
    *OF_POINTS,
)

SECTIONS = {section.key: section for section in TABLE}


def _term(text: str, columns: int) -> tuple[int, str]:
    """A part of a size: how many times what; a plain number has no name."""
    factor, _, name = text.partition(" ")
    if factor.isdigit():
        return int(factor), name
    return (columns, "") if text == "columns" else (1, text)


_SHAPES = {
    section.key: tuple(
        tuple(_term(part.strip(), len(section.columns)) for part in size.split("+"))
        for size in section.shape.split(",")
    )
    for section in TABLE
}


def _size(name: str, tab) -> int:
    if not name:
        return 1
    found = SIZES[name]
    return found[int(tab[at.DIMENSION])] if isinstance(found, dict) else int(tab[found])


def shape_of(key: int, tab) -> tuple[int, ...]:
    """The shape of a section, by the sizes in the header of `tab`."""
    return tuple(sum(factor * _size(name, tab) for factor, name in size) for size in _SHAPES[key])


def span_of(key: int, tab) -> tuple[slice, tuple[int, ...]]:
    """Where a section is in its vector, and its shape."""
    shape = shape_of(key, tab)
    first = int(tab[key])
    return slice(first, first + prod(shape)), shape
