"""A rig's hierarchy folded into constants: from where a pose wants the driven bones to the values of their channels."""

from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import numpy as np

from .bone_links import Link, bone_links, unscaled
from .channels import EULER_PATH, LOCATION, Channels, Property, in_mode, rotation_path
from .rig_table import NO_PARENT, ROOT_ROLE, RigTable
from .rotation import transposed


class Turning(NamedTuple):
    """Links that turn their bones, `rows` `(m,)`, those of one rotation mode together, and the links by whose axes they do, `holders`.

    `folded` `(m, 9, 9)`: from the nine numbers of a rotation as the holder sees it to those of the bone's own.  `modes`: mode -> rows of m.
    """

    rows: np.ndarray
    holders: np.ndarray
    folded: np.ndarray
    modes: dict[str, slice]


class Hanging(NamedTuple):
    """Links `rows` `(l,)` whose heads are looked at from where they would be without a location of their own.

    That is at `arms` `(l, 1, 3, 1)` in the axes of `carriers` `(l,)`, and at `shifts` `(l, 1, 3)` besides.
    """

    rows: np.ndarray
    carriers: np.ndarray
    arms: np.ndarray
    shifts: np.ndarray


class Moving(NamedTuple):
    """Links that move their bones: how they hang, and by whose axes, `sliders` `(l,)`, and matrix `(l, 3, 3)` locations are measured."""

    hanging: Hanging
    sliders: np.ndarray
    measured: np.ndarray


@dataclass(frozen=True)
class Plan:
    """What a rig's driven bones have in common for every pose of certain roles; all in the walk frame, metres.

    `links`: parents before children; after them, as row k, comes the armature itself.  `rest_heads` `(k, 3)`.
    `carried`: links that have no location but others hang on their heads, by how far they are from the armature.
    `outermost`: rows of the links that travel and placement move, and `placement`, a rotation and a shift, or None.
    """

    links: tuple[Link, ...]
    rest_heads: np.ndarray
    turning: Turning
    moving: Moving
    carried: tuple[Hanging, ...]
    outermost: np.ndarray
    placement: tuple[np.ndarray, np.ndarray] | None
    properties: tuple[Property, ...]

    @classmethod
    def of(cls, rig: RigTable, roles: frozenset[str], travel_bone: bool) -> "Plan":
        """Return the plan for poses of these roles, found once; `travel_bone`: the root bone gets channels."""
        key = roles, travel_bone
        found = rig.plans.get(key)
        if not isinstance(found, cls):
            found = rig.plans[key] = cls._find(rig, roles, travel_bone)
        return found

    @classmethod
    def _find(cls, rig: RigTable, roles: frozenset[str], travel_bone: bool) -> "Plan":
        links = bone_links(rig, roles)
        frame = _Frame.of(rig.walk_to_armature)
        rests = np.array([rig.bones[link.drive.bone].rest for link in links]).reshape(-1, 4, 4)
        axes = frame.turn.T @ unscaled(rests[:, :3, :3])
        written = [at for at, link in enumerate(links) if travel_bone or link.drive.role != ROOT_ROLE]
        turning = _turning(rig, links, [at for at in written if links[at].drive.use_rotation], axes, frame)
        moving = _moving(links, [at for at in written if links[at].drive.use_location], axes, frame)
        is_root = np.array([link.drive.role == ROOT_ROLE for link in links], dtype=bool)
        has_root = any(drive.role == ROOT_ROLE for drive in rig.drives)
        return cls(
            links=links,
            rest_heads=(rests[:, :3, 3] - frame.origin) @ frame.turn / frame.scale,
            turning=turning,
            moving=moving,
            carried=_carried(links, moving.hanging.rows, axes, frame),
            outermost=np.flatnonzero(is_root if has_root and ROOT_ROLE not in roles else np.ones_like(is_root)),
            placement=None if np.array_equal(rig.placement, np.eye(4)) else frame.seen(rig.placement),
            properties=_properties(rig, links, turning, moving),
        )

    def channels(self, turns: np.ndarray, heads: np.ndarray, travel: np.ndarray | None = None) -> Channels:
        """Return the channels of bones that are wanted turned by `turns` `(k + 1, f, 3, 3)` from rest and at `heads` `(k + 1, f, 3)`.

        `travel` `(f,)`: metres that the outermost bones go forward besides.  Both arrays are used up.
        """
        self._place(turns, heads, travel)
        for level in self.carried:
            heads[level.rows] = heads[level.carriers] + _carried_arms(level, turns)
        frames = turns.shape[1]
        blocks = [self._locations(turns, heads)] if len(self.moving.sliders) else []
        rows, holders, folded, modes = self.turning
        if modes:
            seen = transposed(turns.take(holders, axis=0)) @ turns.take(rows, axis=0)
            own = (seen.reshape(len(rows), frames, 9) @ folded).reshape(seen.shape)
            blocks += [in_mode(own[part], mode) for mode, part in modes.items()]
        values = [block.swapaxes(0, 1).reshape(frames, -1) for block in blocks]
        return Channels(self.properties, np.concatenate(values, axis=1) if values else np.empty((frames, 0)))

    def _place(self, turns: np.ndarray, heads: np.ndarray, travel: np.ndarray | None) -> None:
        """Move the outermost links by travel and placement, in place."""
        if travel is not None:
            heads[self.outermost, :, 0] += travel
        if self.placement is not None and len(self.outermost):
            turn, shift = self.placement
            turns[self.outermost] = turn @ turns[self.outermost]
            heads[self.outermost] = heads[self.outermost] @ turn.T + shift

    def _locations(self, turns: np.ndarray, heads: np.ndarray) -> np.ndarray:
        hanging, sliders, measured = self.moving
        offset = heads.take(hanging.rows, axis=0) - heads.take(hanging.carriers, axis=0) - _carried_arms(hanging, turns)
        return (offset[:, :, None] @ turns.take(sliders, axis=0))[:, :, 0] @ measured


def _carried_arms(hanging: Hanging, turns: np.ndarray) -> np.ndarray:
    return (turns.take(hanging.carriers, axis=0) @ hanging.arms)[..., 0] + hanging.shifts


class _Frame(NamedTuple):
    """The walk frame in armature space: its axes, length of a metre and origin."""

    turn: np.ndarray
    scale: float
    origin: np.ndarray

    @classmethod
    def of(cls, matrix: np.ndarray) -> "_Frame":
        scale = float(np.cbrt(np.linalg.det(matrix[:3, :3])))
        return cls(matrix[:3, :3] / scale, scale, matrix[:3, 3])

    def seen(self, motion: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return a rigid motion of armature space `(4, 4)` as rotation and shift of the walk frame."""
        shift = motion[:3, :3] @ self.origin + motion[:3, 3] - self.origin
        return self.turn.T @ motion[:3, :3] @ self.turn, self.turn.T @ shift / self.scale


def _turning(rig: RigTable, links: tuple[Link, ...], turned: list[int], axes: np.ndarray, frame: _Frame) -> Turning:
    """Return the rotations of links: as its holder's axes see it a bone is turned by (axes of the holder @ turn)^T R (own rest axes)."""

    def mode(at: int) -> str:
        return rig.bones[links[at].drive.bone].rotation_mode

    rows = sorted(turned, key=mode)
    found = [list(group) for _, group in groupby(rows, key=mode)]
    ends = np.cumsum([len(group) for group in found]).tolist()
    modes = {mode(group[0]): slice(end - len(group), end) for group, end in zip(found, ends, strict=True)}
    held = np.array([_axes(links[at].turner, axes, frame) @ links[at].turn for at in rows]).reshape(-1, 3, 3)
    folded = np.einsum("mai,mbj->mabij", held, axes[rows]).reshape(-1, 9, 9)
    return Turning(np.array(rows, dtype=int), _rows([links[at].turner for at in rows], links), folded, modes)


def _moving(links: tuple[Link, ...], moved: list[int], axes: np.ndarray, frame: _Frame) -> Moving:
    sliders = [links[at].slider for at in moved]
    measured = [frame.scale * _axes(slider, axes, frame) @ links[at].measured for at, slider in zip(moved, sliders, strict=True)]
    return Moving(_hanging(links, moved, axes, frame), _rows(sliders, links), np.array(measured).reshape(-1, 3, 3))


def _hanging(links: tuple[Link, ...], rows: list[int], axes: np.ndarray, frame: _Frame) -> Hanging:
    arms, shifts = np.zeros((len(rows), 3)), np.zeros((len(rows), 3))
    for at, link in enumerate(links[row] for row in rows):
        if link.carrier == NO_PARENT:
            shifts[at] = frame.turn.T @ (link.arm + link.shift - frame.origin) / frame.scale
        else:
            arms[at] = axes[link.carrier] @ link.arm / frame.scale
            shifts[at] = frame.turn.T @ link.shift / frame.scale
    carriers = _rows([links[row].carrier for row in rows], links)
    return Hanging(np.array(rows, dtype=int), carriers, arms[:, None, :, None], shifts[:, None])


def _carried(links: tuple[Link, ...], moved: np.ndarray, axes: np.ndarray, frame: _Frame) -> tuple[Hanging, ...]:
    """Return the links without a location whose heads have to be found because moved ones hang on them, level by level."""
    wanted = {links[at].carrier for at in moved}
    for at in reversed(range(len(links))):
        if at in wanted and not links[at].drive.use_location:
            wanted.add(links[at].carrier)
    depth: dict[int, int] = {}
    for at in sorted(wanted - {NO_PARENT}):
        if not links[at].drive.use_location:
            depth[at] = 1 + depth.get(links[at].carrier, -1)
    levels = [[at for at, level in depth.items() if level == wished] for wished in range(max(depth.values(), default=-1) + 1)]
    return tuple(_hanging(links, level, axes, frame) for level in levels)


def _axes(row: int, axes: np.ndarray, frame: _Frame) -> np.ndarray:
    """Return a link's rest axes in the walk frame, those of armature space for none."""
    return frame.turn.T if row == NO_PARENT else axes[row]


def _rows(rows: list[int], links: tuple[Link, ...]) -> np.ndarray:
    """Return rows of links, the armature itself after the last."""
    return np.array([len(links) if row == NO_PARENT else row for row in rows], dtype=int)


def _properties(rig: RigTable, links: tuple[Link, ...], turning: Turning, moving: Moving) -> tuple[Property, ...]:
    """Return what the columns of the values are: all locations, then rotations mode by mode; a bone's properties are named together."""
    found: dict[int, list[Property]] = {at: [] for at in range(len(links))}
    column = 0
    for at in moving.hanging.rows:
        found[at].append(Property(rig.bones[links[at].drive.bone].name, LOCATION, "", slice(column, column + 3)))
        column += 3
    for at in turning.rows:
        bone = rig.bones[links[at].drive.bone]
        prop = rotation_path(bone.rotation_mode)
        size = 3 if prop == EULER_PATH else 4
        found[at].append(Property(bone.name, prop, bone.rotation_mode, slice(column, column + size)))
        column += size
    return tuple(prop for props in found.values() for prop in props)
