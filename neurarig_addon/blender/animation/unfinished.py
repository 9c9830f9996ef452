"""Data that is in the file only while we work on it: marked, so that an undo step or a file saved meanwhile does not bring it back."""

from collections.abc import Iterable, Iterator

import bpy
from bpy.app.handlers import persistent

MARK = "neurarig_unfinished"  # custom property
_is_marked = False  # something, in this file


def begin(block: bpy.types.ID) -> None:
    """Mark a data-block that goes when its work ends, or is finished then."""
    global _is_marked
    _is_marked = True
    block[MARK] = True


def finish(block: bpy.types.ID) -> None:
    """Have a data-block stay from now on."""
    block.pop(MARK, None)


def sweep() -> None:
    """Remove what is marked, of work that nobody goes on with: only a scene that is marked holds objects that are."""
    scenes = list(_marked(bpy.data.scenes))
    for window in bpy.context.window_manager.windows if bpy.context.window_manager else ():
        if window.scene in scenes:
            window.scene = next(other for other in bpy.data.scenes if other not in scenes)
    copies = [block for blocks in (bpy.data.objects, bpy.data.armatures) for block in _marked(blocks)] if scenes else []
    bpy.data.batch_remove([*scenes, *copies, *_marked(bpy.data.actions)])


def _marked(blocks: Iterable[bpy.types.ID]) -> Iterator[bpy.types.ID]:
    return (block for block in blocks if MARK in block and block.library is None)


@persistent
def _on_load(_path=None, _=None) -> None:
    global _is_marked
    _is_marked = False
    sweep()


@persistent
def _on_undo(*_) -> None:
    if _is_marked:
        sweep()


HANDLERS = (
    (bpy.app.handlers.load_post, _on_load),
    (bpy.app.handlers.undo_post, _on_undo),
    (bpy.app.handlers.redo_post, _on_undo),
)
