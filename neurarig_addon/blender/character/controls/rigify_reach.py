"""A generated Rigify human with exact hands: legs by IK, the trunk bone by bone, arms by FK.

Its chest control would bend the spine in its own way, and head and hands would be off.
"""

from typing import Any

import bpy

from ....core.character.body import Body
from ....core.skeleton.roles import RoleMap
from ....core.skeleton.skeleton import Skeleton
from .eyes import looked_at
from .rigify import idle_leg_controls, ik_switches, limb_drives, prepare
from .rigify_fk import BENDING, trunk_drives


def take_over(obj: bpy.types.Object, skeleton: Skeleton, roles: RoleMap, body: Body, attachment: dict[str, Any]) -> None:
    """Switch the legs to IK and the arms to FK, and note in `attachment` what is driven and what was before."""
    drives = [*trunk_drives(obj, roles), *limb_drives(roles), *looked_at(obj, roles)]
    prepare(obj, attachment, drives, [*BENDING, *idle_leg_controls(roles)], list(ik_switches(obj, roles)))
