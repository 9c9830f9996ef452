"""Saying in one sentence why an armature, or a map of roles, cannot walk."""

from collections import Counter
from itertools import pairwise

import numpy as np

from ..errors import NeuraRigError
from ..geometry.rotation import norms
from ..skeleton.roles import ARM_PARTS, LEG_PARTS, QUADRUPED, REQUIRED, SIDES, RoleMap, mirrored, sided
from ..skeleton.skeleton import Skeleton
from .biped import rivals
from .conventions import NameVotes
from .evidence import weighed
from .figure import Figure
from .legs import foot_reach, single_legs
from .pairs import Candidates, LimbPair

_NO_LENGTH = 0.02  # thigh lengths: a shin shorter than this has no length
# cosine between thigh and shin: below it the foot is back up past the knee; birds fold their legs far
_FOLDED = -0.8
_STIFF = 0.2  # share of the figure's extent: a single bone that hangs down further is a leg
_FOOT = 0.06  # leg lengths from the ankle forward: a foot reaches further
_AT_ANKLE = 0.03  # leg lengths: an end nearer to the shin's is at the ankle
_ENOUGH_BONES = 4
_COLLAPSED = 0.1  # bone lengths: joints nearer together are at one place
_AT_ONE_PLACE = 3  # bones in a chain, at least: two often share a joint
_APART = "Import the character again with its rest pose, or move its joints apart in Edit Mode."
_ON_LEGS = "a walk needs two legs or four to stand on, assign them in Rig > Bones if the rig has them."


def refuse_pair(figure: Figure, legs: Candidates, above: bool) -> NeuraRigError:
    """Return the error for a pair of legs that does not carry a biped; `above`: whether anything stands on
    it."""
    names, best = figure.skeleton.names, legs.best()
    one, rival, arm = names[best.rows[0, 0]], _rival(figure, legs), _called_arm(figure, best)
    feet = _has_feet(figure, best)
    if rival is not None and (feet or above):
        return NeuraRigError(
            f"This armature stands on more than two legs ('{one}' and '{names[rival]}' both reach the"
            " ground), and not as a four-legged animal does: choose an armature with two legs or four."
        )
    if arm >= 0:
        return _no_legs(names[arm])
    if not feet:
        return NeuraRigError(f"The two chains from '{one}' on have no feet to stand on: {_ON_LEGS}")
    return NeuraRigError(f"Nothing stands upright on the chains from '{one}' on: {_ON_LEGS}")


def refuse_without_pair(skeleton: Skeleton, names: NameVotes) -> NeuraRigError:
    """Return the error for an armature in which no pair of legs was found."""
    if len(skeleton.names) < _ENOUGH_BONES:
        first = f"'{skeleton.names[0]}'" if skeleton.names else "no bone"
        return NeuraRigError(
            f"This armature has too few bones to be a character ({first} is the first): choose the"
            " character's armature."
        )
    stiff = _one_bone_leg(Figure(skeleton))
    if stiff >= 0:
        return NeuraRigError(
            f"The leg '{skeleton.names[stiff]}' is a single bone: subdivide both legs in Edit Mode, a walk"
            " needs knees."
        )
    figure = Figure(skeleton, names=names)
    single = single_legs(figure)
    likely = (
        np.where(_hangs(figure, single.rows), weighed("legs", single.seen), -np.inf)
        if len(single.rows)
        else np.zeros(0)
    )
    if np.isfinite(likely).any():
        one = skeleton.names[single.rows[int(np.argmax(likely)), 0]]
        return NeuraRigError(
            f"Only one leg was found ('{one}'): add its mirror image, or assign both legs in Rig > Bones."
        )
    arms = [
        skeleton.names[names.rows[role]]
        for role in (sided("upper_arm", side) for side in SIDES)
        if role in names.rows
    ]
    if arms:
        return _no_legs(arms[0])
    root = skeleton.names[0]
    return NeuraRigError(f"No two mirrored legs reach the ground below '{root}': {_ON_LEGS}")


def _rival(figure: Figure, legs: Candidates) -> int | None:
    """Return a top bone of a second pair of legs that stands on the same floor, or None."""
    best = int(np.argmax(legs.merit))
    found = rivals(figure, legs, best)
    found = found[(legs.seen["has a foot"][found] > 0.0) | (legs.seen["has a foot"][best] == 0.0)]
    return (
        int(legs.limbs.rows[legs.pairs.one[found[np.argmax(legs.merit[found])]], 0]) if len(found) else None
    )


def _called_arm(figure: Figure, legs: LimbPair) -> int:
    """Return a bone of a pair of legs that the names call an arm, if they do so for most, or -1: on a bust
    nothing else hangs down."""
    arms = {figure.votes.get(sided(part, side), -1) for part in ARM_PARTS for side in SIDES}
    called = [row for row in legs.rows[:, :2].ravel().tolist() if row >= 0 and row in arms]
    return called[0] if len(called) > 2 else -1


def _has_feet(figure: Figure, pair: LimbPair) -> bool:
    """Return whether anything continues forward from a pair's ends."""
    reach = [norms(foot_reach(figure, [row])) for row in pair.rows[:, 2].tolist() if row >= 0]
    return bool(max(reach, default=0.0) > _FOOT * pair.length)


def _one_bone_leg(figure: Figure) -> int:
    """Return one of the two bones that hang down to the very bottom of the figure, with no bone below them,
    or -1."""
    bottom, least = float(figure.tails[:, 2].min()), _STIFF * _size(figure)
    hangs = figure.heads[:, 2] - figure.tails[:, 2] > least
    ends = (figure.below_count == 0) & hangs & (figure.tails[:, 2] < bottom + least / 4.0)
    return int(np.flatnonzero(ends)[0]) if np.count_nonzero(ends) == 2 else -1


def _hangs(figure: Figure, rows: np.ndarray) -> np.ndarray:
    """Return whether chains `(n, 3)` hang down as legs do `(n,)`: neither a snake's neck nor a car's chassis
    does."""
    last = np.where(rows[:, 2] >= 0, rows[:, 2], np.where(rows[:, 1] >= 0, rows[:, 1], rows[:, 0]))
    return figure.heads[rows[:, 0], 2] - figure.tails[last, 2] > _STIFF * _size(figure)


def _size(figure: Figure) -> float:
    """Return the greatest extent of a figure, up or across: what lies is longer than high."""
    return float(np.ptp(np.concatenate([figure.heads, figure.tails]), axis=0).max())


def refuse_flat_shin(figure: Figure, legs: LimbPair) -> None:
    """Raise NeuraRigError if legs seem to have no knee only because a bone between hip and ankle has no
    length."""
    for top, middle, end in legs.rows:
        if middle >= 0 or end < 0:
            continue
        chain = figure.skeleton.chain(int(top), int(end))[1:]
        chain += [below for below in figure.skeleton.children[end] if figure.below_count[below]]
        for upper, lower in pairwise(chain):
            both_deform = figure.skeleton.deform[upper] and figure.skeleton.deform[lower]
            if both_deform and figure.joint_ids[upper] == figure.joint_ids[lower]:
                raise _no_length(figure.skeleton.names[upper])


def require_apart(skeleton: Skeleton) -> None:
    """Raise NeuraRigError if all bones start at one place."""
    if len(skeleton.names) < _ENOUGH_BONES or _extent(skeleton) >= _COLLAPSED * float(
        np.median(skeleton.lengths)
    ):
        return
    raise NeuraRigError(
        f"The rest pose is collapsed: all bones start where '{skeleton.names[0]}' does. {_APART}"
    )


def refuse_collapsed(skeleton: Skeleton) -> NeuraRigError | None:
    """Return the error for limbs whose bones all start at one place, None if there are no two such limbs."""
    heads, parents = skeleton.rest[:, :3, 3], skeleton.parents
    reach, below = np.zeros(len(parents)), np.ones(len(parents), dtype=int)
    for row in np.flatnonzero(parents >= 0)[::-1].tolist():
        above = int(parents[row])
        reach[above] = max(reach[above], reach[row], float(norms(heads[row] - heads[above])))
        below[above] += below[row]
    flat = (reach < _COLLAPSED * np.maximum(skeleton.lengths, _NO_LENGTH * _extent(skeleton))) & (
        below >= _AT_ONE_PLACE
    )
    tops = [row for row in np.flatnonzero(flat).tolist() if parents[row] < 0 or not flat[parents[row]]]
    if len(tops) < len(SIDES):
        return None
    return NeuraRigError(
        f"The rest pose is collapsed from '{skeleton.names[tops[0]]}' on: the bones below it start where it"
        f" does. {_APART}"
    )


def _extent(skeleton: Skeleton) -> float:
    """Return the greatest extent of all heads in armature units."""
    return float(np.max(np.ptp(skeleton.rest[:, :3, 3], axis=0), initial=0.0)) if len(skeleton.names) else 0.0


def refuse_folded(knee: str) -> NeuraRigError:
    """Return the error for a character that kneels at rest, or lifts a leg, and is not found to be a biped
    when it stands."""
    return NeuraRigError(
        f"The knee '{knee}' is folded at rest: pose the character standing, or assign its legs in Rig >"
        " Bones."
    )


def check_roles(skeleton: Skeleton, roles: RoleMap) -> None:
    """Raise NeuraRigError if a map of roles cannot walk: missing, doubled, mixed up or impossible bones."""
    given = {role: bone for role, bone in roles.bones.items() if bone}
    for role, bone in given.items():
        if bone not in skeleton.index:
            raise NeuraRigError(
                f"The bone '{bone}' for {role} is not on this armature: choose another in Rig > Bones."
            )
    fore = [sided("upper_arm", side) for side in SIDES] if roles.kind == QUADRUPED else []
    for role in (*REQUIRED, *fore):
        if role not in given:
            raise NeuraRigError(f"No bone plays {role}: assign one in Rig > Bones.")
    bone, count = Counter(given.values()).most_common(1)[0]
    if count > 1:
        doubled = [role for role, name in given.items() if name == bone]
        both = f"The bone '{bone}' plays both {doubled[0]} and {doubled[1]}"
        raise NeuraRigError(f"{both}: assign another bone to one of them in Rig > Bones.")
    for parts in (LEG_PARTS, ARM_PARTS):
        _check_sides(skeleton, roles, parts)
    for side in SIDES:
        _check_leg(skeleton, roles, side)


def _check_sides(skeleton: Skeleton, roles: RoleMap, parts: tuple[str, ...]) -> None:
    """Raise NeuraRigError if a bone hangs below the other side's limb, or if one side has a leg part that the
    other lacks."""
    for part, below in pairwise(parts):
        for side in SIDES:
            upper, lower = roles.get(mirrored(sided(part, side))), roles.get(sided(below, side))
            if upper and lower and skeleton.index[upper] in skeleton.ancestors(skeleton.index[lower]):
                raise NeuraRigError(
                    f"'{lower}' is {sided(below, side)} but hangs below '{upper}' of the other side: swap"
                    " them in Rig > Bones."
                )
    if parts is LEG_PARTS:
        for part in parts[:3]:
            lacking = [side for side in SIDES if not roles.has(sided(part, side))]
            if len(lacking) == 1 and not (part == "foot" and _is_peg(skeleton, roles, lacking[0])):
                lacked = sided(part, lacking[0])
                bone = roles.get(mirrored(lacked))
                raise NeuraRigError(
                    f"Only one leg has a {part} ('{bone}'): assign {lacked} in Rig > Bones too."
                )


def _is_peg(skeleton: Skeleton, roles: RoleMap, side: str) -> bool:
    """Return whether a leg ends with its shin, without a bone below that could be its foot."""
    shin = roles.get(sided("shin", side))
    return shin is not None and not skeleton.children[skeleton.index[shin]]


def _check_leg(skeleton: Skeleton, roles: RoleMap, side: str) -> None:
    """Raise NeuraRigError if a leg has no length or folds back on itself."""
    thigh, shin, foot = (roles.get(sided(part, side)) for part in LEG_PARTS[:3])
    if not (thigh and shin):
        return
    hip, knee = (skeleton.heads[skeleton.index[bone]] for bone in (thigh, shin))
    ankle = skeleton.heads[skeleton.index[foot]] if foot else skeleton.tails[skeleton.index[shin]]
    upper, lower = knee - hip, ankle - knee
    long = float(norms(upper))
    if long <= _NO_LENGTH * float(norms(ankle - hip)) or long == 0.0:
        raise _no_length(thigh)
    if norms(lower) < _NO_LENGTH * long:
        raise _no_length(shin)
    if foot:
        _check_foot(skeleton, shin, foot, long + float(norms(lower)))
    if upper @ lower < _FOLDED * long * norms(lower):
        raise NeuraRigError(
            f"The foot '{foot or shin}' lies above the knee '{shin}': assign another {sided('foot', side)} in"
            " Rig > Bones."
        )


def _check_foot(skeleton: Skeleton, shin: str, foot: str, leg: float) -> None:
    """Raise NeuraRigError if a foot begins at its toes, and it or a bone below it ends at the ankle, where
    the shin does."""
    row, ankle = skeleton.index[foot], skeleton.tails[skeleton.index[shin]]
    below = [row]
    for k in below:
        below.extend(skeleton.children[k])
    ends = norms(skeleton.tails[below] - ankle).min()
    if ends < _AT_ANKLE * leg and norms(skeleton.heads[row] - ankle) > _FOOT * leg:
        raise NeuraRigError(
            f"The foot '{foot}' points from its toes to the ankle: turn it round in Edit Mode (Armature >"
            " Switch Direction), or assign a bone that begins at the ankle in Rig > Bones."
        )


def _no_legs(arm: str) -> NeuraRigError:
    return NeuraRigError(
        f"There are arms ('{arm}') but no legs: a walk needs two, assign them in Rig > Bones if the rig has"
        " them."
    )


def _no_length(bone: str) -> NeuraRigError:
    return NeuraRigError(
        f"The bone '{bone}' has no length: move the joint below it in Edit Mode, or assign another bone in"
        " Rig > Bones."
    )
