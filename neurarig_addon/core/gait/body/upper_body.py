"""Spine, head, eyes and arms above a moving pelvis.

Eyes go ahead of a head that turns, and to what it looks at, both within limits, and never cross.
"""

from typing import NamedTuple

import numpy as np

from ...body.skin import hand_points
from ...character.body import LEFT, RIGHT, Body
from ...character.motion import Motion
from ...character.reference import DOWN
from ...contract.channels import CHANNELS, block, both_feet
from ...easing import lesser, over, smoothstep, within
from ...geometry.rotation import (
    about_x,
    about_y,
    about_z,
    between,
    from_axis_angle,
    from_euler,
    normalized,
    norms,
    part_way,
    rotated,
    transposed,
    yaw_of,
)
from ...memory import remembered
from ...skeleton.roles import BIRD, NECK, SIDES, sided
from ..inputs.gaze import Sight
from ..inputs.proportions import arm_swing_share, elbow_off_the_ground, hang_off_the_hips
from ..sliders.manner import BodyManner, body_manner
from ..sliders.style import Style, StyleTrack
from ..steps.placement import SIDE_SIGN
from .neck import neck_turns
from .tail import tail_motions

# Limits of eyes in the head: aside, up and down, and each towards the nose.
MOST_ASIDE, MOST_UP_AND_DOWN, MOST_INWARD = np.radians([30.0, 22.0, 7.0])
NEAREST = 0.15  # leg lengths: what is nearer to the eyes has no direction
# leg lengths: how far ahead of an eye the control lies that it points at; nearer, a neck off by millimetres
# turns the eye
FAR = 1.0
STRAIGHT = np.eye(3)
LEFTWARD = np.array([0.0, 1.0, 0.0])
# How arms hang: clear of the thighs, elbows not locked.
HANGING_ABDUCTION, HANGING_ELBOW = np.radians(5.0), np.radians(10.0)
STRAIGHT_BAND = np.radians(5.0)
# How far an elbow bends, and an upper arm goes behind the vertical, and how softly they come there: people's
# joints end near 150 and 60 to 70 degrees (runners', recorded: 101 to 129 and 44 to 52).
MOST_ELBOW, ELBOW_BAND = np.radians([147.0, 30.0])
MOST_BEHIND, BEHIND_BAND = np.radians([64.0, 12.0])
# How far shoulders lean over the hips with the chest, as a share of its roll (0.6 in six recorded people),
# and the upper part of a spine that turns with the chest alone. Bones are bent for this by half of what is
# missing where that is so many radians, never by more than half of these: a style that sways far bends
# evenly.
LEANS_ALONG, CHEST_ALONE, COUNTERS_HALF = 0.85, 1.0 / 3.0, np.radians(20.0)
SHORTEST_BACK = 0.05  # leg lengths
# The neck nods with the chest, farther than half way to a head that stays level, by this share of the chest's
# own pitch: in six recorded people by 2.6 degrees twice a stride.
NECK_NODS = 0.75


def _eye_motions(body: Body, head: Motion, sight: Sight, influence: np.ndarray) -> dict[str, Motion]:
    """Return the motions of both eyes, carried by the head, and of the points `gaze.L` and `gaze.R` that they
    look at.

    `influence` `(f,)`: 1 as they look, 0 at rest.
    """
    joints = np.stack([head.carry(joint) for joint in body.eye], axis=1)
    yaw, pitch = _turned(
        rotated(transposed(head.rotation)[:, None], sight.place[:, None] - joints), sight, body.leg_length
    )
    motions: dict[str, Motion] = {}
    for row, side in enumerate(SIDES):
        turn = head.rotation @ from_euler(influence * pitch, influence * yaw[:, row], 0.0 * pitch)
        motions[sided("eye", side)] = Motion(turn, joints[:, row], body.eye[row])
        motions[sided("gaze", side)] = Motion(
            turn, joints[:, row] + FAR * body.leg_length * turn[:, :, 0], body.eye[row]
        )
    return motions


def _turned(way: np.ndarray, sight: Sight, leg_length: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the eyes' yaw `(f, 2)` and pitch `(f,)` in the head, from the ways `(f, 2, 3)` in its axes from
    them to what is seen."""
    yaw, across = np.arctan2(way[..., 1], way[..., 0]), np.hypot(way[..., 0], way[..., 1])
    pitch = np.arctan2(-way[..., 2], np.maximum(across, 1e-9)).mean(axis=1)
    sees = sight.sees * smoothstep(across.min(axis=1) / (NEAREST * leg_length))
    aside = sees * yaw.mean(axis=1) + (1.0 - sees) * sight.yaw
    inward = sees * np.maximum(0.5 * (yaw[:, RIGHT] - yaw[:, LEFT]), 0.0)
    yaw = within(aside, MOST_ASIDE)[:, None] - SIDE_SIGN * within(inward, MOST_INWARD)[:, None]
    return yaw, within(sees * pitch + (1.0 - sees) * sight.pitch, MOST_UP_AND_DOWN)


def upper_motions(
    body: Body, values: np.ndarray, late: np.ndarray, wish: BodyManner, pelvis: Motion
) -> dict[str, Motion]:
    """Return spine, neck, head and arms, each hanging from the one before, blended from rest by the walk's
    influence.

    `late`: the channels that hands follow.
    """

    def hung(
        role: str, holder: Motion, rotation: np.ndarray, joint: np.ndarray, lean: np.ndarray = STRAIGHT
    ) -> Motion:
        rotation = rotation @ wish.turns[role] if role in wish.turns else rotation
        motions[role] = _hung(holder, _influenced(rotation, wish.influence) @ lean, joint)
        return motions[role]

    bird = body.kind == BIRD
    chest = _chest_turn(block(values, "pelvis")[:, 3:] if bird else block(values, "chest"), wish)
    leans = np.stack([STRAIGHT] * (1 + len(body.spine))) if wish.leans is None else wish.leans
    own_rolls = np.stack([block(values, "pelvis")[:, 5], block(values, "chest")[:, 2]]) * wish.list
    own_rolls = own_rolls * (not bird)
    motions: dict[str, Motion] = {}
    holder = pelvis
    for number, rotation in enumerate(
        spine_turns(body, pelvis.rotation @ leans[0].T, chest, own_rolls), start=1
    ):
        holder = hung(f"spine.{number}", holder, rotation, body.spine[number - 1], leans[number])
    head = head_turn(block(values, "head"), chest, wish)
    stem = holder
    if wish.head is not None:
        turns = neck_turns(body, holder, wish.head, wish.head_bob)
        for number, (joint, turn) in enumerate(zip([body.neck, *body.nape], turns, strict=True), start=1):
            stem = hung(NECK if number == 1 else f"{NECK}.{number}", stem, turn, joint)
    elif np.isfinite(body.neck).all():
        stem = hung(
            "neck",
            holder,
            part_way(chest, head, np.full(len(head), 0.5))
            @ about_y(NECK_NODS * block(values, "chest")[:, 0]),
            body.neck,
            part_way(leans[-1], STRAIGHT, np.array(0.5)),
        )
    if np.isfinite(body.head).all():
        hung("head", stem, head, body.head)
        if wish.sight is not None:
            motions |= _eye_motions(body, motions["head"], wish.sight, wish.influence)
    if np.isfinite(body.shoulder).all() and np.isfinite(body.elbow).all() and np.isfinite(body.wrist).all():
        arms = arm_turns(body, values, chest, wish)
        if late is not values:
            later = _chest_turn(block(late, "chest"), wish)
            arms |= {"hand": arm_turns(body, late, later, wish)["hand"]}
        for row, side in enumerate(SIDES):
            collar, stem = sided("clavicle", side), holder
            if collar in wish.turns:
                stem = hung(collar, holder, chest, body.clavicle[row], leans[-1])
            else:
                hung(collar, holder, chest, body.shoulder[row], leans[-1])
            upper = hung(sided("upper_arm", side), stem, arms["upper_arm"][:, row], body.shoulder[row])
            fore = hung(sided("forearm", side), upper, arms["forearm"][:, row], body.elbow[row])
            hung(sided("hand", side), fore, arms["hand"][:, row], body.wrist[row])
    return motions | (tail_motions(body, pelvis, values, values) if bird else {})


def _hung(holder: Motion, rotation: np.ndarray, joint: np.ndarray) -> Motion:
    """Return the motion of a bone whose head `(3,)` is carried by another."""
    return Motion(rotation, holder.carry(joint), joint)


def _influenced(rotation: np.ndarray, influence: np.ndarray) -> np.ndarray:
    """Return rotations `(f, 3, 3)` blended from rest."""
    if (influence >= 1.0).all():
        return rotation
    return part_way(np.eye(3), rotation, influence)


def _chest_turn(turn: np.ndarray, wish: BodyManner) -> np.ndarray:
    """Return the chest's rotation `(frames, 3, 3)` for the pitch, yaw and roll `(frames, 3)` that the gait
    has."""
    added = wish.posture
    yaw, roll = (
        turn[:, 1] * wish.twist + added.chest_yaw,
        turn[:, 2] * wish.list + wish.limp_lean + added.chest_roll,
    )
    return from_euler(turn[:, 0] + wish.lean + added.chest_pitch, yaw, roll)


def spine_turns(body: Body, pelvis: np.ndarray, chest: np.ndarray, own_rolls: np.ndarray) -> list[np.ndarray]:
    """Return rotations from rest `(frames, 3, 3)` of the spine bones, which share the turn from pelvis to
    chest.

    Only what the walk itself rolls pelvis and chest, `own_rolls` `(2, frames)` in radians, is shared as in
    recorded people: the shoulders lean over the hips to the side to which the chest does, whatever the pelvis
    does, and the back below the chest so far to this or the other side.
    """
    share = np.arange(1, len(body.spine) + 1)[:, None] / len(body.spine)
    below_chest = np.clip((1.0 - share) / CHEST_ALONE, 0.0, 1.0)
    rolled, leans = own_rolls
    rolls = rolled + share * (leans - rolled)
    below, lengths = _back(body)
    missing = LEANS_ALONG * leans * (below + lengths.sum()) - below * rolled - lengths @ rolls
    off = missing / max(float(lengths @ below_chest[:, 0]), SHORTEST_BACK * body.leg_length)
    countered = about_x(below_chest * off / (1.0 + (off / COUNTERS_HALF) ** 2))
    return list(countered @ part_way(pelvis, chest, share))


@remembered(objects=1)
def _back(body: Body) -> tuple[float, np.ndarray]:
    """Return the metres from the hips up to the spine, and of each of its bones `(n,)`, the last one up to
    the shoulders."""
    top = body.shoulder.mean(axis=0) if np.isfinite(body.shoulder).all() else body.neck
    joints = np.stack([body.hip.mean(axis=0), *body.spine, top if np.isfinite(top).all() else body.spine[-1]])
    below, *lengths = norms(np.diff(joints, axis=0)).tolist()
    return below, np.array(lengths)


class _Hanging(NamedTuple):
    """How arms hang: `abduction` and `elbow` bend in radians, swing as a share of an adult's, and turns from
    rest `(2, 3, 3)`."""

    abduction: float
    elbow: float
    swing: float
    brought_down: np.ndarray


@remembered(objects=1)
def _hanging(body: Body) -> _Hanging:
    upper = body.elbow - body.shoulder
    abduction, elbow = (
        max(HANGING_ABDUCTION, hang_off_the_hips(body)),
        max(HANGING_ELBOW, elbow_off_the_ground(body)),
    )
    return _Hanging(
        abduction, elbow, arm_swing_share(body), between(upper, np.broadcast_to(DOWN, upper.shape))
    )


def arm_turns(body: Body, values: np.ndarray, chest: np.ndarray, wish: BodyManner) -> dict[str, np.ndarray]:
    """Return rotations from rest `(frames, 2, 3, 3)` of `upper_arm`, `forearm` and `hand` for channel values
    `(frames, 46)`.

    The rest pose, T or A, is first brought down to the sides by the shortest turn, palms to the thighs, as
    arms hang. Arms hang
    from the chest's heading and not from its lean.
    """
    arm, hangs = both_feet(values, "arm"), _hanging(body)
    swing = wish.arm_swing[:, None] * wish.arms * hangs.swing
    flexion = arm[..., 0] * swing
    bent = hangs.elbow + arm[..., 3] * (0.35 + 0.65 * swing) + wish.elbows
    elbow = lesser(over(bent, STRAIGHT_BAND), MOST_ELBOW, ELBOW_BAND)  # elbows never bend backward
    forward = -lesser(-flexion - wish.arms_forward, MOST_BEHIND, BEHIND_BAND)
    heading = yaw_of(chest)
    hang = about_z(heading)[:, None]
    out = arm[..., 1] + wish.arms_out * flexion + wish.arms_apart
    outward = SIDE_SIGN * (hangs.abduction + out)
    # Abduct in the frontal plane, then flex about the shoulder line; `inward` turns the elbow's hinge so that
    # the forearm closes in.
    placed = from_euler(-forward, 0.0 * flexion, outward)
    inward = from_axis_angle(DOWN, SIDE_SIGN * (arm[..., 2] + wish.arms_across * flexion + wish.arms_in))
    carried = hang @ placed @ inward
    upper = carried @ hangs.brought_down
    forearm_way = carried @ from_euler(-elbow, 0.0 * elbow, 0.0 * elbow)
    wanted = rotated(forearm_way, DOWN)
    straight = rotated(upper, body.wrist - body.elbow)
    forearm = between(straight, wanted) @ upper
    hinge = rotated(carried, LEFTWARD)
    hand = from_axis_angle(normalized(hinge), -arm[..., 4]) @ forearm
    return {"upper_arm": upper, "forearm": forearm, "hand": hand}


def hands_ahead(body: Body, top: float) -> float:
    """Return how many metres the hands of who stands are ahead of the hips, of those that hang below a
    height; -inf if none does."""
    found, manner = -np.inf, body_manner(StyleTrack(Style()), np.zeros(1))
    turns = arm_turns(body, np.zeros((1, len(CHANNELS))), STRAIGHT[None], manner)
    for row in range(2):
        upper, forearm, hand = (turns[part][0, row] for part in ("upper_arm", "forearm", "hand"))
        elbow = body.shoulder[row] + upper @ (body.elbow[row] - body.shoulder[row])
        points = elbow + forearm @ (body.wrist[row] - body.elbow[row]) + hand_points(body, row) @ hand.T
        if points[:, 2].min() < top:
            found = max(found, float(points[:, 0].max()))
    return found


def head_turn(values: np.ndarray, chest: np.ndarray, wish: BodyManner) -> np.ndarray:
    """Return the head's rotation `(frames, 3, 3)`: level and looking along the path, or following the chest
    as far as Head Bob says."""
    added = wish.posture
    pitch = values[:, 0] + added.head_pitch
    roll = values[:, 2] + added.head_roll
    level = from_euler(pitch, values[:, 1] + added.head_yaw, roll)
    carried = from_euler(pitch, values[:, 1] + added.head_yaw - added.chest_yaw, roll)
    return part_way(level, chest @ carried, wish.head_bob)
