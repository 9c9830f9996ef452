"""Turns on the spot before it is known when feet come down: how quick they are, and with which foot they
begin.

People take nearly the same time for them, however fast they walk, and less for small ones. The foot on the
inside steps out first.
"""

import numpy as np

from ...character.body import Body
from ...memory import remembered
from ...path.path import Path
from ...path.table import MOST_A_STEP, steps_of
from ...path.variants import Slowed
from ..kinds.contacts import CycleContacts
from ..kinds.natural import NATURAL_VHAT, dimensionless_speed
from ..timing.in_step import Marks

# power: half turns of slow walkers take 1.2 to 1.6 s, those of quick ones 1 s (CMU 105), where speeds differ
# twice as much
EVENLY = 0.85
# power of the turn in a step, as a share of the largest, and the share below which steps stay as quick
SOONER, SMALL = 0.4, 1.0 / 3.0
# leg lengths from heel to ball (an adult's: 0.22) above which feet take longer to get round each other
LONG = 0.26
# Radians by which a body on four legs turns in a step at most, and the fewest steps: its fore feet go
# sideways; how far they do at most, in lengths of their legs.
ROUND, FEWEST, SIDEWAYS = np.radians(13.0), 4, 0.3
ROW = 0.01  # leg lengths in which a walk goes over to it, standing nearly still


def turn_in_a_step(body: Body) -> float:
    """Return the radians by which a body on four legs turns in a step at most; 0 for one on two."""
    fore = body.fore
    return 0.0 if fore is None else min(ROUND, SIDEWAYS * fore.leg_length / body.ahead)


def strides_on_four_legs(path: Path, distance: np.ndarray, turn: float) -> np.ndarray:
    """Return the strides in metres `(...)` of a body on four legs, that turns so many radians in a step, in
    the turns on the spot at, or next to, distances: its fore hand goes round."""
    steps = np.maximum(np.ceil(np.abs(_turns(path)) / turn - 1e-9), FEWEST)
    spot = np.searchsorted(path.spots[:, 0], distance, "right") - 1
    return (2.0 * np.diff(path.spots, axis=1)[:, 0] / steps)[np.maximum(spot, 0)]


@remembered(objects=1)
def evenly_turned(
    path: Path, speed: float, leg_length: float, foot: float, stride: float, turn: float
) -> Path:
    """Return the path with its turns on the spot as quick as those of people who walk at a usual speed in
    m/s, on feet of a length; on four legs, which `turn` by radians in a step, in steps as quick as those of
    a `stride` in metres."""
    spots = path.spots
    if not len(spots) or speed <= 0.0:
        return path
    turns = np.abs(_turns(path))
    small = np.maximum(turns / np.array([steps_of(turn) for turn in turns.tolist()]) / MOST_A_STEP, SMALL)
    pace = (dimensionless_speed(speed, leg_length) / NATURAL_VHAT) ** -EVENLY * min(
        1.0, LONG * leg_length / max(foot, 1e-9)
    )
    shares, ones = pace * small**-SOONER, np.ones(len(spots))
    shares = strides_on_four_legs(path, spots[:, 0], turn) / stride if turn else shares
    at = spots[:, [0, 0, 1, 1]] + ROW * leg_length * np.array([0.0, 1.0, -1.0, 0.0])
    return Slowed(path, at.ravel(), np.stack([ones, shares, shares, ones], axis=1).ravel())


def spot_marks(path: Path, contacts: CycleContacts) -> Marks:
    """Return the phases that a walker must come to stand with before turns on the spot, for the foot on the
    inside to leave first."""
    walks = ~np.isin(path.spots[:, 0], path.spots[:, 1])  # up to there, and does not turn
    at, to_left = path.spots[walks, 0], _turns(path)[walks] > 0.0
    return Marks(at, contacts.rest + 0.5 * to_left, np.ones(len(at)), np.zeros(len(at), dtype=bool))


def _turns(path: Path) -> np.ndarray:
    """Return the turns on the spot of a path `(n,)` in radians, left positive."""
    return np.diff(path.drawn.heading_at(path.spots), axis=1)[:, 0]
