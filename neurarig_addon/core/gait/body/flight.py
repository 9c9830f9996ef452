"""The body of a runner: on springs while a foot stands, in free fall in between; only standing legs hold the
pelvis."""

from dataclasses import dataclass, replace

import numpy as np

from ...character.body import LEFT
from ..kinds.contacts import moving
from ..kinds.natural import GRAVITY
from ..sliders.manner import BodyManner
from ..steps.footsteps import BOTH
from ..steps.placement import duty_of
from ..steps.situation import Situation
from ..walker import Moments, Walker
from ..way.strides import stance_of

# forward, beyond the curves' own: hips to neck 7 to 8 degrees at 3.5 m/s in people, 3.4 on five rigs
LEANS = np.radians(4.0)
LET_GO = 0.14  # share of the swing, at both ends, in which a leg in the air still holds the pelvis


@dataclass(frozen=True)
class Pushes:
    """The legs' pushes in a cycle: when each of `n` contacts `begins` `(n,)` and how long it `lasts` `(f, n)`
    or `(n,)`, in cycles.

    `bears` `(n,)`: the relative weight that each carries.
    """

    begins: np.ndarray
    lasts: np.ndarray
    bears: np.ndarray


def spring_rise(cycles: np.ndarray, pushes: Pushes, period: np.ndarray | float) -> np.ndarray:
    """Return a body's height in metres `(f,)` at `cycles` `(f,)`, relative to the mean height at which
    contacts begin.

    `period`: seconds per cycle `(f,)`, or one for all. The ground force is half a sine in each contact (Morin
    et al. 2005) and carries the body's weight on average, so that height and speed are continuous at both
    ends of every contact; with no foot down the body falls freely.
    """
    lasts = np.broadcast_to(np.maximum(pushes.lasts, 1e-9), (len(cycles), len(pushes.begins)))
    bears, begins = pushes.bears / pushes.bears.sum(), pushes.begins % 1.0

    def pushed(at: np.ndarray | float) -> np.ndarray:
        """Return the height `(f,)` that all contacts of the last cycle have given a body at phases 0..1,
        without gravity."""
        since = (np.reshape(at, (-1, 1)) - begins) / lasts
        return (_pushed(since, lasts) + _pushed(since + 1.0 / lasts, lasts)) @ bears

    start, end = pushed(0.0), pushed(1.0)

    def height(at: np.ndarray | float) -> np.ndarray:
        return pushed(at) - start - at * (end - start) + 0.5 * at * (1.0 - at)

    touching = sum(share * height(begin) for share, begin in zip(bears, begins, strict=True) if share > 0.0)
    return GRAVITY * np.square(period) * (height(cycles % 1.0) - touching)


def _pushed(share: np.ndarray, lasts: np.ndarray) -> np.ndarray:
    """Return the height given by a contact of which a `share` is over, if it adds a speed of 1 in all."""
    inside = np.clip(share, 0.0, 1.0)
    return lasts * (0.5 * (inside - np.sin(np.pi * inside) / np.pi) + np.maximum(share - 1.0, 0.0))


def _holding(phase: np.ndarray, duty: np.ndarray) -> np.ndarray:
    """Return how much each leg holds the pelvis down `(f, 2)`: 1 while the foot stands, soon 0 in the air."""
    swing = np.clip((phase % 1.0 - duty) / (1.0 - duty), 0.0, 1.0)
    ends = np.maximum(1.0 - np.minimum(swing, 1.0 - swing) / LET_GO, 0.0)
    return ends * ends


def running(wish: BodyManner, here: Situation) -> BodyManner:
    """Return the manner with the gait's share of running added; animals' curves have their flights, and only
    standing legs hold them too."""
    walker, at, pace = here.walker, here.body, here.walker.rhythm
    if not walker.gait.law.runs:
        if not walker.body.on_toes:
            return wish
        holds = _holding(at.phase, here.duty)
        return replace(wish, holds=holds, bobs=np.zeros(len(at.phase)))
    rise = spring_rise(
        pace.contacts.cycles(at.phase)[:, LEFT], _pushes(walker, at), pace.period_at(at.seconds)
    )
    runs = np.broadcast_to(walker.gait.law.running(at.slow), rise.shape)
    rise = rise * runs * moving(at.vhat) * wish.bounce
    holds = 1.0 - runs[:, None] * (1.0 - _holding(at.phase, here.duty) * (pace.contacts.carried != BOTH))
    lower = wish.crouch - rise / walker.body.leg_length
    return replace(
        wish, crouch=lower, lean=wish.lean + LEANS * runs * moving(at.vhat), holds=holds, bobs=1.0 - runs
    )


def _pushes(walker: Walker, at: Moments) -> Pushes:
    """Return the pushes of the legs for the speed and sliders at the given moments; they change smoothly,
    unlike per-step values."""
    law, contacts = walker.gait.law, walker.rhythm.contacts
    which = np.arange(2 * contacts.of_a_foot)
    wish = walker.step_manner(np.broadcast_to(at.frames[:, None], (len(at.frames), 2)))
    wish = replace(
        wish, duty_factor=wish.duty_factor * stance_of(walker.build, walker.gait, at.slow)[:, None]
    )
    apart = np.array([0.0, walker.rhythm.feet[1] - walker.rhythm.feet[0]])
    begins, lasts = np.zeros(len(which)), np.zeros((len(at.frames), len(which)))
    for first in which[::2]:
        pair = which[first : first + 2]
        begins[pair] = contacts.strikes[first // 2] - apart
        lasts[:, pair] = contacts.spans(pair) * duty_of(law, law.duty(at.slow[:, None], first + BOTH), wish)
    return Pushes(begins, lasts, contacts.bears(which))
