"""The source of a clip: an armature with an action or its present motion, or a file; and the roles of its
bones as corrected.

Clips of one rig each come on their own armature, or from files. Once a clip was taken from an armature whose
list of bones differs from
the detected one, the target remembers that list, and all clips with the same bone names are read with it.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
from bpy.types import Action, FCurve, Object, Scene

from ...core.errors import NeuraRigError
from ...core.skeleton.roles import REQUIRED, RoleMap, all_roles
from ..animation import compat
from ..animation.curve_pose import split_path
from ..animation.frame_range import played_range
from ..animation.keyframes import REST
from ..character import bakes, record, slider_curves
from ..character.read_armature import bones_key
from ..character.read_character import detect_roles, read_character
from ..character.read_clip import frames_of, is_told_by_curves
from ..character.requirements import require_editable
from ..character.roles import role_map, store_roles
from ..character.stored_json import is_text, map_of, parsed

MOTION_CAPTURE = (".bvh",)
ENCODINGS = (".npz", ".csv")
ARRAYS = (".npz", ".npy", ".mot", ".sto")  # of generated motion, and of angles
IMPORTED = (".fbx", ".glb", ".gltf")
POINTS = (".c3d", ".tsv", ".trc", ".json")  # for Neural Pose
READABLE = (*MOTION_CAPTURE, *IMPORTED, *ENCODINGS, *ARRAYS[1:])
_MOST = 64  # mappings remembered per character
_ROLES = frozenset(all_roles(spine_bones=32, neck_bones=16))
_FORM = map_of(map_of(is_text))


@dataclass(frozen=True)
class ClipSource:
    """The source of one clip: `armature` with an `action` (None: its present motion) and the name of a `slot`
    of it, or a `file`."""

    armature: Object | None = None
    action: Action | None = None
    file: Path | None = None
    slot: str = ""

    @property
    def label(self) -> str:
        """Its name for the user."""
        return self.file.name if self.file else self.action.name if self.action else self.armature.name


def check(source: ClipSource, target: Object | None = None) -> None:
    """Raise NeuraRigError if a source is not valid, or not for this target."""
    armature = source.armature
    if source.file is not None:
        if source.file.suffix.lower() in POINTS:
            raise NeuraRigError(f"'{source.file.name}' holds recorded points. Use Solve Mocap for it.")
        if source.file.suffix.lower() not in READABLE:
            raise NeuraRigError(
                f"'{source.file.name}' is not a clip. Supported files end in {', '.join(READABLE)}."
            )
        if not source.file.is_file():
            raise NeuraRigError(f"There is no file '{source.file}'. Choose it again in Retarget.")
    elif armature.type == "EMPTY":
        raise NeuraRigError(
            f"'{armature.name}' is an empty. Put the skeleton's empties in a collection and use Solve Mocap >"
            " Collection."
        )
    elif armature.type != "ARMATURE":
        raise NeuraRigError(
            f"'{armature.name}' is not an armature. Choose the armature object of the source."
        )
    elif armature == target and source.action is None:
        raise NeuraRigError(
            f"'{armature.name}' is both source and target. Choose another armature, or one of its own"
            " actions."
        )
    elif not armature.users_scene:
        raise NeuraRigError(
            f"The source '{armature.name}' is no longer in the scene. Choose another armature in Retarget."
        )


def needs_steps(scene: Scene, source: ClipSource) -> bool:
    """Return whether reading a clip plays it frame by frame or imports it, which handlers must not do."""
    if source.file is not None:
        return source.file.suffix.lower() in IMPORTED
    return not is_told_by_curves(
        source.armature, scene, source.action, read_character(source.armature, scene), source.slot
    )


def require_readable_own(scene: Scene, source: ClipSource) -> None:
    """Raise NeuraRigError if an own action of a target cannot be read any more: it has to be played, and the
    rig is set up for a clip."""
    if (
        record.is_attached(source.armature)
        and bakes.playing(source.armature) != source.action
        and needs_steps(scene, source)
    ):
        raise NeuraRigError(
            f"'{source.action.name}' moves controls of '{source.armature.name}' that hold a clip now. Press"
            " Remove, then Continue again."
        )


def length(scene: Scene, source: ClipSource) -> int:
    """Return the frames of a clip in the file that is open; 0 for one in a file of its own."""
    return 0 if source.file is not None else frames_of(scene, source.armature, source.action, source.slot)


def key(scene: Scene, source: ClipSource) -> tuple:
    """Return a key that changes whenever the clip does; if it has to be played, only with what can be seen
    without playing it."""
    if source.file is not None:
        stat = source.file.stat()
        return str(source.file), stat.st_mtime_ns, stat.st_size
    obj, playing = source.armature, playing_of(source)
    roles = tuple((item.role, item.bone) for item in obj.neurarig.roles)
    rate = scene.render.fps, scene.render.fps_base
    span = played_range(scene) if playing is None else ()
    keys = slider_curves.fingerprint_of(curves_of(source))
    return obj.session_uid, playing and playing.session_uid, roles, bones_key(obj), rate, span, keys


def playing_of(source: ClipSource) -> Action | None:
    """Return the action of a source, or the one that it plays."""
    return source.action or compat.playing(source.armature)[0]


def curves_of(source: ClipSource) -> Iterable[FCurve]:
    """Return the F-curves of a source's action, none of a file's; use them at once and keep none."""
    action = playing_of(source)
    if action is None:
        return ()
    slot = compat.slot_named(action, source.slot) if source.slot else slot_of(source.armature, action)
    return compat.find_channels(action, slot)


def slot_of(obj: Object, action: Action) -> Any:
    """Return the slot of an action that an object plays, else the one that suits it."""
    data = obj.animation_data
    if data is not None and data.action == action and not (compat.HAS_SLOTS and data.action_slot is None):
        return compat.assigned(data)[1]
    return compat.suitable_slot(action, obj)


def moves_bones(obj: Object, action: Action) -> bool:
    """Return whether an action has keys on bones of an armature object."""
    return _has_bones(obj, compat.find_channels(action, slot_of(obj, action)))


def moves_object(obj: Object, action: Action) -> bool:
    """Return whether an action moves or turns an object itself."""
    return any(
        curve.data_path == "location" or curve.data_path in REST
        for curve in compat.find_channels(action, slot_of(obj, action))
    )


def slots(obj: Object, action: Action | None) -> list[str]:
    """Return the names of an action's slots with keys on bones of an armature object."""
    found = action.slots if compat.HAS_SLOTS and action is not None else ()
    return [slot.identifier for slot in found if _has_bones(obj, compat.find_channels(action, slot))]


def clips_of(obj: Object, action: Action) -> list[str]:
    """Return the slots of an action that are clips of an armature object: '' for its only one, none if
    nothing in it moves a bone."""
    found = slots(obj, action)
    return found if len(found) > 1 else [""] if found or moves_bones(obj, action) else []


def _has_bones(obj: Object, curves: Iterable[FCurve]) -> bool:
    return any(split_path(curve.data_path)[0] in obj.pose.bones for curve in curves)


def recalled_roles(names: Iterable[str]) -> RoleMap | None:
    """Return the corrected roles remembered for bones of these names; None if there are none."""
    names = frozenset(names)
    key = _names_key(names)
    for obj in bpy.data.objects:
        bones = _of(obj).get(key)
        if (
            bones is not None
            and bones.keys() >= set(REQUIRED)
            and bones.keys() <= _ROLES
            and names.issuperset(bones.values())
        ):
            return RoleMap(bones)
    return None


def remember_roles(obj: Object, source: Object) -> None:
    """Store the corrected bone list of a source with the character that took its clip, or remove it if it is
    no longer corrected.

    A source without a list gets the one that its clip was read with.
    """
    names = [bone.name for bone in source.data.bones]
    listed, known = role_map(source), recalled_roles(names)
    if not all(listed.has(role) for role in REQUIRED):
        if known is not None and _may_change(source):
            store_roles(source, known)
        return
    if known is not None and known.bones == listed.bones:
        return
    try:
        is_corrected = detect_roles(source).bones != listed.bones
    except NeuraRigError:
        is_corrected = True
    if known is None and not is_corrected:
        return
    key = _names_key(names)
    for other in bpy.data.objects:
        if key in _of(other) and _may_change(other):
            _put(other, {each: bones for each, bones in _of(other).items() if each != key})
    if is_corrected:
        _put(obj, dict([*_of(obj).items(), (key, listed.bones)][-_MOST:]))


def _names_key(names: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(sorted(names)).encode()).hexdigest()[:32]


def _of(obj: Object) -> dict[str, dict[str, str]]:
    """Return a character's mappings: bones by role, by the key of their names; none if damaged."""
    text = obj.neurarig.retarget.mappings if obj.type == "ARMATURE" else ""
    found = parsed(text) if text else {}
    return found if _FORM(found) else {}


def _may_change(obj: Object) -> bool:
    try:
        require_editable(obj)
    except NeuraRigError:
        return False
    return True


def _put(obj: Object, mappings: dict[str, dict[str, str]]) -> None:
    obj.neurarig.retarget.mappings = json.dumps(mappings) if mappings else ""
