"""What kind of linkage is it?  Four-bars by Grashof's rule, slider-cranks and their inversions with offset.

A mechanism is one of them where ground and three bodies form one loop of four pins, or of three pins and a slide.
Lengths are those between the pins of a link; whatever else a link carries has no part in it.

    four-bar        s + l <= p + q        the shortest link turns fully against the others
    slider-crank    s + e <= l            the shorter of the two bars does; e is the offset of their end pins, across
                                          the slide

with s the shortest and l the longest length.  Where both sides are equal, all links lie along one line in a position of
its motion: a change point, from which it may go on in another way.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

EQUAL = 1e-9  # of the lengths: a change point


class Linkage(NamedTuple):
    """What a loop of four links is: `name`, whether it has a link that turns fully, and a sentence."""

    name: str
    turns_fully: bool
    change_point: bool
    text: str

    def __str__(self) -> str:
        return self.text


def linkage_of(mechanism) -> Linkage | None:
    """The kind of linkage, or None where the mechanism is neither a four-bar nor a slider-crank."""
    joints = [joint for joint in mechanism.joints.values() if joint.active]
    if mechanism.dimension != 2 or len(mechanism.bodies) != 3 or len(joints) != 4:
        return None
    pins, slides = [one for one in joints if _is(one, "turn")], [one for one in joints if _is(one, "slide")]
    links = {name: [j for j in joints if name in _sides(j)] for name in ("ground", *mechanism.bodies)}
    if any(len(found) != 2 for found in links.values()) or not _one_loop(links):
        return None
    if len(pins) == 4:
        return _four_bar(links)
    return _slider_crank(links, slides[0]) if len(pins) == 3 and len(slides) == 1 else None


def _is(joint, kind) -> bool:
    """Whether a joint is one step of this kind and nothing else."""
    steps = joint.motion()
    return steps is not None and len(steps) == 1 and steps[0].kind == kind


def _sides(joint) -> dict:
    """Body -> the frame of the joint on it."""
    return {joint.on.body: joint.on, joint.to.body: joint.to}


def _one_loop(links) -> bool:
    """Whether one walk along the joints passes all links."""
    seen, here, came = [], "ground", None
    while here not in seen:
        seen.append(here)
        joint = next(one for one in links[here] if one is not came)
        here, came = next(body for body in _sides(joint) if body != here), joint
    return len(seen) == len(links)


def _place(joint, body) -> np.ndarray:
    return np.array(_sides(joint)[body].position[:2])


def _length(body, joints) -> float:
    return float(np.linalg.norm(_place(joints[0], body) - _place(joints[1], body)))


def _four_bar(links) -> Linkage:
    lengths = {body: _length(body, joints) for body, joints in links.items()}
    shortest = min(lengths, key=lambda body: lengths[body])
    s, p, q, longest = sorted(lengths.values())
    told = f"s + l = {s + longest:.4g} m, p + q = {p + q:.4g} m"
    change = abs(s + longest - p - q) <= EQUAL * longest
    if s + longest > p + q and not change:
        return Linkage(
            "triple-rocker", False, False, f"four-bar, a triple-rocker: no link turns fully against another ({told})"
        )
    beside = [body for joint in links["ground"] for body in _sides(joint) if body != "ground"]
    if shortest == "ground":
        name, what = "double-crank", "both links on ground turn fully"
    elif shortest in beside:
        name, what = "crank-rocker", f"{shortest} turns fully"
    else:
        name, what = "double-rocker", f"{shortest} turns fully against the others, the links on ground rock"
    if change:
        what += "; at its change point all links lie along one line, and it may go on in another way"
    return Linkage(name, True, change, f"four-bar, a {name} by Grashof's rule: {what} ({told})")


def _slider_crank(links, slide) -> Linkage:
    """The bars have two pins each; the rail and the slider have a pin each, and the slide between them."""
    bars = {body: _length(body, joints) for body, joints in links.items() if slide not in joints}
    ends = {body: next(one for one in links[body] if one is not slide) for body in _sides(slide)}
    across = [_across(slide, body, joint) for body, joint in ends.items()]
    shortest = min(bars, key=lambda body: bars[body])
    s, longest = sorted(bars.values())
    offset = abs(across[0] - across[1])
    offset = offset if offset > EQUAL * longest else 0.0
    change = abs(s + offset - longest) <= EQUAL * max(longest, offset)
    turns = s + offset <= longest or change
    name = "inverted slider-crank" if "ground" in bars else "slider-crank"
    told = f"bars {s:.4g} and {longest:.4g} m, offset {offset:.4g} m"
    if not turns:
        what = "neither bar turns fully"
    elif shortest == "ground":
        what = "the other bar and the guide turn fully"
    elif "ground" in bars:
        what = f"{shortest} turns fully, the guide swings"
    else:
        beside = [body for joint in links["ground"] for body in _sides(joint)]
        what = f"{shortest} turns fully" + (
            "" if shortest in beside else " against the others, the bar on ground rocks"
        )
    if change:
        what += "; at its change point all links lie along one line, and it may go on in another way"
    return Linkage(name, turns, change, f"{name}: {what} ({told})")


def _across(slide, body, pin) -> float:
    """Place of a pin across the slide, in the axes that the slide has on this body."""
    frame = _sides(slide)[body]
    way = _place(pin, body) - np.array(frame.position[:2])
    return float(-math.sin(frame.angle) * way[0] + math.cos(frame.angle) * way[1])
