"""Changed settings: listeners, and blocks in which several changes count as one."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bpy.types import Object

from ..animation.properties import OVERRIDE, PLAIN, Marked


class Changes:
    """The changes of one kind of settings; `listeners` are called with the object whose settings changed."""

    def __init__(self, *listeners: Callable[[Object], None]):
        self.listeners = list(listeners)
        self._blocks = 0
        # the `update=` of properties has to be a function
        self.changed = lambda settings, _context: self.tell(settings.id_data)

    def tell(self, obj: Object) -> None:
        """Call the listeners, unless a block of changes is open."""
        if not self._blocks:
            for listener in self.listeners:
                listener(obj)

    @property
    def keyable(self) -> Marked:
        """Declares settings whose changes are told."""
        return OVERRIDE | Marked(update=self.changed)

    @property
    def setting(self) -> Marked:
        """Declares those of them that cannot be keyed."""
        return PLAIN | self.keyable

    @property
    def is_open(self) -> bool:
        """Return whether a block of changes is open: code sets the properties, not the user."""
        return self._blocks > 0

    @contextmanager
    def as_one(self, obj: Object) -> Iterator[None]:
        """Set several properties of `obj` as one change: the listeners are called once, at the end."""
        self._blocks += 1
        try:
            yield
        finally:
            self._blocks -= 1
        self.tell(obj)

    @contextmanager
    def unheard(self) -> Iterator[None]:
        """Set properties without calling the listeners."""
        self._blocks += 1
        try:
            yield
        finally:
            self._blocks -= 1
