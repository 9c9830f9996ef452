"""The poses that are joined: every role in the walk frame as the world has it, and which feet stand."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..body.feet import SWING, Feet
from ..body.seam import Instant, Seam
from ..character.body import Body
from ..character.motion import Motion, in_world
from ..gait.pose import WalkPose
from ..geometry.rotation import about_z
from ..skeleton.roles import SIDES, sided


@dataclass(frozen=True)
class Poses:
    """A character at some instants.

    `motions`: role to Motion, in the walk frame and not relative to the `root`. `stands` `(f, 2 or 4)`: which
    feet are on the ground, the hind ones first.
    """

    motions: Mapping[str, Motion]
    root: Motion
    stands: np.ndarray

    @classmethod
    def of_walk(cls, pose: WalkPose) -> "Poses":
        """Return the poses of a walk."""
        return cls(in_world(pose), pose.root, pose.of_feet("pivot") != SWING)

    def placed(self, place: Motion) -> "Poses":
        """Return the poses elsewhere: moved by the one row of a motion."""
        motions = {role: place.holding(motion) for role, motion in self.motions.items()}
        return replace(self, motions=motions, root=place.holding(self.root))

    def feet(self, body: Body) -> Feet:
        """Return the feet, independent of the rest pose; toes that the body lacks follow the foot."""
        flat = about_z(body.foot_heading)
        feet = [self.motions[sided("foot", side)] for side in SIDES]
        toes = [self.motions.get(sided("toe", side), foot) for side, foot in zip(SIDES, feet, strict=True)]
        turn, toe = (
            np.stack([motion.rotation @ flat[row] for row, motion in enumerate(each)], axis=1)
            for each in (feet, toes)
        )
        return Feet(np.stack([foot.position for foot in feet], axis=1), turn, toe)

    def with_rows(self, chosen: np.ndarray, others: "Poses") -> "Poses":
        """Return the poses with `others` in some rows."""

        stands = self.stands.copy()
        stands[chosen] = others.stands
        motions = {
            role: motion.with_rows(chosen, others.motions[role]) for role, motion in self.motions.items()
        }
        return Poses(motions, self.root.with_rows(chosen, others.root), stands)


@dataclass(frozen=True)
class Ends:
    """Three poses of each of two motions around the instant at which one is left for the other, and the
    seconds `at` `(3,)` of each."""

    before: Poses
    after: Poses
    at: tuple[np.ndarray, np.ndarray]

    def seam(self, seen: Callable[[Poses], tuple[np.ndarray, np.ndarray]], seconds: float) -> Seam:
        """Return how far what is `seen` of poses, rotations and places `(f, n, ...)`, is from what it is
        afterwards."""
        before, after = (
            Instant.of(*seen(poses), at) for poses, at in zip((self.before, self.after), self.at, strict=True)
        )
        return Seam.between(before, after, seconds)


Stream = Callable[[np.ndarray], Poses]  # from frames `(f,)`
