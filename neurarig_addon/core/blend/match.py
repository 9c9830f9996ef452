"""Where one motion goes over into another: the moment of each at which the same foot stands and the bodies
are most alike."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..body.seam import effort
from ..body.sole import Sole
from ..character.body import Body
from ..character.motion import Motion
from ..easing import running
from ..geometry.rotation import ON_GROUND, about_z, norms, rotated
from ..retarget.spans import around
from ..skeleton.roles import SIDES, sided
from .feet import printed
from .pairs import pairs_of
from .poses import Poses

FEATURES = ("pelvis", "head", *(sided(part, side) for part in ("hand", "foot") for side in SIDES))
STAYS = 0.5  # how much an effort counts more at the edge of the frames in which it is sought
SHORT = 2.0  # how much it counts more where the foot lifts at once
SLIDES = 0.01  # leg lengths by which the foot slides afterwards for it to count twice


@dataclass(frozen=True)
class Match:
    """Rows of two motions at which the same `foot` stands (see `BlendJoint`), and the motion, of one row, by
    which the second is placed so that it stands there."""

    row: int
    after_row: int
    foot: int
    place: Motion


def matched(
    body: Body, before: Poses, after: Poses, wish: tuple[np.ndarray, np.ndarray], fps: float, seconds: float
) -> Match | None:
    """Return where to go over from poses on consecutive frames to others, in the given `seconds`; None where
    no foot stands in both.

    `wish`: how far each row of both `(n,)`, `(m,)` is from where it was wished, 0..1; rows of 1 or more are
    not chosen.
    """
    best, match = np.inf, None
    soles = [_prints(body, poses) for poses in (before, after)]
    for foot in range(before.stands.shape[1]):
        (at, speed), (at_after, speed_after) = (
            _seen(poses.motions, prints, foot, fps)
            for poses, prints in zip((before, after), soles, strict=True)
        )
        off = at[:, None] - at_after
        effort_of = effort(off, speed[:, None] - speed_after, seconds).sum(axis=-1)
        asked = 1.0 + STAYS * (wish[0][:, None] ** 2 + wish[1] ** 2)
        short = 1.0 + SHORT * (
            1.0
            - np.minimum(
                (around(~after.stands[:, foot])[1] - np.arange(len(after.stands))) / (seconds * fps), 1.0
            )
        )
        possible = (before.stands[:, foot] & (wish[0] < 1.0))[:, None] & (
            after.stands[:, foot] & (wish[1] < 1.0)
        )
        slides = 1.0 + _drift(soles[1][0][:, foot], after.stands[:, foot], round(seconds * fps)) / (
            SLIDES * body.leg_length
        )
        cost = np.where(possible, effort_of * asked * short * slides, np.inf)
        row, after_row = np.unravel_index(int(np.argmin(cost)), cost.shape)
        if cost[row, after_row] < best:
            best = cost[row, after_row]
            match = Match(int(row), int(after_row), foot, _placed(soles, (int(row), int(after_row)), foot))
    return match


def _prints(body: Body, poses: Poses) -> tuple[np.ndarray, np.ndarray]:
    """Return where the ground holds all feet: places `(f, 2 or 4, 3)` and headings `(f, 2 or 4)`."""
    found = [printed(Sole.of(pair.body), pair.of(poses).feet(pair.body)) for pair in pairs_of(body)]
    places, headings = (np.concatenate(each, axis=1) for each in zip(*found, strict=True))
    return places, headings


def _seen(
    motions: Mapping[str, Motion], prints: tuple[np.ndarray, np.ndarray], foot: int, fps: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the features `(f, n, 3)` as seen from a foot's print, and their speeds: those seen from a print
    that does not move."""
    points = np.stack([motions[role].position for role in FEATURES if role in motions], axis=1)
    place, heading = (each[:, None, foot] for each in prints)
    back, away = about_z(-heading), points - place * ON_GROUND
    return rotated(back, away), rotated(back, np.gradient(points, axis=0) * fps)


def _drift(places: np.ndarray, stands: np.ndarray, span: int) -> np.ndarray:
    """Return how far a print at `places` `(f, 3)` goes in the next `span` frames while the foot stands
    `(f,)`."""
    steps = norms(np.diff(places[:, :2], axis=0)) * (stands[1:] & stands[:-1])
    gone = running(steps)
    rows = np.arange(len(gone))
    return gone[np.minimum(rows + span, len(gone) - 1)] - gone


def _placed(prints: list[tuple[np.ndarray, np.ndarray]], rows: tuple[int, int], foot: int) -> Motion:
    """Return how the second motion, on level ground, is placed for a foot to have the same print in both."""
    (place, heading), (place_after, heading_after) = (
        [each[[row], foot] for each in both] for both, row in zip(prints, rows, strict=True)
    )
    turn = about_z(heading - heading_after)
    return Motion(turn, place - rotated(turn, place_after * ON_GROUND), np.zeros(3))
