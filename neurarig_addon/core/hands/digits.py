"""The fingers of a hand, found by the tree of its bones and their shape at rest, and the axes about which
they bend.

A hand's palm follows from where its fingers start, which end the thumb is on, and whether it is a left or a
right hand: no rig's bone roll or naming matters.
"""

from dataclasses import dataclass, replace

import numpy as np

from ..character.character import Character
from ..geometry.rotation import dot, normalized, norms, rejected
from ..skeleton.naming import plain_name
from ..skeleton.roles import sided

PHALANGES = 3
# of the next bone's distance from the wrist: a bone that starts nearer lies within the palm
_METACARPAL = 0.4
_ASIDE = 0.9  # cosine: a digit that points farther from the others' mean direction may be a thumb
_LOW = 0.75  # of the other digits' mean: a digit that starts this near to the wrist may be a thumb
_FEWEST = 2  # bones of a digit
_BENT = 0.15  # sine of the bend at rest from which the plane of bending is clear
# cosine to the bone before it: a last bone that points farther away got its axis from an importer, not from
# the finger
_LEAF = 0.5
_PALM_WORDS = ("carpal", "palm")
_NATURAL = np.radians([-40.0, 80.0])  # bends at rest of what is certainly a finger


@dataclass(frozen=True, eq=False)
class Digit:
    """A finger or thumb: its phalanges' `bones` `(n,)`, rows of the skeleton, from the knuckle to the tip.

    `bends` `(n, 3)`: unit axes at rest, armature space, about which a positive turn curls each towards the
    palm; `aside` `(3,)`: the axis
    about which the whole digit turns towards the little finger. `curled` `(n,)`: radians that each is bent at
    rest.
    `place`: -1 for the index finger to 1 for the little one, 0 for a thumb. `fanned`: radians at rest by
    which a finger points farther
    towards the little finger than the fingers do on average; 0 for a thumb.
    """

    bones: tuple[int, ...]
    bends: np.ndarray
    aside: np.ndarray
    curled: np.ndarray
    place: float
    is_thumb: bool
    fanned: float = 0.0


@dataclass(frozen=True, eq=False)
class _Palm:
    """A hand at rest in armature space: the unit directions `along` its fingers and `across` to the little
    finger, the `normal` out of the palm, and the `far` end of the knuckles, each `(3,)`."""

    along: np.ndarray
    across: np.ndarray
    normal: np.ndarray
    far: np.ndarray


def hand_digits(character: Character, side: str) -> tuple[Digit, ...]:
    """Return the thumb, if there is one, and the fingers from index to little; none for a hand without
    fingers."""
    hand = character.row(sided("hand", side))
    if hand is None:
        return ()
    chains = _chains(character, hand)
    wrist = character.skeleton.rest[hand, :3, 3]
    joints = [_joints(character, chain) for chain in chains]
    thumb = _thumb(character, chains, joints, wrist)
    fingers = [at for at in range(len(chains)) if at != thumb]
    if not fingers:
        return ()
    forward = character.body.walk_to_armature[:3, 0]
    palm = _palm([joints[at] for at in fingers], wrist, forward if thumb is None else joints[thumb], side)
    fingers.sort(key=lambda at: float(joints[at][0] @ palm.across))
    found = [] if thumb is None else [_as_thumb(chains[thumb], joints[thumb], palm)]
    bases = np.array([joints[at][0] @ palm.across for at in fingers])
    places = (
        2.0 * (bases - bases[0]) / np.ptp(bases) - 1.0
        if len(bases) > 1 and np.ptp(bases) > 0.0
        else np.zeros(len(bases))
    )
    ways = np.array([joints[at][1] - joints[at][0] for at in fingers])
    fans = np.arctan2(ways @ palm.across, ways @ palm.along)
    for at, place, fan in zip(fingers, places.tolist(), (fans - fans.mean()).tolist(), strict=True):
        found.append(replace(_as_finger(chains[at], joints[at], palm, place), fanned=fan))
    return tuple(found)


def is_certain(digits: tuple[Digit, ...]) -> bool:
    """Return whether digits are certainly those of a hand: a thumb and two fingers or more, bent as fingers
    can be."""
    bends = np.concatenate([digit.curled for digit in digits]) if digits else np.zeros(0)
    is_hand = len(digits) > _FEWEST and sum(digit.is_thumb for digit in digits) == 1
    return is_hand and bool(((bends > _NATURAL[0]) & (bends < _NATURAL[1])).all())


def _chains(character: Character, hand: int) -> list[tuple[int, ...]]:
    """Return the rows of each digit below a hand: the longest way down from each bone that starts one,
    without bones of the palm."""
    skeleton = character.skeleton
    children: dict[int, list[int]] = {}
    for row in range(len(skeleton.names)):
        if skeleton.deform[row] and skeleton.is_below(row, hand):
            above = next(up for up in skeleton.ancestors(row) if skeleton.deform[up] or up == hand)
            children.setdefault(above, []).append(row)

    def longest(row: int) -> list[int]:
        return [row, *max((longest(child) for child in children.get(row, [])), key=len, default=[])]

    def starts(row: int) -> list[int]:
        """Return where digits start at or below a bone: a bone of the palm may carry several."""
        below = children.get(row, [])
        return [start for child in below for start in starts(child)] if len(below) > 1 else [row]

    found = []
    for start in [start for child in children.get(hand, []) for start in starts(child)]:
        way = _without_metacarpal(character, hand, longest(start))
        if len(way) >= _FEWEST:
            found.append(tuple(way[:PHALANGES]))
    return found


def _without_metacarpal(character: Character, hand: int, way: list[int]) -> list[int]:
    """Return a digit without the bone within the palm that it may start with; a thumb, of two or three bones,
    moves with all of them."""
    heads, name = character.skeleton.rest[:, :3, 3], plain_name(character.skeleton.names[way[0]]).core
    if len(way) <= PHALANGES or "thumb" in name:
        return way
    is_within = norms(heads[way[0]] - heads[hand]) < _METACARPAL * norms(heads[way[1]] - heads[hand])
    return way[1:] if is_within or any(word in name for word in _PALM_WORDS) else way


def _joints(character: Character, chain: tuple[int, ...]) -> np.ndarray:
    """Return the heads of a digit's bones and its tip `(n + 1, 3)`, armature space."""
    rest, lengths = character.skeleton.rest, character.skeleton.lengths
    heads, last = rest[list(chain), :3, 3], chain[-1]
    before, way = normalized(heads[-1] - heads[-2]), rest[last, :3, 1]
    return np.vstack([heads, heads[-1] + lengths[last] * (way if way @ before > _LEAF else before)])


def _thumb(
    character: Character, chains: list[tuple[int, ...]], joints: list[np.ndarray], wrist: np.ndarray
) -> int | None:
    """Return which digit is the thumb: by name, else the one that starts near the wrist and points away from
    the others."""
    names = [[plain_name(character.skeleton.names[row]).core for row in chain] for chain in chains]
    named = [at for at, cores in enumerate(names) if any("thumb" in core for core in cores)]
    # as 3ds Max's Biped counts
    named = named or [at for at, cores in enumerate(names) if cores[0].endswith("finger0")]
    if named or len(chains) < _FEWEST:
        return named[0] if named else None
    ways = normalized(np.array([points[-1] - points[0] for points in joints]))
    starts = np.array([norms(points[0] - wrist) for points in joints])
    aside = [
        float(ways[at] @ normalized(np.delete(ways, at, axis=0).mean(axis=0))) for at in range(len(chains))
    ]
    low = [starts[at] / max(float(np.delete(starts, at).mean()), 1e-9) for at in range(len(chains))]
    at = int(np.argmin(aside))
    return at if aside[at] < _ASIDE and low[at] < _LOW else None


def _palm(fingers: list[np.ndarray], wrist: np.ndarray, sign: np.ndarray, side: str) -> _Palm:
    """Return the palm of the joints of `fingers`; `sign`: those of the thumb `(n, 3)` or, without one, the
    character's forward `(3,)`."""
    bases = np.array([points[0] for points in fingers])
    along = normalized(bases.mean(axis=0) - wrist)
    to_thumb = sign if sign.ndim == 1 else sign.mean(axis=0) - bases.mean(axis=0)
    across = -to_thumb
    if len(bases) > 1:
        _, _, ways = np.linalg.svd(bases - bases.mean(axis=0))
        across = ways[0] if ways[0] @ to_thumb < 0.0 else -ways[0]
    across = normalized(rejected(across, along))
    normal = np.cross(along, across) * (-1.0 if side == "L" else 1.0)
    return _Palm(along, across, normal, bases[int(np.argmax(bases @ across))])


def _as_finger(chain: tuple[int, ...], joints: np.ndarray, palm: _Palm, place: float) -> Digit:
    ways = normalized(np.diff(joints, axis=0))
    lateral = np.cross(ways[0], palm.normal)
    lateral = normalized(lateral if lateral @ lateral > 0.1 else np.cross(palm.along, palm.normal))
    own = np.cross(ways[0], ways[-1])
    if own @ lateral > _BENT:  # a finger that is bent at rest shows its hinges
        lateral = normalized(own)
    level = rejected(ways[0], palm.normal)
    before = np.vstack([normalized(level if level @ level > 0.1 else palm.along), ways[:-1]])
    return _digit(chain, ways, lateral, before, normalized(np.cross(ways[0], palm.across)), place)


def _as_thumb(chain: tuple[int, ...], joints: np.ndarray, palm: _Palm) -> Digit:
    """Return a thumb, which bends across the palm towards the little finger's knuckle; its first bone counts
    as straight at rest."""
    ways = normalized(np.diff(joints, axis=0))
    lateral = np.cross(joints[-1] - joints[0], palm.far - 0.5 * (joints[0] + joints[-1]))
    lateral = normalized(lateral if lateral.any() else np.cross(palm.along, palm.normal))
    return _digit(chain, ways, lateral, np.vstack([ways[:1], ways[:-1]]), palm.normal, 0.0, is_thumb=True)


def _digit(
    chain: tuple[int, ...],
    ways: np.ndarray,
    lateral: np.ndarray,
    before: np.ndarray,
    aside: np.ndarray,
    place: float,
    is_thumb: bool = False,
) -> Digit:
    """Return a digit whose bones point along `ways` and bend about `lateral`, from where the bones `before`
    them point."""
    bends = normalized(rejected(lateral, ways))
    curled = np.arctan2(dot(np.cross(before, ways), bends), dot(before, ways))
    return Digit(chain, bends, aside, curled, place, is_thumb)
