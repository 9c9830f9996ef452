"""Key poses of an action as markers of the scene's timeline."""

import bpy

from ...core.errors import NeuraRigError
from ..character import stash


def mark_timeline(obj: bpy.types.Object) -> list[str]:
    """Copy the pose markers of a character's playing action to the scene's timeline, and return their names.

    The names begin with the character's name; markers copied earlier are replaced.
    Raises NeuraRigError if it plays no action with markers.
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
