"""The twin, a file on which the edits alone are done, and its comparison with the one that had us in it."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bpy

from neurarig_addon.blender.animation import compat
from tests.blender.situations import allowances, characters
from tests.blender.situations.played import LAST_FRAME, Played, remember
from tests.blender.situations.record import Difference, Record, differences, recorded, report
from tests.blender.situations.steps import EDITS


def compare(played: Played, kind: str, folder: Path) -> None:
    """Play the edits alone on a twin, and compare it with the file from which everything of ours was taken
    off, both saved and opened."""
    with_us = _saved(folder / "with us.blend")
    characters.fresh(kind)
    remember()
    for call in played.calls:
        if call is not None:
            try:
                EDITS[call.edit].apply(*call.args)
            except Exception as error:
                raise played.fail(
                    f"the twin failed at {call}: {''.join(traceback.format_exception(error))}"
                ) from error
        if call is None or call.edit not in ("Undo", "Redo"):
            remember()
    wanted, plays = _opened(_saved(folder / "twin.blend"))
    found, _ = _opened(with_us, plays if played.ledger.plays_other else {})
    left = _not_allowed(played, wanted, found)
    if left:
        raise played.fail(
            f"lost or changed{f' (told: {sorted(played.told)})' if played.told else ''}:\n{report(left)}"
        )


def _not_allowed(played: Played, wanted: Record, found: Record) -> list[Difference]:
    allowed = allowances.Allowances(played.ledger, played.told, wanted, found)
    return [one for one in differences(*allowed.comparable()) if not allowed.allows(one)] + allowed.missing()


def _saved(path: Path) -> Path:
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def _opened(path: Path, plays: dict[str, str | None] | None = None) -> tuple[Record, dict[str, str | None]]:
    """Return the record of a file, and the action that each object plays; first have them play what they do
    on the twin."""
    bpy.ops.wm.open_mainfile(filepath=str(path))
    for name, action in (plays or {}).items():
        obj = bpy.data.objects.get(name)
        if obj is not None and obj.animation_data and action in bpy.data.actions:
            chosen = bpy.data.actions[action]
            compat.assign(obj.animation_data, chosen, compat.suitable_slot(chosen, obj))
    _check_constraints()
    with _all_shown():
        bpy.context.scene.frame_set(LAST_FRAME)
    playing = {
        obj.name: obj.animation_data.action.name
        for obj in bpy.data.objects
        if obj.animation_data and obj.animation_data.action
    }
    return recorded(), playing


@contextmanager
def _all_shown() -> Iterator[None]:
    """Have Blender evaluate everything: what is hidden keeps the pose of the frame at which it was hidden,
    which is nobody's choice."""
    layers = [
        (layer, name)
        for layer in bpy.context.view_layer.layer_collection.children
        for name in ("exclude", "hide_viewport")
    ]
    collections = [(collection, "hide_viewport") for collection in bpy.data.collections]
    hidden = [(owner, name) for owner, name in (*layers, *collections) if getattr(owner, name)]
    hidden += [(obj, "hide_viewport") for obj in bpy.data.objects if obj.hide_viewport]
    for owner, name in hidden:
        setattr(owner, name, False)
    yield
    for owner, name in hidden:
        setattr(owner, name, True)


def _check_constraints() -> None:
    """Have Blender see which constraints have lost their bone: it looks only when Edit Mode is left or a
    target is set."""
    for obj in bpy.data.objects:
        for constraint in (
            [constraint for bone in obj.pose.bones for constraint in bone.constraints] if obj.pose else ()
        ):
            if hasattr(constraint, "subtarget"):
                constraint.subtarget = constraint.subtarget  # setting it is what makes Blender look
