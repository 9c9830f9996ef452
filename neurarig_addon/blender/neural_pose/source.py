"""Reading a recording from any source: a file, an armature, a collection of objects."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np
from bpy.types import Collection, Object, Scene

from ...core.character.character import Character
from ...core.errors import NeuraRigError, about
from ...core.mocap.landmarks import SUBJECT, people, points_of, rows_that_tell
from ...core.mocap.marker_files import read_markers
from ...core.mocap.placement import shows_up, upright
from ...core.neural import pose_parameters
from ...core.neural.point_body import PointBody
from ...core.skeleton.bvh import read_bvh
from ...core.skeleton.clip import Clip
from ..animation.curve_pose import object_path
from ..animation.frame_range import frames_between
from ..animation.scratch import same_frame_after, show
from ..animation.steps import Steps
from ..character.read_character import read_character
from ..character.read_clip import read_clip_steps
from .recording import ParameterRecording, PointRecording, Recording

BVH, NPZ = ".bvh", ".npz"
READABLE = (BVH, ".c3d", ".trc", ".sto", ".mot", ".csv", ".tsv", NPZ, ".npy", ".json")
SKELETONS = (".fbx", ".glb", ".gltf")  # read by Retarget, with their rotations


@dataclass(frozen=True)
class PointSource:
    """One of `file`, `armature` and `collection`; `mapping` says which recorded name is which point, if names
    do not tell."""

    file: Path | None = None
    armature: Object | None = None
    collection: Collection | None = None
    mapping: Mapping[str, str] | None = None


def read_recording_steps(source: PointSource, frames: np.ndarray | None) -> Steps[Recording]:
    """Read a source, at scene frames `(f,)` unless it is a file (None: all); yields the share done.

    Raises NeuraRigError, naming file or object, if it cannot be read or its points cannot be identified.
    """
    yield 0.0
    fps = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    if source.file is not None:
        recording = _read_file(source.file, source.mapping, fps)
    elif source.armature is not None:
        recording = yield from _read_armature(source.armature, source.mapping, frames, fps)
    else:
        assert source.collection is not None
        recording = yield from _read_collection(source.collection, source.mapping, frames, fps)
    if isinstance(recording, PointRecording) and not np.isfinite(recording.points).any():
        raise NeuraRigError(f"'{recording.name}' has no valid points; export it again.")
    return recording


def _read_file(file: Path, mapping: Mapping[str, str] | None, fps: float) -> Recording:
    """Read a file; if it states no frame rate, its rows are frames of the scene."""
    if file.suffix.lower() in SKELETONS:
        raise NeuraRigError(f"'{file.name}' is not a recording of points. Use Retarget for it.")
    if file.suffix.lower() not in READABLE and not file.is_dir():
        raise NeuraRigError(
            f"'{file.name}' is not a recording. Supported files end in {', '.join(READABLE)}."
        )
    if file.suffix.lower() == BVH:
        clip = read_bvh(file)
        with about(file.name):
            return PointRecording(
                clip.name,
                _points_of(clip, _character_of(clip, mapping), mapping),
                clip.fps,
                remark=clip.remark,
            )
    if file.suffix.lower() == NPZ and pose_parameters.holds_parameters(file):
        return ParameterRecording(file.stem, pose_parameters.load(file))
    markers = read_markers(file)
    with about(file.name):
        recorded = points_of(markers.names, markers.places, mapping)
        points = upright(recorded, markers.metres, markers.up)
    is_sure = markers.up is not None or shows_up(recorded)
    remark = (
        ""
        if is_sure
        else (
            f"'{file.name}' does not say which axis is up, and its figure hardly stands: turn the result if"
            " it lies."
        )
    )
    others = () if mapping and SUBJECT in mapping else tuple(people(markers.names)[1:])
    return PointRecording(markers.name, points, markers.fps or fps, others=others, remark=remark)


def _character_of(clip: Clip, mapping: Mapping[str, str] | None) -> Character | None:
    """Return the biped whose skeleton a clip has; None if it is not a biped's or its joints were named one by
    one."""
    try:
        return None if mapping else Character.of(clip.skeleton)
    except NeuraRigError:
        return None


def _points_of(clip: Clip, character: Character | None, mapping: Mapping[str, str] | None) -> np.ndarray:
    """Return the points of a skeleton: those of a biped if it is one, else its joints by name."""
    if character is None:
        return points_of(clip.skeleton.names, clip.heads, mapping)
    motions = character.motions(clip)
    return character.in_world(PointBody.of(character, motions).points(motions))


def _read_armature(
    armature: Object, mapping: Mapping[str, str] | None, frames: np.ndarray | None, fps: float
) -> Steps[PointRecording]:
    try:
        character = None if mapping else read_character(armature)
    except NeuraRigError:
        character = None  # bones that are points
    clip = yield from read_clip_steps(bpy.context, armature, frames=frames, character=character)
    return PointRecording(clip.name, _points_of(clip, character, mapping), fps, float(clip.frames[0]))


def _read_collection(
    collection: Collection, mapping: Mapping[str, str] | None, frames: np.ndarray | None, fps: float
) -> Steps[PointRecording]:
    scene = bpy.context.scene
    objects = list(collection.all_objects)
    if not objects:
        raise NeuraRigError(
            f"The collection '{collection.name}' holds no objects. Choose the one with the recorded points."
        )
    names = [obj.name for obj in objects]
    rows = rows_that_tell(names, mapping)
    at = frames_between(None, None) if frames is None else frames
    chosen = [objects[row] for row in rows]
    seen = _told_by_curves(scene, chosen, at)
    if seen is None:
        seen = yield from _stepped(chosen, at)
    places = np.full((len(at), len(objects), 3), np.nan)
    places[:, rows] = seen * scene.unit_settings.scale_length
    return PointRecording(collection.name, points_of(names, places, mapping), fps, float(at[0]))


def _told_by_curves(scene: Scene, objects: list[Object], frames: np.ndarray) -> np.ndarray | None:
    """Return objects' positions `(f, n, 3)` in the world, Blender units, from F-curves; None if anything else
    moves one of them."""
    paths = []
    for obj in objects:
        path = object_path(obj, frames)
        if path is None:
            return None
        paths.append(path)
    return np.stack(paths, axis=1)


def _stepped(objects: list[Object], frames: np.ndarray) -> Steps[np.ndarray]:
    """Return objects' positions `(f, n, 3)` in the world, Blender units, as Blender evaluates them."""
    scene = bpy.context.scene
    places = np.empty((len(frames), len(objects), 3))
    with same_frame_after(scene):
        for step, frame in enumerate(frames):
            show(scene, frame)
            depsgraph = bpy.context.evaluated_depsgraph_get()
            for row, obj in enumerate(objects):
                places[step, row] = obj.evaluated_get(depsgraph).matrix_world.translation
            yield (step + 1) / len(frames)
    return places
