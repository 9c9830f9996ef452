"""Work done step by step: generators that yield the share done (0..1) and return the result."""

from collections.abc import Generator
from typing import TypeVar

Result = TypeVar("Result")
Steps = Generator[float, None, Result]


def finish(steps: Steps[Result]) -> Result:
    """Do all of the work at once."""
    try:
        while True:
            next(steps)
    except StopIteration as finished:
        return finished.value


def part_of(steps: Steps[Result], begins: float, ends: float) -> Steps[Result]:
    """Do work that is part of something larger: its share goes from `begins` to `ends`."""
    try:
        while True:
            yield begins + (ends - begins) * next(steps)
    except StopIteration as finished:
        return finished.value
    finally:
        steps.close()
