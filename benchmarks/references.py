"""Reference answers of the benchmark problems: the one place that the tests and the benchmarks read.

IFToMM = Library of Computational Benchmark Problems of the IFToMM Technical Committee for Multibody Dynamics
(problems A01 to A05).  Every number below has been computed twice, by two formulations that share no code;
`agree` is the largest difference between the two.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reference:
    """Observed values at the end time, where the problem comes from, and how the values were found."""

    values: tuple[float, ...]
    agree: float
    source: str
    how: str


_IFTOMM = "IFToMM library of computational benchmark problems"
_CHAIN_SOURCE = "the double pendulum with N links, a customary test of cost against size"
_CHAIN_HOW = (
    "recursive equations in joint angles, DOP853 at 2e-14; checked with an articulated-body code, DOP853 at 1e-12"
)
_WINDOW_HOW = (
    "the exact reduction to one freedom (smooth branch through the singular positions), Taylor "
    "series in extended precision at 1e-22; checked with DOP853 at 2e-14"
)

PENDULUM = Reference(  # x, y of the mass at 10 s
    (-0.2750874625761158, -0.9614192050991254),
    2.5e-13,
    f"{_IFTOMM}, A01",
    "Jacobi elliptic functions, 30 digits; checked with DOP853 at 2e-14",
)

DOUBLE_PENDULUM = Reference(  # x, y of the tip at 3 s
    (1.2936756729036372, -1.4066160071847658),
    8.4e-14,
    "double pendulum of two equal boxes",
    "equations in joint angles, DOP853 at 2e-14; checked with an articulated-body code at 1e-13",
)

ANDREWS = Reference(  # absolute angles of the seven bodies at 0.03 s, to be compared modulo 2 pi
    (
        15.810771195153842,
        0.05440013674184918,
        0.04082224011964694,
        -0.01032015046213075,
        0.5244099658799513,
        1.5828108573840243,
        1.0480807410419388,
    ),
    7.9e-13,
    f"Hairer and Wanner, Solving Ordinary Differential Equations II, section VI.9; {_IFTOMM}, A03",
    "equations of the book at index 1, DOP853 at 2e-14; checked in body coordinates with DOP853 at 1e-12",
)

#: N -> x, y of the outer end of link 2 and of the tip, at 2 s
CHAIN_PLANAR = {
    n: Reference(values, agree, _CHAIN_SOURCE, _CHAIN_HOW)
    for n, (values, agree) in {
        2: ((0.2976498042979898, -1.9205605305917786, 0.2976498042979898, -1.9205605305917786), 6.6e-13),
        10: ((-0.9486362934762373, -1.7570722386751974, -7.599183778562187, -5.9537317051699485), 1.1e-13),
        50: ((1.0539514248724433, -1.6997357658415773, 41.19212202648751, -19.620000007622256), 2.3e-13),
        200: ((1.592675529268726, -1.2096874887759521, 195.03998689950268, -19.620000000000427), 4.6e-13),
    }.items()
}

#: N -> x, y, z of the outer end of link 2 and of the tip, at 2 s
CHAIN_SPATIAL = {
    n: Reference(values, agree, _CHAIN_SOURCE, _CHAIN_HOW)
    for n, (values, agree) in {
        2: (
            (
                -0.09900195694946327,
                -1.073744028405229,
                -0.996929960934975,
                -0.09900195694946327,
                -1.073744028405229,
                -0.996929960934975,
            ),
            1.9e-13,
        ),
        10: (
            (
                -1.006350693390524,
                -1.6116925260365331,
                -0.43572983486310257,
                -7.326046217944907,
                -5.873211136835781,
                -2.6999729999210977,
            ),
            1.9e-13,
        ),
        50: (
            (
                1.1405069804069758,
                -1.466880124356706,
                -0.51350155804616,
                41.16506835526748,
                -15.696039730112822,
                -11.77202611315404,
            ),
            1.4e-12,
        ),
        200: (
            (
                1.6511040235349397,
                -1.0023117229385714,
                -0.3636875973980593,
                195.03727779510143,
                -15.696000000000435,
                -11.772000000000022,
            ),
            1.5e-12,
        ),
    }.items()
}

#: N windows -> x, y of the top of the first upright at 10 s, for tops that start at 1 m/s
FOURBAR = {
    n: Reference(values, agree, f"{_IFTOMM}, A02 (N windows)", _WINDOW_HOW)
    for n, (values, agree) in {
        1: ((0.47838505776097084, 0.8781501787912092), 2.0e-12),
        2: ((0.3284581115408156, 0.9445185381786009), 9.2e-13),
        5: ((0.23578913584525607, 0.9718042413044653), 5.4e-13),
        10: ((0.2043535609897712, 0.978897145828304), 1.1e-12),
        20: ((0.18848859169365598, 0.9820753793886405), 7.8e-13),
        40: ((0.1805122266867286, 0.9835727405823116), 7.4e-13),
    }.items()
}

BRICARD = Reference(  # x, y, z of the joint between the third and the fourth bar at 9 s
    (0.5390642884966441, -1.6384533082392772, 0.1577353783598212),
    1.7e-9,
    f"{_IFTOMM}, A04 (observed at 9 s)",
    "five joint angles with multipliers of minimum norm, DOP853 at 1e-13; checked in body coordinates at 1e-12",
)

FLYBALL = Reference(  # height of the slider at 10 s
    (0.6196229170613181,),
    2.9e-10,
    f"{_IFTOMM}, A05",
    "equations of the four freedoms, DOP853 at 2e-14; checked with an articulated-body code, LSODA at 1e-11",
)
