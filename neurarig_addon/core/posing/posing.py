"""From a pose to channels: the inverse of Blender's bone hierarchy, in closed form, for all frames at once.

A bone's posed matrix is its parent's contribution times its own basis (location, rotation, scale). The pose
gives the bone's place
and direction; the parent's contribution is known, because the parent is driven too or does not move.
So each basis is one matrix product, nothing has to be evaluated first, and nothing can be a frame late.

`Plan` is a rig's hierarchy reduced to constants for poses of certain roles. Legs that a rig bends by knees of
its own are posed for them:
poles are placed so that the knee is right, thighs and shins rolled so that a hinge can bend.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from ..character.motion import Posed, RolePose
from ..geometry.rotation import dot, from_axis_angle, normalized, rotated, wrapped
from .channels import Channels
from .heels import with_held
from .posing_plan import Plan
from .rig_table import POLE, ROOT_ROLE, RigTable


class Travel(Enum):
    """What of an armature travels: nothing, the root bone (or, without one, every bone without a driven
    parent), or the controls."""

    NOTHING = "NOTHING"
    ROOT_BONE = "ROOT_BONE"
    CONTROLS = "CONTROLS"


_SLIGHT = 0.01  # sine of the bend below which the roll is poorly defined, and fades back to the given one


def _swivelled(rig: RigTable, roles: tuple[str, ...], heads: np.ndarray) -> None:
    """Turn poles, in place, about the line from hip to ankle so that knees are where the pose has them;
    `heads` `(f, r, 3)`."""
    for pole, angle in rig.swivels.items():
        leg = [pole.replace(POLE, f"{part}.") for part in ("thigh", "foot")]
        if pole in roles and all(role in roles for role in leg):
            hip, ankle = (heads[:, roles.index(role)] for role in leg)
            turn = from_axis_angle(normalized(ankle - hip), np.full(len(heads), -angle))
            row = roles.index(pole)
            heads[:, row] = hip + rotated(turn, heads[:, row] - hip)


def hinged(rig: RigTable, roles: tuple[str, ...], turns: np.ndarray, heads: np.ndarray) -> None:
    """Roll thighs and shins, in place, about themselves so that hinge knees only bend.

    `turns` `(f, r, 3, 3)`, `heads` `(f, r, 3)`: hips, knees and ankles stay where they are.
    """
    for shin, axis in rig.hinges.items():
        leg = [shin.replace("shin", part) for part in ("thigh", "shin", "foot")]
        if not all(role in roles for role in leg):
            continue
        upper, lower, foot = (roles.index(role) for role in leg)
        thigh, calf = (
            normalized(heads[:, lower] - heads[:, upper]),
            normalized(heads[:, foot] - heads[:, lower]),
        )
        # A hinge keeps the angle between calf and axis: roll the thigh until the axis has that angle to the
        # calf.
        above, below = turns[:, upper] @ axis, turns[:, lower] @ axis
        along = dot(above, thigh)[:, None] * thigh
        across = above - along
        ahead, aside = dot(across, calf), dot(np.cross(thigh, across), calf)
        reach = np.hypot(ahead, aside)
        wanted = dot(below, calf) - dot(along, calf)
        half = np.arccos(np.clip(wanted / np.maximum(reach, 1e-12), -1.0, 1.0))
        middle = np.arctan2(aside, ahead)
        roll = _nearer(middle - half, middle + half) * (1.0 - np.exp(-((reach / _SLIGHT) ** 2)))
        turns[:, upper] = from_axis_angle(thigh, roll) @ turns[:, upper]
        turns[:, lower] = from_axis_angle(calf, _about(calf, below, turns[:, upper] @ axis)) @ turns[:, lower]


def _nearer(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the smaller in magnitude of two angles, each wrapped to -pi..pi."""
    first, second = wrapped(first), wrapped(second)
    return np.where(np.abs(first) <= np.abs(second), first, second)


def _about(axis: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the angle about `axis` from one vector to the other, projected along it, all `(f, 3)`."""
    return np.arctan2(dot(axis, np.cross(start, end)), dot(start, end) - dot(axis, start) * dot(axis, end))


_AT_ONCE = 8192  # frames, to limit memory
# rotations of the last rows of a pose: the root bone's drive, and the armature itself
_UNTURNED = np.tile(np.eye(3), (1, 2, 1, 1))


def solve(rig: RigTable, pose: Posed, travel: Travel) -> Channels:
    """Return the channels of every driven bone with a role in the pose, for all frames of `pose`.

    `travel`: what moves as the pose's root does. With NOTHING the character stays in place, and the caller
    moves the object; only with
    ROOT_BONE the root bone is driven.
    """
    if len(pose.frames) > _AT_ONCE:
        starts = range(0, len(pose.frames), _AT_ONCE)
        parts = [
            solve(rig, RolePose.rows_of(pose, slice(start, start + _AT_ONCE)), travel) for start in starts
        ]
        return Channels(parts[0].properties, np.concatenate([part.values for part in parts]))
    motions = {
        role: pose.root.holding(motion) if travel is Travel.CONTROLS else motion
        for role, motion in pose.motions.items()
    }
    motions = with_held(rig.heels, motions)
    root_bone = travel is Travel.ROOT_BONE
    turning = root_bone and pose.turns
    if turning:
        motions[ROOT_ROLE] = pose.root
    plan = Plan.of(
        rig, tuple(motions), np.array([motion.rest for motion in motions.values()], dtype=float), root_bone
    )
    turns, heads = (
        np.empty((len(pose.frames), len(motions) + 2, 3, 3)),
        np.zeros((len(pose.frames), len(motions) + 2, 3)),
    )
    turns[:, len(motions) :] = _UNTURNED
    for row, motion in enumerate(motions.values()):
        turns[:, row], heads[:, row] = motion.rotation, motion.position
    _swivelled(rig, plan.roles, heads)
    hinged(rig, plan.roles, turns, heads)
    if turning:
        turns[:, :-1] = pose.root.rotation[:, None] @ turns[:, :-1]
        heads[:, :-1] = pose.root.carried(heads[:, :-1])
    return plan.channels(turns, heads, pose.root.position if root_bone and not turning else None)


@dataclass(frozen=True)
class Poser:
    """A rig ready for poses of certain roles of a character in place: everything that is the same for all of
    them."""

    rig: RigTable
    plan: Plan

    @classmethod
    def of(cls, rig: RigTable, roles: tuple[str, ...], rest: np.ndarray) -> "Poser":
        """Return the poser of a rig for poses of `roles`, with their heads at `rest` `(r, 3)` in the rest
        pose."""
        return cls(rig, Plan.of(rig, roles, rest, root_bone=False))

    def solve(self, turns: np.ndarray, heads: np.ndarray) -> Channels:
        """Return the channels for rotations `(f, r, 3, 3)` away from rest and heads `(f, r, 3)` of the
        roles."""
        frames = len(turns)
        turns = np.concatenate([turns, _UNTURNED.repeat(frames, axis=0)], axis=1)
        heads = np.concatenate([heads, np.zeros((frames, 2, 3))], axis=1)
        _swivelled(self.rig, self.plan.roles, heads)
        hinged(self.rig, self.plan.roles, turns, heads)
        return self.plan.channels(turns, heads)
