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


def glTF2_pre_export_callback(_settings: dict) -> None:  # noqa: N802
    """Have live characters exported as they are seen; Blender's glTF exporter looks for this name in every
    add-on."""
    from .neurarig_addon.blender.interface import exporters

    exporters.before_export()


def glTF2_post_export_callback(_settings: dict) -> None:  # noqa: N802
    """Leave everything as it was before the export."""
    from .neurarig_addon.blender.interface import exporters

    exporters.after_export()
