"""Where the six chains of a character begin, bend and end at rest, and on which bones.

The chest is a point, not a joint: two thirds along the spine from hips to neck, fixed to the last spine bone,
so that it does not
depend on the number of spine bones.  The middle of the spine is half way to it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..character.body import Body
from ..character.character import Character
from ..character.motion import Motion
from ..character.reference import DOWN, FORWARD, OUTWARD
from ..easing import running
from ..geometry.rotation import from_axis_angle, normalized, norms, rejected
from ..skeleton.roles import NECK, SIDES, neck_of, require_two_legs, sided, spine_of
from .encoding import SPINE, Measures

CHEST_AT = 2.0 / 3.0  # share of the length from hips to neck: the chest joint of a spine of three equal bones
_AT_ORIGIN = 0.05  # hips heights: a pelvis nearer to the armature's origin counts as being at it
_ALONG = 0.9  # cosine: the 'back' of a trunk chain that points further forward is up


@dataclass(frozen=True)
class RestPoint:
    """A point `rest` `(3,)` of the rest pose in the walk frame, carried by the bone of `role`."""

    role: str
    rest: np.ndarray

    def place(self, motions: Mapping[str, Motion]) -> np.ndarray:
        """Return the positions `(f, 3)` of the point."""
        motion = motions[self.role]
        return motion.position if np.array_equal(self.rest, motion.rest) else motion.carry(self.rest)


@dataclass(frozen=True)
class ChainAnatomy:
    """One chain on one character, walk frame, metres.

    `bones`: the roles that bend, from the root.  `end`: the role whose orientation is the effector's.
    `holder`: the point from which the direction to the root is measured. `root`, `middle`, `effector`: the
    chain's points.
    `length`: of a limb the sum of both bones; of spine and neck the straight distance from root to effector
    at rest.
    `along`, `hinge` `(3,)`: in the reference pose, the upper bone's direction and the side to which the
    middle bends.
    """

    bones: tuple[str, ...]
    end: str
    holder: RestPoint
    root: RestPoint
    middle: RestPoint
    effector: RestPoint
    length: float
    along: np.ndarray
    hinge: np.ndarray

    @property
    def root_direction(self) -> np.ndarray:
        """From the holder to the root at rest `(3,)`, metres."""
        return self.root.rest - self.holder.rest

    @property
    def axle(self) -> np.ndarray:
        """The axis `(3,)` about which a limb bends in the reference pose."""
        return np.cross(self.along, self.hinge)

    @property
    def bone_lengths(self) -> tuple[float, float]:
        """The lengths from root to middle and from middle to effector at rest, metres."""
        lower, upper = self.middle.rest - self.root.rest, self.effector.rest - self.middle.rest
        return float(norms(lower)), float(norms(upper))

    @property
    def rest_shape(self) -> np.ndarray:
        """From the root to the middle and to the effector at rest `(2, 3)`, in chain lengths; zero for a
        chain without length."""
        points = np.stack([self.middle.rest, self.effector.rest]) - self.root.rest
        return points / self.length if self.length > 0.0 else np.zeros((2, 3))


@dataclass(frozen=True)
class Anatomy:
    """A character's chains and hips.

    `hips_height`, `ankle_height`: above the soles in the reference pose, metres.
    `ground`: height of its clips' ground above the soles at rest, metres. It is 0, except for rigs with their
    hips at the
    armature's origin at rest, as in BVH files: their clips' ground is at the origin, and the clips raise the
    hips.
    """

    hips: RestPoint
    chains: Mapping[str, ChainAnatomy]
    hips_height: float
    ankle_height: float
    ground: float

    @classmethod
    def of(cls, character: Character) -> "Anatomy":
        """Return a character's anatomy; it always has spine and legs.

        Raises NeuraRigError for one on four legs: an encoding knows two.
        """
        require_two_legs(character.roles, "it takes clips of others on four legs only")
        body = character.body
        hips = RestPoint("pelvis", body.pelvis)
        spine = _spine(character, hips)
        chains = {SPINE: spine} | _neck(character, spine.effector)
        chains |= {sided("leg", side): _leg(character, row, hips) for row, side in enumerate(SIDES)}
        for row, side in enumerate(SIDES):
            if (
                character.row(sided("upper_arm", side)) is not None
                and character.row(sided("forearm", side)) is not None
            ):
                chains[sided("arm", side)] = _arm(character, row, spine.effector)
        ankle_height = float(
            np.mean(body.ankle[:, 2] - np.minimum(np.minimum(body.heel, body.ball), body.toe)[:, 2])
        )
        hips_height = float(body.pelvis[2] - body.hip[:, 2].mean()) + body.leg_length + ankle_height
        origin = float(character.in_walk(character.skeleton.to_world[:3, 3])[2])
        ground = origin if abs(body.pelvis[2] - origin) < _AT_ORIGIN * hips_height else 0.0
        return cls(hips, chains, hips_height, ankle_height, ground)

    def measures(self, body: Body, rolls: Mapping[str, float] | None = None) -> Measures:
        """Return the proportions that an encoding stores; `rolls` as in Measures."""
        trunk = {name: chain.rest_shape for name, chain in self.chains.items() if name in (SPINE, NECK)}
        return Measures(
            hips_height=self.hips_height,
            leg_length=body.standing_length,
            ankle_height=self.ankle_height,
            hip_offset=body.hip.mean(axis=0) - body.pelvis,
            lengths={name: chain.length for name, chain in self.chains.items()},
            rest=trunk,
            rolls=dict(rolls or {}),
        )


def rolled(chain: ChainAnatomy, roll: float) -> np.ndarray:
    """Return the turn `(3, 3)` about a chain's stretched upper bone by `roll` radians."""
    return from_axis_angle(chain.along, np.array(roll))


def _spine(character: Character, hips: RestPoint) -> ChainAnatomy:
    bones = spine_of(character.roles)
    carriers = ["pelvis", *bones]
    points = np.array(
        [hips.rest, *(character.rest_head(role) for role in bones), _top(character, carriers[-1])]
    )
    chest = RestPoint(carriers[-1], _point_along(points, CHEST_AT)[1])
    segment, middle = _point_along(points, CHEST_AT / 2.0)
    along = chest.rest - hips.rest
    length = float(norms(along))
    return ChainAnatomy(
        tuple(bones),
        carriers[-1],
        hips,
        hips,
        RestPoint(carriers[segment], middle),
        chest,
        length,
        *_back_of(along),
    )


def _neck(character: Character, chest: RestPoint) -> dict[str, ChainAnatomy]:
    """Return the neck chain; without neck bones its length is zero, without neck and head there is no
    chain."""
    bones = neck_of(character.roles)
    has_head = character.row("head") is not None
    if not bones and not has_head:
        return {}
    carriers = bones or ["head"]
    effector = (
        RestPoint("head", character.rest_head("head"))
        if has_head
        else RestPoint(bones[-1], _tail(character, bones[-1]))
    )
    points = np.array([*(character.rest_head(role) for role in carriers), effector.rest])
    segment, middle = _point_along(points, 0.5)
    along = effector.rest - points[0]
    root = RestPoint(carriers[0], points[0])
    length = float(norms(along))
    return {
        NECK: ChainAnatomy(
            tuple(bones),
            effector.role,
            chest,
            root,
            RestPoint(carriers[segment], middle),
            effector,
            length,
            *_back_of(along),
        )
    }


def _leg(character: Character, row: int, hips: RestPoint) -> ChainAnatomy:
    """Return one leg; without a shin the middle is half way, without a foot the effector is the last bone's
    end."""
    body, side = character.body, SIDES[row]
    thigh = sided("thigh", side)
    shin, foot = (
        sided(part, side) if character.row(sided(part, side)) is not None else None
        for part in ("shin", "foot")
    )
    last = foot or shin or thigh
    length = float(body.thigh_length[row] + body.shin_length[row])
    points = (
        RestPoint(thigh, body.hip[row]),
        RestPoint(shin or thigh, body.knee[row]),
        RestPoint(last, body.ankle[row]),
    )
    return ChainAnatomy(
        (thigh, shin) if shin else (thigh,), last, hips, *points, length, DOWN, body.bends * FORWARD
    )


def _arm(character: Character, row: int, chest: RestPoint) -> ChainAnatomy:
    body, side = character.body, SIDES[row]
    upper, fore, hand = (sided(part, side) for part in ("upper_arm", "forearm", "hand"))
    last = hand if character.row(hand) is not None else fore
    points = (
        RestPoint(upper, body.shoulder[row]),
        RestPoint(fore, body.elbow[row]),
        RestPoint(last, body.wrist[row]),
    )
    length = float(norms(body.elbow[row] - body.shoulder[row]) + norms(body.wrist[row] - body.elbow[row]))
    return ChainAnatomy((upper, fore), last, chest, *points, length, OUTWARD[row], -FORWARD)


def _top(character: Character, last: str) -> np.ndarray:
    """Return the top of the spine `(3,)` at rest: the neck, else the head, else the end of its last bone."""
    role = next((role for role in (NECK, "head") if character.row(role) is not None), None)
    return character.rest_head(role) if role else _tail(character, last)


def _tail(character: Character, role: str) -> np.ndarray:
    return character.in_walk(character.skeleton.tails[character.row(role)])


def _point_along(points: np.ndarray, share: float) -> tuple[int, np.ndarray]:
    """Return the point `(3,)` at `share` of the length of the line through `points` `(n, 3)`, after the
    number of its segment."""
    steps = norms(np.diff(points, axis=0))
    reached = running(steps)
    at = share * reached[-1]
    segment = min(int(np.searchsorted(reached, at, side="right")) - 1, len(steps) - 1)
    within = (at - reached[segment]) / steps[segment] if steps[segment] > 0.0 else 0.0
    return segment, points[segment] + within * (points[segment + 1] - points[segment])


def _back_of(along: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the direction of a trunk chain, and the perpendicular one towards the back."""
    direction = normalized(along) if along.any() else -DOWN
    back = -FORWARD if abs(direction[0]) < _ALONG else -DOWN
    return direction, normalized(rejected(back, direction))
