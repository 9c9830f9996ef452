"""Work done step by step in Blender: at once with its progress cursor, within a time, or as a window asks."""

from collections.abc import Callable
from functools import wraps
from time import monotonic
from typing import Any, Generic, ParamSpec, Protocol, cast

import bpy

from ...core.errors import NeuraRigError
from ...core.steps import Result, Steps
from ...core.steps import finish as finish
from ...core.steps import part_of as part_of

Given = ParamSpec("Given")


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
