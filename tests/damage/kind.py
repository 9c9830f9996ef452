"""A kind of files that is read."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random


@dataclass(frozen=True)
class Kind:
    """`samples`: the content of sound files. `spoil` damages one of them. `use` reads a file and does what
    the add-on does with it.

    `seconds`: how long that may take.  `parts`: how many packets a file holds.
    """

    ending: str
    samples: Callable[[], list[bytes]]
    spoil: Callable[[Random, bytes], bytes]
    use: Callable[[Path], object]
    seconds: float = 1.0
    parts: int = 1
