"""A character's own animation while something of ours poses it: what of it plays over ours, and what it does
to bones and object."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from bpy.types import Action, FCurve, NlaTrack, Object

from ..animation import compat
from ..animation.curve_pose import PROPERTIES, sampled, split_path
from ..animation.keyframes import Channel, NewCurves, bone_path
from ..animation.renames import bone_of
from . import controls, ledger, record, turning
from .carry import GROUP
from .controls import snapshot
from .controls.probing.read_rig import direct_sources
from .roles import role_map

_PLACES = ("location", "delta_location")


@dataclass(frozen=True)
class MovedParts:
    """What is moved instead of by the character's own animation: the attachment's bones, and the object's
    `channels`."""

    attachment: Mapping[str, Any]
    channels: tuple[str, ...] = ()

    def paths(self) -> tuple[str, ...]:
        """Return the prefixes of the RNA paths."""
        bones = {
            *(row[0] for row in self.attachment["drives"]),
            *self.attachment["held"],
            *self.attachment["follow"],
        }
        found = tuple(bone_path(name, "") for name in bones)
        return found + tuple(path for path, _ in controls.switches(dict(self.attachment))) + self.channels


def playing(obj: Object, moved: MovedParts) -> tuple[Action | None, list[NlaTrack]]:
    """Return what plays over it: the active action or None, and NLA tracks."""
    paths = moved.paths()
    action, slot = compat.playing(obj)
    over = (
        track
        for track in compat.tracks(obj)
        if (track.is_solo or not track.mute)
        and any(strip.action and plays_over(paths, *compat.assigned(strip)) for strip in track.strips)
    )
    return action if action is not None and plays_over(paths, action, slot) else None, list(over)


def plays_over(paths: tuple[str, ...], action: Action, slot: Any) -> bool:
    """Return whether an action was baked by us, or has keys on these paths."""
    return ledger.is_bake(action) or any(
        curve.data_path.startswith(paths) for curve in compat.find_channels(action, slot)
    )


def own_channels(obj: Object, frames: np.ndarray, taken: Collection[str] = ()) -> list[Channel]:
    """Return how the active action moves, rotates and scales the object at `frames` `(n,)`, keyed even where
    constant.

    `taken`: properties that the bake moves itself. Of an earlier bake of ours, only rotation and scale are
    the user's.
    """
    found: dict[str, np.ndarray] = {}
    action, slot = compat.playing(obj)
    for curve in compat.find_channels(action, slot):
        is_place = curve.data_path in _PLACES and not curve.mute and not ledger.is_bake(action)
        if curve.data_path not in taken and (is_place or turning.turns(curve)):
            now = np.array(getattr(obj, curve.data_path))
            values = found.setdefault(curve.data_path, np.tile(now, (len(frames), 1)))
            values[:, curve.array_index] = sampled(curve, frames)
    return [Channel(path, values, np.full(values.shape[1], np.inf), GROUP) for path, values in found.items()]


def carry_over(obj: Object, bake: Action, slot: Any) -> None:
    """Copy into a written bake the user's curves of what it leaves alone, such as a tail or a prop, from the
    action that plays.

    Of actions that were set aside, only curves of what moves nothing that we drive; sliders of ours and the
    object's place are left out.
    """
    keyed = {curve.data_path for curve in compat.find_channels(bake, slot)}
    ledger.note_keyed(bake, keyed)
    made = record.attachment(obj)
    fingers = (bone_path(bone, "") for hand in made.get("fingers", {}).values() for bone in hand)
    ours = (*MovedParts(made).paths(), *fingers, "neurarig.")
    copies = NewCurves(bake, slot)
    for path, curve in _own_curves(obj, made):
        if (
            path not in keyed
            and not path.startswith(ours)
            and path not in _PLACES
            and not turning.turns(curve)
        ):
            copies.copy(curve, path)


def _own_curves(obj: Object, made: Mapping[str, Any]) -> list[tuple[str, FCurve]]:
    """Return the user's curves with their present paths, one of each component: of the action that plays
    before those set aside."""
    action, slot = compat.playing(obj)
    found = [(curve.data_path, curve) for curve in ledger.users_channels(action, slot)] if action else []
    aside = list(ledger.set_aside_channels(obj))
    if aside:
        body = body_paths(obj, made)
        found += [(path, curve) for path, curve in aside if not path.startswith(body)]
    return list({(path, curve.array_index): (path, curve) for path, curve in reversed(found)}.values())


def body_paths(obj: Object, made: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the beginnings of the RNA paths of all that may move the body, given how it is attached: bones,
    and what drivers read."""
    driven = {*(bone for bone, *_ in made["drives"]), *role_map(obj).bones.values()}
    sources = direct_sources(obj)
    found, ahead = set(), {name for name in driven if name in sources}
    while ahead:
        found |= ahead
        ahead = {source for name in ahead for source in sources[name]} - found
    variables = (variable for curve in compat.drivers(obj) for variable in curve.driver.variables)
    read = {target.data_path for variable in variables for target in variable.targets if target.id == obj}
    return (*(bone_path(name, "") for name in found), *(read - {""}))


def bones_of(obj: Object) -> set[str]:
    """Return the bones with keys in the user's actions: the active one and those on tracks."""
    actions = [(action, slot) for action, slot in compat.all_actions(obj) if not ledger.is_bake(action)]
    found = {
        bone_of(curve.data_path) for action, slot in actions for curve in compat.find_channels(action, slot)
    }
    return found & set(obj.pose.bones.keys())


SETTING = "blend_action"  # property of a holder that plays an action


def held(obj: Object) -> Mapping[str, Any]:
    """Return the bones that are played: bone -> its pose from before."""
    return record.attachment(obj).get("played", {})


def taken(obj: Object, attachment: Mapping[str, Any], settings: Any) -> dict[str, Any]:
    """Return the bones that a holder with these settings plays, as in the attachment."""
    action = getattr(settings, SETTING, None)
    if action is None:
        return {}
    body = body_paths(obj, attachment)
    curves = compat.find_channels(action, compat.suitable_slot(action, obj))
    named = [split_path(curve.data_path) for curve in curves if not curve.data_path.startswith(body)]
    bones = dict.fromkeys(bone for bone, prop in named if prop in PROPERTIES and bone in obj.pose.bones)
    fingers = {bone: pose for poses in attachment.get("fingers", {}).values() for bone, pose in poses.items()}
    return snapshot.take_pose(obj, bones) | {bone: pose for bone, pose in fingers.items() if bone in bones}


def follow(obj: Object, settings: Any) -> None:
    """Restore and take the bones of an attached character as its holder's settings now ask."""
    made = record.checked(obj)
    snapshot.restore_pose(obj, dict(held(obj)))
    found = taken(obj, made, settings)
    if found != held(obj):
        obj.neurarig.attachment = json.dumps({**made, "played": found})
        record.changes.tell(obj)
