"""An arm brought to a point with its wrist: the collar bone helps, and elbows point where people's do."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..character.body import FORWARD, Body
from ..character.motion import Motion
from ..easing import over, within
from ..geometry.limb import across, two_bones
from ..geometry.rotation import (
    ON_GROUND,
    UP,
    between,
    cross,
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
    twist,
)
from ..skeleton.roles import ARM_PARTS, SIDES, sided
from .hold import Hold
from .skin import girth, sleeve

LONGEST = 0.97  # of the arm's length: beyond this the shoulder and the trunk help
BAND = 0.02  # of the arm's length, blended on both sides of LONGEST
DAMPED = 0.25  # of the distance from hinge to joint
STRETCHED, STRETCH_BAND = 0.996, 0.003  # of the arm's length: longest reach, so that the elbow does not snap
MOST_SHOULDER = np.radians(26.0)  # largest rotation of a collar bone
# angle off straight down beyond which an arm raises its shoulder, and the share of the excess
RISES_FROM, RISE = np.radians(70.0), 0.22
RISE_BAND = np.radians(25.0)
# places along a forearm that stay beside the trunk, and how far its elbow goes aside for each length of the
# arm by which they are in it
ALONG, ASIDE = np.linspace(0.0, 1.0, 4)[:, None], 14.0
STRAIGHT = 0.1  # sine of the elbow's bend below which it does not define its hinge axis
FOREARM = 0.5  # of a hand's twist: what its forearm takes of it
# where a hand lies on its thigh: of the way from the knee to the hip, and leg lengths above that line
ON_THIGH, ABOVE_THIGH = 0.3, 0.09
RAISED = 3.0  # x the sine of a thigh that rises to its knee: how much nearer to that


def has_arm(body: Body, row: int) -> bool:
    """Return whether a body has an arm on a side, 0 left, 1 right."""
    return bool(np.isfinite([body.shoulder[row], body.elbow[row], body.wrist[row]]).all())


def on_thigh(body: Body, motions: Mapping[str, Motion], row: int) -> np.ndarray:
    """Return where the wrist of a side lies on its thigh `(f, 3)`: the nearer to the knee, the steeper that
    is, up or down."""
    hip, knee = (motions[sided(part, SIDES[row])].position for part in ("thigh", "shin"))
    way = normalized(hip - knee)
    level = np.clip(np.minimum(norms(way * ON_GROUND), 1.0 + RAISED * way[:, 2]), 0.0, 1.0)[:, None]
    above = normalized(rejected(UP + FORWARD, way))
    return knee + ON_THIGH * level * (hip - knee) + ABOVE_THIGH * body.leg_length * above


@dataclass(frozen=True)
class Arm:
    """The arm of a `body` on a side, `row` 0 left, 1 right: the motions of its `parts`, those that it has."""

    body: Body
    row: int
    parts: Mapping[str, Motion]

    @classmethod
    def of(cls, body: Body, motions: Mapping[str, Motion], row: int) -> "Arm":
        """Return an arm of a pose."""
        roles = {part: sided(part, SIDES[row]) for part in ARM_PARTS}
        return cls(body, row, {part: motions[role] for part, role in roles.items() if role in motions})

    def moved(self, before: Motion, chest: Motion) -> "Arm":
        """Return the arm, carried by a chest that has moved."""
        parts = {part: chest.holding(before.seeing(motion)) for part, motion in self.parts.items()}
        return Arm(self.body, self.row, parts)

    @cached_property
    def joints(self) -> np.ndarray:
        """The joints of collar bone and upper arm `(f, 2, 3)`, by which the trunk helps."""
        return np.stack([self._collar, self._shoulder], axis=1)

    @cached_property
    def _collar(self) -> np.ndarray:
        """The joint of the collar bone `(f, 3)`, or the shoulder itself if the rig has none."""
        joint, clavicle = self.body.clavicle[self.row], self.parts.get("clavicle")
        return self._shoulder if clavicle is None or not np.isfinite(joint).all() else clavicle.carry(joint)

    @property
    def _shoulder(self) -> np.ndarray:
        return self.parts["upper_arm"].position

    @property
    def _elbow(self) -> np.ndarray:
        return self.parts["forearm"].position

    @cached_property
    def wrist(self) -> np.ndarray:
        """The wrist `(f, 3)`."""
        return self.parts["forearm"].carry(self.body.wrist[self.row])

    @cached_property
    def _bones(self) -> tuple[np.ndarray, np.ndarray]:
        """Lengths of upper arm and forearm `(f,)` in metres."""
        return norms(self._elbow - self._shoulder), norms(self.wrist - self._elbow)

    @cached_property
    def _length(self) -> np.ndarray:
        upper, lower = self._bones
        return upper + lower

    def wanted(self, hold: Hold) -> np.ndarray:
        """Return the place `(f, 3)` a share of the way to a hold's, on an arc about the shoulder, not through
        the body."""
        line, way = self.wrist - self._shoulder, hold.there - self._shoulder
        length = (1.0 - hold.share) * norms(line) + hold.share * norms(way)
        return self._shoulder + normalized(turned_towards(line, way, hold.share)) * length[:, None]

    def lean(self, joints: np.ndarray, hinge: np.ndarray, goal: np.ndarray, share: np.ndarray) -> np.ndarray:
        """Return the rotation about a hinge of the trunk, axis times radians `(f, 3)`, that brings the wrist
        within reach of a goal `(f, 3)` where the shoulder alone does not; `joints` `(f, 2, 3)`: as a trunk
        that leans already carries them."""
        _, shoulder = self._shrugged(joints, goal, share)
        return nearer(hinge, shoulder, goal, self._short(shoulder, goal, share))

    def _short(self, shoulder: np.ndarray, goal: np.ndarray, share: np.ndarray) -> np.ndarray:
        """Return by how much `(f,)`, in metres, a shoulder must come nearer to a goal; with a soft onset,
        times the share `(f,)`."""
        length = self._length
        return share * over((norms(goal - shoulder) - LONGEST * length) / length, BAND) * length

    def _shrugged(
        self, joints: np.ndarray, goal: np.ndarray, share: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the rotation `(f, 3, 3)` of a collar bone with the arm's `joints` `(f, 2, 3)`, and the
        shoulder `(f, 3)` after it: raised, and near enough to the goal."""
        hinge, shoulder = joints[:, 0], joints[:, 1]
        line, arm = goal - shoulder, shoulder - hinge
        off_down = np.arccos(np.clip(-line[:, 2] / np.maximum(norms(line), 1e-9), -1.0, 1.0))
        rise = share * RISE * over(off_down - RISES_FROM, RISE_BAND)
        turn = nearer(hinge, shoulder, goal, self._short(shoulder, goal, share))
        turn = turn + rise[:, None] * normalized(cross(arm, goal - hinge))
        angle = norms(turn)
        less = within(angle, MOST_SHOULDER) / np.maximum(angle, 1e-12)
        collar = from_rotation_vector(turn * less[:, None])
        return collar, hinge + rotated(collar, arm)

    def reached(self, goal: np.ndarray, hold: Hold, motions: Mapping[str, Motion]) -> dict[str, Motion]:
        """Return the motions of the arm's roles with its wrist at a goal `(f, 3)`, or as near as it gets, its
        forearm beside the trunk of other `motions`, and its hand turned as a hold says."""
        collar, shoulder = self._shrugged(self.joints, goal, hold.share)
        line, normal, way = normalized(self.wrist - self._shoulder), self._normal, goal - shoulder
        carried = rotated(between(line, way), cross(line, normal))
        natural = usual_elbow(normalized(way), (1.0, -1.0)[self.row])
        pole = (1.0 - hold.share)[:, None] * carried + hold.share[:, None] * natural
        far, length = norms(way), self._length
        near = far - hold.share * length * over(far / length - STRETCHED, STRETCH_BAND)
        held = shoulder + way * (near / np.maximum(far, 1e-9))[:, None]
        elbow, wrist = two_bones(shoulder, held, pole, *self._bones, line)
        trunk, thick = girth(self.body), sleeve(self.body)
        if trunk is not None:
            points = elbow[:, None] + ALONG * (wrist - elbow)[:, None]
            aside = ASIDE * hold.share * norms(trunk.out(motions, points, thick)) / length
            if aside.any():
                outward = np.array([0.0, (1.0, -1.0)[self.row], 0.0])
                pole = normalized(pole) + aside[:, None] * outward
                elbow, wrist = two_bones(shoulder, held, pole, *self._bones, line)
        along = normalized(wrist - shoulder)
        bent = cross(across(pole, along), along)
        upper, lower = (
            frame(now, bent) @ transposed(frame(before, normal))
            for now, before in (
                (elbow - shoulder, self._elbow - self._shoulder),
                (wrist - elbow, self.wrist - self._elbow),
            )
        )
        turned = {"upper_arm": (upper, shoulder), "forearm": (lower, elbow), "hand": (lower, wrist)}
        found = {
            part: Motion(turn @ self.parts[part].rotation, place, self.parts[part].rest)
            for part, (turn, place) in turned.items()
            if part in self.parts
        }
        if "clavicle" in self.parts:
            found["clavicle"] = self.parts["clavicle"].turned(collar, self._collar)
        if "hand" in found and hold.turn is not None:
            found |= _turned_hand(found, hold.turn, hold.turned * hold.share, wrist - elbow)
        return {sided(part, SIDES[self.row]): motion for part, motion in found.items()}

    @cached_property
    def _normal(self) -> np.ndarray:
        """The axis `(f, 3)` about which the elbow bends, or about which it would bend if straight, bringing
        the forearm forward."""
        rest = self.body.elbow[self.row] - self.body.shoulder[self.row]
        hinge = self.parts["upper_arm"].rotation @ normalized(cross(rest, FORWARD))
        bend = cross(normalized(self._elbow - self._shoulder), normalized(self.wrist - self._elbow))
        straight = np.maximum(1.0 - norms(bend) / STRAIGHT, 0.0)
        axis = bend + STRAIGHT * (straight * straight)[:, None] * hinge
        return normalized(rejected(axis, normalized(self.wrist - self._shoulder)))


def nearer(hinge: np.ndarray, point: np.ndarray, goal: np.ndarray, short: np.ndarray) -> np.ndarray:
    """Return the rotation about a hinge, axis times radians `(f, 3)`, that brings a point nearer to a goal by
    about `short` `(f,)` metres.

    All places `(f, 3)`.  One damped Newton step: a hinge that hardly affects the distance is not turned far.
    """
    arm, way = point - hinge, goal - point
    lever = cross(arm, normalized(way))
    damped = dot(lever, lever) + DAMPED**2 * dot(arm, arm) + short * norms(arm)
    return lever * (short / np.maximum(damped, 1e-12))[:, None]


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


def _turned_hand(
    parts: Mapping[str, Motion], wanted: np.ndarray, share: np.ndarray, along: np.ndarray
) -> dict[str, Motion]:
    """Return forearm and hand with the hand turned a share `(f,)` of the way to its wanted rotation; the
    forearm, whose direction is `along` `(f, 3)`, takes its share of the twist."""
    lower, hand = parts["forearm"], parts["hand"]
    turned = part_way(hand.rotation, wanted, share)
    axis = normalized(along)
    rolled = from_axis_angle(axis, FOREARM * twist(turned @ transposed(hand.rotation), axis))
    return {
        "forearm": Motion(rolled @ lower.rotation, lower.position, lower.rest),
        "hand": Motion(turned, hand.position, hand.rest),
    }
