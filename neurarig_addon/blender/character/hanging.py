"""What hangs on a character and follows it: which bones, why not others, and their pose from before.

The chains are listed in `Object.neurarig.follow`. The bones that a holder poses for them are noted in the
attachment (`follow`), with their pose from before, which is restored with everything else.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from bpy.types import FCurve, Object

from ..animation import compat
from ..animation.renames import Renames, is_of_bone
from . import ledger, record
from .controls import snapshot
from .stored_json import is_text, list_of, map_of, parsed


def bones_of(chain: Any) -> list[str]:
    """Return the bones of a listed chain from the body outwards; none if the list is damaged."""
    found = parsed(chain.bones or "[]")
    return found if list_of(is_text)(found) else []


def followed(
    obj: Object, attachment: Mapping[str, Any] | None = None
) -> list[tuple[Any, list[str], list[str]]]:
    """Return the listed chains that follow, each with those of its bones that can, up to the first one that
    cannot, and what is turned for these: themselves, or what the holder turns for them."""
    made, found = record.attachment(obj) if attachment is None else attachment, []
    turned = _turned(obj, made)
    for chain in obj.neurarig.follow.chains if obj.neurarig.follow.on else ():
        bones = bones_of(chain) if chain.use else []
        end = next((at for at, bone in enumerate(bones) if bone not in turned and why_not(obj, bone)), None)
        if bones[:end]:
            found.append((chain, bones[:end], [turned.get(bone, bone) for bone in bones[:end]]))
    return found


def _turned(obj: Object, attachment: Mapping[str, Any]) -> dict[str, str]:
    """Return what a holder turns for bones with a role: bone -> driven bone."""
    driven = {role: bone for bone, role, *_ in attachment["drives"]}
    return {item.bone: driven[item.role] for item in obj.neurarig.roles if item.role in driven}


def why_not(obj: Object, name: str) -> str:
    """Return a sentence if something of the user's moves a bone, so that it cannot follow, else ''."""
    bone = obj.pose.bones.get(name)
    if bone is None:
        return f"The bone '{name}' of '{obj.name}' is gone, so it does not follow."
    if not bone.bone.use_inherit_rotation:
        return f"The bone '{name}' of '{obj.name}' does not inherit rotation, so it does not follow."
    if any(not each.mute and each.influence > 0.0 for each in bone.constraints):
        return f"Constraints move the bone '{name}' of '{obj.name}', so it does not follow."
    if _moves(compat.drivers(obj), name):
        return f"Drivers move the bone '{name}' of '{obj.name}', so it does not follow."
    strips = [each for each in compat.strips(obj) if each.action and not each.mute]
    on_tracks = [compat.assigned(strip) for strip in strips if not ledger.is_bake(strip.action)]
    if any(_moves(compat.find_channels(*assigned), name) for assigned in on_tracks):
        return f"An NLA track moves the bone '{name}' of '{obj.name}', so it does not follow."
    return ""


def _moves(curves: Iterable[FCurve], bone: str) -> bool:
    return any(is_of_bone(curve.data_path, bone) for curve in curves)


def refusals(obj: Object) -> list[str]:
    """Return a sentence for each bone in use that something of the user's moves."""
    turned = _turned(obj, record.attachment(obj))
    bones = (bone for chain in obj.neurarig.follow.chains if chain.use for bone in bones_of(chain))
    return [why for bone in bones if bone not in turned and (why := why_not(obj, bone))]


def held(obj: Object) -> Mapping[str, Any]:
    """Return the bones that follow and that nothing else poses: bone -> its pose from before."""
    return record.attachment(obj).get("follow", {}) if record.is_attached(obj) else _below(obj)


def is_layer(obj: Object) -> bool:
    """Return whether bones follow the character's own animation, with nothing of ours that poses it."""
    own = obj.neurarig.follow
    return own.on and bool(own.below) and not record.is_attached(obj)


def begin_layer(obj: Object) -> None:
    """Have bones follow a free character's own animation."""
    obj.neurarig.follow.below = json.dumps(taken(obj, record.attachment(obj)))


def end_layer(obj: Object) -> None:
    """Give a free character's bones back as they were."""
    snapshot.restore_pose(obj, dict(_below(obj)))
    obj.neurarig.follow.below = ""


def _below(obj: Object) -> Mapping[str, Any]:
    found = parsed(obj.neurarig.follow.below or "{}")
    return found if map_of(snapshot.is_pose)(found) else {}


def taken(obj: Object, attachment: Mapping[str, Any]) -> dict[str, Any]:
    """Return the bones that follow, as in the attachment: those that the holder does not drive anyway."""
    driven = {bone for bone, *_ in attachment["drives"]}
    listed = [bone for *_, turned in followed(obj, attachment) for bone in turned if bone not in driven]
    return snapshot.take_pose(obj, listed)


def follow(obj: Object) -> None:
    """Restore and take the bones of an attached character as its list of chains now asks."""
    made = record.checked(obj)
    before = dict(held(obj))
    snapshot.restore_pose(obj, before)
    found = taken(obj, made)
    obj.neurarig.attachment = json.dumps({**made, "follow": found})
    record.changes.tell(obj)


def rename(obj: Object, renames: Renames) -> None:
    """Update the list of chains after renames."""
    for chain in obj.neurarig.follow.chains:
        chain.bones = json.dumps([*map(renames.bone, bones_of(chain))])
