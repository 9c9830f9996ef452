"""A record of a whole file: every property of every data-block as Blender's RNA has it, by path, and what
differs between two records.

Nothing is listed by name that is to be recorded, only what is not: so nothing is forgotten. What we keep for
ourselves (`neurarig`) is
left out, and so is what Blender only works out for itself.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import bpy
import numpy as np

Record = dict[str, Any]

# Kinds of data-blocks that hold the user's interface, not their work.
INTERFACE = {
    "brushes",
    "fonts",
    "libraries",
    "linestyles",
    "palettes",
    "screens",
    "window_managers",
    "workspaces",
}
UNSTABLE = {
    "bl_rna", "id_data", "is_embedded_data", "is_evaluated", "is_in_main", "is_missing", "is_runtime_data",
    "library_weak_reference",
    "name_full", "neurarig", "original", "preview", "rna_type", "session_uid", "tag", "type_info", "users",
}  # fmt: skip
# Properties that show what another property holds, evaluation has worked out, or the interface remembers.
DERIVED = {
    ("Action", "fcurves"), ("Action", "groups"), ("AnimData", "action_suitable_slots"),
    ("AnimData", "last_slot_identifier"),
    ("Constraint", "active"),
    ("ActionGroup", "channels"), ("ActionLayer", "strips_fcurves"),
    ("Armature", "collections"), ("BoneCollection", "bones"), ("BoneCollection", "index"),
    ("Collection", "all_objects"),
    ("PoseBone", "is_in_ik_chain"),  # of a bone new in Edit Mode Blender crashes over it
    ("EditBone", "matrix"), ("FCurve", "keyframe_points"), ("FCurve", "sampled_points"),
    ("ImageFormatSettings", "linear_colorspace_settings"), ("Keyframe", "co_ui"),
    ("NlaTrack", "active"), ("Object", "active_material"), ("Object", "bound_box"), ("Object", "dimensions"),
    ("PoseBone", "head"), ("PoseBone", "length"), ("PoseBone", "matrix_basis"),
    ("PoseBone", "matrix_channel"), ("PoseBone", "tail"),
    ("Scene", "objects"), ("Scene", "rigidbody_world"), ("Scene", "sequence_editor"),
    ("Scene", "sequencer_colorspace_settings"),
    ("Scene", "tool_settings"), ("Scene", "eevee"), ("Scene", "cycles"), ("Scene", "display"),
    ("Scene", "cursor"),
    ("ViewLayer", "objects"), ("ViewLayer", "depsgraph"), ("ViewLayer", "eevee"), ("ViewLayer", "cycles"),
    ("Image", "pixels"), ("Material", "node_tree"), ("ShapeKey", "data"), ("ShapeKey", "points"),
    ("Mesh", "polygons"), ("Mesh", "edges"), ("Mesh", "loops"), ("Mesh", "vertices"), ("Mesh", "attributes"),
    ("Mesh", "color_attributes"),
    ("Mesh", "corner_normals"), ("Mesh", "loop_triangle_polygons"), ("Mesh", "loop_triangles"),
    ("Mesh", "polygon_normals"),
    ("Mesh", "uv_layer_clone"), ("Mesh", "uv_layer_stencil"), ("Mesh", "uv_layers"),
    ("Mesh", "vertex_colors"), ("Mesh", "vertex_normals"),
}  # fmt: skip
# What a pointer names rather than owns.
NAMED = (
    bpy.types.ID, bpy.types.Bone, bpy.types.PoseBone, bpy.types.EditBone, bpy.types.BoneCollection,
    bpy.types.NlaTrack, bpy.types.NlaStrip,
    bpy.types.Constraint, bpy.types.Modifier, bpy.types.FCurve, bpy.types.ActionGroup,
    bpy.types.LayerCollection, bpy.types.ViewLayer,
    *([bpy.types.ActionSlot] if hasattr(bpy.types, "ActionSlot") else []),
)  # fmt: skip
REFERENCES = {
    "Bone.children",
    "Bone.collections",
    "EditBone.children",
    "EditBone.collections",
    "BoneCollection.children",
}
KEY_FIELDS = {"co": 2, "handle_left": 2, "handle_right": 2, "interpolation": 1, "type": 1}
EXACT = 5e-5  # relative; Edit Mode rounds rest matrices by less


def recorded(but: tuple[str, ...] = ()) -> Record:
    """Return the record of the open file, with the pose of the present frame; `but`: beginnings of names of
    properties to leave out."""
    bpy.context.view_layer.update()
    record: Record = {}
    for kind in _kinds():
        blocks = getattr(bpy.data, kind)
        record[kind] = sorted(block.name for block in blocks)
        for block in blocks:
            dump(block, f"{kind}[{block.name}]", record, but=but)
    layer = bpy.context.view_layer
    _forget_unseen(record)
    record["active object"] = layer.objects.active.name if layer.objects.active else None
    record["selected"] = sorted(obj.name for obj in layer.objects if obj.select_get())
    record["hidden"] = sorted(obj.name for obj in layer.objects if obj.hide_get())
    record["mode"] = bpy.context.mode
    return record


@dataclass(frozen=True)
class Difference:
    """One property that differs; None stands for one that is not there."""

    path: str
    wanted: Any
    found: Any

    def __str__(self) -> str:
        return f"{self.path}: {_short(self.wanted)} -> {_short(self.found)}"


def differences(wanted: Record, found: Record) -> list[Difference]:
    """Return what differs between two records, the whole thing rather than its parts where it has gone or
    come."""
    paths = [
        path for path in {**wanted, **found} if not same(wanted.get(path, _Absent), found.get(path, _Absent))
    ]
    listed = [Difference(path, _value(wanted, path), _value(found, path)) for path in sorted(paths)]
    whole = {path for path in paths if (path in wanted) != (path in found) and "[" in path}
    return [one for one in listed if not (one.path in whole and _stem_is_listed(one.path, whole))]


def report(found: Iterable[Difference], most: int = 12) -> str:
    """Return differences as lines to read."""
    lines = [f"  {one}" for one in found]
    return "\n".join(lines[:most] + ([f"  ... and {len(lines) - most} more"] if len(lines) > most else []))


def _forget_unseen(record: Record) -> None:
    """Leave out where things that are not shown are: Blender does not work it out for them."""
    shown = {obj.name for obj in bpy.context.view_layer.objects if obj.visible_get()}
    unseen = tuple(f"objects[{obj.name}]." for obj in bpy.data.objects if obj.name not in shown)
    for path in [
        path for path in record if path.endswith((".matrix", ".matrix_world")) and path.startswith(unseen)
    ]:
        del record[path]


class _Absent:
    """Stands for a property that a record does not have."""


def _value(record: Record, path: str) -> Any:
    return record.get(path)


def _stem_is_listed(path: str, gone: set[str]) -> bool:
    """Say whether something that this is a part of has come or gone too: its `name` stands for all of it."""
    stem = path
    while "." in stem:
        stem = stem.rpartition(".")[0]
        if f"{stem}.name" in gone and path != f"{stem}.name":
            return True
    return False


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 200 else text[:197] + "..."


def same(a: Any, b: Any) -> bool:
    """Say whether two recorded values are the same but for rounding."""
    if isinstance(a, float | int) and isinstance(b, float | int):
        if a == b or (math.isnan(a) and math.isnan(b)):
            return True
        return not isinstance(a, bool) and abs(a - b) <= EXACT * max(1.0, abs(a), abs(b))
    if isinstance(a, tuple) and isinstance(b, tuple):
        scale = max([1.0, *(abs(x) for x in (*a, *b) if isinstance(x, float) and math.isfinite(x))])
        return len(a) == len(b) and all(_same_at(x, y, scale) for x, y in zip(a, b, strict=True))
    return a == b


def _same_at(a: Any, b: Any, scale: float) -> bool:
    if isinstance(a, float) and isinstance(b, float) and math.isfinite(a) and math.isfinite(b):
        return abs(a - b) <= EXACT * scale
    return same(a, b)


@cache
def _kinds() -> tuple[str, ...]:
    found = [prop.identifier for prop in bpy.data.bl_rna.properties if prop.type == "COLLECTION"]
    return tuple(name for name in found if name not in INTERFACE)


@cache
def _properties(kind: type, but: tuple[str, ...] = ()) -> tuple[tuple[str, str], ...]:
    """Return (name, type) of the properties that are recorded of a kind of RNA struct."""
    names = {base.__name__ for base in kind.__mro__}
    found = [
        prop
        for prop in kind.bl_rna.properties
        if prop.identifier not in UNSTABLE and not prop.identifier.startswith(but)
    ]
    return tuple(
        (prop.identifier, prop.type)
        for prop in found
        if not any((name, prop.identifier) in DERIVED for name in names)
    )


def dump(struct: Any, path: str, record: Record, but: tuple[str, ...] = ()) -> None:
    """Add every property of an RNA struct to a record, but those that begin in some way."""
    for name, kind in _properties(type(struct), but):
        here = f"{path}.{name}"
        try:
            value = getattr(struct, name)
        except (AttributeError, RuntimeError, TypeError):  # a property that this struct does not have now
            continue
        if kind == "POINTER":
            _dump_pointer(value, here, record, but)
        elif kind == "COLLECTION":
            _dump_items(value, f"{type(struct).__name__}.{name}" in REFERENCES, here, record, but)
        else:
            record[here] = _plain(value)
    for key, value in _custom(struct):
        record[f'{path}["{key}"]'] = _plain(value)
    if isinstance(struct, bpy.types.FCurve):
        record[f"{path}.keys"] = _keys(struct)
    elif isinstance(struct, bpy.types.Mesh):
        record[f"{path}.vertices"] = _bulk(struct.vertices, "co", 3)


def _dump_pointer(value: Any, path: str, record: Record, but: tuple[str, ...]) -> None:
    if isinstance(value, NAMED) and not (isinstance(value, bpy.types.ID) and value.is_embedded_data):
        record[path] = f"<{type(value).__name__} {getattr(value, 'name', '')}>"
    elif value is None:
        record[path] = None
    elif not isinstance(value, bpy.types.bpy_struct) or path.count(".") > 12:
        record[path] = repr(value)
    else:
        dump(value, path, record, but=but)


def _dump_items(items: Any, are_references: bool, path: str, record: Record, but: tuple[str, ...]) -> None:
    listed = list(items)
    names = tuple(_item_name(item, number) for number, item in enumerate(listed))
    record[f"{path} in order"] = names
    if are_references:
        return
    for name, item in zip(names, listed, strict=True):
        if item is not None and not isinstance(item, bpy.types.ID):
            dump(item, f"{path}[{name}]", record, but=but)


def _item_name(item: Any, number: int) -> str:
    if isinstance(item, bpy.types.FCurve):
        return f"{item.data_path} {item.array_index}"
    return getattr(item, "name", None) or str(number)


def _custom(struct: Any) -> Iterator[tuple[str, Any]]:
    """Yield the custom properties of what may have some."""
    if isinstance(
        struct,
        bpy.types.ID | bpy.types.Bone | bpy.types.EditBone | bpy.types.PoseBone | bpy.types.BoneCollection,
    ):
        for key in struct.keys():  # noqa: SIM118  RNA structs are no dictionaries
            if key not in ("neurarig", "cycles"):
                yield key, struct[key]


def _keys(curve: bpy.types.FCurve) -> tuple:
    columns = [_bulk(curve.keyframe_points, field, size) for field, size in KEY_FIELDS.items()]
    return tuple(value for column in columns for value in column)


def _bulk(items: Any, field: str, size: int) -> tuple:
    values = np.empty(len(items) * size, dtype=np.float64 if size > 1 else np.int64)
    items.foreach_get(field, values)
    return tuple(values.tolist())


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str | bytes):
        return value
    if isinstance(value, set | frozenset):
        return tuple(sorted(map(str, value)))
    if isinstance(value, bpy.types.ID):
        return f"<{type(value).__name__} {value.name}>"
    for turned in ("to_dict", "to_list"):
        if hasattr(value, turned):
            return repr(getattr(value, turned)())
    try:
        return tuple(_plain(item) for item in value)
    except TypeError:
        return repr(type(value))
