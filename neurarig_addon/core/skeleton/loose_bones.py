"""Deforming bones that nothing posed carries, as in skeletons exported flat, and the role that each belongs
to by where it is."""

from collections.abc import Mapping

import numpy as np

from ..geometry.neighbours import near_pairs
from ..geometry.rotation import norms, off_segments
from .anatomy import limb_members, playing_above
from .roles import SIDES, RoleMap, carrier_role, roles_above, sided, stem_of
from .skeleton import Skeleton

_TOUCHING = 0.01  # lengths of the longest of the roles' bones: ends nearer than this at rest are one joint
_NEAR = 0.5  # lengths of the longest: what begins nearer to a bone belongs to it, in a skeleton in pieces


def loose_bones(skeleton: Skeleton, roles: RoleMap) -> dict[str, str]:
    """Return deforming bone -> role for the bones below no role's bone that belong to the body, parents
    before children.

    A bone that carries a limb belongs to what carries that limb in a body, one in a limb to that; one that
    touches a bone belongs to what
    that does; and where limbs are in pieces, as in a flat skeleton, what touches nothing belongs to the
    nearest bone. Roots and props
    belong to nothing.
    """
    playing = {skeleton.index[bone]: role for role, bone in roles.bones.items() if bone}
    above = {row for bone in playing for row in skeleton.ancestors(bone)}
    roots = set(skeleton.ancestors(skeleton.index[roles.bones["pelvis"]])) if roles.has("pelvis") else set()
    hanging = playing_above(skeleton, playing)
    loose = [
        row
        for row, on in enumerate(hanging)
        if skeleton.deform[row] and not on and row not in playing and row not in roots
    ]
    if not loose:
        return {}
    limbs = {skeleton.index[bone]: role for bone, role in limb_members(skeleton, roles).items()}
    size = float(norms(skeleton.tails - skeleton.heads)[list(playing)].max())
    owners = {row: _carried(skeleton, roles, playing, row) for row in loose if row in above} | limbs | playing
    rest = [row for row in loose if row not in owners]
    _join(skeleton, owners, rest, _TOUCHING * size)
    if _in_pieces(skeleton, roles):
        carriers = _carriers(skeleton, rest, rest, _TOUCHING * size)
        free = [row for row in rest if row not in owners and not carriers[row]]
        owners |= {
            row: nearest
            for row, nearest in zip(free, _nearest(skeleton, roles, free, size), strict=True)
            if nearest
        }
        _join(skeleton, owners, rest, _TOUCHING * size)
    return {
        skeleton.names[row]: owners[row]
        for row in loose
        if row in owners and owners.get(int(skeleton.parents[row])) != owners[row]
    }


def _carried(skeleton: Skeleton, roles: RoleMap, playing: Mapping[int, str], row: int) -> str:
    """Return the role that carries, in a body, the first role below a bone."""
    first = next(role for bone, role in sorted(playing.items()) if skeleton.is_below(bone, row))
    return carrier_role(roles, first)


def _join(skeleton: Skeleton, owners: dict[int, str], rest: list[int], tolerance: float) -> None:
    """Give bones the owners of those that carry them, else of those that begin where they do, as long as
    there are such."""
    left = [row for row in rest if row not in owners]
    carriers = _carriers(skeleton, left, [*owners, *left], tolerance)
    beside = _touching(skeleton.heads, skeleton.heads, left, [*owners, *left], tolerance)
    sources = {row: carriers[row] or beside[row] for row in left}
    carried: dict[int, list[int]] = {}
    for row in left:
        for source in sources[row]:
            carried.setdefault(source, []).append(row)
    places = {row: place for place, row in enumerate(owners)}
    while left:
        joined = {}
        for row in left:
            known = [one for one in sources[row] if one in owners]
            if known:
                joined[row] = owners[min(known, key=places.__getitem__)]
        owners |= joined
        places |= {row: len(places) + place for place, row in enumerate(joined)}
        left = sorted({row for source in joined for row in carried.get(source, ()) if row not in owners})


def _carriers(
    skeleton: Skeleton, rows: list[int], others: list[int], tolerance: float
) -> dict[int, list[int]]:
    """Return which of some bones carry each of some: its parent, or those that end at its head."""
    ends, among = _touching(skeleton.tails, skeleton.heads, rows, others, tolerance), set(others)
    parents = {row: int(skeleton.parents[row]) for row in rows}
    return {row: [parents[row]] if parents[row] in among else ends[row] for row in rows}


def _touching(
    points: np.ndarray, heads: np.ndarray, rows: list[int], others: list[int], tolerance: float
) -> dict[int, list[int]]:
    """Return those of some bones whose point is where each of some bones begins."""
    found: dict[int, list[int]] = {row: [] for row in rows}
    for other, row in zip(*near_pairs(points[others], heads[rows], tolerance), strict=True):
        if others[other] != rows[row]:
            found[rows[row]].append(others[other])
    return found


def _in_pieces(skeleton: Skeleton, roles: RoleMap) -> bool:
    """Return whether a limb's part, or the head, hangs on no role at all."""
    parts = ("shin", "foot", "forearm", "hand", "head")
    return any(
        not roles_above(skeleton, roles, role)
        for role, bone in roles.bones.items()
        if bone and stem_of(role) in parts
    )


def _nearest(skeleton: Skeleton, roles: RoleMap, rows: list[int], size: float) -> list[str]:
    """Return the role nearest to where each bone begins, '' if none is near; in the middle plane, as roots
    are, of the trunk."""
    points, heads = skeleton.heads[rows], skeleton.heads
    left, right = (heads[skeleton.index[roles.bones[sided("thigh", side)]]] for side in SIDES)
    is_middle = np.abs((points - (left + right) / 2.0) @ (left - right)) < _TOUCHING * size * norms(
        left - right
    )
    names, far = [""], [np.full(len(rows), _NEAR * size)]
    for role, bone in roles.bones.items():
        if bone:
            start, end = heads[skeleton.index[bone]], skeleton.tails[skeleton.index[bone]]
            away = off_segments(points, start, end - start)
            names.append(role)
            far.append(np.where(is_middle & role.endswith((".L", ".R")), np.inf, away))
    return [names[row] for row in np.argmin(far, axis=0)]
