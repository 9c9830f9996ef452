"""What the gait hands to the writer: where every role is, frame by frame."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..character.motion import Motion, rows_of
from ..ground.moving_ground import FootCarry

PER_FRAME = ("pivot", "phase", "ground_speed", "stride", "duty", "period", "pitch")


@dataclass(frozen=True)
class WalkPose:
    """A walk at some frames: metres, x forward, y left, z up, origin on the ground under the moving root.

    `frames` `(f,)`: scene frames, in any order.
    `motions`: role to Motion, as seen from the root: `pelvis`, `spine.1` .., `neck` .., `head`, `thigh.L` ..
    `toe.L`, `clavicle.L` ..
    `hand.L`, both sides, and `knee.L`/`knee.R`, the pole in front of the knee (only its position counts).
    Roles that the body lacks are
    left out.
    `root`: the motion of the ground under the character since the walk's start, in the walk frame; `turns`:
    it turns somewhere.
    `pivot` `(f, 2)`: SWING, HEEL, FLAT, BALL or TOE (`body.feet`) for the left and right foot.
    `pitch` `(f, 2, 2)`: of each foot, and of its toes, on the ground that it stands on or is over, radians.
    `phase` `(f, 2)`: steps since the first left/right heel strike, cycles but in a skip; whole numbers are
    heel strikes.
    `ground_speed` `(f,)` m/s, `stride` `(f,)` metres, `duty` `(f, 2)` share of the step on the ground,
    `period` `(f,)` seconds a cycle.
    `carry`: how ground that moves has carried both feet; None on ground that does not.
    `steps`: those of a foot in a cycle. `lap`: cycles after which a steady walk repeats: one, or more where
    strides differ. `fore`: the same of the fore legs alone, in their own frame, of a body on four legs.
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
    carry: FootCarry | None = None
    fore: "WalkPose | None" = None

    def of_feet(self, name: str) -> np.ndarray:
        """Return what is told of each foot, such as `pivot`, `(f, 2 or 4, ...)`, the hind ones first."""
        own = getattr(self, name)
        return own if self.fore is None else np.concatenate([own, getattr(self.fore, name)], axis=1)

    def repeated(
        self, rows: np.ndarray, frames: np.ndarray, cycles: np.ndarray, farther: np.ndarray
    ) -> "WalkPose":
        """Return the poses of `rows` `(f,)` of a straight walk on still ground, moved to other frames `(f,)`.

        They lie whole `cycles` `(f,)` later or earlier, and `farther` `(f, 3)` on, in metres.
        """
        found = rows_of(self, rows)
        phase = found.phase + self.steps * cycles[:, None]
        fore = self.fore and self.fore.repeated(rows, frames, cycles, farther)
        return replace(found, frames=frames, root=found.root.moved(farther), phase=phase, fore=fore)

    def with_motions(self, rows: np.ndarray, motions: Mapping[str, Motion]) -> "WalkPose":
        """Return the walk with other motions of some roles at `rows` `(r,)`."""
        changed = {role: self.motions[role].with_rows(rows, motion) for role, motion in motions.items()}
        return replace(self, motions={**self.motions, **changed})


def joined(poses: Sequence[WalkPose], rows: Sequence[np.ndarray]) -> WalkPose:
    """Return the poses of one walk, each at `rows` of the whole."""
    if len(poses) == 1:
        return poses[0]
    order, first = np.argsort(np.concatenate(rows)), poses[0]

    def of(parts: Sequence[Motion]) -> Motion:
        rotation, position = ([getattr(one, name) for one in parts] for name in ("rotation", "position"))
        return Motion(np.concatenate(rotation)[order], np.concatenate(position)[order], parts[0].rest)

    fores = [pose.fore for pose in poses if pose.fore is not None]
    carries = [pose.carry.values for pose in poses if pose.carry is not None]
    return replace(
        first,
        motions={role: of([pose.motions[role] for pose in poses]) for role in first.motions},
        root=of([pose.root for pose in poses]),
        carry=FootCarry(np.concatenate(carries)[order]) if len(carries) == len(poses) else None,
        fore=joined(fores, rows) if fores else None,
        **{
            name: np.concatenate([getattr(pose, name) for pose in poses])[order]
            for name in ("frames", *PER_FRAME)
        },
    )
