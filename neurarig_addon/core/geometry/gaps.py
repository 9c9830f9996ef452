"""Recorded rows that are no numbers, between rows that are."""

import numpy as np

MOST = 0.1  # share of rows that may lack numbers, beside a single one


def bridged(values: np.ndarray, name: str, period: float | None = None) -> tuple[np.ndarray, str]:
    """Return values `(f, ...)` whose rows without numbers lie between their neighbours, and a sentence about
    them, '' without any.

    `name`: what they are of. `period`: of values that are angles. Raises ValueError, with the reason, if too
    many rows lack numbers.
    """
    known = ~np.isnan(values).reshape(len(values), -1).any(axis=1)
    lost = int(np.count_nonzero(~known))
    if not lost:
        return values, ""
    if lost > max(1.0, MOST * len(values)) or lost == len(values):
        raise ValueError("too many numbers are NaN")
    rows = np.flatnonzero(known)
    flat = values.reshape(len(values), -1)
    given = flat[rows] if period is None else np.unwrap(flat[rows], axis=0, period=period)
    found = np.array(flat)
    for column in range(flat.shape[1]):
        found[~known, column] = np.interp(np.flatnonzero(~known), rows, given[:, column])
    frame = int(np.argmin(known)) + 1
    which = f"Frame {frame}" if lost == 1 else f"{lost} frames, the first of them {frame},"
    return (
        found.reshape(values.shape),
        (
            f"{which} of '{name}' {'holds' if lost == 1 else 'hold'} no numbers and"
            f" {'is' if lost == 1 else 'are'} bridged."
        ),
    )
