"""The animation that a character had before it was posed: set aside, never edited, and given back.

An action that plays over what is posed is taken off and kept by a pointer, which a rename does not break and which counts as its user;
an NLA track is muted.  What cannot be given back stays in the file, with a fake user, and is told.  Bakes of ours are known by pointers
too, so that a bake of an earlier time which the user has chosen is his.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

import bpy

from ...core.errors import NeuraRigError
from ..animation import compat
from ..animation.renames import Renames
from . import kept, record, rivals
from .controls import snapshot
from .stored import is_flag, is_number, is_text, list_of, map_of, misfit, parsed, row_of

BLENDING = ("action_blend_type", "action_extrapolation", "action_influence")


def require_untweaked(obj: bpy.types.Object) -> None:
    """Refuse while an NLA strip is in tweak mode: Blender lets nobody change the action then, and a tweaked track must not go."""
    if obj.animation_data is not None and obj.animation_data.use_tweak_mode:
        raise NeuraRigError(f"An NLA strip of '{obj.name}' is being tweaked; leave tweak mode (Tab in the NLA editor) first.")


def make_way(obj: bpy.types.Object, moved: rivals.Moved) -> None:
    """Take off what would play over what is moved: the active action, and NLA tracks with the same channels, which are muted.

    An action with other keys only (a keyed slider, a prop) stays where it is.  Called again it takes off what has come since.
    Raises NeuraRigError, with nothing done, while an NLA strip is in tweak mode.
    """
    require_untweaked(obj)
    before = noted(obj)
    store(obj, before)  # first of all: whatever fails from here on can be given back
    action, tracks = rivals.playing(obj, moved)
    if action is not None:
        set_aside(obj, before)
    for track in tracks:
        mute(obj, track)
    give_way(obj)


def follow(obj: bpy.types.Object, renames: Renames) -> None:
    """Have what a bake of deform bones had replaced be known by what it is called now."""
    if not obj.neurarig.stash:
        return
    before = noted(obj)
    before["constraints"] = [[renames.bone(bone), renames.constraint(bone, name)] for bone, name in before["constraints"]]
    for poses in ("pose", "pose_before"):
        before[poses] = {renames.bone(name): pose for name, pose in before[poses].items()}
    store(obj, before)


def mute(obj: bpy.types.Object, track: bpy.types.NlaTrack) -> None:
    """Mute a track, and keep track of one that is the user's, so that it plays again."""
    if not kept.was_pushed(obj, track):
        kept.note(obj, kept.MUTED, kept.first_action(track), None, track.name)
    track.mute = True


def give_way(obj: bpy.types.Object) -> None:
    """Give bones and constraints back to the rig that a bake of the deform bones had replaced.

    Their pose stays noted: such a bake can play again whenever the user has it play, and then leaves its own.
    """
    if not obj.neurarig.stash:
        return
    before = noted(obj)
    snapshot.restore_constraints(obj, before["constraints"])
    snapshot.restore_pose(obj, before["pose"])
    posed = record.attachment(obj)["pose"]  # of bones that the holder itself turns, from before it did
    own = {bone: posed.get(bone, pose) for bone, pose in before["pose"].items()}
    before["pose_before"] = own | before["pose_before"]  # of two the first was found before any bake
    before["constraints"], before["pose"] = [], {}
    store(obj, before)


def give_back(obj: bpy.types.Object) -> list[str]:
    """Give back action, slot and NLA as they were before the character was posed, and return what is not so, a sentence each.

    Bakes stay in the file, with a fake user, but are taken off.
    """
    if not obj.neurarig.stash:
        return []
    before, data = noted(obj), obj.animation_data
    told = kept.catch_up(obj)
    for item in kept.of_kind(obj, kept.BAKE):
        kept.hold(item.action)  # appended, an action has lost its fake user
    if data is not None:
        if data.action is not None and kept.is_ours(obj, data.action):
            data.action = None
        for track in [track for track in data.nla_tracks if kept.was_pushed(obj, track)]:
            data.nla_tracks.remove(track)
        told += [
            f"Kept the NLA track '{track.name}' of '{obj.name}': it plays a bake."
            for track in data.nla_tracks
            if not track.mute and kept.is_our_track(obj, track)
        ]
        data.use_nla = before["use_nla"]
        if before["extrapolation"]:
            data.action_extrapolation = before["extrapolation"]
        told += _give_back_action(obj, data, before)
        told += _unmute(obj, data)
        if not before["had_data"] and _is_empty(data):
            obj.animation_data_clear()
    else:
        told += _give_back_action(obj, None, before)
    give_way(obj)
    snapshot.restore_pose(obj, noted(obj)["pose_before"])
    obj.neurarig.kept.clear()
    obj.neurarig.stash = ""
    return told


def _give_back_action(obj: bpy.types.Object, data: bpy.types.AnimData | None, before: dict[str, Any]) -> list[str]:
    """Assign the action that was set aside first; where another one plays that the user has made since, that one plays on."""
    made_way = [(item.action, item.slot) for item in kept.of_kind(obj, kept.ACTION)]
    told = [f"Kept the action '{action.name}', which '{obj.name}' got in the meantime." for action, _ in made_way[1:] if kept.hold(action)]
    if not made_way:
        return told
    action, handle = made_way[0]
    if action is None:
        return [*told, f"The earlier action of '{obj.name}' is no longer in the file."]
    if data is None:
        data = obj.animation_data_create()
    playing = data.action
    if playing is not None and playing != action:
        if not _only_sliders(*compat.assigned(data)):
            kept.hold(action)
            told.append(f"'{obj.name}' keeps playing '{playing.name}'. Its earlier action '{action.name}' stays in the file.")
            return told
        kept.hold(playing)
        told.append(f"The action '{playing.name}', which holds the keyed sliders of '{obj.name}', stays in the file.")
    compat.assign(data, action, compat.slot_of_handle(action, handle))
    for name, value in before["blending"].items():
        setattr(data, name, value)
    return told


def _unmute(obj: bpy.types.Object, data: bpy.types.AnimData) -> list[str]:
    """Switch the tracks on again that had made way, known by name and action, or by their action alone where they were renamed."""
    muted = [track for track in data.nla_tracks if track.mute]
    told = []
    for item in kept.of_kind(obj, kept.MUTED):
        named = [track for track in muted if track.name == item.track and kept.holds(track, item.action)]
        found = next(iter(named or [track for track in muted if item.action is not None and kept.holds(track, item.action)]), None)
        if found is None:
            told.append(f"The NLA track '{item.track}' of '{obj.name}', muted for the walk or clip, was deleted or unmuted.")
        else:
            found.mute = False
            muted.remove(found)
    return told


def playing(obj: bpy.types.Object) -> tuple[bpy.types.Action | None, Any]:
    """Return the `(action, slot)` that an object plays."""
    return compat.assigned(obj.animation_data) if obj.animation_data else (None, None)


def play(obj: bpy.types.Object, action: bpy.types.Action | None, slot: Any) -> None:
    """Have an object play an action, or none."""
    if playing(obj) != (action, slot):
        compat.assign(obj.animation_data or obj.animation_data_create(), action, slot)


def set_aside(obj: bpy.types.Object, before: dict[str, Any]) -> None:
    """Take the active action off; one of the user's is kept, and how the first one was blended."""
    data = obj.animation_data
    action, slot = compat.assigned(data)
    if not kept.is_ours(obj, action) and all(item.action != action for item in kept.of_kind(obj, kept.ACTION)):
        if not any(kept.of_kind(obj, kept.ACTION)):
            before["blending"] = {name: getattr(data, name) for name in BLENDING}
        kept.note(obj, kept.ACTION, action, slot)
        store(obj, before)
    data.action = None


def key_over(obj: bpy.types.Object, before: dict[str, Any]) -> None:
    """Have what the user keys next over a bake on the NLA play while its keys last, and not hold its first and last pose ever after."""
    data = obj.animation_data
    before["extrapolation"] = before["extrapolation"] or data.action_extrapolation
    data.action_extrapolation = "NOTHING"


def noted(obj: bpy.types.Object) -> dict[str, Any]:
    """Return what is stored of how the animation was; where that is missing or cannot be read, how it is now."""
    data = obj.animation_data
    now = {
        "had_data": data is not None,
        "use_nla": data is None or data.use_nla,
        "blending": {},
        "extrapolation": "",
        "constraints": [],
        "pose": {},
        "pose_before": {},
    }
    if not obj.neurarig.stash:
        return now
    stored = parsed(obj.neurarig.stash)
    if isinstance(stored, dict):
        stored.setdefault("pose_before", {})  # files of 0.1 have none,
        stored.setdefault("extrapolation", "")  # nor this
    return stored if misfit(stored, _FORM) is None else now | {"had_data": True}


def _is_blending(value: Any) -> bool:
    """Say whether a value is how an action that was set aside is blended, nothing where none was."""
    if value == {}:
        return True
    kind, extrapolation, influence = BLENDING
    known = bpy.types.AnimData.bl_rna.properties[kind]
    return (
        misfit(value, {kind: is_text, extrapolation: is_text, influence: is_number}) is None
        and len(value) == len(BLENDING)
        and value[kind] in known.enum_items
        and _is_extrapolation(value[extrapolation])
    )


def _is_extrapolation(value: Any) -> bool:
    known = bpy.types.AnimData.bl_rna.properties["action_extrapolation"]
    return isinstance(value, str) and value in known.enum_items


_FORM: Mapping[str, Callable[[Any], bool]] = {
    "had_data": is_flag,
    "use_nla": is_flag,
    "blending": _is_blending,
    "extrapolation": lambda value: value == "" or _is_extrapolation(value),
    "constraints": list_of(row_of(is_text, is_text)),
    "pose": map_of(snapshot.is_pose),
    "pose_before": map_of(snapshot.is_pose),
}


def store(obj: bpy.types.Object, before: dict[str, Any]) -> None:
    """Store how the animation was."""
    obj.neurarig.stash = json.dumps(before)


def _only_sliders(action: bpy.types.Action, slot: Any) -> bool:
    return all(curve.data_path.startswith("neurarig.") for curve in compat.find_channels(action, slot))


def _is_empty(data: bpy.types.AnimData) -> bool:
    return data.action is None and not len(data.nla_tracks) and not len(data.drivers)
