"""How few keys recorded clips need, and how long that takes: `python -m benchmarks reduce_keys`, in CPU time.

Recorded walks, and other motion, on the bones of a plain character: half a degree and 5 mm of every deforming
bone, 1 mm of
planted feet.  `CLIPS=word` in the environment: only clips with that word in their name.
"""

import gzip
import os
import tempfile
import time
from pathlib import Path

import bpy

from benchmarks.handler_speed import new_scene
from benchmarks.table import Row
from neurarig_addon.blender import api
from tests import rigs
from tests.shared_data import shared_path

THOUSAND = 1000.0  # frames
TOLERANCE = 0.005  # metres
CLIPS = (
    ("walk", "cmu_91_01", 60),
    ("walk", "cmu_91_13", 60),
    ("walk", "cmu_91_01", 30),
    ("pose", "cmu_14_06", 30),
)  # folder, name, frames a second


def rows() -> list[Row]:
    """Print a line a clip, and return the worst figures."""
    share, slip, took = [], [], []
    for folder, name, fps in CLIPS:
        if os.environ.get("CLIPS", "") not in name:
            continue
        new_scene()
        bpy.context.scene.render.fps = fps
        obj = rigs.build(rigs.biped(), "Plain")
        with tempfile.TemporaryDirectory() as kept:
            file = _plain_file(shared_path("data", "mocap", folder), name, Path(kept))
            action = api.retarget(obj, file=str(file), controls="FK", check=False)
        frames = action.frame_range[1] - action.frame_range[0] + 1.0
        began = time.process_time()
        api.reduce_keys(obj, action, tolerance=TOLERANCE)
        took.append((time.process_time() - began) * THOUSAND / frames)
        share.append(100.0 * action["keys"] / action["dense_keys"])
        slip.append(action["slip_mm"])
        print(
            f"{name:9s} {frames:5.0f} frames at {fps}: {action['keys']:5d} of {action['dense_keys']:6d} keys"
            f" {share[-1]:5.1f} %, {action['off_mm']:.1f} mm, {action['off_degrees']:.2f} degrees, slip"
            f" {slip[-1]:.2f} mm, {took[-1]:.1f} s a thousand",
            flush=True,
        )
    return [
        Row("Reduce Keys of recorded clips: keys left, most", max(share), 25.0, "%"),
        Row("Reduce Keys of recorded clips: slip", max(slip), 1.0, "mm"),
        Row("Reduce Keys of a thousand frames, CPU time", max(took), 3.0, "s"),
    ]


def _plain_file(folder: Path, name: str, kept: Path) -> Path:
    """Return a clip as a file that is not packed."""
    plain = folder / f"{name}.bvh"
    if plain.exists():
        return plain
    opened = kept / plain.name
    opened.write_bytes(gzip.decompress((folder / f"{name}.bvh.gz").read_bytes()))
    return opened
