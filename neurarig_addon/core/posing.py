"""From a walk to pose channels: the inverse of Blender's bone hierarchy, in closed form, for all frames at once.

A bone's posed matrix is what its parent contributes times its own basis (location, rotation, scale).  The walk says where the bone
has to be and which way it has to point; what the parent contributes is known, because the parent is driven too or stands still.
So each basis is one matrix product, nothing has to be evaluated first, and nothing can be a frame late.

Everything here is in armature space and armature units, apart from the pose that comes in.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from . import rotation
from .channels import BoneChannels, Channels, in_mode, rotation_path
from .motion import Motion, Posed

ROOT_ROLE = "root"
POLE = "knee."
NO_PARENT = -1
_UNTURNED, _NOWHERE_ELSE = np.eye(3), np.eye(4)


@dataclass(frozen=True)
class TableBone:
    """One bone of a RigTable.

    `parent`: row in the table, -1 for none.  `rest` `(4, 4)`: rest matrix.  `basis` `(4, 4)`: what the bone adds itself; of a driven
    bone only the scale counts.  `inherit_rotation`, `inherit_scale`, `local_location`: Blender's settings of the relation to the parent.
    """

    name: str
    parent: int
    rest: np.ndarray
    basis: np.ndarray
    rotation_mode: str = "QUATERNION"
    inherit_rotation: bool = True
    inherit_scale: bool = True
    local_location: bool = True


@dataclass(frozen=True)
class Drive:
    """A bone that the walk moves: it takes the `role`'s rotation, its head goes where the role takes it, or both.

    A drive of a knee pole puts the bone's head on the pole itself.  A drive of the role `root` carries the travel, or the pose's own motion
    of the ground (`RolePose`), by which it also turns.
    """

    bone: int
    role: str
    use_location: bool
    use_rotation: bool


@dataclass(frozen=True)
class RigTable:
    """The bones that matter to the walk (the driven ones and all that is above them), parents before children, and what drives them.

    `placement` `(4, 4)`: the rigid motion by which the user's root control has moved the whole character away from rest.
    The bones of the table stand at rest relative to that root; where no bone has the role `root` the placement is applied to the walk.
    """

    bones: tuple[TableBone, ...]
    drives: tuple[Drive, ...]
    walk_to_armature: np.ndarray
    placement: np.ndarray = field(default_factory=lambda: np.eye(4))
    _hangings: dict[frozenset[str], "_Hanging"] = field(default_factory=dict, compare=False, repr=False)

    def driven_bones(self) -> list[str]:
        """Return the names of the bones that receive channels."""
        return [self.bones[drive.bone].name for drive in self.drives]

    def travel_direction(self) -> np.ndarray:
        """Return the armature-space vector `(3,)` of one metre of travel."""
        return self.placement[:3, :3] @ self.walk_to_armature[:3, 0]


@dataclass(frozen=True)
class _Link:
    """How a driven bone hangs on the driven bones above it: positions in the list of live drives, or -1 for the armature itself.

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
class _Turning:
    """Links whose bones have one rotation mode: `rows` of theirs, of what they hang on, `free` ones that hang on nothing, their turns."""

    mode: str
    rows: np.ndarray
    turners: np.ndarray
    free: np.ndarray
    turns: np.ndarray


@dataclass(frozen=True)
class _Hanging:
    """What a rig's live drives have in common for every pose; found once for each set of roles.

    `links`: parents before children.  `carried`: those whose heads have to be found because others hang on them.
    `turn`, `scale`, `origin`: from the walk frame to armature space.  `rest_axes` `(k, 3, 3)`, `rest_heads` `(k, 3)`: of the driven bones
    in the walk frame, metres.  `poles` `(k,)`: which are poles.  `roots` `(k,)`: which is the root.
    """

    links: tuple[_Link, ...]
    carried: tuple[int, ...]
    turnings: tuple[_Turning, ...]
    turn: np.ndarray
    scale: float
    origin: np.ndarray
    rest_axes: np.ndarray
    rest_heads: np.ndarray
    poles: np.ndarray
    roots: np.ndarray


@dataclass(frozen=True)
class _Stand:
    """Where an undriven bone (or the part of a chain so far) stands, in the terms of _Link; `turn` may hold scale."""

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


def solve(rig: RigTable, pose: Posed, travel_bone: bool) -> Channels:
    """Return the channels of every driven bone whose role the walk moves, for all frames of `pose`.

    `travel_bone`: the root bone (or, without one, every bone that hangs on nothing driven) goes forward by the pose's travel and follows
    its role `root`; otherwise the character stays in place, the root is left alone, and whoever calls moves the object.
    """
    hanging = _hanging(rig, frozenset(pose.motions) if travel_bone else frozenset(pose.motions) - {ROOT_ROLE})
    links = hanging.links
    if not links:
        return Channels({})
    axes, heads = _targets(rig, hanging, pose, travel_bone)
    for at in hanging.carried:
        heads[at] = _resting_head(links[at], axes, heads)
    values = _rotation_values(hanging, axes)
    channels = {}
    for at, link in enumerate(links):
        bone = rig.bones[link.drive.bone]
        if travel_bone or link.drive.role != ROOT_ROLE:
            location = _location(link, axes, heads, heads[at]) if link.drive.use_location else None
            channels[bone.name] = BoneChannels(location, rotation_path(bone.rotation_mode), values.get(at), bone.rotation_mode)
    return Channels(channels)


def _targets(rig: RigTable, hanging: _Hanging, pose: Posed, travel_bone: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return where the walk wants each driven bone: posed axes `(drives, f, 3, 3)` and heads `(drives, f, 3)`."""
    roles = [link.drive.role for link in hanging.links]
    motions = [pose.motions[role] if role != ROOT_ROLE else _still(len(pose.frames)) for role in roles]
    turns = np.array([motion.rotation for motion in motions])
    arms = hanging.rest_heads - np.array([motion.rest for motion in motions])
    arms[hanging.poles] = 0.0
    heads = (turns @ arms[:, None, :, None])[..., 0] + np.array([motion.position for motion in motions])
    ground = pose.motions.get(ROOT_ROLE) if travel_bone else None
    if ground is not None:
        turns = ground.rotation @ turns
        heads = (ground.rotation @ (heads - ground.rest)[..., None])[..., 0] + ground.position
    axes = hanging.turn @ turns @ hanging.rest_axes[:, None]
    relative = ground is None and any(drive.role == ROOT_ROLE for drive in rig.drives)
    outermost = hanging.roots if relative else np.ones_like(hanging.roots)
    if travel_bone:
        heads[outermost, :, 0] += pose.travel
    heads = heads @ (hanging.scale * hanging.turn.T) + hanging.origin
    if outermost.any() and not np.array_equal(rig.placement, _NOWHERE_ELSE):
        axes[outermost] = rig.placement[:3, :3] @ axes[outermost]
        heads[outermost] = heads[outermost] @ rig.placement[:3, :3].T + rig.placement[:3, 3]
    return axes, heads


def _still(frames: int) -> Motion:
    return Motion(np.broadcast_to(np.eye(3), (frames, 3, 3)), np.zeros((frames, 3)), np.zeros(3))


def _resting_head(link: _Link, axes: np.ndarray, heads: np.ndarray) -> np.ndarray:
    """Return where a bone's head is `(3,)` or `(f, 3)` without a location of its own."""
    if link.carrier == NO_PARENT:
        return link.arm + link.shift
    return axes[link.carrier] @ link.arm + heads[link.carrier] + link.shift


def _location(link: _Link, axes: np.ndarray, heads: np.ndarray, head: np.ndarray) -> np.ndarray:
    offset = head - _resting_head(link, axes, heads)
    if link.slider != NO_PARENT:
        offset = (offset[:, None] @ axes[link.slider])[:, 0]
    return offset @ link.measured


def _rotation_values(hanging: _Hanging, axes: np.ndarray) -> dict[int, np.ndarray]:
    """Return each turning link's values in its bone's rotation mode: one conversion for each mode."""
    values = {}
    for turning in hanging.turnings:
        holders = axes[turning.turners]
        holders[turning.free] = _UNTURNED
        local = rotation.transposed(holders @ turning.turns[:, None]) @ axes[turning.rows]
        values |= dict(zip(turning.rows.tolist(), in_mode(local, turning.mode), strict=True))
    return values


def _hanging(rig: RigTable, roles: frozenset[str]) -> _Hanging:
    """Return what the drives of these roles have in common for every pose."""
    if roles not in rig._hangings:
        links = _links(rig, roles)
        wanted = {link.carrier for link in links if link.drive.use_location}
        for at in reversed(range(len(links))):
            if at in wanted and not links[at].drive.use_location:
                wanted.add(links[at].carrier)
        turn, scale = _similarity(rig.walk_to_armature)
        rests = np.array([rig.bones[link.drive.bone].rest for link in links]).reshape(-1, 4, 4)
        rig._hangings[roles] = _Hanging(
            links=links,
            carried=tuple(at for at in sorted(wanted - {NO_PARENT}) if not links[at].drive.use_location),
            turnings=_turnings(rig, links),
            turn=turn,
            scale=scale,
            origin=rig.walk_to_armature[:3, 3],
            rest_axes=turn.T @ _unscaled(rests[:, :3, :3]),
            rest_heads=(rests[:, :3, 3] - rig.walk_to_armature[:3, 3]) @ turn / scale,
            poles=np.array([link.drive.role.startswith(POLE) for link in links], dtype=bool),
            roots=np.array([link.drive.role == ROOT_ROLE for link in links], dtype=bool),
        )
    return rig._hangings[roles]


def _turnings(rig: RigTable, links: tuple[_Link, ...]) -> tuple[_Turning, ...]:
    """Return the links that turn their bones, by rotation mode."""
    modes: dict[str, list[int]] = {}
    for at, link in enumerate(links):
        if link.drive.use_rotation:
            modes.setdefault(rig.bones[link.drive.bone].rotation_mode, []).append(at)
    found = []
    for mode, rows in modes.items():
        turners = np.array([links[at].turner for at in rows])
        turns = np.array([links[at].turn for at in rows])
        found.append(_Turning(mode, np.array(rows), turners, np.flatnonzero(turners == NO_PARENT), turns))
    return tuple(found)


def _links(rig: RigTable, roles: frozenset[str]) -> tuple[_Link, ...]:
    """Go down the hierarchy once and note what every driven bone hangs on.

    The root stands at rest here, whatever the travel: the whole walk is relative to it.  One that moves by a role of the pose carries like
    any other bone, so that bones which hang elsewhere, or inherit no rotation, follow it too; only its scale is left to the user.
    """
    drives = {drive.bone: drive for drive in rig.drives if drive.role in roles or drive.role == ROOT_ROLE}
    if ROOT_ROLE in roles:
        drives = {bone: replace(drive, use_rotation=True) if drive.role == ROOT_ROLE else drive for bone, drive in drives.items()}
    stands: list[_Stand] = []
    links: list[_Link] = []
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
        scale = (np.eye(3) if is_root else np.diag(_column_lengths(bone.basis))) * np.cbrt(np.linalg.det(own.turn))
        stands.append(_Stand(len(links), scale, len(links), np.zeros(3), np.zeros(3)) if carries else own)
        links.append(_Link(drive, own.turner, _unscaled(own.turn), own.carrier, own.arm, own.shift, parent.turner, np.linalg.inv(slide).T))
    return tuple(links)


def _hang(bone: TableBone, parent: _Stand, offset: np.ndarray) -> tuple[_Stand, np.ndarray]:
    """Return where a bone stands with no basis, and the axes (under the parent's turner) along which it slides."""
    arm, shift = parent.head_at(offset[:3, 3])
    slide = parent.turn @ offset[:3, :3] if bone.local_location else parent.turn
    if not bone.inherit_rotation:
        return _Stand(NO_PARENT, _unscaled(bone.rest[:3, :3]), parent.carrier, arm, shift), slide
    turn = parent.turn if bone.inherit_scale else _unscaled(parent.turn)
    return _Stand(parent.turner, turn @ offset[:3, :3], parent.carrier, arm, shift), slide


def _posed_by_basis(bone: TableBone, own: _Stand, slider: int, slide: np.ndarray) -> _Stand:
    """Return where an undriven bone stands with its constant basis."""
    step = slide @ bone.basis[:3, 3]
    arm, shift = (own.arm + step, own.shift) if slider == own.carrier else (own.arm, own.shift + step)
    return _Stand(own.turner, own.turn @ bone.basis[:3, :3], own.carrier, arm, shift)


def _similarity(matrix: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the rotation and the uniform scale of a similarity."""
    scale = float(np.cbrt(np.linalg.det(matrix[:3, :3])))
    return matrix[:3, :3] / scale, scale


def _column_lengths(matrix: np.ndarray) -> np.ndarray:
    return np.linalg.norm(matrix[:3, :3], axis=0)


def _unscaled(axes: np.ndarray) -> np.ndarray:
    """Return axes `(..., 3, 3)` with columns of length one."""
    return axes / np.maximum(np.linalg.norm(axes, axis=-2, keepdims=True), rotation.TINY)
