"""Where and when each foot is on the ground: the plan that nothing later may break."""

from dataclasses import dataclass

import numpy as np

from ..body import LEFT, RIGHT, Body
from .cycle import Rhythm
from .law import GaitLaw
from .manner import manner
from .style import Clock, StyleTrack

# Half the step width: part of it goes with the hips, part with the leg (together 5.2 cm on a grown person; norms: step width 8-13 cm).
SPACING_OF_HIP, SPACING_OF_LEG = 0.3, 0.03
MOST_INSIDE = 0.15  # in leg lengths: on hips so wide that feet would be farther inside them, the legs would slant like a V
MOST_ASIDE = 0.5  # in leg lengths: how far off the hip a stride width may set a foot
NATURAL_TOE_OUT = np.radians(6.5)  # foot progression of the gait laboratories: 6 to 8.5 degrees
BOTH = np.array([LEFT, RIGHT])
SIDE_SIGN = np.array([1.0, -1.0])  # y of the left and right foot
MID_STANCE = 0.3  # cycles after the heel strike: who is under way by then walks, even if the foot came down before
# Contact of the second foot, in cycles after the first; a limp shortens the sore leg's single support.
OPPOSITE, LIMP_SHIFT = 0.5, 0.05


@dataclass(frozen=True)
class Footsteps:
    """The prints around some frames, each array `(2 sides, steps)`; step `i` of a side has number `first[side] + i`.

    `contact`, `lift`: foot phase in cycles at heel strike and toe-off.  `x`, `y`: the ankle above the flat print, metres from the
    start, x along the path.  `heading`: yaw in radians.  `spacing`: distance from the path in metres.
    """

    first: np.ndarray
    contact: np.ndarray
    lift: np.ndarray
    x: np.ndarray
    y: np.ndarray
    heading: np.ndarray
    spacing: np.ndarray

    def under_way(self, phase: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows and columns `(frames, 2)` here of the steps under way at foot phases `(frames, 2)`."""
        return np.broadcast_to(BOTH, phase.shape), np.floor(phase).astype(int) - self.first


def foot_phase(phase: np.ndarray, shift: float, limp: float) -> np.ndarray:
    """Return the phases `(frames, 2)` of the left and right foot: whole numbers are heel strikes."""
    left = phase + shift
    return np.stack([left, left + OPPOSITE + LIMP_SHIFT * limp], -1)


def natural_spacing(body: Body) -> float:
    """Return half the natural step width in metres."""
    hip = 0.5 * abs(body.hip[0, 1] - body.hip[1, 1])
    return max(SPACING_OF_HIP * hip + SPACING_OF_LEG * body.leg_length, hip - MOST_INSIDE * body.leg_length)


def spacing_of(body: Body, width: np.ndarray) -> np.ndarray:
    """Return half the step width in metres for widths `(...)` x natural, no farther off the hip than a leg gets without the splits."""
    hip, aside = 0.5 * abs(body.hip[0, 1] - body.hip[1, 1]), MOST_ASIDE * body.leg_length
    return np.clip(natural_spacing(body) * width, hip - aside, hip + aside)


def footsteps(
    body: Body, track: StyleTrack, clock: Clock, pace: Rhythm, law: GaitLaw, phases: np.ndarray, shift: float, limp: float
) -> Footsteps:
    """Return the prints for foot phases `(frames, 2)`: the step under way at each, and the next.

    A print lies beside the path where the root is at mid-stance, so it depends on its own step only, never on the frame asked for.
    """
    first = np.floor(phases.min(axis=0)).astype(int)
    count = int((np.floor(phases.max(axis=0)).astype(int) - first).max()) + 2
    contact = first[:, None] + np.arange(count, dtype=float)
    offset = foot_phase(np.zeros(1), shift, limp)[0][:, None]
    root_phase = contact - offset
    seconds = pace.seconds_at_phase(root_phase)
    speed = pace.speed_at(pace.seconds_at_phase(root_phase + MID_STANCE))
    duty = np.empty_like(contact)
    spacing, heading = np.empty_like(contact), np.empty_like(contact)
    for side in (0, 1):
        wish = manner(track, clock.start + seconds[side] * clock.fps)
        duty[side] = np.clip(law.duty(speed[side], body, side) + wish.duty[:, side], law.least_duty, law.most_duty)
        spacing[side] = spacing_of(body, wish.stance_width)
        heading[side] = SIDE_SIGN[side] * (NATURAL_TOE_OUT + wish.splay)
    middle = root_phase + 0.5 * duty
    return Footsteps(
        first=first,
        contact=contact,
        lift=contact + duty,
        x=pace.distance_at_phase(middle) - law.lead(speed, body),
        y=SIDE_SIGN[:, None] * spacing,
        heading=heading,
        spacing=spacing,
    )
