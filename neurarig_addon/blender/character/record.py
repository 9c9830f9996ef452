"""What is attached to a character, and by which mode: its part of `Object.neurarig`, and the only place that
reads it.

A holder is a mode that poses the character: its walk, a clip, its targets. One holds it at a time; the record
can name several.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from bpy.types import Action, Object, PropertyGroup

from ...core.errors import NeuraRigError
from ..animation.properties import LIST, OVERRIDE, PLAIN, STATE
from .changes import Changes
from .controls.attachment import OWN_FK, read, read_or_empty
from .controls.stored_map import NeuraRigControl
from .held import NeuraRigHold, NeuraRigMade
from .moving import NeuraRigMoving
from .roles import KIND_ITEMS, NeuraRigRole, list_kind
from .standing import NeuraRigStanding

WALK, CLIP, POSE = "WALK", "CLIP", "POSE"
changes = Changes()  # a character was attached or detached
UNMOVED = tuple(float(n % 5 == 0) for n in range(16))


class Holder(NamedTuple):
    """A holder: its settings on `Object.neurarig`, messages for characters it has and has not, and the button
    that ends it."""

    settings: str
    has: str
    has_not: str
    remedy: str


HOLDERS: Mapping[str, Holder] = {
    WALK: Holder(
        "walk",
        "already has a walk",
        "has no walk. Click Generate Walk first.",
        "Bake it, or click Remove Walk",
    ),
    CLIP: Holder(
        "retarget",
        "already has a retargeted clip",
        "has no retargeted clip. Click Retarget or Live Link first.",
        "Apply or remove it in Retarget",
    ),
    POSE: Holder(
        "neural_pose",
        "is posed by Neural Pose",
        "has no targets. Click Create Targets first.",
        "Apply or remove that in Neural Pose",
    ),
}


class NeuraRigKept(PropertyGroup):
    """Animation that the stash keeps track of: an action set aside, a muted track, a bake of ours (see
    `stash`)."""

    kind: STATE.text()
    action: STATE.thing(type=Action)
    slot: STATE.text()  # its handle
    slot_name: STATE.text()  # its identifier, which a slot keeps in another action
    track: STATE.text()
    renames: STATE.text()  # renames for its action to catch up with, as JSON text


class CharacterRecord:
    """The properties of a character; set by code, read by panels and scripts."""

    roles: LIST.items(type=NeuraRigRole)
    kind: PLAIN.choice(
        "Kind", "What the character is: which bones it can have", items=KIND_ITEMS, update=list_kind
    )
    active_role: STATE.whole()
    role_preset: STATE.text("Bone List", "The bone list applied last")

    control_bones: LIST.items(type=NeuraRigControl)
    active_control: STATE.whole()
    control_preset: STATE.text("Control List", "The control list applied last")
    control_switches: STATE.text(
        "Control Switches", "How the switches of the controls stand for IK and for FK, as JSON text"
    )
    control_rig: STATE.text("Control Rig", "Fingerprint of the rig whose controls were found")

    standing: OVERRIDE.thing(
        "Standing", "How the character stood when it was attached", type=NeuraRigStanding
    )
    reference: STATE.text(
        "Reference Pose",
        "The pose chosen as the one in which the character stands, as JSON text; empty: its rest pose",
    )
    moving: OVERRIDE.thing("Moving", "The sign for exporters that this character moves", type=NeuraRigMoving)
    holders: OVERRIDE.choice(
        "Holders",
        "What poses the character, live or baked; nothing: it is free",
        items=tuple((holder, holder.title(), "", 1 << number) for number, holder in enumerate(HOLDERS)),
        options={"HIDDEN", "ENUM_FLAG"},
    )
    attachment: STATE.text(
        "Attachment",
        "How the rig was made ready to be posed, and what to restore, as JSON text; empty without a holder",
    )
    names: STATE.text("Names", "How bones are recognized after they are renamed, as JSON text")
    stash: STATE.text("Stash", "How the character's own animation was before it made way, as JSON text")
    kept: (STATE | LIST).items(type=NeuraRigKept)
    held: (STATE | LIST).items(type=NeuraRigHold)  # of a thing, by whom
    made: (STATE | LIST).items(type=NeuraRigMade)
    origin: STATE.numbers(
        "Origin",
        "Where the armature object stands but for what carries it, in its parent's space",
        size=16,
        subtype="MATRIX",
        default=UNMOVED,
    )
    step: STATE.numbers(
        "Step",
        "How a walk or clip has moved the armature object from its origin, in the origin's space",
        size=16,
        subtype="MATRIX",
        default=UNMOVED,
    )
    is_carried: STATE.switch("Is Carried", "A walk or clip has moved the armature object from its origin")


def is_attached(obj: Object) -> bool:
    """Return whether anything holds a character, live or baked."""
    return bool(obj.neurarig.attachment)


def holds(obj: Object, holder: str) -> bool:
    """Return whether a holder has a character, live or baked."""
    return bool(obj.neurarig.attachment) and holder in obj.neurarig.holders


def holder_of(obj: Object) -> str:
    """Return a character's holder, '' if it is free."""
    return next((holder for holder in HOLDERS if holds(obj, holder)), "")


def settings_of(obj: Object, holder: str) -> Any:
    """Return the settings of a holder, which have `live` and `error`."""
    return getattr(obj.neurarig, HOLDERS[holder].settings)


def is_live(obj: Object, holder: str) -> bool:
    """Return whether a holder poses a character on every frame."""
    return holds(obj, holder) and settings_of(obj, holder).live


def is_posed(obj: Object) -> bool:
    """Return whether an object is a character that any holder poses on every frame."""
    return obj.type == "ARMATURE" and any(is_live(obj, holder) for holder in HOLDERS)


def attachment(obj: Object) -> Mapping[str, Any]:
    """Return a character's attachment, read-only; an unreadable one as an empty layer, so that our own bones
    can still be removed."""
    return _read(obj.neurarig.attachment)


def checked(obj: Object) -> Mapping[str, Any]:
    """Return a character's attachment, read-only; raises NeuraRigError if it is damaged."""
    return _checked(obj.neurarig.attachment)


_read, _checked = lru_cache(maxsize=64)(read_or_empty), lru_cache(maxsize=64)(read)


def kind_of(obj: Object) -> str:
    """Return which controls are posed, 'FK' or 'IK'; '' if nothing is attached."""
    if not is_attached(obj):
        return ""
    return "FK" if attachment(obj)["kind"] in OWN_FK else "IK"


def require_free_for(obj: Object, holder: str) -> None:
    """Refuse a character that another mode holds."""
    if taken := not_free_for(obj, holder):
        raise NeuraRigError(taken)


def require_held_by(obj: Object, holder: str) -> None:
    """Refuse a character that a holder does not hold."""
    if not holds(obj, holder):
        raise NeuraRigError(not_held(obj, holder))


def not_free_for(obj: Object, holder: str) -> str:
    """Return a sentence about which other mode holds a character, and what ends that; '' if none."""
    other = holder_of(obj)
    return (
        f"'{obj.name}' {HOLDERS[other].has}. {HOLDERS[other].remedy} first."
        if other and other != holder
        else ""
    )


def not_held(obj: Object, holder: str) -> str:
    """Return a sentence that a holder does not hold a character, and what starts it."""
    return f"'{obj.name}' {HOLDERS[holder].has_not}"
