"""The two moments of a walk between which an act plays: how the body stands and moves there, on which prints, and under which root."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..blend.poses import Poses
from ..character.body import Body
from ..character.motion import Motion
from ..contract.channels import CHANNELS
from ..gait.feet.stance import TOE_PRESS
from ..gait.pose import WalkPose
from ..gait.steps.footsteps import BOTH, footsteps
from ..gait.walker import Walker
from ..geometry.rotation import about_y, normalized, rotated, transposed, yaw_of
from ..ground.feet import Feet, angles_of
from ..ground.prints import Prints
from ..ground.rocker import rolled, unflattened
from ..skeleton.roles import SIDES, sided
from ..styles.read_channels import channels_of, knees_of

AROUND = np.array([-0.5, 0.0, 0.5])  # frames around the moment at which rates are measured

Walked = Callable[[np.ndarray], WalkPose]  # from frames `(f,)` to a walk


@dataclass(frozen=True)
class End:
    """A walk around one of its frames, at three instants `seconds` `(3,)` apart around it; the moment itself is the middle one.

    `distance`: metres on the path.  `prints` `(2,)`: on which feet stand, those in the air on their last.
    """

    walker: Walker
    frame: float
    seconds: np.ndarray
    pose: WalkPose
    distance: float
    prints: Prints

    @classmethod
    def all(cls, walker: Walker, walked: Walked, frames: Sequence[float]) -> "dict[float, End]":
        """Return a walk around each of some frames, looked at together: alone, each would cost as much as all."""
        each = sorted(set(frames))
        if not each:
            return {}
        pose, still = walked(np.add.outer(np.array(each), AROUND).ravel()), np.zeros((len(AROUND), 3))
        rows = np.arange(len(pose.frames)).reshape(-1, len(AROUND))
        parts = [pose.repeated(row, pose.frames[row], still[:, 0], still) for row in rows]
        return {frame: cls._at(walker, part, frame) for frame, part in zip(each, parts, strict=True)}

    @classmethod
    def _at(cls, walker: Walker, pose: WalkPose, frame: float) -> "End":
        now = walker.moments(np.array([frame]))
        plan = footsteps(walker, now.phase)
        step = plan.steps.take(plan.under_way(now.phase))
        prints = step.turned(walker.sole, (now.phase - step.contact) / step.duty).prints
        flat = Prints(*(values[0] for values in vars(prints).values()))
        found = cls(walker, frame, AROUND / walker.clock.fps, pose, float(now.distance[0]), flat)
        return replace(found, prints=found._under_feet())

    def _under_feet(self) -> Prints:
        """Return the prints at the places on which feet stand, wherever edits have moved them."""
        axes, feet = self.prints.axes, self.feet
        lying = transposed(axes) @ feet.turn[1]
        pitch = angles_of(lying[None]).pitch[0]
        tip = angles_of((transposed(axes) @ feet.toe[1])[None]).pitch[0]
        roll = rolled(self.walker.sole, about_y(pitch), pitch, np.where(pitch > 0.0, np.maximum(tip, 0.0), 0.0))
        place = feet.ankle[1] - rotated(axes, roll.ankle)
        return Prints(np.where(self.stands[:, None], place, self.prints.place), *list(vars(self.prints).values())[1:])

    @property
    def stands(self) -> np.ndarray:
        """Which feet stand `(2,)`."""
        return self.in_world.stands[1]

    @cached_property
    def in_world(self) -> Poses:
        """The poses at the three instants, not relative to the root."""
        return Poses.of_walk(self.pose)

    @cached_property
    def feet(self) -> Feet:
        """The feet in the walk frame at the three instants."""
        return self.in_world.feet(self.body)

    @property
    def root(self) -> Motion:
        """The root at the three instants."""
        return self.pose.root

    @property
    def heading(self) -> np.ndarray:
        """The root's heading `(3,)`, unwrapped."""
        return np.unwrap(yaw_of(self.root.rotation))

    @property
    def body(self) -> Body:
        """Who walks."""
        return self.walker.body

    @cached_property
    def values(self) -> np.ndarray:
        """The channels `(3, 46)` that make the pose relative to the root; 0 for limbs that the body lacks.

        Feet and toes are pitched relative to the ground below them.
        """
        feet = Poses(self.pose.motions, self.root, self.in_world.stands).feet(self.body)
        found = np.nan_to_num(channels_of(self.body, self.walker.sole, self.pose.motions, feet))
        pitch, toes = unflattened(self.pose.pitch[..., 0]), self.pose.pitch[..., 1]
        pressed = np.where(toes > 0.0, unflattened(toes) + TOE_PRESS, 0.0)
        bend = np.where(self.in_world.stands, pressed * (pitch > 0.0), toes) - pitch
        for side, letter in enumerate("lr"):
            found[:, CHANNELS.index(f"foot_{letter}.pitch")] = pitch[:, side]
            found[:, CHANNELS.index(f"ball_{letter}.pitch")] = bend[:, side] * self.walker.sole.bends[side]
        return found

    @cached_property
    def knees(self) -> np.ndarray:
        """How far knees point outward `(2,)`, relative to half way between pelvis and foot, in radians."""
        motions = self.pose.motions
        forward = np.stack([normalized(motions[sided("knee", side)].position - motions[sided("shin", side)].position) for side in SIDES], 1)
        feet = Poses(motions, self.root, self.in_world.stands).feet(self.body)
        return knees_of(forward, motions["pelvis"].rotation, angles_of(feet.turn).heading)[1, BOTH]
