"""What is dear to work out and hangs on objects that never change: worked out once for as long as these
live."""

from collections.abc import Callable, Hashable
from functools import wraps
from typing import TypeVar
from weakref import ref

MOST = 16  # answers kept by each function

Answer = TypeVar("Answer")


def remembered(objects: int) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    """Return a decorator: the function remembers answers by the identity of its first `objects` arguments, by
    the value of all others."""

    def decorated(function: Callable[..., Answer]) -> Callable[..., Answer]:
        known: dict[tuple, tuple[tuple[ref, ...], Answer]] = {}

        @wraps(function)
        def ask(*arguments: Hashable) -> Answer:
            things, values = arguments[:objects], arguments[objects:]
            key = (*map(id, things), *values)
            found = known.get(key)
            if found is not None and all(one() is thing for one, thing in zip(found[0], things, strict=True)):
                return found[1]
            for old in [old for old, (refs, _) in known.items() if any(one() is None for one in refs)]:
                del known[old]
            while len(known) >= MOST:
                del known[next(iter(known))]
            answer = function(*arguments)
            known[key] = tuple(map(ref, things)), answer
            return answer

        return ask

    return decorated
