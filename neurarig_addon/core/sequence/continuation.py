"""A clip that goes on by itself: its last seconds are rolled out as the network has them, with contacts, for
retargeting like any clip."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..character.motion import Motion
from ..errors import NeuraRigError
from ..geometry.rotation import TURN, norms, part_way, transposed
from ..ikrig.decode import decode
from ..ikrig.encode import encode_motions
from ..ikrig.encoding import CONTACT_POINTS, Contacts, Encoding, each, matrices, quaternions
from ..ikrig.resample import sampled
from ..retarget.contacts import find_contacts, foot_points
from ..retarget.spans import intervals_of
from .blocking import flowing
from .figure import figure
from .limits import LONGEST_S
from .natural import natural
from .network import SequenceNetwork, SequenceWish, bundled
from .roll_out import roll_out
from .route import Led, LineRoute, PlaceRoute, told_on
from .rows import FEET, RATE, Rows, encoding_of, hips_height_of, in_hips_heights, rows_of
from .stream import ToldCourse
from .stride import last_pace

_PAST_S = 8.0  # seconds that are looked at
_LEAST_FRAMES = 4  # of a clip at RATE
LEAST_S = _LEAST_FRAMES / RATE
PLANTED = 0.15  # contacts that are surer count: they come and go over some frames
_STRAY = 0.08  # metres of the figure from where it mostly is: a foot point farther off is leaving
_STRAIGHT = np.radians(10.0) / RATE  # a frame: who turns less goes straight on
STOPS_S = 2.0  # seconds in which a walk comes to a stand


@dataclass(frozen=True)
class Continuation:
    """How a clip goes on.

    `seconds`: for how long. `speed`: times the clip's own at its end. `turn`: radians a second to the left,
    beyond the clip's own.
    Both may change: `(n,)`, a value for each frame at RATE; the last one stays.
    `to`: the line or the place that leads it, on the clip's ground, in its units; `turn` does not count then.
    `poses` `(n,)`: rows of a clip that an animator has blocked in a few poses of a step, None for one that
    moves.
    """

    seconds: float
    speed: float | np.ndarray = 1.0
    turn: float | np.ndarray = 0.0
    to: LineRoute | PlaceRoute | None = None
    poses: np.ndarray | None = None


def continued(encoding: Encoding, how: Continuation, network: SequenceNetwork | None = None) -> Encoding:
    """Return a clip that goes on after its last frame; its own frames stay as they are to the bit, but those
    between keyed poses.

    Raises NeuraRigError if the clip is too short, lacks arms or head, or would get too long, or if the line
    that leads it cannot be walked.
    """
    require_seconds(how.seconds)
    if how.poses is None:
        past = last_seconds(encoding if encoding.contacts.intervals else with_contacts(encoding))
    else:
        encoding, past = flowing(encoding, how.poses)
    encoding, past = natural(encoding, past)
    ahead = int(np.ceil(how.seconds * RATE)) + 1
    known = rows_of(past)
    wishes = Led(how.to.seen(encoding), known, how.speed) if how.to else GoingOn(known, how)
    rows = roll_out(network or bundled(), known, wishes, ahead)
    future = encoding_of(rows, past.ground[-1], float(past.heading[-1]), encoding.name)
    whole = after(replace(past, contacts=Contacts()), future)
    stands = np.concatenate([known.contacts, rows.contacts]) > PLANTED
    return _joined(
        encoding,
        _completed(whole, encoding, len(past), dict(zip(FEET, stands.T, strict=True))),
        len(past),
        how.seconds,
    )


def require_seconds(seconds: float) -> None:
    """Raise NeuraRigError for a time that no clip goes on for."""
    if not 0.0 < seconds <= LONGEST_S:
        raise NeuraRigError(f"A clip can be continued for up to {LONGEST_S:g} seconds, not {seconds:g}.")


def with_contacts(encoding: Encoding) -> Encoding:
    """Return a clip with the contacts that are found in it."""
    character = figure().character
    return replace(
        encoding,
        contacts=find_contacts(character, decode(in_hips_heights(encoding), character), encoding.fps),
    )


def last_seconds(encoding: Encoding) -> Encoding:
    """Return the last seconds of a clip at RATE, in hips heights; they end with its last frame."""
    last = len(encoding) - 1
    count = int(min(last / encoding.fps, _PAST_S) * RATE + 1e-6) + 1
    if count < _LEAST_FRAMES:
        raise NeuraRigError(f"'{encoding.name}' is too short to be continued; it needs {LEAST_S:.2f} s.")
    return sampled(in_hips_heights(encoding), last - np.arange(count)[::-1] * encoding.fps / RATE, RATE)


class GoingOn:
    """What is wished of a motion that goes on as its last stride went, along an arc; made anew for every
    roll-out.

    `speed`: metres of the figure a second, those of the clip.
    """

    def __init__(self, past: Rows, how: Continuation) -> None:
        self._step, course = last_pace(past)
        self._step[2] *= abs(self._step[2]) > _STRAIGHT
        self._how, self._frame = how, 0
        self._course = ToldCourse(course, self._step)
        self.speed = float(np.hypot(*self._step[:2])) * RATE

    def __call__(self, frame: int, place: np.ndarray) -> SequenceWish:
        """Return what is wished from a frame on, which is at `place`; nothing that comes later is known."""
        for passed in range(self._frame, frame):
            self._tell(passed)
            self._course.go_on()
        self._frame = frame
        self._tell(frame)
        return self._course.wish(place)

    def _tell(self, frame: int) -> None:
        told = told_on(self._how.speed, frame) * self._step
        self._course.tell(told + np.array([0.0, 0.0, told_on(self._how.turn, frame) / RATE]))


def _completed(whole: Encoding, source: Encoding, known: int, stands: Mapping[str, np.ndarray]) -> Encoding:
    """Return past and future with contacts, of which the feet's are told by flags, and with the orientations
    that the chains leave out.

    Those go on from the last ones of the source.
    """
    character = figure().character
    motions = decode(whole, character)
    last = {role: turns[[-1, -1]] for role, turns in source.extras.items()}
    extras = extras_between(whole, motions, last, (known - 1, known - 1))
    stands = where_they_stay(stands, motions)
    return replace(whole, extras=extras, contacts=find_contacts(character, motions, RATE, stands))


def extras_between(
    whole: Encoding, motions: Mapping[str, Motion], ends: Mapping[str, np.ndarray], rows: tuple[int, int]
) -> dict[str, np.ndarray]:
    """Return the orientations that the chains of a motion leave out: off the plain ones as at two `rows`, and
    in between in between.

    `ends`: role -> the orientations `(2, 4)` at the rows.
    """
    plain = encode_motions(figure().character, motions, whole.frames, whole.fps).extras
    share = np.clip((np.arange(len(whole)) - rows[0]) / max(rows[1] - rows[0], 1), 0.0, 1.0)
    extras = {}
    for role, turns in ends.items():
        told = matrices(plain[role]) if role in plain else np.tile(np.eye(3), (len(whole), 1, 1))
        start, end = transposed(told[list(rows)]) @ matrices(turns)
        extras[role] = quaternions(told @ part_way(start, end, share))
    return extras


def where_they_stay(stands: Mapping[str, np.ndarray], motions: Mapping[str, Motion]) -> dict[str, np.ndarray]:
    """Return the flags `(f,)` of the contacts of FEET where these points do not stray: else the body would
    come down."""
    staying = {name: stands[name].copy() for name in FEET}
    points = foot_points(figure().character.body, motions).reshape(-1, len(FEET), 3).swapaxes(0, 1)
    for flags, place in zip(staying.values(), points, strict=True):
        for first, last in intervals_of(flags):
            at = slice(first, last + 1)
            flags[at] &= norms(place[at] - np.median(place[at], axis=0)) < _STRAY
    return staying


def _joined(clip: Encoding, whole: Encoding, known: int, seconds: float) -> Encoding:
    """Return a clip followed by what comes after the first `known` frames of its continuation, at the clip's
    rate."""
    count = max(1, round(seconds * clip.fps))
    times = known - 1 + (np.arange(count) + 1.0) * RATE / clip.fps
    future = sampled(whole, np.minimum(times, len(whole) - 1.0), clip.fps)
    return after(clip, replace(future, ground=future.ground * hips_height_of(clip)))


def after(first: Encoding, second: Encoding) -> Encoding:
    """Return two motions one after the other; contacts that end and begin where they meet go on."""
    intervals = {}
    for point in CONTACT_POINTS:
        before, after = first.contacts.of(point), second.contacts.of(point) + len(first)
        if len(before) and len(after) and before[-1, 1] == len(first) - 1 and after[0, 0] == len(first):
            after[0, 0] = before[-1, 0]
            before = before[:-1]
        intervals[point] = np.concatenate([before, after])
    extras = {role: turns for role, turns in first.extras.items() if role in second.extras}
    turned_on = replace(
        second, heading=second.heading + TURN * np.round((first.heading[-1] - second.heading[0]) / TURN)
    )
    both = each([replace(first, extras=extras), turned_on], np.concatenate)
    return replace(both, frames=first.frames[0] + np.arange(float(len(both))), contacts=Contacts(intervals))
