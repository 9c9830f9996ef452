"""Hands, chest and head where they are held, over a pose whose hips and feet stay.

The trunk leans to where chest and head are held, and as far as hands need it that arm and shoulder alone do
not take there;
everything attached to it follows; each arm goes to its place in closed form. All are functions of the frame,
independent of other frames.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from ..character.body import FORWARD, Body
from ..character.motion import Motion
from ..easing import over, smoothstep
from ..geometry.rotation import UP, rotated, turned_towards
from ..skeleton.roles import SIDES, chest_of, sided, spine_of
from .arm import Arm, has_arm, on_thigh
from .hold import CHEST, HANDS, HEAD, Hold, most_held
from .skin import hand_points
from .trunk import leaning, leant, nodding

HEAD_SHARE = 0.6  # share of the way to the head's place that the trunk takes
GRAZES = 0.02  # leg lengths above a floor from which on hands are lifted
EDGE = 0.1  # leg lengths ahead of the toes in which it is as high as what one takes stands
ROUNDS = 2  # of reaching for planned holds: a trunk that has leaned is nearer than it looked


def held_at(
    body: Body, motions: dict[str, Motion], root: Motion, holds: Iterable[Hold], at: np.ndarray
) -> dict[str, Motion]:
    """Return motions relative to the root with points as planned holds have them at times `(f,)`."""
    found = []
    for row, point in enumerate(HANDS):
        own = [hold for hold in holds if hold.point == point and hold.weight(at).any()]
        if own:
            natural = on_thigh(body, motions, row)
            found.append(most_held([hold.on_frames(at, root, natural) for hold in own]))
    for _ in range(ROUNDS if found else 0):
        motions = reaching(body, motions, found)
    return motions


class HandBounds(NamedTuple):
    """Where a hand does not go: below a `floor`, below what is `under` its thing, from the toes on, and
    farther ahead than a `wall` `(f,)` relative to the root."""

    floor: float
    under: float
    wall: np.ndarray

    def kept(
        self, body: Body, motions: dict[str, Motion], root: Motion, holds: Iterable[Hold], at: np.ndarray
    ) -> dict[str, Motion]:
        """Return motions relative to the root whose hands stay within them with their skin, as far as no
        planned hold has them at times `(f,)`."""
        found, leg = [], body.leg_length
        for row, point in enumerate(HANDS):
            hand = motions.get(sided("hand", SIDES[row]))
            if hand is None or not has_arm(body, row):
                continue
            points = rotated(hand.rotation[:, None], hand_points(body, row)) + hand.position[:, None]
            beyond = smoothstep((points[..., 0] - np.nanmax(body.toe[:, 0])) / (EDGE * leg))
            low = self.floor + (self.under - self.floor) * beyond - root.carried(points)[..., 2]
            far = points[..., 0].max(axis=1) - self.wall
            up, back = (over(lacks, GRAZES * leg)[:, None] for lacks in (low.max(axis=1), far))
            if up.any() or back.any():
                share = 1.0 - sum((hold.weight(at) ** 8 for hold in holds if hold.point == point), 0.0 * at)
                place = hand.position + up * UP - back * FORWARD
                found.append(Hold(point, place, share, hand.rotation, np.ones(len(at)), leans=False))
        return reaching(body, motions, found) if found else motions


def reaching(body: Body, motions: Mapping[str, Motion], holds: Iterable[Hold]) -> dict[str, Motion]:
    """Return the motions of roles, relative to the root, with points where they are held; roles that no hold
    affects are unchanged.

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
        lean = leant(motions, _wished(motions, held), helped)
        if lean.any():
            found = leaning(motions, lean)
            before, chest = (poses[chest_of(motions)] for poses in (motions, found))
            arms = {point: arm.moved(before, chest) for point, arm in arms.items()}
    if HEAD in held and "head" in found:
        found = nodding(found, held[HEAD].there, held[HEAD].share)
    for point, arm in arms.items():
        found |= arm.reached(wanted[point], held[point])
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
