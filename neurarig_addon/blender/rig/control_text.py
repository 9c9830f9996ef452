"""What the panel says of a rig's controls: what poses go to and why, and how switches stand."""

import bpy

from ...core.controls.control_map import FK as FK_STATE
from ...core.controls.control_map import IK
from ..character import record
from ..character.controls.attachment import CONTROLS, CONTROLS_FK, FK, LAYER, RIGIFY, RIGIFY_FK, RIGIFY_REACH
from ..character.controls.probing.paths import parts
from ..character.controls.stored_map import stored_map

_OWN = "Poses go to the rig's own"
_SAID = {
    CONTROLS: f"{_OWN} IK controls.",
    RIGIFY: f"{_OWN} IK controls.",
    RIGIFY_REACH: f"{_OWN} IK controls.",
    CONTROLS_FK: f"{_OWN} FK controls.",
    RIGIFY_FK: f"{_OWN} FK controls.",
    LAYER: "Poses go to a control layer of NeuraRig.",
    FK: "Poses go to the character's bones.",
}
_SIDES = {"L": "Left", "R": "Right"}


def posed_by(obj: bpy.types.Object) -> str:
    """Return in a sentence what a character's poses go to, and why."""
    if record.is_attached(obj):
        made = record.attachment(obj)
        return f"{_SAID[made['kind']]} {made.get('why', '')}".strip()
    found = sum(bool(line.bone) for line in obj.neurarig.control_bones)
    return f"{found} controls found." if found else "Generate Walk finds the rig's controls, and drives them where they carry a walk."


def switch_lines(obj: bpy.types.Object) -> list[tuple[str, str]]:
    """Return for each limb that can be switched its name and what its switches are for IK and FK."""
    found = []
    for limb, states in stored_map(obj).switches.items():
        kind, _, side = limb.partition(".")
        paths = dict.fromkeys(path for values in states.values() for path in values)
        for path in paths:
            values = [f"{state} {states[state][path]:g}" for state in (IK, FK_STATE) if path in states.get(state, {})]
            found.append((f"{_SIDES.get(side, side)} {kind.title()}", f"{', '.join(values)}: {_key(path)}"))
    return found


def _key(path: str) -> str:
    switch = parts(path)
    return switch[2] if switch else path
