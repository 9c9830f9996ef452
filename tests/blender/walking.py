"""Looking at a walking character: what the tests of live walk, bake and report compare."""

from collections.abc import Iterable, Sequence
from unittest.mock import patch

import bpy
import numpy as np

from neurarig_addon.blender import api
from neurarig_addon.blender.walk.api import report
from neurarig_addon.blender.walk.source import source as walk_source
from tests.rigs import biped, build

LOOKED_AT = 0.1  # cycles


def walk(obj: bpy.types.Object, **settings: object) -> None:
    """Make a character walk; its contact report is of a few frames, so who reads that generates the walk or
    asks for another."""
    with patch.object(report, "MEASURED_CYCLES", LOOKED_AT):
        api.generate_walk(obj, **settings)


def walker(name: str = "Hero", **settings: object) -> bpy.types.Object:
    """Return a biped that walks, as `walk` makes it; the plain walk unless the settings say otherwise."""
    obj = build(biped(), name)
    walk(obj, **{"use_network": False, **settings})
    return obj


def seen(obj: bpy.types.Object, frame: float, bones: Sequence[str] | None = None) -> np.ndarray:
    """Return heads and tails `(bones, 2, 3)` of the evaluated character in the world at a (fractional)
    frame."""
    bpy.context.scene.frame_set(int(frame // 1), subframe=frame % 1)
    return seen_now(obj, bones)


def seen_now(obj: bpy.types.Object, bones: Sequence[str] | None = None) -> np.ndarray:
    """Return heads and tails `(bones, 2, 3)` of the evaluated character as it stands."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    chosen = evaluated.pose.bones if bones is None else [evaluated.pose.bones[name] for name in bones]
    return np.array(
        [[evaluated.matrix_world @ bone.head, evaluated.matrix_world @ bone.tail] for bone in chosen]
    )


def played(obj: bpy.types.Object, frames: Iterable[float], bones: Sequence[str] | None = None) -> np.ndarray:
    """Return what is seen at each frame `(frames, bones, 2, 3)`."""
    return np.array([seen(obj, frame, bones) for frame in frames])


def driven_bones(obj: bpy.types.Object) -> list[str]:
    """Return the names of the bones that the walk drives."""
    rig = walk_source.source_of(obj, bpy.context.scene).rig
    return [rig.bones[drive.bone].name for drive in rig.drives]


def deform_bones(obj: bpy.types.Object) -> list[str]:
    """Return the names of the bones that deform a mesh."""
    return [bone.name for bone in obj.data.bones if bone.use_deform]


def moved_feet(obj: bpy.types.Object) -> float:
    """Return how far a foot bone moves within the walk."""
    frames = played(obj, range(1, 30, 4), ["LeftFoot"])
    return float(np.ptp(frames[..., 0, :], axis=0).max())


def key_speed(obj: bpy.types.Object) -> None:
    """Key the speed from 0.6 to 1.8 m/s over the first 60 frames."""
    for frame, speed in ((1, 0.6), (60, 1.8)):
        obj.neurarig.walk.speed = speed
        obj.neurarig.walk.keyframe_insert("speed", frame=frame)


def state_of(obj: bpy.types.Object) -> dict[str, object]:
    """Return all that a failed or removed walk must leave as it was."""
    settings = obj.neurarig.walk
    return {
        "bones": [(bone.name, [tuple(row) for row in bone.matrix_local]) for bone in obj.data.bones],
        "constraints": [
            (bone.name, [constraint.name for constraint in bone.constraints]) for bone in obj.pose.bones
        ],
        "pose": [[tuple(row) for row in bone.matrix_basis] for bone in obj.pose.bones],
        "place": [tuple(row) for row in obj.matrix_basis],
        "collections": [collection.name for collection in obj.data.collections_all],
        "roles": [(item.role, item.bone) for item in obj.neurarig.roles],
        "attachment": obj.neurarig.attachment,
        "stash": obj.neurarig.stash,
        "settings": {
            prop.identifier: settings.is_property_set(prop.identifier) and getattr(settings, prop.identifier)
            for prop in settings.bl_rna.properties
            if prop.type in ("FLOAT", "INT", "BOOLEAN", "ENUM", "STRING")
            and not getattr(prop, "is_array", False)
        },
        "data": {
            name: sorted(block.name for block in getattr(bpy.data, name))
            for name in ("objects", "meshes", "actions", "armatures")
        },
        "mode": (
            obj.mode,
            bpy.context.view_layer.objects.active.name,
            obj.select_get(),
            bpy.context.scene.frame_current,
        ),
    }
