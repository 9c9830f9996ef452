"""The two moments of a walk between which an act plays: how the body stands and moves there, on which prints,
and under which root."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..blend.poses import Poses
from ..body.feet import Feet, angles_of
from ..body.rocker import rolled, unflattened
from ..character.body import Body
from ..character.motion import Motion, rows_of
from ..contract.channels import CHANNELS
from ..gait.feet.stance import TOE_PRESS
from ..gait.pose import WalkPose
from ..gait.steps.footsteps import BOTH, steps_at
from ..gait.walker import Walker
from ..geometry.rotation import about_y, normalized, rotated, transposed, yaw_of
from ..ground.prints import Prints
from ..skeleton.roles import SIDES, sided
from ..styles.read_channels import channels_of, knees_of

AROUND = np.array([-0.5, 0.0, 0.5])  # frames around the moment at which rates are measured

Walked = Callable[[np.ndarray], WalkPose]  # from frames `(f,)` to a walk


@dataclass(frozen=True)
class SeenWalk:
    """A walk at three instants around a moment: its `pose`, metres on the path then, and on which `prints`
    `(2,)` feet stand.

    Those in the air are on their last.
    """

    pose: WalkPose
    distance: float
    prints: Prints


@dataclass(frozen=True)
class End:
    """A walk `walked` around one of its frames, at three instants `AROUND` it; it is looked at when it is
    asked for."""

    walker: Walker
    walked: Walked
    frame: float

    @staticmethod
    def all(
        walker: Walker, walked: Walked, frames: Iterable[float], together: Collection[float]
    ) -> "dict[float, End]":
        """Return a walk around each of some frames; some are looked at `together`, as alone each would cost
        as much as all.

        A pose may not hang on which frames are shown: so the others are looked at alone, each whenever it is
        asked for.
        """
        found = {frame: End(walker, walked, frame) for frame in frames}
        for frame, seen in zip(together, _looked_at(walker, walked, list(together)), strict=True):
            found[frame].__dict__["seen"] = seen
        return found

    @cached_property
    def seen(self) -> SeenWalk:
        """The walk then."""
        return _looked_at(self.walker, self.walked, [self.frame])[0]

    @property
    def seconds(self) -> np.ndarray:
        """The three instants `(3,)`, from the moment on."""
        return AROUND / self.walker.clock.fps

    @property
    def pose(self) -> WalkPose:
        """The poses at the three instants."""
        return self.seen.pose

    @cached_property
    def motions(self) -> dict[str, Motion]:
        """The motions then, of one row, relative to the root."""
        return rows_of(self.pose.motions, slice(1, 2))

    @property
    def distance(self) -> float:
        """Metres on the path."""
        return self.seen.distance

    @cached_property
    def prints(self) -> Prints:
        """The prints at the places on which feet stand, wherever edits have moved them."""
        prints, feet = self.seen.prints, self.feet
        axes = prints.axes
        pitch, tip = angles_of(transposed(axes) @ [feet.turn[1], feet.toe[1]]).pitch
        roll = rolled(
            self.walker.sole, about_y(pitch), pitch, np.where(pitch > 0.0, np.maximum(tip, 0.0), 0.0)
        )
        place = feet.ankle[1] - rotated(axes, roll.ankle)
        return replace(prints, place=np.where(self.stands[:, None], place, prints.place))

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
        feet = self.feet.seen(self.root)
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
        forward = np.stack(
            [
                normalized(motions[sided("knee", side)].position - motions[sided("shin", side)].position)
                for side in SIDES
            ],
            1,
        )
        heading = angles_of(self.feet.seen(self.root).turn).heading
        return knees_of(forward, motions["pelvis"].rotation, heading)[1, BOTH]


def _looked_at(walker: Walker, walked: Walked, frames: list[float]) -> list[SeenWalk]:
    """Return a walk around each of some frames."""
    if not frames:
        return []
    pose, still = walked(np.add.outer(np.array(frames), AROUND).ravel()), np.zeros((len(AROUND), 3))
    now = walker.moments(np.array(frames))
    step = steps_at(walker, now.phase)
    prints = vars(step.turned(walker.sole, (now.phase - step.contact) / step.duty).prints).values()
    found = []
    for row in range(len(frames)):
        rows = np.arange(len(AROUND)) + len(AROUND) * row
        part = pose.repeated(rows, pose.frames[rows], still[:, 0], still)
        found.append(SeenWalk(part, float(now.distance[row]), Prints(*(values[row] for values in prints))))
    return found
