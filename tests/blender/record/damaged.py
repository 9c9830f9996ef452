"""What files store of characters as text, damaged in one place at a time: what is made of it, or how it is refused."""

import copy
import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import bpy

from neurarig_addon.blender import api
from neurarig_addon.blender.character import ledger, names, record, standing_pose, stash
from neurarig_addon.blender.character.controls.stored_map import stored_map
from neurarig_addon.blender.character.read_armature import read_skeleton
from neurarig_addon.blender.character.roles import role_map
from neurarig_addon.blender.interface import report_text
from neurarig_addon.blender.keys import bake_record
from neurarig_addon.blender.neural_pose import live
from neurarig_addon.blender.walk.api import bake
from neurarig_addon.core.errors import NeuraRigError
from tests.blender.keeping import with_track
from tests.blender.record.characters import RIGS
from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen
from tests.rigs import make_active

BROKEN = ("", "{", "[]", "null", "3", '"x"', "{}", '{"version": 1}')
OTHERS = (None, True, -2, 0.5, "x", 10**400, [], ["a"], {"a": 1})
AT_MOST = 2  # entries of a list or table of many of a kind, to damage
Path = tuple[Any, ...]


def damaged(text: str) -> Iterator[tuple[str, str]]:
    """Yield texts with one part each that is missing, something else, or once more than it should be, and what was done."""
    for number, broken in enumerate(BROKEN):
        yield f"broken {number}", broken
    whole = json.loads(text)
    for path in _places(whole, ()):
        above = whole
        for key in path[:-1]:
            above = above[key]
        for number, other in enumerate(OTHERS):
            yield f"{path} {number}", _with(whole, path, other)
        yield f"{path} gone", _with(whole, path, None, gone=True)
        if isinstance(above, list):
            yield f"{path} twice", _with(whole, path[:-1], [*above, above[-1]])


def _places(value: Any, above: Path) -> Iterator[Path]:
    entries: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        entries = list(value.items())
    elif isinstance(value, list):
        entries = list(enumerate(value))
    if len(above) > 0 and len(entries) > 8:
        entries = entries[:AT_MOST]
    for key, each in entries:
        yield (*above, key)
        yield from _places(each, (*above, key))


def _with(whole: Any, path: Path, other: Any, gone: bool = False) -> str:
    whole = copy.deepcopy(whole)
    above = whole
    for key in path[:-1]:
        above = above[key]
    if gone:
        del above[path[-1]]
    else:
        above[path[-1]] = other
    return json.dumps(whole)


def _tried(seen: Seen, name: str, holder: Any, key: str, made: Callable[[], Any]) -> None:
    """Note what is made of a text, which stands as a property `key` of its holder, in each damaged state."""
    as_item = key.startswith("[")
    whole = holder[key[1:-1]] if as_item else getattr(holder, key)
    answers: dict[str, Any] = {}
    for done, text in damaged(whole):
        if as_item:
            holder[key[1:-1]] = text
        else:
            setattr(holder, key, text)
        try:
            found = made()
            answers[done] = found if isinstance(found, str | bool | dict | list | tuple | None) else repr(found)
        except NeuraRigError as refusal:
            answers[done] = str(refusal)
    if as_item:
        holder[key[1:-1]] = whole
    else:
        setattr(holder, key, whole)
    seen.note(name, answers)


def walk(make: str, seen: Seen) -> None:
    """Damage what is stored of a walk: what was before it, how it is attached, its bones' names, its report and its bakes."""
    obj = RIGS[make]()
    if obj.animation_data is not None and obj.animation_data.action is not None:
        with_track(obj.animation_data.action, obj, "Mine")
        obj.animation_data.action_extrapolation = "NOTHING"
    make_active(obj)
    api.generate_walk(obj, use_network=False, mode="TRAVEL")
    api.contact_report(obj)
    own = obj.neurarig
    _tried(seen, "stash", own, "stash", lambda: stash.noted(obj))
    _tried(seen, "attachment", own, "attachment", lambda: {key: str(value)[:200] for key, value in record.checked(obj).items()})
    _tried(seen, "names", own, "names", lambda: names._noted(own.names) is not None)
    _tried(seen, "report", own.walk, "report", lambda: report_text.read(own.walk.report))
    item = own.kept[0] if len(own.kept) else own.kept.add()
    item.renames = json.dumps({"bones": {"A": "B"}, "constraints": [["A", "old", "new"]]})
    _tried(seen, "renames", item, "renames", lambda: ledger._pending(item))
    item.renames = ""
    if own.control_switches:
        _tried(seen, "switches", own, "control_switches", lambda: stored_map(obj))
    action = api.bake_walk(obj, frame_start=1, frame_end=9, keys="EDITABLE")
    _tried(seen, "bake", action, f"[{bake_record.REMEMBERED}]", lambda: _of_bake(obj, action))


def _of_bake(obj: bpy.types.Object, action: bpy.types.Action) -> list[Any]:
    memory = bake_record._memory(action)
    try:
        chosen = str(bake._last_bake(obj)[2])
    except NeuraRigError as refusal:
        chosen = str(refusal)
    return [chosen, len(memory), sum(len(each.rows) for each in memory.values())]


def pose(seen: Seen) -> None:
    """Damage the pose in which targets are moved, and the one that stands in for the rest pose."""
    obj = RIGS["animated"]()
    make_active(obj)
    api.use_current_pose(obj)
    skeleton, roles = read_skeleton(obj, bpy.context.scene), role_map(obj)
    _tried(seen, "reference", obj.neurarig, "reference", lambda: sorted(standing_pose.standing_in(obj, skeleton, roles)))
    api.pose_targets(obj, "MAIN")
    own = obj.neurarig.neural_pose
    api.flip_pose(obj)

    def shown() -> list[list[float]]:
        follower = live.follower_of(obj)
        follower.settings_changed()
        follower.show(obj, bpy.context.scene)
        bpy.context.view_layer.update()
        return [list(obj.pose.bones[bone].head) for bone in ("Head", "LeftHand")]

    stored = json.loads(own.base)
    own.base = json.dumps({name: rows[:7] for name, rows in stored.items()})
    seen.note("too few", shown())
    own.base = json.dumps(stored)
    _tried(seen, "base", own, "base", shown)


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    return {**{f"walk of {make}": partial(walk, make) for make in ("animated", "drawn 8")}, "pose": pose}
