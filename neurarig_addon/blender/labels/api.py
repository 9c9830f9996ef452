"""Motion with labels, written to a file: what a character shows, or walks and poses of it drawn at random,
after which the character is as it was."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from bpy.types import Object

from ...core.character.character import Character
from ...core.errors import NeuraRigError
from ...core.geometry.rotation import to_quaternion
from ...core.labels import draws, label_file
from ...core.labels.label_file import Labels, planted
from ...core.skeleton.clip import Clip
from ...core.skeleton.roles import carrier_role
from ..animation.frame_range import frames_between
from ..animation.write_pose import apply_row
from ..character import record
from ..character.legs import FEET, CarriedPoints
from ..character.read_character import read_character
from ..character.read_clip import read_clip
from ..neural_pose import api as neural_pose
from ..neural_pose import live
from ..neural_pose.rig import PosedRig
from ..neural_pose.solve import turned_channels
from ..walk.api.walk import generate_walk, remove_walk
from ..walk.manner import styles
from ..walk.settings.backup import restore_settings, saved_settings
from ..walk.source.source import source_of


def shown_labels(obj: Object, first: int, last: int, settings: Mapping[str, Any], style: str = "") -> Labels:
    """Return the labels of what a character shows from frame `first` to `last`, both included; scene and
    object are restored.

    Phase, contacts and speed are those of its walk, live or baked; without a walk they are unknown.
    """
    scene, frames = bpy.context.scene, frames_between(first, last)
    character = read_character(obj, scene)
    found = posed_labels(
        obj.name, character, read_clip(bpy.context, obj, frames=frames, character=character), settings, style
    )
    if not record.holds(obj, record.WALK):
        return found
    pose = source_of(obj, scene).pose(frames)
    return Labels(
        **{**vars(found), "contacts": planted(pose.pivot), "phase": pose.phase, "speed": pose.ground_speed}
    )


def posed_labels(
    name: str, character: Character, clip: Clip, settings: Mapping[str, Any], style: str
) -> Labels:
    """Return the labels of a clip of a character: where its bones are, and that nothing is known of
    contacts."""
    roles = [role for role, bone in character.roles.bones.items() if bone in clip.skeleton.index]
    bones = [character.roles.bones[role] for role in roles]
    rows = [clip.skeleton.index[bone] for bone in bones]
    heads, axes, frames = clip.heads[:, rows], clip.axes[:, rows], len(clip.frames)
    metres = np.cbrt(np.linalg.det(clip.skeleton.to_world[:3, :3]))
    return Labels(
        character=name,
        roles=np.array(roles),
        bones=np.array(bones),
        parents=np.array(
            [-1 if role == "pelvis" else roles.index(carrier_role(character.roles, role)) for role in roles]
        ),
        rest=clip.skeleton.heads[rows],
        fps=clip.fps,
        settings=np.array([json.dumps(settings, sort_keys=True)]),
        style=np.array([style]),
        motion=np.zeros(frames, dtype=int),
        frames=clip.frames,
        heads=heads,
        tails=heads + axes[..., 1] * (metres * clip.skeleton.lengths[rows])[:, None],
        rotations=to_quaternion(axes),
        contacts=np.zeros((frames, 2, 3), dtype=bool),
        phase=np.full((frames, 2), np.nan),
        speed=np.full(frames, np.nan),
    )


def write_labels(
    obj: Object,
    path: str | Path,
    frames: tuple[int, int],
    settings: Mapping[str, Any] | None = None,
    style: str = "",
) -> Labels:
    """Write where a character's bones are on frames `first, last`, with phase, contacts and speed of its
    walk, to an .npz; return them.

    `settings`, `style`: what the file says of how the motion was made. Raises NeuraRigError for a path that
    is no .npz, or for an object
    that is no biped.
    """
    where = label_path(path)
    labels = shown_labels(obj, *frames, settings or {}, style)
    label_file.save(where, labels)
    return labels


def label_path(path: str | Path) -> Path:
    """Return the path of a file of labels; raises NeuraRigError if it is not an .npz."""
    where = Path(bpy.path.abspath(str(path)))
    if where.suffix.lower() != ".npz":
        raise NeuraRigError(f"'{where.name}' must end in .npz to hold labels.")
    return where


PLANTED = 0.01  # legs: a point of a foot so near to the ground stands on it
MOST = 10_000  # walks or poses in a file
MOST_FRAMES = 1_000_000  # in a file: with 64 bones 4 GB while it is made


def draw_labels(
    obj: Object,
    path: str | Path,
    kind: str = draws.WALKS,
    *,
    count: int,
    seed: int = 0,
    frames: int = 72,
) -> Labels:
    """Write `count` random 'walks' of `frames` frames each, or random 'poses', with labels, to an .npz;
    return them.

    The same seed gives the same file. The character is as it was afterwards. Raises NeuraRigError if it is
    not free, or for numbers
    that are out of range.
    """
    if kind not in _DRAWN:
        raise NeuraRigError(f"'{kind}' cannot be drawn; choose one of {', '.join(_DRAWN)}.")
    length = frames if kind == draws.WALKS else 1
    if not 1 <= count <= MOST or length < 1 or count * length > MOST_FRAMES or not 0 <= seed < draws.SEEDS:
        raise NeuraRigError(
            f"{count} {kind} of {length} frames from seed {seed} cannot be drawn; choose 1 to {MOST} of them,"
            f" {MOST_FRAMES} frames in all, and a seed from 0 to {draws.SEEDS - 1}."
        )
    if record.is_attached(obj):
        raise NeuraRigError(f"'{obj.name}' already walks or follows a clip or targets. Remove that first.")
    where = label_path(path)
    labels = label_file.joined(list(_DRAWN[kind](obj, seed, count, frames)))
    label_file.save(where, labels)
    return labels


def _drawn_walks(obj: Object, seed: int, count: int, frames: int) -> Iterator[Labels]:
    """Yield the labels of `count` walks that travel, each from frame 1 on."""
    library = [name for name, shipped in styles.names() if shipped]
    leg, before = read_character(obj).body.leg_length, saved_settings(obj)
    try:
        for number in range(count):
            settings = draws.walk_settings(seed, number, library, leg)
            generate_walk(obj, mode="TRAVEL", start_frame=1, **settings)
            yield shown_labels(obj, 1, frames, settings, json.dumps(settings["styles"]))
    finally:
        if record.is_attached(obj):
            remove_walk(obj)
        restore_settings(obj, before)


def _drawn_poses(obj: Object, seed: int, count: int, _frames: int) -> Iterator[Labels]:
    """Yield the labels of `count` poses, a frame each, whose lowest point of a foot is on the ground."""
    own = obj.neurarig.neural_pose
    before = own.controls
    neural_pose.pose_targets(obj, "MAIN", controls="FK")
    try:
        own.live = False
        rig = live.rig_of(obj)
        feet = CarriedPoints(obj, rig.character.body, rig.character.roles)
        to_walk = np.linalg.inv(rig.character.body.walk_to_armature)
        here = np.array([float(bpy.context.scene.frame_current)])
        for number in range(count):
            kind, turns = draws.pose_turns(seed, number)
            away, root = rig.body.role_turns(turns[None]), rig.body.rest[:1]
            heights = _posed(obj, rig, away, root, feet) @ to_walk[2, :3] + to_walk[2, 3]
            _posed(obj, rig, away, root - [0.0, 0.0, heights.min()], feet)
            clip = read_clip(bpy.context, obj, frames=here, character=rig.character)
            labels = posed_labels(obj.name, rig.character, clip, {"seed": seed, "number": number}, kind)
            stands = heights - heights.min() < PLANTED * rig.character.body.leg_length
            yield replace(labels, contacts=stands[None])
    finally:
        neural_pose.remove_targets(obj)
        own.controls = before


def _posed(obj: Object, rig: PosedRig, away: np.ndarray, root: np.ndarray, feet: CarriedPoints) -> np.ndarray:
    """Pose a character by rotations of its roles and its root, and return heel, ball and toe of both feet
    `(2, 3, 3)`, armature space."""
    apply_row(obj, turned_channels(rig, away, rig.body.tree.heads(away, root)), 0)
    return feet.evaluated(obj.evaluated_get(bpy.context.evaluated_depsgraph_get()))[:, FEET]


_DRAWN = {draws.WALKS: _drawn_walks, draws.POSES_KIND: _drawn_poses}
