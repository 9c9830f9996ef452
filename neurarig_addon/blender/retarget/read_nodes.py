"""A skeleton of nodes as a clip: what programs export without an armature, and Blender imports as empties or
parts of a mesh."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from bpy.types import Action, Object, Scene

from ...core.geometry.rotation import from_quaternion, transposed
from ...core.skeleton.bvh import clip_of_joints
from ...core.skeleton.bvh_text import BvhJoint
from ...core.skeleton.clip import Clip
from ..animation import compat
from ..animation.objects import above

_KINDS = ({"EMPTY"}, {"EMPTY", "MESH"})  # parts of a mesh are joints only where no empty moves


def nodes_of(objects: Iterable[Object]) -> list[Object]:
    """Return the objects of the trees in which any moves, parents first; none if nothing moves."""
    for kinds in _KINDS:
        nodes = [obj for obj in objects if obj.type in kinds]
        moving = {root_of(obj) for obj in nodes if actions_of(obj)}
        if moving:
            return sorted(
                (obj for obj in nodes if root_of(obj) in moving), key=lambda obj: (len(above(obj)), obj.name)
            )
    return []


def actions_of(obj: Object) -> list[tuple[Action, Any]]:
    """Return the actions of an object with their slots: the one that it plays, then those of its NLA
    strips."""
    return list({action: (action, slot) for action, slot in compat.all_actions(obj)}.values())


def play(nodes: Iterable[Object]) -> list[Action]:
    """Let each node play its first action, alone, and return these; they are one motion, which may be written
    as one for each node.

    Of several motions only the one that is played now is taken.
    """
    found = {node: actions for node in nodes if (actions := actions_of(node))}
    if any(len(actions) > 1 for actions in found.values()):
        found = {
            node: actions
            for node, actions in found.items()
            if compat.assigned(node.animation_data)[0] is not None
        }
    for node, actions in found.items():
        node.animation_data.use_nla = False
        compat.assign(node.animation_data, *actions[0])
    return [actions[0][0] for actions in found.values()]


def root_of(obj: Object) -> Object:
    """Return the topmost parent of an object, itself if it has none."""
    return [obj, *above(obj)][-1]


def read_nodes(scene: Scene, name: str, nodes: list[Object], frames: np.ndarray) -> Clip:
    """Return the motion of nodes, parents first, at scene frames `(f,)` as a clip of a skeleton that rests as
    in the first of them."""
    worlds = np.empty((len(frames), len(nodes), 3))
    turns = np.empty((len(frames), len(nodes), 4))
    for row, frame in enumerate(frames):
        scene.frame_set(int(frame))
        for column, node in enumerate(nodes):
            place, turn, _ = node.matrix_world.decompose()
            worlds[row, column], turns[row, column] = place, turn
    places = worlds * scene.unit_settings.scale_length
    rows = {node: row for row, node in enumerate(nodes)}
    joints = []
    for row, node in enumerate(nodes):
        parent = next((rows[above] for above in above(node) if above in rows), -1)
        joints.append(
            BvhJoint(node.name, parent, places[0, row] - (places[0, parent] if parent >= 0 else 0.0))
        )
    away = from_quaternion(turns)
    fps = scene.render.fps / scene.render.fps_base
    return clip_of_joints(name, joints, away @ transposed(away[0]), places, fps, frames, np.eye(4))
