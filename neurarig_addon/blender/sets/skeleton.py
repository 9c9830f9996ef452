"""The skeleton that an engine gets: the character's own bones, or of a control rig those that deform, one of
them on the ground, and where the soles are.

It looks along -Y, which exporters turn into an engine's own forward.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from bpy.types import Bone, Object

from ...core.character.character import Character
from ...core.files.json_text import rounded
from ...core.geometry.rotation import about_z, normalized, norms, orthonormal
from ...core.hands.digits import hand_digits
from ...core.sets.clip import FEET
from ...core.sets.naming import EngineNames
from ...core.skeleton.roles import SIDES, RoleMap
from ..character import record
from ..character.controls import ours
from ..character.controls.attachment import FK, LAYER
from ..character.legs import CARRIERS, CarriedPoints
from ..walk.walk import WalkSource

FORWARD = about_z(np.array(-0.5 * np.pi))  # from the walk frame, where ahead is x
# unturned where y is up
UPRIGHT = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
SAME_M = 1e-4  # leg lengths: bones whose heads are nearer begin at the same place
SAME_WAY = 0.999  # cosine
ROOT_LENGTH = 0.1  # leg lengths


@dataclass(frozen=True)
class GameBone:
    """A bone of the export: its `name`, that of the character's bone that moves it, '' for an added root, and
    its parent's row or -1.

    `rest` `(4, 4)`: rigid, in the export's space; `length` there.
    """

    name: str
    source: str
    parent: int
    rest: np.ndarray
    length: float


@dataclass(frozen=True)
class GameSkeleton:
    """The bones of an export, parents first; the first is on the ground.

    `from_armature` `(4, 4)`: from the armature's space to the export's; `metre`: a metre there; `roles`: role
    to exported bone.
    """

    bones: tuple[GameBone, ...]
    from_armature: np.ndarray
    metre: float
    roles: dict[str, str]

    @property
    def names(self) -> dict[str, str]:
        """The exported bones by the name of the character's."""
        return {bone.source: bone.name for bone in self.bones if bone.source}

    def rigid(self, matrices: np.ndarray) -> np.ndarray:
        """Return matrices `(..., 4, 4)` of the armature's space in that of the export, without their
        scale."""
        return _rigid(self.from_armature @ matrices)


def _rigid(matrices: np.ndarray) -> np.ndarray:
    found = np.array(matrices, dtype=float)
    found[..., :3, :3] = orthonormal(found[..., :3, :3])
    return found


def game_skeleton(
    obj: Object,
    character: Character,
    walk_to_armature: np.ndarray,
    convention: EngineNames,
    metre: float = 1.0,
) -> GameSkeleton:
    """Return the skeleton of a walking character for an engine, named as its convention asks; `metre`: in
    units of the export."""
    to_export = np.eye(4)
    to_export[:3, :3] = FORWARD
    from_armature = np.diag([metre, metre, metre, 1.0]) @ to_export @ np.linalg.inv(walk_to_armature)
    size = float(norms(from_armature[:3, 0]))
    chosen = list(_chosen(obj))
    parents = _parents(obj, chosen, SAME_M * metre * character.body.leg_length / size)
    ground = next(
        (bone for bone in chosen if parents[bone.name] == "" and _is_ground(bone, character.roles, parents)),
        None,
    )
    names = _names(character, convention, [bone.name for bone in chosen], ground)
    bones: list[GameBone] = []
    if ground is None:
        bones.append(
            GameBone(
                _unused(convention.root, names.values()),
                "",
                -1,
                UPRIGHT,
                ROOT_LENGTH * metre * character.body.leg_length,
            )
        )
    rows = {"": -1 if ground is not None else 0}
    for bone in _in_order(chosen, parents, ground):
        rest = _rigid(from_armature @ np.array(bone.matrix_local, dtype=float))
        parent = rows[parents[bone.name]] if bone is not ground else -1
        if ground is not None and bone is not ground and parent < 0:
            parent = rows[ground.name]
        rows[bone.name] = len(bones)
        bones.append(GameBone(names[bone.name], bone.name, parent, rest, bone.length * size))
    roles = {role: names[name] for role, name in _carriers(character.roles, obj, chosen).items()}
    return GameSkeleton(tuple(bones), from_armature, metre, roles)


def _chosen(obj: Object) -> Iterator[Bone]:
    """Yield the bones to export: of a skeleton without controls all but ours, of a control rig those that
    deform."""
    attachment = record.checked(obj)
    if attachment["kind"] in (LAYER, FK):
        mine = set(ours.found(obj, attachment).bones)
        yield from (bone for bone in obj.data.bones if bone.name not in mine)
    else:
        yield from (bone for bone in obj.data.bones if bone.use_deform)


def _parents(obj: Object, chosen: list[Bone], same: float) -> dict[str, str]:
    """Return the exported parent of each bone, '' for none.

    A control rig's deform bones hang on bones that do not deform, each of which mostly has a deform bone in
    the same place: that is it.
    """
    there = {bone.name for bone in chosen}
    twins = _twins((bone for bone in obj.data.bones if bone.name not in there), chosen, same)
    found: dict[str, str] = {}
    for bone in chosen:
        above = (each.name if each.name in there else twins[each.name] for each in bone.parent_recursive)
        found[bone.name] = next((name for name in above if name and not _carries(found, bone.name, name)), "")
    return found


def _twins(bones: Iterable[Bone], chosen: list[Bone], same: float | None = None) -> dict[str, str]:
    """Return by a bone's name the first of those chosen that begins where it does, and points the same way;
    '' for none. `same`: how far apart they may begin, by default a thousandth of its length."""
    heads, ways = (
        np.array([getattr(bone, part)[:] for bone in chosen]).reshape(-1, 3)
        for part in ("head_local", "tail_local")
    )
    ways = normalized(ways - heads)
    found = {}
    for bone in bones:
        way = np.array((bone.tail_local - bone.head_local).normalized())
        near = norms(heads - np.array(bone.head_local)) < (same or SAME_WAY * 1e-3 * bone.length)
        twins = np.flatnonzero(near & (ways @ way > SAME_WAY))
        found[bone.name] = chosen[twins[0]].name if len(twins) else ""
    return found


def _carries(parents: dict[str, str], bone: str, other: str) -> bool:
    """Return whether a bone is another, or above it."""
    while other:
        if other == bone:
            return True
        other = parents.get(other, "")
    return False


def _is_ground(bone: Bone, roles: RoleMap, parents: dict[str, str]) -> bool:
    """Return whether a bone without a parent carries the pelvis, and so can be the one on the ground."""
    pelvis = roles.get("pelvis")
    return (
        pelvis is not None
        and bone.name != pelvis
        and pelvis in parents
        and _carries(parents, bone.name, pelvis)
    )


def _in_order(chosen: list[Bone], parents: dict[str, str], ground: Bone | None) -> Iterator[Bone]:
    """Yield the bones, parents before children, the ground first."""
    done = {""}
    waiting = sorted(chosen, key=lambda bone: bone is not ground)
    while waiting:
        ready = [bone for bone in waiting if parents[bone.name] in done]
        yield from ready
        done |= {bone.name for bone in ready}
        waiting = [bone for bone in waiting if bone.name not in done]


def _carriers(roles: RoleMap, obj: Object, chosen: list[Bone]) -> dict[str, str]:
    """Return each role's exported bone: its own, or the deform bone in the same place."""
    there, found = {bone.name for bone in chosen}, {}
    twins = _twins([obj.data.bones[name] for name in roles.bones.values()], chosen)
    for role, name in roles.bones.items():
        carrier = name if name in there else twins[name]
        if carrier and carrier not in found.values():
            found[role] = carrier
    return found


def _names(
    character: Character, convention: EngineNames, bones: list[str], ground: Bone | None
) -> dict[str, str]:
    """Return each bone's exported name; bones that the convention does not know keep theirs."""
    wanted: dict[str, str] = {} if ground is None or not convention.bones else {ground.name: convention.root}
    skeleton = character.skeleton
    if convention.bones:
        for role, name in character.roles.bones.items():
            if new := convention.bone_of(role):
                wanted[name] = new
        for side in SIDES:
            fingers = hand_digits(character, side)
            for digit in fingers:
                which = (
                    None
                    if digit.is_thumb
                    else [other for other in fingers if not other.is_thumb].index(digit)
                )
                for joint, row in enumerate(digit.bones):
                    if new := convention.finger_of(side, which, joint):
                        wanted[skeleton.names[row]] = new
    found: dict[str, str] = {}
    for name in sorted(bones, key=lambda bone: bone not in wanted):
        found[name] = _unused(wanted.get(name, name), found.values())
    return found


def _unused(name: str, used) -> str:
    """Return a name, with a number where it is taken."""
    taken, number, found = set(used), 1, name
    while found in taken:
        found, number = f"{name}_{number}", number + 1
    return found


POINTS = ("heel", "ball", "toe")


def soles_of(obj: Object, source: WalkSource, skeleton: GameSkeleton) -> dict[str, Any]:
    """Return for each foot its heel, ball and toe tip: the exported `bone` that carries it, and where it is
    `at` rest.

    In metres: to the left, ahead, up; no point for a foot none of whose bones is exported.
    """
    carried, role_of = (
        CarriedPoints(obj, source.body, source.roles),
        {name: role for role, name in source.roles.bones.items()},
    )
    found: dict[str, Any] = {}
    for side, foot in enumerate(FEET):
        for column, point in enumerate(CARRIERS):
            bone = carried.bones[side][column]
            if point in POINTS and (name := skeleton.roles.get(role_of[bone])):
                rest = np.array(obj.data.bones[bone].matrix_local, dtype=float)
                place = skeleton.from_armature @ rest @ np.append(carried.local[side, column], 1.0)
                ahead, left, up = FORWARD.T @ place[:3] / skeleton.metre
                found.setdefault(foot, {})[point] = {
                    "bone": name,
                    "at": rounded(np.array([left, ahead, up]), 5),
                }
    return found
