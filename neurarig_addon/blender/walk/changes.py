"""Listeners to changes of the walk's settings."""

import bpy

from ..character import roles
from ..character.changes import OVERRIDABLE, Changes


def _report_is_old(obj: bpy.types.Object) -> None:
    if obj.neurarig.walk.report:
        obj.neurarig.walk.report_is_old = True


changes = Changes(_report_is_old)
roles.changes.listeners.append(changes.tell)  # role bones are settings of the walk too


def changed(settings: bpy.types.PropertyGroup, _context: bpy.types.Context) -> None:
    """Report a changed setting; the `update=` of settings that change the walk."""
    changes.tell(settings.id_data)


KEYABLE = {"override": OVERRIDABLE, "update": changed}  # what the settings that change the walk have in common
SETTING = {"options": set(), **KEYABLE}  # the same of those that cannot be keyed
