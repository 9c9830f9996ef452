"""The 46 numbers that a network outputs per frame: NeuraRig's 30 outputs, then chest, head and arms.

Each is a displacement from standing at rest, in metres or radians, in the walk frame that moves with the
root. Foot channels are the
ankle's, ball channels the toe joint's (its pitch is the toes' bend relative to the foot, negative upward).
Arm channels mean the same on
both sides: flexion forward, abduction outward, rotation inward, elbow flexion, wrist flexion.
"""

from collections.abc import Mapping

import numpy as np

POSE_AXES = ("x", "y", "z", "pitch", "yaw", "roll")
TURN_AXES = ("pitch", "yaw", "roll")
ARM_AXES = ("flexion", "abduction", "rotation", "elbow", "wrist")
BLOCKS: Mapping[str, tuple[str, ...]] = {
    "foot_r": POSE_AXES,
    "foot_l": POSE_AXES,
    "ball_r": POSE_AXES,
    "ball_l": POSE_AXES,
    "pelvis": POSE_AXES,
    "chest": TURN_AXES,
    "head": TURN_AXES,
    "arm_r": ARM_AXES,
    "arm_l": ARM_AXES,
}
CHANNELS = tuple(f"{block}.{axis}" for block, axes in BLOCKS.items() for axis in axes)
PLACES = ("x", "y", "z")
IS_LENGTH = np.array([channel.split(".")[1] in PLACES for channel in CHANNELS])
OF_FEET = np.array([channel.startswith(("foot", "ball")) for channel in CHANNELS])
IS_RIGHT = np.array([channel.split(".")[0].endswith("_r") for channel in CHANNELS])
NEURARIG_OUTPUTS = 30


def other_side(name: str) -> str:
    """Return a part or channel of the other side; one of the middle is its own."""
    part, *axis = name.split(".")
    ends = {"_l": "_r", "_r": "_l"}
    return ".".join([part[:-2] + ends.get(part[-2:], part[-2:]), *axis])


# Of the mirror image: which channel each is then, and with which sign; those of arms mean the same on both
# sides.
OTHERS = np.array([CHANNELS.index(other_side(channel)) for channel in CHANNELS])
SIGNS = np.where([channel.endswith((".y", ".yaw", ".roll")) for channel in CHANNELS], -1.0, 1.0)


def _slices() -> dict[str, slice]:
    found, start = {}, 0
    for block, axes in BLOCKS.items():
        found[block] = slice(start, start + len(axes))
        start += len(axes)
    return found


SLICES: Mapping[str, slice] = _slices()


def block(values: np.ndarray, name: str) -> np.ndarray:
    """Return one block `(..., axes)` of channel values `(..., 46)`."""
    return values[..., SLICES[name]]


def both_feet(values: np.ndarray, part: str) -> np.ndarray:
    """Return a sided block `(..., 2, axes)`, left then right, of channel values `(..., 46)`."""
    sides = values[..., SLICES[f"{part}_r"].start : SLICES[f"{part}_l"].stop]  # right before left
    return sides.reshape(*values.shape[:-1], 2, -1)[..., ::-1, :].copy()
