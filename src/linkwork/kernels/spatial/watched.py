"""Measures of space whose bodies are placed already: what events watch."""

from __future__ import annotations

from linkwork.kernels.jit import RHS, kernel
from linkwork.kernels.spatial.frames import place_frames
from linkwork.kernels.spatial.measures import evaluate_measures


@kernel(RHS)
def measures(t, y, p, tab, w, f):
    """Frames and measures from the poses and twists in the workspace."""
    place_frames(p, tab, w)
    evaluate_measures(p, tab, w)
