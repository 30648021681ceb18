"""A file full of mistakes: every one is told, once, at its line, whatever else is wrong beside it.

What must be told about a line stands behind `#!` in it, several things parted by `|`.
"""

import pytest

import linkwork as lw
from linkwork.errors import FileError
from unit.files.examples import bump

MISTAKES = """\
linkwork: 1
gravity: none                                      #! Write gravity: null for none
parameters:
  L: 30 cm
  k: 20 N/mm
  M: 2*LL                                          #! no name 'LL' in parameter 'M'. Nearest: 'L'. Known: 'L', 'k',
bodies:
  crank:
    shape: bar
    length: -1                                     #! Body 'crank' length is too small. Got -1.0
    mass: -2 kg                                    #! Body 'crank' mass is too small. Got -2.0
    width: 3 kg                                    #! Body 'crank' width has a unit of another kind
    colour: red                                    #! Body 'crank' has an unknown field 'colour'
    orientation: [1, 1, 0, 0]                      #! Body 'crank' orientation is not a unit quaternion
    points:
      mass: [0, 0]                                 #! the point name 'mass' is taken
      2b: [0, 1]                                   #! a point's name is not a word. Got '2b'
  lever:
    mass: k                                        #! Body 'lever' mass has a unit of another kind
    inertia: [1, 2]                                #! Body 'lever' inertia is a list of another form
    angle: 2*L                                     #! Got 0.6, a length (m); wanted an angle (rad)
    points:
      far: [1 kg, q]                               #! points 'far'[0] has a unit of another kind | no name 'q'
    gravity: yes                                   #! Body 'lever' gravity is neither true nor false
  ball: {type: Partikel, mass: x}                  #! unknown type 'Partikel' | Body 'ball' mass: There is no name 'x'
  good: {mass: 1, inertia: 1, points: {tip: [1, 0]}}
  heap: 3                                          #! Body 'heap' is not described
joints:
  A: {type: Revolut, on: grund, to: good.tap}      #! unknown type 'Revolut' | does not exist: 'grund' | not have: 'tap'
  B:
    type: RollingDisc
    on: {ground: [0, 1 kg]}                        #! on position[1] has a unit of another kind
    to: {body: good, angle: 3 m, along: x}         #! to angle has a unit of another kind | to along
    radius: 0                                      #! Joint 'B' (RollingDisc) radius is too small
    on_radius: -1                                  #! Joint 'B' (RollingDisc) on_radius is too small
    reference: {}                                  #! Joint 'B' (RollingDisc) reference is a map
  C: {type: Revolute, on: ground, to: good}
  good: {type: Hold, on: ground, to: good, x: .nan}  #! has two items of one name. Got 'good' | x is not finite
forces:
  spring:
    type: SpringDamper
    on: crank.a
    to: good
    stiffness: 2*L                                 #! Got 0.6, a length (m); wanted a stiffness (N/m)
    damping: -1                                    #! damping is too small. Got -1.0; wanted at least 0. A damper that
    rest_length: -2                                #! rest_length is too small
  C:                                               #! has two items of one name. Got 'C'
    type: Torque
    to: good
    value:
      type: SmoothStep
      start_time: 1                                #! SmoothStep ends before it starts
      start_value: 1 m
      end_time: 0
      end_value: 2 kg                              #! SmoothStep end_value does not fit start_value
drivers:
  d:
    measure: C.angel                               #! measure is not a measure of 'C': 'angel'. Nearest: 'angle'
    function:
      type: Harmonic
      amplitude: z                                 #! amplitude: There is no name 'z'
      frequency: 3 m                               #! frequency has a unit of another kind
    level: sped                                    #! Driver 'd' level is unknown: 'sped'. Nearest: 'speed'
  energy: {measure: C.angle, function: 2 m}        #! taken by the product | function has a unit of another
analysis:
  type: simulat                                    #! analysis has an unknown type 'simulat'
  duration: 3 kg                                   #! wanted a time (s)
  evry: 1                                          #! analysis has an unknown field 'evry'. Nearest: 'every'
  correct: maybe                                   #! analysis correct is neither true nor false
  constraints: baumgart                            #! analysis constraints is unknown: 'baumgart'. Nearest: 'baumgarte'
  start:
    good.q: 1                                      #! There is no quantity 'good.q'
    C.angle: 2*L                                   #! start value 'C.angle' has a unit of another kind
    crank.angle: 3
"""


def expected(text):
    return [
        (number, told.strip())
        for number, line in enumerate(text.splitlines(), start=1)
        for told in (line.split("#!")[1].split("|") if "#!" in line else ())
    ]


def problems(text):
    with pytest.raises(FileError) as caught:
        lw.read(text, laws={"bump": bump})
    return caught.value.problems


def check(text):
    wanted, found = expected(text), problems(text)
    assert [one.line for one in found] == [line for line, _ in wanted], "\n".join(map(str, found))
    for one, (_, told) in zip(found, wanted):
        assert told in one.message
        assert one.text == text.splitlines()[one.line - 1].strip()[:160] or "..." in one.text


def test_every_mistake_is_told_once_in_order_of_lines():
    assert len(expected(MISTAKES)) >= 40
    check(MISTAKES)


def test_every_mistake_in_an_analysis_of_an_unknown_kind():
    check("""linkwork: 1
bodies: {good: {mass: 1, inertia: 1}}
analysis:
  type: simulat                  #! analysis has an unknown type 'simulat'. Nearest: 'simulate'
  duration: -1                   #! analysis duration is too small
  every: 0                       #! analysis every is too small. Got 0.0; wanted more than 0
  times: [0, 10 ms, 1 kg]        #! analysis times[2] has a unit of another kind
  rtol: -1e-6                    #! analysis rtol is too small
  method: euler                  #! analysis method is unknown: 'euler'
  coordinates: joints            #! analysis coordinates is unknown: 'joints'. Nearest: 'joint'
  weights: {good: -1}            #! analysis weights 'good' is too small
  near: 3                        #! analysis near
  step: {a: 1}                   #! analysis step is a map
  start: {good.y: [1]}           #! analysis start 'good.y' is not a number
""")


@pytest.mark.parametrize(
    "text",
    [
        "bodies: [1]                                   #! The field 'bodies' is not a map\n"
        "joints: {A: {type: Revolute, on: ground, to: b.a}}\n"
        "analysis: {type: simulate, duration: 1, start: {A.angle: 1}}\n",
        "parameters: [1]                               #! The field 'parameters' is not a map\n"
        "bodies: {b: {mass: m, inertia: -1}}           #! inertia is too small\n",
        "bodies: {b: {mass: x}}                        #! There is no name 'x'\n"
        "joints: {A: {type: Revolute, on: ground, to: b.tip}}\n"
        "drivers: {A: {measure: A.angle, function: t}} #! has two items of one name. Got 'A'\n",
        "bodies: {b: {mass: 1}}\n"
        "drivers:\n"
        "  d: {measure: {type: Angel, on: grund, to: b}, function: {type: Table, times: [0], values: [x]}}"
        "#! unknown type 'Angel' | does not exist: 'grund' | no name 'x'\n",
        "bodies: {b: {mass: 1}}\n"
        "joints: {A: {type: Hold, on: ground, to: b, hight: 1}}        #! unknown field 'hight'\n"
        "forces:\n"
        "  f: {type: UserForce, measure: {type: Distance, on: ground, to: b}, law: bump, stiffness: x} #! no name 'x'\n"
        "  g: {type: UserForce, measure: {type: Distance, on: ground, to: b}, law: bump, stifness: 1}  "
        "#! There is no number 'stifness'\n",
    ],
)
def test_what_follows_from_a_mistake_is_not_told(text):
    check("linkwork: 1\n" + text)
