"""Limbs that nobody has posed, as in our own walk: arms that hang and swing in the phase of the body, legs
that walk under it."""

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np

from ..body.tree import all_holders_of, apart
from ..character.motion import Motion
from ..ikrig.encoding import LEGS, LIMBS, Contacts, Encoding
from ..retarget.spans import intervals_of
from ..skeleton.roles import ARM_PARTS, LEG_PARTS, sided
from .rows import COLUMNS, FEET, RATE, WIDTH, encoding_of, rows_of
from .start import our_walk
from .stride import STEPS, last_stride

_AT_REST = 1e-4  # of a rotation's numbers


def unposed(motions: Mapping[str, Motion], posed: Collection[str]) -> frozenset[str]:
    """Return the limbs that are at rest on all frames, and of which nothing is keyed, given the roles that
    are `posed`."""
    moved = set(posed)
    holders = all_holders_of(motions)
    for role, part in apart(motions, holders).items():
        if holders[role] and np.abs(part.rotation - np.eye(3)).max() > _AT_REST:
            moved.add(role)
    return frozenset(limb for limb in LIMBS if not moved.intersection(_roles(limb)))


def natural(clip: Encoding, past: Encoding) -> tuple[Encoding, Encoding]:
    """Return a clip and its past, at RATE, with natural limbs where nobody has posed them; both end with the
    same frame."""
    limbs = clip.unposed & clip.chains.keys()
    if not limbs:
        return clip, past
    known, walk = rows_of(past), our_walk()
    pace = walk.stride / (last_stride(known).frames or walk.stride)
    free = np.ones(WIDTH, dtype=bool)
    for (limb, _), columns in COLUMNS.items():
        free[columns] = limb not in limbs
    body = known.poses[:, free] - known.poses[:, free].mean(axis=0)
    back = pace * np.arange(len(known))[::-1]

    def off(phase: int) -> float:
        there = walk.at(phase - back).poses[:, free]
        return float(np.sum((there - there.mean(axis=0) - body) ** 2))

    phase = min(range(walk.stride), key=off)
    clips = []
    for each in (clip, past):
        rows = walk.at(phase - np.arange(len(each))[::-1] * pace * RATE / each.fps)
        chains = encoding_of(rows, np.zeros(2), 0.0, each.name).chains
        stands = {
            point: intervals_of(flags) for point, flags in zip(FEET, rows.contacts.T > STEPS, strict=True)
        }
        contacts = Contacts({**each.contacts.intervals, **stands}) if limbs >= set(LEGS) else each.contacts
        extras = {
            role: turns
            for role, turns in each.extras.items()
            if not any(role in _roles(limb) for limb in limbs)
        }
        clips.append(
            replace(
                each,
                chains={**each.chains, **{limb: chains[limb] for limb in limbs}},
                extras=extras,
                contacts=contacts,
            )
        )
    return clips[0], clips[1]


def _roles(limb: str) -> set[str]:
    part, _, side = limb.partition(".")
    return {sided(each, side) for each in (LEG_PARTS if part == "leg" else ARM_PARTS) if each != "clavicle"}
