"""Where the 27 points are on a rig at rest: at its joints, and at defined places where it has no such joint.

A joint of the rig is at the head of its bone, because that is where users put targets.  The others:

| point | place |
|---|---|
| spine2 of two spine bones | halfway between their heads |
| spine2, spine3 of one spine bone | at thirds from its head to the neck |
| spine1..3 without spine bones | at quarters from pelvis to neck |
| neck without a neck bone | a third of the way from the head joint to the shoulder line, else the end of the
trunk |
| head without a head bone | end of the last neck bone |
| collar | a fifth of the way from neck to shoulder |
| knee, elbow of a one-bone limb | halfway |
| wrist, shoulder, elbow that the rig lacks | human proportions from the joint above, arms stretched out |
| ball without a toe bone | above the ball of the sole, at a quarter of the ankle's height |
| head_top | straight up from the head joint, a fifth of the leg |
| hand_tip | along the hand (to the middle of its fingers), two fifths of the forearm: about at the knuckles |
| toe_tip | straight ahead of the ball, at its height, by the length of the sole from ball to tip |

The sites lie exactly up, out and ahead in the reference pose, so that they mean the same on all rigs; bone
tails, which importers guess, do not matter.
"""

import numpy as np

from ..character.body import FORWARD, Body
from ..character.character import Character
from ..geometry.rotation import UP, norms
from ..skeleton.roles import SIDES
from .carriers import Carriers
from .points import INDEX

OUT = np.array([[0.0, 1.0, 0.0], [0.0, -1.0, 0.0]])
HEAD_TOP_HEIGHT = 0.2  # of the leg's length
HAND_TIP_LENGTH = 0.4  # of the forearm's length
SHORTEST_TOES = 0.02  # of the leg's length
_NECK_DOWN = 1.0 / 3.0
_COLLAR_OUT = 0.2
_BALL_HEIGHT = 0.25  # of the ankle's height above the sole
# Human proportions in leg lengths, for arms that a rig lacks.
_SHOULDER_WIDTH, _UPPER_ARM, _FOREARM = 0.2, 0.33, 0.29


def rest_joints(character: Character, carriers: Carriers) -> np.ndarray:
    """Return the places of the 22 joints at rest `(22, 3)`, walk frame, metres."""
    body = character.body
    places = np.full((len(carriers.groups), 3), np.nan)
    for joint in range(len(places)):
        role = carriers.first(joint)
        if role is not None:
            places[joint] = character.rest_head(role)
    _trunk(character, carriers, places)
    for side in range(2):
        _leg(body, places, side)
        _arm(body, places, side)
    return places


def site_offsets(body: Body, joints: np.ndarray) -> np.ndarray:
    """Return the five sites' places `(5, 3)` from their joints, in the reference pose; `joints` `(22, 3)` at
    rest."""
    hands = [
        HAND_TIP_LENGTH * norms(_part(joints, "wrist", side) - _part(joints, "elbow", side)) * OUT[side]
        for side in range(2)
    ]
    toes = np.maximum(norms(body.toe - body.ball), SHORTEST_TOES * body.leg_length)
    return np.array([HEAD_TOP_HEIGHT * body.leg_length * UP, *hands, toes[0] * FORWARD, toes[1] * FORWARD])


def _part(joints: np.ndarray, part: str, side: int) -> np.ndarray:
    return joints[INDEX[f"{part}.{SIDES[side]}"]]


def _set(joints: np.ndarray, part: str, side: int, place: np.ndarray) -> np.ndarray:
    """Put a joint at a place unless the rig has it; return where it is."""
    row = joints[INDEX[f"{part}.{SIDES[side]}"]]
    if not np.isfinite(row).all():
        row[:] = place
    return row


def _trunk(character: Character, carriers: Carriers, places: np.ndarray) -> None:
    """Fill head, neck and spine."""
    pelvis, neck, head = (places[INDEX[name]] for name in ("pelvis", "neck", "head"))
    end = _trunk_end(character, carriers)
    if not np.isfinite(neck).all():
        shoulders = character.body.shoulder.mean(axis=0)
        low = shoulders if np.isfinite(shoulders).all() else end
        neck[:] = head + _NECK_DOWN * (low - head) if np.isfinite(head).all() else end
    if not np.isfinite(head).all():
        head[:] = (
            end if norms(end - neck) > 1e-6 else neck + HEAD_TOP_HEIGHT / 2.0 * character.body.leg_length * UP
        )
    lowest, middle, chest = (places[INDEX[name]] for name in ("spine1", "spine2", "spine3"))
    if not np.isfinite(lowest).all():
        for part, place in enumerate((lowest, middle, chest), 1):
            place[:] = pelvis + part / 4.0 * (neck - pelvis)
    elif not np.isfinite(chest).all():
        middle[:], chest[:] = lowest + (neck - lowest) / 3.0, lowest + (neck - lowest) * 2.0 / 3.0
    elif not np.isfinite(middle).all():
        middle[:] = (lowest + chest) / 2.0


def _trunk_end(character: Character, carriers: Carriers) -> np.ndarray:
    """Return the tail `(3,)` of the uppermost bone of pelvis, spine and neck."""
    groups = [carriers.groups[INDEX[name]] for name in ("neck", "spine3", "spine2", "spine1", "pelvis")]
    row = character.row(next(group[-1] for group in groups if group))
    assert row is not None  # groups hold only roles that have a bone
    return character.in_walk(character.skeleton.tails[row])


def _leg(body: Body, places: np.ndarray, side: int) -> None:
    _set(places, "knee", side, body.knee[side])
    ankle = _set(places, "ankle", side, body.ankle[side])
    ball = body.ball[side] + _BALL_HEIGHT * max(ankle[2] - body.ball[side][2], 0.0) * UP
    _set(places, "ball", side, ball)


def _arm(body: Body, places: np.ndarray, side: int) -> None:
    neck, leg, out = places[INDEX["neck"]], body.leg_length, OUT[side]
    shoulder = _set(places, "shoulder", side, neck + leg * _SHOULDER_WIDTH * out)
    _set(places, "collar", side, neck + _COLLAR_OUT * (shoulder - neck))
    wrist = body.wrist[side]
    half = (shoulder + wrist) / 2.0 if np.isfinite(wrist).all() else shoulder + leg * _UPPER_ARM * out
    elbow = _set(places, "elbow", side, half)
    _set(places, "wrist", side, wrist if np.isfinite(wrist).all() else elbow + leg * _FOREARM * out)
