"""What is dear to work out and hangs on objects that never change: worked out once for as long as these live."""

from collections.abc import Callable, Hashable
from functools import wraps
from typing import TypeVar
from weakref import ref

MOST = 16  # answers kept by each function

Answer = TypeVar("Answer")


def remembered(function: Callable[..., Answer]) -> Callable[..., Answer]:
    """Return a function that remembers its answers by the identity of its first two arguments, and by the value of all others."""
    known: dict[tuple, tuple[ref, ref, Answer]] = {}

    @wraps(function)
    def ask(first: object, second: object, *others: Hashable) -> Answer:
        key = (id(first), id(second), *others)
        found = known.get(key)
        if found is not None and found[0]() is first and found[1]() is second:
            return found[2]
        for old in [old for old, (one, two, _) in known.items() if one() is None or two() is None]:
            del known[old]
        while len(known) >= MOST:
            del known[next(iter(known))]
        answer = function(first, second, *others)
        known[key] = ref(first), ref(second), answer
        return answer

    return ask
