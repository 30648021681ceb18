"""What the user writes: frozen descriptions of bodies, frames, measures, joints, drivers, forces and functions."""
