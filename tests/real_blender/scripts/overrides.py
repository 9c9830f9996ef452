"""Two overrides of one walking character: each walks as it is set, over saving, a library that is changed and
read again, and a render: overrides.py -- FOLDER.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

FRAMES = (1, 9, 33)
folder = Path(sys.argv[-1])
library, shot = str(folder / "library.blend"), str(folder / "shot.blend")


def seen(obj: bpy.types.Object) -> np.ndarray:
    """Return where all bones are on some frames, from their object's start `(frames, bones, 3)`."""
    found = []
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
        found.append([evaluated.matrix_world @ bone.head for bone in evaluated.pose.bones])
    return np.array(found)


def same(found: np.ndarray, wanted: np.ndarray) -> bool:
    return np.abs(found - wanted).max() < 1e-5


def overrides() -> list[bpy.types.Object]:
    """Return the two overrides, by their names."""
    return sorted(
        (obj for obj in bpy.data.objects if obj.override_library and obj.type == "ARMATURE"),
        key=lambda obj: obj.name,
    )


def healthy() -> bool:
    return all(obj.neurarig.walk.live and not obj.neurarig.walk.error for obj in overrides())


def changed_library(speed: float) -> None:
    """Change the walk's speed in the library's own file."""
    bpy.ops.wm.open_mainfile(filepath=library)
    bpy.data.objects["Character"].neurarig.walk.speed = speed
    bpy.ops.wm.save_as_mainfile(filepath=library)


obj = bpy.data.objects["Character"]
cast = bpy.data.collections.new("Cast")
bpy.context.scene.collection.children.link(cast)
cast.objects.link(obj)
bpy.context.scene.collection.objects.unlink(obj)
skin = bpy.data.objects.new("Skin", bpy.data.meshes.new("Skin"))
skin.data.from_pydata([obj.data.bones["LeftFoot"].head_local], [], [])
skin.parent = obj
skin.modifiers.new("Armature", "ARMATURE").object = obj
skin.vertex_groups.new(name="LeftFoot").add([0], 1.0, "REPLACE")
cast.objects.link(skin)
bpy.context.view_layer.objects.active = obj
assert bpy.ops.neurarig.generate_walk() == {"FINISHED"}
obj.neurarig.walk.mode = "TRAVEL"
obj.neurarig.walk.speed = 1.1
walked = seen(obj)
bpy.context.scene.frame_set(9)
bpy.ops.wm.save_as_mainfile(filepath=library)

bpy.ops.wm.read_homefile(use_empty=True)
scene = bpy.context.scene
with bpy.data.libraries.load(library, link=True) as (_, into):
    into.collections = ["Cast"]
for _ in range(2):
    into.collections[0].override_hierarchy_create(scene, bpy.context.view_layer)
first, second = overrides()
assert same(seen(first), walked) and same(seen(second), walked), "an override walks as in its library"
second.neurarig.walk.lean = 12.0
leaning = seen(second)
assert not same(leaning, walked) and same(seen(first), walked), "each has its own sliders"
scene.frame_set(17)
bpy.ops.wm.save_as_mainfile(filepath=shot)

for speed in (1.1, 0.7):
    changed_library(speed)
    in_library = seen(bpy.data.objects["Character"])
    bpy.ops.wm.open_mainfile(filepath=shot)
    assert healthy()
    first, second = overrides()
    assert same(seen(first), in_library), f"the library's walk at {speed}"
    assert second.neurarig.walk.lean == 12.0 and not same(seen(second), in_library), (
        "what was changed on the override stays"
    )
    if speed == 1.1:
        assert same(seen(second), leaning)

changed_library(0.9)
in_library = seen(bpy.data.objects["Character"])
bpy.ops.wm.open_mainfile(filepath=shot)
changed = bpy.data.libraries[0]
changed.reload()
assert healthy() and same(seen(overrides()[0]), in_library), "it walks on when the library is read again"
before = seen(overrides()[1])
bpy.ops.outliner.orphans_purge(do_recursive=True)
assert same(seen(overrides()[1]), before)

second = overrides()[1]
bpy.context.view_layer.objects.active = second
assert bpy.ops.neurarig.bake_walk(frame_start=1, frame_end=40, keys="DENSE", target="LAYER") == {"FINISHED"}
assert same(seen(second), before), "its bake is what was seen"
assert not second.neurarig.walk.live and overrides()[0].neurarig.walk.live
print("overridden")
