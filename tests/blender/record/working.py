"""Work that goes on in a window and how it ends; what the file browser, the menus and the preferences draw."""

from collections.abc import Callable, Generator
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import bpy
import numpy as np

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import steps
from neurarig_addon.blender.interface import exporters, menus, operator, preferences
from neurarig_addon.blender.interface import work as running
from neurarig_addon.blender.learning.api.style import learn_style_steps
from neurarig_addon.core.errors import NeuraRigError
from tests.blender.drawing import Layout, stand_in
from tests.blender.leading import slab
from tests.blender.record.characters import RIGS, hero, walker
from tests.blender.record.clips import short
from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen
from tests.blender.recording import points_of, write_csv
from tests.blender.screen import Noted
from tests.rigs import make_active

FOLLOWED = {"head": "Head", "wrist.L": "LeftHand", "wrist.R": "RightHand", "ankle.L": "LeftFoot", "ankle.R": "RightFoot"}


class Work(operator.StepsOperator):
    """Work of a few steps that ends as it is told."""

    doing = "The work"

    def __init__(self, seen: Seen, ends: BaseException | None = None) -> None:
        self.seen, self.ends, self.in_window = seen, ends, True

    def report(self, kind: set[str], text: str) -> None:
        self.seen.note("said", [sorted(kind), text])

    def steps(self, context: Any, obj: Any) -> Generator[float, None, str]:
        try:
            yield 0.25
            yield 0.5
            if self.ends is not None:
                raise self.ends
            return "result"
        finally:
            self.seen.note("closed", True)

    def done(self, context: Any, obj: Any, result: str) -> str:
        return f"{obj.name} {result}"


def told(seen: Seen) -> None:
    """Note the shares done that long work tells: of reports, bakes, clips, points, styles, keys and controls."""
    source, action = short()
    points = points_of(source, range(5, 20))
    clip = seen.folder / "clip.npz"
    api.encode_action(source, clip, action)
    obj = RIGS["leg ik"]()
    make_active(obj)
    markers = bpy.data.collections.new("Markers")
    bpy.context.scene.collection.children.link(markers)
    shares: list[float] = []
    window = SimpleNamespace(
        progress_begin=lambda *given: seen.note("begins", given),
        progress_update=shares.append,
        progress_end=lambda: seen.note("ends", True),
    )

    def ask(call: Callable[..., Any], *given: Any, **named: Any) -> None:
        shares.clear()
        seen.ask(call, *given, **named)
        seen.note(f"{call.__name__} told", np.array(shares))

    with patch.object(steps, "bpy", SimpleNamespace(context=SimpleNamespace(window_manager=window))):
        ask(api.find_controls, obj)
        ask(api.generate_walk, obj, use_network=False, mode="TRAVEL", stand_on=slab("Deck", (-5.0, 5.0), (-5.0, 5.0), 0.0))
        ask(api.contact_report, obj, (1, 9))
        for given in ({"keys": "DENSE"}, {"keys": "EDITABLE"}, {"target": "BOTH", "check": True}):
            ask(api.bake_walk, obj, frame_start=1, frame_end=9, **given)
            obj.neurarig.walk.live = True
        ask(api.rebake_walk, obj)
        ask(api.reduce_keys, obj)
        ask(api.remove_walk, obj)
        ask(api.retarget, obj, source=source, action=action)
        ask(api.retarget_actions, obj, [action, action], source=source)
        (seen.folder / "clips").mkdir()
        (seen.folder / "clips" / "a.npz").write_bytes(clip.read_bytes())
        ask(api.retarget_folder, obj, seen.folder / "clips")
        ask(api.remove_retarget, obj)
        ask(api.solve_clip, obj, file=write_csv(seen.folder / "points.csv", points))
        ask(api.solve_clip, obj, source=source, frame_start=5, frame_end=12)
        for name in ("head", "pelvis", "wrist.L", "wrist.R", "ankle.L", "ankle.R", "spine3"):
            point = bpy.data.objects.new(name, None)
            markers.objects.link(point)
            held = point.constraints.new("COPY_LOCATION")
            held.target, held.subtarget = source, FOLLOWED.get(name, "Hips")
        bpy.context.scene.frame_start, bpy.context.scene.frame_end = 5, 12
        ask(api.solve_clip, obj, collection=markers)
        ask(api.export_pose, obj, seen.folder / "pose.npz", 5, 9)
        ask(api.remove_targets, obj)
        ask(api.pose_targets, obj)
        ask(api.solve_range, obj, 1, 4)
        ask(api.remove_targets, obj)
        ask(api.make_parametric, obj, action, armature=source)
    seen.note("a style", np.array(list(learn_style_steps(source, "Mine"))))


def worked(seen: Seen) -> None:
    """Work in a window: to the end, refused, cancelled, undone, changed meanwhile, with a window that closes."""
    obj = walker()
    make_active(obj)
    calls: list[tuple[str, list[Any]]] = []
    window = Noted(calls, "window")
    context = SimpleNamespace(
        window=window, window_manager=window, workspace=window, object=obj, active_object=obj, view_layer=bpy.context.view_layer
    )

    def change() -> None:
        obj.neurarig.holders = set()

    def give_back() -> None:
        obj.neurarig.holders = {"WALK"}

    ways: dict[str, tuple[BaseException | None, Callable[[], Any] | None, str]] = {
        "end": (None, None, "TIMER"),
        "refusal": (NeuraRigError("It cannot be."), None, "TIMER"),
        "deleted": (ReferenceError(), None, "TIMER"),
        "esc": (None, None, "ESC"),
        "key": (None, None, "A"),
        "undo": (None, running._before_undo, "TIMER"),
        "changed": (None, change, "TIMER"),
    }
    with patch.object(operator, "armature_of", lambda _context: obj), patch.object(operator, "SLICE", -1.0):
        for name, (ends, meanwhile, event) in ways.items():
            work = Work(seen, ends)
            seen.note(name, sorted(work.execute(context)))
            seen.note("busy", [running.on(obj), running.refusal(obj), len(running._going)])
            seen.ask(running.require_idle, obj)
            seen.press("check_contacts", frame_start=1, frame_end=5)
            seen.note("second", sorted(Work(seen).execute(context)))
            if meanwhile is not None:
                meanwhile()
            with patch.object(operator, "SLICE", 5.0):
                seen.note("goes on", sorted(work.modal(context, SimpleNamespace(type=event))))
            give_back()
            seen.note("left", [running.on(obj), work.stopped])
            work.end_work()
        work = Work(seen)
        work.cancel(context)
        work.execute(context)
        seen.note("slow", sorted(work.modal(context, SimpleNamespace(type="TIMER"))))
        work.cancel(context)
        work.stop("once")
        work.stop("twice")
        seen.note("stopped", work.stopped)
        work = Work(seen)
        work.in_window = False
        with patch.object(operator.CharacterOperator, "execute", lambda self, context: {self.act(context, obj)}):
            seen.note("at once", sorted(work.execute(context)))
    gone = hero()
    work = Work(seen)
    with patch.object(operator, "armature_of", lambda _context: gone):
        work.execute(context)
    bpy.data.objects.remove(gone)
    seen.note("busy", running.on(obj))
    work.know()
    seen.note("gone", sorted(work.modal(context, SimpleNamespace(type="TIMER"))))
    seen.note("window", [[name, [each for each in given if isinstance(each, str | float)]] for name, given in calls])
    seen.look(1)


def browsed(seen: Seen) -> None:
    """Draw what the file browser says to who exports a live character, the menus, and the preferences."""
    obj = hero()
    kind = bpy.types.NEURARIG_PT_export_fbx
    for state in ("free", "walks", "paused"):
        if state == "walks":
            seen.ask(api.generate_walk, obj, use_network=False)
        obj.neurarig.walk.live = state == "walks"
        for baked, strips, actions, name in (
            (True, True, False, ""),
            (True, False, True, ""),
            (True, False, False, ""),
            (False, True, True, ""),
            (True, True, True, "x"),
        ):
            known = {"bl_rna": SimpleNamespace(properties={each: SimpleNamespace(name=each) for each in exporters.ACTIONS_ONLY})}
            operator = SimpleNamespace(
                bl_idname=name or exporters.EXPORTER,
                bake_anim=baked,
                bake_anim_use_nla_strips=strips,
                bake_anim_use_all_actions=actions,
                **known,
            )
            context = SimpleNamespace(space_data=SimpleNamespace(active_operator=operator), scene=bpy.context.scene)
            widgets: list[Any] = []
            seen.note("shows", kind.poll(context))
            stand_in(kind, Layout(widgets)).draw(context)
            seen.note(f"{state} {baked} {strips} {actions}", [repr(list(vars(widget).values())) for widget in widgets])
        seen.note("nothing", kind.poll(SimpleNamespace(space_data=SimpleNamespace(active_operator=None), scene=bpy.context.scene)))
    widgets = []
    menus._draw(SimpleNamespace(layout=Layout(widgets)), bpy.context)
    with patch.object(preferences.shutil, "which", {"python": "there"}.get):
        stand_in(preferences.NeuraRigPreferences, None)
        own = SimpleNamespace(layout=Layout(widgets), bl_rna=SimpleNamespace(properties={"python": SimpleNamespace(name="Python")}))
        preferences.NeuraRigPreferences.draw(own, bpy.context)
        seen.note("python", preferences.training_python())
        with patch.object(preferences, "ADDON_ID", "chosen"), patch.object(preferences, "bpy", _with_preferences(" //mine ")):
            seen.note("python", preferences.training_python())
        with patch.object(preferences, "ADDON_ID", "chosen"), patch.object(preferences, "bpy", _with_preferences("  ")):
            seen.note("python", preferences.training_python())
    with patch.object(preferences.shutil, "which", {}.get):
        seen.note("python", [preferences.python_on_path(), preferences.training_python()])
    seen.note("widgets", [repr(list(vars(widget).values())) for widget in widgets])


def _with_preferences(python: str) -> SimpleNamespace:
    addons = {"chosen": SimpleNamespace(preferences=SimpleNamespace(python=python))}
    return SimpleNamespace(
        context=SimpleNamespace(preferences=SimpleNamespace(addons=addons)), path=SimpleNamespace(abspath=lambda path: f"<{path}>")
    )


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    return {"told": told, "work": worked, "browsed": browsed}
