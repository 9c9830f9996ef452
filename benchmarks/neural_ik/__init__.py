"""Whole poses from points: the solver on people that nothing was learned from."""

import os

from benchmarks.table import Row

# One core for everybody; numpy and torch look at these when they are imported.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")


def rows() -> list[Row]:
    """Return the figures to reach, measured; minutes. `python -m benchmarks.neural_ik` prints all tables
    besides."""
    from benchmarks.neural_ik import report, run
    from benchmarks.neural_ik.people import mocap_folder

    return report.floors(run.measure(mocap_folder(), run.FULL))
