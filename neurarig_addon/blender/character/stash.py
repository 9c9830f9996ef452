"""The animation that a character had before: set aside, never edited, and given back.

An action that plays over the posed bones is unassigned and kept by a pointer, which survives renames and
counts as its user;
an NLA track is muted. What cannot be given back stays in the file, with a fake user, and is reported. Our
bakes are identified by
pointers too, so that an earlier bake chosen by the user counts as the user's.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from bpy.types import Action, AnimData, NlaTrack, Object

from ...core.errors import NeuraRigError
from ..animation import compat
from ..animation.renames import Renames
from . import ledger, own_animation, record
from .controls import snapshot
from .stored_json import is_flag, is_number, is_text, list_of, map_of, misfit, parsed, row_of

BLENDING = ("action_blend_type", "action_extrapolation", "action_influence")


def require_untweaked(obj: Object) -> None:
    """Refuse while an NLA strip is in tweak mode: Blender then locks the action, and a tweaked track must not
    be removed."""
    if obj.animation_data is not None and obj.animation_data.use_tweak_mode:
        raise NeuraRigError(
            f"An NLA strip of '{obj.name}' is being tweaked; leave tweak mode (Tab in the NLA editor) first."
        )


def make_way(obj: Object, moved: own_animation.MovedParts) -> None:
    """Set aside what would play over the moved channels: the active action is unassigned, NLA tracks are
    muted.

    An action with only other keys (a keyed slider, a prop) stays. Called again, it sets aside what was added
    since.
    Raises NeuraRigError, with nothing done, while an NLA strip is in tweak mode.
    """
    require_untweaked(obj)
    before = noted(obj)
    store(obj, before)  # first: whatever fails from here on can be given back
    action, tracks = own_animation.playing(obj, moved)
    ends_bake = (action is not None and ledger.is_ours(obj, action)) or any(
        ledger.is_our_track(obj, track) for track in tracks
    )
    if action is not None:
        set_aside(obj, before)
    for track in tracks:
        mute(obj, track)
    if any(track.is_solo for track in tracks):
        end_solo(obj)
    if ends_bake and obj.animation_data.action is None:
        _go_on(obj, moved)
    give_way(obj)


def _go_on(obj: Object, moved: own_animation.MovedParts) -> None:
    """Play the action that a bake replaced, if it plays over nothing that is moved."""
    for item in reversed(ledger.of_kind(obj, ledger.ACTION)):
        slot = item.action and compat.slot_of_handle(item.action, item.slot)
        if item.action is not None and not own_animation.plays_over(moved.paths(), item.action, slot):
            play(obj, item.action, slot)
            return


def follow(obj: Object, renames: Renames) -> None:
    """Update the names of what a bake of deform bones replaced after renames."""
    if not obj.neurarig.stash:
        return
    before = noted(obj)
    before["constraints"] = [
        [renames.bone(bone), renames.constraint(bone, name)] for bone, name in before["constraints"]
    ]
    for poses in ("pose", "pose_before"):
        before[poses] = {renames.bone(name): pose for name, pose in before[poses].items()}
    store(obj, before)


def mute(obj: Object, track: NlaTrack) -> None:
    """Mute a track, and keep track of a user's one, so that it is unmuted later."""
    if not track.mute and not ledger.was_pushed(obj, track):
        ledger.note(obj, ledger.MUTED, ledger.first_action(track), None, track.name)
    track.mute = True


def end_solo(obj: Object) -> None:
    """Let other tracks and the action play beside a track that plays alone, even muted; the user's others,
    silent until now, are muted."""
    tracks = obj.animation_data.nla_tracks
    for solo in [track for track in tracks if track.is_solo]:
        ledger.note(obj, ledger.SOLO, ledger.first_action(solo), None, solo.name)
        for track in [track for track in tracks if track != solo and not track.mute]:
            mute(obj, track)
        solo.is_solo = False


def give_way(obj: Object) -> None:
    """Give back the bones and constraints that a bake of the deform bones replaced.

    Their pose stays noted: the user can play such a bake again at any time, and it then leaves its own pose.
    """
    if not obj.neurarig.stash:
        return
    before, made = noted(obj), record.attachment(obj)
    snapshot.restore_constraints(obj, replaced_constraints(obj))
    snapshot.restore_pose(obj, before["pose"])
    posed = made["pose"]  # of bones that the holder itself rotates, from before
    own = {bone: posed.get(bone, pose) for bone, pose in before["pose"].items()}
    before["pose_before"] = own | before["pose_before"]  # of two, the first is from before any bake
    before["constraints"], before["pose"] = [], {}
    store(obj, before)


def replaced_constraints(obj: Object) -> list[list[str]]:
    """Return the constraints that a bake may have muted, by bone and name: those noted, and ours."""
    ours = record.attachment(obj)["constraints"] if len(obj.neurarig.kept) else []
    return [*noted(obj)["constraints"], *(row[:2] for row in ours)]


def give_back(obj: Object) -> list[str]:
    """Give back action, slot and NLA as they were before the character was posed, and return the exceptions,
    a sentence each.

    Bakes stay in the file, with a fake user, but are unassigned.
    """
    if not obj.neurarig.stash:
        return []
    before, data = noted(obj), obj.animation_data
    ledger.follow_slots(obj)
    notes = ledger.catch_up(obj)
    for item in ledger.of_kind(obj, ledger.BAKE):
        ledger.hold(item.action)  # appended, an action has lost its fake user
    if data is not None:
        if data.action is not None and ledger.is_ours(obj, data.action):
            data.action = None
        for track in [
            track
            for track in data.nla_tracks
            if ledger.was_pushed(obj, track) and ledger.first_action(track) is None
        ]:
            data.nla_tracks.remove(track)
        notes += [
            f"Kept the NLA track '{track.name}' of '{obj.name}': it plays a bake."
            for track in data.nla_tracks
            if not track.mute and ledger.is_our_track(obj, track)
        ]
        data.use_nla = before["use_nla"]
        if before["extrapolation"] and data.action is None:  # what was keyed over a bake goes on as it plays
            data.action_extrapolation = before["extrapolation"]
        notes += _give_back_action(obj, data, before)
        notes += _unmute(obj, data)
        if not before["had_data"] and not compat.is_animated(obj):
            obj.animation_data_clear()
    else:
        notes += _give_back_action(obj, None, before)
    give_way(obj)
    snapshot.restore_pose(obj, noted(obj)["pose_before"])
    obj.neurarig.kept.clear()
    obj.neurarig.stash = ""
    return notes


def _give_back_action(obj: Object, data: AnimData | None, before: dict[str, Any]) -> list[str]:
    """Assign the action that was set aside first; if the user has made another one since, that one keeps
    playing."""
    made_way = [(item.action, item.slot) for item in ledger.of_kind(obj, ledger.ACTION)]
    notes = [
        f"Kept the action '{action.name}', which '{obj.name}' got in the meantime."
        for action, _ in made_way[1:]
        if ledger.hold(action)
    ]
    if not made_way:
        return notes
    action, handle = made_way[0]
    if action is None:
        return [*notes, f"The earlier action of '{obj.name}' is no longer in the file."]
    if data is None:
        data = obj.animation_data_create()
    playing = data.action
    if playing is not None and playing != action:
        curves = compat.find_channels(*compat.assigned(data))
        if not all(curve.data_path.startswith("neurarig.") for curve in curves):
            ledger.hold(action)
            notes.append(
                f"'{obj.name}' keeps playing '{playing.name}'. Its earlier action '{action.name}' stays in"
                " the file."
            )
            return notes
        ledger.hold(playing)
        notes.append(
            f"The action '{playing.name}', which holds the keyed sliders of '{obj.name}', stays in the file."
        )
    compat.assign(data, action, compat.slot_of_handle(action, handle))
    for name, value in before["blending"].items():
        setattr(data, name, value)
    return notes


def _unmute(obj: Object, data: AnimData) -> list[str]:
    """Unmute the tracks that were muted, and have the one that played alone do so again."""
    muted = [track for track in data.nla_tracks if track.mute]
    notes = []
    for item in ledger.of_kind(obj, ledger.MUTED):
        found = _track_of(item, muted)
        if found is None:
            notes.append(
                f"The NLA track '{item.track}' of '{obj.name}', muted for the walk or clip, was deleted or"
                " unmuted."
            )
        else:
            found.mute = False
            muted.remove(found)
    for item in ledger.of_kind(obj, ledger.SOLO):
        if found := _track_of(item, list(data.nla_tracks)):
            found.is_solo = True
    return notes


def _track_of(item: Any, tracks: list[NlaTrack]) -> NlaTrack | None:
    """Return the track that is kept track of, found by name and action, or by action alone if renamed; None
    if it is gone."""
    named = [track for track in tracks if track.name == item.track and ledger.holds(track, item.action)]
    return next(
        iter(
            named
            or [track for track in tracks if item.action is not None and ledger.holds(track, item.action)]
        ),
        None,
    )


def play(obj: Object, action: Action | None, slot: Any) -> None:
    """Make an object play an action, or none."""
    if compat.playing(obj) != (action, slot):
        compat.assign(obj.animation_data or obj.animation_data_create(), action, slot)


def set_aside(obj: Object, before: dict[str, Any]) -> None:
    """Unassign the active action; a user's one is kept, with the blending of the first."""
    data = obj.animation_data
    action, slot = compat.assigned(data)
    if not ledger.is_ours(obj, action) and all(
        item.action != action for item in ledger.of_kind(obj, ledger.ACTION)
    ):
        if not any(ledger.of_kind(obj, ledger.ACTION)):
            before["blending"] = {name: getattr(data, name) for name in BLENDING}
        ledger.note(obj, ledger.ACTION, action, slot)
        store(obj, before)
    data.action = None


def key_over(obj: Object, before: dict[str, Any]) -> None:
    """Make what the user keys next, over a bake on the NLA, play only while its keys last."""
    data = obj.animation_data
    before["extrapolation"] = before["extrapolation"] or data.action_extrapolation
    data.action_extrapolation = "NOTHING"


def noted(obj: Object) -> dict[str, Any]:
    """Return the stored state of the animation; if missing or unreadable, the current one."""
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
    return stored if misfit(stored, _FORM) is None else now | {"had_data": True}


def _is_blending(value: Any) -> bool:
    """Return whether a value is the blending of an action that was set aside; empty if none was."""
    if value == {}:
        return True
    kind, extrapolation, influence = BLENDING
    known = AnimData.bl_rna.properties[kind]
    return (
        misfit(value, {kind: is_text, extrapolation: is_text, influence: is_number}) is None
        and len(value) == len(BLENDING)
        and value[kind] in known.enum_items
        and _is_extrapolation(value[extrapolation])
    )


def _is_extrapolation(value: Any) -> bool:
    known = AnimData.bl_rna.properties["action_extrapolation"]
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


def store(obj: Object, before: dict[str, Any]) -> None:
    """Store the state of the animation."""
    obj.neurarig.stash = json.dumps(before)
