"""Two shafts at an angle of 30 degrees, joined by a cross: the second one turns unevenly, and its bearing feels it.

A motor turns the first shaft at constant speed, a damper brakes the second.  Writes universal_joint.png.
"""

import math

import numpy as np

import linkwork as lw

BEND = math.radians(30)  # angle between the shafts
SPEED = 600 * 2 * math.pi / 60  # 600 rpm in rad/s
LENGTH = 0.4  # of each shaft [m]
ALONG = {"axis": (1, 0, 0), "along": (0, 0, 1)}  # a frame on a shaft: z along it, x across


def shafts(even=False):
    """Both shafts, in the plane z = 0, joined at the origin by a cross or by a constant-velocity joint."""
    m = lw.Mechanism("universal joint", dimension=3)
    bent = lw.Orientation.from_axis_angle((0, 0, 1), BEND)
    first = m.add("first", lw.cylinder(radius=0.02, length=LENGTH, density=7850, axis="x"))
    second = m.add("second", lw.cylinder(radius=0.02, length=LENGTH, density=7850, axis="x", orientation=bent))
    A = m.add("A", lw.Revolute(m.ground.at(-LENGTH, 0, 0, **ALONG), first.at(-LENGTH / 2, 0, 0, **ALONG)))
    if even:
        joint = lw.ConstantVelocity(first.at(LENGTH / 2, 0, 0, **ALONG), second.at(-LENGTH / 2, 0, 0, **ALONG))
    else:  # z of the two frames are the arms of the cross
        joint = lw.Universal(
            first.at(LENGTH / 2, 0, 0, axis=(0, 0, 1)), second.at(-LENGTH / 2, 0, 0, axis=(0, -1, 0), along=(1, 0, 0))
        )
    m.add("joint", joint)
    # The joint carries one end of the second shaft, a ball that slides along it the other: nothing is held twice.
    end = m.ground.at(*bent.apply((LENGTH, 0, 0)), axis=bent.apply((1, 0, 0)), along=(0, 0, 1))
    m.add("B", lw.SphericalCylindrical(end, second.b))
    m.add("brake", lw.TorsionSpringDamper(end, second.at(LENGTH / 2, 0, 0, **ALONG), damping=0.5))
    m.add("motor", lw.Driver(A.angle, lw.Polynomial(0.0, SPEED)))
    return m


m = shafts()
print(m.check(), "\n")  # the motor holds the one freedom

times = np.linspace(0, 2 * math.pi / SPEED, 361)  # one turn
run = m.simulate(times)
angle, speed = run["A.angle"], run["brake.angle.rate"]
wanted = np.unwrap(np.arctan2(math.cos(BEND) * np.sin(angle), np.cos(angle)))  # tan(second) = cos(bend) tan(first)
formula = SPEED * math.cos(BEND) / (1 - (math.sin(BEND) * np.sin(angle)) ** 2)
print(f"first shaft {SPEED:.4f} rad/s, second from {speed.min():.4f} to {speed.max():.4f} rad/s")
print(f"by cos(bend) and 1/cos(bend):         {SPEED * math.cos(BEND):.4f} to {SPEED / math.cos(BEND):.4f} rad/s")
print(
    f"largest difference from the formula: angle {np.abs(run['brake.angle'] - wanted).max():.1e} rad,"
    f" speed {np.abs(speed - formula).max():.1e} rad/s"
)

torque = run["motor.effort"]
print(f"motor torque from {torque.min():.2f} to {torque.max():.2f} N m, mean {torque[:-1].mean():.2f} N m")
for joint in ("A", "joint", "B"):
    reaction = run.reaction(joint)
    force, moment = (np.linalg.norm(part, axis=1).max() for part in (reaction.force, reaction.moment))
    print(f"largest force in {joint:<6}{force:8.2f} N, moment {moment:6.2f} N m")

even = shafts(even=True).simulate(times)["brake.angle.rate"]
print(f"with a constant-velocity joint the second shaft turns at {even.min():.4f} to {even.max():.4f} rad/s")

file = "universal_joint.png"
run.plot(
    "A.angle.rate",
    "brake.angle.rate",
    "motor.effort",
    "brake.torque",
    "B.reaction.x",
    "B.reaction.y",
    "B.reaction.z",
    file=file,
)
print(f"speeds, torques and the force of bearing B are in {file}")
