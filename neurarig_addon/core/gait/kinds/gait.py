"""A gait as one value: the shapes of its curves, its law of stride and duty, and whether its feet are
planted.

The plain one has a textbook's few sines in place of a network's curves, so turning *Natural Motion* off swaps
the source of shapes, not the code path.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ...contract.channels import CHANNELS
from ...contract.inputs import legs_of
from ...geometry.rotation import TURN
from ..inputs.take import Take
from ..sliders.style import StyleTrack
from .law import HUMAN, GaitLaw
from .natural import dimensionless_speed, natural_duty, natural_lead, natural_stride


class PlainGait:
    """Sines and bumps in place of the network's curves."""

    def sample(self, slow: np.ndarray, phase_right: np.ndarray, phase_left: np.ndarray) -> np.ndarray:
        """Return channels `(frames, 46)` for slow inputs `(frames or 1, 9)` and foot phases `(frames,)` (see
        GaitShape)."""
        velocity = slow[:, 0]
        leg = legs_of(slow)
        vhat = dimensionless_speed(velocity, 1.0) / np.sqrt(leg)
        fade = vhat / (vhat + 0.03)
        stride = natural_stride(velocity / np.sqrt(leg), 1.0) * leg
        duty = natural_duty(velocity / np.sqrt(leg), 1.0)
        values: dict[str, np.ndarray | float] = dict.fromkeys(CHANNELS, 0.0)
        for side, phase, sign in (("r", phase_right, -1.0), ("l", phase_left, 1.0)):
            swing = np.clip((phase % 1.0 - duty) / (1.0 - duty), 0.0, 1.0)
            lift = np.sin(np.pi * swing) ** 2
            values[f"foot_{side}.x"] = 0.25 * stride * np.cos(TURN * phase)
            values[f"foot_{side}.z"] = 0.09 * leg * lift * fade
            values[f"foot_{side}.pitch"] = fade * (
                0.75 * _bump(phase, 0.6, 0.13) - 0.3 * _bump(phase, 0.0, 0.06)
            )
            values[f"arm_{side}.flexion"] = -0.3 * fade * np.cos(TURN * phase)
            values[f"arm_{side}.elbow"] = 0.08 + 0.0 * phase
            values["pelvis.yaw"] = values["pelvis.yaw"] - sign * 0.05 * fade * np.cos(TURN * phase)
            values["chest.yaw"] = values["chest.yaw"] + sign * 0.04 * fade * np.cos(TURN * phase)
            values["pelvis.y"] = values["pelvis.y"] + sign * 0.012 * leg * fade * np.sin(TURN * phase)
            values["pelvis.x"] = natural_lead(velocity / np.sqrt(leg), 1.0) * leg
            values["pelvis.z"] = values["pelvis.z"] - fade * leg * (
                0.02 + 0.01 * np.cos(2.0 * TURN * (phase - 0.08))
            )
        frames = np.broadcast(phase_right, velocity).shape
        return np.stack([np.broadcast_to(values[name], frames) for name in CHANNELS], -1)


def _bump(phase: np.ndarray, centre: float, width: float) -> np.ndarray:
    """A smooth periodic bump of height 1."""
    away = (phase - centre + 0.5) % 1.0 - 0.5
    return np.exp(-0.5 * (away / width) ** 2)


class GaitShape(Protocol):
    """A source of a walk's curves: a network, the plain walk, a profile, a blend."""

    def sample(self, slow: np.ndarray, phase_right: np.ndarray, phase_left: np.ndarray) -> np.ndarray:
        """Return the channels `(frames, 46)` of `contract.channels`: displacements from standing, metres and
        radians.

        `slow` `(frames or 1, 9)`: see `contract.inputs`. `phase_right`, `phase_left` `(frames,)`: cycles
        since that foot's heel strike.
        """
        ...


class Styling(Protocol):
    """What learned styles add besides curves and law: slow inputs end in `columns`, the weight of each.

    `sliders`: the sliders that the columns follow.
    """

    @property
    def sliders(self) -> tuple[str, ...]: ...

    def columns(self, track: StyleTrack, frames: np.ndarray) -> np.ndarray:
        """Return the last columns of slow inputs `(..., n)` at frames `(...)`."""
        ...

    def beat(self, track: StyleTrack, start: float) -> float:
        """Return by how many cycles the right foot strikes early, in a walk that begins on a frame."""
        ...

    def knees(self, slow: np.ndarray, phase: np.ndarray) -> np.ndarray:
        """Return how much farther outward knees point, in radians `(f, 2)`, for slow inputs `(f or 1, n)` and
        foot phases `(f, 2)`."""
        ...

    def prints(self, slow: np.ndarray) -> np.ndarray:
        """Return what is added to prints `(..., 2, 3)` for slow inputs `(..., n)`: metres ahead and outward,
        radians of toe-out."""
        ...


# from speeds in m/s `(knots,)` and shares of gaits `(knots,)` or None: by how many cycles the feet of each
# pair, hind and fore, are ahead of a walk's on two legs `(2, knots, 2)`
Footfalls = Callable[[np.ndarray, np.ndarray | None], np.ndarray]


@dataclass(frozen=True)
class Gait:
    """A gait: shapes, law and what goes with them.

    `shapes`: the curves over the phase. `law`: stride and duty factor. If not `planted`, the feet follow the
    shapes alone and slip where
    these do.  `styling`: of learned styles.  `take`: a recorded walk that is kept, step by step.  `fore`:
    that of the fore legs, of a gait on four; `footfalls`: when their feet fall. `limps`: of
    fore legs, whether they limp instead of the hind ones. `curve_duty`: the share of the step at which the
    shapes have a foot lift, at any speed; None where the law tells.
    """

    shapes: GaitShape
    law: GaitLaw = HUMAN
    planted: bool = True
    styling: Styling | None = None
    take: Take | None = None
    fore: "Gait | None" = None
    footfalls: "Footfalls | None" = None
    limps: bool = False
    curve_duty: float | None = None

    def natural_duty(self, slow: np.ndarray, which: np.ndarray | int) -> np.ndarray:
        """Return the share of the step at which the shapes have a foot lift; see `GaitLaw.duty`."""
        return self.law.duty(slow, which) if self.curve_duty is None else np.array(self.curve_duty)

    def inputs(
        self,
        track: StyleTrack,
        frames: np.ndarray,
        slow: np.ndarray,
        running: np.ndarray | None,
        way: np.ndarray | None,
    ) -> np.ndarray:
        """Return slow inputs `(..., 9)` at frames `(...)`, followed by what else this gait is asked for.

        That is the share of running, where it changes; the weight of each style; the direction of travel
        relative to the legs, where the body faces elsewhere.
        """
        added = [] if running is None else [running[..., None]]
        added += [] if self.styling is None else [self.styling.columns(track, frames)]
        added += [] if way is None else [way[..., None]]
        return np.concatenate([slow, *added], axis=-1) if added else slow


PLAIN = Gait(PlainGait())
