"""Which footprint is under the mouse."""

import bpy
import numpy as np

from ...interface.screen import on_screen
from .. import source as walk_source
from .settings import NAMES
from .shown import shown

NEAR = 30.0  # pixels


def print_under(context: bpy.types.Context, obj: bpy.types.Object, mouse: tuple[int, int]) -> tuple[str, int] | None:
    """Return foot and number of a character's print nearest to a place in the window, None if none is near."""
    region, view = context.region, context.region_data
    source = walk_source.source_of(obj, context.scene)
    if region is None or view is None:
        return None
    prints = shown(obj, context.scene, source)
    where, rows = on_screen(prints.places, np.array(view.perspective_matrix), (region.width, region.height))
    if not len(rows):
        return None
    away = np.linalg.norm(where[rows] - np.array(mouse) + (region.x, region.y), axis=1)
    nearest = int(np.argmin(away))
    if away[nearest] > NEAR * context.preferences.system.ui_scale:
        return None
    side, number = prints.keys[rows[nearest]]
    return NAMES[side], number
