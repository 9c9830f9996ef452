"""The driven objects of a scene: checking every object is slow, so it is done only when something may have
changed."""

from collections.abc import Callable

import bpy

from ..animation.scratch import is_passing
from .memory import forget_deleted

Place = tuple[int, int]  # a scene by its session_uid, and how many objects the file has


def place(scene: bpy.types.Scene) -> Place:
    """Return what stays the same while nobody comes to a scene or leaves it."""
    return scene.session_uid, len(bpy.data.objects)


class Roster:
    """Driven objects, remembered by name and identity.

    `belongs` returns whether an object is driven; `adopt` is called with all that belong after every search.
    `empty_at`: the place where the last search found nobody.
    """

    def __init__(
        self, belongs: Callable[[bpy.types.Object], bool], adopt: Callable[[list[bpy.types.Object]], None]
    ) -> None:
        self._belongs, self._adopt = belongs, adopt
        self.clear()

    def clear(self) -> None:
        """Search again when next asked."""
        self._searched: Place = (0, -1)  # 0 is not a session_uid
        self.empty_at: Place | None = None
        self._found: list[tuple[str, int]] = []

    def of(
        self, scene: bpy.types.Scene, here: Place | None = None, may_have_changed: bool = True
    ) -> list[bpy.types.Object]:
        """Return the scene's driven objects, without those in Edit Mode, whose bones are still changing.

        `here`: the scene's place, if known.  `may_have_changed`: objects may have been added or removed.
        """
        if not may_have_changed:
            is_known = self._searched[0] == scene.session_uid
        else:
            is_known = self._searched == (here or place(scene))
        known = self._known() if is_known else None
        if known is not None:
            return known
        found = self._in(scene) if is_passing(scene) else self._search(scene)
        return [obj for obj in found if obj.mode != "EDIT"]

    def _known(self) -> list[bpy.types.Object] | None:
        objects, there = [], bpy.data.objects
        for name, uid in self._found:
            obj = there.get(name)
            if obj is None or obj.session_uid != uid:
                return None
            if obj.mode != "EDIT":
                objects.append(obj)
        return objects

    def _search(self, scene: bpy.types.Scene) -> list[bpy.types.Object]:
        forget_deleted()
        objects = self._in(scene)
        self._found = [(obj.name, obj.session_uid) for obj in objects]
        self._searched = place(scene)
        self.empty_at = None if objects else self._searched
        return objects

    def _in(self, scene: bpy.types.Scene) -> list[bpy.types.Object]:
        objects = [obj for obj in scene.objects if self._belongs(obj)]
        self._adopt(objects)
        return objects
