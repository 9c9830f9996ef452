"""What a character shows on given frames, as labels."""

import json
from collections.abc import Mapping
from typing import Any

import bpy
import numpy as np

from ...core.character.character import Character
from ...core.geometry.rotation import to_quaternion
from ...core.labels.label_file import Labels, planted
from ...core.skeleton.clip import Clip
from ...core.skeleton.roles import carrier_role
from ..animation.frame_range import frames_between
from ..character import record
from ..character.read_character import read_character
from ..character.read_clip import read_clip
from ..walk.source.source import source_of


def shown_labels(
    obj: bpy.types.Object, first: int, last: int, settings: Mapping[str, Any], style: str = ""
) -> Labels:
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
