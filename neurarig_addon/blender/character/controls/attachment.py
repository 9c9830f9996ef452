"""The attachment: what a walk has added to a rig and how it was before, as JSON stored in the .blend file.

    version   of this format
    kind LAYER (own controls), FK (the character's own bones), or controls of a Rigify rig: RIGIFY (IK legs,
    chest), RIGIFY_FK,
              RIGIFY_REACH (IK legs, FK spine), or of a rig with a control map: CONTROLS (its IK legs),
              CONTROLS_FK
    controls  role -> control bone
    drives    [bone, role, uses location, uses rotation], the bones that the walk poses
    deform    the same for the character's own bones alone, without constraints (LAYER, FK)
    made      bones (key -> name) and bone collections that were added
    constraints [bone, name, type, key], those that were added: on which bone, and which of our bones they
    look at
    held      the character's bones that copy one of ours -> that bone
    loosened  the character's bones that were connected to their parents
    muted, muted_drivers, pose, switches   see snapshot
    fingers   side -> finger bone -> its pose from before: hands that the holder poses
    played    bone -> its pose from before: bones that an action plays beside
    hangs driven control of a map -> [control that carries it or '', turns with it, location along its own
    axes, 16 numbers at rest,
              16 of its mend]: see core.controls.setup.Parenting
    stands    role -> 16 numbers: how its bone stands where the rest pose does not, see core.standing_pose
    swivels   role of a knee's pole -> radians, see core.posing.rig_table
    hinges    role of a shin -> axis, see core.posing.rig_table
    bend how the trunk bends by one control, see core.trunk_bend; empty where its bones are posed one by one
    roles role -> bone, those that the controls pose one by one, where these are others than the character's
    why       a sentence: why the rig is posed in this way and not by its own controls; '' where it is
    travels whether the controls take the whole character along when they travel, so that nothing stays behind
    placement 16 numbers: how the user's root control had moved the character when the walk was attached
    shown     16 numbers: how the pose that was shown then had moved it besides: place, floor and facing
    leans 9 numbers for the pelvis and each bone of the spine: how it leaned then, see
    core.character.shown_pose; empty for as at rest

It may come from any file, so nothing in it is trusted before `checked` has validated it.
"""

from collections.abc import Mapping
from typing import Any

import bpy
import numpy as np

from ....core.errors import NeuraRigError
from ....core.posing.rig_table import TERMS
from ...animation.renames import Renames
from ..stored_json import is_flag, is_number, is_text, is_whole, list_of, map_of, misfit, parsed, row_of
from .snapshot import is_pose

VERSION = 1
LAYER, RIGIFY, FK, RIGIFY_FK, RIGIFY_REACH = "LAYER", "RIGIFY", "FK", "RIGIFY_FK", "RIGIFY_REACH"
CONTROLS, CONTROLS_FK = "CONTROLS", "CONTROLS_FK"
KINDS = (LAYER, RIGIFY, FK, RIGIFY_FK, RIGIFY_REACH, CONTROLS, CONTROLS_FK)
OWN_FK = (FK, RIGIFY_FK, CONTROLS_FK)  # the kinds that only rotate bones or FK controls
# what a drive uses of its role's motion
BY_LOCATION, BY_ROTATION, BY_BOTH = (True, False), (False, True), (True, True)
# custom property of our bones, with the bone's key as value; copies inherit it (see `ours`)
MARK = "neurarig"
CONSTRAINT = "NeuraRig"  # prefix of our constraints' names
IDENTITY = [float(n % 5 == 0) for n in range(16)]


def new(kind: str) -> dict[str, Any]:
    """Return an empty attachment."""
    return {
        "version": VERSION,
        "kind": kind,
        "controls": {},
        "drives": [],
        "deform": [],
        "made": {"bones": {}, "collections": []},
        "constraints": [],
        "held": {},
        "loosened": [],
        "muted": [],
        "muted_drivers": [],
        "pose": {},
        "switches": [],
        "placement": list(IDENTITY),
        "shown": list(IDENTITY),
        "leans": [],
        "hangs": {},
        "stands": {},
        "swivels": {},
        "hinges": {},
        "bend": [],
        "roles": {},
        "why": "",
        "lenient": False,
        "travels": False,
        "fingers": {},
        "played": {},
        "follow": {},
    }


def checked(attachment: Any) -> dict[str, Any]:
    """Return the attachment if it has the form described above; raise NeuraRigError if not."""
    if (
        not isinstance(attachment, dict)
        or attachment.get("version") != VERSION
        or attachment.get("kind") not in KINDS
    ):
        raise NeuraRigError(
            "The walk stored in this file was not made by this version of NeuraRig; remove it and generate it"
            " again."
        )
    wrong = misfit(attachment, _FORM)
    if wrong:
        raise NeuraRigError(
            f"The walk stored in this file is damaged ('{wrong}'); remove it and generate it again."
        )
    return attachment


def followed(attachment: Mapping[str, Any], renames: Renames) -> dict[str, Any]:
    """Return an attachment with its names updated after renames."""
    bone = renames.bone
    rows = {
        key: [[bone(name), *rest] for name, *rest in attachment[key]]
        for key in ("drives", "deform", "constraints")
    }
    muted = {
        key: [[bone(owner), renames.constraint(owner, name), *rest] for owner, name, *rest in attachment[key]]
        for key in ("muted", "switches")
    }
    return {
        **attachment,
        **rows,
        **muted,
        "controls": {role: bone(name) for role, name in attachment["controls"].items()},
        "made": {
            **attachment["made"],
            "bones": {key: bone(name) for key, name in attachment["made"]["bones"].items()},
        },
        "held": {bone(name): bone(ours) for name, ours in attachment["held"].items()},
        "loosened": [bone(name) for name in attachment["loosened"]],
        "muted_drivers": [[renames.path(path), index] for path, index in attachment["muted_drivers"]],
        "pose": {bone(name): pose for name, pose in attachment["pose"].items()},
        "roles": {role: bone(name) for role, name in attachment["roles"].items()},
        "fingers": {
            side: {bone(name): pose for name, pose in poses.items()}
            for side, poses in attachment["fingers"].items()
        },
        "played": {bone(name): pose for name, pose in attachment["played"].items()},
        "follow": {bone(name): pose for name, pose in attachment["follow"].items()},
        "hangs": {
            bone(name): [bone(carrier), *rest] for name, (carrier, *rest) in attachment["hangs"].items()
        },
    }


def standing_in(attachment: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Return how a character's roles stand if its rest pose does not, see core.standing_pose."""
    return {
        role: np.array(numbers, dtype=float).reshape(4, 4) for role, numbers in attachment["stands"].items()
    }


def placed(attachment: Mapping[str, Any]) -> np.ndarray:
    """Return the rigid motion `(4, 4)` that takes a character from rest to its place: by its root control,
    and as it was shown."""
    shown, placement = (
        np.array(attachment[name], dtype=float).reshape(4, 4) for name in ("shown", "placement")
    )
    return shown @ placement


def require_bones(obj: bpy.types.Object, attachment: Mapping[str, Any]) -> None:
    """Raise NeuraRigError if a bone that the walk drives is gone."""
    for bone, *_ in attachment["drives"]:
        if bone not in obj.pose.bones:
            raise NeuraRigError(
                f"Bone '{bone}', which the walk drives, is gone or renamed. Remove the walk and generate it"
                " again."
            )


def read(text: str) -> dict[str, Any]:
    """Return the attachment in a text; raises NeuraRigError if it is damaged. An older one lacks `travels`,
    `played` or `follow`."""
    found = parsed(text)
    return checked(
        {"travels": False, "played": {}, "follow": {}, "shown": IDENTITY, "leans": []} | found
        if isinstance(found, dict)
        else found
    )


def read_or_empty(text: str) -> dict[str, Any]:
    """Return the attachment in a text; an unreadable one as an empty layer, so that our marked bones can
    still be removed."""
    try:
        return read(text)
    except NeuraRigError:
        return new(LAYER)


def _is_made(value: Any) -> bool:
    return misfit(value, {"bones": map_of(is_text), "collections": list_of(is_text)}) is None


def _is_bend(value: Any) -> bool:
    return list_of(row_of(is_number, is_number, is_number))(value) and len(value) == TERMS


def _is_placement(value: Any) -> bool:
    return list_of(is_number)(value) and len(value) == len(IDENTITY)


_drives = list_of(row_of(is_text, is_text, is_flag, is_flag))
_FORM = {
    "controls": map_of(is_text),
    "drives": _drives,
    "deform": _drives,
    "made": _is_made,
    "constraints": list_of(row_of(is_text, is_text, is_text, is_text)),
    "held": map_of(is_text),
    "loosened": list_of(is_text),
    "muted": list_of(row_of(is_text, is_text)),
    "muted_drivers": list_of(row_of(is_text, is_whole)),
    "pose": map_of(is_pose),
    "switches": list_of(row_of(is_text, is_text, is_text, is_number, is_number)),
    "placement": _is_placement,
    "shown": _is_placement,
    "leans": list_of(row_of(*[is_number] * 9)),
    "stands": map_of(_is_placement),
    "hangs": map_of(row_of(is_text, is_flag, is_flag, _is_placement, _is_placement)),
    "swivels": map_of(is_number),
    "hinges": map_of(row_of(is_number, is_number, is_number)),
    "bend": lambda value: value == [] or _is_bend(value),
    "roles": map_of(is_text),
    "why": is_text,
    "lenient": is_flag,
    "travels": is_flag,
    "fingers": map_of(map_of(is_pose)),
    "played": map_of(is_pose),
    "follow": map_of(is_pose),
}
