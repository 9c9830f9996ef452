"""A source that moves and a target of another build: what the tests of retargeting share."""

import json
from collections.abc import Iterable
from pathlib import Path
from tempfile import mkdtemp

import bpy
from mathutils import Matrix, Vector

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from tests.blender.walking import state_of, walk
from tests.rigs import Bone, biped, build, make_active

FIRST, LAST = 5, 64
STANDS = Matrix.Translation((2.0, 1.0, 0.0)) @ Matrix.Rotation(0.7, 4, "Z")


_files: dict[str, Path] = {}  # by what was asked for, of actors that were made


def actor(
    name: str = "Actor", table: list[Bone] | None = None, **settings: object
) -> tuple[bpy.types.Object, bpy.types.Action]:
    """Return a human, or the one of a table, that plays an action of its own, a walk through the scene, and
    the action.

    It is made once in a process: read again from a file it takes a twentieth of the time.
    """
    asked = repr((name, table, settings))
    if asked not in _files:
        obj = _made(name, table, settings)
        _files[asked] = Path(mkdtemp()) / "actor.blend"
        bpy.data.libraries.write(str(_files[asked]), {obj})
        return obj, obj.animation_data.action
    with bpy.data.libraries.load(str(_files[asked])) as (_, wanted):
        wanted.objects = [name]
    (obj,) = wanted.objects
    bpy.context.scene.collection.objects.link(obj)
    make_active(obj)
    bpy.context.view_layer.update()
    return obj, obj.animation_data.action


def _made(name: str, table: list[Bone] | None, settings: dict[str, object]) -> bpy.types.Object:
    obj = build(table or biped(), name)
    walk(obj, **{"use_network": False, "mode": "TRAVEL", "start_frame": float(FIRST), **settings})
    action = api.bake_walk(obj, frame_start=FIRST, frame_end=LAST, target="DEFORM")
    api.remove_walk(obj)
    action.name = f"{name} Walk"
    del action["neurarig_bake"]  # like any action of the user's
    data = obj.animation_data or obj.animation_data_create()
    compat.assign(data, action, compat.suitable_slot(action, obj))
    return obj


def other_build() -> list[Bone]:
    """Return a human with its arms lowered, of half the size, with longer legs, another roll in every
    bone."""
    bones = biped(arm_drop_deg=45.0)
    return [
        Bone(bone.name, bone.parent, _place(bone.head), _place(bone.tail), bone.roll + 0.3 * number)
        for number, bone in enumerate(bones)
    ]


def _place(point: Iterable[float]) -> tuple[float, float, float]:
    x, y, z = Vector(point) * 0.5
    return x, y, z * (1.2 if z < 0.48 else 1.0) + (0.096 if z >= 0.48 else 0.0)


def hero(name: str = "Hero") -> bpy.types.Object:
    """Return a target that stands apart and has an action of its own."""
    obj = build(other_build(), name, STANDS)
    obj.pose.bones["LeftArm"].rotation_quaternion = (0.9, 0.1, 0.3, 0.2)
    obj.pose.bones["LeftArm"].keyframe_insert("rotation_quaternion", frame=3)
    obj.animation_data.action.name = "Wave"
    make_active(obj)
    return obj


def keys_of(action: bpy.types.Action, obj: bpy.types.Object) -> list:
    """Return every key of an action."""
    curves = compat.find_channels(action, compat.suitable_slot(action, obj))
    return [
        (curve.data_path, curve.array_index, [tuple(key.co) for key in curve.keyframe_points])
        for curve in curves
    ]


def report_of(obj: bpy.types.Object) -> dict:
    """Return what was measured of the last clip."""
    return json.loads(obj.neurarig.retarget.report)


def rig_state(obj: bpy.types.Object) -> dict[str, object]:
    """Return what a failed or removed clip must leave as it was: all but the choices and the roles."""
    state = state_of(obj)
    data = obj.animation_data
    state["plays"] = data and (
        data.action,
        compat.assigned(data)[1],
        [(track.name, track.mute) for track in data.nla_tracks],
    )
    del state["settings"], state["roles"]
    return state
