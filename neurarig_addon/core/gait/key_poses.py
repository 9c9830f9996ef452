"""The poses of a walk that animators name, on whole frames: contact, down, passing and up of each step."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..body.feet import SWING
from ..character.motion import Motion
from ..skeleton.roles import SIDES, sided
from .pose import WalkPose

DOWN_WITHIN = (0.25, 0.75)  # of the way from contact to passing
UP_WITHIN = (0.25, 0.75)  # of the way from passing to the next contact
AS_HIGH = 0.05  # share of the step's bounce: the body is up until it has sunk by this
POSES = 4  # key poses of a step
BESIDE = 0.1  # share of a step by which a named pose moves to be where a foot lifts


@dataclass(frozen=True)
class KeyStep:
    """From one contact of the foot `side` to the `next` contact of either foot, in frames; a pose that it
    lacks is None.

    `lifts`: the last frames on the ground of feet that leave it meanwhile.
    """

    side: str
    contact: int
    down: int | None
    passing: int | None
    up: int | None
    lifts: tuple[int, ...]
    next: int

    def named(self) -> Iterator[tuple[str, int]]:
        """Yield the poses as (name, frame), e.g. `("L Contact", 1)`."""
        for name, frame in (
            ("Contact", self.contact),
            ("Down", self.down),
            ("Passing", self.passing),
            ("Up", self.up),
        ):
            if frame is not None:
                yield f"{self.side} {name}", frame

    def keyed(self) -> Iterator[tuple[str, int]]:
        """Yield the poses as (name, frame), on the frame of a lift where one is near."""
        free = sorted({self.contact, *self.lifts})
        for name, frame in self.named():
            nearest = min(free, key=lambda key: abs(key - frame))
            near = abs(nearest - frame) <= max(1.0, BESIDE * (self.next - self.contact))
            free = [key for key in free if key > (nearest if near else frame)] or [self.next]
            yield name, nearest if near else frame

    def frames(self) -> list[int]:
        """Return the frames to key: those of the poses, and of a step that lacks some, others as evenly
        between as can be."""
        needed = sorted({self.contact, *(frame for _, frame in self.keyed())})
        parts = dict.fromkeys(pairwise([*needed, self.next]), 1)
        for _ in range(POSES - len(needed)):
            first, last = max(parts, key=lambda gap: (gap[1] - gap[0]) / parts[gap])
            parts[first, last] += int(last - first > parts[first, last])
        even = [
            round(first + (last - first) * number / count)
            for (first, last), count in parts.items()
            for number in range(1, count)
        ]
        return sorted({*needed, *even})


def steps_of(pose: WalkPose) -> list[KeyStep]:
    """Return the steps that lie entirely within a walk at ascending frames, of which the whole ones count."""
    rows = np.flatnonzero(pose.frames == np.round(pose.frames))
    ankle = next((part for part in ("foot", "shin", "thigh") if sided(part, "L") in pose.motions), "")
    if "pelvis" not in pose.motions or not ankle:
        return []
    stands = pose.pivot[rows] != SWING
    ankles = np.stack([pose.motions[sided(ankle, side)].position[rows] for side in SIDES], axis=1)
    hips = np.stack([_hip(pose, side).position[rows] for side in SIDES], axis=1)
    legs, ahead = np.linalg.norm(hips - ankles, axis=-1), ankles[:, 0, 0] - ankles[:, 1, 0]
    return steps_between(
        pose.frames[rows].astype(int),
        stands,
        pose.motions["pelvis"].position[rows, 2],
        legs,
        ahead,
        pose.steps > 1,
    )


def steps_between(
    frames: np.ndarray,
    stands: np.ndarray,
    height: np.ndarray,
    legs: np.ndarray,
    ahead: np.ndarray,
    skips: bool = False,
) -> list[KeyStep]:
    """Return the steps between the landings of feet that stand as `stands` `(f, 2)` says, on whole frames.

    `height` `(f,)` of the body; `legs` `(f, 2)`: from hip to ankle; `ahead` `(f,)`: by how much the left
    ankle is. Down is where the body is lowest, or if it only rises where the standing leg is most bent;
    passing where the other ankle overtakes; up the last frame on which the body is highest, of a skip only
    one in the air.
    """
    lifts, landings = _changes(stands)
    aloft = np.flatnonzero(~stands.any(axis=1)) if skips else None
    steps = []
    for contact, after in pairwise(landings.tolist()):
        foot = int(np.argmax(stands[contact] & ~stands[contact - 1]))
        passing = _crossing(ahead, contact, after)
        middle = (contact + after) // 2 if passing is None else passing
        down = _down(height, legs[:, foot], contact, middle)
        up = _up(height, aloft, middle, (contact, after))
        at = [None if row is None else int(frames[row]) for row in (down, passing, up)]
        left = tuple(frames[lifts[slice(*np.searchsorted(lifts, (contact, after)))]].tolist())
        steps.append(
            KeyStep(SIDES[foot], int(frames[contact]), at[0], at[1], at[2], left, int(frames[after]))
        )
    return steps


def recorded_rows(steps: list[KeyStep], count: int) -> np.ndarray:
    """Return the rows to key of recorded `steps` whose frames are rows of `count`: their poses, and as many
    before the first and after the last as such a step would have there, if it is cut.
    """
    if not steps:
        return np.zeros(0, dtype=int)
    apart = max(float(np.median([step.next - step.contact for step in steps])) / POSES, 1.0)
    rows = [row for step in steps for row in step.frames()] + [steps[-1].next]
    for edge, first in ((steps[0].contact, 0), (count - 1, steps[-1].next)):
        poses = round((edge - first) / apart) if edge - first <= 2.0 * POSES * apart else 1
        rows += np.linspace(first, edge, max(poses, 1), endpoint=False).round().astype(int).tolist()
    return np.unique(rows)


def _hip(pose: WalkPose, side: str) -> Motion:
    return pose.motions.get(sided("thigh", side), pose.motions["pelvis"])


def _crossing(ahead: np.ndarray, contact: int, after: int) -> int | None:
    """Return the row between two contacts on which one ankle is beside the other, None if it does not
    overtake."""
    between = ahead[contact + 1 : after]
    if len(between) < 2 or between[0] * between[-1] > 0.0:
        return None
    return contact + 1 + int(np.argmin(np.abs(between)))


def _window(start: int, end: int, within: tuple[float, float]) -> tuple[int, int]:
    """Return the first row and the row after the last that are strictly between two and within shares of the
    way."""
    low, high = (start + share * (end - start) for share in within)
    return max(int(np.ceil(low)), start + 1), min(int(np.floor(high)) + 1, end)


def _down(height: np.ndarray, legs: np.ndarray, contact: int, middle: int) -> int | None:
    """Return the row after a contact on which the body is lowest; if it only rises, the one on which the leg
    is most bent."""
    if middle - contact < 2:
        return None
    lowest = contact + 1 + int(np.argmin(height[contact + 1 : middle]))
    if height[lowest] < height[contact]:
        return lowest
    low, high = _window(contact, middle, DOWN_WITHIN)
    return low + int(np.argmin(legs[low:high])) if low < high else None


def _up(height: np.ndarray, aloft: np.ndarray | None, middle: int, step: tuple[int, int]) -> int | None:
    """Return the last row after the middle of a step on which the body is highest; of a skip only one in the
    air, `aloft`."""
    contact, after = step
    low, high = _window(middle, after, UP_WITHIN)
    rows = np.arange(low, high)
    if aloft is not None:
        rows = aloft[slice(*np.searchsorted(aloft, (contact + 1, after)))]
    if not len(rows):
        return None
    top = int(np.argmax(height[rows]))
    if aloft is not None:
        return int(rows[top])
    sunk = height[rows] < height[rows[top]] - AS_HIGH * np.ptp(height[contact : after + 1])
    return int(rows[top + int(np.argmax(np.append(sunk[top + 1 :], True)))])


def lifts_and_landings(pose: WalkPose, rows: np.ndarray) -> np.ndarray:
    """Return which of the rows, ascending, are the last on the ground of a foot, or the first."""
    return np.union1d(*_changes(pose.pivot[rows] != SWING))


def _changes(stands: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows on which a foot is last on the ground, and those on which one is first, from which
    `stands` `(f, 2)`."""
    lifts, landings = stands[:-1] & ~stands[1:], stands[1:] & ~stands[:-1]
    return np.flatnonzero(lifts.any(axis=1)), np.flatnonzero(landings.any(axis=1)) + 1
