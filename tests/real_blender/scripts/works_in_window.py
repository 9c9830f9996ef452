"""Bakes in a window: ended by Esc, by undo in another window, by closing theirs and by quitting; one goes on
while the file is saved."""

import sys
from pathlib import Path

import bpy
from bl_ext.user_default.neurarig.neurarig_addon.blender.interface import work

sys.path.insert(0, str(Path(__file__).resolve().parent))

from telling import AT_ONCE, Story, press, tell, until, view, window, working

BAKE = "NEURARIG_OT_bake_walk"
KINDS = ("objects", "scenes", "armatures", "actions")
saved = sys.argv[-1]


def there() -> dict[str, set[str]]:
    """Return what the file holds."""
    return {kind: set(getattr(bpy.data, kind).keys()) for kind in KINDS}


def begin(number: int = 0, frames: int = 6000) -> Story:
    """Begin a bake in a window through its dialog, and wait until it has made something."""
    before = there()
    with view(number):
        bpy.ops.neurarig.bake_walk("INVOKE_DEFAULT", frame_start=1, frame_end=frames, keys="EDITABLE")
    yield 0.5
    press("RET", number)
    yield from until(lambda: BAKE in working(number) and there() != before, "a bake that is under way")


def story() -> Story:
    with view():
        bpy.ops.wm.window_new_main()
    yield 0.5
    obj = bpy.data.objects["Character"]
    bpy.context.view_layer.objects.active = obj
    with view():
        assert bpy.ops.neurarig.generate_walk() == {"FINISHED"}
        bpy.ops.ed.undo_push(message="Walk")
        obj.neurarig.walk.speed = 0.7
        bpy.ops.ed.undo_push(message="Speed")
    before = there()

    yield from begin()
    press("ESC")
    yield from until(lambda: not working(), "Esc ends it")
    assert there() == before and obj.neurarig.walk.live

    yield from begin()
    with view(1):
        assert not bpy.ops.neurarig.remove_walk.poll(), "its other buttons wait"
    press("Z", 1, ctrl=True)
    yield from until(lambda: not working(), "undo in another window ends it")
    obj = bpy.data.objects["Character"]
    assert there() == before and obj.neurarig.walk.live and obj.neurarig.walk.speed > 1.0, (
        "and undoes what came before"
    )

    yield from begin(1)
    with view(1):
        bpy.ops.wm.window_close()
    yield from until(lambda: len(bpy.context.window_manager.windows) == 1, "its window closes")
    yield AT_ONCE
    assert there() == before and not work.on(obj)

    yield from begin(frames=1200)
    bpy.ops.wm.save_as_mainfile(filepath=saved, copy=True)
    yield from until(lambda: not working(), "a short one ends by itself")
    assert there()["actions"] - before["actions"] == {"Character Walk"} and not obj.neurarig.walk.live

    yield from begin()
    assert BAKE in working(), "and Blender is left in the middle of the last one"


window().scene.frame_set(1)
tell(story())
