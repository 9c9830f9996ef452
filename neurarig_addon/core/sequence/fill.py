"""A second that is missing within a motion, made anew from what is before and after, and put in its place."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ..character.motion import Motion
from ..errors import NeuraRigError
from ..ikrig.decode import decode
from ..ikrig.encoding import CONTACT_POINTS, Contacts, Encoding, each
from ..ikrig.resample import sampled
from ..retarget.spans import flags_of, intervals_of
from .continuation import LEAST_S, PLANTED, extras_between, last_seconds, where_they_stay, with_contacts
from .figure import figure
from .gap import Gap
from .network import SequenceNetwork, bundled
from .rows import (
    FEET,
    RATE,
    WIDTH,
    Rows,
    encoding_of,
    hips_height_of,
    in_hips_heights,
    rows_of,
    seen_from,
    steps_between,
)
from .stride import REMEMBERED

LONGEST_S = 2.0  # between both parts


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
    after = np.arange(float(last), len(known), known.fps / RATE)[:REMEMBERED]
    ends = (
        np.array([*known.ground[row] * figure().hips_height, known.heading[row]]) for row in (first, last)
    )
    gap = Gap(
        before,
        rows_of(sampled(known, after, RATE)),
        seen_from(*ends),
        (last - first) * RATE / known.fps,
    )
    track = gap.filled(network or bundled(), np.arange(1.0, last - first) * RATE / known.fps)
    return _inserted(clip, known, first, last, track)


_PLACE, _CONTACTS = slice(WIDTH, WIDTH + 3), slice(WIDTH + 3, None)


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
    made = dict.fromkeys(CONTACT_POINTS, np.zeros(len(track), dtype=bool))
    made |= zip(FEET, (track[:, _CONTACTS] > PLANTED).T, strict=True)
    stands = {
        point: _with(flags_of(known.contacts.of(point), len(known)), flags, first)
        for point, flags in made.items()
    }
    stands |= where_they_stay(stands, motions)
    return Contacts({point: intervals_of(flags) for point, flags in stands.items()})


def _with(values: np.ndarray, made: np.ndarray, first: int) -> np.ndarray:
    """Return values `(f, ...)` with those made `(n, ...)` after row `first`."""
    return np.concatenate([values[: first + 1], made, values[first + 1 + len(made) :]])
