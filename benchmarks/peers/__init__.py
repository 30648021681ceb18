"""Linkwork beside other multibody packages on problems with known answers: `python -m benchmarks.peers`."""
