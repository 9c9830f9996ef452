"""Whole poses from points: this project's solver beside every baseline, on people that nothing was learned from."""

import os

# One core for everybody; numpy and torch look at these when they are imported.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
