"""The inverse of a walk: from the motion of every role to the 46 channels that would make it.

It inverts `gait.synthesis` for one stride of one body: prints, pelvis, feet, chest, head and arms.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..body.feet import Feet, angles_of
from ..body.rocker import FLAT_BAND, under
from ..body.sole import Sole
from ..character.body import Body
from ..character.motion import Motion
from ..contract.channels import CHANNELS, SLICES
from ..easing import smoothstep
from ..gait.body.pelvis import standing_height
from ..gait.body.upper_body import HANGING_ABDUCTION, HANGING_ELBOW
from ..gait.inputs.proportions import elbow_off_the_ground, hang_off_the_hips
from ..gait.steps.footsteps import BOTH
from ..gait.steps.placement import SIDE_SIGN
from ..geometry.rotation import (
    about_z,
    from_euler,
    normalized,
    rotated,
    to_euler,
    transposed,
    wrapped,
    yaw_of,
)
from ..skeleton.roles import SIDES, chest_of, sided

# An elbow bent less than this (sine) hardly shows the arm's twist.
ELBOW_TELLS = 0.25
USUAL_INWARD = np.radians(8.0)
FLATTEST = np.radians(80.0)  # arms raised this far count as held out


@dataclass(frozen=True)
class MidStancePrints:
    """Prints at mid-stance, relative to an evenly moving root: `place` `(2, 3)` metres, `heading` `(2,)`."""

    place: np.ndarray
    heading: np.ndarray


def prints_of(sole: Sole, feet: Feet, spans: np.ndarray) -> MidStancePrints:
    """Return the prints, relative to the root, of feet `(f, 2, ...)` that stand in the rows `spans` `(2, 2)`,
    first to last."""
    place, heading = np.zeros((2, 3)), np.zeros(2)
    places, headings = under(sole, feet)
    for side in BOTH:
        first, last = spans[side]
        quarter = 0.25 * (last - first)
        rows = slice(int(np.floor(first + quarter)), int(np.ceil(last - quarter)) + 1)
        place[side], heading[side] = np.median(places[rows, side], axis=0), np.median(headings[rows, side])
    return MidStancePrints(place, heading)


def channels_of(body: Body, sole: Sole, motions: Mapping[str, Motion], feet: Feet) -> np.ndarray:
    """Return the channels `(f, 46)` of motions and feet relative to the root, NaN for limbs that the body
    lacks.

    The root moves evenly, as the walk's does, so that motion ahead and behind is in the channels; the lead is
    not read.
    """
    found = np.full((len(feet.ankle), len(CHANNELS)), np.nan)

    def put(name: str, values: np.ndarray) -> None:
        found[:, SLICES[name]] = values

    put("pelvis", _pelvis(body, motions["pelvis"]))
    chest = motions[chest_of(motions)].rotation
    put("chest", _turn(chest))
    if "head" in motions:
        put("head", _turn(motions["head"].rotation))
    for side, letter in enumerate(SIDES):
        foot, ball = _foot(body, sole, feet, side)
        put(f"foot_{letter.lower()}", foot)
        put(f"ball_{letter.lower()}", ball)
        if {sided(part, letter) for part in ("upper_arm", "forearm", "hand")} <= motions.keys():
            put(f"arm_{letter.lower()}", _arm(body, motions, chest, side))
    return found


def knees_of(forward: np.ndarray, pelvis: np.ndarray, heading: np.ndarray) -> np.ndarray:
    """Return the knees' outward direction in radians `(f, 2)`, relative to half way between pelvis and foot.

    `forward` `(f, 2, 3)`: their directions; `pelvis` `(f, 3, 3)`: its rotation; `heading` `(f, 2)`: of the
    feet.
    """
    between = 0.5 * (yaw_of(pelvis)[:, None] + heading)
    away = np.arctan2(forward[..., 1], forward[..., 0]) - between
    return SIDE_SIGN * wrapped(away)


def _turn(rotation: np.ndarray) -> np.ndarray:
    pitch, yaw, roll = to_euler(rotation)
    return np.unwrap(np.stack([pitch, yaw, roll], -1), axis=0)


def _pelvis(body: Body, pelvis: Motion) -> np.ndarray:
    middle = body.hip.mean(axis=0)
    hips = pelvis.carry(middle) - np.array([middle[0], middle[1], standing_height(body).mean()])
    return np.concatenate([hips, _turn(pelvis.rotation)], -1)


def _foot(body: Body, sole: Sole, feet: Feet, side: int) -> tuple[np.ndarray, np.ndarray]:
    """Return foot and ball channels `(f, 6)`."""
    angles = angles_of(feet.turn)
    ankle = feet.ankle[:, side] - body.ankle[side]
    pitch = _asked_for(angles.pitch[:, side])
    bend = (angles_of(feet.toe).pitch - angles.pitch)[:, side] * sole.bends[side]
    turns = np.stack([pitch, angles.heading[:, side], angles.bank[:, side]], -1)
    foot = np.concatenate([ankle, turns], -1)
    joint = sole.joints(feet)[:, side]
    resting = body.ankle[side] + rotated(
        about_z(body.foot_heading[side]), sole.joint[side] - sole.ankle[side]
    )
    ball = np.concatenate([joint - resting, np.stack([bend, turns[:, 1], turns[:, 2]], -1)], -1)
    return foot, ball


def _asked_for(pitch: np.ndarray) -> np.ndarray:
    """Return the pitch that `rocker.flattened` maps to the given one; nearly flat pitches become flat."""
    share = np.clip(np.abs(pitch) / (3.0 * FLAT_BAND), 0.0, 1.0)
    return pitch + np.sign(pitch) * 2.0 * FLAT_BAND * smoothstep(share)


def _arm(body: Body, motions: Mapping[str, Motion], chest: np.ndarray, side: int) -> np.ndarray:
    """Return the arm channels `(f, 5)` that `upper_body.arm_turns` takes."""
    letter, sign = SIDES[side], SIDE_SIGN[side]
    heading = yaw_of(chest)
    joints = [motions[sided(part, letter)].position for part in ("upper_arm", "forearm", "hand")]
    upper, fore = (rotated(about_z(-heading), normalized(end - start)) for start, end in pairwise(joints))
    outward = np.clip(sign * np.arcsin(np.clip(upper[:, 1], -1.0, 1.0)), -FLATTEST, FLATTEST)
    flexion = np.unwrap(np.arctan2(upper[:, 0], -upper[:, 2]))
    placed = from_euler(-flexion, 0.0 * flexion, sign * outward)
    bent = rotated(transposed(placed), fore)
    sine = np.hypot(bent[:, 0], bent[:, 1])
    elbow = np.arctan2(sine, -bent[:, 2])
    usual = ELBOW_TELLS**2 / (sine + ELBOW_TELLS)
    inward = np.arctan2(
        -sign * bent[:, 1] + usual * np.sin(USUAL_INWARD), bent[:, 0] + usual * np.cos(USUAL_INWARD)
    )
    held = max(HANGING_ABDUCTION, hang_off_the_hips(body)), max(HANGING_ELBOW, elbow_off_the_ground(body))
    wrist = np.full(len(elbow), np.nan)
    return np.stack([flexion, outward - held[0], np.unwrap(inward), elbow - held[1], wrist], -1)
