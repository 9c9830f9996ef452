"""The walk's settings, saved to be restored if an operator fails."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bpy.types import Object

from ...animation.objects import is_deleted
from ...animation.properties import stored
from ..changes import changes
from ..footprints import edits
from ..way.given_acts import acts_of, set_acts
from ..way.markers import markers_of, set_markers


@contextmanager
def kept_on_failure(obj: Object) -> Iterator[None]:
    """Restore a character's settings if the block fails."""
    before = saved_settings(obj)
    try:
        yield
    except BaseException:
        if not is_deleted(obj):
            restore_settings(obj, before)
        raise


def saved_settings(obj: Object) -> dict[str, Any]:
    """Return every setting that differs from its default, for `restore_settings`."""
    settings = obj.neurarig.walk
    names = filter(settings.is_property_set, stored(settings))
    values = {name: getattr(settings, name) for name in names if name != "name"}
    constants = [
        (item.name, item.text, item.low, item.high, item.value) for item in settings.profile_constants
    ]
    prints = [
        (edits.edit_of(item), item.on_ground, item.object, tuple(item.seen)) for item in settings.prints
    ]
    return values | {
        "kind": obj.neurarig.kind,
        "roles": [(item.role, item.bone) for item in obj.neurarig.roles],
        "profile_constants": constants,
        "markers": markers_of(obj),
        "acts": acts_of(obj),
        "prints": prints,
        "styles": [(slot.name, slot.content) for slot in settings.styles],
    }


def restore_settings(obj: Object, saved: dict[str, Any]) -> None:
    """Set the settings back to what `saved_settings` returned."""
    settings = obj.neurarig.walk
    with changes.as_one(obj):
        for name in stored(settings):
            if name in saved:
                setattr(settings, name, saved[name])
            else:
                settings.property_unset(name)
        obj.neurarig.kind = saved["kind"]
        obj.neurarig.roles.clear()
        for role, bone in saved["roles"]:
            item = obj.neurarig.roles.add()
            item.name, item.role, item.bone = role, role, bone
        settings.prints.clear()
        for edit, on_ground, handle, seen in saved["prints"]:
            item = settings.prints.add()
            edits.put(item, edit)
            item.on_ground, item.object, item.seen = on_ground, handle, seen
        settings.profile_constants.clear()
        for constant in saved["profile_constants"]:
            item = settings.profile_constants.add()
            item.name, item.text, item.low, item.high, item.value = constant
        set_markers(obj, saved["markers"])
        set_acts(obj, saved["acts"])
        settings.styles.clear()
        for name, content in saved["styles"]:
            slot = settings.styles.add()
            slot.name, slot.content = name, content
    settings.report_is_old = saved.get("report_is_old", False)
