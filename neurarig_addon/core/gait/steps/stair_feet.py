"""How feet pitch on stairs and kerbs: set down flat or forefoot first, lifted with less push.

Foot pitch of 73 adults on stairs (Bovi et al., Gait and Posture 2011, 33:6-13), zeroed where the foot is flat in mid-stance; the end of
the swing, which led off the laboratory's stairs, is half way to that of stairs that go on.
"""

import numpy as np

from ...contract.channels import POSE_AXES
from ...easing import smoothstep
from ...ground.prints import Prints
from ..kinds.contacts import eased_phase

PITCH = POSE_AXES.index("pitch")
DUTY = 0.7  # of the people measured
# Degrees: mean, cos, sin, cos 2, sin 2 ... of the phase.
UP = np.array([11.4, -0.2, -18.1, -9.8, 0.8, 0.1, 3.8, 0.8, 0.0, -0.1, 0.2, 0.1, 0.2])
DOWN = np.array([22.6, -5.1, -29.4, -6.0, 3.7, 3.5, 2.2, 1.7, -1.1, 0.6, 0.1, 0.9, -0.1])
# What the rocker flattens around level (see `ground.rocker`) is added back, blended in within this pitch.
FLATTENED, GOES_OVER = np.radians(4.0), np.radians(8.0)
MOST_BEND = np.radians(40.0)  # bend of the toes, which otherwise stay flat
NO_CLIMB, ALL_CLIMB = (
    0.06,
    0.26,
)  # leg lengths of climb from print to print beyond the ground's slope: level walk up to the first, stairs from the second
CAME_UNTIL, GOES_FROM = 0.2, 0.6  # shares of the stance between which the manner of arriving blends into that of leaving


def climbs(prints: Prints, leg_length: float) -> np.ndarray:
    """Return the climb from each print `(n, ...)` to the next `(n - 1, ...)`, as on stairs, in leg lengths.

    What the slopes of both prints explain is a hill, not a stair.
    """
    way, normal = np.diff(prints.place, axis=0), prints.axes[..., 2]
    tilt = -normal[..., :2] / normal[..., 2:]
    return (way[..., 2] - 0.5 * np.sum(way[..., :2] * (tilt[1:] + tilt[:-1]), axis=-1)) / leg_length


def stair_share(climb: np.ndarray) -> np.ndarray:
    """Return how much `climbs` `(...)` count as stairs, 0 to 1."""
    share = np.clip((np.abs(climb) - NO_CLIMB) / (ALL_CLIMB - NO_CLIMB), 0.0, 1.0)
    return smoothstep(share)


def on_stairs(
    foot: np.ndarray, ball: np.ndarray, at: np.ndarray, natural: np.ndarray, climb: tuple[np.ndarray, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Return foot and ball channels `(..., 2, 6)` at natural phases `at` `(..., 2)`, with the pitch of stairs where there are any.

    `natural` `(..., 2)`: the natural duty factor.  `climb` `(..., 2)` each: how a foot came onto its print, and how it goes on.
    """
    came, goes = climb
    if max(np.abs(came).max(initial=0.0), np.abs(goes).max(initial=0.0)) <= NO_CLIMB:
        return foot, ball
    over = np.clip((np.mod(at, 1.0) / natural - CAME_UNTIL) / (GOES_FROM - CAME_UNTIL), 0.0, 1.0)
    came, goes = np.sign(came) * stair_share(came), np.sign(goes) * stair_share(goes)
    share = came + (goes - came) * smoothstep(over)
    phase = eased_phase(at, natural, np.full_like(natural, DUTY))
    pitch = np.where(share > 0.0, _pitch(UP, phase), _pitch(DOWN, phase))
    in_swing = np.clip((phase - DUTY) / (1.0 - DUTY), 0.0, 1.0)
    bend = -np.clip(pitch, 0.0, MOST_BEND) * np.cos(np.pi * in_swing) ** 2
    foot, ball, share = foot.copy(), ball.copy(), np.abs(share)
    foot[..., PITCH] += share * (pitch - foot[..., PITCH])
    ball[..., PITCH] += share * (bend - ball[..., PITCH])
    return foot, ball


def _pitch(curve: np.ndarray, phase: np.ndarray) -> np.ndarray:
    """Return the foot's pitch in radians at phases `(...)`."""
    turns = 2.0 * np.pi * phase[..., None] * np.arange(1, len(curve) // 2 + 1)
    pitch = np.radians(curve[0] + np.cos(turns) @ curve[1::2] + np.sin(turns) @ curve[2::2])
    return pitch + FLATTENED * np.tanh(pitch / GOES_OVER)
