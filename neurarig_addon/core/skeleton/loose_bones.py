"""Deforming bones that nothing posed carries, as in skeletons exported flat, and the role that each belongs to by where it is."""

from collections.abc import Mapping

import numpy as np

from .anatomy import limb_members
from .roles import SIDES, RoleMap, carrier_role, roles_above, sided
from .skeleton import Skeleton

_TOUCHING = 0.01  # lengths of the longest of the roles' bones: ends nearer than this at rest are one joint
_NEAR = 0.5  # lengths of the longest: what begins nearer to a bone belongs to it, in a skeleton in pieces


def loose_bones(skeleton: Skeleton, roles: RoleMap) -> dict[str, str]:
    """Return deforming bone -> role for the bones below no role's bone that belong to the body, parents before children.

    A bone that carries a limb belongs to what carries that limb in a body, one in a limb to that; one that touches a bone belongs to what
    that does; and where limbs are in pieces, as in a flat skeleton, what touches nothing belongs to the nearest bone.  Roots and props
    belong to nothing.
    """
    playing = {skeleton.index[bone]: role for role, bone in roles.bones.items() if bone}
    above = {row for bone in playing for row in skeleton.ancestors(bone)}
    roots = set(skeleton.ancestors(skeleton.index[roles.bones["pelvis"]])) if roles.has("pelvis") else set()
    loose = [row for row in range(len(skeleton.names)) if _is_loose(skeleton, playing, row) and row not in roots]
    if not loose:
        return {}
    limbs = {skeleton.index[bone]: role for bone, role in limb_members(skeleton, roles).items()}
    size = float(np.linalg.norm(skeleton.tails - skeleton.heads, axis=1)[list(playing)].max())
    owners = {row: _carried(skeleton, roles, playing, row) for row in loose if row in above} | limbs | playing
    rest = [row for row in loose if row not in owners]
    _join(skeleton, owners, rest, _TOUCHING * size)
    if _in_pieces(skeleton, roles):
        for row in [row for row in rest if row not in owners and not _carriers(skeleton, row, rest, _TOUCHING * size)]:
            if nearest := _nearest(skeleton, roles, row, size):
                owners[row] = nearest
        _join(skeleton, owners, rest, _TOUCHING * size)
    return {skeleton.names[row]: owners[row] for row in loose if row in owners and owners.get(int(skeleton.parents[row])) != owners[row]}


def _is_loose(skeleton: Skeleton, playing: Mapping[int, str], row: int) -> bool:
    return bool(skeleton.deform[row]) and row not in playing and not any(one in playing for one in skeleton.ancestors(row))


def _carried(skeleton: Skeleton, roles: RoleMap, playing: Mapping[int, str], row: int) -> str:
    """Return the role that carries, in a body, the first role below a bone."""
    first = next(role for bone, role in sorted(playing.items()) if skeleton.is_below(bone, row))
    return carrier_role(roles, first)


def _join(skeleton: Skeleton, owners: dict[int, str], rest: list[int], tolerance: float) -> None:
    """Give bones the owners of those that carry them, else of those that begin where they do, as long as there are such."""
    left = [row for row in rest if row not in owners]
    while left:
        joined = {}
        for row in left:
            carriers = _carriers(skeleton, row, [*owners, *left], tolerance)
            known = [one for one in carriers if one in owners] if carriers else _at_head(skeleton, row, list(owners), tolerance)
            if known:
                joined[row] = owners[known[0]]
        if not joined:
            return
        owners |= joined
        left = [row for row in left if row not in joined]


def _carriers(skeleton: Skeleton, row: int, others: list[int], tolerance: float) -> list[int]:
    """Return which of some bones carry one: its parent, or those that end at its head."""
    parent = int(skeleton.parents[row])
    if parent in others:
        return [parent]
    ends = np.linalg.norm(skeleton.tails[others] - skeleton.heads[row], axis=1) < tolerance
    return [one for one, near in zip(others, ends, strict=True) if near and one != row]


def _at_head(skeleton: Skeleton, row: int, others: list[int], tolerance: float) -> list[int]:
    """Return which of some bones begin where one does."""
    starts = np.linalg.norm(skeleton.heads[others] - skeleton.heads[row], axis=1) < tolerance
    return [one for one, near in zip(others, starts, strict=True) if near and one != row]


def _in_pieces(skeleton: Skeleton, roles: RoleMap) -> bool:
    """Return whether a limb's part, or the head, hangs on no role at all."""
    parts = ("shin", "foot", "forearm", "hand", "head")
    return any(not roles_above(skeleton, roles, role) for role, bone in roles.bones.items() if bone and role.split(".")[0] in parts)


def _nearest(skeleton: Skeleton, roles: RoleMap, row: int, size: float) -> str:
    """Return the role whose bone is nearest to where a bone begins, '' if none is near; in the middle plane, as roots are, of the trunk."""
    point, heads = skeleton.heads[row], skeleton.heads
    left, right = (heads[skeleton.index[roles.bones[sided("thigh", side)]]] for side in SIDES)
    is_middle = abs(float((point - (left + right) / 2.0) @ (left - right))) < _TOUCHING * size * float(np.linalg.norm(left - right))
    near = {}
    for role, bone in roles.bones.items():
        if bone and not (is_middle and role[-2:] in (".L", ".R")):
            start, end = heads[skeleton.index[bone]], skeleton.tails[skeleton.index[bone]]
            along = end - start
            share = np.clip((point - start) @ along / max(float(along @ along), 1e-24), 0.0, 1.0)
            near[role] = float(np.linalg.norm(point - start - share * along))
    nearest = min(near, key=near.__getitem__, default="")
    return nearest if nearest and near[nearest] < _NEAR * size else ""
