"""For how long a window stands still while long work goes on in it: blocks_in_window.py -- FOLDER.

Prints a row for each work: how long it took, and the longest time between two looks at the window's events.
"""

import sys
from pathlib import Path
from time import monotonic, thread_time
from typing import Any

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))

from telling import AT_ONCE, Story, tell, view, working

LONGEST_S, UNSEEN_S = 2.0, 0.5  # that a window may stand still, and work go on without progress
PATIENCE_S = 240.0
folder = Path(sys.argv[sys.argv.index("--") + 1])


class Beat:
    """What the window's main loop does between two looks at its events."""

    def __init__(self) -> None:
        self.begin()
        bpy.app.timers.register(self.look)

    def begin(self) -> None:
        """Forget the longest time."""
        self.longest = self.busy = 0.0
        self.last, self.worked = monotonic(), thread_time()

    def look(self) -> float:
        """Note the time since the last look; called by the main loop."""
        now, worked = monotonic(), thread_time()
        self.longest, self.busy = max(self.longest, now - self.last), max(self.busy, worked - self.worked)
        self.last, self.worked = now, worked
        return 0.0


def timed(called: str, name: str, /, **given: Any) -> Story:
    """Have a button pressed, its dialog or file browser passed by, and print how its work went."""
    kind = getattr(bpy.types, f"NEURARIG_OT_{name}")
    kind.confirm = ""
    kind.browse = lambda self, context: setattr(self, "in_window", True) or self.execute(context)
    yield 0.3
    beat.begin()
    begun, worked, seen = monotonic(), thread_time(), False
    with view():
        answer = getattr(bpy.ops.neurarig, name)("INVOKE_DEFAULT", **given)
    assert answer != {"CANCELLED"}, f"{called} is refused"
    while working():
        seen = True
        assert monotonic() < begun + PATIENCE_S, f"{called} does not end"
        yield AT_ONCE
    beat.look()
    took = monotonic() - begun, beat.longest, beat.busy
    print(
        f"{called:24s}" + "".join(f"{seconds:8.2f} s" for seconds in took), "seen" if seen else "", flush=True
    )
    if beat.busy > LONGEST_S or (thread_time() - worked > UNSEEN_S and not seen):
        failed.append(called)


def chosen(*objs: bpy.types.Object) -> None:
    """Select characters, the last of them active."""
    for obj in bpy.context.view_layer.objects:
        obj.select_set(obj in objs)
    bpy.context.view_layer.objects.active = objs[-1]


def story() -> Story:
    hero, *others = [obj for obj in bpy.context.scene.objects if obj.type == "ARMATURE"]
    bake = {"frame_start": 1, "frame_end": 250}
    chosen(hero)
    yield 1.0
    yield from timed("Find Controls", "find_controls")
    yield from timed("Generate Walk", "generate_walk")
    hero.neurarig.walk.mode = "TRAVEL"
    yield from timed("Generate again", "generate_walk")
    yield from timed("Check Motion", "check_contacts")
    for form, clips in (("GLB", "CORE"), ("FBX", "ACTS")):
        given = {"directory": str(folder), "file_format": form, "clips": clips, "overwrite": True}
        yield from timed(f"Export Set, {form}", "export_set", **given)
    chosen(*others, hero)
    yield from timed("Copy to Selected", "copy_walk")
    yield from timed("Clear Crossings", "clear_crossings")
    yield from timed("Far Ones as Loops", "far_as_loops")
    yield from timed("Near Again", "near_again")
    chosen(*others, hero)
    yield from timed("Remove from Selected", "remove_copies")
    chosen(hero)
    with view():
        bpy.ops.neurarig.add_act(kind="WAVE", distance=1.0)
    yield from timed("Bake", "bake_walk", keys="DENSE", check=True, **bake)
    yield from timed("Bake, few keys", "bake_walk", keys="EDITABLE", **bake)
    yield from timed("Re-bake", "rebake_walk")
    yield from timed("Learn Style", "learn_style", style="Stroll")
    learned = {"source": others[0].name, "action": hero.animation_data.action.name}
    yield from timed("Learn Act", "learn_act", name="Wave", upper=True, **learned)
    (folder / "clips").mkdir(exist_ok=True)
    clip = str(folder / "clips" / "clip.npz")
    yield from timed("Export Motion", "encode_action", filepath=clip)
    chosen(others[0])
    yield from timed("Retarget Folder", "retarget_folder", directory=str(folder / "clips"))
    yield from timed("Retarget", "retarget", file=clip)
    yield from timed("Continue", "continue_motion", file=clip, seconds=10.0)
    yield from timed("Fill", "fill_motion", file=clip, frame_start=100, frame_end=140)
    chosen(others[1])
    yield from timed("Turn Clip into Walk", "make_parametric_file", filepath=clip)
    assert not failed, f"the window stands still: {', '.join(failed)}"


failed: list[str] = []
beat = Beat()
tell(story())
