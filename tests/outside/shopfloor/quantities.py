"""Three quantities of results: of rates, of accelerations, and of multipliers."""

import numpy as np

import linkwork as lw


@lw.quantity("speed", of="body", unit="m/s", words="size of the velocity of its frame's origin", needs="rates")
def speed(run, body):
    """Size of a velocity."""
    return np.linalg.norm(run[f"{body}.rate"], axis=1)


@lw.quantity("inertia_force", of="body", unit="N", words="minus mass times acceleration of the frame's origin",
             needs="accelerations", parts="vector")  # fmt: skip
def inertia_force(run, body):
    """The force of d'Alembert."""
    return -run.mechanism.bodies[body].mass * run[f"{body}.acceleration"]


@lw.quantity("load", of="joint", unit="N", words="size of the reaction", needs="multipliers",
             exists=lambda mechanism, joint: mechanism.joints[joint].active)  # fmt: skip
def load(run, joint):
    """Size of a reaction."""
    return np.linalg.norm(run[f"{joint}.reaction"], axis=1)
