"""The four poses of a step that animators name: contact, down, passing and up."""

import numpy as np

from ..character.body import LEFT, RIGHT
from ..ground.pivots import SWING
from .pose import WalkPose

NAMES = ("Contact", "Down", "Passing", "Up")
DOWN_WITHIN = (0.0, 0.25)  # shares of the cycle after the heel strike
PASSING_WITHIN = (0.1, 0.5)
UP_WITHIN = (0.25, 0.5)


def key_poses(pose: WalkPose) -> list[tuple[str, float]]:
    """Return (name, frame) of the key poses of every step that lies entirely within consecutive frames, e.g. `("L Contact", 1.0)`.

    Down is the lowest pelvis after the heel strike, passing where the swinging ankle overtakes the standing one, up the highest pelvis.
    A skip lacks the poses that it does not pass through; a carried foot has none.
    """
    feet = [role for role in ("foot", "shin", "thigh") if f"{role}.L" in pose.motions][:1]
    if "pelvis" not in pose.motions or not feet:
        return []
    height = pose.motions["pelvis"].position[:, 2]
    ankles = np.stack([pose.motions[f"{feet[0]}.{side}"].position[:, 0] for side in "LR"], -1)
    found = []
    for side, letter in ((LEFT, "L"), (RIGHT, "R")):
        lead = ankles[:, 1 - side] - ankles[:, side]
        phase = pose.phase[:, side]
        if not pose.duty[:, side].any():
            continue
        for strike in range(int(np.ceil(phase[0] - 1e-9)), int(np.floor(phase[-1] - UP_WITHIN[1])) + 1):
            since = phase - strike
            frames = (
                float(np.interp(strike, phase, pose.frames)),
                _frame_where(np.argmin, height, pose.frames, _within(since, DOWN_WITHIN)),
                _frame_where(np.argmin, np.abs(lead), pose.frames, _overtaken(pose, side, since, lead)),
                _frame_where(np.argmax, height, pose.frames, _aloft(pose, side, since)),
            )
            found += [(f"{letter} {name}", frame) for name, frame in zip(NAMES, frames, strict=True) if frame is not None]
    return sorted(found, key=lambda named: named[1])


def _within(since: np.ndarray, shares: tuple[float, float]) -> np.ndarray:
    return np.flatnonzero((since >= shares[0]) & (since <= shares[1]))


def _overtaken(pose: WalkPose, side: int, since: np.ndarray, lead: np.ndarray) -> np.ndarray:
    """Return the rows in which the other ankle may overtake the standing one; in a skip only where it does."""
    if pose.steps == 1:
        return _within(since, PASSING_WITHIN)
    rows = np.flatnonzero((since >= 0.0) & (since <= pose.duty[:, side]))
    return rows if len(rows) and lead[rows[0]] < 0.0 < lead[rows[-1]] else rows[:0]


def _aloft(pose: WalkPose, side: int, since: np.ndarray) -> np.ndarray:
    """Return the rows in which the body may be highest after a step; in a skip only the flight that the step begins."""
    if pose.steps == 1:
        return _within(since, UP_WITHIN)
    rows = np.flatnonzero((since > pose.duty[:, side]) & (since < 1.0))
    stands = (pose.pivot[rows] != SWING).any(axis=1)
    return rows[: int(np.argmax(stands))] if stands.any() else rows


def _frame_where(choose, values: np.ndarray, frames: np.ndarray, rows: np.ndarray) -> float | None:
    return float(frames[rows[choose(values[rows])]]) if len(rows) else None
