"""The four poses of a step that animators name: contact, down, passing and up."""

import numpy as np

from ..body import LEFT, RIGHT
from .pose import WalkPose

NAMES = ("Contact", "Down", "Passing", "Up")
DOWN_WITHIN = (0.0, 0.25)  # shares of the cycle after the heel strike
PASSING_WITHIN = (0.1, 0.5)
UP_WITHIN = (0.25, 0.5)


def key_poses(pose: WalkPose) -> list[tuple[str, float]]:
    """Return (name, frame) of the key poses of every step that lies whole within consecutive frames, e.g. `("L Contact", 1.0)`.

    Down is the lowest pelvis after the heel strike, passing where the swinging ankle overtakes the standing one, up the highest pelvis.
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
        for strike in range(int(np.ceil(phase[0] - 1e-9)), int(np.floor(phase[-1] - UP_WITHIN[1])) + 1):
            frames = (
                float(np.interp(strike, phase, pose.frames)),
                _frame_where(np.argmin, height, pose.frames, phase - strike, DOWN_WITHIN),
                _frame_where(np.argmin, np.abs(lead), pose.frames, phase - strike, PASSING_WITHIN),
                _frame_where(np.argmax, height, pose.frames, phase - strike, UP_WITHIN),
            )
            found += [(f"{letter} {name}", frame) for name, frame in zip(NAMES, frames, strict=True) if frame is not None]
    return sorted(found, key=lambda named: named[1])


def _frame_where(choose, values: np.ndarray, frames: np.ndarray, phase: np.ndarray, within: tuple[float, float]) -> float | None:
    rows = np.flatnonzero((phase >= within[0]) & (phase <= within[1]))
    return float(frames[rows[choose(values[rows])]]) if len(rows) else None
