"""What every part of the pipeline calls a pose: the rigid motion of each role away from rest."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np


@dataclass(frozen=True)
class Motion:
    """The rigid motion of one role away from its rest pose, in the walk frame.

    A point that was at `p` in rest is at `rotation @ (p - rest) + position`.
    `rotation` `(frames, 3, 3)`; `position` `(frames, 3)` metres; `rest` `(3,)` metres.
    """

    rotation: np.ndarray
    position: np.ndarray
    rest: np.ndarray

    def carry(self, point: np.ndarray) -> np.ndarray:
        """Return where points `(3,)` or `(frames, 3)`, given as they are at rest, are carried `(frames, 3)`."""
        arm = np.broadcast_to(point - self.rest, self.position.shape)
        return (self.rotation @ arm[..., None])[..., 0] + self.position


class Posed(Protocol):
    """What `posing.solve` needs of a pose; `gait.pose.WalkPose` and `RolePose` have it."""

    @property
    def frames(self) -> np.ndarray: ...
    @property
    def motions(self) -> Mapping[str, Motion]: ...
    @property
    def travel(self) -> np.ndarray: ...


@dataclass(frozen=True)
class RolePose:
    """A character's pose at some frames, free of how its rig is built: the motion of every role in the character's walk frame.

    `frames` `(f,)`: scene frames.  `motions`: role to Motion, as in `WalkPose`; where there is a role `root` (head at the origin, turned
    about z), it is the motion of the ground under the character, and all others are as seen from it.  `travel` `(f,)`: 0.
    """

    frames: np.ndarray
    motions: Mapping[str, Motion]

    @property
    def travel(self) -> np.ndarray:
        """Metres that the root goes forward apart from `motions`: none."""
        return np.zeros(len(self.frames))
