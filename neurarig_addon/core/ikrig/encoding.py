"""A motion as the parameters of six IK chains (docs/internals/ikrig.md), and the mirrored motion.

The frame is the heading frame: x where the hips face, y to the character's left, z up; quaternions are w, x,
y, z. Orientations are
relative to the reference pose that all characters share, so they do not contain bone roll or rest pose. Only
`layout` knows the frame
and the order of the public 86 floats.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from ..errors import NeuraRigError
from ..geometry import rotation
from ..skeleton.roles import SIDES, mirrored, sided

SPINE, NECK = "spine", "neck"
LEGS = tuple(sided("leg", side) for side in SIDES)
ARMS = tuple(sided("arm", side) for side in SIDES)
LIMBS = (*LEGS, *ARMS)
CHAINS = (SPINE, NECK, *LIMBS)
ALWAYS = (SPINE, *LEGS)  # chains of every biped
CONTACT_POINTS = tuple(sided(point, side) for side in SIDES for point in ("heel", "ball", "hand"))
_EXTRA_PARTS = ("clavicle", "toe", "thigh", "shin", "upper_arm", "forearm")
EXTRAS = ("pelvis", *(sided(part, side) for part in _EXTRA_PARTS for side in SIDES))


@dataclass(frozen=True)
class Chain:
    """One chain over time.

    `root`: of the spine its position `(f, 3)` from the global frame's origin in hips heights; of the others
    the shortest rotation `(f, 4)`
    of the direction from hips or chest to the chain's root from its direction in the reference pose.
    `effector` `(f, 3)`: from root to effector, in chain lengths. `up` `(f, 3)`: unit vector from that line to
    the middle joint.
    `orientation` `(f, 4)`: of the end bone, relative to the reference pose.
    """

    root: np.ndarray
    effector: np.ndarray
    up: np.ndarray
    orientation: np.ndarray


@dataclass(frozen=True)
class Measures:
    """The proportions of the source body in the reference pose; metres unless said otherwise.

    `hips_height`: head of the pelvis bone above the soles. `leg_length`: thigh plus shin. `ankle_height`:
    above the sole.
    `hip_offset` `(3,)`: from the head of the pelvis bone to the midpoint of the hip joints, in the walk
    frame.
    `lengths`: chain -> length: of a limb the sum of both bones, of spine and neck the straight distance from
    root to effector.
    `rest`: spine and neck -> `(2, 3)`, from the chain's root to its middle and to its effector, in chain
    lengths.
    `rolls`: limb -> radians about its stretched upper bone from knee or elbow in the reference pose to where
    they point (found from the
    bends of the clip, as a straight rest pose does not show it).
    """

    hips_height: float
    leg_length: float
    ankle_height: float
    hip_offset: np.ndarray
    lengths: Mapping[str, float]
    rest: Mapping[str, np.ndarray] = field(default_factory=dict)
    rolls: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        sizes = np.array([self.hips_height, self.leg_length, *self.lengths.values()], dtype=float)
        shapes = [
            (np.shape(self.hip_offset), (3,)),
            *((np.shape(points), (2, 3)) for points in self.rest.values()),
        ]
        if not {*self.lengths, *self.rest, *self.rolls} <= set(CHAINS) or any(
            found != wanted for found, wanted in shapes
        ):
            raise NeuraRigError(
                "The measurements of the recorded body are not those of an IK Rig; export the motion again."
            )
        vectors = (self.hip_offset, *self.rest.values())
        others = np.concatenate(
            [[self.ankle_height, *self.rolls.values()], *(np.ravel(vector) for vector in vectors)]
        )
        if not (
            np.isfinite(sizes).all()
            and np.isfinite(others).all()
            and (sizes >= 0.0).all()
            and min(sizes[:2]) > 0.0
        ):
            raise NeuraRigError(
                "The measurements of the recorded body must be lengths above zero; export the motion again."
            )


@dataclass(frozen=True)
class Contacts:
    """When points are planted: `intervals` maps each of CONTACT_POINTS to rows `(n, 2)` of first and last
    frame, both included."""

    intervals: Mapping[str, np.ndarray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for point, spans in self.intervals.items():
            if point not in CONTACT_POINTS:
                raise NeuraRigError(
                    f"'{point}' is not a contact point; they are {', '.join(CONTACT_POINTS)}."
                )
            rows = np.asarray(spans)
            if (
                rows.shape[1:] != (2,)
                or rows.dtype.kind not in "iu"
                or (rows < 0).any()
                or (rows[:, 0] > rows[:, 1]).any()
            ):
                raise NeuraRigError(
                    f"The contacts of '{point}' are not pairs of a first and a last row; find them again."
                )

    def of(self, point: str) -> np.ndarray:
        """Return the rows `(n, 2)` between which a point is planted."""
        return np.reshape(self.intervals.get(point, ()), (-1, 2)).astype(int)

    def after(self, frames: int) -> str | None:
        """Return a point that is planted after the last of `frames` rows, None if there is none."""
        return next(
            (point for point, spans in self.intervals.items() if np.max(spans, initial=-1) >= frames), None
        )


@dataclass(frozen=True)
class Encoding:
    """A motion independent of proportions, at `f` frames.

    `frames` `(f,)`: scene frames; `fps`: frames per second. `ground` `(f, 2)`: hips forward and left of their
    position at rest, in hips
    heights, or in metres unless `normalised`.  `heading` `(f,)`: radians about z, left positive, unwrapped.
    `chains`: by name; spine and legs always, neck and arms only if the source has them.
    `extras`: role of EXTRAS -> orientation `(f, 4)` that the chains alone do not give, in the heading frame.
    `remark`: what the user should know of the clip, in a sentence, or empty.
    `unposed`: limbs that nobody has posed.
    `measures`: of the source body, None if unknown (the 86 floats do not contain them).
    `fore`: the shoulders' girdle of a body on four legs, see `girdles`; `ground` and `heading` relative to
    the hips' girdle, in lengths of the back at rest.
    Raises NeuraRigError, naming the part, if shapes disagree or numbers are NaN or infinite.
    """

    name: str
    fps: float
    frames: np.ndarray
    ground: np.ndarray
    heading: np.ndarray
    chains: Mapping[str, Chain]
    measures: Measures | None = None
    extras: Mapping[str, np.ndarray] = field(default_factory=dict)
    contacts: Contacts = field(default_factory=Contacts)
    normalised: bool = True
    remark: str = ""
    unposed: frozenset[str] = frozenset()
    fore: "Encoding | None" = None

    def __len__(self) -> int:
        return len(self.frames)

    def __post_init__(self) -> None:
        if not len(self):
            raise NeuraRigError(f"'{self.name}' holds no pose; export the motion again.")
        if not (np.isfinite(self.fps) and self.fps > 0.0):
            raise NeuraRigError(f"'{self.name}' has {self.fps:g} frames a second; give it a rate above zero.")
        missing = [name for name in ALWAYS if name not in self.chains]
        unknown = [name for name in (*self.chains, *self.extras) if name not in (*CHAINS, *EXTRAS)]
        if missing or unknown:
            what = (
                f"lacks the chain '{missing[0]}'"
                if missing
                else f"has a part '{unknown[0]}' that no IK Rig has"
            )
            raise NeuraRigError(f"'{self.name}' {what}; export the motion again.")
        for what, values, shape in self._parts():
            if np.shape(values) != (len(self), *shape):
                wanted = " x ".join(map(str, (len(self), *shape)))
                raise NeuraRigError(
                    f"'{self.name}' does not have {wanted} numbers for {what}; export the motion again."
                )
            if not np.isfinite(values).all():
                raise NeuraRigError(
                    f"'{self.name}' has NaN or infinite numbers for {what}; export the motion again."
                )
        after = self.contacts.after(len(self))
        if after:
            raise NeuraRigError(
                f"The contacts of '{after}' in '{self.name}' go on after its last row; find them again."
            )

    def _parts(self) -> Iterator[tuple[str, np.ndarray, tuple[int, ...]]]:
        """Yield each array's name for messages, the array, and its required shape after the frames."""
        yield from (
            ("frames", self.frames, ()),
            ("the ground position", self.ground, (2,)),
            ("the heading", self.heading, ()),
        )
        for name, chain in self.chains.items():
            yield f"the root of '{name}'", chain.root, (3,) if name == SPINE else (4,)
            yield f"the effector of '{name}'", chain.effector, (3,)
            yield f"the up vector of '{name}'", chain.up, (3,)
            yield f"the orientation of '{name}'", chain.orientation, (4,)
        for role, turns in self.extras.items():
            yield f"the orientation of '{role}'", turns, (4,)


# Mirroring across the plane of forward and up negates a vector's left, and a quaternion's w and left (equal
# to negating the other two).
_VECTOR = np.array([1.0, -1.0, 1.0])
_QUATERNION = np.array([-1.0, 1.0, -1.0, 1.0])
_T = TypeVar("_T")


def mirror(encoding: Encoding) -> Encoding:
    """Return the mirrored motion; mirroring twice restores it."""
    return replace(
        encoding,
        ground=encoding.ground * _VECTOR[:2],
        heading=-encoding.heading,
        chains={name: _chain(chain) for name, chain in _swapped(encoding.chains).items()},
        measures=_measures(encoding.measures) if encoding.measures else None,
        extras={role: turns * _QUATERNION for role, turns in _swapped(encoding.extras).items()},
        contacts=Contacts(_swapped(encoding.contacts.intervals)),
        unposed=frozenset(map(mirrored, encoding.unposed)),
        fore=encoding.fore and mirror(encoding.fore),
    )


def _chain(chain: Chain) -> Chain:
    root = chain.root * (_VECTOR if chain.root.shape[-1] == 3 else _QUATERNION)
    return Chain(root, chain.effector * _VECTOR, chain.up * _VECTOR, chain.orientation * _QUATERNION)


def _measures(measures: Measures) -> Measures:
    return replace(
        measures,
        hip_offset=measures.hip_offset * _VECTOR,
        lengths=_swapped(measures.lengths),
        rest={name: points * _VECTOR for name, points in measures.rest.items()},
        rolls={name: -roll for name, roll in _swapped(measures.rolls).items()},
    )


def _swapped(parts: Mapping[str, _T]) -> dict[str, _T]:
    """Return the parts with the names `*.L` and `*.R` exchanged."""
    return {mirrored(name): part for name, part in parts.items()}


def require_on_two_legs(encoding: Encoding) -> None:
    """Raise NeuraRigError for a motion on four legs."""
    if encoding.fore is not None:
        raise NeuraRigError(
            f"'{encoding.name}' is a motion on four legs: only animals on four legs can take it."
        )


_OPPOSITE = 1e-9  # 1 + cosine: below it two directions are opposite, and any perpendicular axis serves


def quaternions(matrix: np.ndarray) -> np.ndarray:
    """Return rotations `(..., f, 3, 3)` as quaternions `(..., f, 4)` with signs continuous over the frames;
    the first has w >= 0."""
    return _steady(rotation.to_quaternion(matrix))


def _steady(quaternion: np.ndarray) -> np.ndarray:
    """Return quaternions `(..., f, 4)` with signs continuous over the frames; the first has w >= 0."""
    flips = rotation.dot(quaternion[..., 1:, :], quaternion[..., :-1, :]) < 0.0
    first = quaternion[..., :1, 0] < 0.0
    odd = np.logical_xor.accumulate(np.concatenate([first, flips], axis=-1), axis=-1)
    return np.where(odd[..., None], -quaternion, quaternion)


def matrices(quaternion: np.ndarray) -> np.ndarray:
    """Return quaternions `(..., 4)` of any length as rotations `(..., 3, 3)`; zero gives the identity."""
    length = np.sqrt(rotation.dot(quaternion, quaternion))[..., None]
    unit = np.where(
        length > rotation.TINY, quaternion / np.maximum(length, rotation.TINY), [1.0, 0.0, 0.0, 0.0]
    )
    return rotation.from_quaternion(unit)


def shortest(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the shortest rotations `(f, 4)` from direction `start` `(3,)` to `end` `(f, 3)`; the identity if
    either is zero."""
    start, end = rotation.normalized(start), rotation.normalized(end)
    turn = np.concatenate([1.0 + end @ start[:, None], np.cross(start, end)], axis=-1)
    turn[turn[:, 0] < _OPPOSITE] = [0.0, *rotation.perpendicular(start)]
    turn[~(end.any(axis=-1) & start.any())] = [1.0, 0.0, 0.0, 0.0]
    return _steady(turn / np.sqrt(rotation.dot(turn, turn))[..., None])


def each(motions: Sequence[Encoding], act: Callable[[list[np.ndarray]], np.ndarray]) -> Encoding:
    """Return what an action makes of each array `(n, ...)` of some motions, in the frames from 1 on and
    without contacts."""
    first = motions[0]
    ground = act([one.ground for one in motions])
    chains = {name: [one.chains[name] for one in motions] for name in first.chains}
    parts = ("root", "effector", "up", "orientation")
    return replace(
        first,
        frames=np.arange(1.0, len(ground) + 1.0),
        ground=ground,
        heading=act([one.heading for one in motions]),
        chains={
            name: Chain(*(act([getattr(one, part) for one in chain]) for part in parts))
            for name, chain in chains.items()
        },
        extras={role: act([one.extras[role] for one in motions]) for role in first.extras},
        contacts=Contacts(),
    )
