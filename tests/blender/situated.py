"""Every state that a character can be in, as a user comes to it: what tests of all buttons and all panels go
through."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import bpy

from neurarig_addon.blender import api
from tests.blender import walking
from tests.blender.keeping import link, pose, walk
from tests.blender.leading import curve
from tests.blender.retargeting import actor
from tests.rigs import biped, build, make_active


def nothing() -> None:
    """Leave the file empty."""


def mesh() -> None:
    bpy.ops.mesh.primitive_cube_add()


@cache
def _free_file() -> str:
    """Return a file with a free character and another that plays an action: read again it takes a tenth of
    the time."""
    actor()
    build(biped(), "Hero")
    path = Path(mkdtemp()) / "free.blend"
    bpy.data.libraries.write(str(path), set(bpy.data.objects), fake_user=False)
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    bpy.data.orphans_purge()
    return str(path)


def free() -> bpy.types.Object:
    with bpy.data.libraries.load(_free_file()) as (there, wanted):
        wanted.objects = list(there.objects)
    for obj in wanted.objects:
        bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.update()
    make_active(bpy.data.objects["Hero"])
    return bpy.data.objects["Hero"]


def after(*steps: Callable) -> Callable[[], None]:
    """Return what takes these steps with a free character, and selects it."""

    def begin() -> None:
        obj = free()
        for step in steps:
            step(obj)
        make_active(obj)

    return begin


def off(obj: bpy.types.Object) -> None:
    obj.neurarig.walk.live = False


def stopped(obj: bpy.types.Object) -> None:
    bpy.ops.object.mode_set(mode="EDIT")
    obj.data.edit_bones.remove(obj.data.edit_bones["LeftLeg"])
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.scene.frame_set(3)


def travels(obj: bpy.types.Object) -> None:
    walking.walk(obj, use_network=False, mode="TRAVEL")


def prints(obj: bpy.types.Object) -> None:
    travels(obj)
    make_active(obj)
    bpy.ops.neurarig.edit_footprints()


STATES = {
    "nothing": nothing,
    "a mesh": mesh,
    "no biped": lambda: build(biped()[:4], "Half"),
    "free": free,
    "walks": after(walk),
    "paused": after(walk, off),
    "baked": after(walk, lambda obj: api.bake_walk(obj, frame_start=1, frame_end=9)),
    "stopped": after(walk, stopped),
    "travels": after(travels),
    "prints in hand": after(prints),
    "on a path": after(
        lambda obj: walking.walk(obj, use_network=False, mode="PATH", path=curve([(0.0, 0.0), (0.0, -5.0)]))
    ),
    "in styles": after(lambda obj: walking.walk(obj, use_network=False, styles={"Sad": 1.0})),
    "by a profile": after(walk, lambda obj: api.use_profile(obj, "Plain Biped")),
    "linked": after(link),
    "retargeted": after(lambda obj: api.retarget(obj, source=bpy.data.objects["Actor"])),
    "posed": after(pose),
    "standing in a pose": after(api.use_current_pose),
    "edited": after(walk, lambda obj: bpy.ops.object.mode_set(mode="EDIT")),
}
