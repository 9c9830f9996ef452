"""How much farther a heel is raised than the gait raises it: where the leg behind lacks reach, its foot gives
before the pelvis does.

The foot turns about its toe joint, which stays. With u and v from the joint to hip and ankle, and the part of
v across the axis turned by
an angle e, the square of the distance from hip to ankle is u^2 + v^2 - 2 (u.v_along + r cos(e - d)): so e
follows in closed form.
"""

import numpy as np

from ...body.legs import LONGEST_REACH
from ...character.body import Body
from ...easing import over, within
from ...geometry.rotation import dot, rotated
from ..kinds.contacts import moving
from ..steps.footsteps import RAISED_AT, RISES_FROM, Steps
from ..walker import Walker
from .stance import PITCH, feet_of, on_prints, stair_share, stood

# Knees of legs that push off: straight until here in the stance, at toe-off bent by radians, in walks and in
# runs.
STRAIGHT_UNTIL, BENT = 0.65, np.radians([20.0, 4.0])
# share of what is lacking that the heel gives at RAISED_AT: in mid-stance the pelvis does
GIVES = np.array([0.0, 0.7, 1.0, 1.0, 1.0])
SOONER = 0.5  # a heel is up by this share of what it will be an eighth of the stance later
SAGS = 0.015  # leg lengths that hips come down before a heel rises
# pitch of a foot whose heel is raised; softness, and limit beyond it
STEEPEST, RAISE_BAND, LEAST = np.radians([72.0, 3.0, 1e-3])


def late_phases(steps: Steps) -> np.ndarray:
    """Return the foot phases `(steps, n, 2)` late in steps `(steps, 2)` at which it is decided how far heels
    are raised."""
    return steps.contact[:, None] + RAISED_AT[:, None] * steps.duty[:, None]


def heel_raises(walker: Walker, steps: Steps, hips: np.ndarray) -> np.ndarray:
    """Return radians `(steps, 2, n)` that heels are raised farther at shares RAISED_AT of the stance.

    `hips` `(steps, n, 2, 3)`: where the hips would then be, in the walk frame, if the legs reached.
    """
    share = np.broadcast_to(RAISED_AT[:, None], (len(steps.contact), len(RAISED_AT), 2))
    rows = np.broadcast_to(np.arange(len(steps.contact))[:, None, None], share.shape)
    each = steps.take(rows)
    seconds = walker.rhythm.seconds_when(late_phases(steps))
    foot, ball = feet_of(walker, each, walker.inputs.at(seconds), each.order + each.natural * share)
    state, _ = on_prints(walker, each, foot, ball, np.minimum(share, 1.0))
    feet = stood(state, np.zeros(share.shape), share).feet
    lever = rotated(feet.turn, walker.sole.ankle - walker.sole.joint)
    axis = each.prints.axes[..., :, 1]
    hips = hips - [0.0, 0.0, SAGS * walker.body.leg_length]
    to_hip, along = hips - (feet.ankle - lever), dot(lever, axis)[..., None] * axis
    across = lever - along
    cos, sin = dot(to_hip, across), dot(to_hip, np.cross(axis, across))
    missing = 0.5 * (dot(to_hip, to_hip) + dot(lever, lever) - _reach(walker, seconds, share) ** 2) - dot(
        to_hip, along
    )
    most, lever_arm = np.arctan2(sin, cos), np.hypot(sin, cos)
    needed = most - np.arccos(np.clip(missing / np.maximum(lever_arm, 1e-9), -1.0, 1.0))
    level = 1.0 - stair_share(np.maximum(np.abs(each.came), np.abs(each.goes)))
    raised = over(needed, RAISE_BAND) * moving(walker.inputs.vhat_at(seconds)) * level
    raised = within(raised, np.maximum(STEEPEST - state[..., PITCH], LEAST)) * GIVES[:, None]
    for knot in range(len(RAISED_AT) - 2, -1, -1):
        raised[:, knot] = np.maximum(raised[:, knot], SOONER * raised[:, knot + 1])
    raised[:, -1] = raised[:, -3]  # at toe-off it is highest: the swing leaves no faster for it
    if len(walker.rhythm.rests):  # the heel of a foot that waits stays down
        rising = steps.contact + RISES_FROM * steps.duty
        waits, _ = walker.rhythm.rests.within(*map(walker.rhythm.phase_when, (rising, steps.lift)))
        raised *= ~waits[:, None]
    return np.moveaxis(raised, 1, 2)


def _reach(walker: Walker, seconds: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return how far the ankles of pushing legs may be from the hips, in metres `(...)`."""
    body, runs = walker.body, walker.gait.law.running(walker.inputs.for_law(seconds))
    bent = (
        (BENT[0] + runs * (BENT[1] - BENT[0]))
        * np.maximum(share - STRAIGHT_UNTIL, 0.0)
        / (1.0 - STRAIGHT_UNTIL)
    )
    return np.minimum(LONGEST_REACH * (body.thigh_length + body.shin_length), _leg(body, bent))


def _leg(body: Body, bent: np.ndarray) -> np.ndarray:
    """Return the distance from hip to ankle, in metres, of legs whose knees are bent by radians."""
    return np.sqrt(
        body.thigh_length**2 + body.shin_length**2 + 2.0 * body.thigh_length * body.shin_length * np.cos(bent)
    )
