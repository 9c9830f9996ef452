"""A walk without a network: a textbook's few sines.

It has the interface of the trained network, so turning *Natural Motion* off swaps the source of shapes, not the code path.
"""

import numpy as np

from ...contract.channels import CHANNELS
from ...contract.inputs import legs_of
from .natural import dimensionless_speed, natural_duty, natural_lead, natural_stride

TURN = 2.0 * np.pi


class PlainGait:
    """Sines and bumps in place of the network's curves."""

    def sample(self, slow: np.ndarray, phase_right: np.ndarray, phase_left: np.ndarray) -> np.ndarray:
        """Return channels `(frames, 46)` for slow inputs `(frames or 1, 9)` and foot phases `(frames,)` (see GaitShape)."""
        velocity = slow[:, 0]
        leg = legs_of(slow)
        vhat = dimensionless_speed(velocity, 1.0) / np.sqrt(leg)
        fade = vhat / (vhat + 0.03)
        stride = natural_stride(velocity / np.sqrt(leg), 1.0) * leg
        duty = natural_duty(velocity / np.sqrt(leg), 1.0)
        values: dict[str, np.ndarray | float] = dict.fromkeys(CHANNELS, 0.0)
        for side, phase, sign in (("r", phase_right, -1.0), ("l", phase_left, 1.0)):
            swing = np.clip((phase % 1.0 - duty) / (1.0 - duty), 0.0, 1.0)
            lift = np.sin(np.pi * swing) ** 2
            values[f"foot_{side}.x"] = 0.25 * stride * np.cos(TURN * phase)
            values[f"foot_{side}.z"] = 0.09 * leg * lift * fade
            values[f"foot_{side}.pitch"] = fade * (0.75 * _bump(phase, 0.6, 0.13) - 0.3 * _bump(phase, 0.0, 0.06))
            values[f"arm_{side}.flexion"] = -0.3 * fade * np.cos(TURN * phase)
            values[f"arm_{side}.elbow"] = 0.08 + 0.0 * phase
            values["pelvis.yaw"] = values["pelvis.yaw"] - sign * 0.05 * fade * np.cos(TURN * phase)
            values["chest.yaw"] = values["chest.yaw"] + sign * 0.04 * fade * np.cos(TURN * phase)
            values["pelvis.y"] = values["pelvis.y"] + sign * 0.012 * leg * fade * np.sin(TURN * phase)
            values["pelvis.x"] = natural_lead(velocity / np.sqrt(leg), 1.0) * leg
            values["pelvis.z"] = values["pelvis.z"] - fade * leg * (0.02 + 0.01 * np.cos(2.0 * TURN * (phase - 0.08)))
        frames = np.broadcast(phase_right, velocity).shape
        return np.stack([np.broadcast_to(values[name], frames) for name in CHANNELS], -1)


def _bump(phase: np.ndarray, centre: float, width: float) -> np.ndarray:
    """A smooth periodic bump of height 1."""
    away = (phase - centre + 0.5) % 1.0 - 0.5
    return np.exp(-0.5 * (away / width) ** 2)
