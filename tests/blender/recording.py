"""Recorded points of a character that moves, in files as others write them: what the tests of Solve Mocap
share."""

import csv
from pathlib import Path

import bpy
import numpy as np

from neurarig_addon.blender.animation.scratch import same_frame_after
from neurarig_addon.core.neural import pose_parameters
from neurarig_addon.core.neural.points import JOINTS
from tests.blender.posing import shown_points
from tests.blender.retargeting import FIRST, LAST
from tests.rigs import biped, build, make_active

FRAMES = range(FIRST, LAST + 1)
TO_Y_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
# An optical system's labels, as people give them; head top, fingers and toe tips are missing.
LABELS = [f"Actor:{name}" for name in pose_parameters.NAMES]


def points_of(obj: bpy.types.Object, frames: range = FRAMES) -> np.ndarray:
    """Return where the 27 points of a character are `(f, 27, 3)` in the world."""
    found = []
    with same_frame_after(bpy.context.scene):
        for frame in frames:
            bpy.context.scene.frame_set(frame)
            found.append(shown_points(obj))
    return np.array(found)


def same_size() -> bpy.types.Object:
    """Return a character of the actor's proportions in another rest pose."""
    obj = build(biped(arm_drop_deg=45.0), "Twin")
    make_active(obj)
    return obj


def write_csv(path: Path, points: np.ndarray, two_rows: bool = False, fps: float = 24.0) -> Path:
    """Write the 22 joints in millimetres, y up."""
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        if two_rows:
            rows.writerow(["Trajectories"])
            rows.writerow(["", ""] + [cell for name in LABELS for cell in (name, "", "")])
            rows.writerow(["Frame", "Time"] + ["X", "Y", "Z"] * len(LABELS))
            rows.writerow(["", "s"] + ["mm"] * 3 * len(LABELS))
        else:
            rows.writerow(["frame", "time"] + [f"{name}_{axis}" for name in LABELS for axis in "xyz"])
        for row, frame in enumerate(1000.0 * points[:, : len(JOINTS)] @ TO_Y_UP.T):
            cells = [f"{value:.4f}" if np.isfinite(value) else "" for value in frame.ravel()]
            rows.writerow([row + 1, f"{row / fps:.6f}", *cells])
    return path
