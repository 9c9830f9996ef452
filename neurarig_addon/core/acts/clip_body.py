"""How the body of a clip stands and moves, frame by frame."""

import numpy as np

from ..body.feet import angles_of
from ..body.sole import Sole
from ..character.motion import Motion
from ..contract.channels import IS_LENGTH, TURN_AXES, block
from ..easing import smooth_between
from ..gait.body.pelvis import standing_height
from ..geometry.rotation import TURN, about_y, about_z, from_euler, rotation_vector, transposed, wrapped
from ..retarget.contacts import speed
from ..retarget.spans import kept_for
from ..styles.read_channels import channels_of
from ..takes.performance import Performance

# leg lengths a second that the joints of a body that stands move at most, in the mean, and that rests
STILL, RESTS = 0.3, 0.05
FLAT = np.radians(12.0)  # a foot that stands is pitched less
TALL = 0.86  # of straight legs: hips that are lower do not stand
TALLEST = 0.97  # of the highest: a body that is as tall shows how it stands, in a clip without rest
# seconds: a shorter standing is none; how long before an act moves faster than that it begins, at most
STANDS_S, EARLIER_S = 0.1, 0.4
# a trunk bent so far has no yaw and roll of its own; how soon twists are lost there
BENT, TWISTS_LESS = np.radians([55.0, 70.0]), 0.15
RAISED = np.radians(45.0)  # amid all that an arm can flex: 180 degrees more or less go round the back
UNWOUND_S = 0.5  # seconds around which an arm that has gone round points aside


def height_of(performance: Performance) -> np.ndarray:
    """Return the height of the hips above the ankles `(f,)`."""
    return performance.hips[:, 2] - performance.feet.ankle[..., 2].mean(axis=1)


def between_feet(performance: Performance) -> tuple[np.ndarray, np.ndarray]:
    """Return the middle `(f, 3)` of both feet's prints, and the mean of their headings `(f,)`."""
    place, heading = performance.under
    turn = heading[:, 1] - heading[:, 0]
    turn = turn - TURN * np.round(np.median(turn) / TURN)
    return place.mean(axis=1), heading[:, 0] + 0.5 * turn


def stands_still(performance: Performance) -> np.ndarray:
    """Return when a body stands on both feet with its legs nearly straight, and hardly moves `(f,)`."""
    body = performance.character.body
    straight = (standing_height(body) - body.ankle[:, 2]).mean()
    flat = np.abs(angles_of(performance.feet.turn).pitch) < FLAT
    both = np.all(np.logical_and(flat, performance.standing), axis=1)
    tall, slow = height_of(performance) > TALL * straight, speed_of(performance) < STILL
    return kept_for(both & tall & slow, STANDS_S, performance.fps)


def speed_of(performance: Performance) -> np.ndarray:
    """Return the mean speed of all joints `(f,)` in leg lengths a second."""
    joints = np.stack([motion.position for motion in performance.motions.values()], axis=1)
    return speed(joints, performance.fps).mean(axis=1) / performance.character.body.leg_length


def values_of(performance: Performance, rows: np.ndarray, root: Motion) -> np.ndarray:
    """Return the channels `(n, 46)` of rows of a clip relative to a root, in leg lengths and radians."""
    body = performance.character.body
    motions = {role: root.seeing(motion[rows]) for role, motion in performance.motions.items()}
    found = channels_of(body, Sole.of(body), motions, performance.feet[rows].seen(root))
    found = np.nan_to_num(found) / np.where(IS_LENGTH, body.leg_length, 1.0)
    for name in ("pelvis", "chest", "head"):
        turns = block(found, name)[:, -len(TURN_AXES) :]
        turns[:] = untwisted(turns)
    for letter in "lr":
        flexion, abduction, rotation, *_ = block(found, f"arm_{letter}").T
        flexion[:] = _unwound(flexion, abduction, round(UNWOUND_S * performance.fps))
        rotation[:] = wrapped(rotation)
    return found


def untwisted(turns: np.ndarray) -> np.ndarray:
    """Return pitch, yaw and roll `(n, 3)` that can be scaled and averaged, though a trunk is bent so far that
    yaw and roll mean the same.

    There twists that only large yaws and rolls together would show are lost.
    """
    pitch, yaw, roll = turns[:, 0], wrapped(turns[:, 1]), wrapped(turns[:, 2])
    turn = from_euler(pitch, yaw, roll)
    bent = np.arctan2(turn[:, 0, 2] - turn[:, 2, 0], turn[:, 0, 0] + turn[:, 2, 2])
    beside = rotation_vector(turn @ transposed(about_y(bent)))
    sine, cosine = np.sin(bent), np.cos(bent)
    rolled = beside[:, 0] * cosine / (cosine**2 + TWISTS_LESS * sine**2)
    plain = np.stack([bent, beside[:, 2] + rolled * sine, rolled], axis=-1)
    share = smooth_between(np.abs(bent), *BENT)[:, None]
    return (1.0 - share) * np.stack([pitch, yaw, roll], axis=-1) + share * plain


def _unwound(flexion: np.ndarray, abduction: np.ndarray, reach: int) -> np.ndarray:
    """Return how far an arm is flexed `(n,)` without whole turns, which are taken out where it points aside
    the most."""
    turns = np.round((flexion - RAISED) / TURN)
    moved = np.full(len(turns), turns[0])
    for row in np.flatnonzero(np.diff(turns)) + 1:
        near = np.arange(max(row - reach, 0), min(row + reach + 1, len(turns)))
        moved[near[np.argmax(np.abs(abduction[near]))] :] += turns[row] - turns[row - 1]
    return flexion - TURN * moved


def at_rest(performance: Performance) -> np.ndarray | None:
    """Return the channels `(46,)` of a clip's body while it stands still, or where it is tallest; None if it
    never stands."""
    stands = performance.standing.any(axis=1)
    if not stands.any():
        return None
    height = height_of(performance)
    still = stands_still(performance)
    rows = np.flatnonzero(
        still if still.any() else np.logical_and(stands, height > TALLEST * height[stands].max())
    )
    places, headings = between_feet(performance)
    root = Motion(about_z(headings[rows]), places[rows], np.zeros(3))
    return np.median(values_of(performance, rows, root), axis=0)
