"""Recordings that become walks: what is read of them, and refused."""

import bpy
import numpy as np

from neurarig_addon.blender import api
from tests.blender.record.characters import RIGS
from tests.blender.record.clips import short
from tests.blender.record.seen import Seen
from tests.blender.recording import points_of, write_csv
from tests.rigs import make_active


def recordings(seen: Seen) -> None:
    """Solve points of other frame rates, with gaps, of a collection that moves, and of an armature of points."""
    source, _ = short()
    points = points_of(source, range(5, 30))
    gaps = points.copy()
    gaps[4:9, :6], gaps[0, 3] = np.nan, np.nan
    obj = RIGS["other"]()
    make_active(obj)
    for name, given, fps in (
        ("fast", points, 60.0),
        ("slow", points, 11.0),
        ("gaps", gaps, 30.0),
        ("none", np.full_like(points, np.nan), 24.0),
    ):
        seen.ask(api.solve_clip, obj, file=write_csv(seen.folder / f"{name}.csv", given, fps=fps))
        seen.look(1, 7)
    seen.ask(api.encode_action, source, seen.folder / "clip.npz", source.animation_data.action)
    for noise in (0.0, 5.0):
        seen.ask(api.solve_clip, obj, file=seen.folder / "clip.npz", noise=noise)
        seen.look(5, 12)
    seen.ask(api.solve_clip, obj, file=seen.folder / "clip.npz", resize=False)
    (seen.folder / "walk.bvh").write_text("HIERARCHY\nROOT Hips\n{\n}")
    (seen.folder / "walk.mp4").write_text("")
    for name in ("walk.bvh", "walk.mp4"):
        seen.ask(api.solve_clip, obj, file=seen.folder / name)
    collection = bpy.data.collections.new("Markers")
    bpy.context.scene.collection.children.link(collection)
    for row, name in enumerate(("head", "pelvis", "wrist.L", "wrist.R", "ankle.L", "ankle.R", "spine3")):
        marker = bpy.data.objects.new(name, None)
        collection.objects.link(marker)
        for frame in range(1, 12, 5):
            marker.location = points[frame, 3 * row]
            marker.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_end = 11
    for constrained in (False, True):
        if constrained:
            bpy.data.objects["head"].constraints.new("LIMIT_LOCATION")
        seen.ask(api.solve_clip, obj, collection=collection)
        seen.ask(
            api.solve_clip,
            obj,
            collection=collection,
            mapping={"head": "head", "pelvis": "pelvis", "wrist.L": "wrist.L", "wrist.R": "wrist.R"},
        )
        seen.look(1, 7)
    bpy.context.scene.render.frame_map_new = 50
    seen.ask(api.solve_clip, obj, collection=collection)
    seen.look(1, 7)
