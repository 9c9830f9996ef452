"""What the gait hands to the writer: where every role is, frame by frame."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..character.motion import Motion
from ..ground.carry import Carry

PER_FRAME = ("pivot", "phase", "ground_speed", "stride", "duty", "period", "pitch")


@dataclass(frozen=True)
class WalkPose:
    """A walk at some frames: metres, x forward, y left, z up, origin on the ground under the moving root.

    `frames` `(f,)`: scene frames, in any order.
    `motions`: role to Motion, as seen from the root: `pelvis`, `spine.1` .., `neck` .., `head`, `thigh.L` .. `toe.L`, `clavicle.L` ..
    `hand.L`, both sides, and `knee.L`/`knee.R`, the pole in front of the knee (only its position counts).  Roles that the body lacks are
    left out.
    `root`: the motion of the ground under the character since the walk's start, in the walk frame; `turns`: it turns somewhere.
    `pivot` `(f, 2)`: SWING, HEEL, FLAT, BALL or TOE (`ground.pivots`) for the left and right foot.
    `pitch` `(f, 2, 2)`: of each foot, and of its toes, on the ground that it stands on or is over, radians.
    `phase` `(f, 2)`: steps since the first left/right heel strike, cycles but in a skip; whole numbers are heel strikes.
    `ground_speed` `(f,)` m/s, `stride` `(f,)` metres, `duty` `(f, 2)` share of the step on the ground, `period` `(f,)` seconds a cycle.
    `carry`: how ground that moves has carried both feet; None on ground that does not.
    `steps`: those of a foot in a cycle.  `lap`: cycles after which a steady walk repeats: one, or more where strides differ.
    """

    frames: np.ndarray
    motions: Mapping[str, Motion]
    root: Motion
    turns: bool
    pivot: np.ndarray
    phase: np.ndarray
    ground_speed: np.ndarray
    stride: np.ndarray
    duty: np.ndarray
    period: np.ndarray
    pitch: np.ndarray
    lap: int = 1
    steps: int = 1
    carry: Carry | None = None

    def repeated(self, rows: np.ndarray, frames: np.ndarray, cycles: np.ndarray, farther: np.ndarray) -> "WalkPose":
        """Return the poses of `rows` `(f,)` of a straight walk, moved to other frames `(f,)`.

        They lie whole `cycles` `(f,)` later or earlier, and `farther` `(f, 3)` on, in metres.
        """

        def of_rows(motion: Motion) -> Motion:
            return Motion(motion.rotation[rows], motion.position[rows], motion.rest)

        root = of_rows(self.root)
        return WalkPose(
            frames=frames,
            motions={role: of_rows(motion) for role, motion in self.motions.items()},
            root=Motion(root.rotation, root.position + farther, root.rest),
            turns=self.turns,
            pivot=self.pivot[rows],
            phase=self.phase[rows] + self.steps * cycles[:, None],
            ground_speed=self.ground_speed[rows],
            stride=self.stride[rows],
            duty=self.duty[rows],
            period=self.period[rows],
            pitch=self.pitch[rows],
            lap=self.lap,
            steps=self.steps,
        )

    def with_rows(self, rows: np.ndarray, other: "WalkPose") -> "WalkPose":
        """Return the poses with rows `(m,)` replaced by those of another walk of the same length."""

        def joined(own: np.ndarray, others: np.ndarray) -> np.ndarray:
            values = np.array(own)
            values[rows] = others
            return values

        def of(own: Motion, others: Motion) -> Motion:
            return Motion(joined(own.rotation, others.rotation), joined(own.position, others.position), own.rest)

        return WalkPose(
            frames=self.frames,
            motions={role: of(motion, other.motions[role]) for role, motion in self.motions.items()},
            root=of(self.root, other.root),
            turns=self.turns,
            lap=self.lap,
            steps=self.steps,
            carry=None if self.carry is None or other.carry is None else Carry(joined(self.carry.values, other.carry.values)),
            **{name: joined(getattr(self, name), getattr(other, name)) for name in PER_FRAME},
        )
