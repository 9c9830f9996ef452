"""Which points of a body are locked, and all that depends on that alone: found once for each set of
points."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...body.limbs import ReachingLimbs
from ...character.body import FORWARD
from ...errors import NeuraRigError
from ...skeleton.roles import SIDES, stem_of
from ..point_body import PointBody
from ..points import INDEX, POINTS
from .trunk_reach import TrunkReach

# How easily parts of the trunk turn (rad^2) where the whole moves by 1 m^2: a spine bends before pelvis and
# rib cage tilt.
_EASE = {"pelvis": 3.0, "spine": 10.0, "chest": 3.0, "neck": 30.0, "clavicle": 10.0}
_ROOT_EASE = 1.0
# Priorities where not all can be met, against 1 for locked points of the trunk and ends of stiff limbs: feet
# before hands.
_PULL = {"hip": 0.3, "shoulder": 0.1}
# metres: least margin from fully stretched, so that the small gaps that the trunk leaves are within reach
_SLACK = 5e-4
_STRETCHED = 0.9995  # of a limb's length: the trunk moves for a limb that would have to stretch more
LIMBS = {
    f"{end}.{side}": (f"{start}.{side}", f"{middle}.{side}")
    for start, middle, end in (("hip", "knee", "ankle"), ("shoulder", "elbow", "wrist"))
    for side in SIDES
}
# bend directions in the reference pose
_POLES = {"hip": FORWARD, "shoulder": -FORWARD}
# Points on the end of a limb or on the neck -> the joint that they bring along if that is not locked itself.
RIDERS = {"toe_tip": "ball", "ball": "ankle", "hand_tip": "wrist", "head_top": "head"}


class Limb(NamedTuple):
    """A limb of two bones: rows of its points and of the tree's roles, and the direction in which it bends in
    the reference pose."""

    start: int
    middle: int
    end: int
    upper: int
    lower: int
    pole: np.ndarray


class Aim(NamedTuple):
    """A bone to be aimed, so that the line from `joint` through `point` leads to where that is wanted: rows
    of its role and points."""

    role: int
    joint: int
    point: int


class _Reaching(NamedTuple):
    """A limb that reaches, with its middle if that `is_pinned`, else with its end."""

    limb: Limb
    is_pinned: bool


@dataclass(frozen=True)
class LockPlan:
    """How the locked points of a body are reached.

    `wanted`: rows of the locked points, then of the joints that they bring along. `brought`: (joint, what
    brings it), in order.
    `trunk`: what is asked of the trunk's roles `trunk_rows`; `trunk_goals`: the wanted points that its points
    are to reach, or be near to.
    `bent`: limbs of two bones of which only the end is wanted, and `reaching`: their positions in
    `trunk_goals`.
    `aimed`: other bones to turn, in order.
    """

    wanted: tuple[int, ...]
    brought: tuple[tuple[int, int], ...]
    trunk: TrunkReach
    trunk_rows: np.ndarray
    trunk_goals: np.ndarray
    bent: tuple[Limb, ...]
    reaching: np.ndarray
    aimed: tuple[Aim, ...]

    @classmethod
    def of(cls, body: PointBody, names: tuple[str, ...]) -> "LockPlan":
        """Return the plan for some points of a body; raises NeuraRigError for a point that no bone of the rig
        can move."""
        unknown = [name for name in names if name not in INDEX]
        if unknown:
            raise NeuraRigError(f"'{unknown[0]}' cannot be locked; choose one of {', '.join(POINTS)}.")
        wanted, brought, riders = list(names), [], []
        for stem, joint in RIDERS.items():
            for name in [name for name in wanted if stem_of(name) == stem]:
                holder = joint + name[len(stem) :]
                if stem == "head_top" and holder not in names:
                    continue  # the trunk's chain carries the head along
                riders.append(Aim(_role(body, INDEX[name], name, holder), INDEX[holder], INDEX[name]))
                if holder not in wanted:
                    wanted.append(holder)
                    brought.append((INDEX[holder], INDEX[name]))
        bent, aimed, near = [], [], []
        for end, (start, middle) in LIMBS.items():
            if end in wanted or middle in wanted:
                limb = _limb(body, start, middle, end, end if end in wanted else middle)
                near.append(_Reaching(limb, is_pinned=middle in wanted))
                if middle in wanted:
                    aimed += [Aim(limb.upper, limb.start, limb.middle)]
                if limb.upper == limb.lower:
                    aimed += [Aim(limb.upper, limb.start, limb.end)] if middle not in wanted else []
                elif middle not in wanted:
                    bent.append(limb)
                elif end in wanted:
                    aimed.append(Aim(limb.lower, limb.middle, limb.end))
        aside = {
            "pelvis",
            *LIMBS,
            *(middle for _, middle in LIMBS.values()),
            *(POINTS[rider.point] for rider in riders),
        }
        exact = [INDEX[name] for name in wanted if name not in aside]
        trunk, rows = _trunk(body, exact, near, "pelvis" not in wanted)
        trunk_goals = [*exact, *(limb.middle if is_pinned else limb.end for limb, is_pinned in near)]
        places = tuple(INDEX[name] for name in wanted)
        order = np.array([places.index(point) for point in trunk_goals], dtype=int)
        reaching = np.array([trunk_goals.index(limb.end) for limb in bent], dtype=int)
        return cls(places, tuple(brought), trunk, rows, order, tuple(bent), reaching, (*aimed, *riders[::-1]))


def bent_limbs(body: PointBody, bent: Sequence[Limb]) -> ReachingLimbs:
    """Return limbs of two bones side by side."""
    rest, upper = body.at_rest, np.array([limb.upper for limb in bent])
    poles = np.array([limb.pole for limb in bent])[:, None] @ body.turns[body.tree.joints[upper]]
    arms = [rest[limb.middle] - rest[limb.start] for limb in bent] + [
        rest[limb.end] - rest[limb.middle] for limb in bent
    ]
    return ReachingLimbs(np.concatenate([upper, [limb.lower for limb in bent]]), np.array(arms), poles[:, 0])


def limb_of(body: PointBody, point: str) -> Limb | None:
    """Return the limb that has a point as its end or middle; None if it is neither, or if no bone of the rig
    can move it."""
    for end, (start, middle) in LIMBS.items():
        if point in (middle, end):
            whole = lockable(body, end)
            return (
                _limb(body, start, middle, end if whole else middle, point) if lockable(body, point) else None
            )
    return None


def rider_of(body: PointBody, point: str) -> Aim | None:
    """Return the bone that is aimed at a point of `RIDERS`; None if it is not one, or if there is no bone."""
    stem, dot, side = point.partition(".")
    if stem not in RIDERS or not lockable(body, point):
        return None
    holder = RIDERS[stem] + dot + side
    return Aim(_role(body, INDEX[point], point, holder), INDEX[holder], INDEX[point])


def lockable(body: PointBody, point: str) -> bool:
    """Return whether a bone of the rig can move a point to its place: a rig without toes cannot turn their
    tips."""
    stem, dot, side = point.partition(".")
    if stem in RIDERS:
        return _is_carried(body, INDEX[point], RIDERS[stem] + dot + side)
    for end, (start, middle) in LIMBS.items():
        if point in (middle, end):
            return _is_carried(body, INDEX[middle], start)
    return True


def _is_carried(body: PointBody, point: int, holder: str) -> bool:
    """Return whether a point is on a bone that turns at the joint `holder`."""
    return body.carriers.joint_of(body.carriers.carrier(point)) == INDEX[holder]


def _role(body: PointBody, point: int, locked: str, holder: str) -> int:
    """Return the row of the role that carries a point; raises NeuraRigError if it does not turn at the joint
    `holder`."""
    role = body.carriers.carrier(point)
    if not _is_carried(body, point, holder):
        raise NeuraRigError(
            f"'{locked}' cannot be locked: the rig has no bone that turns at the {holder}; assign it in the"
            " role list."
        )
    return body.tree.roles.index(role)


def _limb(body: PointBody, start: str, middle: str, end: str, locked: str) -> Limb:
    upper = _role(body, INDEX[middle], locked, start)
    lower = body.tree.roles.index(body.carriers.carrier(INDEX[end]))
    return Limb(INDEX[start], INDEX[middle], INDEX[end], upper, lower, _POLES[stem_of(start)])


def _trunk(
    body: PointBody, exact: list[int], near: list[_Reaching], moves: bool
) -> tuple[TrunkReach, np.ndarray]:
    """Return what is asked of the trunk, and the rows of its roles in the tree; `near`: limbs that reach from
    it."""
    ways = [way_to(body, point) for point in [*exact, *(limb.start for limb, _ in near)]]
    rows = np.array(sorted({role for way in ways for role in way}), dtype=int)
    arms = np.zeros((len(rows), 3, len(ways)))
    for at, way in enumerate(ways):
        for role, arm in way.items():
            arms[np.searchsorted(rows, role), :, at] = arm
    size = body.size
    spans = [distances(body, limb, is_pinned, size) for limb, is_pinned in near]
    trunk = TrunkReach(
        arms=arms,
        ease=np.array([_ease(body, body.tree.roles[row]) for row in rows]),
        root_ease=_ROOT_EASE * size**2 if moves else 0.0,
        least=np.array([least for least, _ in spans]),
        most=np.array([most for _, most in spans]),
        pull=np.array(
            [
                1.0 if least == most else _PULL[POINTS[limb.start].partition(".")[0]]
                for (limb, _), (least, most) in zip(near, spans, strict=True)
            ]
        ),
        size=size,
    )
    return trunk, rows


def way_to(body: PointBody, point: int) -> dict[int, np.ndarray]:
    """Return the arms `(3,)` by which the roles on the way from the pelvis carry a point."""
    tree = body.tree
    role = int(tree.holders[point])
    way = {role: tree.reaches[point]} if tree.reaches[point].any() else {}
    while tree.parents[role] >= 0:
        way[int(tree.parents[role])] = tree.arms[role]
        role = int(tree.parents[role])
    return way


def distances(body: PointBody, limb: Limb, pinned: bool, size: float) -> tuple[float, float]:
    """Return the least and the most distance of a limb's start from where its middle (`pinned`) or its end is
    wanted, metres."""
    a, b = span(body, limb, 0), span(body, limb, 1)
    if pinned:
        return a, a
    if limb.upper == limb.lower:
        whole = float(np.linalg.norm(body.at_rest[limb.end] - body.at_rest[limb.start]))
        return whole, whole
    return abs(a - b), min(_STRETCHED * (a + b), a + b - _SLACK * size)


def span(body: PointBody, limb: Limb, part: int) -> float:
    """Return the length of a limb's upper (0) or lower (1) part in metres."""
    ends = (limb.start, limb.middle, limb.end)
    return float(np.linalg.norm(body.at_rest[ends[part + 1]] - body.at_rest[ends[part]]))


def _ease(body: PointBody, role: str) -> float:
    if role == body.carriers.carrier(INDEX["neck"]) and role != "pelvis":
        return _EASE["chest"]
    return _EASE.get(stem_of(role), _EASE["neck"])
