"""Hands, chest and head at goals of their own, over a pose whose hips and feet stay.

The trunk leans to the goals of chest and head, and as far as hands need it that arm and shoulder alone do not
take there;
everything attached to it follows; each arm goes to its goal in closed form. All are functions of the frame,
independent of other frames.
"""

from collections.abc import Mapping

import numpy as np

from ..character.body import Body
from ..character.motion import Motion
from ..geometry.rotation import normalized, norms, rotated, turned_towards
from ..skeleton.roles import SIDES, sided
from .arm import Arm, nearer, reached, turned_hand
from .goal import CHEST, HANDS, HEAD, Goal
from .trunk import chest_after, leaning, limited, nodding, spine_of, towards

# iterations of the lean: a trunk of several bones turns about several points, and two hands share one
ROUNDS = 4
HEAD_SHARE = 0.6  # share of the way to the head's goal that the trunk takes


def reaching(body: Body, motions: Mapping[str, Motion], goals: Mapping[str, Goal]) -> dict[str, Motion]:
    """Return the motions of roles, relative to the root, with points at their goals; roles that no goal
    affects are unchanged.

    A point whose goal is out of reach gets as near as it can.  Points that the body lacks are ignored.
    """
    arms = {
        row: _arm(body, motions, row)
        for row, point in enumerate(HANDS)
        if point in goals and has_arm(body, row)
    }
    wanted = {row: arm.wanted(goals[HANDS[row]].place, goals[HANDS[row]].share) for row, arm in arms.items()}
    found = dict(motions)
    if spine_of(motions):
        lean = _lean(motions, goals, arms, wanted)
        if lean.any():
            found = leaning(motions, lean)
            before, chest = (poses[spine_of(motions)[-1]] for poses in (motions, found))
            arms = {row: arm.moved(chest, before) for row, arm in arms.items()}
    if HEAD in goals and "head" in found:
        found = nodding(found, goals[HEAD].place, goals[HEAD].share)
    for row, arm in arms.items():
        found |= _with_arm(motions, found, row, arm, wanted[row], goals[HANDS[row]])
    return found


def has_arm(body: Body, row: int) -> bool:
    """Return whether a body has an arm on a side, 0 left, 1 right."""
    return bool(np.isfinite([body.shoulder[row], body.elbow[row], body.wrist[row]]).all())


def places(body: Body, motions: Mapping[str, Motion], points: Mapping[str, Goal]) -> dict[str, np.ndarray]:
    """Return the places `(f, 3)` of the points that have goals, relative to the root."""
    found = {}
    for point in points:
        if point in HANDS:
            row = HANDS.index(point)
            if has_arm(body, row):
                found[point] = motions[sided("forearm", SIDES[row])].carry(body.wrist[row])
        elif point == HEAD and "head" in motions:
            found[point] = motions["head"].position
        elif point == CHEST and spine_of(motions):
            found[point] = motions[spine_of(motions)[-1]].position
    return found


def _arm(body: Body, motions: Mapping[str, Motion], row: int) -> Arm:
    upper, forearm = (motions[sided(part, SIDES[row])] for part in ("upper_arm", "forearm"))
    clavicle = motions.get(sided("clavicle", SIDES[row]))
    has_collar = clavicle is not None and bool(np.isfinite(body.clavicle[row]).all())
    shoulder = upper.position
    rest = body.elbow[row] - body.shoulder[row]
    hinge = np.cross(rest, np.array([1.0, 0.0, 0.0]))  # brings the forearm forward
    return Arm(
        collar=clavicle.carry(body.clavicle[row]) if clavicle is not None and has_collar else shoulder,
        shoulder=shoulder,
        elbow=forearm.position,
        wrist=forearm.carry(body.wrist[row]),
        hinge=upper.rotation @ normalized(hinge),
        outward=(1.0, -1.0)[row],
        turn=np.broadcast_to(np.eye(3), upper.rotation.shape),
    )


def _lean(
    motions: Mapping[str, Motion],
    goals: Mapping[str, Goal],
    arms: Mapping[int, Arm],
    wanted: Mapping[int, np.ndarray],
) -> np.ndarray:
    """Return the trunk's lean, axis times radians `(f, 3)`."""
    before, hinge = motions[spine_of(motions)[-1]], motions[spine_of(motions)[0]].position
    wished = _wished(motions, goals, hinge)
    helped = [row for row in arms if goals[HANDS[row]].leans]
    lean = np.zeros_like(hinge)
    for _ in range(ROUNDS if wished or helped else 0):
        chest = chest_after(motions, lean)
        turns = [towards(hinge, chest.carried(before.seen(now)), place) for now, place in wished]
        for row in helped:
            arm = arms[row].moved(chest, before)
            _, raised = arm.shrugged(wanted[row], goals[HANDS[row]].share)
            turns.append(
                nearer(hinge, raised, wanted[row], arm.short(raised, wanted[row], goals[HANDS[row]].share))
            )
        much = np.array([norms(turn) for turn in turns])
        if not much.any():
            break
        shared = sum(turn * part[:, None] for turn, part in zip(turns, much, strict=True))
        lean = limited(lean + shared / np.maximum(much.sum(axis=0), 1e-12)[:, None])
    return lean


def _wished(
    motions: Mapping[str, Motion], goals: Mapping[str, Goal], hinge: np.ndarray
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the place of chest or head, and where the trunk is to take it, both `(f, 3)`; empty without a
    goal for them."""
    found = []
    if CHEST in goals:
        found.append((motions[spine_of(motions)[-1]].position, goals[CHEST], 1.0))
    elif HEAD in goals and "head" in motions:
        found.append((motions["head"].position, goals[HEAD], HEAD_SHARE))
    return [
        (now, hinge + turned_towards(now - hinge, goal.place - hinge, much * goal.share))
        for now, goal, much in found
    ]


def _with_arm(
    below: Mapping[str, Motion],
    motions: Mapping[str, Motion],
    row: int,
    arm: Arm,
    wanted: np.ndarray,
    goal: Goal,
) -> dict[str, Motion]:
    """Return the motions of an arm that reaches for a place; `below`: the pose underneath."""
    side = SIDES[row]
    turns = reached(arm, wanted, goal.share)
    found = {}
    clavicle, upper, forearm, hand = (
        sided(part, side) for part in ("clavicle", "upper_arm", "forearm", "hand")
    )
    if clavicle in motions:
        moved = motions[clavicle]
        place = arm.collar + rotated(turns.collar, moved.position - arm.collar)
        found[clavicle] = Motion(turns.collar @ moved.rotation, place, moved.rest)
    found[upper] = Motion(turns.upper @ below[upper].rotation, turns.shoulder, below[upper].rest)
    lower = turns.lower @ below[forearm].rotation
    if hand in motions:
        turned = turns.lower @ below[hand].rotation
        if goal.turn is not None and goal.turned is not None:
            lower, turned = turned_hand(
                lower, turned, goal.turn, goal.turned * goal.share, turns.wrist - turns.elbow
            )
        found[hand] = Motion(turned, turns.wrist, below[hand].rest)
    found[forearm] = Motion(lower, turns.elbow, below[forearm].rest)
    return found
