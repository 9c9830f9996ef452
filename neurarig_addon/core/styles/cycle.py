"""The mean stride of a recording, in the walk's own channels."""

from dataclasses import dataclass

import numpy as np

from ..body.feet import angles_of
from ..body.sole import Sole
from ..character.body import RIGHT
from ..contract.channels import CHANNELS, IS_RIGHT, PLACES
from ..gait.steps.footsteps import BOTH
from ..gait.steps.placement import SIDE_SIGN
from .learned_style import AHEAD, OUTWARD, TOE_OUT
from .read_channels import channels_of, knees_of, prints_of
from .recording import RecordedStrides

SAMPLES = 100
PHASES = np.arange(SAMPLES) / SAMPLES
# The channels that are places relative to the root, by axis.
_PLACED = ("pelvis", "foot_l", "foot_r", "ball_l", "ball_r")
_OF_ROOT = {axis: [CHANNELS.index(f"{block}.{axis}") for block in _PLACED] for axis in PLACES}


@dataclass(frozen=True)
class Cycle:
    """The mean stride of a recording.

    `channels` `(SAMPLES, 46)`: over the phase of each channel's own foot, the left one for midline channels;
    the body's metres, radians.
    `knees` `(SAMPLES, 2)`: over the phase of each foot, radians outward.
    `speed` m/s, `stride` metres. `duty` `(2,)`, `beat`, `lead` (metres) as in `LearnedStyle`, but absolute,
    not additions.
    `prints` `(2, 3)`: metres ahead and outward of the root, radians of toe-out.
    `unsure` `(46,)`: mean square by which the channels are off as strides differ; 0 for a single one.
    `strides`: how many.
    """

    channels: np.ndarray
    knees: np.ndarray
    speed: float
    stride: float
    duty: np.ndarray
    beat: float
    lead: float
    prints: np.ndarray
    unsure: np.ndarray
    strides: int


def mean_cycle(recorded: RecordedStrides) -> Cycle:
    """Return the mean stride of a recording."""
    strides = [stride_channels(recorded, number) for number in range(len(recorded.strides))]
    shown = np.array([stride.channels for stride in strides])
    channels = shown.mean(axis=0)
    prints = np.mean([stride.prints for stride in strides], axis=0)
    found = recorded.strides
    seconds = (found.ends - found.begins) / recorded.fps
    right = ((found.right - found.begins) / (found.ends - found.begins)).mean()
    lead = -prints[:, AHEAD].mean()
    prints[:, AHEAD] += lead
    channels[:, _OF_ROOT["x"]] += lead
    return Cycle(
        channels=channels,
        knees=np.mean([stride.knees for stride in strides], axis=0),
        speed=float(found.speed.mean()),
        stride=float((found.speed * seconds).mean()),
        duty=found.duty.mean(axis=0),
        beat=float(0.5 - right),
        lead=float(lead),
        prints=prints,
        unsure=shown.var(axis=0, ddof=1).mean(axis=0) / len(shown)
        if len(shown) > 1
        else np.zeros(shown.shape[-1]),
        strides=len(shown),
    )


@dataclass(frozen=True)
class Stride:
    """One stride, as in `Cycle`, its prints relative to the root under the mean hips."""

    channels: np.ndarray
    knees: np.ndarray
    prints: np.ndarray


def stride_channels(recorded: RecordedStrides, number: int) -> Stride:
    """Return one stride, with its root under the mean hips and midway between the prints."""
    strides, body, rows = recorded.strides, recorded.character.body, recorded.rows(number)
    begins, ends, right = (float(getattr(strides, name)[number]) for name in ("begins", "ends", "right"))
    lifts = strides.lifts[number]
    motions, feet, forward = recorded.seen(number)
    sole = Sole.of(body)
    prints = prints_of(sole, feet, np.array([[begins, lifts[0]], [right, min(lifts[1], rows[-1])]]) - rows[0])
    when = _When(rows, begins, ends, right)
    channels = when.over_phase(channels_of(body, sole, motions, feet), IS_RIGHT)
    knees = when.over_phase(
        knees_of(forward, motions["pelvis"].rotation, angles_of(feet.turn).heading), BOTH == RIGHT
    )
    ahead, (_, aside, ground) = channels[:, CHANNELS.index("pelvis.x")].mean(), prints.place.mean(axis=0)
    for axis, shift in zip(PLACES, (ahead, aside, ground), strict=True):
        channels[:, _OF_ROOT[axis]] -= shift
    own = np.empty((2, 3))
    own[:, AHEAD] = prints.place[:, 0] - ahead
    own[:, OUTWARD] = SIDE_SIGN * (prints.place[:, 1] - aside)
    own[:, TOE_OUT] = SIDE_SIGN * prints.heading
    return Stride(channels, knees, own)


@dataclass(frozen=True)
class _When:
    """The rows of a stride, and when it begins, ends and the right foot strikes."""

    rows: np.ndarray
    begins: float
    ends: float
    right: float

    def over_phase(self, values: np.ndarray, is_right: np.ndarray) -> np.ndarray:
        """Return values `(rows, n)` resampled `(SAMPLES, n)` over the phase of the right foot where
        `is_right`, else of the left one.

        They are closed: a stride's drift is spread over it.
        """
        found = np.empty((SAMPLES, values.shape[1]))
        length = self.ends - self.begins
        for column, delay in enumerate(np.where(is_right, (self.right - self.begins) / length, 0.0)):
            phase = np.mod(PHASES + delay, 1.0)
            first, last = np.interp([self.begins, self.ends], self.rows, values[:, column])
            found[:, column] = np.interp(self.begins + phase * length, self.rows, values[:, column]) - (
                last - first
            ) * (phase - 0.5)
        return found
