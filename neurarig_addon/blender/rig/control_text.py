"""The panel's text on a rig's controls: what poses drive and why, and the values of switches."""

from collections.abc import Mapping
from typing import Any

from bpy.types import Object

from ...core.controls.control_map import FK as FK_STATE
from ...core.controls.control_map import IK
from ...core.controls.drives import stiff_feet
from ...core.skeleton.roles import SIDES
from ..character import legs, record
from ..character.controls.attachment import CONTROLS, CONTROLS_FK, FK, LAYER, RIGIFY, RIGIFY_FK, RIGIFY_REACH
from ..character.controls.probing.paths import parts
from ..character.controls.stored_map import stored_map
from ..character.roles import role_map
from ..interface.panel import role_label

_OWN = "Drives the rig's"
_SAID = {
    CONTROLS: f"{_OWN} IK controls.",
    RIGIFY: f"{_OWN} IK controls.",
    RIGIFY_REACH: f"{_OWN} IK controls.",
    CONTROLS_FK: f"{_OWN} FK controls.",
    RIGIFY_FK: f"{_OWN} FK controls.",
    LAYER: "Drives a control layer that NeuraRig added.",
    FK: "Drives the character's bones.",
}


def posed_by(obj: Object) -> str:
    """Return a sentence on what a character's poses drive, and why."""
    if record.is_attached(obj):
        attachment = record.attachment(obj)
        sentences = (
            _SAID[_driven_kind(obj, attachment["kind"])],
            attachment.get("why", ""),
            _on_toes(obj, attachment),
            legs.stiff_manner(obj),
            _out_of_sight(obj, attachment),
        )
        return " ".join(filter(None, sentences))
    found = sum(bool(line.bone) for line in obj.neurarig.control_bones)
    known = stored_map(obj).name
    if found and known:
        return f"{found} controls found, as '{known}' has them."
    return f"{found} controls found." if found else "Generate Walk finds and drives the rig's controls."


def _on_toes(obj: Object, attachment: Mapping[str, Any]) -> str:
    """Return a sentence if no control bends the toes, '' if one does, or there are none."""
    if (
        attachment["kind"] not in (CONTROLS, CONTROLS_FK)
        or not stiff_feet(role_map(obj), {role for _, role, *_ in attachment["drives"]}).any()
    ):
        return ""
    return (
        "No control was found that bends the toes: they stay straight. Name it under Controls if there is"
        " one."
    )


def _out_of_sight(obj: Object, attachment: Mapping[str, Any]) -> str:
    """Return a sentence if driven controls are in hidden bone collections: an animator looks for the keys of
    a bake on them."""
    if attachment["kind"] not in (CONTROLS, CONTROLS_FK):
        return ""
    driven = [
        bone
        for name, *_ in attachment["drives"]
        if (bone := obj.data.bones.get(name)) is not None and len(bone.collections)
    ]
    unseen = [
        bone
        for bone in driven
        if not any(collection.is_visible_effectively for collection in bone.collections)
    ]
    if not unseen:
        return ""
    names = sorted({bone.collections[0].name for bone in unseen})
    where = ", ".join(f"'{name}'" for name in names)
    return (
        f"Some are hidden ('{unseen[0].name}'): show {where} in Armature > Bone Collections to see their"
        " keys."
    )


def _driven_kind(obj: Object, kind: str) -> str:
    """Return the kind of controls that are driven: a rig without IK feet walks by its FK controls whatever
    was asked for."""
    has_ik = any(stored_map(obj).get(f"foot_ik.{side}") for side in SIDES)
    return CONTROLS_FK if kind == CONTROLS and not has_ik else kind


def switch_lines(obj: Object) -> list[tuple[str, str]]:
    """Return, for each switch of a limb, the limb's name and the switch's values for IK and FK."""
    found = []
    for limb, states in stored_map(obj).switches.items():
        paths = dict.fromkeys(path for values in states.values() for path in values)
        for path in paths:
            values = [
                f"{state} {states[state][path]:g}"
                for state in (IK, FK_STATE)
                if path in states.get(state, {})
            ]
            found.append((role_label(limb), f"{', '.join(values)}: {_key(path)}"))
    return found


def _key(path: str) -> str:
    switch = parts(path)
    return switch[2] if switch else path
