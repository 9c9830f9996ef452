"""The walk's buttons; each is one undo step and works without a window."""

from . import acts, bake, bars, footprints, pick, presets, profile, walk, way

_PARTS = (walk, way, acts, bars, bake, presets, footprints, pick, profile)


def register() -> None:
    """Register every operator."""
    for part in _PARTS:
        part.register()


def unregister() -> None:
    """Unregister every operator, the last first."""
    for part in reversed(_PARTS):
        part.unregister()
