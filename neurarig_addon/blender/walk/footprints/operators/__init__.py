"""The buttons of footprints; each is one undo step."""

from . import edit, files, pick

_PARTS = (edit, pick, files)


def register() -> None:
    """Register every operator."""
    for part in _PARTS:
        part.register()


def unregister() -> None:
    """Unregister every operator, the last first."""
    for part in reversed(_PARTS):
        part.unregister()
