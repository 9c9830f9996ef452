"""The roles of a source's bones, as corrected by the animator: remembered for the next clip with the same bones.

Clips of one rig each come on their own armature, or from files.  Once a clip was taken from an armature whose list of bones differs from
the detected one, the target remembers that list, and all clips with the same bone names are read with it.
"""

import hashlib
import json
from collections.abc import Iterable

import bpy

from ...core.errors import NeuraRigError
from ...core.skeleton.roles import REQUIRED, RoleMap, all_roles
from ..character.read_character import detect_roles
from ..character.requirements import require_editable
from ..character.roles import role_map, store_roles
from ..character.stored import is_text, map_of, parsed

_MOST = 64  # mappings remembered per character
_ROLES = frozenset(all_roles(spine_bones=32, neck_bones=16))
_FORM = map_of(map_of(is_text))


def recalled(names: Iterable[str]) -> RoleMap | None:
    """Return the corrected roles remembered for bones of these names; None if there are none."""
    names = frozenset(names)
    key = _key(names)
    for obj in bpy.data.objects:
        bones = _of(obj).get(key)
        if bones is not None and bones.keys() >= set(REQUIRED) and bones.keys() <= _ROLES and names.issuperset(bones.values()):
            return RoleMap(bones)
    return None


def remember(obj: bpy.types.Object, source: bpy.types.Object) -> None:
    """Store the corrected bone list of a source with the character that took its clip, or remove it if it is no longer corrected.

    A source without a list gets the one that its clip was read with.
    """
    names = [bone.name for bone in source.data.bones]
    listed, known = role_map(source), recalled(names)
    if not all(listed.has(role) for role in REQUIRED):
        if known is not None and _may_change(source):
            store_roles(source, known)
        return
    if known is not None and known.bones == listed.bones:
        return
    try:
        is_corrected = detect_roles(source, bpy.context.scene).bones != listed.bones
    except NeuraRigError:
        is_corrected = True
    if known is None and not is_corrected:
        return
    key = _key(names)
    for other in bpy.data.objects:
        if key in _of(other) and _may_change(other):
            _put(other, {each: bones for each, bones in _of(other).items() if each != key})
    if is_corrected:
        _put(obj, dict([*_of(obj).items(), (key, listed.bones)][-_MOST:]))


def _key(names: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(sorted(names)).encode()).hexdigest()[:32]


def _of(obj: bpy.types.Object) -> dict[str, dict[str, str]]:
    """Return a character's mappings: bones by role, by the key of their names; none if damaged."""
    text = obj.neurarig.retarget.mappings if obj.type == "ARMATURE" else ""
    found = parsed(text) if text else {}
    return found if _FORM(found) else {}


def _may_change(obj: bpy.types.Object) -> bool:
    try:
        require_editable(obj)
    except NeuraRigError:
        return False
    return True


def _put(obj: bpy.types.Object, mappings: dict[str, dict[str, str]]) -> None:
    obj.neurarig.retarget.mappings = json.dumps(mappings) if mappings else ""
