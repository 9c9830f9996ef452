"""What moves, turns and resizes a character and what carries it: drawn at random, keyed, driven, in strips
and by constraints."""

import random
from collections.abc import Callable

import bpy

from tests.rigs import biped, build, make_active

FIRST, LAST = 1, 32

Motion = Callable[[bpy.types.Object, random.Random], None]


def key(owner: bpy.types.bpy_struct, prop: str, values: list) -> None:
    """Key three values over the frames that are compared."""
    for frame, value in zip((FIRST, 16, LAST), values, strict=True):
        setattr(owner, prop, value)
        owner.keyframe_insert(prop, frame=frame)


def slides(obj: bpy.types.Object, rng: random.Random) -> None:
    key(obj, "location", [[rng.uniform(-1.0, 1.0) for _ in range(3)] for _ in range(3)])


def grows(obj: bpy.types.Object, rng: random.Random) -> None:
    key(obj, "scale", [(1.0,) * 3, (rng.uniform(0.5, 2.0),) * 3, (rng.uniform(0.5, 2.0),) * 3])


def tilts(obj: bpy.types.Object, rng: random.Random) -> None:
    key(
        obj,
        "rotation_euler",
        [(0.0, 0.0, 0.0), *([rng.uniform(-0.3, 0.3) for _ in range(3)] for _ in range(2))],
    )


def turns(obj: bpy.types.Object, rng: random.Random) -> None:
    key(
        obj,
        "rotation_euler",
        [(0.0, 0.0, angle) for angle in (0.0, rng.uniform(-2.0, 2.0), rng.uniform(-2.0, 2.0))],
    )


def grows_by_delta(obj: bpy.types.Object, rng: random.Random) -> None:
    key(obj, "delta_scale", [(1.0,) * 3, (rng.uniform(0.5, 2.0),) * 3, (1.0,) * 3])


def tilts_by_driver(obj: bpy.types.Object, rng: random.Random) -> None:
    obj.driver_add("rotation_euler", 0).driver.expression = f"{rng.uniform(-0.01, 0.01)} * frame"


def tilts_by_strip(obj: bpy.types.Object, rng: random.Random) -> None:
    tilts(obj, rng)
    data = obj.animation_data
    action, slot = data.action, getattr(data, "action_slot", None)
    data.action = None
    strip = data.nla_tracks.new().strips.new("tilt", FIRST, action)
    if slot is not None:
        strip.action_slot = slot


def tilts_by_constraint(obj: bpy.types.Object, rng: random.Random) -> None:
    other = bpy.data.objects.new("Tilting", None)
    bpy.context.scene.collection.objects.link(other)
    tilts(other, rng)
    constraint = obj.constraints.new("COPY_ROTATION")
    constraint.target, constraint.mix_mode = other, "BEFORE"


def carrier(obj: bpy.types.Object, motion: Motion, rng: random.Random) -> None:
    """Hang the object, with what carries it already, on something that moves."""
    above = bpy.data.objects.new("Carrier", None)
    bpy.context.scene.collection.objects.link(above)
    above.location = rng.uniform(-2.0, 2.0), 0.5, 0.2
    while obj.parent is not None:
        obj = obj.parent
    obj.parent = above
    motion(above, rng)


def ridden(obj: bpy.types.Object, rng: random.Random) -> None:
    """Put the object on a keyed bone."""
    horse = build(biped(), "Horse")
    make_active(obj)
    bone = horse.pose.bones["Hips"]
    bone.rotation_mode = "XYZ"
    key(
        bone,
        "rotation_euler",
        [(0.0, 0.0, 0.0), (rng.uniform(-0.2, 0.2), 0.0, rng.uniform(-0.2, 0.2)), (0.1, 0.0, 0.0)],
    )
    key(bone, "scale", [(1.0,) * 3, (1.2,) * 3, (0.9,) * 3])
    obj.parent, obj.parent_type, obj.parent_bone = horse, "BONE", "Hips"


def carried(motion: Motion) -> Motion:
    """Return the motion of what carries the character instead of the character."""

    def carry(obj: bpy.types.Object, rng: random.Random) -> None:
        carrier(obj, motion, rng)

    carry.__name__ = f"carrier_{motion.__name__}"
    return carry


OWN = (grows, tilts, turns, grows_by_delta, tilts_by_driver, tilts_by_strip, tilts_by_constraint)
MOTIONS = (*OWN, *(carried(motion) for motion in OWN), ridden)
