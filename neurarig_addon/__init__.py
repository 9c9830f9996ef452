"""NeuraRig: a planted, full-body walk for any biped armature."""


def register() -> None:
    """Add every class, property, handler and command to Blender."""
    from .core.later import read_later

    with read_later(__name__):
        from .blender import registration

        registration.register()


def unregister() -> None:
    """Remove all that `register` added."""
    from .blender import registration

    registration.unregister()
