"""The ledges under a path, grouped: flights of stairs, crossed squarely or askew, and single ledges."""

import numpy as np

from ...character.body import LEFT, RIGHT
from ...ground.ledges import LEDGE, NO_LEDGES, SPACING, Ledges, ledges_along
from ...ground.surface import Ground
from ...memory import remembered
from ...path.marks import leaps_of
from ...path.path import Path

OUTWARD = np.array([1.0, -1.0])  # y of the left and the right side
# A flight: ledges all up or all down, this many leg lengths apart and high, with level treads between.
LEAST_TREAD, MOST_TREAD, MOST_RISE, UNEVEN = 0.17, 0.75, 0.42, 0.04
ALONE = 0.15  # leg lengths: a ledge this near to one on the path is the same ledge beside it
MOST_ASKEW = 1.0  # metres on or back per metre beside the path: 45 degrees
WAY_BACK, WAY_AHEAD = 12.0, 250.0  # leg lengths examined of an endless path
LONGEST = 1500.0  # leg lengths examined of a path that ends
EVEN = 0.75 * LEDGE / SPACING  # rise over run: ground that is nowhere steeper and has no jumps has no ledges


@remembered(objects=2)
def ledge_runs(
    ground: Ground, path: Path, leg: float, aside: float
) -> tuple[Ledges, list[tuple[list[int], np.ndarray]]]:
    """Return the ledges under a path, and their runs, flights or single: rows, and places `(n, 2)` on both
    sides.

    The sides are `aside` metres off the path: stairs may be crossed askew.
    """
    first, last = path.extent
    farthest = (LONGEST if np.isfinite(last) else WAY_AHEAD) * leg
    way = (0.0, path.lap) if path.lap else (max(first, -WAY_BACK * leg), min(last, farthest))
    if ground.is_even(*_line(path, way, leg), grade=EVEN):
        return NO_LEDGES, []
    ledges = _beside(ground, path, way, 0.0, leg)
    runs = []
    for run in _runs(ledges, leg) if len(ledges.at) else []:
        middle = ledges.at[run]
        half = 0.5 * float(np.diff(middle).mean()) if len(run) > 1 else ALONE * leg
        noses = np.stack([middle, middle], axis=1)
        for side in (LEFT, RIGHT):
            way = middle[0] - half - MOST_ASKEW * aside, middle[-1] + half + MOST_ASKEW * aside
            noses[:, side] = _same(ledges, run, _beside(ground, path, way, aside * OUTWARD[side], leg), half)
        runs.append((run, noses))
    return ledges, runs


def _runs(ledges: Ledges, leg: float) -> list[list[int]]:
    """Return the rows of ledges that belong together: a flight, or a single one."""
    runs = [[0]]
    for row in range(1, len(ledges.at)):
        depth = ledges.at[row] - ledges.at[row - 1]
        rises = ledges.rise[row - 1 : row + 1]
        is_tread = (
            LEAST_TREAD * leg < depth < MOST_TREAD * leg
            and abs(ledges.before[row] - ledges.after[row - 1]) < UNEVEN * leg
        )
        is_stair = (
            rises[0] * rises[1] > 0.0
            and np.abs(rises).max() < MOST_RISE * leg
            and not ledges.gap[row - 1 : row + 1].any()
        )
        if is_tread and is_stair:
            runs[-1].append(row)
        else:
            runs.append([row])
    return runs


def _same(ledges: Ledges, run: list[int], beside: Ledges, half: float) -> np.ndarray:
    """Return where the ledges of a run are on a line beside the path `(n,)`, given that line's own ledges.

    If there are equally many of the same sign, they match in order. Otherwise each takes the nearest one
    within `half` metres.
    """
    middle, rises = ledges.at[run], ledges.rise[run]
    own = beside.at[np.sign(beside.rise) == np.sign(rises[0])]
    if len(own) == len(run):
        return own
    if not len(beside.at):
        return middle
    nearest = beside.at[np.abs(beside.at - middle[:, None]).argmin(axis=1)]
    return np.where(np.abs(nearest - middle) < half, nearest, middle)


def _line(path: Path, way: tuple[float, float], leg: float) -> tuple[np.ndarray, float]:
    """Return places `(n, 2)` of a path between two distances, seen from above, and the largest gap from it to
    them in metres."""
    at = np.linspace(*way, max(int((way[1] - way[0]) / leg), 1) + 1)
    return path.drawn.at(at).place[:, :2], float(at[1] - at[0])


def _beside(ground: Ground, path: Path, way: tuple[float, float], aside: float, leg_length: float) -> Ledges:
    """Return the ledges under a line beside the path."""

    def place(distance: np.ndarray) -> np.ndarray:
        along = path.at(distance)
        return along.place + aside * along.left

    # nobody steps over what is leapt over
    return ledges_along(ground, place, way, leg_length).outside(leaps_of(path.marks))
