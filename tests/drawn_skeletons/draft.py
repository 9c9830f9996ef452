"""A skeleton under construction: bones by what they are, in metres, facing -y with the left side at +x."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from neurarig_addon.core.geometry.rotation import between
from neurarig_addon.core.skeleton.skeleton import Skeleton


@dataclass
class Bone:
    """One bone: the key of its parent, head and tail `(3,)`, and whether it deforms a mesh."""

    parent: str | None
    head: np.ndarray
    tail: np.ndarray
    deform: bool = True


@dataclass
class Draft:
    """Bones by key, and which key plays which role. A key that ends with `.L` has a mirror image once
    `mirror` is called."""

    bones: dict[str, Bone] = field(default_factory=dict)
    roles: dict[str, str] = field(default_factory=dict)

    def add(
        self, key: str, parent: str | None, head: Iterable[float], tail: Iterable[float], deform: bool = True
    ) -> str:
        """Add a bone and return its key."""
        self.bones[key] = Bone(parent, np.asarray(head, dtype=float), np.asarray(tail, dtype=float), deform)
        return key

    def chain(
        self, keys: Iterable[str], parent: str | None, points: Iterable[Iterable[float]], deform: bool = True
    ) -> str:
        """Add bones from point to point (one point more than keys) and return the last key."""
        ends = [np.asarray(point, dtype=float) for point in points]
        for k, key in enumerate(keys):
            parent = self.add(key, parent, ends[k], ends[k + 1], deform)
        assert parent is not None
        return parent

    def mirror(self, draw: np.random.Generator, unlike: float = 0.0) -> None:
        """Add the right side; `unlike`: how far its joints are off the exact mirror image, in metres."""
        shifts: dict[tuple[float, ...], np.ndarray] = {}  # layers of bones share their joints
        for key, bone in list(self.bones.items()):
            if key.endswith(".L"):
                off = shifts.setdefault(tuple(bone.head.round(6)), draw.normal(0.0, unlike, 3))
                self.add(
                    other(key),
                    other(bone.parent or "") or None,
                    bone.head * [-1, 1, 1] + off,
                    bone.tail * [-1, 1, 1] + off,
                    bone.deform,
                )
        for role, keys in list(self.roles.items()):
            if role.endswith(".L"):
                self.roles[other(role)] = "|".join(other(key) for key in keys.split("|"))

    def move(self, matrix: np.ndarray) -> None:
        """Move all bones by a matrix `(4, 4)`."""
        for bone in self.bones.values():
            bone.head, bone.tail = (
                matrix[:3, :3] @ point + matrix[:3, 3] for point in (bone.head, bone.tail)
            )

    def skeleton(self, names: Mapping[str, str], to_world: np.ndarray, draw: np.random.Generator) -> Skeleton:
        """Return the skeleton, parents first, rolled at random; it stands in the world as drafted, whatever
        the object's matrix is."""
        order = self._parents_first()
        rest = np.tile(np.eye(4), (len(order), 1, 1))
        lengths = np.zeros(len(order))
        to_armature = np.linalg.inv(to_world)
        for row, key in enumerate(order):
            bone = self.bones[key]
            along = to_armature[:3, :3] @ (bone.tail - bone.head)
            lengths[row] = np.linalg.norm(along)
            turn = between(np.array([0.0, 1.0, 0.0]), along) if lengths[row] > 0.0 else np.eye(3)
            roll = draw.uniform(0.0, 2.0 * np.pi)
            about_y = np.array([[np.cos(roll), 0, np.sin(roll)], [0, 1, 0], [-np.sin(roll), 0, np.cos(roll)]])
            rest[row, :3, :3] = turn @ about_y
            rest[row, :3, 3] = to_armature[:3, :3] @ bone.head + to_armature[:3, 3]
        rows = {key: row for row, key in enumerate(order)}
        parents = np.array(
            [rows[self.bones[key].parent or ""] if self.bones[key].parent else -1 for key in order], dtype=int
        )
        deform = np.array([self.bones[key].deform for key in order], dtype=bool)
        return Skeleton(tuple(names[key] for key in order), parents, rest, lengths, deform, to_world)

    def _parents_first(self) -> list[str]:
        below: dict[str | None, list[str]] = {}
        for key, bone in self.bones.items():
            below.setdefault(bone.parent, []).append(key)
        order: list[str] = []
        waiting = below.get(None, [])[::-1]
        while waiting:
            order.append(waiting.pop())
            waiting.extend(below.get(order[-1], [])[::-1])
        return order


def other(key: str) -> str:
    """Return the key of the right bone where one is of the left."""
    return key[:-2] + ".R" if key.endswith(".L") else key
