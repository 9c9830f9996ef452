"""Characters of all builds, targets at joints, and how far from them a body is: what the tests of Neural Pose
share."""

from collections.abc import Iterable

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from neurarig_addon.blender.neural_pose import api, places, targets
from neurarig_addon.blender.neural_pose import rig as posed_rig
from neurarig_addon.core.neural.points import INDEX, POINTS
from tests.blender.retargeting import other_build
from tests.blender.walking import state_of
from tests.rigs import biped, build, fbx_matrix, make_active, renamed, split_limb_biped

# Degrees about axes of the world by which a copy's limbs are turned: a person in mid-stride, reaching.
STRIDE = {
    "LeftUpLeg": (-30.0, 4.0, 0.0),
    "LeftLeg": (45.0, 0.0, 0.0),
    "RightUpLeg": (15.0, -6.0, 5.0),
    "RightLeg": (20.0, 0.0, 0.0),
    "Spine": (8.0, 5.0, -6.0),
    "Spine2": (0.0, 0.0, 12.0),
    "Head": (-10.0, 0.0, 8.0),
    "LeftArm": (10.0, 50.0, 15.0),
    "LeftForeArm": (0.0, 0.0, -50.0),
    "RightArm": (0.0, -35.0, -25.0),
    "RightForeArm": (0.0, 10.0, 30.0),
}
REACHED_MM = 0.1
TURNED = Matrix.Translation((2.0, 1.0, 0.3)) @ Matrix.Rotation(0.7, 4, "Z")
BUILDS = {
    "t-pose": lambda: build(biped(), "Hero"),
    "a-pose, as from fbx": lambda: build(biped(arm_drop_deg=45.0), "Hero", fbx_matrix(40.0)),
    "other size and rolls": lambda: build(other_build(), "Hero", TURNED),
    "halves": lambda: build(split_limb_biped(), "Hero"),
    "no toes": lambda: build(biped(toes=False), "Hero", TURNED),
    "no feet": lambda: build([bone for bone in biped(toes=False) if "Foot" not in bone.name], "Hero", TURNED),
    "no names": lambda: build(renamed(biped()), "Hero"),
}
DRAGGED = {
    "wrist.L": (-0.1, -0.35, 0.1),
    "wrist.R": (0.1, 0.05, 0.4),
    "ankle.L": (0.05, -0.25, 0.15),
    "ankle.R": (0.0, 0.1, 0.0),
}


def turn_bones(obj: bpy.types.Object, degrees: dict[str, tuple[float, float, float]]) -> None:
    """Turn bones about axes of the world, each relative to its parent."""
    for name, angles in degrees.items():
        bone = obj.pose.bones[name]
        turn = Quaternion((1.0, 0.0, 0.0, 0.0))
        for axis, angle in zip(np.eye(3), np.radians(angles), strict=True):
            turn = Quaternion(axis, angle) @ turn
        rest = (obj.matrix_world @ bone.bone.matrix_local).to_quaternion()
        bone.rotation_mode = "QUATERNION"
        bone.rotation_quaternion = rest.inverted() @ turn @ rest
    bpy.context.view_layer.update()


def shown_points(obj: bpy.types.Object) -> np.ndarray:
    """Return where the 27 points of a character are `(27, 3)`, world metres, as Blender evaluates it."""
    scene, depsgraph = bpy.context.scene, bpy.context.evaluated_depsgraph_get()
    rig = posed_rig.read(obj, scene)
    to_world = rig.walk_to_world(obj.evaluated_get(depsgraph), scene.unit_settings.scale_length)
    return rig.body.points(rig.shown_motions(obj, depsgraph))[0] @ to_world[:3, :3].T + to_world[:3, 3]


def target_of(obj: bpy.types.Object, point: str) -> bpy.types.Object:
    """Return the object that a point follows."""
    return next(item.object for item in obj.neurarig.neural_pose.targets if item.point == point)


def put(obj: bpy.types.Object, places: dict[str, Iterable[float]]) -> None:
    """Drag targets to places in the world (Blender units), as one move."""
    for point in sorted(places, key=lambda point: INDEX[point]):
        targets.place(target_of(obj, point), places[point])
    bpy.context.view_layer.update()


def follow(
    obj: bpy.types.Object,
    points: np.ndarray,
    names: Iterable[str] = POINTS,
    lock: Iterable[str] | None = None,
) -> None:
    """Have a character follow empties at some of `points` `(27, 3)`; `lock`: which exactly, where not those
    that are so by default."""
    names = list(names)
    api.pose_targets(obj, names)
    if lock is not None:
        for item in obj.neurarig.neural_pose.targets:
            item.lock = item.point in lock
    put(obj, {name: points[INDEX[name]] / bpy.context.scene.unit_settings.scale_length for name in names})


def world_points(obj: bpy.types.Object, metres: float) -> np.ndarray:
    """Return where the targets that count are `(27, 3)`, in world metres, NaN where there is none."""
    read = places.PointPlaces.of(obj)
    return read.points(read.read(obj, None), metres)


def missed_mm(obj: bpy.types.Object, names: Iterable[str] | None = None) -> float:
    """Return how far the farthest of some points (default: the locked ones) is from its target, in
    millimetres."""
    own = obj.neurarig.neural_pose
    names = [item.point for item in own.targets if item.lock] if names is None else list(names)
    rows = [INDEX[name] for name in names]
    wanted = world_points(obj, bpy.context.scene.unit_settings.scale_length)
    return float(1e3 * np.linalg.norm(shown_points(obj)[rows] - wanted[rows], axis=-1).max())


def untouched(obj: bpy.types.Object) -> dict[str, object]:
    """Return what a failed or removed pose must leave as it was: all but the roles and the choices."""
    state = state_of(obj)
    del state["settings"], state["roles"]
    state["switches"] = [
        [(key, value) for key, value in bone.items() if isinstance(value, int | float)]
        for bone in obj.pose.bones
    ]
    state["muted"] = [[constraint.mute for constraint in bone.constraints] for bone in obj.pose.bones]
    return state


def hero(kind: str = "t-pose") -> bpy.types.Object:
    """Return a character of a build, the active object."""
    obj = BUILDS[kind]()
    make_active(obj)
    return obj


def lock(obj: bpy.types.Object, points: Iterable[str]) -> None:
    """Lock targets, as files of older versions have most of them."""
    for item in obj.neurarig.neural_pose.targets:
        item.lock = item.point in points


def drag(obj: bpy.types.Object, moves: dict[str, tuple[float, float, float]], share: float = 1.0) -> None:
    """Move targets, by shares of the leg's length."""
    leg = share * float(
        np.linalg.norm(shown_points(obj)[INDEX["hip.L"]] - shown_points(obj)[INDEX["ankle.L"]])
    )
    put(
        obj,
        {
            point: target_of(obj, point).matrix_world.translation + leg * Vector(move)
            for point, move in moves.items()
        },
    )
