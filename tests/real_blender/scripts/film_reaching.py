"""Save a Rigify human whose left hand follows a keyed target, ready to be rendered: film_reaching.py --
FILE.blend."""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests import rigs
from tests.blender.filming import film, seen_at

file = Path(sys.argv[-1])
bpy.ops.wm.read_homefile(use_empty=True)
rig = rigs.rigify_human()
assert bpy.ops.neurarig.pose_targets(point_set="MAIN") == {"FINISHED"}
hand = next(item.object for item in rig.neurarig.neural_pose.targets if item.point == "wrist.L")
for frame, move in ((1, (-0.2, -0.2, 0.1)), (5, (0.0, -0.1, 0.4)), (9, (0.0, 0.1, -0.6))):
    hand.location = [place + step for place, step in zip(hand.location, move, strict=True)]
    hand.keyframe_insert("location", frame=frame)
places = seen_at(film(rig, "DEF-hand.L", str(file.with_suffix("")) + "_"))
assert np.ptp(places, axis=0).max() > 0.2, "the hand moves through the picture"
bpy.context.scene.frame_set(4)
np.save(file.with_suffix(".npy"), places)
bpy.ops.wm.save_as_mainfile(filepath=str(file))
