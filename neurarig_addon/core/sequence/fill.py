"""A second that is missing within a motion: as the network goes on from what is before, fitted to what comes
after."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ..character.motion import Motion
from ..easing import hermite, straight
from ..errors import NeuraRigError
from ..ikrig.decode import decode
from ..ikrig.encoding import CONTACT_POINTS, Contacts, Encoding, each
from ..ikrig.resample import sampled
from ..retarget.contacts import foot_points
from ..retarget.spans import flags_of, intervals_of
from .continuation import LEAST_S, PLANTED, extras_between, last_seconds, where_it_stays, with_contacts
from .figure import figure
from .network import AHEAD, SequenceNetwork, SequenceWish, bundled
from .roll_out import roll_out
from .rows import (
    FEET,
    RATE,
    WIDTH,
    Rows,
    encoding_of,
    hips_height_of,
    in_hips_heights,
    placed,
    rows_of,
    seen_from,
    steps_between,
    turned,
)
from .stride import ALIKE

LONGEST_S = 2.0  # between both parts
# shares by which steps come sooner or later so that the second part begins in phase; metres a column that
# as much as the whole would cost
_HURRIES, _IN_TIME = 0.3, 0.05
_SETTLES = 18.0  # frames in which it comes to how the second part moves
# how far it is as a curve joins both parts, where it meets one of them, and in how many frames that lessens
_JOINS, _NEAR = 0.7, 4.0


def filled(clip: Encoding, first: int, last: int, network: SequenceNetwork | None = None) -> Encoding:
    """Return a clip whose rows between `first` and `last` are made anew from what is before and after; the
    others stay to the bit.

    Raises NeuraRigError if these are no rows of the clip or too far apart, too little is known before them,
    or the body lacks arms or head.
    """
    if not 0 <= first < last < len(clip):
        raise NeuraRigError(
            f"'{clip.name}' has {len(clip)} frames; name a first and a later last one of these."
        )
    if last - first > LONGEST_S * clip.fps:
        raise NeuraRigError(
            f"Up to {LONGEST_S:g} seconds of '{clip.name}' can be filled, not"
            f" {(last - first) / clip.fps:.1f}."
        )
    if first < LEAST_S * clip.fps:
        raise NeuraRigError(
            f"Too little of '{clip.name}' comes before what shall be filled; {LEAST_S:.2f} s are needed."
        )
    if last - first < 2:
        return clip
    known = in_hips_heights(clip if clip.contacts.intervals else with_contacts(clip))
    before = rows_of(last_seconds(sampled(known, np.arange(first + 1.0), known.fps)))
    after = known.fps / RATE * np.arange(AHEAD + 1.0) + last
    gap = Gap(
        before,
        rows_of(sampled(known, after[after < len(known)], RATE)),
        _apart(known, first, last),
        (last - first) * RATE / known.fps,
    )
    track = gap.filled(network or bundled(), np.arange(1.0, last - first) * RATE / known.fps)
    return _inserted(clip, known, first, last, track)


def _apart(clip: Encoding, first: int, last: int) -> np.ndarray:
    """Return where row `last` is, seen from row `first`: forward, left in metres of the figure, turned."""
    return seen_from(
        *(np.array([*(clip.ground[row] * figure().hips_height), clip.heading[row]]) for row in (first, last))
    )


class Gap:
    """What is missing between two parts at RATE, `before` and `after`, whose first row is `apart` `(3,)` and
    `frames` from the last before.

    A track holds poses, places as seen from the last row before, and contacts, `(f, WIDTH + 3 + 4)`.
    """

    def __init__(self, before: Rows, after: Rows, apart: np.ndarray, frames: float) -> None:
        self._before, self._frames = before, frames
        places = np.concatenate([np.zeros((1, 3)), placed(after.steps[1:])])
        self._after = _track(
            after, np.column_stack([apart[:2] + turned(places[:, :2], apart[2]), apart[2] + places[:, 2]])
        )
        back = np.concatenate([turned(-before.steps[-1, :2], -before.steps[-1, 2]), -before.steps[-1, 2:]])
        self._last = _track(before[-2:], np.array([back, np.zeros(3)]))

    def filled(self, network: SequenceNetwork, frames: np.ndarray) -> np.ndarray:
        """Return the track `(n, ...)` at (fractional) frames `(n,)` after the last row before."""
        latest = self._frames * (1.0 + _HURRIES)
        rolled = roll_out(network, self._before, self._wish, int(np.ceil(latest)) + ALIKE)
        track = np.concatenate([self._last[1:], _track(rolled, placed(rolled.steps))])
        quicker = self._in_phase(track, latest) / self._frames
        here = straight(track, quicker * (self._frames + np.array([-1.0, 0.0])))
        off, faster = self._after[0] - here[1], self._arrives() - (here[1] - here[0])
        left = straight(track, quicker * frames)
        for span, end in (
            (self._frames, (off, 0.0 * off)),
            (min(_SETTLES, self._frames), (0.0 * off, faster)),
        ):
            share = np.maximum(1.0 - (self._frames - frames) / span, 0.0)[:, None]
            left += hermite(share, 0.0 * off, 0.0 * off, end[0], span * end[1])
        near = _JOINS * np.exp(-np.minimum(frames, self._frames - frames) / _NEAR)[:, None]
        left[:, : WIDTH + 3] += near * (self._joined(frames) - left)[:, : WIDTH + 3]
        return left

    def _joined(self, frames: np.ndarray) -> np.ndarray:
        """Return the track at frames `(n,)` on a curve that leaves the first part and arrives at the second
        as these move."""
        leaves, arrives = self._last[1] - self._last[0], self._arrives()
        ends = self._last[1], self._frames * leaves, self._after[0], self._frames * arrives
        return hermite((frames / self._frames)[:, None], *ends)

    def _in_phase(self, track: np.ndarray, latest: float) -> float:
        """Return the frame of a track, no later than a `latest`, on which it is in the phase in which the
        second part begins."""
        poses = self._after[:ALIKE, :WIDTH]
        tried = np.arange(2.0 * self._frames - latest, latest, 0.5)
        there = straight(track[:, :WIDTH], (tried[:, None] + np.arange(len(poses))).ravel())
        off = there.reshape(len(tried), *poses.shape) - poses
        off = np.sqrt(np.mean(off**2, axis=(1, 2))) + _IN_TIME * np.abs(tried / self._frames - 1.0)
        return float(tried[np.argmin(off)])

    def _wish(self, frame: int, place: np.ndarray) -> SequenceWish:
        """Return the way from a place to where the second part is after a second, or to where the two parts
        are joined by a curve."""
        later = frame + AHEAD - self._frames
        if later >= 0.0:
            goal = straight(self._after, np.array([later]))[0, _PLACE]
            goal = goal + max(later - (len(self._after) - 1.0), 0.0) * self._arrives()[_PLACE]
        else:
            goal = self._joined(np.array([self._frames + later]))[0, _PLACE]
        return SequenceWish.between(place, goal)

    def _arrives(self) -> np.ndarray:
        """Return how the second part moves at its beginning, a frame."""
        return self._after[1] - self._after[0] if len(self._after) > 1 else np.zeros_like(self._after[0])


_PLACE, _CONTACTS = slice(WIDTH, WIDTH + 3), slice(WIDTH + 3, None)


def _track(rows: Rows, places: np.ndarray) -> np.ndarray:
    return np.concatenate([rows.poses, places, rows.contacts], axis=1)


def _inserted(clip: Encoding, known: Encoding, first: int, last: int, track: np.ndarray) -> Encoding:
    """Return a clip whose rows between `first` and `last` are those of a track; `known`: it in hips heights,
    with contacts."""
    steps = steps_between(np.concatenate([np.zeros((1, 3)), track[:, _PLACE]]))
    made = encoding_of(
        Rows(track[:, :WIDTH], steps, track[:, _CONTACTS]),
        known.ground[first],
        float(known.heading[first]),
        clip.name,
    )
    inserted = each([replace(known, extras={}), made], lambda parts: _with(parts[0], parts[1], first))
    whole = replace(inserted, frames=known.frames, extras=known.extras)
    motions = decode(whole, figure().character)
    extras = extras_between(
        whole, motions, {role: turns[[first, last]] for role, turns in known.extras.items()}, (first, last)
    )
    return replace(
        clip,
        ground=_with(clip.ground, hips_height_of(clip) * made.ground, first),
        heading=whole.heading,
        chains=whole.chains,
        extras={
            role: _with(turns, extras[role][first + 1 : last], first) for role, turns in known.extras.items()
        },
        contacts=_contacts(known, motions, first, track),
    )


def _contacts(known: Encoding, motions: Mapping[str, Motion], first: int, track: np.ndarray) -> Contacts:
    """Return the contacts of what is known, and of the feet in between; hands are free there."""
    points = foot_points(figure().character.body, motions).reshape(len(known), len(FEET), 3)
    places: dict[str, np.ndarray] = dict(zip(FEET, points.swapaxes(0, 1), strict=True))
    stands: dict[str, np.ndarray] = dict(zip(FEET, (track[:, _CONTACTS] > PLANTED).T, strict=True))
    contacts = {}
    for point in CONTACT_POINTS:
        flags = flags_of(known.contacts.of(point), len(known))
        flags = _with(flags, stands.get(point, np.zeros(len(track), dtype=bool)), first)
        contacts[point] = intervals_of(where_it_stays(flags, places[point]) if point in places else flags)
    return Contacts(contacts)


def _with(values: np.ndarray, made: np.ndarray, first: int) -> np.ndarray:
    """Return values `(f, ...)` with those made `(n, ...)` after row `first`."""
    return np.concatenate([values[: first + 1], made, values[first + 1 + len(made) :]])
