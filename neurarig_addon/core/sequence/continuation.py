"""A clip that goes on by itself: its last seconds are rolled out as the network has them, with contacts, for retargeting like any clip."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ..errors import NeuraRigError
from ..geometry.rotation import transposed
from ..ikrig.decode import decode
from ..ikrig.encode import encode_motions
from ..ikrig.encoding import CONTACT_POINTS, Chain, Contacts, Encoding, matrices, quaternions
from ..ikrig.resample import sampled
from ..retarget.contacts import find_contacts, foot_points
from ..retarget.spans import intervals_of
from .blocking import flowing
from .figure import figure
from .network import AHEAD, SequenceNetwork, Wish, bundled
from .roll_out import Wishes, roll_out
from .route import End, Led, Line, Place
from .rows import FEET, RATE, Rows, encoding_of, hips_height_of, in_hips_heights, placed, rows_of, turned
from .stride import REMEMBERED, last_stride

_PAST_S = REMEMBERED / RATE  # seconds that are looked at
_LEAST_FRAMES = 4  # of a clip at RATE
LEAST_S = _LEAST_FRAMES / RATE
_MOST_LAG = 0.25  # metres of the figure: what a motion is behind its wish is made up for, no more than this at once
_KEPT = 0.97  # share of what it is behind that is still wanted when it is asked again
_STANDS = 0.1  # times the clip's own speed: slower is standing
_SETTLES = 0.1  # metres: who stands and is moved less by the network stays where that began
PLANTED = 0.3  # contacts that are surer count: they come and go over some frames
_STRAY = 0.08  # metres of the figure from where it mostly is: a foot point farther off is leaving
_STRAIGHT = np.radians(10.0) / RATE  # a frame: who turns less goes straight on
LONGEST_S, FASTEST, SHARPEST_DEG = 3600.0, 3.0, 180.0  # seconds; times the clip's own speed; degrees a second
_BRAKES, _STEERS = 1.4, np.radians(180.0)  # m/s and radians a second, in a second: how quickly people change speed and turn
_CREEPS = 0.3  # m/s: a slower clip is sped up as this one is
STOPS_S = 4.5  # seconds in which a walk comes to a stand


@dataclass(frozen=True)
class Continuation:
    """How a clip goes on.

    `seconds`: for how long.  `speed`: times the clip's own at its end.  `turn`: radians a second to the left, beyond the clip's own.
    Both may change: `(n,)`, a value for each frame at RATE; the last one stays.
    `to`: the line or the place that leads it, on the clip's ground, in its units; `turn` does not count then.
    `poses` `(n,)`: rows of a clip that an animator has blocked in a few poses of a step, None for one that moves.
    """

    seconds: float
    speed: float | np.ndarray = 1.0
    turn: float | np.ndarray = 0.0
    to: Line | Place | None = None
    poses: np.ndarray | None = None


def continued(encoding: Encoding, how: Continuation, network: SequenceNetwork | None = None) -> Encoding:
    """Return a clip that goes on after its last frame; its own frames stay as they are to the bit, but those between keyed poses.

    Raises NeuraRigError if the clip is too short, lacks arms or head, or would get too long, or if the line that leads it cannot be walked.
    """
    if not 0.0 < how.seconds <= LONGEST_S:
        raise NeuraRigError(f"A clip can be continued for up to {LONGEST_S:g} seconds, not {how.seconds:g}.")
    if how.poses is None:
        past = last_seconds(encoding if encoding.contacts.intervals else with_contacts(encoding))
    else:
        encoding, past = flowing(encoding, how.poses)
    ahead = int(np.ceil(how.seconds * RATE)) + 1
    known = rows_of(past)
    rows = roll_out(network or bundled(), known, _wishes(encoding, known, how), ahead)
    future = encoding_of(rows, past.ground[-1], float(past.heading[-1]), encoding.name)
    whole = _after(replace(past, contacts=Contacts()), future)
    stands = np.concatenate([known.contacts, rows.contacts]) > PLANTED
    return _joined(encoding, _completed(whole, encoding, len(past), dict(zip(FEET, stands.T, strict=True))), len(past), how.seconds)


def _wishes(clip: Encoding, past: Rows, how: Continuation) -> Wishes:
    """Return what is wished of a clip after its past."""
    return Led(how.to.seen(End.of(clip)), past, how.speed) if how.to else GoingOn(past, how)


def with_contacts(encoding: Encoding) -> Encoding:
    character = figure().character
    return replace(encoding, contacts=find_contacts(character, decode(in_hips_heights(encoding), character), encoding.fps))


def last_seconds(encoding: Encoding) -> Encoding:
    """Return the last seconds of a clip at RATE, in hips heights; they end with its last frame."""
    last = len(encoding) - 1
    count = int(min(last / encoding.fps, _PAST_S) * RATE + 1e-6) + 1
    if count < _LEAST_FRAMES:
        raise NeuraRigError(f"'{encoding.name}' is too short to be continued; it needs {LEAST_S:.2f} s.")
    return sampled(in_hips_heights(encoding), last - np.arange(count)[::-1] * encoding.fps / RATE, RATE)


class GoingOn:
    """What is wished of a motion that goes on as its last stride went, along an arc; made anew for every roll-out.

    Speed and turn change no quicker than people change them, so a stop takes two steps.
    `speed`: metres of the figure a second; `turn`: radians a second, to the left; both those of the clip.
    """

    def __init__(self, past: Rows, how: Continuation) -> None:
        stride = last_stride(past).frames or min(len(past), AHEAD)
        since = placed(past.steps[-stride:])
        mean = float(np.mean(since[:, 2]))  # hips turn to and fro in every stride
        self._speeds, self._turns = np.atleast_1d(how.speed), np.atleast_1d(how.turn)
        self._velocity = turned(since[-1, :2] / stride, -mean)  # a frame, seen from the mean heading
        own = float(since[-1, 2]) / stride
        self._own_turn = own if abs(own) > _STRAIGHT else 0.0
        self.speed = float(np.linalg.norm(self._velocity)) * RATE
        self.turn = self._own_turn * RATE
        self._most = np.array([_BRAKES / max(self.speed, _CREEPS), _STEERS / RATE]) / RATE  # change a frame of speed and turn
        self._due = np.array([1.0, 0.0])  # speed, times the clip's, and turn a frame
        self._heading = mean - float(since[-1, 2]) / 2.0  # that is due
        self._lag = np.zeros(2)  # how far the motion is behind what was wished, seen from the body
        self._asked_at, self._place = 0, np.zeros(3)

    def __call__(self, frame: int, place: np.ndarray) -> Wish:
        """Return what is wished from a frame on, which is at `place`; nothing that comes later is known."""
        way = self._way(np.arange(self._asked_at, frame))
        self._due = way.due
        missed = turned(way.place[:2], self._heading) - (place[:2] - self._place[:2])
        lag = self._lag + turned(missed, -place[2])  # the old one turns with the body, or on a circle it would not add up
        far = float(np.linalg.norm(lag))
        if self._due[0] < _STANDS:  # wherever it comes to a stand
            self._lag = lag * (far < _SETTLES)
        else:
            self._lag = lag * _KEPT * min(1.0, _MOST_LAG / max(far, 1e-9))
        self._heading += way.place[2]
        self._asked_at, self._place = frame, place
        goal = self._way(np.full(AHEAD, frame)).place
        return Wish(turned(goal[:2], self._heading - place[2]) + self._lag, float(self._heading + goal[2] - place[2]))

    def _way(self, frames: np.ndarray) -> "_Way":
        """Return where some frames `(n,)` lead as they are told, seen from the heading that is due, and what is due after them."""
        due = self._due
        course = np.empty((len(frames), 2))
        told = np.column_stack([_of(self._speeds, frames), _of(self._turns, frames) / RATE])
        for row, wanted in enumerate(told):
            due = due + np.clip(wanted - due, -self._most, self._most)
            course[row] = due
        if not len(frames):
            return _Way(np.zeros(3), due)
        return _Way(placed(np.column_stack([course[:, :1] * self._velocity, self._own_turn * course[:, 0] + course[:, 1]]))[-1], due)


class _Way(NamedTuple):
    place: np.ndarray  # forward, left, turned
    due: np.ndarray  # speed, times the clip's, and turn a frame


def _of(told: np.ndarray, frames: int | np.ndarray) -> np.ndarray:
    """Return what is told `(n,)` on some frames; the last value stays."""
    return told[np.minimum(frames, len(told) - 1)]


def _completed(whole: Encoding, source: Encoding, known: int, stands: Mapping[str, np.ndarray]) -> Encoding:
    """Return past and future with contacts, of which the feet's are told by flags, and with the orientations that the chains leave out.

    Those go on from the last ones of the source.
    """
    character = figure().character
    motions = decode(whole, character)
    told = encode_motions(character, motions, whole.frames, RATE).extras
    extras = {}
    for role, turns in source.extras.items():
        if role not in told:
            extras[role] = np.tile(turns[-1], (len(whole), 1))
            continue
        plain = matrices(told[role])
        extras[role] = quaternions(plain @ transposed(plain[known - 1]) @ matrices(turns[-1]))
    points = foot_points(character.body, motions).reshape(len(whole), len(FEET), 3)
    stands = {name: where_it_stays(stands[name], points[:, row]) for row, name in enumerate(FEET)}
    return replace(whole, extras=extras, contacts=find_contacts(character, motions, RATE, stands))


def where_it_stays(stands: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Return the flags `(f,)` of a contact where its point, at `place` `(f, 3)`, does not stray: else the body would come down."""
    found = stands.copy()
    for first, last in intervals_of(stands):
        at = slice(first, last + 1)
        found[at] &= np.linalg.norm(place[at] - np.median(place[at], axis=0), axis=-1) < _STRAY
    return found


def _joined(clip: Encoding, whole: Encoding, known: int, seconds: float) -> Encoding:
    """Return a clip followed by what comes after the first `known` frames of its continuation, at the clip's rate."""
    count = round(seconds * clip.fps)
    times = known - 1 + (np.arange(count) + 1.0) * RATE / clip.fps
    future = sampled(whole, np.minimum(times, len(whole) - 1.0), clip.fps)
    if not clip.normalised:
        future = replace(future, ground=future.ground * hips_height_of(clip))
    return _after(clip, future)


def _after(first: Encoding, second: Encoding) -> Encoding:
    """Return two motions one after the other; contacts that end and begin where they meet go on."""
    intervals = {}
    for point in CONTACT_POINTS:
        before = np.reshape(first.contacts.intervals.get(point, ()), (-1, 2)).astype(int)
        after = np.reshape(second.contacts.intervals.get(point, ()), (-1, 2)).astype(int) + len(first)
        if len(before) and len(after) and before[-1, 1] == len(first) - 1 and after[0, 0] == len(first):
            after[0, 0] = before[-1, 0]
            before = before[:-1]
        intervals[point] = np.concatenate([before, after])
    return replace(
        first,
        frames=first.frames[0] + np.arange(float(len(first) + len(second))),
        ground=np.concatenate([first.ground, second.ground]),
        heading=np.concatenate([first.heading, second.heading + _turns(first.heading[-1], second.heading[0])]),
        chains={name: _chains(chain, second.chains[name]) for name, chain in first.chains.items()},
        extras=_extras(first.extras, second.extras),
        contacts=Contacts(intervals),
    )


def _turns(last: float, first: float) -> float:
    """Return the whole turns that bring a heading next to the one before."""
    return 2.0 * np.pi * float(np.round((last - first) / (2.0 * np.pi)))


def _chains(first: Chain, second: Chain) -> Chain:
    return Chain(*(np.concatenate([getattr(first, part), getattr(second, part)]) for part in ("root", "effector", "up", "orientation")))


def _extras(first: Mapping[str, np.ndarray], second: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {role: np.concatenate([turns, second[role]]) for role, turns in first.items() if role in second}
