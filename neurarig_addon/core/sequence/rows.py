"""A motion as the network sees it: the IK Rig's parameters as places on the figure, in metres, the way made
per frame, and contacts."""

from dataclasses import dataclass, fields, replace

import numpy as np

from ..errors import NeuraRigError
from ..geometry.rotation import frame, normalized
from ..ikrig.encoding import CHAINS, LIMBS, NECK, SPINE, Chain, Encoding, matrices, quaternions, shortest
from ..retarget.spans import flags_of
from ..skeleton.roles import SIDES, mirrored
from .figure import figure

RATE = 30.0  # frames a second
FEET = ("heel.L", "ball.L", "heel.R", "ball.R")  # points whose contacts are predicted
# metres: about how far middles are off the line from root to effector
_SIDE = {SPINE: 0.05, NECK: 0.0} | dict.fromkeys(LIMBS, 0.12)
# metres: how far an end bone's turn moves what it carries
_TURN = dict.fromkeys(CHAINS, 0.06) | {"leg.L": 0.12, "leg.R": 0.12}


def _columns() -> dict[tuple[str, str], slice]:
    """Return (chain, part) -> columns."""
    columns, at = {}, 0
    for chain in CHAINS:
        parts = {
            "root": 1 if chain == SPINE else 3,
            "effector": 3,
            "up": 3 if _SIDE[chain] else 0,
            "orientation": 6,
        }
        for part, size in parts.items():
            columns[chain, part] = slice(at, at + size)
            at += size
    return columns


COLUMNS = _columns()
WIDTH = max(columns.stop for columns in COLUMNS.values())


_MIRROR, _SIDE_OF = np.zeros(WIDTH, dtype=int), np.ones(WIDTH)  # columns of a mirrored pose, and their signs
for (_chain_name, _part), _at in COLUMNS.items():
    _other = COLUMNS[mirrored(_chain_name), _part]
    _MIRROR[_at] = np.arange(_other.start, _other.stop)
    if _other.stop - _other.start > 1:
        _SIDE_OF[_at] = np.resize([1.0, -1.0, 1.0, -1.0, 1.0, -1.0], _other.stop - _other.start)


@dataclass(frozen=True)
class Rows:
    """Frames of a motion at RATE.

    `poses` `(f, WIDTH)`: in the heading frame, on the figure, in metres. `steps` `(f, 3)`: forward and left
    from the frame before, as it was headed, in metres of the figure, and the turn since, radians. `contacts`
    `(f, 4)`: how surely each of FEET is planted, 0 to 1.
    """

    poses: np.ndarray
    steps: np.ndarray
    contacts: np.ndarray

    def __len__(self) -> int:
        return len(self.poses)

    def mirrored(self) -> "Rows":
        """Return the mirrored motion."""
        contacts = np.roll(self.contacts, len(FEET) // 2, axis=1)
        return Rows(self.poses[:, _MIRROR] * _SIDE_OF, self.steps * [1.0, -1.0, -1.0], contacts)

    def reversed(self) -> "Rows":
        """Return the motion backwards in time."""
        places = placed(np.concatenate([np.zeros((1, 3)), self.steps[1:]]))
        return Rows(self.poses[::-1], _steps_to(places[::-1]), self.contacts[::-1])

    def __getitem__(self, at: slice | np.ndarray) -> "Rows":
        return Rows(self.poses[at], self.steps[at], self.contacts[at])


PARTS = tuple(field.name for field in fields(Rows))


def joined(*motions: Rows) -> Rows:
    """Return motions one after the other."""
    return Rows(*(np.concatenate([getattr(motion, name) for motion in motions]) for name in PARTS))


def between(one: Rows, other: Rows, share: np.ndarray | float) -> Rows:
    """Return rows a share `()` or `(f, 1)`, 0 to 1, of the way from one to another."""
    return Rows(
        *(
            here + share * (there - here)
            for here, there in ((getattr(one, name), getattr(other, name)) for name in PARTS)
        )
    )


def rows_of(encoding: Encoding) -> Rows:
    """Return an encoding, at RATE, as rows; raises NeuraRigError, naming the chain, if the body lacks one of
    the six."""
    missing = [chain for chain in CHAINS if chain not in encoding.chains]
    if missing:
        raise NeuraRigError(
            f"'{encoding.name}' has no '{missing[0]}': only motions of whole bodies, with arms and head, can"
            " be continued."
        )
    body = figure()
    poses = np.empty((len(encoding), WIDTH))
    for name, chain in encoding.chains.items():
        if name == SPINE:
            poses[:, COLUMNS[name, "root"]] = body.hips_height * (1.0 + chain.root[:, 2:])
        else:
            poses[:, COLUMNS[name, "root"]] = matrices(chain.root) @ body.roots[name]
        poses[:, COLUMNS[name, "effector"]] = chain.effector * body.lengths[name]
        if _SIDE[name]:
            poses[:, COLUMNS[name, "up"]] = chain.up * _SIDE[name]
        axes = matrices(chain.orientation)[:, :, :2].transpose(0, 2, 1)
        poses[:, COLUMNS[name, "orientation"]] = axes.reshape(-1, 6) * _TURN[name]
    steps = _steps_to(
        np.column_stack([in_hips_heights(encoding).ground * body.hips_height, encoding.heading])
    )
    planted = [flags_of(encoding.contacts.of(point), len(encoding)) for point in FEET]
    return Rows(poses, steps, np.stack(planted, axis=1).astype(float))


def encoding_of(rows: Rows, ground: np.ndarray, heading: float, name: str) -> Encoding:
    """Return rows as an encoding at RATE in hips heights; `ground` `(2,)` and `heading`: of the frame before
    the first."""
    headings = heading + np.cumsum(rows.steps[:, 2])
    way = turned(rows.steps[:, :2], headings - rows.steps[:, 2])
    return Encoding(
        name=name,
        fps=RATE,
        frames=np.arange(1.0, len(rows) + 1.0),
        ground=ground + np.cumsum(way, axis=0) / figure().hips_height,
        heading=headings,
        chains={name: _chain(rows.poses, name) for name in CHAINS},
    )


def _chain(poses: np.ndarray, name: str) -> Chain:
    body = figure()
    part = {part: poses[:, columns] for (chain, part), columns in COLUMNS.items() if chain == name}
    if name == SPINE:
        root = np.column_stack([np.zeros((len(poses), 2)), part["root"] / body.hips_height - 1.0])
    else:
        root = shortest(body.roots[name], part["root"])
    orientation = quaternions(orientations(poses, name))
    effector = part["effector"] / body.lengths[name]
    up = normalized(part["up"]) if _SIDE[name] else np.tile([-1.0, 0.0, 0.0], (len(poses), 1))
    return Chain(root, effector, up, orientation)


def orientations(poses: np.ndarray, name: str) -> np.ndarray:
    """Return the orientations `(f, 3, 3)` of a chain's end bone, in the heading frame."""
    axes = poses[:, COLUMNS[name, "orientation"]].reshape(-1, 2, 3)
    return frame(axes[:, 0], axes[:, 1])


def placed(steps: np.ndarray) -> np.ndarray:
    """Return where steps `(..., f, 3)` lead, forward, left and turned `(..., f, 3)`, seen from the frame
    before the first."""
    heading = np.cumsum(steps[..., 2], axis=-1)
    way = turned(steps[..., :2], heading - steps[..., 2])
    return np.concatenate([np.cumsum(way, axis=-2), heading[..., None]], axis=-1)


def steps_between(places: np.ndarray) -> np.ndarray:
    """Return the steps `(f - 1, 3)` from each place, of x, y and heading `(f, 3)`, to the next: the inverse
    of `placed`."""
    return seen_from(places[:-1], places[1:])


def _steps_to(places: np.ndarray) -> np.ndarray:
    """Return the steps `(f, 3)` to each place `(f, 3)`: to the first one, of which nothing is known, as to
    the next."""
    steps = steps_between(places)
    return np.concatenate([steps[:1] if len(steps) else np.zeros((1, 3)), steps])


def seen_from(place: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return other places `(..., 3)`, of x, y and heading all, forward, left and turned from some: the
    inverse of `moved`."""
    way = other - place
    return np.concatenate([turned(way[..., :2], -place[..., 2]), way[..., 2:]], axis=-1)


def stands(contacts: np.ndarray) -> np.ndarray:
    """Return how surely each foot `(f, 2)` stands, on heel or ball, for contacts `(f, 4)` of FEET."""
    return contacts.reshape(len(contacts), len(SIDES), -1).max(axis=2)


def turned(way: np.ndarray, angle: np.ndarray | float) -> np.ndarray:
    """Return vectors `(..., 2)` turned to the left by angles `(...)`."""
    cos, sin = np.cos(angle), np.sin(angle)
    return np.stack([cos * way[..., 0] - sin * way[..., 1], sin * way[..., 0] + cos * way[..., 1]], axis=-1)


def moved(place: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Return x, y and heading `(..., 3)` after steps `(..., 3)` forward, left and turned."""
    way = turned(step[..., :2], place[..., 2])
    return place + np.concatenate([way, step[..., 2:]], axis=-1)


def in_hips_heights(encoding: Encoding) -> Encoding:
    """Return an encoding whose way is in hips heights; of an unknown body, those of the figure."""
    return replace(encoding, ground=encoding.ground / hips_height_of(encoding), normalised=True)


def hips_height_of(encoding: Encoding) -> float:
    """Return how many units of an encoding's way are a hips height; of an unknown body, that of the
    figure."""
    if encoding.normalised:
        return 1.0
    return encoding.measures.hips_height if encoding.measures else figure().hips_height
