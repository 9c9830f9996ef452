"""Temporary data-blocks: marked while in the file, so that an undo step or a file saved meanwhile does not bring them back."""

from collections.abc import Iterable, Iterator

import bpy
from bpy.app.handlers import persistent

MARK = "neurarig_unfinished"  # custom property
_is_marked = False  # whether anything was marked in this file


def begin(block: bpy.types.ID) -> None:
    """Mark a data-block that is removed when its work ends, or finished then."""
    global _is_marked
    _is_marked = True
    block[MARK] = True


def finish(block: bpy.types.ID) -> None:
    """Keep a data-block from now on."""
    block.pop(MARK, None)


def sweep() -> None:
    """Remove marked data of abandoned work; marked objects exist only along with a marked scene."""
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
