"""Other values of settings, for tests that change each."""

from collections.abc import Iterator
from typing import Any

import bpy

NOT_BY_HAND = {"report", "error", "preset", "profile", "base", "live", "file", "mapping", "name"}


def others(settings: bpy.types.PropertyGroup) -> Iterator[tuple[str, Any]]:
    """Yield every setting that can be chosen by hand with a value that it could have instead; of choices
    each."""
    for prop in settings.bl_rna.properties:
        if (
            prop.identifier in NOT_BY_HAND
            or prop.is_readonly
            or prop.is_hidden
            or getattr(prop, "is_array", False)
        ):
            continue
        if prop.type == "BOOLEAN":
            yield prop.identifier, not getattr(settings, prop.identifier)
        elif prop.type == "FLOAT":
            yield (
                prop.identifier,
                0.7 * prop.soft_max + 0.3 * prop.soft_min if prop.soft_max < 1e5 else prop.default + 1.5,
            )
        elif prop.type == "INT":
            yield prop.identifier, prop.default + 3
        elif prop.type == "ENUM" and not prop.is_enum_flag:
            yield from (
                (prop.identifier, item.identifier)
                for item in prop.enum_items
                if item.identifier != prop.default
            )
