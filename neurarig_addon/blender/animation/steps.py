"""Work done step by step: generators that yield the share done (0..1) and return the result."""

from collections.abc import Callable, Generator
from functools import wraps
from time import monotonic
from typing import Any, Generic, ParamSpec, Protocol, TypeVar, cast

import bpy

from ...core.errors import NeuraRigError

Given = ParamSpec("Given")
Result = TypeVar("Result")
Steps = Generator[float, None, Result]


def finish(steps: Steps[Result]) -> Result:
    """Do all of the work at once."""
    try:
        while True:
            next(steps)
    except StopIteration as finished:
        return finished.value


def finish_within(seconds: float, steps: Steps[Result], refusal: str) -> Result:
    """Do all of the work at once; raises NeuraRigError with the refusal, and closes the work, if it takes
    longer."""
    ends = monotonic() + seconds
    try:
        while True:
            next(steps)
            if monotonic() > ends:
                raise NeuraRigError(refusal)
    except StopIteration as finished:
        return finished.value
    finally:
        steps.close()


def finish_in_sight(steps: Steps[Result]) -> Result:
    """Do all of the work at once, with Blender's progress cursor."""
    window = bpy.context.window_manager
    window.progress_begin(0.0, 1.0)
    try:
        while True:
            window.progress_update(next(steps))
    except StopIteration as finished:
        return finished.value
    finally:
        window.progress_end()


def part_of(steps: Steps[Result], begins: float, ends: float) -> Steps[Result]:
    """Do work that is part of something larger: its share goes from `begins` to `ends`."""
    try:
        while True:
            yield begins + (ends - begins) * next(steps)
    except StopIteration as finished:
        return finished.value
    finally:
        steps.close()


class AtOnce(Protocol, Generic[Given, Result]):
    """A function that does all of its work at once, and with `steps` step by step; closed early, that leaves
    everything as it was."""

    steps: Callable[Given, Steps[Result]]

    def __call__(self, *args: Given.args, **kwargs: Given.kwargs) -> Result: ...


def at_once(steps: Callable[Given, Steps[Result]]) -> AtOnce[Given, Result]:
    """Have a function that begins work do all of it, with Blender's progress cursor."""

    @wraps(steps)
    def whole(*args: Any, **kwargs: Any) -> Any:
        return finish_in_sight(steps(*args, **kwargs))

    found = cast(AtOnce[Given, Result], whole)
    found.steps = steps
    return found
