"""Walking on stairs: strides of whole treads, slower than on the level, in step with the treads."""

import numpy as np

from ...easing import smoothstep
from ...memory import remembered
from ...path.path import Path
from ...path.variants import Slowed
from ..sliders.style import StyleTrack
from ..timing.in_step import MAKES_UP, NO_MARKS, Marks, Stance
from .treads import BESIDE, FADES, Flight, Treads

SLOW_UP, SLOW_DOWN = 1.2, 1.05  # x the time of a stride on level ground (Riener 2002, Bovi 2011)
SLOW_OVER = 1.0  # how much longer stepping over an obstacle takes, per leg length of its height
SLOWEST = 0.2  # share of the speed
BOTH_SLOW = 4.0  # exponent: the higher, the closer to the slower of two reasons to slow down
EASES = 0.5  # strides beside a flight within which strides and speed become the level's
AHEAD = 0.03  # strides that the root is ahead of the print at mid-stance, more than elsewhere
OVER_ENDS = BESIDE + FADES
# samples of the table of entering and leaving a flight, and of making up a lag before a mark
EASE_PLACES_A_LEG = 24
PRINT, BETWEEN = 0.0, 0.25  # cycles after mid-stance: at it, and half way to the next one


def usual_speed(track: StyleTrack) -> float:
    """Return the reference speed for strides in m/s: the slider's, or the highest keyed one."""
    keyed = track.curves.get("speed")
    return max(float(track.constant.speed if keyed is None else np.max(keyed[1])), 0.0)


def stride_on(treads: Treads, distance: np.ndarray, stride: np.ndarray, natural: float) -> np.ndarray:
    """Return strides in metres `(...)` at distances: two treads on a flight, the given ones elsewhere;
    `natural`: on level ground."""
    for flight in treads.flights:
        stride = _eased(flight, distance, natural, stride, 2.0 * flight.tread)
    return stride


def pace_on(treads: Treads, distance: np.ndarray, natural: float) -> np.ndarray:
    """Return the share of the speed `(...)` at distances on and beside flights, for strides of `natural`
    metres on level ground."""
    pace = np.ones(np.shape(distance))
    for flight in treads.flights:
        least = np.clip(
            2.0 * flight.tread / (natural * (SLOW_UP if flight.rise > 0.0 else SLOW_DOWN)), SLOWEST, 1.0
        )
        pace = pace * _slower_of(pace, _eased(flight, distance, natural, np.ones(1), least))
    return pace


def _eased(
    flight: Flight, distance: np.ndarray, natural: float, level: np.ndarray, on_it: float
) -> np.ndarray:
    """Return values `(...)` at distances that go over from those on the level `(...)` to the one on a flight;
    their squares do evenly.

    So strides and speeds change in proportion, speeds at an even rate, and the time of a step hardly.
    """
    share = smoothstep(1.0 - flight.outside(distance - AHEAD * natural) / (EASES * natural))
    return np.sqrt(level**2 + share * (on_it**2 - level**2))


def pace_over(treads: Treads, distance: np.ndarray, leg_length: float) -> np.ndarray:
    """Return the share of the speed `(...)` at distances near what is stepped over; strides keep their
    length."""
    pace = np.ones(np.shape(distance))
    for height, share in zip(treads.heights, treads.at_crossings(distance, leg_length), strict=True):
        pace = pace * (1.0 + SLOW_OVER * height / leg_length) ** -share
    return pace


@remembered(objects=2)
def slowed_on(path: Path, treads: Treads, leg_length: float, natural: float) -> Path:
    """Return the path slowed down on flights, for strides of `natural` metres on level ground."""
    if not len(treads.ledges.at) or natural <= 0.0:
        return path
    after = max(natural, OVER_ENDS * leg_length)
    ends = [np.array([mark - MAKES_UP * natural, mark + after]) for mark in treads.first_marks()]
    ends += [flight.stands[-1] + np.array([-flight.tread, after]) for flight in treads.flights]
    every = EASE_PLACES_A_LEG / leg_length
    at = np.unique(
        np.concatenate([np.linspace(start, end, int(every * (end - start)) + 2) for start, end in ends])
    )
    first, last = path.extent
    at = at[(at >= (0.0 if path.starts else first)) & (at <= last)] if not path.lap else at
    if len(at) < 2:
        return path
    shares = pace_on(treads, at, natural) * pace_over(treads, at, leg_length)
    return Slowed(path, at, _slower_of(path.pace(at), shares))


def _slower_of(pace: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return the factors on paces `(n,)` that make each the slower of the pace and a share of the speed.

    So a walk that is slow on stairs brakes less for a stop or a bend on them.
    """
    pace = np.maximum(pace, 1e-6)
    return (1.0 + (pace / share) ** BOTH_SLOW - pace**BOTH_SLOW) ** (-1.0 / BOTH_SLOW)


def tread_marks(treads: Treads, stance: Stance) -> Marks:
    """Return the phases a walker must have for prints on treads, and on both sides of what is stepped
    over."""
    flights = [flight.stands for flight in treads.flights]
    at = np.concatenate([*flights, treads.crossings])
    if not len(at):
        return NO_MARKS
    lead, duty = stance(at)
    follows = np.concatenate(
        [*(np.arange(len(middle)) > 0 for middle in flights), np.zeros(len(treads.crossings), dtype=bool)]
    )
    after = np.concatenate(
        [np.full(len(at) - len(treads.crossings), PRINT), np.full(len(treads.crossings), BETWEEN)]
    )
    return Marks(at + lead, 0.5 * duty + after, np.full(len(at), 0.5), follows)
