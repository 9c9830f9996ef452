"""A clip that goes on by itself: its last seconds are rolled out as the network has them, with contacts, for retargeting like any clip."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..errors import NeuraRigError
from ..geometry.rotation import transposed
from ..ikrig.decode import decode
from ..ikrig.encode import encode_motions
from ..ikrig.encoding import CONTACT_POINTS, Chain, Contacts, Encoding, matrices, quaternions
from ..ikrig.resample import sampled
from ..retarget.contacts import find_contacts
from .figure import figure
from .network import AHEAD, SequenceNetwork, Wish, bundled
from .roll_out import Wishes, roll_out
from .rows import RATE, Rows, encoding_of, in_hips_heights, placed, rows_of, turned
from .stride import ALIKE, LONGEST, last_stride

_PAST_S = (LONGEST + ALIKE) / RATE  # seconds that are looked at
_LEAST_FRAMES = 4  # of a clip at RATE
_MOST_LAG = 0.25  # metres of the figure: what a motion is behind its wish is made up for, no more than this at once
LONGEST_S = 3600.0


@dataclass(frozen=True)
class Continuation:
    """How a clip goes on.

    `seconds`: for how long.  `speed`: times the clip's own at its end.  `turn`: radians a second, to the left.
    """

    seconds: float
    speed: float = 1.0
    turn: float = 0.0


def continued(encoding: Encoding, how: Continuation, network: SequenceNetwork | None = None) -> Encoding:
    """Return a clip that goes on after its last frame; its own frames stay as they are to the bit.

    Raises NeuraRigError if the clip is too short, lacks arms or head, or would get too long.
    """
    if not 0.0 < how.seconds <= LONGEST_S:
        raise NeuraRigError(f"A clip can be continued for up to {LONGEST_S:g} seconds, not {how.seconds:g}.")
    past = _past(encoding)
    ahead = int(np.ceil(how.seconds * RATE)) + 1
    known = rows_of(past)
    wishes, _ = going_on(known, how, ahead)
    rows = roll_out(network or bundled(), known, wishes, ahead)
    future = encoding_of(rows, past.ground[-1], float(past.heading[-1]), encoding.name)
    whole = _after(replace(past, contacts=Contacts()), future)
    return _joined(encoding, _completed(whole, encoding, len(past)), len(past), how.seconds)


def _past(encoding: Encoding) -> Encoding:
    """Return the last seconds of a clip at RATE, in hips heights; they end with its last frame."""
    last = len(encoding) - 1
    count = int(min(last / encoding.fps, _PAST_S) * RATE + 1e-6) + 1
    if count < _LEAST_FRAMES:
        raise NeuraRigError(f"'{encoding.name}' is too short to be continued; it needs {_LEAST_FRAMES / RATE:.2f} s.")
    return sampled(in_hips_heights(encoding), last - np.arange(count)[::-1] * encoding.fps / RATE, RATE)


def going_on(past: Rows, how: Continuation, count: int) -> tuple[Wishes, float]:
    """Return what is wished in the next `count` frames, and at what speed in the figure's m/s: as the last stride went, along an arc."""
    stride = last_stride(past).frames or min(len(past), AHEAD)
    recent = past.steps[-stride:]
    since = placed(recent)
    facing = float(np.mean(since[:, 2]) - since[-1, 2])  # hips turn to and fro in every stride
    way = since[-1, :2] / stride
    angle = float(since[-1, 2]) / 2.0 - float(since[-1, 2] - np.mean(since[:, 2]))
    velocity = how.speed * turned(way, -angle - facing)
    arc = placed(np.tile([*velocity, how.turn / RATE], (count + AHEAD, 1)))
    ideal = np.column_stack([*turned(arc[:, :2], facing).T, arc[:, 2] + facing])

    def wish(frame: int, place: np.ndarray) -> Wish:
        lag = (ideal[frame - 1, :2] if frame else np.zeros(2)) - place[:2]
        far = float(np.linalg.norm(lag))
        goal = ideal[frame + AHEAD - 1, :2] - lag * (1.0 - min(1.0, _MOST_LAG / max(far, 1e-9)))
        return Wish(turned(goal - place[:2], -place[2]), float(ideal[frame + AHEAD - 1, 2] - place[2]))

    return wish, float(np.linalg.norm(velocity)) * RATE


def _completed(whole: Encoding, source: Encoding, known: int) -> Encoding:
    """Return past and future with contacts and with the orientations that the chains leave out, as they go on from the last known ones."""
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
    return replace(whole, extras=extras, contacts=find_contacts(character, motions, RATE))


def _joined(clip: Encoding, whole: Encoding, known: int, seconds: float) -> Encoding:
    """Return a clip followed by what comes after the first `known` frames of its continuation, at the clip's rate."""
    count = round(seconds * clip.fps)
    times = known - 1 + (np.arange(count) + 1.0) * RATE / clip.fps
    future = sampled(whole, np.minimum(times, len(whole) - 1.0), clip.fps)
    if not clip.normalised:
        height = clip.measures.hips_height if clip.measures else figure().hips_height
        future = replace(future, ground=future.ground * height)
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
