"""How a figure stands on its legs, hind and fore ones or those of a bird: which is which, where it faces, and
whether it is an animal."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..geometry.rotation import ON_GROUND, UP, normalized, norms
from ..skeleton.naming import plain_names
from ..skeleton.roles import SIDES, sided
from .branches import Branches
from .figure import Figure
from .pairs import LimbPair
from .segments import BIRD_LEG, FORE, HIND, Joint, Reading, read_leg
from .words import PARTS

# log odds by which signs tell where a figure faces
_FEET, _ABOVE, _FACE, _RISES, _CALLED, _SIDED = 3.0, 1.5, 1.0, 1.0, 1.0, 2.0
_CLEAR = 0.03  # leg lengths: feet that reach less far ahead do not count
_LOWEST = 0.2  # share of a leg's height: the joints of a foot are lower
_ON_PLANE = 0.03  # share of the figure's size: the trunk's joints are no farther off the middle plane
_STRAIGHT = 0.97  # least cosine between the way from legs to legs and that in which they face
_APART = 0.25  # leg lengths between the hind and the fore feet, at least
_KNEELING = 0.3  # share of the hips' height: lower knees and elbows are on the ground
_FLAT = 0.17  # share of the hips' height: ankles and wrists of soles and palms on the ground are lower
_LEGGY = 1.3  # least length of a person's leg in arm lengths, to ankle and wrist
_STIFF = np.radians(4.0)  # legs that bend by less anywhere are a table's
_UNUSUAL = 2.5  # greatest cost of reading a leg
_AHEAD = 0.03  # leg lengths by which a head is ahead of the legs


@dataclass(frozen=True)
class LeggedFigure:
    """How a figure stands: its pairs of legs, the hind one first, how each is read, where it faces, and how
    high the ground is."""

    figure: Figure
    floor: float
    legs: tuple[Branches, ...]
    readings: tuple[Reading, ...]
    forward: np.ndarray

    @property
    def length(self) -> float:
        """The length of a hind leg in metres."""
        return self.legs[0].length

    def ahead(self, points: np.ndarray) -> np.ndarray:
        """Return how far points `(..., 3)` are ahead of the hips."""
        return (points - self.joint(0, "thigh")) @ self.forward

    def joint(self, pair: int, part: str) -> np.ndarray:
        """Return the point `(3,)` between both joints of a part of one of the pairs."""
        return self.legs[pair].middle[self.readings[pair].parts[part]]

    def rows(self) -> Iterator[tuple[str, int]]:
        """Yield the roles of the legs with their rows."""
        for legs, reading in zip(self.legs, self.readings, strict=True):
            for side, chain in zip(SIDES, legs.chains[:: self._first_is_left(legs)], strict=True):
                for part, joint in reading.parts.items():
                    yield sided(part, side), chain[joint]

    def _first_is_left(self, legs: Branches) -> int:
        """Return 1 if the first of two legs is the left one, else -1."""
        return 1 if legs.across @ np.cross(UP, self.forward) > 0.0 else -1

    @cached_property
    def used(self) -> set[int]:
        """The rows of all legs and of what hangs on them."""
        tops = [chain[0] for legs in self.legs for chain in legs.chains]
        return {row for top in tops for row in self.figure.below(top)}

    @cached_property
    def off_plane(self) -> np.ndarray:
        """How far all heads `(bones,)` are to the left of the middle plane."""
        return (self.figure.heads - self.legs[0].middle[0]) @ np.cross(UP, self.forward)

    @cached_property
    def midline(self) -> np.ndarray:
        """Whether joints `(bones,)` are on the middle plane and not on a leg."""
        found = np.abs(self.off_plane) < _ON_PLANE * self.figure.size
        found[list(self.used)] = False
        return found

    def limb_pair(self, pair: int) -> LimbPair:
        """Return one of the pairs as the first three parts of its limbs, the left one first."""
        legs, parts = self.legs[pair], self.readings[pair].parts
        chosen = [joint for part, joint in parts.items() if part != "clavicle"][:3]
        way = self._first_is_left(legs)
        rows = np.array([[chain[joint] for joint in chosen] for chain in legs.chains[::way]])
        return LimbPair(rows, legs.points[::way][:, chosen], legs.across * way, 0.0)


def figure_on_legs(figure: Figure, pairs: list[Branches]) -> LeggedFigure | None:
    """Return how a figure stands on one or two pairs of legs; None if it is no animal."""
    along = np.cross(pairs[0].across, UP)
    if len(pairs) > 1:
        way = normalized((pairs[1].middle[0] - pairs[0].middle[0]) * ON_GROUND)
        along = along if (pairs[1].middle[-1] - pairs[0].middle[-1]) @ along > 0.0 else -along
        along = way if way @ along > _STRAIGHT else along  # a longer base than the hips are wide
    kinds = (HIND, FORE) if len(pairs) > 1 else (BIRD_LEG,)
    joints = [pair.without_tips() for pair in pairs]
    tips = float(min(pair.points[..., 2].min() for pair in pairs))
    ways = [
        legged
        for legs, floor in ((joints, figure.floor), (pairs, tips))
        for ahead in (1, -1)
        for legged in _read(figure, floor, legs[::ahead], ahead * along, kinds)
    ]
    legged = max(ways, key=_merit, default=None)
    return legged if legged is not None and _is_animal(legged) else None


def _read(
    figure: Figure,
    floor: float,
    legs: list[Branches],
    forward: np.ndarray,
    kinds: tuple[Mapping[str, Joint], ...],
) -> Iterator[LeggedFigure]:
    hips = float(legs[0].middle[:, 2].max() - floor)
    readings = [
        read_leg(pair.middle - [0.0, 0.0, floor], len(pair.chains[0]), forward, hips, kind)
        for pair, kind in zip(legs, kinds, strict=True)
    ]
    if None not in readings:
        yield LeggedFigure(figure, floor, tuple(legs), tuple(filter(None, readings)), forward)


def _merit(legged: LeggedFigure) -> float:
    """Return the log odds that a figure stands so."""
    figure = legged.figure
    merit = -sum(reading.cost for reading in legged.readings) + _FEET * _feet(legged)
    front, back = _beyond(legged)
    face = [np.log1p(np.count_nonzero(rows & ~legged.midline)) for rows in (front, back)]
    merit += _FACE * float(face[0] - face[1])
    high = [figure.heads[rows & legged.midline, 2].max(initial=figure.floor) for rows in (front, back)]
    merit += _RISES * float(np.clip((high[0] - high[1]) / legged.length, -1.0, 1.0))
    called = [
        figure.words[rows & legged.midline, PARTS.index("head")].max(initial=0.0) for rows in (front, back)
    ]
    merit += _CALLED * float(np.sign(called[0] - called[1])) + _SIDED * _sides(legged)
    if len(legged.legs) > 1:
        hind, fore = (legs.hub for legs in legged.legs)
        merit += _ABOVE * float(_is_above(figure, hind, fore)) - _ABOVE * float(_is_above(figure, fore, hind))
    return merit


def _is_above(figure: Figure, one: int, other: int) -> bool:
    return other >= 0 and (one < 0 or bool(figure.is_above[one, other]))


def _feet(legged: LeggedFigure) -> float:
    """Return 1 if feet reach ahead, -1 if they reach back, 0 if they do not show it."""
    reach = 0.0
    for legs in legged.legs:
        low = legs.middle[:, 2] < legged.floor + _LOWEST * legs.drop
        joints = legs.middle[low] @ legged.forward
        reach += float(joints[-1] - joints[0]) / legs.length if low.any() else 0.0
    return float(np.sign(reach)) if abs(reach) > _CLEAR * len(legged.legs) else 0.0


def _beyond(legged: LeggedFigure) -> tuple[np.ndarray, np.ndarray]:
    """Return which joints `(bones,)` that are on no leg are ahead of all legs' tops, and which are behind."""
    tops = legged.ahead(np.array([legs.middle[0] for legs in legged.legs]))
    free = np.ones(len(legged.figure.heads), dtype=bool)
    free[list(legged.used)] = False
    along = legged.ahead(legged.figure.heads)
    least = _AHEAD * legged.length
    return free & (along > tops.max() + least), free & (along < tops.min() - least)


def _sides(legged: LeggedFigure) -> float:
    """Return 1 if the names call the left legs left, -1 if right, 0 if they do not say."""
    plain = plain_names(legged.figure.skeleton.names)
    called = [(role[-1], plain[row].side) for role, row in legged.rows() if plain[row].side]
    return float(np.sign(sum(1 if role == side else -1 for role, side in called)))


def _is_animal(legged: LeggedFigure) -> bool:
    """Return whether what stands so is an animal, and no table, person on all fours, centaur or hand."""
    if max(reading.cost for reading in legged.readings) > _UNUSUAL:
        return False
    if len(legged.legs) == 1:
        return _feet(legged) > 0.0
    hind, fore = legged.legs
    apart = float((fore.middle[-1] - hind.middle[-1]) @ legged.forward)
    hips = legged.joint(0, "thigh")[2] - legged.floor
    knees = min(legged.joint(0, "shin")[2], legged.joint(1, "forearm")[2]) - legged.floor
    return (
        apart > _APART * legged.length
        and knees > _KNEELING * hips
        and max(_bend(legs) for legs in legged.legs) > _STIFF
        and not _is_person(legged, hips)
    )


def _is_person(legged: LeggedFigure, hips: float) -> bool:
    """Return whether soles and palms are on the ground, and legs much longer than arms."""
    soles = max(legged.joint(0, "foot")[2], legged.joint(1, "hand")[2]) - legged.floor
    long = [float(norms(np.diff(legged.limb_pair(pair).points, axis=1)).sum()) for pair in (0, 1)]
    return soles < _FLAT * hips and long[0] > _LEGGY * long[1]


def _bend(legs: Branches) -> float:
    """Return the greatest bend at a joint of a leg, in radians."""
    steps = np.diff(legs.middle, axis=0)
    long = np.maximum(norms(steps), 1e-9)
    cosine = (steps[1:] * steps[:-1]).sum(axis=1) / (long[1:] * long[:-1])
    return float(np.arccos(np.clip(cosine, -1.0, 1.0)).max(initial=0.0))
