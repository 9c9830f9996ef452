"""What each driven bone inherits, by Blender's rules: found once, in armature space and armature units."""

from dataclasses import dataclass, replace

import numpy as np

from ..geometry.rotation import TINY
from .rig_table import NO_PARENT, ROOT_ROLE, Drive, RigTable, TableBone


@dataclass(frozen=True)
class Link:
    """How a driven bone depends on the driven bones above it: indices in the list of links, or -1 for the
    armature itself.

    Without a rotation of its own the bone has the axes `turner's posed axes @ turn`.
    Without a location of its own its head is at `carrier's posed head + carrier's posed axes @ arm + shift`.
    Its location is an offset of its head along `slider's posed axes`, times `measured` `(3, 3)`.
    """

    drive: Drive
    turner: int
    turn: np.ndarray
    carrier: int
    arm: np.ndarray
    shift: np.ndarray
    slider: int
    measured: np.ndarray


@dataclass(frozen=True)
class _Stand:
    """The pose of an undriven bone (or of the chain so far), in the terms of Link; `turn` may include
    scale."""

    turner: int
    turn: np.ndarray
    carrier: int
    arm: np.ndarray
    shift: np.ndarray

    def head_at(self, offset: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (arm, shift) of a point fixed at `offset` in this bone's axes."""
        if self.turner == self.carrier:
            return self.arm + self.turn @ offset, self.shift
        return self.arm, self.shift + self.turn @ offset


_GROUND = _Stand(NO_PARENT, np.eye(3), NO_PARENT, np.zeros(3), np.zeros(3))


def bone_links(rig: RigTable, roles: frozenset[str]) -> tuple[Link, ...]:
    """Return the links of the bones that these roles drive, parents before children, in one pass down the
    hierarchy.

    The root is at rest here, whatever the travel: the whole walk is relative to it. A root moved by a role of
    the pose carries like
    any other bone, so that bones with other parents, or that inherit no rotation, follow it too; only its
    scale is left to the user.
    """
    drives = {drive.bone: drive for drive in rig.drives if drive.role in roles or drive.role == ROOT_ROLE}
    if ROOT_ROLE in roles:
        drives = {
            bone: replace(drive, use_rotation=True) if drive.role == ROOT_ROLE else drive
            for bone, drive in drives.items()
        }
    stands: list[_Stand] = []
    links: list[Link] = []
    for row, bone in enumerate(rig.bones):
        parent = stands[bone.parent] if bone.parent != NO_PARENT else _GROUND
        parent_rest = rig.bones[bone.parent].rest if bone.parent != NO_PARENT else np.eye(4)
        own, slide = _hang(bone, parent, np.linalg.inv(parent_rest) @ bone.rest)
        drive = drives.get(row)
        if drive is None:
            stands.append(_posed_by_basis(bone, own, parent.turner, slide))
            continue
        is_root = drive.role == ROOT_ROLE
        carries = drive.use_rotation and (not is_root or ROOT_ROLE in roles)
        scale = (np.eye(3) if is_root else np.diag(_column_lengths(bone.basis))) * np.cbrt(
            np.linalg.det(own.turn)
        )
        stands.append(_Stand(len(links), scale, len(links), np.zeros(3), np.zeros(3)) if carries else own)
        links.append(
            Link(
                drive,
                own.turner,
                unscaled(own.turn),
                own.carrier,
                own.arm,
                own.shift,
                parent.turner,
                np.linalg.inv(slide).T,
            )
        )
    return tuple(links)


def unscaled(axes: np.ndarray) -> np.ndarray:
    """Return axes `(..., 3, 3)` with columns of length one."""
    return axes / np.maximum(np.linalg.norm(axes, axis=-2, keepdims=True), TINY)


def _hang(bone: TableBone, parent: _Stand, offset: np.ndarray) -> tuple[_Stand, np.ndarray]:
    """Return a bone's pose without its basis, and the axes (relative to the parent's turner) of its
    location."""
    arm, shift = parent.head_at(offset[:3, 3])
    slide = parent.turn @ offset[:3, :3] if bone.local_location else parent.turn
    if not bone.inherit_rotation:
        return _Stand(NO_PARENT, unscaled(bone.rest[:3, :3]), parent.carrier, arm, shift), slide
    turn = parent.turn if bone.inherit_scale else unscaled(parent.turn)
    return _Stand(parent.turner, turn @ offset[:3, :3], parent.carrier, arm, shift), slide


def _posed_by_basis(bone: TableBone, own: _Stand, slider: int, slide: np.ndarray) -> _Stand:
    """Return the pose of an undriven bone with its constant basis."""
    step = slide @ bone.basis[:3, 3]
    arm, shift = (own.arm + step, own.shift) if slider == own.carrier else (own.arm, own.shift + step)
    return _Stand(own.turner, own.turn @ bone.basis[:3, :3], own.carrier, arm, shift)


def _column_lengths(matrix: np.ndarray) -> np.ndarray:
    return np.linalg.norm(matrix[:3, :3], axis=0)
