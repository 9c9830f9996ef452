"""Labels of a plain figure, made without Blender."""

import numpy as np

from neurarig_addon.core.labels.label_file import Labels

ROLES = ("pelvis", "head", "thigh.L", "foot.L", "thigh.R", "foot.R")
PARENTS = (-1, 0, 0, 2, 0, 4)
REST = np.array([[0, 0, 1.0], [0, 0, 1.6], [0.1, 0, 0.95], [0.1, 0, 0.1], [-0.1, 0, 0.95], [-0.1, 0, 0.1]])


def labels(frames: int = 12, motions: int = 1) -> Labels:
    """Return motions of a figure that faces -y, and glides there a centimetre a frame."""
    count = frames * motions
    heads = REST + np.array([0.0, -0.01, 0.0]) * np.arange(count)[:, None, None]
    rng = np.random.default_rng(5)
    return Labels(
        character="Hero",
        roles=np.array(ROLES),
        bones=np.array([f"bone {role}" for role in ROLES]),
        parents=np.array(PARENTS),
        rest=REST,
        fps=24.0,
        settings=np.array(['{"speed": 1.0}'] * motions),
        style=np.array(["Sad"] * motions),
        motion=np.repeat(np.arange(motions), frames),
        frames=np.tile(np.arange(1.0, frames + 1.0), motions),
        heads=heads,
        tails=heads + [0.0, -0.1, 0.0],
        rotations=np.tile([1.0, 0.0, 0.0, 0.0], (count, len(ROLES), 1)),
        contacts=rng.random((count, 2, 3)) < 0.5,
        phase=rng.random((count, 2)),
        speed=np.full(count, 0.24),
    )
