"""Blender wants a package beside the manifest; the add-on itself is `neurarig_addon`.

The functions import when called, so that tools which import this folder (pytest does) need no Blender.
"""


def register() -> None:
    """Add NeuraRig to Blender."""
    from .neurarig_addon import register as add

    add()


def unregister() -> None:
    """Take NeuraRig out of Blender."""
    from .neurarig_addon import unregister as remove

    remove()
