"""The driven objects of a scene: checking every object is slow, so it is done only when something may have changed."""

from collections.abc import Callable

import bpy

from ..animation.alone import is_passing
from .memory import forget_the_gone


class Roster:
    """Driven objects, remembered by name and identity.

    `belongs` returns whether an object is driven; `adopt` is called with all that belong after every search.
    """

    def __init__(self, belongs: Callable[[bpy.types.Object], bool], adopt: Callable[[list[bpy.types.Object]], None]) -> None:
        self._belongs, self._adopt = belongs, adopt
        self.clear()

    def clear(self) -> None:
        """Search again when next asked."""
        self._objects_in_file = -1
        self._scene = 0  # not a session_uid
        self._found: list[tuple[str, int]] = []

    def of(self, scene: bpy.types.Scene, may_have_changed: bool = True) -> list[bpy.types.Object]:
        """Return the scene's driven objects; `may_have_changed`: objects may have been added or removed."""
        if self._scene == scene.session_uid and not (may_have_changed and self._objects_in_file != len(bpy.data.objects)):
            known = self._known()
            if known is not None:
                return known
        return self._in(scene) if is_passing(scene) else self._search(scene)

    def _known(self) -> list[bpy.types.Object] | None:
        objects = []
        for name, uid in self._found:
            obj = bpy.data.objects.get(name)
            if obj is None or obj.session_uid != uid:
                return None
            objects.append(obj)
        return objects

    def _search(self, scene: bpy.types.Scene) -> list[bpy.types.Object]:
        forget_the_gone()
        objects = self._in(scene)
        self._found = [(obj.name, obj.session_uid) for obj in objects]
        self._scene, self._objects_in_file = scene.session_uid, len(bpy.data.objects)
        return objects

    def _in(self, scene: bpy.types.Scene) -> list[bpy.types.Object]:
        objects = [obj for obj in scene.objects if self._belongs(obj)]
        self._adopt(objects)
        return objects
