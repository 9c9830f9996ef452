"""From a pose to channels: the inverse of Blender's bone hierarchy, in closed form, for all frames at once.

A bone's posed matrix is what its parent contributes times its own basis (location, rotation, scale).  The pose says where the bone
has to be and which way it has to point; what the parent contributes is known, because the parent is driven too or stands still.
So each basis is one matrix product, nothing has to be evaluated first, and nothing can be a frame late.

`Plan` is a rig's hierarchy folded into constants, `Poser` the plan for poses of certain roles.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .channels import Channels
from .motion import Motion, Posed
from .posing_plan import Plan
from .rig_table import POLE, ROOT_ROLE, RigTable


def solve(rig: RigTable, pose: Posed, travel_bone: bool) -> Channels:
    """Return the channels of every driven bone whose role the walk moves, for all frames of `pose`.

    `travel_bone`: the root bone (or, without one, every bone that hangs on nothing driven) goes forward by the pose's travel and follows
    its role `root`; otherwise the character stays in place, the root is left alone, and whoever calls moves the object.
    """
    roles = tuple(role for role in pose.motions if travel_bone or role != ROOT_ROLE)
    poser = Poser.of(rig, roles, np.array([pose.motions[role].rest for role in roles]), travel_bone)
    turns, heads = poser.taken(pose.motions, len(pose.frames))
    if not travel_bone:
        return poser.plan.channels(turns, heads)
    ground = pose.motions.get(ROOT_ROLE)
    if ground is not None:
        turns[:-1] = ground.rotation @ turns[:-1]
        heads[:-1] = (ground.rotation @ (heads[:-1] - ground.rest)[..., None])[..., 0] + ground.position
    return poser.plan.channels(turns, heads, pose.travel)


_UNTURNED = np.eye(3)


@dataclass(frozen=True)
class Poser:
    """A rig for poses of certain roles: what is the same for every pose.

    `rows` `(k + 1,)`: which of `roles` moves each link of the plan; after the last what stands still: the root, and the armature itself.
    `arms` `(k + 1, 1, 3, 1)`: the link's head from the role's head at rest, walk frame, metres.
    """

    plan: Plan
    roles: tuple[str, ...]
    rows: np.ndarray
    arms: np.ndarray

    @classmethod
    def of(cls, rig: RigTable, roles: tuple[str, ...], rest: np.ndarray, travel_bone: bool = False) -> "Poser":
        """Return the poser of a rig for poses of `roles`, whose heads are at `rest` `(r, 3)` at rest; `travel_bone` as in `solve`."""
        plan = Plan.of(rig, frozenset(roles), travel_bone)
        moved = [link.drive.role for link in plan.links]
        rows = [len(roles) if role == ROOT_ROLE else roles.index(role) for role in moved]
        arms = plan.rest_heads - np.vstack([rest.reshape(-1, 3), np.zeros(3)])[rows]
        arms[[role.startswith(POLE) for role in moved]] = 0.0
        return cls(plan, roles, np.array([*rows, len(roles)], dtype=int), np.vstack([arms, np.zeros(3)])[:, None, :, None])

    def solve(self, turns: np.ndarray, heads: np.ndarray) -> Channels:
        """Return the channels of a character in place for rotations `(f, r, 3, 3)` away from rest and heads `(f, r, 3)` of the roles."""
        frames, roles = turns.shape[:2]
        own_turns, own_heads = np.empty((roles + 1, frames, 3, 3)), np.empty((roles + 1, frames, 3))
        own_turns[:roles], own_turns[roles] = turns.swapaxes(0, 1), _UNTURNED
        own_heads[:roles], own_heads[roles] = heads.swapaxes(0, 1), 0.0
        return self.plan.channels(*self._carried(own_turns.take(self.rows, axis=0), own_heads.take(self.rows, axis=0)))

    def taken(self, motions: Mapping[str, Motion], frames: int) -> tuple[np.ndarray, np.ndarray]:
        """Return where motions want the links: rotations `(k + 1, f, 3, 3)` and heads `(k + 1, f, 3)`; the armature itself is last."""
        turns, heads = np.empty((len(self.rows), frames, 3, 3)), np.empty((len(self.rows), frames, 3))
        turns[:], heads[:] = _UNTURNED, 0.0
        for at, row in enumerate(self.rows):
            if row < len(self.roles):
                motion = motions[self.roles[row]]
                turns[at], heads[at] = motion.rotation, motion.position
        return self._carried(turns, heads)

    def _carried(self, turns: np.ndarray, heads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the links with their own heads for those of their roles."""
        return turns, heads + (turns @ self.arms)[..., 0]
