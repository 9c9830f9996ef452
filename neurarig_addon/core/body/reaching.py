"""Hands, chest and head where they are held, over a pose whose hips and feet stay.

The trunk leans to where chest and head are held, and as far as hands need it that arm and shoulder alone do
not take there;
everything attached to it follows; each arm goes to its place in closed form. All are functions of the frame,
independent of other frames.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import numpy as np

from ..character.body import FORWARD, Body
from ..character.motion import Motion
from ..easing import over, smoothstep
from ..geometry.rotation import UP, normalized, norms, rotated, turned_towards
from ..skeleton.roles import SIDES, chest_of, sided, spine_of
from .arm import Arm, has_arm, on_thigh
from .hold import CHEST, HANDS, HEAD, Hold, most_held
from .skin import girth, hand_points, head_points
from .trunk import leaning, leant, nodding

HEAD_SHARE = 0.6  # share of the way to the head's place that the trunk takes
GRAZES = 0.02  # leg lengths above a floor from which on hands are lifted
SOFTLY = 0.03  # leg lengths by which a hand is moved for its elbow to be half where it usually is
EDGE = 0.1  # leg lengths around the edge of a thing in which hands come to stay above it
ROUNDS = 2  # of reaching for planned holds: a trunk that has leaned is nearer than it looked


def held_at(
    body: Body,
    motions: dict[str, Motion],
    root: Motion,
    holds: Iterable[Hold],
    at: np.ndarray,
    leans: np.ndarray | float = 1.0,
) -> dict[str, Motion]:
    """Return motions relative to the root with points as planned holds have them at times `(f,)`; `leans` as
    in `reaching`."""
    found = []
    for row, point in enumerate(HANDS):
        own = [hold for hold in holds if hold.point == point and hold.weight(at).any()]
        if own:
            natural = on_thigh(body, motions, row)
            found.append(most_held([hold.on_frames(at, root, natural) for hold in own]))
    for _ in range(ROUNDS if found else 0):
        motions = reaching(body, motions, found, 1.0 - (1.0 - leans) ** (1.0 / ROUNDS))
    return motions


def hand_skin(body: Body, hand: Motion, row: int) -> np.ndarray:
    """Return the outermost points `(f, n, 3)` of a hand."""
    return rotated(hand.rotation[:, None], hand_points(body, row)) + hand.position[:, None]


def hands_in_trunk(body: Body, motions: Mapping[str, Motion]) -> np.ndarray:
    """Return how many metres hands are in the trunk `(f,)`."""
    trunk, found = girth(body), np.zeros(len(motions["pelvis"].position))
    for row, side in enumerate(SIDES):
        hand = motions.get(sided("hand", side))
        if trunk is not None and hand is not None:
            found = np.maximum(found, norms(trunk.out(motions, hand_skin(body, hand, row))))
    return found


class BodyBounds(NamedTuple):
    """Where a body does not go: below a `floor`, beyond a `wall` `(f,)` ahead of the root, and into a thing,
    which is below what is `under`, and begins so `deep` before its `middle` `(f, 2)`, but not nearer than an
    `edge`, ahead of the root or, with `way` -1.0 instead of 1.0, behind it; on other sides it is `wide`."""

    floor: float
    under: float
    way: float
    edge: float
    wall: np.ndarray
    middle: np.ndarray
    deep: float
    wide: float

    def sunk(
        self,
        body: Body,
        motions: Mapping[str, Motion],
        root: Motion,
        roles: Iterable[str] | None = None,
    ) -> np.ndarray:
        """Return how many metres the skin of some roles, head and chest, is in that `(f,)`, less than 0 off
        it."""
        skins, roles = {**body.skin, "head": head_points(body)}, roles or (chest_of(motions), "head")
        points = [
            motions[role].carried(skins[role][None]) for role in roles if role in motions and role in skins
        ]
        if not points:
            return np.full(len(self.wall), -np.inf)
        every = np.concatenate(points, axis=1)
        height, ahead = root.carried(every)[..., 2], every[..., 0]
        off = every[..., :2] - self.middle[:, None]
        beside = np.minimum(self.way * off[..., 0] + self.deep, self.wide - np.abs(off).max(axis=2))
        thing = np.minimum(beside, self.under - height)
        other = np.maximum(self.floor - height, ahead - self.wall[:, None])
        return np.maximum(thing, other).max(axis=1)

    def freely(
        self,
        body: Body,
        root: Motion,
        motions: dict[str, Motion],
        change: Callable[[np.ndarray], dict[str, Motion]],
    ) -> dict[str, Motion]:
        """Return motions that `change` makes of others, from shares `(f,)`: on each frame only so much as
        head and chest stay clear."""
        found = change(np.ones(len(self.wall)))
        off = GRAZES * body.leg_length
        last = self.sunk(body, found, root) + off
        if (last <= 0.0).all():
            return found
        first = self.sunk(body, motions, root) + off
        share = np.maximum(-first, 0.0) / np.maximum(last - first, 1e-9)
        return change(np.where(last > 0.0, np.minimum(share, 1.0), 1.0))

    def moves(self, body: Body, motions: Mapping[str, Motion], root: Motion) -> dict[str, np.ndarray]:
        """Return how hands have to move `(f, 3)` to be within them, and out of the trunk, with their skin; by
        their points, those that have to."""
        found, leg, trunk = {}, body.leg_length, girth(body)
        for row, point in enumerate(HANDS):
            hand = motions.get(sided("hand", SIDES[row]))
            if hand is None or not has_arm(body, row):
                continue
            points = hand_skin(body, hand, row)
            beyond = smoothstep(0.5 + (self.way * points[..., 0] - self.edge) / (EDGE * leg))
            low = self.floor + (self.under - self.floor) * beyond - root.carried(points)[..., 2]
            far = points[..., 0].max(axis=1) - self.wall
            up, back = (over(lacks, GRAZES * leg)[:, None] for lacks in (low.max(axis=1), far))
            moved = up * UP - back * FORWARD
            if trunk is not None:
                moved = moved + trunk.out(motions, points)
            if moved.any():
                found[point] = moved
        return found

    def kept(
        self,
        body: Body,
        motions: dict[str, Motion],
        root: Motion,
        holds: Iterable[Hold],
        at: np.ndarray,
        much: np.ndarray,
    ) -> dict[str, Motion]:
        """Return motions relative to the root whose hands move as they have to, so `much` `(f,)` as no hold
        has them at a place at times `(f,)`."""
        found, soft = [], SOFTLY * body.leg_length
        for point, moved in self.moves(body, motions, root).items():
            hand = motions[sided("hand", SIDES[HANDS.index(point)])]
            held = (hold.weight(at) ** 32 for hold in holds if hold.point == point and hold.place is not None)
            moved = moved * (much * (1.0 - sum(held, 0.0 * at)))[:, None]
            far = norms(moved)  # the elbow goes along as far as the hand does
            place = hand.position + moved + soft * normalized(moved)
            found.append(Hold(point, place, far / (far + soft), hand.rotation, np.ones(len(at)), leans=False))
        return reaching(body, motions, found) if found else motions


def reaching(
    body: Body, motions: Mapping[str, Motion], holds: Iterable[Hold], leans: np.ndarray | float = 1.0
) -> dict[str, Motion]:
    """Return the motions of roles, relative to the root, with points where they are held; roles that no hold
    affects are unchanged. `leans`, or `(f,)`: how far the trunk leans of what it would, 0..1.

    A point that is held out of reach gets as near as it can.  Points that the body lacks are ignored.
    """
    held = {hold.point: hold for hold in holds}
    arms = {
        point: Arm.of(body, motions, row)
        for row, point in enumerate(HANDS)
        if point in held and has_arm(body, row)
    }
    wanted = {point: arm.wanted(held[point]) for point, arm in arms.items()}
    found = dict(motions)
    if spine_of(motions):
        helped = [(arm, wanted[point], held[point].share) for point, arm in arms.items() if held[point].leans]
        lean = leant(motions, _wished(motions, held), helped) * np.reshape(leans, (-1, 1))
        if lean.any():
            found = leaning(motions, lean)
            before, chest = (poses[chest_of(motions)] for poses in (motions, found))
            arms = {point: arm.moved(before, chest) for point, arm in arms.items()}
    if HEAD in held and "head" in found:
        found = nodding(found, held[HEAD].there, held[HEAD].share)
    for point, arm in arms.items():
        found |= arm.reached(wanted[point], held[point], found)
    return found


def places(body: Body, motions: Mapping[str, Motion], points: Iterable[str]) -> dict[str, np.ndarray]:
    """Return the places `(f, 3)` of points, those that the body has, relative to the root."""
    found = {}
    for point in points:
        if point in HANDS:
            row = HANDS.index(point)
            if has_arm(body, row):
                found[point] = motions[sided("forearm", SIDES[row])].carry(body.wrist[row])
        elif point == HEAD and "head" in motions:
            found[point] = motions["head"].position
        elif point == CHEST and spine_of(motions):
            found[point] = motions[chest_of(motions)].position
    return found


def _wished(motions: Mapping[str, Motion], held: Mapping[str, Hold]) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the place of chest or head, and where the trunk is to take it, both `(f, 3)`; None if neither is
    held."""
    point, role, share = (CHEST, chest_of(motions), 1.0) if CHEST in held else (HEAD, "head", HEAD_SHARE)
    if point not in held or role not in motions:
        return None
    hinge, now, hold = motions[spine_of(motions)[0]].position, motions[role].position, held[point]
    return now, hinge + turned_towards(now - hinge, hold.there - hinge, share * hold.share)
