"""The deform bones as evaluated, as channels of their own: for export to where the controls do not go.

Bones under our own control layer, or driven directly, are computed in closed form. Other rigs are evaluated
and read on every frame.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import bpy
import numpy as np
from bpy.types import Bone, Object

from ....core.character.motion import Posed
from ....core.errors import NeuraRigError
from ....core.posing.channels import rotation_path
from ....core.posing.posing import solve
from ...animation.curve_pose import split_path
from ...animation.keyframes import Channel, bone_channels, bone_path
from ...animation.scratch import alone, pose_matrices, seen_poses
from ...animation.steps import Steps
from ...character import controls, names, record
from ...character.bakes import Replaced
from ...character.controls import snapshot
from ...character.controls.attachment import FK, LAYER
from ...character.lasting import own_matrix, own_matrix_channels
from ...character.state import State, state_of
from .. import hands
from ..walk import WalkSource


def deform_channels(
    obj: Object, source: WalkSource, pose: Posed, elsewhere: bool
) -> Steps[tuple[list[Channel], Replaced]]:
    """Return the deform bones' channels for a walk's pose, and what they replace; yields the share done.

    `elsewhere`: they play on a skeleton without controls, so that those above a deform bone count as resting,
    not as they are posed now.
    """
    names.follow(obj)
    attachment = record.checked(obj)
    if attachment["kind"] in (LAYER, FK):
        return _layer_channels(obj, attachment, source, pose)
    if state_of(obj) not in (State.LIVE, State.BAKED):
        raise NeuraRigError(
            f"'{obj.name}' is not walking, so there is nothing to bake. Turn its walk on first."
        )
    bones = [bone.name for bone in obj.data.bones if bone.use_deform]
    if not bones:
        raise NeuraRigError(
            f"No bone of '{obj.name}' deforms a mesh. Tick Deform on the bones to bake, or bake the controls."
        )
    with alone(bpy.context.scene, obj) as passing:
        seen, _ = yield from seen_poses(passing, obj, pose.frames)
    if elsewhere:
        unmoved = np.array([bone.bone.matrix_local for bone in obj.pose.bones], dtype=float)
    else:
        unmoved = pose_matrices(obj.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    basis = _own_matrices(obj, bones, seen, unmoved)
    channels = own_matrix_channels(obj, basis, elsewhere)
    return channels if elsewhere else _held(obj, attachment, channels), Replaced(
        _constraints(obj, bones), snapshot.take_pose(obj, bones)
    )


def _layer_channels(
    obj: Object, attachment: Mapping[str, Any], source: WalkSource, pose: Posed
) -> tuple[list[Channel], Replaced]:
    """Return the channels of the character's own bones, and the constraints through which our layer moved
    them."""
    table = controls.deform_table(obj, attachment, source.body)
    channels = source.followed(solve(table, pose, source.travel), pose)
    baked = channels.bones()
    ours = {
        bone: [
            name
            for other, name, *_ in attachment["constraints"]
            if other == bone and name in obj.pose.bones[bone].constraints
        ]
        for bone in attachment["held"]
        if bone in baked
    }
    fingers = source.fingers(pose.frames)
    posed = baked if fingers is None else [*baked, *fingers.bones()]
    return bone_channels(channels) + hands.baked(fingers), Replaced(ours, snapshot.take_pose(obj, posed))


def _own_matrices(
    obj: Object, bones: list[str], seen: np.ndarray, unmoved: np.ndarray
) -> dict[str, np.ndarray]:
    """Return each bone's own matrix `(n, 4, 4)`: what its keys must hold to reproduce the evaluated pose.

    `seen` `(n, all bones, 4, 4)`: evaluated. `unmoved` `(all bones, 4, 4)`: the pose of controls, which have
    no keys.
    """
    rows = {bone.name: row for row, bone in enumerate(obj.pose.bones)}
    baked = set(bones)
    found = {}
    for name in bones:
        bone = obj.data.bones[name]
        holder = None if bone.parent is None else _holder(bone.parent, baked, rows, seen, unmoved)
        found[name] = own_matrix(bone, seen[:, rows[name]].astype(float), holder)
    return found


def _holder(
    parent: Bone, baked: set[str], rows: dict[str, int], seen: np.ndarray, unmoved: np.ndarray
) -> np.ndarray:
    """Return a parent's matrix `(n, 4, 4)` in the bake: a baked one as evaluated; children of baked ones
    follow; others stay unmoved."""
    still = unmoved[rows[parent.name]].astype(float)
    carrier = next((bone for bone in (parent, *parent.parent_recursive) if bone.name in baked), None)
    if carrier is None:
        return np.broadcast_to(still, (len(seen), 4, 4))
    posed = seen[:, rows[carrier.name]].astype(float)
    return (
        posed
        if carrier == parent
        else posed @ np.linalg.solve(unmoved[rows[carrier.name]].astype(float), still)
    )


def _held(obj: Object, attachment: Mapping[str, Any], channels: list[Channel]) -> list[Channel]:
    """Return channels that key bones whose pose is given back even if they rest, and controls as they stand:
    bones follow them."""
    before = dict(attachment["pose"]) | {
        bone: pose for hand in attachment["fingers"].values() for bone, pose in hand.items()
    }
    baked = {split_path(channel.path)[0] for channel in channels}
    found = [
        replace(each, rest=np.full_like(each.rest, np.inf)) if split_path(each.path)[0] in before else each
        for each in channels
    ]
    for bone in (obj.pose.bones[name] for name in before if name in obj.pose.bones and name not in baked):
        for prop in ("location", rotation_path(bone.rotation_mode)):
            now = np.array(getattr(bone, prop), dtype=float)
            found.append(
                Channel(bone_path(bone.name, prop), now[None], np.array(before[bone.name][prop]), bone.name)
            )
    return found


def _constraints(obj: Object, bones: list[str]) -> dict[str, list[str]]:
    found = {
        name: [constraint.name for constraint in obj.pose.bones[name].constraints if not constraint.mute]
        for name in bones
    }
    return {name: names for name, names in found.items() if names}
