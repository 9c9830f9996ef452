"""The ground under the body: as high as its prints, smooth from one to the next."""

from dataclasses import dataclass

import numpy as np

from ...character.body import LEFT, RIGHT
from ...easing import hermite, hermite_rate, smoothstep, within
from ...ground.legs import SOFT_BAND, UNEVEN_BAND
from ...ground.prints import Prints
from ..moments import Moments
from ..steps.footing import climbed
from ..steps.footsteps import BOTH, Footsteps, Steps
from ..steps.stair_feet import climbs
from ..walker import Walker

# Shares of a hill's angle by which the trunk leans into it, uphill and downhill, and the limits.
LEAN_UP, LEAN_DOWN, MOST_UP, MOST_DOWN = 0.4, 0.15, np.radians(12.0), np.radians(4.0)
# Where people's hips are, up and down, derived from their joints on slopes of 5 and 10 degrees (Reznick 2021) and on stairs (Bovi 2011).
# On hills, in leg lengths: how much lower; the grade at which it is half of that; how far ahead of the feet per unit of grade.
HILL_SINKS, HALF_SUNK, HILL_AHEAD = (-0.028, 0.03), 0.12, (-0.79, -0.66)
# On stairs, per leg length of rise: how far the hips are ahead, the amplitude of their swing ahead and back, and the phase when they
# are foremost, in cycles; how much lower they are, the amplitude of their bob, and the phase when they are highest.
STAIR_AHEAD, STAIR_SURGE, STAIR_FOREMOST = (-0.47, -0.78), (0.07, 0.295), (0.0, 0.016)
STAIR_SINKS, STAIR_BOB, STAIR_HIGHEST = (0.07, 0.25), (0.113, 0.102), (0.4375, 0.391)
MOST_HILL, MOST_STAIR = 0.45, 0.3  # grade and leg lengths: limits of what people were measured on
ROUGH_CLIMB, STAIR_CLIMB = 0.03, 0.12  # leg lengths of rise below which a step is no stair, and above which it fully is
HALF_UNEVEN, HALF_ROUGH = 0.06, 0.01  # grade and roughness at which the softening of the reach guard is half its maximum


@dataclass(frozen=True)
class Going:
    """The ground under the body at frames `(f,)`: `height` in metres, `grade` (rise over run) and `roughness`.

    Roughness is how far prints lie off the mean of their neighbours, in leg lengths.  `hill`: the grade apart from
    steps, `stair`: rise per step on stairs, in leg lengths.  `phase`: cycles of the left foot.
    """

    height: np.ndarray
    grade: np.ndarray
    hill: np.ndarray
    roughness: np.ndarray
    stair: np.ndarray
    phase: np.ndarray

    @property
    def lean(self) -> np.ndarray:
        """Forward lean of the trunk, in radians."""
        angle = np.arctan(self.grade)
        up, down = MOST_UP * np.tanh(LEAN_UP * angle / MOST_UP), MOST_DOWN * np.tanh(LEAN_DOWN * angle / MOST_DOWN)
        return np.where(angle > 0.0, up, down)

    @property
    def ahead(self) -> np.ndarray:
        """How much farther ahead of the feet the hips are, in leg lengths: behind when going uphill, in front downhill."""
        hill, stair = within(self.hill, MOST_HILL), within(self.stair, MOST_STAIR)
        surge = _either(STAIR_SURGE, self.stair) * self._in_step(STAIR_FOREMOST)
        return _either(HILL_AHEAD, hill) * hill + _either(STAIR_AHEAD, stair) * stair + surge * np.abs(stair)

    @property
    def sunk(self) -> np.ndarray:
        """How much lower the pelvis is, in leg lengths; on stairs it also bobs more."""
        hill = _either(HILL_SINKS, self.hill) * _share((self.hill / HALF_SUNK) ** 2)
        bob = _either(STAIR_BOB, self.stair) * self._in_step(STAIR_HIGHEST)
        return hill + (_either(STAIR_SINKS, self.stair) - bob) * np.abs(self.stair)

    def _in_step(self, at: tuple[float, float]) -> np.ndarray:
        """Return a wave from -1 to 1 that peaks once per step, for stairs up and down."""
        return np.cos(4.0 * np.pi * (self.phase - _either(at, self.stair)))

    @property
    def guard(self) -> np.ndarray:
        """The reach guard's soft band in leg lengths (see `ground.legs`): wider where the feet stand at uneven heights."""
        return SOFT_BAND + (UNEVEN_BAND - SOFT_BAND) * _share((self.grade / HALF_UNEVEN) ** 2 + (self.roughness / HALF_ROUGH) ** 2)


def _either(values: tuple[float, float], way: np.ndarray) -> np.ndarray:
    """Return the first value uphill, the second downhill."""
    return np.where(way > 0.0, *values)


def _share(much: np.ndarray) -> np.ndarray:
    """Return a saturating share: 0 for 0, one half for 1, towards 1 for large values."""
    return much / (1.0 + much)


def going_at(walker: Walker, plan: Footsteps, at: Moments) -> Going:
    """Return the ground under the body at the given moments.

    A smooth curve without overshoot through the mean height of each print and its neighbours, at mid-stance: on
    a plane it rises evenly however that is tilted, and at a ledge it does not drop.
    """
    steps = plan.steps
    middle = walker.rhythm.phase_when(0.5 * (steps.contact + steps.lift))
    phase, own = _in_order(walker, middle, steps.place[..., 2])
    now = walker.rhythm.phase_when(at.phase)[:, 0]
    found, rate = _through(phase, _smoothed(own), now)
    if steps.lifted.any():
        own = _in_order(walker, middle, steps.climbed)[1]
        rate = _through(phase, _smoothed(own), now)[1]
    stride = np.maximum(walker.rhythm.stride_at(at.seconds), 0.1 * walker.body.leg_length)
    roughness = np.interp(now, phase, np.abs(own - _smoothed(own))) / walker.body.leg_length
    stair, stepped = _stair(walker, steps, now)
    return Going(found, rate / stride, (rate - stepped) / stride, roughness, stair, at.phase[:, 0])


def _in_order(walker: Walker, phase: np.ndarray, height: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return phases and heights of prints `(steps, 2)` in order of time `(n,)`; feet that land together count once, carried feet not."""
    contacts = walker.rhythm.contacts
    if contacts.together:
        return phase[:, LEFT], 0.5 * (height[:, LEFT] + np.interp(phase[:, LEFT], phase[:, RIGHT], height[:, RIGHT]))
    sides = [side for side in BOTH if side != contacts.carried]
    phase, height = phase[:, sides].reshape(-1), height[:, sides].reshape(-1)
    order = np.argsort(phase, kind="stable")
    return phase[order], height[order]


def _smoothed(heights: np.ndarray) -> np.ndarray:
    """Return the mean height `(n,)` of each print and its neighbours."""
    return np.concatenate([heights[:1], 0.25 * (heights[:-2] + heights[2:]) + 0.5 * heights[1:-1], heights[-1:]])


def _stair(walker: Walker, steps: Steps, now: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the rise per step on stairs in leg lengths at phases `now` `(f,)`, and the resulting climb in metres per cycle.

    At touchdown the rise is the print's height above the one before.
    """
    if not walker.rhythm.contacts.takes_turns:  # such gaits take no stairs
        return np.zeros(len(now)), np.zeros(len(now))
    touched = walker.rhythm.phase_when(steps.contact).reshape(-1)
    order = np.argsort(touched, kind="stable")
    place = climbed(steps.prints, steps.climbed).place if steps.lifted.any() else steps.place
    prints = Prints(*(values.reshape(-1, *values.shape[2:])[order] for values in (place, steps.heading, steps.slope, steps.bank)))
    climb = climbs(prints, walker.body.leg_length)
    climb = climb * smoothstep(np.clip((np.abs(climb) - ROUGH_CLIMB) / (STAIR_CLIMB - ROUGH_CLIMB), 0.0, 1.0))
    middle = walker.rhythm.phase_when(0.5 * (steps.contact + steps.lift)).reshape(-1)[order]
    stepped = walker.body.leg_length * np.concatenate([[0.0], np.cumsum(climb)])
    return _through(touched[order][1:], climb, now)[0], _through(middle, _smoothed(stepped), now)[1]


def _through(at: np.ndarray, values: np.ndarray, now: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a smooth curve through values `(n,)` at phases, without overshoot, and its slope, at phases `now` `(f,)`."""
    secant = np.diff(values) / np.diff(at)
    before, after = np.append(secant[:1], secant), np.append(secant, secant[-1:])
    both = before + after
    slope = np.where(before * after > 0.0, 2.0 * before * after / np.where(both == 0.0, 1.0, both), 0.0)
    row = np.clip(np.searchsorted(at, now, side="right") - 1, 0, len(secant) - 1)
    width = at[row + 1] - at[row]
    s = np.clip((now - at[row]) / width, 0.0, 1.0)
    start, end, leave, arrive = values[row], values[row + 1], slope[row] * width, slope[row + 1] * width
    return hermite(s, start, leave, end, arrive), hermite_rate(s, start, leave, end, arrive) / width
