"""The parts of a character that must stay together: bones that touch at rest and are joined, and bones in a
limb."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..geometry.neighbours import near_pairs
from ..geometry.rotation import norms, off_segments
from .roles import (
    ARM_PARTS,
    LEG_JOINTS,
    LEG_PARTS,
    NECK,
    SIDES,
    SPINE,
    RoleMap,
    carrier_role,
    on_side,
    sided,
    stem_of,
)
from .skeleton import Skeleton

LIMIT = 1.0  # percent of the leg: a joint that opens further is visible
# percent of the leg: how far roles that touch no bone may slide beside their carrier, as hips and shoulders
# do
_SOCKET_LIMIT = 5.0
_SOCKETS = ("thigh", SPINE, "clavicle", "upper_arm", NECK, "head")
_TOUCHING = 5e-3  # leg lengths: ends nearer than this at rest are one joint
_BESIDE = 0.12  # segment lengths: bones with both ends nearer to its axis are in the limb
_ALIGNED = 0.9  # least cosine between a limb's bone and its double


@dataclass(frozen=True)
class BoneGroups:
    """The parts that must stay together, in armature space at rest; rows are those of the skeleton.

    `joints` `(n, 2)`: bones that touch, or of which one carries the other; `points` `(n, 3)`: where; `limits`
    `(n,)`: percent of the
    leg by which they may open; `touching` `(n,)`: whether they touch. `members` `(m, 2)`: a bone in a limb
    and the bone with the
    limb's role; `places` `(m, 3)`: the middle of the first. `from_rest` `(bones, 4, 4)`: inverse rest
    matrices. `leg`: armature units.
    `vital` `(bones,)`: whether a bone is of the body itself: it plays a role, carries one, or is all that
    deforms a limb. Fingers, small
    toes, twist bones, hair and props are not.
    """

    names: tuple[str, ...]
    joints: np.ndarray
    points: np.ndarray
    limits: np.ndarray
    touching: np.ndarray
    members: np.ndarray
    places: np.ndarray
    from_rest: np.ndarray
    leg: float
    vital: np.ndarray


def anatomy(skeleton: Skeleton, roles: RoleMap) -> BoneGroups:
    """Return the parts of a character at rest that must stay together.

    Only bones marked as deforming count; if there is a skin, pass a skeleton whose `deform` marks the bones
    with weights. Bones that
    carry the pelvis do not count: they are roots, which a walk does not move.
    """
    rows = _bodily(skeleton, roles)
    heads = skeleton.rest[:, :3, 3]
    tails = heads + skeleton.rest[:, :3, 1] * skeleton.lengths[:, None]
    leg = _leg_length(skeleton, roles, heads, tails)
    joints, points = _touching(skeleton, roles, heads, tails, rows, _TOUCHING * leg)
    held = _held(skeleton, roles, joints, points, _TOUCHING * leg)
    joints, points = joints[held], points[held]
    sockets = _sockets(skeleton, roles, rows, joints)
    touching = np.arange(len(joints) + len(sockets)) < len(joints)
    joints, points = np.concatenate([joints, sockets]), np.concatenate([points, heads[sockets[:, 1]]])
    limits = np.where(touching, LIMIT, _SOCKET_LIMIT)
    members = _members(roles, skeleton, heads, tails, rows)
    members = members[~_of_strands(skeleton, roles, heads, tails, rows, members, _TOUCHING * leg)]
    places = (heads + tails)[members[:, 0]] / 2.0
    vital = _vital(skeleton, roles, members)
    return BoneGroups(
        skeleton.names,
        joints,
        points,
        limits,
        touching,
        members,
        places,
        np.linalg.inv(skeleton.rest),
        leg,
        vital,
    )


def limb_members(skeleton: Skeleton, roles: RoleMap) -> dict[str, str]:
    """Return deforming bone -> role for the bones in a limb besides those with its roles, parents before
    children."""
    body, playing = anatomy(skeleton, roles), {bone: role for role, bone in roles.bones.items()}
    return {
        body.names[row]: playing[body.names[owner]]
        for row, owner in body.members[np.argsort(body.members[:, 0])]
    }


def _vital(skeleton: Skeleton, roles: RoleMap, members: np.ndarray) -> np.ndarray:
    """Return whether each bone `(bones,)` is of the body itself, see `Anatomy`."""
    playing = roles.rows(skeleton)
    vital = np.zeros(len(skeleton.names), dtype=bool)
    vital[playing] = True
    vital[[row for bone in playing for row in skeleton.ancestors(bone)]] = True
    vital[members[~skeleton.deform[members[:, 1]], 0]] = True
    return vital


def _bodily(skeleton: Skeleton, roles: RoleMap) -> np.ndarray:
    """Return the rows of the deforming bones that have a length and do not carry the pelvis."""
    counted = skeleton.deform.copy()
    pelvis = roles.get("pelvis")
    if pelvis is not None:
        counted[skeleton.ancestors(skeleton.index[pelvis])] = False
    return np.flatnonzero(counted & (skeleton.lengths > 0.0))


def _leg_length(skeleton: Skeleton, roles: RoleMap, heads: np.ndarray, tails: np.ndarray) -> float:
    """Return the mean length of both legs from joint to joint in armature units."""
    lengths = []
    for side in SIDES:
        rows = roles.rows(skeleton, on_side(LEG_JOINTS, side))
        ends = [heads[row] for row in rows] + (
            [] if roles.has(sided("foot", side)) else [tails[row] for row in rows[-1:]]
        )
        lengths.append(float(norms(np.diff(ends, axis=0)).sum()) if len(ends) > 1 else 0.0)
    return max(float(np.mean(lengths)), 1e-9)


def _touching(
    skeleton: Skeleton,
    roles: RoleMap,
    heads: np.ndarray,
    tails: np.ndarray,
    rows: np.ndarray,
    tolerance: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs of bones `(n, 2)` of which the second has its head at the head or tail of the first,
    and these points `(n, 3)`.

    Imported bones often point backwards: a tail at the head of a bone above it is not a joint.
    """
    playing = roles.rows(skeleton)
    # the first of a crowd count
    rows = np.concatenate([rows[np.isin(rows, playing)], rows[~np.isin(rows, playing)]])
    parents = skeleton.parents[rows]
    carried = np.isin(parents, rows) & (norms(tails[parents] - heads[rows]) < tolerance)

    def meeting(ends: np.ndarray) -> Iterator[tuple[int, int]]:
        return zip(
            *(rows[found].tolist() for found in near_pairs(ends[rows], heads[rows], tolerance)), strict=True
        )

    together = {(one, other) for one, other in meeting(heads) if one < other}
    after = {*meeting(tails), *zip(parents[carried].tolist(), rows[carried].tolist(), strict=True)}
    reached = {
        (one, other) for one, other in after
        if one != other and ((min(one, other), max(one, other)) in together or not skeleton.is_below(one,
            other))
    }  # fmt: skip
    pairs = np.array(sorted(together | reached), dtype=int).reshape(-1, 2)
    return pairs, heads[pairs[:, 1]]


def _held(
    skeleton: Skeleton, roles: RoleMap, joints: np.ndarray, points: np.ndarray, tolerance: float
) -> np.ndarray:
    """Return whether each pair of bones that touch `(n,)` is a joint.

    Roles are always joined to those that they carry, whatever the hierarchy, and so are bones of which
    neither is above the other and one
    `_hangs` at the point. Otherwise no bone between the two may be posed about another point: a pelvis drawn
    upward ends where the
    first bone of the spine does, and robots draw rigid parts wherever these were modelled.
    """
    playing = {skeleton.index[bone]: role for role, bone in roles.bones.items() if bone}
    held, above = np.ones(len(joints), dtype=bool), playing_above(skeleton, playing)
    for pair, ((one, other), point) in enumerate(zip(joints.tolist(), points, strict=True)):
        between = (above[one] ^ above[other]) - {one, other}
        if not between or _carries(roles, playing.get(one, ""), playing.get(other, "")):
            continue
        in_line = skeleton.is_below(one, other) or skeleton.is_below(other, one)
        if in_line or not any(_hangs(skeleton, playing, row, point, tolerance) for row in (one, other)):
            held[pair] = all(norms(skeleton.rest[row, :3, 3] - point) < tolerance for row in between)
    return held


def playing_above(skeleton: Skeleton, playing: Collection[int]) -> list[frozenset[int]]:
    """Return for each bone those of some bones that are above it."""
    found: list[frozenset[int]] = []
    for parent in skeleton.parents.tolist():
        above = found[parent] if parent >= 0 else frozenset()
        found.append(above | {parent} if parent in playing else above)
    return found


def _sockets(skeleton: Skeleton, roles: RoleMap, rows: np.ndarray, joints: np.ndarray) -> np.ndarray:
    """Return the bones `(n, 2)` of roles that do not touch their carrier, as thighs seldom do: carriers
    first.

    A split limb carries the next role with its last piece, so that role's bone need not touch the carrier's
    own bone.
    """
    known = {frozenset(pair) for pair in joints.tolist()}
    found = []
    for role, bone in roles.bones.items():
        carrier = roles.get(carrier_role(roles, role)) if role != "pelvis" else None
        if not bone or not carrier or bone == carrier:
            continue
        pair = skeleton.index[carrier], skeleton.index[bone]
        is_carried = stem_of(role) not in _SOCKETS and pair[1] in joints[:, 1]
        if frozenset(pair) not in known and not is_carried and np.isin(pair, rows).all():
            found.append(pair)
    return np.array(found, dtype=int).reshape(-1, 2)


def _carries(roles: RoleMap, one: str, other: str) -> bool:
    """Return whether one of two roles, '' for none, carries the other."""
    return bool(one and other) and (carrier_role(roles, other) == one or carrier_role(roles, one) == other)


def _hangs(
    skeleton: Skeleton, playing: Mapping[int, str], row: int, point: np.ndarray, tolerance: float
) -> bool:
    """Return whether a bone has a role, and is a limb's, a root, or has a parent with its head or tail at a
    point."""
    if row not in playing:
        return False
    parent = int(skeleton.parents[row])
    if parent < 0 or playing[row].split(".")[0] in (*LEG_PARTS, *ARM_PARTS):
        return True
    head = skeleton.rest[parent, :3, 3]
    ends = (head, head + skeleton.rest[parent, :3, 1] * skeleton.lengths[parent])
    return any(bool(norms(end - point) < tolerance) for end in ends)


def _members(
    roles: RoleMap, skeleton: Skeleton, heads: np.ndarray, tails: np.ndarray, rows: np.ndarray
) -> np.ndarray:
    """Return `(m, 2)` the bones without a role that are in a limb or double one of its bones, and the role's
    bone.

    Fingers are left out: they hang on the hand, and may be posed separately.
    """
    segments = _segments(roles, skeleton, heads, tails)
    playing = set(roles.rows(skeleton))
    others = np.array([row for row in rows if row not in playing], dtype=int)
    if not segments or not len(others):
        return np.zeros((0, 2), dtype=int)
    owners = np.array([segment.bone for segment in segments])
    start, end = (
        np.array(points)
        for points in zip(*((segment.start, segment.end) for segment in segments), strict=True)
    )
    along = end - start
    length = norms(along)
    off = np.stack([off_segments(points[others][:, None], start, along) for points in (heads, tails)]).max(
        axis=0
    )
    share = np.where(length > 0.0, off / np.maximum(length, 1e-12), np.inf)
    nearest = share.argmin(axis=1)
    doubled = _doubles(heads, tails, others, start, along) & [not segment.is_last for segment in segments]
    nearest = np.where(doubled.any(axis=1), doubled.argmax(axis=1), nearest)
    inside = (share.min(axis=1) < _BESIDE) | doubled.any(axis=1)
    hands = set(roles.rows(skeleton, ("hand.L", "hand.R")))
    found = [
        (bone, owner)
        for bone, owner in zip(others[inside].tolist(), owners[nearest[inside]].tolist(), strict=True)
        if owner not in hands or not skeleton.is_below(bone, owner)
    ]
    return np.array(found, dtype=int).reshape(-1, 2)


def _of_strands(
    skeleton: Skeleton,
    roles: RoleMap,
    heads: np.ndarray,
    tails: np.ndarray,
    rows: np.ndarray,
    members: np.ndarray,
    tolerance: float,
) -> np.ndarray:
    """Return whether members `(m,)` continue a chain that is not in the limb, as hair and coats do that fall
    past a hand or a thigh.

    Where no role's bone is above, what ends at a bone's head carries it, whatever the hierarchy: skeletons
    exported flat have none.
    """
    playing = set(roles.rows(skeleton))
    deforming, owners = set(rows.tolist()), dict(members.tolist())
    hands = set(roles.rows(skeleton, ("hand.L", "hand.R")))
    strands: set[int] = set()
    above_all, sought = playing_above(skeleton, playing), np.array(sorted(owners), dtype=int)
    ends: dict[int, list[int]] = {bone: [] for bone in owners}
    for row, bone in zip(*near_pairs(tails[rows], heads[sought], tolerance), strict=True):
        ends[int(sought[bone])].append(int(rows[row]))
    for bone in sorted(owners):
        is_loose, parent = not above_all[bone], int(skeleton.parents[bone])
        is_carried = parent in deforming and norms(tails[parent] - heads[bone]) < tolerance
        above = ends[bone] if is_loose else [parent] if is_carried else []
        others = [
            row
            for row in above
            if row not in playing and row != bone and not skeleton.is_below(owners[bone], row)
        ]
        if (is_loose and owners[bone] in hands) or any(row not in owners or row in strands for row in others):
            strands.add(bone)
    return np.isin(members[:, 0], sorted(strands))


def _doubles(
    heads: np.ndarray, tails: np.ndarray, others: np.ndarray, start: np.ndarray, along: np.ndarray
) -> np.ndarray:
    """Return whether bones start at a limb's segment and point along it `(others, segments)`: doubles, of any
    length."""
    own = (tails - heads)[others]
    lengths, own_lengths = (np.maximum(norms(ways), 1e-12) for ways in (along, own))
    begins = np.linalg.norm(heads[others][:, None] - start, axis=2) < _BESIDE * lengths
    return begins & ((own / own_lengths[:, None]) @ (along / lengths[:, None]).T > _ALIGNED)


class _Segment(NamedTuple):
    """A segment of a limb: its `bone`, and where it starts and ends, `(3,)` each."""

    bone: int
    start: np.ndarray
    end: np.ndarray
    is_last: bool


def _segments(roles: RoleMap, skeleton: Skeleton, heads: np.ndarray, tails: np.ndarray) -> list[_Segment]:
    """Return the segments of all limbs.

    They end at the limb's next joint, the last at its bone's tail, which is less reliable: importers guess
    tails.
    """
    found = []
    for parts in (LEG_PARTS, ARM_PARTS[1:]):
        for side in SIDES:
            chain = roles.rows(skeleton, on_side(parts, side))
            ends = [heads[row] for row in chain[1:]] + [tails[row] for row in chain[-1:]]
            found += [
                _Segment(row, heads[row], end, row == chain[-1]) for row, end in zip(chain, ends, strict=True)
            ]
    return found
