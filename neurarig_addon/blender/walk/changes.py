"""Listeners to changes of the walk's settings."""

import bpy

from ..character import roles
from ..character.changes import Changes


def _report_is_old(obj: bpy.types.Object) -> None:
    if obj.neurarig.walk.report:
        obj.neurarig.walk.report_is_old = True


changes = Changes(_report_is_old)
roles.changes.listeners.append(changes.tell)  # role bones are settings of the walk too


KEYABLE, SETTING = changes.keyable, changes.setting  # of the settings that change the walk
