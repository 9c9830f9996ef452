"""The bones that a pose is written to: the rig's own IK controls if known, else our control layer; or plain
rotations.

`attach` prepares a rig and returns all that is needed to drive and to restore it, `rig_table` reads it for
`core.posing.solve`, `detach` puts everything back.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np

from ....core.character.body import Body
from ....core.controls.control_map import ControlMap
from ....core.controls.drives import stiff_feet
from ....core.controls.tryout import TryoutOf, walk_tryout
from ....core.errors import NeuraRigError
from ....core.posing.heels import HELD
from ....core.posing.rig_table import ROOT_ROLE, RigTable, TrunkBend
from ....core.skeleton.roles import QUADRUPED, RoleMap
from ....core.skeleton.skeleton import Skeleton
from . import editing, fk, foot_rolls, layer, own_controls, rigify, rigify_limbs, snapshot
from .attachment import (
    BY_BOTH,
    BY_ROTATION,
    CONTROLS,
    CONTROLS_FK,
    FK,
    LAYER,
    OWN_FK,
    RIGIFY,
    RIGIFY_FK,
    RIGIFY_REACH,
    checked,
    new,
    placed,
    require_bones,
    standing_in,
)
from .carrying import NotCarriedError, Tried, takes_all_along
from .foot_rolls import carriers, pivots, unroll
from .ours import keep_to_itself
from .probing.read_rig import probe
from .table import read_table

__all__ = [
    "BONES", "REACH", "WAYS", "PosingChoice", "attach", "deform_table", "detach", "foot_rolls",
    "keep_to_itself", "pivots", "place_root",
    "posed_body",
    "posed_roles", "rig_table", "switches", "trunk_bend", "unroll", "way_back",
]  # fmt: skip

REACH, BONES = "REACH", "BONES"
FindMap = Callable[[bpy.types.Object, Skeleton, RoleMap], ControlMap]
_BUILD = {
    LAYER: layer.build,
    FK: fk.take_over,
    RIGIFY: rigify.take_over,
    RIGIFY_FK: rigify.take_over_by_fk,
    RIGIFY_REACH: rigify.take_over_for_reach,
}
# Per kind of way: for generated Rigify rigs, for rigs whose controls carry the motion, and for others.
_KINDS = {
    "": (RIGIFY, CONTROLS, LAYER),
    FK: (RIGIFY_FK, CONTROLS_FK, FK),
    REACH: (RIGIFY_REACH, CONTROLS, LAYER),
    LAYER: ("", "", LAYER),
    BONES: ("", "", FK),
}
# What is wanted -> the kinds of ways to it, best first: the rig's own controls, the control layer, the deform
# bones.
WAYS: Mapping[str, tuple[str, ...]] = {"": ("", LAYER, BONES), REACH: (REACH, LAYER, BONES), FK: (FK, BONES)}


@dataclass(frozen=True)
class PosingChoice:
    """How a character is to be posed.

    `kind`: '' uses the rig's own IK controls if they carry the motion, else builds a control layer; `REACH`
    the same, but with every
    bone of the trunk in its exact place, for exact hands; `"FK"` rotates the rig's FK controls, else the
    character's own
    bones, and adds nothing; `LAYER` and `BONES` leave the rig's controls alone.
    `why`: a sentence, if this is not the first way; the character is then attached again. `tryout`: the
    motion own controls must carry.
    `exact`: they must bring every bone of the pose to its place. `found`: the map of the rig's controls, if
    searched.
    `lenient`: what is not of the body itself, such as a finger or a prop, may stay behind.
    """

    kind: str = ""
    why: str = ""
    tryout: TryoutOf = walk_tryout
    exact: bool = False
    found: ControlMap | None = None
    lenient: bool = False

    @property
    def is_fk(self) -> bool:
        """Return whether bones or FK controls are rotated."""
        return self.kind in (FK, BONES)

    def needs_map(self, obj: bpy.types.Object, roles: RoleMap) -> bool:
        """Return whether this way needs the controls of a free character to be known."""
        return (
            bool(_KINDS[self.kind][1])
            and not rigify.is_generated(obj, roles)
            and own_controls.may_have_controls(obj)
        )

    def makes_only(self, kind: str) -> bool:
        """Return whether this way always ends in an attachment of a kind."""
        return _KINDS[self.kind] == ("", "", kind)

    def roughly(self) -> "PosingChoice":
        """Return the same way for controls that carry a walk but do not bring every bone to its exact
        place."""
        return replace(self, exact=False, tryout=walk_tryout)


def way_back(attachment: Mapping[str, Any]) -> PosingChoice:
    """Return the way by which a character was attached."""
    kind = attachment["kind"]
    ways = {LAYER: LAYER, FK: BONES, RIGIFY_FK: FK, CONTROLS_FK: FK, RIGIFY_REACH: REACH}
    return PosingChoice(
        ways.get(kind, ""), attachment.get("why", ""), lenient=bool(attachment.get("lenient"))
    )


def attach(
    obj: bpy.types.Object,
    skeleton: Skeleton,
    roles: RoleMap,
    body: Body,
    way: PosingChoice | None = None,
    find: FindMap = probe,
) -> dict[str, Any]:
    """Make an armature object ready to be posed and return its attachment (plain JSON values, see the module
    `attachment`).

    `find` returns the map of a rig's controls.  Mode, selection and visibility stay as they are.
    Raises NeuraRigError, with everything as before, if the rig cannot be prepared.
    """
    if obj.library:
        raise NeuraRigError(
            f"'{obj.name}' is linked from another file; make a library override of it (Object > Library"
            " Override) first."
        )
    attachment = _attached(obj, skeleton, roles, body, way or PosingChoice(), find)
    try:
        attachment["travels"] = takes_all_along(obj, attachment)
    except BaseException:
        detach(obj, attachment)
        raise
    return attachment


def _attached(
    obj: bpy.types.Object, skeleton: Skeleton, roles: RoleMap, body: Body, way: PosingChoice, find: FindMap
) -> dict[str, Any]:
    on_rigify, on_controls, on_any = _KINDS[way.kind]
    why = way.why
    if roles.kind == QUADRUPED:
        on_controls = ""
    if on_rigify and rigify.is_generated(obj, roles):
        if roles.kind == QUADRUPED:
            on_rigify = RIGIFY_FK if on_rigify == RIGIFY_FK else RIGIFY_REACH
        elif on_rigify != RIGIFY_FK and rigify.has_three_bone_legs(obj, roles):
            on_rigify, why = (
                RIGIFY_FK,
                f"The IK legs of '{obj.name}' bend at three joints; its FK controls are used.",
            )
        return _built(obj, skeleton, roles, body, new(on_rigify) | {"why": why})
    if on_controls and way.needs_map(obj, roles):
        try:
            tried = Tried(skeleton, roles, body, way.tryout, way.exact)
            return _by_controls(obj, tried, new(on_controls) | {"why": why}, find(obj, skeleton, roles))
        except NeuraRigError as problem:
            why = str(problem)
    if on_any == LAYER and editing.is_linked(obj):
        on_any, why = (
            FK,
            f"'{obj.name}' is linked from another file and takes no new bones, so its own are driven.",
        )
    elif on_any == LAYER and editing.is_shared(obj):
        on_any, why = (
            FK,
            (
                f"'{obj.name}' shares its armature with another object and takes no new bones, so its own are"
                " driven."
            ),
        )
    return _built(obj, skeleton, roles, body, new(on_any) | {"why": why})


def _by_controls(
    obj: bpy.types.Object, tried: Tried, attachment: dict[str, Any], found: ControlMap
) -> dict[str, Any]:
    """Take over the rig's own controls; raises NeuraRigError, with nothing done, if they do not carry a walk.

    If FK controls come apart, a mechanism between them and the skin is to blame, which would not do better
    alone: IK controls are taken.
    """
    try:
        own_controls.take_over(obj, tried, attachment, found)
        return attachment
    except NotCarriedError as problem:
        if attachment["kind"] != CONTROLS_FK:
            raise
        try:
            return _by_controls(obj, tried, new(CONTROLS) | {"why": str(problem)}, found)
        except NeuraRigError:
            raise problem from None
    except NeuraRigError:
        raise
    except BaseException:
        detach(obj, attachment)
        raise


def _built(
    obj: bpy.types.Object, skeleton: Skeleton, roles: RoleMap, body: Body, attachment: dict[str, Any]
) -> dict[str, Any]:
    try:
        _BUILD[attachment["kind"]](obj, skeleton, roles, body, attachment)
    except BaseException:
        detach(obj, attachment)
        raise
    return attachment


def detach(obj: bpy.types.Object, attachment: dict[str, Any]) -> list[str]:
    """Restore the rig as before `attach`; return the exceptions, a sentence each: what is gone or renamed,
    and what stays.

    Raises NeuraRigError if the attachment is not ours or the armature cannot be edited now.
    """
    checked(attachment)
    notes = layer.take_off(obj, attachment)
    lost = snapshot.restore_constraints(obj, attachment["muted"])
    lost += snapshot.restore_drivers(obj, attachment["muted_drivers"])
    lost += snapshot.restore_switches(obj, attachment["switches"])
    lost += snapshot.restore_pose(obj, attachment["pose"])
    for fingers in attachment.get("fingers", {}).values():
        lost += snapshot.restore_pose(obj, fingers)
    lost += snapshot.restore_pose(obj, attachment.get("played", {}))
    lost += snapshot.restore_pose(obj, attachment.get("follow", {}))
    if lost:
        notes.append(
            f"These bones of '{obj.name}' are gone or renamed and were not restored:"
            f" {', '.join(sorted(set(lost)))}."
        )
    return notes


def posed_roles(
    obj: bpy.types.Object, roles: RoleMap, attachment: Mapping[str, Any] | None = None
) -> RoleMap:
    """Return the roles that a character's controls pose individually."""
    if attachment is not None and attachment.get("roles"):
        return RoleMap(attachment["roles"], kind=roles.kind)
    return rigify.posed_roles(roles) if rigify.is_generated(obj, roles) else roles


def posed_body(body: Body, roles: RoleMap, attachment: Mapping[str, Any]) -> Body:
    """Return a character's body as its controls can pose it, and as it leans.

    Feet whose toes no control bends are stiff, FK legs of one bone are rigid.
    """
    if body.one_bone_legs and attachment["kind"] in OWN_FK:
        body = replace(body, rigid_legs=True)
    leans = np.reshape(attachment["leans"], (-1, 3, 3))
    if len(leans) == 1 + len(body.spine):
        body = replace(body, leans=leans)
    return body.with_stiff_feet(stiff_feet(roles, {role for _, role, *_ in attachment["drives"]}))


def rig_table(
    obj: bpy.types.Object, attachment: Mapping[str, Any], body: Body, rolls: bool = False
) -> RigTable:
    """Return the bones that the walk poses and all above them, as they are now.

    `rolls`: the foot pivots of the control layer, or Rigify's heel controls, are posed too; otherwise they
    are at rest.

    Raises NeuraRigError if a bone that the walk drives is gone.
    """
    require_bones(obj, checked(attachment))
    if attachment["kind"] in (CONTROLS, CONTROLS_FK):
        return own_controls.rig_table(obj, attachment, body)
    is_rigify = attachment["kind"] in (RIGIFY, RIGIFY_FK, RIGIFY_REACH)
    carried_by = rigify.carried_by(obj, attachment) if is_rigify else attachment["held"]
    drives = attachment["drives"]
    if rolls:
        drives = [*drives, *([bone, role, *BY_ROTATION] for role, bone in pivots(attachment).items())]
        drives += foot_rolls.drives(obj, attachment)
        carried_by = carried_by | foot_rolls.carried(obj, attachment)
    else:
        carried_by = carried_by | carriers(obj, attachment)
    heels = rigify_limbs.heels(obj, drives, carried_by, body.walk_to_armature) if is_rigify else {}
    drives = [*drives, *([bone, HELD + heel.foot, *BY_BOTH] for bone, heel in heels.items())]
    table = read_table(
        obj, drives, body.walk_to_armature, placed(attachment), carried_by, standing_in(attachment)
    )
    return replace(table, heels=tuple(heels.values()))


def deform_table(obj: bpy.types.Object, attachment: Mapping[str, Any], body: Body) -> RigTable:
    """Return the table of the character's own bones, whose channels alone, without constraints, reproduce the
    control layer's pose.

    Only for the kinds LAYER and FK. A one-bone leg keeps its length: it points to where the foot has to go,
    and takes it along.
    """
    checked(attachment)
    return read_table(
        obj, attachment["deform"], body.walk_to_armature, placed(attachment), standing=standing_in(attachment)
    )


def trunk_bend(attachment: Mapping[str, Any]) -> TrunkBend | None:
    """Return how a single control bends a rig's trunk, None if the spine bones are posed individually."""
    terms = attachment.get("bend")
    return TrunkBend(np.array(terms, dtype=float)) if terms else None


def place_root(obj: bpy.types.Object, attachment: Mapping[str, Any]) -> None:
    """Put the root bone, if the walk may move it, back to where it was when the walk was attached."""
    for bone, role, *_ in attachment["drives"]:
        if role == ROOT_ROLE and bone in obj.pose.bones:
            snapshot.put_motion(obj, bone, placed(attachment).ravel().tolist())


def switches(attachment: Mapping[str, Any]) -> list[tuple[str, float]]:
    """Return the (RNA path, value) of the rig's switches that the walk has set; a baked action keys them, to
    work without the walk."""
    return [
        (snapshot.switch_path(bone, constraint, key), now)
        for bone, constraint, key, _, now in attachment["switches"]
    ]
