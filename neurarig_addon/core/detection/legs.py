"""Evidence from the shape, legs: two mirrored chains that reach the ground, and the joints below their
ankles.

Legs folded at rest, on a character that kneels or lifts one, are found by name, and judged with the character
standing.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from ..geometry.rotation import ON_GROUND, norms
from ..skeleton.roles import LEG_PARTS, SIDES, RoleMap, sided
from ..skeleton.skeleton import Skeleton
from ..skeleton.standing_pose import solved, stands, stood
from .conventions import NameVotes
from .evidence import Evidence
from .figure import SAME_POINT, Figure
from .limbs import Limbs, find_limbs, lengths
from .pairs import Candidates, LimbPair, Pairs, mirrored_pairs

# share of a bone's length: a tail nearer to the next joint meets it, so the rig's tails are reliable
_MET = 0.05


def foot_reach(figure: Figure, leg: Sequence[int]) -> np.ndarray:
    """Return the horizontal vector `(3,)` from the ankle to the farthest joint below it, zero if the rig has
    none.

    `leg` lists the rows of thigh, shin and foot (those that exist). Tails count only on rigs whose tails meet
    the next joint.
    """
    foot = leg[-1]
    ends = foot_joints(figure, leg)
    flat = [(end - figure.heads[foot]) * ON_GROUND for end in ends]
    return max(flat, key=lambda vector: float(norms(vector)), default=np.zeros(3))


def foot_joints(figure: Figure, leg: Sequence[int]) -> np.ndarray:
    """Return all joints and reliable tails `(n, 3)` below a leg's last bone, twins of that bone included."""
    foot = leg[-1]
    below = sorted({row for twin in _twins(figure, foot) for row in figure.below(twin)})
    points = figure.heads[
        _deforming(figure, [row for row in below if figure.joint_ids[row] != figure.joint_ids[foot]])
    ]
    if any(_meets(figure, bone, following) for bone, following in pairwise(leg)):
        deform = [row for row in figure.below(foot) if figure.skeleton.deform[row] or row == foot]
        points = np.concatenate([points, figure.tails[deform]])
    return points


def _meets(figure: Figure, bone: int, following: int) -> bool:
    """Return whether a bone's tail lies at the next bone's head."""
    length = norms(figure.heads[following] - figure.heads[bone])
    return bool(norms(figure.tails[bone] - figure.heads[following]) < _MET * length)


def _twins(figure: Figure, row: int) -> list[int]:
    """Return the bones that start at a bone's joint, the bone itself first."""
    near = norms(figure.heads - figure.heads[row]) < SAME_POINT * figure.size
    return [row, *(int(k) for k in np.flatnonzero(near) if k != row)]


def _deforming(figure: Figure, rows: list[int]) -> list[int]:
    """Return the deforming bones, or all if none deforms: a control of the foot may lie anywhere."""
    return [row for row in rows if figure.skeleton.deform[row]] or rows


def joints_below(figure: Figure, foot: int) -> list[int]:
    """Return the bones that start at the next joints below the ankle, including those that hang on another
    one at such a joint."""
    found: list[int] = []
    waiting = _twins(figure, foot)
    seen = set(waiting)
    while waiting:
        for child in figure.skeleton.children[waiting.pop()]:
            if child not in seen:
                seen.add(child)
                found.append(child)
                if any(
                    figure.joint_ids[below] == figure.joint_ids[child]
                    for below in figure.skeleton.children[child]
                ):
                    waiting.append(child)
    return found


PARTS = ("thigh", "shin", "foot")
_MIN_DROP = 0.1  # least drop in height along thigh and along shin, share of their length: a leg hangs down
# shares of the figure's height and size: an ankle is lower than their sum above the floor
_LOW, _LEAST = 0.6, 0.02
_MIN_LENGTH = 0.05  # least length of a leg, share of the figure's size
_MAX_REACH = 0.9  # leg lengths: greatest height of the ankle above the floor; birds stand on their toes
_MIN_APART = 0.03  # leg lengths: least distance between the hips
_LEAST_ABOVE = 0.05  # least share of the figure's height above the hips
# share of the length of a one-bone leg: a bone above it that is longer is the thigh, not a hip link
_LONG_LINK = 0.4
_SHORTEST_FOOT = 0.06  # leg lengths from the ankle forward


def single_legs(figure: Figure, spare: Iterable[int] = ()) -> Limbs:
    """Return the limbs that hang down and reach the floor, without the bones in `spare` and below them."""
    allowed = np.ones(len(figure.heads), dtype=bool)
    allowed[[below for row in spare for below in figure.below(row)]] = False
    top = float(figure.heads[:, 2].max(initial=figure.floor))
    low = figure.heads[:, 2] < figure.floor + _LOW * (top - figure.floor) + _LEAST * figure.size
    legs = find_limbs(figure, PARTS, allowed, lambda points: _hangs_down(figure, points), last=low)
    legs = legs.only(np.logical_not(_is_lower_half(figure, legs)))
    drop = _drops(legs.points)
    return legs.also(
        {
            "has a foot": 1.0 * _has_foot(figure, legs),
            "thigh slants": 1.0 - drop[:, 0],
            "shin slants": 1.0 - drop[:, 1],
        }
    )


def _hangs_down(figure: Figure, points: np.ndarray) -> np.ndarray:
    """Return whether joints `(n, 3, 3)` hang below each other and reach the floor, `(n,)`."""
    length = lengths(points)
    reach = points[:, 2, 2] - figure.floor
    return (
        (_drops(points) > _MIN_DROP).all(axis=1)
        & (length > _MIN_LENGTH * figure.size)
        & (reach < _MAX_REACH * length)
    )


def _is_lower_half(figure: Figure, legs: Limbs) -> np.ndarray:
    """Return whether legs `(n,)` of one bone hang on a long bone that carries nothing else: that is the
    thigh, as of a sitting frog."""
    top = legs.rows[:, 0]
    above = figure.joint_above[top]
    single = np.array([len(children) == 1 for children in figure.skeleton.children], dtype=bool)
    link = norms(figure.heads[top] - figure.heads[above])
    return (legs.rows[:, 1] < 0) & (above >= 0) & single[above] & (link > _LONG_LINK * legs.length)


def _drops(points: np.ndarray) -> np.ndarray:
    """Return the drop in height along both segments `(n, 2)`, as a share of their length."""
    steps = -np.diff(points, axis=1)
    return steps[:, :, 2] / np.maximum(np.linalg.norm(steps, axis=2), 1e-12)


def leg_candidates(figure: Figure, legs: Limbs) -> Candidates | None:
    """Return all mirrored pairs with the evidence on them."""
    top = max(float(figure.heads[:, 2].max(initial=figure.floor)) - figure.floor, 1e-9)

    def look(pairs: Pairs) -> tuple[Evidence, np.ndarray]:
        height = np.maximum(pairs.middle[:, 0, 2] - figure.floor, 1e-9)
        hip = pairs.greatest(height)
        carrier = np.where((pairs.hub >= 0)[:, None], figure.heads[pairs.hub], pairs.middle[:, 0])
        seen = {
            "ankle above floor": np.maximum(pairs.middle[:, 2, 2] - figure.floor, 0.0) / pairs.length,
            "high for its hub": np.log(height / hip),
            "body above": np.log(np.maximum(1.0 - hip / top, _LEAST_ABOVE)),
            "height": np.log(height / top),
            "hips apart": np.minimum(pairs.apart / pairs.length, 1.0),
            "wide hips": np.maximum(pairs.apart / pairs.length - 0.6, 0.0),
            "hub far": np.minimum(norms(carrier - pairs.middle[:, 0]) / pairs.length, 2.0),
            "no hub": 1.0 * (pairs.hub < 0),
        }
        return seen, pairs.apart > _MIN_APART * pairs.length

    return mirrored_pairs(figure, legs, "legs", look)


def _has_foot(figure: Figure, legs: Limbs) -> np.ndarray:
    """Return whether something continues forward from the end of each leg `(n,)`."""
    reach = np.zeros(len(figure.heads))
    ends = np.unique(legs.rows[:, 2])
    ends = ends[ends >= 0]
    reach[ends] = [norms(foot_reach(figure, [row])) for row in ends.tolist()]
    return np.where(legs.rows[:, 2] >= 0, reach[legs.rows[:, 2]], 0.0) > _SHORTEST_FOOT * legs.length


def unfolded(skeleton: Skeleton, names: NameVotes, legs: LimbPair) -> Skeleton | None:
    """Return the skeleton standing on its legs by name; None if they are those of the shape, are not usable,
    or it stands at rest.

    `legs`: those found by the shape of the rest pose.
    """
    chains = [[names.rows.get(sided(part, side), -1) for part in LEG_PARTS[:3]] for side in SIDES]
    is_named = "pelvis" in names.rows and min(row for chain in chains for row in chain) >= 0
    if not is_named or sorted(chains) == sorted(legs.rows.tolist()):
        return None
    if any(upper not in skeleton.ancestors(lower) for chain in chains for upper, lower in pairwise(chain)):
        return None
    roles = RoleMap({role: skeleton.names[row] for role, row in names.rows.items()})
    return None if stands(skeleton, roles) else stood(skeleton, roles, solved(skeleton, roles))
