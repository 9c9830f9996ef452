"""A rig's hierarchy reduced to constants: from a pose's roles to the channel values of the bones that they
drive."""

from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import numpy as np

from .bone_links import Link, bone_links, unscaled
from .channels import EULER_PATH, LOCATION, Channels, Property, in_mode, rotation_path
from .heels import HELD
from .rig_table import GAZE, NO_PARENT, POLES, ROOT_ROLE, RigTable


class Turning(NamedTuple):
    """The `m` bones that are rotated, grouped by rotation mode: `rows` of their roles, and of the `holders`
    whose axes they inherit.

    `folded` `(m, 9, 9)`: from the numbers of a rotation relative to its holder to those of the bone's basis.
    `modes`: mode -> part of m.
    """

    rows: np.ndarray
    holders: np.ndarray
    folded: np.ndarray
    modes: dict[str, slice]


class Moving(NamedTuple):
    """The `l` bones that are moved: the rows `(l,)` of the roles whose axes they move along, the measure `(l,
    3, 3)`, and the levers.

    `levers` `(4 n, l)`: a location's coefficients on the three columns of each role's rotation, role by role,
    and then on each head.
    """

    sliders: np.ndarray
    measured: np.ndarray
    levers: np.ndarray


@dataclass(frozen=True)
class Plan:
    """The constants of a rig's driven bones for every pose of certain roles; all in the walk frame, metres.

    Poses have a row for each of the `roles`, then one for the root bone's drive, and one for the armature
    itself, which never moves: `n` rows in all. `root_alone`: shift and placement move only the root row,
    which carries all the rest; else all rows but the armature's. `placement`: a rotation and a shift, or
    None.
    """

    roles: tuple[str, ...]
    turning: Turning
    moving: Moving
    root_alone: bool
    placement: tuple[np.ndarray, np.ndarray] | None
    properties: tuple[Property, ...]

    @classmethod
    def of(cls, rig: RigTable, roles: tuple[str, ...], rest: np.ndarray, root_bone: bool) -> "Plan":
        """Return the plan for poses of these roles, with heads at `rest` `(r, 3)` at rest; `root_bone`: the
        root bone gets channels.

        The last plan for the roles is cached.
        """
        key, at_rest = (roles, root_bone), rest.tobytes()
        known = rig.plans.get(key)
        if isinstance(known, tuple) and known[0] == at_rest:
            return known[1]
        found = cls._find(rig, roles, rest.reshape(-1, 3), root_bone)
        rig.plans[key] = at_rest, found
        return found

    @classmethod
    def _find(cls, rig: RigTable, roles: tuple[str, ...], rest: np.ndarray, root_bone: bool) -> "Plan":
        links = bone_links(rig, frozenset(roles))
        frame = _Frame.of(rig.walk_to_armature)
        driven = [rig.bones[link.drive.bone] for link in links]
        rests = np.array([bone.rest if bone.stands is None else bone.stands for bone in driven]).reshape(
            -1, 4, 4
        )
        hierarchy = _Hierarchy(links, roles, frame, frame.turn.T @ unscaled(rests[:, :3, :3]))
        heads = hierarchy.heads((rests[:, :3, 3] - frame.origin) @ frame.turn / frame.scale, rest)
        written = [
            at
            for at, link in enumerate(links)
            if (root_bone or link.drive.role != ROOT_ROLE) and not link.drive.role.startswith(HELD)
        ]
        moved = [at for at in written if links[at].drive.use_location]
        turned = sorted(
            (at for at in written if links[at].drive.use_rotation),
            key=lambda at: rig.bones[links[at].drive.bone].rotation_mode,
        )
        return cls(
            roles=roles,
            turning=_turning(rig, hierarchy, turned),
            moving=_moving(hierarchy, moved, heads),
            root_alone=ROOT_ROLE not in roles and any(drive.role == ROOT_ROLE for drive in rig.drives),
            placement=None if np.array_equal(rig.placement, np.eye(4)) else frame.seen(rig.placement),
            properties=_properties(rig, links, moved, turned),
        )

    def channels(self, turns: np.ndarray, heads: np.ndarray, shift: np.ndarray | None = None) -> Channels:
        """Return the channels for roles rotated by `turns` `(f, n, 3, 3)` from rest, with their heads at
        `heads` `(f, n, 3)`.

        `shift` `(f, 3)`: metres added to the outermost roles.  Both arrays may be overwritten.
        """
        if shift is not None or self.placement is not None:
            self._place(turns, heads, shift)
        frames = len(turns)
        blocks = [self._locations(turns, heads)] if len(self.moving.sliders) else []
        rows, holders, folded, modes = self.turning
        if modes:
            seen = turns.take(holders, axis=1).swapaxes(2, 3) @ turns.take(rows, axis=1)
            own = (seen.reshape(frames, len(rows), 9).swapaxes(0, 1) @ folded).reshape(
                len(rows), frames, 3, 3
            )
            blocks += [
                in_mode(own[part], mode).swapaxes(0, 1).reshape(frames, -1) for mode, part in modes.items()
            ]
        return Channels(self.properties, np.concatenate(blocks, axis=1) if blocks else np.empty((frames, 0)))

    def _place(self, turns: np.ndarray, heads: np.ndarray, shift: np.ndarray | None) -> None:
        """Move the outermost roles by a shift and the placement, in place."""
        outermost = slice(len(self.roles) if self.root_alone else 0, len(self.roles) + 1)
        if shift is not None:
            heads[:, outermost] += shift[:, None]
        if self.placement is not None:
            turn, moved = self.placement
            turns[:, outermost] = turn @ turns[:, outermost]
            heads[:, outermost] = heads[:, outermost] @ turn.T + moved

    def _locations(self, turns: np.ndarray, heads: np.ndarray) -> np.ndarray:
        """Return the locations `(f, 3 l)`."""
        frames, count = heads.shape[:2]
        sliders, measured, levers = self.moving
        columns = np.concatenate(
            [turns.swapaxes(1, 2).reshape(frames, 3, 3 * count), heads.swapaxes(1, 2)], axis=2
        )
        offsets = (
            columns.reshape(3 * frames, len(levers))
            .dot(levers)
            .reshape(frames, 3, len(sliders))
            .swapaxes(1, 2)
        )
        return (offsets[:, :, None] @ (turns.take(sliders, axis=1) @ measured)).reshape(frames, -1)


class _Frame(NamedTuple):
    """The walk frame in armature space: its axes, armature units per metre, and origin."""

    turn: np.ndarray
    scale: float
    origin: np.ndarray

    @classmethod
    def of(cls, matrix: np.ndarray) -> "_Frame":
        scale = float(np.cbrt(np.linalg.det(matrix[:3, :3])))
        return cls(matrix[:3, :3] / scale, scale, matrix[:3, 3])

    def seen(self, motion: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return a rigid motion in armature space `(4, 4)` as rotation and shift in the walk frame."""
        shift = motion[:3, :3] @ self.origin + motion[:3, 3] - self.origin
        return self.turn.T @ motion[:3, :3] @ self.turn, self.turn.T @ shift / self.scale


class _Hierarchy(NamedTuple):
    """Links, parents before children, the roles of poses, the walk frame, and the links' rest axes `(k, 3,
    3)` in it."""

    links: tuple[Link, ...]
    roles: tuple[str, ...]
    frame: _Frame
    axes: np.ndarray

    def row(self, link: int) -> int:
        """Return the row of the role that drives a link; the last row is the armature's, which is not a
        link."""
        if link == NO_PARENT:
            return len(self.roles) + 1
        role = self.links[link].drive.role
        return len(self.roles) if role == ROOT_ROLE else self.roles.index(role)

    def axes_of(self, link: int) -> np.ndarray:
        """Return a link's rest axes in the walk frame; without a link, those of armature space."""
        return self.frame.turn.T if link == NO_PARENT else self.axes[link]

    def heads(self, at_rest: np.ndarray, roles_at_rest: np.ndarray) -> np.ndarray:
        """Return the heads of links as levers `(k, 4 n)`, see `Moving`, from the rest places of links `(k,
        3)` and roles `(r, 3)`.

        A link without a location of its own is where its carrier takes it.
        """
        count = len(self.roles) + 2
        heads = np.zeros((len(self.links), 4 * count))
        origins = np.vstack([roles_at_rest, np.zeros((2, 3))])
        for at, link in enumerate(self.links):
            row = self.row(at)
            if not link.drive.use_location:
                heads[at] = self.carried(at, heads)
                continue
            heads[at, 3 * count + row] = 1.0
            if not link.drive.role.startswith((*POLES, GAZE)):
                heads[at, 3 * row : 3 * row + 3] = at_rest[at] - origins[row]
        return heads

    def carried(self, at: int, heads: np.ndarray) -> np.ndarray:
        """Return the lever `(4 n,)` of a link's head where its carrier takes it, from those of the links
        before it."""
        link, frame, ground = self.links[at], self.frame, 3 * self.row(NO_PARENT)
        if link.carrier == NO_PARENT:
            lever = np.zeros(heads.shape[1])
            lever[ground : ground + 3] = frame.turn.T @ (link.arm + link.shift - frame.origin) / frame.scale
            return lever
        lever, row = heads[link.carrier].copy(), 3 * self.row(link.carrier)
        lever[row : row + 3] += self.axes[link.carrier] @ link.arm / frame.scale
        lever[ground : ground + 3] += frame.turn.T @ link.shift / frame.scale
        return lever


def _turning(rig: RigTable, hierarchy: _Hierarchy, turned: list[int]) -> Turning:
    """Return the rotations of links: a bone's basis is (axes of the holder @ turn)^T R (own rest axes), with
    R relative to its holder."""
    links = hierarchy.links
    found = [
        (mode, len([*group]))
        for mode, group in groupby(rig.bones[links[at].drive.bone].rotation_mode for at in turned)
    ]
    ends = np.cumsum([count for _, count in found]).tolist()
    modes = {mode: slice(end - count, end) for (mode, count), end in zip(found, ends, strict=True)}
    held = np.array([hierarchy.axes_of(links[at].turner) @ links[at].turn for at in turned]).reshape(-1, 3, 3)
    folded = np.einsum("mai,mbj->mabij", held, hierarchy.axes[turned]).reshape(-1, 9, 9)
    rows, holders = (
        [hierarchy.row(link) for link in part] for part in (turned, [links[at].turner for at in turned])
    )
    return Turning(np.array(rows, dtype=int), np.array(holders, dtype=int), folded, modes)


def _moving(hierarchy: _Hierarchy, moved: list[int], heads: np.ndarray) -> Moving:
    links, scale = hierarchy.links, hierarchy.frame.scale
    sliders = [links[at].slider for at in moved]
    measured = [
        scale * hierarchy.axes_of(slider) @ links[at].measured
        for at, slider in zip(moved, sliders, strict=True)
    ]
    levers = [heads[at] - hierarchy.carried(at, heads) for at in moved]
    return Moving(
        np.array([hierarchy.row(slider) for slider in sliders], dtype=int),
        np.array(measured).reshape(-1, 3, 3),
        np.array(levers).reshape(-1, heads.shape[1]).T.copy(),
    )


def _properties(
    rig: RigTable, links: tuple[Link, ...], moved: list[int], turned: list[int]
) -> tuple[Property, ...]:
    """Return the properties of the value columns: all locations, then rotations mode by mode; listed bone by
    bone."""
    found: dict[int, list[Property]] = {at: [] for at in range(len(links))}
    column = 0
    for at in moved:
        found[at].append(
            Property(rig.bones[links[at].drive.bone].name, LOCATION, "", slice(column, column + 3))
        )
        column += 3
    for at in turned:
        bone = rig.bones[links[at].drive.bone]
        prop = rotation_path(bone.rotation_mode)
        size = 3 if prop == EULER_PATH else 4
        found[at].append(Property(bone.name, prop, bone.rotation_mode, slice(column, column + size)))
        column += size
    return tuple(prop for props in found.values() for prop in props)
