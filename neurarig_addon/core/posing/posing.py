"""From a pose to channels: the inverse of Blender's bone hierarchy, in closed form, for all frames at once.

A bone's posed matrix is its parent's contribution times its own basis (location, rotation, scale).  The pose gives the bone's place
and direction; the parent's contribution is known, because the parent is driven too or does not move.
So each basis is one matrix product, nothing has to be evaluated first, and nothing can be a frame late.

`Plan` is a rig's hierarchy reduced to constants for poses of certain roles.
"""

from dataclasses import dataclass

import numpy as np

from ..character.motion import Posed
from .channels import Channels
from .own_knees import hinged, swivelled
from .posing_plan import Plan
from .rig_table import ROOT_ROLE, RigTable

_UNTURNED = np.tile(np.eye(3), (1, 2, 1, 1))  # rotations of the last rows of a pose: the root bone's drive, and the armature itself


def solve(rig: RigTable, pose: Posed, root_bone: bool) -> Channels:
    """Return the channels of every driven bone with a role in the pose, for all frames of `pose`.

    `root_bone`: the root bone (or, without one, every bone without a driven parent) moves as the pose's root does; otherwise the
    character stays in place, the root bone is left alone, and the caller moves the object.
    """
    motions = dict(pose.motions)
    turning = root_bone and pose.turns
    if turning:
        motions[ROOT_ROLE] = pose.root
    plan = Plan.of(rig, tuple(motions), np.array([motion.rest for motion in motions.values()], dtype=float), root_bone)
    turns, heads = np.empty((len(pose.frames), len(motions) + 2, 3, 3)), np.zeros((len(pose.frames), len(motions) + 2, 3))
    turns[:, len(motions) :] = _UNTURNED
    for row, motion in enumerate(motions.values()):
        turns[:, row], heads[:, row] = motion.rotation, motion.position
    swivelled(rig, plan.roles, heads)
    hinged(rig, plan.roles, turns, heads)
    if turning:
        turns[:, :-1] = pose.root.rotation[:, None] @ turns[:, :-1]
        heads[:, :-1] = pose.root.carried(heads[:, :-1])
    return plan.channels(turns, heads, pose.root.position if root_bone and not turning else None)


@dataclass(frozen=True)
class Poser:
    """A rig ready for poses of certain roles of a character in place: everything that is the same for all of them."""

    rig: RigTable
    plan: Plan

    @classmethod
    def of(cls, rig: RigTable, roles: tuple[str, ...], rest: np.ndarray) -> "Poser":
        """Return the poser of a rig for poses of `roles`, with their heads at `rest` `(r, 3)` in the rest pose."""
        return cls(rig, Plan.of(rig, roles, rest, root_bone=False))

    def solve(self, turns: np.ndarray, heads: np.ndarray) -> Channels:
        """Return the channels for rotations `(f, r, 3, 3)` away from rest and heads `(f, r, 3)` of the roles."""
        frames = len(turns)
        turns = np.concatenate([turns, _UNTURNED.repeat(frames, axis=0)], axis=1)
        heads = np.concatenate([heads, np.zeros((frames, 2, 3))], axis=1)
        swivelled(self.rig, self.plan.roles, heads)
        hinged(self.rig, self.plan.roles, turns, heads)
        return self.plan.channels(turns, heads)
