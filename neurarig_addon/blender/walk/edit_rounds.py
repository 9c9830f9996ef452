"""Rounds of posing after an edit: reading a ground makes Blender apply edits and tell us of them again while we pose."""

from collections.abc import Callable

import bpy

MOST_ROUNDS = 3
_found: list[list[bpy.types.Object]] = []  # objects found to be edited meanwhile, for each edit being handled


def pose_edited(
    edited: list[bpy.types.Object], pose: Callable[[list[bpy.types.Object]], None], needs_pose: Callable[[bpy.types.Object], bool]
) -> None:
    """Pose edited objects, then those found to be edited meanwhile that need it; within a round, leave them to the next one."""
    if _found:
        _found[-1] += edited
        return
    for _ in range(MOST_ROUNDS):
        if not edited:
            break
        _found.append([])
        try:
            pose(edited)
        finally:
            meanwhile = _found.pop()
        edited = [obj for obj in meanwhile if needs_pose(obj)]
