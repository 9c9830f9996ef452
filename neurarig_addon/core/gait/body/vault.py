"""A walk on legs that can neither bend nor stretch: the hips go over each standing foot on an arc, as on a
pair of compasses.

Towards the end of a step the hips go over to the arc of the next leg, smoothly and a little above both arcs.
The foot behind raises its
heel for that, about the ball, which stays; the foot ahead comes down flat as its arc is reached. In the air a
leg clears the ground
because its hip is hitched up and it swings outward. Everything follows from the prints, the phases, and the
hips as seen from above.
"""

from dataclasses import dataclass, replace

import numpy as np

from ...body.feet import SWING
from ...body.rocker import rolled
from ...body.sole import Sole
from ...easing import over, smootherstep, smoothstep
from ...geometry.rotation import about_y, dot, rotated, transposed
from ...path.path import Along
from ..feet.stance import BANK, BEND, HEADING, PITCH, SLOPE, Z, stood
from ..inputs.proportions import Compass
from ..kinds.contacts import moving
from ..sliders.manner import BodyManner, Posture
from ..steps.footsteps import Steps
from ..steps.placement import SIDE_SIGN
from ..steps.situation import Situation
from ..walker import Walker
from .pelvis import UP, WantedBody

# the exchange is rounded by this much more than a steady walk needs: speeds change, and hips surge
ROUNDER = 1.3
HITCH = np.radians(6.0)  # by which the hip of the swinging leg is raised
CLEARED = 0.038  # leg lengths by which hitch and outward swing raise a foot in mid swing
BALL_BAND = np.radians(6.0)  # pitch: how softly a swinging foot levels to keep its ball off the ground
STEEPEST, STEEPEST_BAND = np.radians(58.0), np.radians(12.0)  # pitch of a raised heel
# of how much farther down the arc of the leg behind is at a heel strike, within which the arcs pass into each
# other
EXCHANGE_BAND = 0.8
LET_GO_BY = 0.25  # share of the swing after which the leg behind no longer holds the hips up
UP_BY = 0.35  # share of the swing after which the leg is up, and before the end of which it comes down
LANDS_FROM = 0.88  # share of the swing from which the foot comes down as it will stand
LEVEL_BY = 0.45  # share of the swing after which the foot is level
FLAT = 1e-7  # radians: a heel raised by less is not raised
BOTH_STAND = 0.002  # leg lengths: the band in which two standing legs share the height of the hips
SHORTEST_ARC = 0.25  # leg lengths that hips are above an ankle, however far it is aside


@dataclass(frozen=True)
class Vault:
    """Feet `(f, 2)` in a vaulting walk: the steps under way and `following`, how far `into` them, and whether
    a foot is on the ground.

    `share` of the swing; `hump`: 1 in mid swing, softly 0 on the ground.
    """

    compass: Compass
    now: Steps
    following: Steps
    into: np.ndarray
    grounded: np.ndarray
    share: np.ndarray
    hump: np.ndarray

    @classmethod
    def of(cls, here: Situation) -> "Vault | None":
        """Return where feet are in a situation; None if the walker does not walk so."""
        walker, steps, phase = here.walker, here.feet_steps.steps, here.feet.phase
        if walker.compass is None:
            return None
        rows = here.feet_steps.under_way(phase)
        now = steps.take(rows)
        into, duty = phase - now.contact, now.duty
        share = np.clip((into - duty) / (1.0 - duty), 0.0, 1.0)
        hump = smoothstep(share / UP_BY) * smoothstep((1.0 - share) / UP_BY)
        now = now.turned(walker.sole, np.minimum(into / duty, 1.0))
        return cls(walker.compass, now, steps.take(rows + 1), into, into < duty, share, hump)


def hitching(wish: BodyManner, here: Situation) -> BodyManner:
    """Return the manner with the pelvis rolled, in place of the gait's own roll, by what raises the hip of a
    swinging rigid leg."""
    vault = Vault.of(here)
    if vault is None:
        return wish
    roll = HITCH * (vault.hump * SIDE_SIGN).sum(axis=1)
    return replace(
        wish, list=np.zeros_like(wish.list), posture=wish.posture + Posture.of(len(roll), pelvis_roll=roll)
    )


def vaulted(wanted: WantedBody, here: Situation, along: Along) -> WantedBody:
    """Return the wanted body with the pelvis as high as rigid legs hold it, and feet at their ends; others as
    they are."""
    vault, walker, at = Vault.of(here), here.walker, here.feet
    if vault is None:
        return wanted
    hips = along.root.carried(wanted.hips(walker.body))
    rise, landing = _rise(walker, vault, hips, walker.rhythm.stride_at(at.seconds) * moving(at.vhat))
    place, down, hips = (
        wanted.place + rise[:, None] * UP,
        hips + landing[:, None, None] * UP,
        hips + rise[:, None, None] * UP,
    )
    raised, next_raised = _raised(walker, vault.now, hips), _raised(walker, vault.following, down)
    lands = smoothstep((vault.share - LANDS_FROM) / (1.0 - LANDS_FROM))
    behind, pivot = _standing(walker.sole, vault.now, raised)
    ahead, _ = _standing(walker.sole, vault.following, lands * next_raised)
    swinging = _swinging(walker, vault, behind, ahead, hips, along.left)
    pitch = (
        _off_the_ground(walker.sole, vault, swinging, raised * (1.0 - smoothstep(vault.share / LEVEL_BY)))
        + lands * next_raised
    )
    state = np.empty((*raised.shape, BANK + 1))
    state[..., : Z + 1] = np.where(vault.grounded[..., None], behind, swinging)
    state[..., PITCH] = np.where(vault.grounded, raised, pitch)
    state[..., BEND] = np.where(walker.sole.bends, -state[..., PITCH], 0.0)
    turning = smoothstep(vault.share)
    for column, name in ((HEADING, "heading"), (SLOPE, "slope"), (BANK, "bank")):
        left, next_one = getattr(vault.now, name), getattr(vault.following, name)
        state[..., column] = left + (next_one - left) * turning
    stand = stood(state, np.zeros_like(raised), np.where(vault.grounded, pivot, SWING))
    return replace(wanted, stand=stand.seen_from(along, walker.turns), place=place, reaches=True)


def _rise(
    walker: Walker, vault: Vault, hips: np.ndarray, stride: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return how far hips `(f, 2, 3)` must rise `(f,)` for the legs that hold them to be as long as they are,
    in strides `(f,)`.

    Also returned: how far they would if the leg in the air stood `(f,)`, which is the same when it lands.
    """
    leg, frames = walker.body.leg_length, np.arange(len(hips))
    here, there = (_to_arc(walker, hips, _flat(walker.sole, steps)) for steps in (vault.now, vault.following))
    recent = np.argmin(vault.into, axis=1)
    other = 1 - recent
    going = smoothstep(1.0 - (1.0 - vault.into[frames, other]) / vault.compass.exchange)
    first, let_go = here[frames, recent], smoothstep(vault.share[frames, other] / LET_GO_BY)
    lean = 0.25 * stride / np.sqrt(leg**2 - np.minimum(0.25 * stride, 0.9 * leg) ** 2)
    shorter = vault.compass.exchange * stride * lean
    band = np.maximum(EXCHANGE_BAND * shorter, BOTH_STAND * leg)
    beside, ahead = (
        over(here[frames, other] - first, band) * (1.0 - let_go),
        over(there[frames, other] - first, band),
    )
    return first + beside + ahead * going + ROUNDER * shorter * going * (1.0 - going), first + ahead


def _standing(sole: Sole, steps: Steps, pitch: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the ankles `(f, 2, 3)` of feet on their prints with raised heels, and the pivots `(f, 2)`."""
    roll = rolled(sole, about_y(pitch), pitch, np.zeros_like(pitch))
    return steps.place + rotated(steps.prints.axes, roll.ankle), roll.pivot


def _flat(sole: Sole, steps: Steps) -> np.ndarray:
    """Return the ankles `(f, 2, 3)` of feet flat on their prints."""
    return steps.place + rotated(steps.prints.axes, sole.ankle)


def _to_arc(walker: Walker, hips: np.ndarray, ankles: np.ndarray) -> np.ndarray:
    """Return how far each hip must rise `(f, 2)` for its leg to be as long as it is."""
    return ankles[..., 2] + _height(walker, hips, ankles) - hips[..., 2]


def _height(walker: Walker, hips: np.ndarray, ankles: np.ndarray) -> np.ndarray:
    """Return how high hips are above ankles `(f, 2)`, both as seen from above, on legs of their length."""
    leg = walker.body.thigh_length + walker.body.shin_length
    across = np.sum((hips[..., :2] - ankles[..., :2]) ** 2, axis=-1)
    return np.sqrt(np.maximum(leg**2 - across, (SHORTEST_ARC * leg) ** 2))


def _raised(walker: Walker, steps: Steps, hips: np.ndarray) -> np.ndarray:
    """Return the pitch `(f, 2)` to which a standing foot raises its heel about the ball for the leg to be as
    long as it is.

    With h from the ball to the hip, l from the ball to the ankle of a flat foot and r the leg's length, `|h -
    Ry(p) l| = r` is `a cos p + b sin p = m`; of its two solutions the smaller one is wanted.
    """
    sole, leg = walker.sole, walker.body.thigh_length + walker.body.shin_length
    axes, lever = steps.prints.axes, sole.ankle - sole.joint
    away = rotated(transposed(axes), hips - steps.place - rotated(axes, sole.joint))
    a = away[..., 0] * lever[:, 0] + away[..., 2] * lever[:, 2]
    b = away[..., 0] * lever[:, 2] - away[..., 2] * lever[:, 0]
    m = 0.5 * (dot(away, away) + dot(lever, lever) - leg**2) - away[..., 1] * lever[:, 1]
    pitch = np.arctan2(b, a) - np.arccos(np.clip(m / np.maximum(np.hypot(a, b), 1e-12), -1.0, 1.0))
    pitch = np.where(pitch > FLAT, pitch, 0.0)
    return pitch - over(pitch - STEEPEST, STEEPEST_BAND)


def _swinging(
    walker: Walker, vault: Vault, behind: np.ndarray, ahead: np.ndarray, hips: np.ndarray, left: np.ndarray
) -> np.ndarray:
    """Return the ankles `(f, 2, 3)` of swinging feet, from standing `behind` to standing `ahead`, outward in
    between."""
    share = vault.share
    ankle = behind + (ahead - behind) * smootherstep(share)[..., None]
    across = dot(ankle - hips, left[:, None])
    out = vault.hump * (SIDE_SIGN * _outward(walker, vault.now.step_height) - across)
    ankle = ankle + out[..., None] * left[:, None]
    ankle[..., 2] = hips[..., 2] - _height(walker, hips, ankle)
    return ankle


def _off_the_ground(sole: Sole, vault: Vault, ankle: np.ndarray, pitch: np.ndarray) -> np.ndarray:
    """Return pitches `(f, 2)` of swinging feet with raised heels, less where the ball would be under the
    ground between the prints."""
    lever, under = sole.ankle - sole.joint, vault.now.place[..., 2]
    ground = under + (vault.following.place[..., 2] - under) * smoothstep(vault.share)
    up = np.clip(
        (ankle[..., 2] - ground - sole.joint[:, 2]) / np.maximum(np.hypot(lever[:, 0], lever[:, 2]), 1e-12),
        -1.0,
        1.0,
    )
    steepest = np.arctan2(-lever[:, 0], lever[:, 2]) - np.arccos(up)
    return np.maximum(
        pitch - over(pitch - steepest, BALL_BAND * smoothstep(vault.share / LET_GO_BY) + 1e-9), 0.0
    )


def _outward(walker: Walker, step_height: np.ndarray) -> np.ndarray:
    """Return how far outside its hip `(f, 2)` a swinging leg goes to clear the ground, as far as the hitch
    does not raise it."""
    leg = walker.body.leg_length
    hitch = np.sin(HITCH) * abs(float(walker.body.hip[0, 1] - walker.body.hip[1, 1]))
    up = np.clip(CLEARED * leg * step_height - hitch, 0.0, 0.5 * leg)
    return np.sqrt(leg**2 - (leg - up) ** 2)
