"""What retargeting hands on."""

from dataclasses import dataclass

import numpy as np

from ..motion import Motion, RolePose


@dataclass(frozen=True)
class Retargeted:
    """A clip on the target character, in its walk frame: metres, z up.

    `pose`: the motion of every role, for `posing.solve`; with `Root.BONE` there is a role `root`, and all others are as seen from it.
    `root`: the motion of the ground under the character, of which `pose` is free: with `Root.BONE` the same as the role's, with
        `Root.OBJECT` what the object has to do, with `Root.IN_PLACE` what was left out; it stands still with `Root.PELVIS`.
    `pivots` `(f, 2)`: SWING, HEEL, FLAT, BALL or TOE (`gait.pose`) of the left and right foot.
    `fps`: frames a second.
    """

    pose: RolePose
    root: Motion
    pivots: np.ndarray
    fps: float

    def in_world(self) -> dict[str, Motion]:
        """Return the motions with the root's motion in them, whatever carries it: what the report is about."""
        turn, place = self.root.rotation, self.root.position
        return {
            role: Motion(turn @ motion.rotation, (turn @ motion.position[..., None])[..., 0] + place, motion.rest)
            for role, motion in self.pose.motions.items()
            if role != "root"
        }
