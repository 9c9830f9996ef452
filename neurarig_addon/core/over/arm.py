"""An arm that reaches for a goal with its wrist: the collar bone helps, and elbows point where people's
do."""

from dataclasses import dataclass, replace

import numpy as np

from ..character.motion import Motion
from ..easing import over, within
from ..geometry.limb import across, two_bones
from ..geometry.rotation import (
    between,
    dot,
    frame,
    from_axis_angle,
    from_rotation_vector,
    normalized,
    norms,
    part_way,
    rejected,
    rotated,
    transposed,
    turned_towards,
)

LONGEST = 0.97  # of the arm's length: beyond this the shoulder and the trunk help
BAND = 0.02  # of the arm's length, blended on both sides of LONGEST
DAMPED = 0.25  # of the distance from hinge to joint
STRETCHED, STRETCH_BAND = 0.996, 0.003  # of the arm's length: longest reach, so that the elbow does not snap
MOST_SHOULDER = np.radians(26.0)  # largest rotation of a collar bone
# angle off straight down beyond which an arm raises its shoulder, and the share of the excess
RISES_FROM, RISE = np.radians(70.0), 0.22
RISE_BAND = np.radians(25.0)
STRAIGHT = 0.1  # sine of the elbow's bend below which it does not define its hinge axis


@dataclass(frozen=True)
class Arm:
    """One arm at some frames, relative to the root: joints `(f, 3)`, and how the chest has turned it.

    `collar`: the joint of the collar bone, or the shoulder itself if the rig has none. `outward`: 1 on the
    left, -1 on the right.
    `hinge` `(f, 3)`: the axis about which a straight elbow would bend.
    `turn` `(f, 3, 3)`: the rotation that the chest has given it so far.
    """

    collar: np.ndarray
    shoulder: np.ndarray
    elbow: np.ndarray
    wrist: np.ndarray
    hinge: np.ndarray
    outward: float
    turn: np.ndarray

    @property
    def length(self) -> np.ndarray:
        """Upper arm plus forearm `(f,)` in metres."""
        return self.upper + self.lower

    @property
    def upper(self) -> np.ndarray:
        """Shoulder to elbow `(f,)` in metres."""
        return norms(self.elbow - self.shoulder)

    @property
    def lower(self) -> np.ndarray:
        """Elbow to wrist `(f,)` in metres."""
        return norms(self.wrist - self.elbow)

    def moved(self, chest: Motion, before: Motion) -> "Arm":
        """Return the arm, carried by a chest that has moved."""
        joints = {
            name: chest.carried(before.seen(getattr(self, name)))
            for name in ("collar", "shoulder", "elbow", "wrist")
        }
        turn = chest.rotation @ transposed(before.rotation)
        return replace(self, **joints, hinge=rotated(turn, self.hinge), turn=turn @ self.turn)

    def wanted(self, goal: np.ndarray, share: np.ndarray) -> np.ndarray:
        """Return the place `(f, 3)` a share `(f,)` of the way to a goal, on an arc about the shoulder, not
        through the body."""
        line, way = self.wrist - self.shoulder, goal - self.shoulder
        length = (1.0 - share) * norms(line) + share * norms(way)
        return self.shoulder + normalized(turned_towards(line, way, share)) * length[:, None]

    def short(self, shoulder: np.ndarray, goal: np.ndarray, share: np.ndarray) -> np.ndarray:
        """Return by how much `(f,)`, in metres, a shoulder must come nearer to a goal; with a soft onset,
        times the share `(f,)`."""
        length = self.length
        return share * over((norms(goal - shoulder) - LONGEST * length) / length, BAND) * length

    def raised(self, goal: np.ndarray, share: np.ndarray) -> np.ndarray:
        """Return the collar bone's rotation, axis times radians `(f, 3)`: raising the shoulder, and bringing
        it near enough to the goal."""
        line = goal - self.shoulder
        off_down = np.arccos(np.clip(-line[:, 2] / np.maximum(norms(line), 1e-9), -1.0, 1.0))
        rise = share * RISE * over(off_down - RISES_FROM, RISE_BAND)
        turn = nearer(self.collar, self.shoulder, goal, self.short(self.shoulder, goal, share))
        turn = turn + rise[:, None] * normalized(np.cross(self.shoulder - self.collar, goal - self.collar))
        angle = norms(turn)
        return turn * (within(angle, MOST_SHOULDER) / np.maximum(angle, 1e-12))[:, None]

    def shrugged(self, goal: np.ndarray, share: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the collar bone's rotation `(f, 3, 3)`, and the shoulder `(f, 3)` after it."""
        turn = self.raised(goal, share)
        collar = from_rotation_vector(turn)
        return collar, self.collar + rotated(collar, self.shoulder - self.collar)


@dataclass(frozen=True)
class ArmTurns:
    """Rotations `(f, 3, 3)` of the collar bone, and of upper arm and forearm including the chest's, and the
    joints `(f, 3)` after them."""

    collar: np.ndarray
    upper: np.ndarray
    lower: np.ndarray
    shoulder: np.ndarray
    elbow: np.ndarray
    wrist: np.ndarray


def nearer(hinge: np.ndarray, point: np.ndarray, goal: np.ndarray, short: np.ndarray) -> np.ndarray:
    """Return the rotation about a hinge, axis times radians `(f, 3)`, that brings a point nearer to a goal by
    about `short` `(f,)` metres.

    All places `(f, 3)`.  One damped Newton step: a hinge that hardly affects the distance is not turned far.
    """
    arm, way = point - hinge, goal - point
    lever = np.cross(arm, normalized(way))
    damped = dot(lever, lever) + DAMPED**2 * dot(arm, arm) + short * norms(arm)
    return lever * (short / np.maximum(damped, 1e-12))[:, None]


def reached(arm: Arm, goal: np.ndarray, share: np.ndarray) -> ArmTurns:
    """Return an arm with its wrist at a goal `(f, 3)`, or as near as it gets; `share` `(f,)`: the weight of
    the reach, 0..1."""
    collar, shoulder = arm.shrugged(goal, share)
    line = normalized(arm.wrist - arm.shoulder)
    normal = _normal(arm)
    carried = rotated(between(line, goal - shoulder), np.cross(line, normal))
    natural = usual_elbow(normalized(goal - shoulder), arm.outward)
    pole = (1.0 - share)[:, None] * carried + share[:, None] * natural
    far = norms(goal - shoulder)
    near = far - share * arm.length * over(far / arm.length - STRETCHED, STRETCH_BAND)
    held = shoulder + (goal - shoulder) * (near / np.maximum(far, 1e-9))[:, None]
    elbow, wrist = two_bones(shoulder, held, pole, arm.upper, arm.lower, line)
    way = normalized(wrist - shoulder)
    bent = np.cross(across(pole, way), way)
    upper = frame(elbow - shoulder, bent) @ transposed(frame(arm.elbow - arm.shoulder, normal)) @ arm.turn
    lower = frame(wrist - elbow, bent) @ transposed(frame(arm.wrist - arm.elbow, normal)) @ arm.turn
    return ArmTurns(collar, upper, lower, shoulder, elbow, wrist)


def usual_elbow(way: np.ndarray, outward: float) -> np.ndarray:
    """Return the usual direction `(f, 3)`, of any length, of the elbow of an arm that reaches along unit
    `way` `(f, 3)`.

    Behind a hanging arm, below one that reaches ahead or aside, in front of a raised one, and always a little
    outward.
    """
    down = -way[:, 2]
    pole = np.empty_like(way)
    pole[:, 0], pole[:, 1], pole[:, 2] = -0.8 * down, 0.5 * outward, down * down - 1.0
    return pole


def turned_hand(
    forearm: np.ndarray, hand: np.ndarray, wanted: np.ndarray, share: np.ndarray, along: np.ndarray
) -> tuple:
    """Return rotations `(f, 3, 3)` of forearm and hand, with the hand turned a share `(f,)` of the way to its
    wanted rotation.

    The forearm takes half of the twist about itself; its direction is `along` `(f, 3)`.
    """
    turned = part_way(hand, wanted, share)
    change = turned @ transposed(hand)
    twist = np.array(
        [
            change[:, 2, 1] - change[:, 1, 2],
            change[:, 0, 2] - change[:, 2, 0],
            change[:, 1, 0] - change[:, 0, 1],
        ]
    ).T
    axis = normalized(along)
    angle = np.arctan2(
        dot(twist, axis), np.trace(change, axis1=1, axis2=2) - dot(axis, rotated(change, axis))
    )
    return from_axis_angle(axis, 0.5 * angle) @ forearm, turned


def _normal(arm: Arm) -> np.ndarray:
    """Return the axis `(f, 3)` about which the elbow bends, or about which it would bend if straight."""
    bend = np.cross(normalized(arm.elbow - arm.shoulder), normalized(arm.wrist - arm.elbow))
    straight = np.maximum(1.0 - norms(bend) / STRAIGHT, 0.0)
    axis = bend + STRAIGHT * (straight * straight)[:, None] * arm.hinge
    line = normalized(arm.wrist - arm.shoulder)
    return normalized(rejected(axis, line))
