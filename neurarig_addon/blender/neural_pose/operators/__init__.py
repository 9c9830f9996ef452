"""The buttons of Neural Pose; each is one undo step and works without a window."""

from . import poses, solving, targets

_PARTS = (targets, solving, poses)


def register() -> None:
    """Register every operator."""
    for part in _PARTS:
        part.register()


def unregister() -> None:
    """Unregister every operator, the last first."""
    for part in reversed(_PARTS):
        part.unregister()
