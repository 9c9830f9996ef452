"""Feet on the ground in a motion of which nothing is known beyond the present frame.

A foot that comes down gets a print and rolls on it from heel to ball (`body.rocker`), so nothing that
stands can slip. What it is then
off the wanted foot fades in the swing, from the velocity that it had. The hips come down to feet that are out
of reach.
"""

from dataclasses import dataclass

import numpy as np

from ..body.feet import BALL, FLAT, HEEL, SWING
from ..body.legs import LONGEST_REACH, within_reach
from ..body.pelvis import lowered
from ..body.rocker import Roll, flattened, rolled
from ..body.sole import Sole
from ..character.body import Body
from ..easing import smooth_between, smoothstep
from ..geometry.rotation import UP, about_z, norms, part_way, rotated
from ..retarget.foothold import BANK_FREE, FLAT_WITHIN, PITCH_FREE, TOES_BEND
from ..skeleton.roles import SIDES
from .figure import LEG, figure
from .lower_body import BANK, FOOT, HEADING, PITCH, PLACE, TILT, TOE_TILT, LowerBody, feet_of, tilted
from .rows import RATE

# how sure a contact is that begins, and that ends; of heel and ball: the foot is flat
_COMES, _GOES, _FLAT = 0.4, 0.3, 0.9
# metres above the ground and m/s of a point that comes down; m/s of one that leaves
_LOW, _SLOW, _STILL_SLOW = 0.08, 0.8, 1.6
_STRAYS, _TWISTS = 0.2, np.radians(60.0)  # metres and radians: a foot that is more off the wanted one lets go
_DEEPEST = 0.06  # metres: so does one for which the hips would have to come down farther
# metres: a foot that had to let go comes down again when it is less off, or else when it is planted the next
# time
_SETTLED = 0.04
_FADES = 12.0  # a second: how fast a swinging foot comes to the wanted one
_STEEPEST = np.array([1.0, 1.0, 1.0, 6.0, 6.0, 6.0, 6.0, 6.0])  # a second, of what is off: m/s, then radians
_LANDS = 0.6  # m/s
# seconds in which a foot lies flat, the ground is found, the hips come up again
_FLATTENS_S, _LEVELS_S, _RISES_S = 0.1, 0.5, 0.25
# radians: a foot that comes down less tilted is flat; that tells on which point a foot stands
_LEVEL, _BARELY = np.radians(0.5), 1e-9
_FREE = np.array([BANK_FREE, PITCH_FREE]) - FLAT_WITHIN
_REACH = LONGEST_REACH * LEG
SEES = 9  # frames ahead, of a body that the hips come down for
_SEEN = 0.5 + 0.5 * np.cos(np.pi * np.arange(SEES) / SEES)
# heel and ball of each pivot
_PLANTED = np.array([[False, False], [True, False], [True, True], [False, True], [False, False]])
_PIVOT = np.array([[SWING, BALL], [HEEL, FLAT]])  # by heel and ball


@dataclass(frozen=True)
class Footing:
    """Hips and feet of one frame on the ground; `pivot` `(2,)`: SWING, HEEL, FLAT, BALL or TOE
    (`body.feet`) of left and right foot."""

    body: LowerBody
    pivot: np.ndarray

    @property
    def planted(self) -> np.ndarray:
        """Return whether heel and ball of each foot stand `(2, 2)`."""
        return _PLANTED[self.pivot]

    def towards(self, after: "Footing", share: float) -> "Footing":
        """Return what is a share, 0 to 1, of the way to the next frame: a foot turns about the point that
        stands in both."""
        one, other, sole = self.body, after.body, _sole()
        still = self.planted & after.planted
        about = np.where(still[:, :1], sole.heel, np.where(still[:, 1:], sole.joint, sole.ankle)) - sole.ankle
        feet = one.feet + share * (other.feet - one.feet)
        begin, end, now = (rotated(feet_of(each).turn, about) for each in (one.feet, other.feet, feet))
        feet[..., PLACE] += begin + share * (end - begin) - now
        feet = np.where(np.any(still, axis=1)[:, None], feet, raised(sole, feet))
        pelvis, hips = (
            first + share * (second - first)
            for first, second in ((one.pelvis, other.pelvis), (one.hips, other.hips))
        )
        return Footing(
            LowerBody(pelvis, part_way(one.turn, other.turn, np.full(1, share)), hips, feet),
            _PIVOT[still[:, 0] * 1, still[:, 1] * 1],
        )


class LevelGround:
    """Level ground under the figure, and how the figure stands on it."""

    def __init__(self) -> None:
        self._touching = np.zeros((2, 2), dtype=bool)  # heel and ball of each foot
        self._stood_s = np.zeros(2)  # seconds since a foot came down
        self._print, self._came_off = np.zeros((2, 3)), np.zeros((2, FOOT))
        self._above = np.zeros(2)  # metres that a foot has still to come down
        self._off, self._slope, self._off_before = np.zeros((3, 2, FOOT))  # the wanted feet, and a second
        self._torn = np.zeros(2, dtype=bool)  # feet that had to let go
        self._points: np.ndarray | None = None  # heel and ball of the frame before, as wanted
        # metres: the ground of the motion itself; how far the hips have come down
        self._level = self._sunk = 0.0

    def footings(self, body: LowerBody, sure: np.ndarray, count: int) -> list[Footing]:
        """Return the next `count` frames; `body`: as wanted, with frames beyond them if known; `sure` `(f,
        4)`: contacts as in `Rows`."""
        points = _sole().points(feet_of(body.feet))[:, :, :2]
        before = points[:1] if self._points is None else self._points
        self._points = points[count - 1 : count]
        speeds = norms(points - np.concatenate([before, points[:-1]])) * RATE
        sure = sure.reshape(-1, 2, 2)
        footings = []
        for n in range(count):
            ahead = slice(n, min(n + SEES, len(body)))
            stay = np.logical_and.accumulate(sure[ahead].max(axis=-1) > _GOES)
            footings.append(
                self._footing(body[n : n + 1], sure[n], speeds[n], points[n, ..., 2], body.hips[ahead], stay)
            )
        return footings

    def _footing(
        self,
        body: LowerBody,
        sure: np.ndarray,
        speeds: np.ndarray,
        heights: np.ndarray,
        ahead: np.ndarray,
        stay: np.ndarray,
    ) -> Footing:
        """Return the next frame.

        Contacts, m/s and metres of heel and ball `(2, 2)`; hip joints `ahead` `(n, 2, 3)`, and whether feet
        `stay` until then `(n, 2)`.
        """
        down = -self._level * UP
        wanted = body.feet[0].copy()
        wanted[:, PLACE] += down
        stood = self._touching.any(axis=1)
        self._touching = self._touches(sure, speeds, heights - self._level)
        stands = np.any(self._touching, axis=1)
        self._fade()
        swung = raised(_sole(), wanted + self._off)
        held = self._held(wanted, swung, sure, stands & ~stood)
        far = stands & self._far(ahead[:1] + down, held[0])
        self._torn = self._torn | far
        stands = stands & ~far
        self._touching = self._touching & stands[:, None]
        above = np.where(stands, (wanted - held[0])[:, 2], 0.0).sum() / np.maximum(stands.sum(), 1)
        self._level = self._level + above / (_LEVELS_S * RATE)
        feet = np.where(stands[:, None], held[0], swung)
        way = down - self._sinks(ahead + down, feet, stands, stands & stay) * UP
        hips = body.hips + way
        feet[:, PLACE] = np.where(
            stands[:, None], feet[:, PLACE], within_reach(_body(), hips, feet[None, :, PLACE])[0]
        )
        self._follow(feet - wanted, stands)
        pivot = np.where(stands & (self._above <= 0.0), held[1], SWING)
        return Footing(LowerBody(body.pelvis + way, body.turn, hips, feet[None]), pivot)

    def _touches(self, sure: np.ndarray, speeds: np.ndarray, heights: np.ndarray) -> np.ndarray:
        """Return which points stand `(2, 2)`: those that the motion plants, as long as they are neither fast
        nor far off."""
        off, stood = norms(self._off[:, :2]), np.any(self._touching, axis=1)
        self._torn = np.where(
            stood, (off > _STRAYS) | (np.abs(self._off[:, HEADING]) > _TWISTS), self._torn & (off > _SETTLED)
        )
        self._torn = self._torn & (sure.max(axis=1) > _GOES)
        begins = (sure > _COMES) & (speeds < _SLOW) & (heights < _LOW)
        lasts = (sure > _GOES) & (speeds < _STILL_SLOW)
        return np.where(stood[:, None], lasts & (self._touching | begins), begins) & ~self._torn[:, None]

    def _held(
        self, wanted: np.ndarray, swung: np.ndarray, sure: np.ndarray, comes: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return both feet on their prints `(2, FOOT)` and their pivots `(2,)`; those that come down get a
        print where they are."""
        comes_flat = np.abs(swung[:, TILT]).max(axis=1) < _LEVEL
        self._stood_s = np.where(comes, np.where(comes_flat, _FLATTENS_S, 0.0), self._stood_s + 1.0 / RATE)
        self._came_off = np.where(comes[:, None], self._off, self._came_off)
        roll, held = self._rolled(wanted, sure)
        held[:, HEADING] = np.where(comes, swung[:, HEADING], self._print[:, 2])
        from_print = rotated(about_z(held[:, HEADING]), roll.ankle)
        here = swung[:, PLACE] - from_print
        self._print = np.where(comes[:, None], np.column_stack([here[:, :2], held[:, HEADING]]), self._print)
        self._above = np.where(
            comes, np.maximum(here[:, 2], 0.0), np.maximum(self._above - _LANDS / RATE, 0.0)
        )
        held[:, PLACE] = from_print + np.column_stack([self._print[:, :2], self._above])
        return held, roll.pivot

    def _rolled(self, wanted: np.ndarray, sure: np.ndarray) -> tuple[Roll, np.ndarray]:
        """Return feet on their prints, and their angles `(2, FOOT)`: flat, but for a clear pitch, and soon
        after they came down."""
        flat = np.minimum(self._stood_s / _FLATTENS_S, 1.0)
        feet = wanted + (1.0 - flat)[:, None] * self._came_off
        # a foot on its ball does not raise its toes, on its heel not the heel
        alone = 2.0 * (sure[:, 1] - sure[:, 0])
        pitch = feet[:, PITCH] * (1.0 - smooth_between(sure.min(axis=1), _COMES, _FLAT))
        pitch = pitch - smoothstep(np.abs(alone)) * np.where(
            alone > 0.0, np.minimum(pitch, 0.0), np.maximum(pitch, 0.0)
        )
        free = smoothstep((np.abs(pitch)[:, None] - FLAT_WITHIN) / _FREE)
        free = 1.0 - flat[:, None] * (1.0 - free)
        feet[:, BANK], feet[:, PITCH] = free[:, 0] * feet[:, BANK], free[:, 1] * pitch
        # a foot that is not flat yet stands on one point
        banked = np.where(pitch == 0.0, np.where(alone < 0.0, -_BARELY, _BARELY), pitch)
        level = np.where((np.abs(pitch) <= FLAT_WITHIN) & (flat >= 1.0), 0.0, banked)
        on_toes = _sole().bends & (level > 0.0)
        toes = np.where(on_toes, flattened(np.maximum(pitch - TOES_BEND, 0.0)), 0.0)
        feet[:, TOE_TILT] = np.where(on_toes[:, None], np.column_stack([np.zeros(2), toes]), feet[:, TILT])
        return rolled(_sole(), tilted(feet[:, TILT]), level, toes), feet

    def _sinks(self, ahead: np.ndarray, feet: np.ndarray, stands: np.ndarray, stay: np.ndarray) -> np.ndarray:
        """Return how far the hips come down for the standing feet, which let go before it would be too far.

        Feet that would be out of reach soon are seen ahead, so that the hips do not drop.
        """
        stay = np.concatenate([stands[None], stay[1:]]).astype(float)
        ankles = np.broadcast_to(feet[:, PLACE], ahead.shape)
        coming = np.minimum(lowered(ahead[:, 0, 2], ahead, ankles, _body(), stay), _DEEPEST)
        needed = np.where(stands.any(), np.max(coming * _SEEN[: len(coming)]), 0.0)
        self._sunk = np.maximum(needed, self._sunk * np.exp(-1.0 / (_RISES_S * RATE)))
        return self._sunk

    def _far(self, hips: np.ndarray, feet: np.ndarray) -> np.ndarray:
        """Return for which feet `(2,)` the hips `(1, 2, 3)` would have to come down too far."""
        away = feet[:, PLACE] - hips[0]
        aside = np.minimum(away[:, 0] ** 2 + away[:, 1] ** 2, _REACH**2)
        return -away[:, 2] - np.sqrt(_REACH**2 - aside) > _DEEPEST

    def _fade(self) -> None:
        """Let what swinging feet are off fade by one frame, as a critically damped spring does."""
        pull, share = self._slope + _FADES * self._off, float(np.exp(-_FADES / RATE))
        self._off = (self._off + pull / RATE) * share
        self._slope = pull * share - _FADES * self._off

    def _follow(self, off: np.ndarray, stands: np.ndarray) -> None:
        """Take over what standing feet are off on this frame."""
        slope = np.minimum(np.maximum((off - self._off_before) * RATE, -_STEEPEST), _STEEPEST)
        self._off, self._slope = (
            np.where(stands[:, None], off, self._off),
            np.where(stands[:, None], slope, self._slope),
        )
        self._off_before = off


def _body() -> Body:
    return figure().character.body


def _sole() -> Sole:
    return figure().sole


def raised(sole: Sole, feet: np.ndarray) -> np.ndarray:
    """Return feet `(..., 2, FOOT)` whose soles stay above the ground."""
    lifted = feet.reshape(-1, len(SIDES), FOOT).copy()
    lifted[..., PLACE] = sole.lifted(feet_of(lifted), 0.0).ankle
    return lifted.reshape(feet.shape)
