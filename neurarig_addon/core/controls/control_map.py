"""The control map: which control does what on a rig, and the switch values for it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import NeuraRigError
from ..files import json_text
from ..files.json_text import is_finite
from ..skeleton.roles import SIDES, sided

FORMAT, VERSION = "neurarig-controls", 1
IK, FK = "IK", "FK"
TRUNK_CONTROLS = ("root", "torso", "hips", "chest", "neck", "head")
LEG_CONTROLS = (
    "foot_ik",
    "roll",
    "toe_ik",
    "knee_pole",
    "knee_swivel",
    "thigh_fk",
    "shin_fk",
    "foot_fk",
    "toe_fk",
)
ARM_CONTROLS = ("clavicle", "hand_ik", "elbow_pole", "elbow_swivel", "upper_arm_fk", "forearm_fk", "hand_fk")
_NUMBERED = ("spine", "neck")
_LARGEST_SWITCH = 2**31 - 1  # the range of an integer property
_LONGEST_NAME = 64  # characters that panels show


@dataclass(frozen=True)
class ControlMap:
    """Control roles (`foot_ik.L`, `knee_pole.L`, `thigh_fk.L`, `torso`, `spine.1` ..) -> bone.

    `switches`: limb (`leg.L` .. `arm.R`) -> `IK` or `FK` -> RNA path of a switch -> its value there.
    """

    name: str = ""
    controls: Mapping[str, str] = field(default_factory=dict)
    switches: Mapping[str, Mapping[str, Mapping[str, float]]] = field(default_factory=dict)

    def get(self, role: str) -> str:
        """Return the control of a role, '' if the rig has none."""
        return self.controls.get(role, "")

    def is_only_unsolved(self, limb: str) -> bool:
        """Return whether a limb is in FK only with its solvers turned off: the rig has no FK switch, and
        animators do not use this."""
        paths = self.switches.get(limb, {}).get(FK, {})
        return bool(paths) and all(path.endswith(".influence") for path in paths)

    def settings(self, states: Mapping[str, str]) -> dict[str, float]:
        """Return the switches' values for limbs in these states, `IK` or `FK`."""
        found: dict[str, float] = {}
        for limb, state in states.items():
            found |= self.switches.get(limb, {}).get(state, {})
        return found

    def to_json(self) -> str:
        """Return the map as the text of a file."""
        content = {
            "format": FORMAT,
            "version": VERSION,
            "name": self.name,
            "controls": dict(self.controls),
            "switches": self.switches,
        }
        return json.dumps(content, indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes) -> "ControlMap":
        """Return the map in a text; raises NeuraRigError, naming the entry, if it is not one."""
        try:
            return cls.from_content(json_text.document(text, FORMAT, VERSION, "a control map"))
        except ValueError as problem:
            raise NeuraRigError(
                f"The control map cannot be used: {problem}; save it again from a character."
            ) from None

    @classmethod
    def from_content(cls, content: Any) -> "ControlMap":
        """Return the map in parsed JSON; raises NeuraRigError, naming the entry, if it is not one."""
        if (
            not isinstance(content, dict)
            or content.get("format") != FORMAT
            or content.get("version") != VERSION
        ):
            raise NeuraRigError(
                f"This is not a control map of version {VERSION}; save it again from a character."
            )
        controls, switches = content.get("controls"), content.get("switches", {})
        if not isinstance(controls, dict) or not isinstance(switches, dict):
            raise NeuraRigError(
                "The control map has no 'controls', or its 'switches' are not a table; save it again from a"
                " character."
            )
        for role, bone in controls.items():
            if not is_control_role(role) or not isinstance(bone, str):
                raise NeuraRigError(
                    f"The control map has no role '{role}', or no bone name for it; remove that line."
                )
        for limb, states in switches.items():
            if not _is_switched(limb, states):
                raise NeuraRigError(f"The control map's switches of '{limb}' are damaged; remove them.")
        return cls(str(content.get("name", ""))[:_LONGEST_NAME], controls, switches)


def is_control_role(role: Any) -> bool:
    """Return whether a value is the name of a biped's control role."""
    if not isinstance(role, str):
        return False
    part, _, rest = role.partition(".")
    if rest in SIDES:
        return part in (*LEG_CONTROLS, *ARM_CONTROLS)
    return role in TRUNK_CONTROLS or (
        part in _NUMBERED and rest.isascii() and rest.isdigit() and 0 < int(rest) < 100
    )


def all_control_roles(spine_bones: int) -> list[str]:
    """Return every control role in the order of the panels."""
    trunk = [
        "root",
        "torso",
        "hips",
        *(f"spine.{n + 1}" for n in range(spine_bones)),
        "chest",
        "neck",
        "head",
    ]
    return trunk + [sided(part, side) for side in SIDES for part in (*LEG_CONTROLS, *ARM_CONTROLS)]


def _is_switched(limb: Any, states: Any) -> bool:
    if limb not in [sided(kind, side) for kind in ("leg", "arm") for side in SIDES] or not isinstance(
        states, dict
    ):
        return False
    return all(
        state in (IK, FK) and isinstance(values, dict) and all(map(_is_value, values.values()))
        for state, values in states.items()
    )


def _is_value(value: Any) -> bool:
    return is_finite(value) and abs(value) <= _LARGEST_SWITCH
