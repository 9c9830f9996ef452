"""Names of version 0.1, for one release: the walk's settings were on `Object.neurarig` itself, and now are on `Object.neurarig.walk`.

Scripts read and write an old name with a DeprecationWarning.  Files, and characters appended from files, are converted as they are
loaded: settings, keys, drivers and what reads them.
Delete this file, `old_curves` and `old_files`, its base class in `properties` and its place in `registration` to end it.
"""

import inspect
import warnings
from typing import Any

import bpy
from bpy.app.handlers import persistent

from . import old_curves, old_files
from .animation import compat
from .character import record
from .live import handlers
from .neural_pose.settings import NeuraRigNeuralPose
from .retarget.settings import NeuraRigRetarget
from .walk import live
from .walk.changes import changes
from .walk.settings import NeuraRigWalk

_SCALARS = (bpy.props.BoolProperty, bpy.props.EnumProperty, bpy.props.FloatProperty, bpy.props.IntProperty, bpy.props.StringProperty)
_BY_US = ("update", "override")  # keywords left to the new name
_OLD_ATTACHMENTS = {NeuraRigRetarget: record.CLIP, NeuraRigNeuralPose: record.POSE}
_warned: set[str] = set()
_blender_asks = False
_is_unread = False  # whether the open file has not been checked for its version yet
_used = False  # by a script, since curves were last checked: keying and driving a name reads it first


def _declared() -> dict[str, Any]:
    """Return the declarations of the walk's settings by name."""
    found: dict[str, Any] = {}
    for cls in reversed(NeuraRigWalk.__mro__):
        found |= inspect.get_annotations(cls)
    return found


NAMES = tuple(_declared())


def _warn(name: str, new_name: str = "") -> None:
    """Warn once of an old name used by a script; Blender itself reads all names when it opens or saves a file."""
    global _used
    _used |= not _blender_asks
    if name in _warned or _blender_asks:
        return
    _warned.add(name)
    text = f"Object.neurarig.{name} has moved to Object.neurarig.{new_name or f'walk.{name}'}; the old name goes with the next release."
    warnings.warn(text, DeprecationWarning, stacklevel=3)


def _number(walk: bpy.types.PropertyGroup, name: str, value: Any) -> Any:
    """Return an enum's value as the number Blender stores, the sum for several flags; any other value unchanged."""
    prop = walk.bl_rna.properties[name]
    if prop.type != "ENUM":
        return value
    return sum(prop.enum_items[one].value for one in (value if prop.is_enum_flag else [value]))


def _named(walk: bpy.types.PropertyGroup, name: str, value: Any) -> Any:
    """Return a stored number of an enum as its name or names, any other value unchanged; raises StopIteration for an unknown number."""
    prop = walk.bl_rna.properties[name]
    if prop.type != "ENUM":
        return value
    if prop.is_enum_flag:
        return {item.identifier for item in prop.enum_items if item.value & value}
    return next(item.identifier for item in prop.enum_items if item.value == value)


def _old_scalar(name: str, declared: Any) -> Any:
    def read(settings: bpy.types.PropertyGroup) -> Any:
        _warn(name)
        stored = compat.stored(settings)
        return stored[name] if name in stored else _number(settings.walk, name, getattr(settings.walk, name))

    def write(settings: bpy.types.PropertyGroup, value: Any) -> None:
        _warn(name)
        stored = compat.stored(settings)
        if name in stored:
            del stored[name]
        setattr(settings.walk, name, _named(settings.walk, name, value))

    kept = {key: value for key, value in declared.keywords.items() if key not in _BY_US}
    options = {"HIDDEN"} | set(kept.pop("options", {"ANIMATABLE"}))
    return declared.function(**kept, options=options, get=read, set=write)


def _old_other(name: str) -> property:
    def read(settings: bpy.types.PropertyGroup) -> Any:
        _warn(name)
        return getattr(settings.walk, name)

    def write(settings: bpy.types.PropertyGroup, value: Any) -> None:
        _warn(name)
        setattr(settings.walk, name, value)

    return property(read, write)


def _old_attachment(holder: str) -> property:
    def read(settings: bpy.types.PropertyGroup) -> str:
        _warn(f"{record.HOLDERS[holder].settings}.attachment", "attachment")
        obj = settings.id_data
        return obj.neurarig.attachment if record.holds(obj, holder) else ""

    return property(read)


class OldNames:
    """The old names, as properties of `Object.neurarig`."""


for _name, _property in _declared().items():
    if _property.function in _SCALARS:
        OldNames.__annotations__[_name] = _old_scalar(_name, _property)
    else:
        setattr(OldNames, _name, _old_other(_name))


def carry_over() -> None:
    """Convert everything in the file that is of version 0.1."""
    global _is_unread
    _is_unread = False
    carried = [obj for obj in bpy.data.objects if obj.type == "ARMATURE" and _carry_character(obj)]
    if carried:
        old_curves.carry(NAMES)
    for obj in carried:
        record.changes.tell(obj)


def _carry_character(obj: bpy.types.Object) -> bool:
    has_old_settings = _carry_settings(obj)
    return old_files.carry_attachment(obj) or has_old_settings


def _carry_settings(obj: bpy.types.Object) -> bool:
    """Convert the settings of one character; return whether any were old."""
    stored, walk = compat.stored(obj.neurarig), obj.neurarig.walk
    old = [name for name in NAMES if name in stored]
    with changes.unheard():
        for name in old:
            try:
                _carry(walk, name, stored[name])
            except (LookupError, StopIteration, AttributeError, TypeError, ValueError):  # damaged in the file: use the default
                walk.property_unset(name)
            del stored[name]
    return bool(old)


def _carry(walk: bpy.types.PropertyGroup, name: str, value: Any) -> None:
    if name != "profile_constants":
        setattr(walk, name, _named(walk, name, value[:] if hasattr(value, "typecode") else value))
        return
    for values in value:
        item = walk.profile_constants.add()
        for key, number in values.items():
            setattr(item, key, number)


@persistent
def _begin_to_ask(_path=None, _=None) -> None:
    global _blender_asks
    _blender_asks = True


@persistent
def _end_to_ask(_path=None, _=None) -> None:
    global _blender_asks
    _blender_asks = False


@persistent
def _on_load(_path=None, _=None) -> None:
    _end_to_ask()
    carry_over()


@persistent
def _on_import(_context=None, _=None) -> None:
    carry_over()


def _read_open_file() -> None:
    if _is_unread:
        carry_over()


@persistent
def _on_use(_scene: bpy.types.Scene, _depsgraph=None) -> None:
    """Convert the file that was open before the add-on; convert what a script has keyed or driven under an old name."""
    global _used
    _read_open_file()
    if _used:
        _used = False
        old_curves.carry(NAMES)
        live.invalidate()


_HANDLERS = [
    *((functions, _begin_to_ask) for functions in (bpy.app.handlers.load_pre, bpy.app.handlers.save_pre)),
    *(
        (functions, _end_to_ask)
        for functions in (bpy.app.handlers.load_post_fail, bpy.app.handlers.save_post_fail, bpy.app.handlers.save_post)
    ),
    (bpy.app.handlers.load_post, _on_load),
    (bpy.app.handlers.depsgraph_update_post, _on_use),
    (bpy.app.handlers.frame_change_pre, _on_use),
]
if hasattr(bpy.app.handlers, "blend_import_post"):  # from Blender 4.3 on
    _HANDLERS.append((bpy.app.handlers.blend_import_post, _on_import))


def register() -> None:
    """Convert files as they are opened, and the open one."""
    for cls, holder in _OLD_ATTACHMENTS.items():
        cls.attachment = _old_attachment(holder)
    handlers.add(_HANDLERS)
    global _is_unread
    _is_unread = True
    if hasattr(bpy.data, "objects"):
        carry_over()
    else:  # while Blender starts or enables the add-on, the file is not accessible
        bpy.app.timers.register(_read_open_file)


def unregister() -> None:
    """Stop."""
    for cls in _OLD_ATTACHMENTS:
        del cls.attachment
    handlers.remove(_HANDLERS)
    if bpy.app.timers.is_registered(_read_open_file):
        bpy.app.timers.unregister(_read_open_file)
    _warned.clear()
