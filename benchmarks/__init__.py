"""Known problems with known answers, and how long Linkwork takes for them: `python -m benchmarks`."""
