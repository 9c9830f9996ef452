"""Key poses of an action as markers of the scene's timeline."""

import bpy

from ...core.errors import NeuraRigError
from ..character import stash


def mark_timeline(obj: bpy.types.Object) -> list[str]:
    """Put the pose markers of the action that a character plays on the scene's timeline, and return their names.

    They begin with the character's name, and take the place of those that were put there before.
    Raises NeuraRigError where it plays no action with markers.
    """
    action, _ = stash.playing(obj)
    if action is None or not len(action.pose_markers):
        raise NeuraRigError(f"'{obj.name}' plays no action with pose markers. Bake its walk or retarget a clip first.")
    markers = bpy.context.scene.timeline_markers
    named = [(_name(obj, marker.name), marker.frame) for marker in action.pose_markers]
    names = {name for name, _ in named}
    for marker in [marker for marker in markers if marker.name in names and marker.camera is None]:
        markers.remove(marker)
    for name, frame in named:
        markers.new(name, frame=frame)
    return [name for name, _ in named]


def _name(obj: bpy.types.Object, pose: str) -> str:
    return f"{obj.name}: {pose}"
