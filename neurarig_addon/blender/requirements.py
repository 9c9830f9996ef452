"""What must hold before a character is touched; each refusal is one sentence with the remedy."""

import math
from typing import Any

import bpy

from ..core.errors import NeuraRigError
from ..core.gait.style import SLIDERS

CHOICES = {
    "mode": ("IN_PLACE", "TRAVEL"),
    "travel_with": ("OBJECT", "BONE"),
    "gait_source": ("HUMAN", "PROFILE"),
    "controls": ("AUTO", "FK"),
}
SWITCHES = ("whole_frames", "use_network", "keep_planted")
NUMBERS = (*SLIDERS, "start_frame")


def require_editable(obj: bpy.types.Object) -> None:
    """Refuse what is no armature, or one that cannot be changed here."""
    if obj is None or obj.type != "ARMATURE":
        raise NeuraRigError(f"'{obj.name if obj else None}' is not an armature. Choose the character's armature object.")
    if not obj.is_editable:
        raise NeuraRigError(f"'{obj.name}' is linked from another file. Make a library override of it first.")
    if obj.name not in bpy.context.view_layer.objects:
        raise NeuraRigError(f"'{obj.name}' is not in the current view layer. Enable its collection in the Outliner first.")


def require_walk(obj: bpy.types.Object) -> None:
    """Refuse a character without a walk."""
    require_editable(obj)
    if not obj.neurarig.attachment:
        raise NeuraRigError(f"'{obj.name}' has no walk yet. Use Generate Walk first.")


def require_no_clip(obj: bpy.types.Object) -> None:
    """Refuse a character that follows or plays a retargeted clip, or is posed by targets."""
    if obj.neurarig.retarget.attachment:
        raise NeuraRigError(f"'{obj.name}' has a retargeted clip. Use Apply or Remove in Retarget before it walks.")
    require_no_targets(obj)


def require_no_targets(obj: bpy.types.Object) -> None:
    """Refuse a character that is posed by targets or plays a solved recording."""
    if obj.neurarig.neural_pose.attachment:
        raise NeuraRigError(f"'{obj.name}' is posed by Neural Pose. Use Apply or Remove there first.")


def require_live(obj: bpy.types.Object) -> None:
    """Raise what turned the walk off, if anything did."""
    if obj.neurarig.error:
        raise NeuraRigError(obj.neurarig.error)


def require_settings(settings: dict[str, Any]) -> None:
    """Refuse unknown settings and values before anything is touched."""
    for name, value in settings.items():
        if name in CHOICES:
            if value not in CHOICES[name]:
                raise NeuraRigError(f"'{value}' is no {name}; choose one of {', '.join(CHOICES[name])}.")
        elif name in NUMBERS:
            if not isinstance(value, int | float) or not math.isfinite(value):
                raise NeuraRigError(f"The setting '{name}' needs a number, not '{value}'.")
        elif name not in SWITCHES:
            raise NeuraRigError(f"A walk has no setting '{name}'; it has {', '.join((*CHOICES, *NUMBERS, *SWITCHES))}.")
