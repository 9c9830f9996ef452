"""What is said of every setting, button, panel and list: names, tooltips, limits, steps, choices, where they stand and when they show."""

from collections.abc import Iterator
from typing import Any

import bpy

import neurarig_addon
from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen

LIMITS = ("hard_min", "hard_max", "soft_min", "soft_max", "step", "precision", "default", "subtype", "unit", "array_length", "length_max")
MARKS = (
    "is_animatable",
    "is_hidden",
    "is_skip_save",
    "is_enum_flag",
    "is_library_editable",
    "is_overridable",
    "is_readonly",
    "name",
    "description",
)
LOOKS = ("bl_label", "bl_description", "bl_parent_id", "bl_order", "bl_category", "bl_space_type", "bl_region_type", "bl_context")


def properties(struct: bpy.types.bpy_struct, path: str, known: set[str]) -> Iterator[tuple[str, Any]]:
    """Yield what Blender knows of every property of a struct, and of the groups of ours that it holds, each once."""
    if path and struct.identifier in known:
        return
    known.add(struct.identifier)
    for prop in struct.properties:
        if prop.identifier in ("rna_type", "bl_rna"):
            continue
        for name in (*LIMITS, *MARKS):
            value = getattr(prop, name, None)
            if isinstance(value, float | int | str):
                yield f"{path}.{prop.identifier}.{name}", value
        if prop.type == "ENUM":
            for item in prop.enum_items:
                yield f"{path}.{prop.identifier}.{item.identifier}", f"{item.name}|{item.description}|{item.icon}|{item.value}"
            yield f"{path}.{prop.identifier} set", sorted(prop.default_flag) if prop.is_enum_flag else prop.default
        held = getattr(prop, "fixed_type", None)
        if held is not None and issubclass(getattr(bpy.types, held.identifier, object), bpy.types.PropertyGroup):
            yield from properties(held, f"{path}.{prop.identifier}", known)


def settings(seen: Seen) -> None:
    """Note what is said of all settings."""
    for kind in ("Object", "Scene", "Action", "Armature", "WindowManager"):
        group = getattr(bpy.types, kind).bl_rna.properties.get("neurarig")
        if group is not None:
            seen.note(kind, dict(properties(group.fixed_type, "", set())))


def classes(seen: Seen) -> None:
    """Note what is said of all buttons, panels, menus and lists, with their properties."""
    for name in dir(bpy.types):
        if name.startswith("NEURARIG_"):
            kind = getattr(bpy.types, name)
            seen.note(name, {look: getattr(kind, look, "") for look in LOOKS})
            seen.note(f"{name} options", sorted(getattr(kind, "bl_options", ())))
            if "_OT_" in name:
                rna = getattr(bpy.ops.neurarig, name.partition("_OT_")[2]).get_rna_type()
                seen.note(f"{name} asks", dict(properties(rna, "", set())))


def _is_ours(function: Any) -> bool:
    return "neurarig" in getattr(function, "__module__", "")


def registered(seen: Seen) -> None:
    """Note what the add-on adds to Blender, and that all of it goes when it is disabled, twice."""
    for _ in range(2):
        for is_on in (False, True):
            (neurarig_addon.register if is_on else neurarig_addon.unregister)()
            seen.note(f"classes {is_on}", [name for name in dir(bpy.types) if name.startswith("NEURARIG_")])
            seen.note(f"properties {is_on}", "neurarig" in bpy.types.Object.bl_rna.properties)
            lists = {name: getattr(bpy.app.handlers, name) for name in dir(bpy.app.handlers)}
            handlers = {
                name: [each.__name__ for each in found if _is_ours(each)] for name, found in lists.items() if isinstance(found, list)
            }
            seen.note(f"handlers {is_on}", handlers)
            drawn = getattr(bpy.types.VIEW3D_MT_object_animation.draw, "_draw_funcs", [])
            seen.note(f"menus {is_on}", [f"{each.__module__}.{each.__name__}" for each in drawn])


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    return {"settings": settings, "classes": classes, "registered": registered}
