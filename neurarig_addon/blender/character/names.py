"""Renames: everything noted about a character by names of bones and constraints follows when the user renames
them.

Blender updates an object's playing actions and constraints, but not notes in properties or actions set aside.
So the rest pose of all bones is noted with the attachment, and a bone whose name is gone is found by it (see
`core.skeleton.renames`); a muted constraint is found on its bone. Actions set aside are not touched before
they are given back: what they have to catch up with is noted with them (see `ledger`), so that undo restores
it with everything else.
"""

import json
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from bpy.types import Object

from ...core.errors import NeuraRigError
from ...core.skeleton.renames import Bones, place_tolerance, renamed
from ..animation.renames import Renames
from . import hanging, ledger, record, roles, stash
from .controls import attachment, stored_map
from .controls.attachment import MARK
from .stored_json import is_number, is_text, is_whole, list_of, misfit, parsed, row_of

POINTS = 3  # points of a bone at rest: head, tail and one to its side


class _Noted(NamedTuple):
    """All bones, and (bone, constraint, type) of the muted constraints."""

    bones: Bones
    muted: list[list[str]]


def note(obj: Object) -> None:
    """Note how to recognise bones, and which constraints are muted."""
    bones = _bones(obj)
    rows = zip(
        bones.names, bones.parents, bones.marks, bones.rest.reshape(-1, 3 * POINTS).tolist(), strict=True
    )
    listed = [
        [name, parent, mark, [float(f"{value:.7g}") for value in rest]] for name, parent, mark, rest in rows
    ]
    obj.neurarig.names = json.dumps({"bones": listed, "muted": _muted(obj)}, separators=(",", ":"))


def follow(obj: Object) -> None:
    """Update everything noted by name after renames; does nothing in Edit Mode, where nothing is final."""
    if not record.is_attached(obj) or obj.library or obj.mode == "EDIT":
        return
    try:
        made = record.checked(obj)
    except NeuraRigError:  # damaged; reported where it is needed
        return
    before = _noted(obj.neurarig.names)
    if (
        before is not None
        and _is_as(obj, before)
        and before.bones.marks == _marks(obj.data.bones)
        and before.muted == _muted(obj)
    ):
        return
    if before is not None and (found := _renames(obj, before)):
        with roles.changes.as_one(obj):
            obj.neurarig.attachment = json.dumps(attachment.followed(made, found))
            stash.follow(obj, found)
            ledger.follow(obj, found)
            roles.follow(obj, found)
            hanging.rename(obj, found)
            stored_map.follow(obj, found)
            note(obj)  # before listeners are called, which follow too
            record.changes.tell(obj)  # before a changed role makes a mode pose bones by their old names
    elif before is None or not _is_as(obj, before) or before.muted != _muted(obj):
        note(obj)


def follow_bones(obj: Object) -> None:
    """Update at once if any bone differs from its note, before another edit makes it unrecognisable."""
    if record.is_attached(obj) and obj.mode != "EDIT":
        before = _noted(obj.neurarig.names)
        if before is None or not _is_as(obj, before):
            follow(obj)


def _renames(obj: Object, before: _Noted) -> Renames:
    bones = Renames(renamed(before.bones, _bones(obj)))
    known: dict[tuple[str, str], list[str]] = {}
    for bone, name, kind in before.muted:
        known.setdefault((bone, kind), []).append(name)
    constraints = {}
    for (bone, kind), names in known.items():
        owner = obj.pose.bones.get(bones.bone(bone))
        there = {one.name: one for one in owner.constraints} if owner else {}
        missing = [name for name in names if name not in there]
        new = [name for name, one in there.items() if one.mute and one.type == kind and name not in names]
        if len(missing) == len(new):
            constraints.update({(bone, old): now for old, now in zip(missing, new, strict=True)})
    return Renames(bones.bones, constraints)


def _bones(obj: Object) -> Bones:
    bones = obj.data.bones
    names = tuple(bone.name for bone in bones)
    at = {name: index for index, name in enumerate(names)}
    parents = tuple(at[bone.parent.name] if bone.parent else -1 for bone in bones)
    return Bones(names, parents, _marks(bones), _rest(bones))


def _marks(bones: Any) -> tuple[str, ...]:
    return tuple(str(bone.get(MARK, "")) for bone in bones)


def _rest(bones: Any) -> np.ndarray:
    """Return head, tail and a point to the side of every bone `(n, 3, 3)`, armature space."""
    matrices, lengths = np.empty(16 * len(bones), dtype=np.float32), np.empty(len(bones), dtype=np.float32)
    bones.foreach_get("matrix_local", matrices)
    bones.foreach_get("length", lengths)
    x, y, _, head = (matrices.astype(float).reshape(-1, 4, 4)[:, column, :3] for column in range(4))
    return np.stack([head, head + lengths[:, None] * y, head + lengths[:, None] * x], axis=1)


def _is_as(obj: Object, before: _Noted) -> bool:
    """Return whether all bones have the same names and rest poses as before."""
    bones = obj.data.bones
    if before.bones.names != tuple(bone.name for bone in bones):
        return False
    rest = before.bones.rest
    return not len(rest) or bool(np.abs(_rest(bones) - rest).max() <= place_tolerance(rest))


def _muted(obj: Object) -> list[list[str]]:
    return [
        [bone.name, one.name, one.type] for bone in obj.pose.bones for one in bone.constraints if one.mute
    ]


@lru_cache(maxsize=64)
def _noted(text: str) -> _Noted | None:
    """Return the notes in a text, None if it is damaged or empty."""
    stored = parsed(text) if text else None
    if misfit(stored, _FORM) is not None:
        return None
    rows = stored["bones"]
    if any(len(rest) != 3 * POINTS or not -1 <= parent < len(rows) for _, parent, _, rest in rows):
        return None
    names, parents, marks, rest = zip(*rows, strict=True) if rows else ((), (), (), ())
    points = np.array(rest, dtype=float).reshape(-1, POINTS, 3)
    return (
        _Noted(Bones(names, parents, marks, points), stored["muted"]) if np.isfinite(points).all() else None
    )


_FORM = {
    "bones": list_of(row_of(is_text, is_whole, is_text, list_of(is_number))),
    "muted": list_of(row_of(is_text, is_text, is_text)),
}
