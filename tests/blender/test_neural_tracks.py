"""Tracked markers: empties that follow the tracks of a movie clip are a recording like any other, and targets
like any other."""

from pathlib import Path

import bpy
import numpy as np
import pytest
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector

from neurarig_addon.blender.neural_pose import api, mocap
from neurarig_addon.core.neural import pose_parameters
from neurarig_addon.core.neural.points import INDEX, JOINTS
from tests.blender.recording import points_of, same_size
from tests.blender.retargeting import actor

SHOWN = range(1, 25)


@pytest.fixture
def tracked(tmp_path: Path) -> tuple[bpy.types.Collection, np.ndarray]:
    """Return empties that follow tracks of a walk filmed from the side, and where they are `(f, 22, 3)`: each
    at its own depth."""
    source, _ = actor()
    points = points_of(source, SHOWN)[:, : len(JOINTS)]
    bpy.data.objects.remove(source)
    points[..., 1] = points[..., 1].mean(axis=0)  # a track tells no depth
    scene = bpy.context.scene
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    scene.camera = camera
    camera.location, camera.rotation_euler = (points[..., 0].mean(), -8.0, 1.0), (np.pi / 2.0, 0.0, 0.0)
    scene.render.resolution_x = scene.render.resolution_y = 64
    bpy.context.view_layer.update()
    movie = _movie(tmp_path)
    markers = bpy.data.collections.new("Tracks")
    scene.collection.children.link(markers)
    for row, name in enumerate(pose_parameters.NAMES):
        track = movie.tracking.tracks.new(name=name, frame=SHOWN[0])
        for frame, place in zip(SHOWN, points[:, row], strict=True):
            track.markers.insert_frame(frame, co=world_to_camera_view(scene, camera, Vector(place))[:2])
        empty = bpy.data.objects.new(name, None)
        empty.location = points[0, row]
        follow = empty.constraints.new("FOLLOW_TRACK")
        follow.use_active_clip, follow.clip, follow.track, follow.camera = False, movie, name, camera
        follow.use_3d_position = False
        markers.objects.link(empty)
    return markers, points


def _movie(folder: Path) -> bpy.types.MovieClip:
    image = bpy.data.images.new("film", 64, 64)
    image.filepath_raw, image.file_format = str(folder / "film.png"), "PNG"
    image.save()
    return bpy.data.movieclips.load(str(folder / "film.png"))


def test_tracked_empties_are_a_recording(tracked) -> None:
    markers, wanted = tracked
    obj = same_size()
    mocap.solve_clip(
        obj,
        collection=markers,
        contacts=False,
        resize=False,
        noise=5.0,
        frame_start=SHOWN[0],
        frame_end=SHOWN[-1],
    )
    apart = np.linalg.norm(points_of(obj, SHOWN)[:, : len(JOINTS)] - wanted, axis=-1)
    assert 1e3 * np.median(apart) < 15.0 and 1e3 * apart.max() < 120.0


def test_tracked_empties_are_live_targets(tracked) -> None:
    _, wanted = tracked
    obj = same_size()
    names = {"pelvis": "pelvis", "wrist.L": "left_wrist", "wrist.R": "right_wrist"}
    for point, name in names.items():
        api.choose_target(obj, point, bpy.data.objects[name], lock=True)
    for frame in (SHOWN[0], SHOWN[-1]):
        bpy.context.scene.frame_set(frame)
        bpy.context.view_layer.update()
        shown = points_of(obj, range(frame, frame + 1))[0]
        for point in names:
            assert 1e3 * np.linalg.norm(shown[INDEX[point]] - wanted[frame - SHOWN[0], INDEX[point]]) < 1.0
