"""Poses as used in the whole pipeline: the rigid motion of each role away from rest."""

from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass, replace
from typing import Any, Protocol

import numpy as np

from ..geometry.rotation import part_way, rotated, transposed


@dataclass(frozen=True)
class Motion:
    """The rigid motion of one role away from its rest pose, in the walk frame.

    A point at `p` at rest is at `rotation @ (p - rest) + position`.
    `rotation` `(frames, 3, 3)`; `position` `(frames, 3)` metres; `rest` `(3,)` metres.
    """

    rotation: np.ndarray
    position: np.ndarray
    rest: np.ndarray

    def __getitem__(self, rows: np.ndarray | slice | int) -> "Motion":
        """Return the motion on some of the frames."""
        return Motion(self.rotation[rows], self.position[rows], self.rest)

    def with_rows(self, rows: np.ndarray, other: "Motion") -> "Motion":
        """Return the motion with another one on some of the frames."""
        rotation, position = self.rotation.copy(), self.position.copy()
        rotation[rows], position[rows] = other.rotation, other.position
        return Motion(rotation, position, self.rest)

    def moved(self, way: np.ndarray) -> "Motion":
        """Return the motion moved by `(frames, 3)`."""
        return Motion(self.rotation, self.position + way, self.rest)

    def carry(self, point: np.ndarray) -> np.ndarray:
        """Return the places `(frames, 3)` to which points given at rest, `(3,)` or `(frames, 3)`, are
        carried."""
        return rotated(self.rotation, point - self.rest) + self.position

    def about(self, joint: np.ndarray) -> "Motion":
        """Return the same motion as that of another joint, `(3,)` at rest."""
        return Motion(self.rotation, self.carry(joint), joint)

    def carried(self, points: np.ndarray) -> np.ndarray:
        """Return points `(frames, ..., 3)`, or one `(3,)`, given relative to this, as carried by it."""
        turn, place = self._beside(points)
        return rotated(turn, points - self.rest) + place

    def seen(self, points: np.ndarray) -> np.ndarray:
        """Return points `(frames, ..., 3)`, or one `(3,)`, relative to this; the inverse of `carried`."""
        turn, place = self._beside(points)
        return rotated(transposed(turn), points - place) + self.rest

    def _beside(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return rotation and position in shapes that broadcast with points `(frames, ..., 3)`."""
        between = [1] * (points.ndim - 2)
        return self.rotation.reshape(-1, *between, 3, 3), self.position.reshape(-1, *between, 3)

    def turned(self, turn: np.ndarray, about: np.ndarray) -> "Motion":
        """Return the motion turned by `turn` `(frames, 3, 3)` about a point `(frames, 3)`."""
        return Motion(turn @ self.rotation, about + rotated(turn, self.position - about), self.rest)

    def holding(self, held: "Motion") -> "Motion":
        """Return a motion given relative to this, as carried by it."""
        return Motion(
            self.rotation @ held.rotation,
            rotated(self.rotation, held.position - self.rest) + self.position,
            held.rest,
        )

    def seeing(self, seen: "Motion") -> "Motion":
        """Return a motion relative to this one; the inverse of `holding`."""
        back = transposed(self.rotation)
        return Motion(
            back @ seen.rotation, rotated(back, seen.position - self.position) + self.rest, seen.rest
        )

    def towards(self, other: "Motion", share: np.ndarray) -> "Motion":
        """Return the motion that is a share `(frames,)`, 0 to 1, of the way to another one."""
        place = self.position + share[:, None] * (other.position - self.position)
        return Motion(part_way(self.rotation, other.rotation, share), place, self.rest)

    @classmethod
    def still(cls, frames: int) -> "Motion":
        """Return the motion of a root that stays at rest."""
        return cls(np.broadcast_to(np.eye(3), (frames, 3, 3)), np.zeros((frames, 3)), np.zeros(3))


def rows_of(value: Any, rows: np.ndarray | slice | int) -> Any:
    """Return some rows of arrays over frames, also of those in a motion, a mapping or a dataclass."""
    if isinstance(value, np.ndarray | Motion):
        return value[rows]
    if isinstance(value, Mapping):
        return {name: rows_of(each, rows) for name, each in value.items()}
    return type(value)(**rows_of(vars(value), rows)) if is_dataclass(value) else value


def moved(motions: Mapping[str, Motion], way: np.ndarray) -> dict[str, Motion]:
    """Return motions moved by `(frames, 3)`."""
    return {role: motion.moved(way) for role, motion in motions.items()}


class Posed(Protocol):
    """The interface of a pose for `posing.solve`; `gait.pose.WalkPose` and `RolePose` implement it.

    `root`: the motion of the ground under the character, to which all `motions` are relative. `turns`: it
    turns somewhere, not
    necessarily in these frames.
    """

    @property
    def frames(self) -> np.ndarray: ...
    @property
    def motions(self) -> Mapping[str, Motion]: ...
    @property
    def root(self) -> Motion: ...
    @property
    def turns(self) -> bool: ...


def in_world(pose: Posed) -> dict[str, Motion]:
    """Return a pose's motions with the root's motion applied."""
    return {role: pose.root.holding(motion) for role, motion in pose.motions.items()}


@dataclass(frozen=True)
class RolePose:
    """A character's pose at some frames, independent of its rig's build: the motion of every role in the
    character's walk frame.

    `frames` `(f,)`: scene frames. `motions`: role to Motion, as in `WalkPose`, relative to the `root` (head
    at the origin, about z).
    """

    frames: np.ndarray
    motions: Mapping[str, Motion]
    root: Motion
    turns: bool = True

    @classmethod
    def standing(cls, frames: np.ndarray, motions: Mapping[str, Motion]) -> "RolePose":
        """Return a pose whose root stays at rest."""
        return cls(frames, motions, Motion.still(len(frames)), turns=False)

    @classmethod
    def rows_of(cls, pose: Posed, rows: np.ndarray | slice) -> "RolePose":
        """Return some rows of any pose."""
        return cls(
            pose.frames[rows],
            {role: motion[rows] for role, motion in pose.motions.items()},
            pose.root[rows],
            pose.turns,
        )

    def at(self, share: float) -> "RolePose":
        """Return the pose interpolated by a share, 0..1, from the first frame to the second."""
        if not share:
            return self

        def at(motion: Motion) -> Motion:
            return motion[:1].towards(motion[1:2], np.full(1, share))

        return RolePose(
            self.frames[:1] + share,
            {role: at(motion) for role, motion in self.motions.items()},
            at(self.root),
            self.turns,
        )

    def in_world(self) -> dict[str, Motion]:
        """Return the motions with the root's motion applied, whether the object or the root bone carries
        it."""
        return in_world(self)

    def on(self, root: Motion) -> "RolePose":
        """Return the pose in the same place with another root."""
        motions = {role: root.seeing(motion) for role, motion in self.in_world().items()}
        return replace(self, motions=motions, root=root)
