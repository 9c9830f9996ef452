"""Whether a character is in one piece: joints that touch at rest touch in every pose, and a limb takes all its bones along."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .roles import ARM_PARTS, LEG_PARTS, SIDES, RoleMap, sided
from .skeleton import Skeleton

LIMIT = 1.0  # percent of the leg: joints that open farther are seen
_TOUCHING = 5e-3  # of the leg's length: ends nearer than this at rest are one joint
_BESIDE = 0.12  # of a segment's length: bones this near to its axis with both ends lie in the limb
_ALIGNED = 0.9  # cosine between a limb's bone and its double
_BEHIND = 0.5  # of the way that the limb carried a place: a bone that misses it by more stayed behind
_MOST_PERCENT = 1e6  # of the leg: what a pose that is no number counts as in a report
_MOST_NAMES = 20  # of joints and bones in a report
_CHUNK = 64  # frames at a time: a block of thousands of matrices need not be held


@dataclass(frozen=True)
class Anatomy:
    """What has to stay together, in armature space at rest; rows are those of the skeleton.

    `joints` `(n, 2)`: bones that touch, `points` `(n, 3)` where.  `members` `(m, 2)`: a bone that lies in a limb and the bone that plays
    the limb's role, `places` `(m, 3)` the middle of the first.  `from_rest` `(bones, 4, 4)`: inverse rest matrices.  `leg`: armature units.
    """

    names: tuple[str, ...]
    joints: np.ndarray
    points: np.ndarray
    members: np.ndarray
    places: np.ndarray
    from_rest: np.ndarray
    leg: float


@dataclass(frozen=True)
class Integrity:
    """How far a character came apart over some poses.

    `gaps` `(n,)`: the widest gap of each of the anatomy's joints in percent of the leg, infinite where a pose is not finite.
    `open_joints`: pairs of bone names past LIMIT, the widest first.  `left_behind`: names of limb bones that did not follow their limb.
    """

    gaps: np.ndarray
    open_joints: tuple[tuple[str, str], ...]
    left_behind: tuple[str, ...]

    @property
    def widest(self) -> float:
        """The widest gap in percent of the leg."""
        return float(self.gaps.max(initial=0.0))

    @property
    def whole(self) -> bool:
        """Say whether all joints are closed and no limb bone was left behind."""
        return not self.open_joints and not self.left_behind

    @property
    def reason(self) -> str:
        """Return what is wrong, the worst of it; '' where nothing is."""
        if self.open_joints:
            first, second = self.open_joints[0]
            return f"'{second}' comes off '{first}' by {self.widest:.1f} % of the leg"
        return f"'{self.left_behind[0]}' stays behind its limb" if self.left_behind else ""


def integrity_figures(whole: Integrity | None) -> dict[str, Any]:
    """Return what reports say of the deforming bones: the widest gap in percent of the leg, and names, the worst first."""
    if whole is None:
        return {"integrity_percent": None, "open_joints": [], "left_behind": []}
    return {
        "integrity_percent": min(whole.widest, _MOST_PERCENT) if math.isfinite(whole.widest) else _MOST_PERCENT,
        "open_joints": [list(pair) for pair in whole.open_joints[:_MOST_NAMES]],
        "left_behind": list(whole.left_behind[:_MOST_NAMES]),
    }


def anatomy(skeleton: Skeleton, roles: RoleMap) -> Anatomy:
    """Return what has to stay together of a character at rest.

    Only bones marked as deforming count; hand over a skeleton whose `deform` says which bones have weights where a skin tells.  Bones that
    carry the pelvis are roots, which a walk leaves where they are.
    """
    rows = _bodily(skeleton, roles)
    heads = skeleton.rest[:, :3, 3]
    tails = heads + skeleton.rest[:, :3, 1] * skeleton.lengths[:, None]
    leg = _leg_length(skeleton, roles, heads, tails)
    joints, points = _touching(skeleton, heads, tails, rows, _TOUCHING * leg)
    held = _held(skeleton, roles, joints, points, _TOUCHING * leg)
    joints, points = joints[held], points[held]
    members = _members(roles, skeleton, heads, tails, rows)
    places = (heads + tails)[members[:, 0]] / 2.0
    return Anatomy(skeleton.names, joints, points, members, places, np.linalg.inv(skeleton.rest), leg)


def integrity(body: Anatomy, posed: np.ndarray) -> Integrity:
    """Judge evaluated poses: `posed` `(frames, bones, 4, 4)`, or of one frame `(bones, 4, 4)`, in armature space, rows as the skeleton's.

    A gap is how far two bones carry the point that they share at rest from each other, so a limb that is stretched as a whole is fine.
    """
    frames = posed.reshape(-1, *posed.shape[-3:])
    gaps = np.zeros(len(body.joints))
    behind = np.zeros(len(body.members), dtype=bool)
    for start in range(0, len(frames), _CHUNK):
        moved = frames[start : start + _CHUNK] @ body.from_rest
        gaps = np.maximum(gaps, _apart(moved, body.joints, body.points).max(axis=0, initial=0.0))
        missed = _apart(moved, body.members, body.places)
        carried = np.linalg.norm(_carried(moved, body.members[:, 1], body.places) - body.places, axis=2)
        late = (missed > _BEHIND * carried) & (missed > LIMIT / 100.0 * body.leg) | ~np.isfinite(missed)
        behind |= late.any(axis=0)
    percent = 100.0 * gaps / body.leg
    order = np.argsort(-percent, kind="stable")
    opened = [k for k in order if percent[k] > LIMIT]
    pairs = tuple((body.names[body.joints[k, 0]], body.names[body.joints[k, 1]]) for k in opened)
    return Integrity(percent, pairs, tuple(body.names[row] for row in body.members[behind, 0]))


def without_open(body: Anatomy, posed: np.ndarray) -> Anatomy:
    """Return a body without the joints that are open, and the bones that are left behind, in a pose `(bones, 4, 4)`."""
    found = integrity(body, posed)
    behind = set(found.left_behind)
    joined = found.gaps <= LIMIT
    followed = np.array([body.names[row] not in behind for row in body.members[:, 0]], dtype=bool)
    return replace(
        body, joints=body.joints[joined], points=body.points[joined], members=body.members[followed], places=body.places[followed]
    )


def limb_members(skeleton: Skeleton, roles: RoleMap) -> dict[str, str]:
    """Return the deforming bones that lie in a limb beside those that play its roles, parents before children, and the role of each."""
    body, playing = anatomy(skeleton, roles), {bone: role for role, bone in roles.bones.items()}
    return {body.names[row]: playing[body.names[owner]] for row, owner in body.members[np.argsort(body.members[:, 0])]}


def _bodily(skeleton: Skeleton, roles: RoleMap) -> np.ndarray:
    """Return the rows of deforming bones that are part of the figure."""
    counted = skeleton.deform.copy()
    pelvis = roles.get("pelvis")
    if pelvis is not None:
        counted[skeleton.ancestors(skeleton.index[pelvis])] = False
    return np.flatnonzero(counted & (skeleton.lengths > 0.0))


def _leg_length(skeleton: Skeleton, roles: RoleMap, heads: np.ndarray, tails: np.ndarray) -> float:
    """Return the mean length of both legs from joint to joint in armature units."""
    lengths = []
    for side in SIDES:
        rows = [skeleton.index[bone] for bone in (roles.get(sided(part, side)) for part in LEG_PARTS[:3]) if bone]
        ends = [heads[row] for row in rows] + ([] if roles.has(sided("foot", side)) else [tails[row] for row in rows[-1:]])
        lengths.append(float(np.linalg.norm(np.diff(ends, axis=0), axis=1).sum()) if len(ends) > 1 else 0.0)
    return max(float(np.mean(lengths)), 1e-9)


def _touching(
    skeleton: Skeleton, heads: np.ndarray, tails: np.ndarray, rows: np.ndarray, tolerance: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs of bones `(n, 2)` where the head of the second lies at the head or tail of the first, and these points `(n, 3)`.

    Imported bones often point backwards: a tail at the head of a bone above it is no joint.
    """
    own = heads[rows]
    at_head = np.linalg.norm(own[:, None] - own[None], axis=2) < tolerance
    at_tail = np.linalg.norm(tails[rows][:, None] - own[None], axis=2) < tolerance
    touch = np.triu(at_head, 1) | at_tail & ~np.eye(len(rows), dtype=bool)
    backwards = [skeleton.is_below(int(rows[one]), int(rows[other])) and not at_head[one, other] for one, other in np.argwhere(touch)]
    first, second = np.argwhere(touch)[~np.array(backwards, dtype=bool)].T
    return np.stack([rows[first], rows[second]], axis=1), own[second]


def _held(skeleton: Skeleton, roles: RoleMap, joints: np.ndarray, points: np.ndarray, tolerance: float) -> np.ndarray:
    """Say `(n,)` which pairs of bones that touch are joints.

    On the way down from one to the other no bone may lie that a pose turns about some other place: a pelvis drawn upward ends where the
    first bone of the spine does, and robots draw rigid parts wherever these were modelled.  Limbs may hang in pieces, and whatever touches
    a bone where that hangs on its parent.  A leg without a knee keeps its length, and does not hold the foot.
    """
    playing = {skeleton.index[bone]: role for role, bone in roles.bones.items() if bone}
    held = np.ones(len(joints), dtype=bool)
    for pair, ((one, other), point) in enumerate(zip(joints.tolist(), points, strict=True)):
        lines = [[row, *skeleton.ancestors(row)] for row in (one, other)]
        shared = set(lines[0]).intersection(lines[1])
        if _is_stiff_leg(roles, playing.get(one, ""), playing.get(other, "")):
            held[pair] = False
        elif shared.intersection((one, other)) or not any(_hangs(skeleton, playing, row, point, tolerance) for row in (one, other)):
            between = {row for line in lines for row in line[1:] if row not in shared}
            held[pair] = all(np.linalg.norm(skeleton.rest[row, :3, 3] - point) < tolerance for row in between.intersection(playing))
    return held


def _is_stiff_leg(roles: RoleMap, *pair: str) -> bool:
    """Say whether two roles are the one bone of a leg and its foot."""
    return any({sided("thigh", side), sided("foot", side)} == set(pair) and not roles.has(sided("shin", side)) for side in SIDES)


def _hangs(skeleton: Skeleton, playing: Mapping[int, str], row: int, point: np.ndarray, tolerance: float) -> bool:
    """Say whether a bone plays a role and is of a limb, or hangs on its parent, where it has one, at a place."""
    if row not in playing:
        return False
    parent = int(skeleton.parents[row])
    if parent < 0 or playing[row].split(".")[0] in (*LEG_PARTS, *ARM_PARTS):
        return True
    head = skeleton.rest[parent, :3, 3]
    ends = (head, head + skeleton.rest[parent, :3, 1] * skeleton.lengths[parent])
    return any(bool(np.linalg.norm(end - point) < tolerance) for end in ends)


def _members(roles: RoleMap, skeleton: Skeleton, heads: np.ndarray, tails: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return `(m, 2)` the bones that lie in a limb or double one of its bones, beside those that play a role, and the role's bone.

    Fingers are left out: they hang on the hand, and may be posed on their own.
    """
    segments = _segments(roles, skeleton, heads, tails)
    playing = {skeleton.index[bone] for bone in roles.bones.values() if bone}
    others = np.array([row for row in rows if row not in playing], dtype=int)
    if not segments or not len(others):
        return np.zeros((0, 2), dtype=int)
    owners = np.array([row for row, *_ in segments])
    start, end = (np.array([segment[k] for segment in segments]) for k in (1, 2))
    along = end - start
    length = np.linalg.norm(along, axis=1)
    off = np.stack([_off_axis(points[others], start, along) for points in (heads, tails)]).max(axis=0)
    share = np.where(length > 0.0, off / np.maximum(length, 1e-12), np.inf)
    nearest = share.argmin(axis=1)
    doubled = _doubles(heads, tails, others, start, along) & [not is_last for *_, is_last in segments]
    nearest = np.where(doubled.any(axis=1), doubled.argmax(axis=1), nearest)
    inside = (share.min(axis=1) < _BESIDE) | doubled.any(axis=1)
    hands = {skeleton.index[bone] for bone in (roles.get(sided("hand", side)) for side in SIDES) if bone}
    found = [
        (bone, owner)
        for bone, owner in zip(others[inside].tolist(), owners[nearest[inside]].tolist(), strict=True)
        if owner not in hands or not skeleton.is_below(bone, owner)
    ]
    return np.array(found, dtype=int).reshape(-1, 2)


def _doubles(heads: np.ndarray, tails: np.ndarray, others: np.ndarray, start: np.ndarray, along: np.ndarray) -> np.ndarray:
    """Say `(others, segments)` which bones begin where a segment of a limb does and go its way: as its double, however long."""
    own = (tails - heads)[others]
    lengths, own_lengths = (np.maximum(np.linalg.norm(ways, axis=1), 1e-12) for ways in (along, own))
    begins = np.linalg.norm(heads[others][:, None] - start, axis=2) < _BESIDE * lengths
    return begins & ((own / own_lengths[:, None]) @ (along / lengths[:, None]).T > _ALIGNED)


def _segments(roles: RoleMap, skeleton: Skeleton, heads: np.ndarray, tails: np.ndarray) -> list[tuple[int, np.ndarray, np.ndarray, bool]]:
    """Return the bone, start and end of every limb segment, to the next joint of the limb, else to the bone's tail; and whether it is that.

    Tails say little: importers guess them.
    """
    found = []
    for parts in (LEG_PARTS, ARM_PARTS[1:]):
        for side in SIDES:
            chain = [skeleton.index[bone] for bone in (roles.get(sided(part, side)) for part in parts) if bone]
            ends = [heads[row] for row in chain[1:]] + [tails[row] for row in chain[-1:]]
            found += [(row, heads[row], end, row == chain[-1]) for row, end in zip(chain, ends, strict=True)]
    return found


def _off_axis(points: np.ndarray, start: np.ndarray, along: np.ndarray) -> np.ndarray:
    """Return the distances `(points, segments)` from points to segments."""
    away = points[:, None] - start[None]
    share = np.clip(np.sum(away * along, axis=2) / np.maximum(np.sum(along * along, axis=1), 1e-24), 0.0, 1.0)
    return np.linalg.norm(away - share[..., None] * along, axis=2)


def _apart(moved: np.ndarray, pairs: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return `(frames, n)` how far the two bones of each pair carry its point from each other; infinite where a pose is not finite."""
    gap = _carried(moved, pairs[:, 0], points) - _carried(moved, pairs[:, 1], points)
    return np.nan_to_num(np.linalg.norm(gap, axis=2), nan=np.inf)


def _carried(moved: np.ndarray, rows: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return where bones carry points `(n, 3)` in each frame: `(frames, n, 3)`."""
    matrices = moved[:, rows]
    return np.einsum("fnij,nj->fni", matrices[..., :3, :3], points) + matrices[..., :3, 3]
