"""A clip of a set: a pose on every frame, with what an engine needs to know of it."""

from dataclasses import dataclass, replace

import numpy as np

from ..body.feet import SWING
from ..character.motion import Motion, RolePose
from ..easing import running
from ..gait import pose as gait_pose
from ..geometry.rotation import norms, rotated, transposed, yaw_of
from .clip_plan import ClipPlan

FEET = ("left", "right")


@dataclass(frozen=True)
class SetClip:
    """Whole frames of a walk, from 0 on; the root begins at the origin, facing ahead.

    `pose`: the motions of the roles, and of the root. `phase` `(f, 2)`: steps of the left and right foot;
    whole numbers are contacts.
    `pivot` `(f, 2)`: what each foot stands on, as in `WalkPose`. `contacts`: feet and (fractional) frames at
    which they land.
    `speed`: m/s in full stride, `stride`: metres a cycle, `cycle`: frames a cycle; 0 without one.
    `enters`, `leaves`: the phase of the group's loop that it begins and ends with, in cycles from the left
    contact; None: standing.
    """

    plan: ClipPlan
    fps: float
    pose: RolePose
    phase: np.ndarray
    pivot: np.ndarray
    contacts: tuple[tuple[str, float], ...]
    speed: float
    stride: float
    cycle: float
    enters: float | None
    leaves: float | None

    @property
    def frames(self) -> int:
        """How many frames from the first to the last key."""
        return len(self.pose.frames) - 1

    @property
    def planted(self) -> np.ndarray:
        """Whether each foot stands `(f, 2)`."""
        return self.pivot != SWING

    @property
    def travel(self) -> np.ndarray:
        """Metres travelled on the ground until each frame `(f,)`."""
        way = norms(np.diff(self.pose.root.position[:, :2], axis=0))
        return running(way)

    @property
    def turned(self) -> np.ndarray:
        """Radians turned until each frame `(f,)`, left positive."""
        turn = self.pose.root.rotation
        return np.unwrap(yaw_of(turn))


def from_the_origin(pose: "gait_pose.WalkPose", evenly: bool) -> RolePose:
    """Return a walk whose root begins at the origin, facing ahead, on frames counted from 0; `evenly`: and
    travels straight and evenly.

    Uphill the root of a walk rises and falls a little with the steps, which is left to the body then.
    """
    first = transposed(pose.root.rotation[:1])
    place = rotated(
        np.broadcast_to(first, pose.root.rotation.shape), pose.root.position - pose.root.position[:1]
    )
    frames = np.arange(len(pose.frames), dtype=float)
    root, motions = Motion(first @ pose.root.rotation, place, pose.root.rest), pose.motions
    if evenly:
        even = replace(root, position=frames[:, None] / frames[-1] * place[-1])
        root, motions = even, {role: even.seeing(root.holding(motion)) for role, motion in motions.items()}
    return RolePose(frames, motions, root)
