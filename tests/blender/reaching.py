"""Characters that walk and hold on to things: what the tests of targets over a walk and their benchmark
share."""

from collections.abc import Callable

import bpy
import numpy as np
from mathutils import Matrix, Vector

from neurarig_addon.blender import api

HANDS = {"wrist.L": "hand.L", "wrist.R": "hand.R"}


def bone_of(obj: bpy.types.Object, role: str) -> str:
    """Return the bone of a role."""
    return next(item.bone for item in obj.neurarig.roles if item.role == role)


def place_of(obj: bpy.types.Object, role: str) -> np.ndarray:
    """Return where a role's bone is shown to begin `(3,)` in the world."""
    shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array(shown.matrix_world @ shown.pose.bones[bone_of(obj, role)].head)


def target_of(obj: bpy.types.Object, point: str) -> bpy.types.Object:
    """Return the object that a point follows."""
    return next(item.object for item in obj.neurarig.neural_pose.targets if item.point == point)


def misses(obj: bpy.types.Object) -> dict[str, float]:
    """Return by how much, in metres, hands are shown off the targets that hold them wholly."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    frame, found = bpy.context.scene.frame_current_final, {}
    for item in obj.neurarig.neural_pose.targets:
        if (
            item.point in HANDS
            and item.weight == 1.0
            and (not item.use_range or item.frame_start <= frame <= item.frame_end)
        ):
            place = np.array(item.object.evaluated_get(depsgraph).matrix_world.translation)
            found[item.point] = float(np.linalg.norm(place - place_of(obj, HANDS[item.point])))
    return found


def axes(obj: bpy.types.Object) -> np.ndarray:
    """Return forward, left and up of a character that walks, in the world, as columns `(3, 3)` one arm's
    length long."""
    arm = sum(
        np.linalg.norm(place_of(obj, f"{a}.L") - place_of(obj, f"{b}.L"))
        for a, b in (("upper_arm", "forearm"), ("forearm", "hand"))
    )
    left = place_of(obj, "upper_arm.L") - place_of(obj, "upper_arm.R")
    left[2] = 0.0
    left /= np.linalg.norm(left)
    up = np.array([0.0, 0.0, 1.0])
    return arm * np.stack([np.cross(left, up), left, up], axis=1)


def thing(
    name: str, place: np.ndarray, parent: bpy.types.Object | None = None, bone: str = ""
) -> bpy.types.Object:
    """Return a new empty at a place in the world, hung on an object or a bone of one."""
    empty = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(empty)
    if parent is not None:
        empty.parent = parent
        if bone:
            empty.parent_type, empty.parent_bone = "BONE", bone
    bpy.context.view_layer.update()
    empty.matrix_world = Matrix.Translation(Vector(place))
    bpy.context.view_layer.update()
    return empty


def carry(obj: bpy.types.Object) -> None:
    """Have both hands hold a box that hangs on the chest."""
    forward, left, up = axes(obj).T
    middle = 0.5 * (place_of(obj, "upper_arm.L") + place_of(obj, "upper_arm.R")) + 0.55 * forward - 0.45 * up
    chest = max(
        (item.role for item in obj.neurarig.roles if item.role.startswith("spine.") and item.bone),
        key=lambda role: int(role[6:]),
    )
    box = thing("Box", middle, obj, bone_of(obj, chest))
    for point, side in (("wrist.L", 1.0), ("wrist.R", -1.0)):
        api.choose_target(obj, point, thing(f"Grip {point}", middle + 0.3 * side * left, box))


def rail(obj: bpy.types.Object) -> None:
    """Have the left hand hold on to one place of a rail beside the way while the walk goes by it."""
    forward, left, up = axes(obj).T
    shoulder = place_of(obj, "upper_arm.L")
    api.choose_target(obj, "wrist.L", thing("Rail", shoulder + 0.35 * forward + 0.3 * left - 0.6 * up))
    item = obj.neurarig.neural_pose.targets[0]
    now = bpy.context.scene.frame_current
    item.use_range, item.frame_start, item.frame_end, item.ease = True, now, now + 8, 8


def point(obj: bpy.types.Object) -> None:
    """Have the right hand point ahead."""
    forward, left, up = axes(obj).T
    api.choose_target(
        obj,
        "wrist.R",
        thing("Ahead", place_of(obj, "upper_arm.R") + 0.9 * forward + 0.05 * left + 0.1 * up, obj),
    )


def wave(obj: bpy.types.Object) -> None:
    """Have the left hand wave: an empty of ours, keyed."""
    forward, left, up = axes(obj).T
    api.pose_targets(obj, ["wrist.L"])
    empty = target_of(obj, "wrist.L")
    over = place_of(obj, "upper_arm.L") + 0.25 * forward + 0.35 * left + 0.55 * up
    for frame, aside in ((1, -0.15), (7, 0.25), (13, -0.15), (19, 0.25), (25, -0.15)):
        empty.location = (
            (obj.matrix_world.inverted() @ Vector(over + aside * left))
            if empty.parent_type == "OBJECT"
            else empty.location
        )
        empty.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(bpy.context.scene.frame_current)


SITUATIONS: dict[str, Callable[[bpy.types.Object], None]] = {
    "carry": carry,
    "rail": rail,
    "point": point,
    "wave": wave,
}
