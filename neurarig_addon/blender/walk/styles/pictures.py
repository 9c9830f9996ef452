"""Pictures of styles for the menu, drawn on first use."""

import bpy.utils.previews
import numpy as np

from ....core.errors import NeuraRigError
from ....core.styles.picture import picture
from ..gait_source import natural_gait
from . import library

SIZE = 128  # pixels
_drawn: dict[str, bpy.utils.previews.ImagePreviewCollection] = {}


def icon_of(name: str) -> int:
    """Return a style's icon, redrawn if the style has changed; 0 if it cannot be drawn."""
    try:
        style = library.load(name)
    except (NeuraRigError, OSError):
        return 0
    if "icons" not in _drawn:
        _drawn["icons"] = bpy.utils.previews.new()
    icons = _drawn["icons"]
    key = f"{name} {hash(style.curves.tobytes())}"
    if key not in icons:
        icon = icons.new(key)
        icon.image_size = (SIZE, SIZE)
        icon.image_pixels_float.foreach_set(picture(style, natural_gait(), SIZE).astype(np.float32).ravel())
    return icons[key].icon_id


def register() -> None:
    """Nothing to do: pictures are drawn on first use."""


def unregister() -> None:
    """Remove the pictures."""
    while _drawn:
        bpy.utils.previews.remove(_drawn.popitem()[1])
