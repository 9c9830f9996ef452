"""The buttons; each is one undo step and works without a window."""

from . import bake, link, neural_pose, presets, profiles, retarget, rig, training, walk

_PARTS = (rig, walk, bake, presets, profiles, retarget, neural_pose, training, link)


def register() -> None:
    """Register every operator."""
    for part in _PARTS:
        part.register()


def unregister() -> None:
    """Unregister every operator, the last first."""
    for part in reversed(_PARTS):
        part.unregister()
