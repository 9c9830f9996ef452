"""Asserting a refusal: its sentence, and that nothing has changed."""

from collections.abc import Callable

import bpy

from tests.blender.walking import state_of, walker
from tests.refusals import refuses
from tests.rigs import biped, build, make_active

Refused = Callable[[bpy.types.Object], object]


def hero(walks: bool = False) -> bpy.types.Object:
    obj = walker() if walks else build(biped(), "Hero")
    make_active(obj)
    return obj


def refused(obj: bpy.types.Object, call: Refused, sentence: str) -> None:
    """Call what must refuse, and see that it changed nothing."""
    before = state_of(obj)
    with refuses(sentence) as refusal:
        call(obj)
    said = str(refusal.value)
    assert said.endswith(".") and "\n" not in said
    assert state_of(obj) == before
