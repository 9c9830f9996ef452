"""The control map stored on the object: an editable list, its family, the switches, and the rig it is for."""

import hashlib
import json

from bpy.types import Context, Object, PropertyGroup

from ....core.controls.control_map import ControlMap, all_control_roles
from ....core.errors import NeuraRigError
from ....core.skeleton.roles import RoleMap
from ....core.skeleton.skeleton import Skeleton
from ...animation.properties import OVERRIDE
from ...animation.renames import Renames
from .. import moving
from ..changes import Changes
from ..read_armature import bones_key
from ..stored_json import parsed
from .probing.read_rig import probe

changes = Changes()  # of the control list: a line was corrected


def _corrected(line: PropertyGroup, _context: Context) -> None:
    if not changes.is_open:
        line.corrected = True
    changes.tell(line.id_data)


class NeuraRigControl(PropertyGroup):
    """One line of the control map: which bone is the control of a role."""

    role: OVERRIDE.text("Role", "What the control does")
    bone: OVERRIDE.text(
        "Control", "The bone that an animator moves for this; empty where the rig has none", update=_corrected
    )
    corrected: OVERRIDE.switch("Corrected", "Set by hand: Find Controls leaves it alone")


def stored_map(obj: Object) -> ControlMap:
    """Return the map of the list, without lines whose bone is gone and without unreadable switches."""
    settings = obj.neurarig
    controls = {line.role: line.bone for line in settings.control_bones if line.bone in obj.data.bones}
    content = parsed(settings.control_switches)
    try:
        return ControlMap.from_content((content or {}) | {"controls": controls})
    except (NeuraRigError, TypeError):
        return ControlMap(controls=controls)


def store_map(obj: Object, roles: RoleMap, found: ControlMap, keeps_corrected: bool = True) -> None:
    """Fill the list with a map, in the panel's order; lines corrected by hand stay unless told otherwise."""
    settings = obj.neurarig
    corrected = [line for line in settings.control_bones if keeps_corrected and line.corrected]
    kept = {line.role: line.bone for line in corrected if not line.bone or line.bone in obj.data.bones}
    spine = max(
        [int(role.partition(".")[2]) for role in found.controls if role.startswith("spine.")], default=0
    )
    with changes.as_one(obj):
        settings.control_bones.clear()
        for role in all_control_roles(spine):
            line = settings.control_bones.add()
            line.name = line.role = role
            line.bone = kept.get(role, found.get(role))
            line.corrected = role in kept
        settings.control_switches = json.dumps(
            json.loads(ControlMap(found.name, switches=found.switches).to_json())
        )
        settings.control_rig = rig_key(obj, roles)


def follow(obj: Object, renames: Renames) -> None:
    """Update bone names in the list after renames."""
    with changes.as_one(obj):
        for line in obj.neurarig.control_bones:
            if renames.bone(line.bone) != line.bone:
                line.bone = renames.bone(line.bone)


def is_current(obj: Object, roles: RoleMap) -> bool:
    """Return whether the list was made for the rig as it is."""
    return obj.neurarig.control_rig == rig_key(obj, roles)


def current_map(
    obj: Object, skeleton: Skeleton, roles: RoleMap, found: ControlMap | None = None
) -> ControlMap:
    """Return an armature's map; if there is none, or the rig has changed since, the one `found`, or a new
    one."""
    if not is_current(obj, roles):
        store_map(obj, roles, found or probe(obj, skeleton, roles))
    return stored_map(obj)


def forget_map(obj: Object) -> None:
    """Empty the list of controls."""
    for name in ("control_bones", "control_switches", "control_rig", "control_preset"):
        obj.neurarig.property_unset(name)


def rig_key(obj: Object, roles: RoleMap) -> str:
    """Return a key of the rig: bones, rest pose, constraints, drivers but for our marker, and roles."""
    data = obj.animation_data
    constraints = [
        (bone.name, c.name, c.type, getattr(c, "subtarget", ""))
        for bone in obj.pose.bones
        for c in bone.constraints
    ]
    drivers = data.drivers if data else ()
    driven = sorted((one.data_path, one.array_index) for one in drivers if one.data_path != moving.PATH)
    return hashlib.sha256(
        repr((bones_key(obj), constraints, driven, sorted(roles.bones.items()))).encode()
    ).hexdigest()
