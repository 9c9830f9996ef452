"""The result of retargeting."""

from dataclasses import dataclass

import numpy as np

from ..character.motion import RolePose


@dataclass(frozen=True)
class Retargeted:
    """A clip on the target character, in its walk frame: metres, z up.

    `pose`: the motion of every role, for `posing.solve`, and the root's: with `Root.BONE` and `Root.OBJECT` what they have to do, with
        `Root.IN_PLACE` what was left out; it stands still with `Root.PELVIS`.
    `pivots` `(f, 2)`: SWING, HEEL, FLAT, BALL or TOE (`ground.feet`) of the left and right foot.
    `fps`: frames a second.
    """

    pose: RolePose
    pivots: np.ndarray
    fps: float
