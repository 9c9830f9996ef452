"""Marks on a path: where a walk stands for a while, and when it is to be where."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mark:
    """A place on a path: `distance` metres from its beginning.

    `pause`: seconds for which the walk stands there; 0 walks on.  `due`: seconds since the walk's start at which it is to be there, None
    where it comes when it comes.
    """

    distance: float
    pause: float = 0.0
    due: float | None = None
