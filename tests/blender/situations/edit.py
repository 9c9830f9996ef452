"""What all edits of a user's share: drawn from what is there, applied by plain names so that they can be done
again in another file."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

import bpy

from tests import rigs
from tests.blender.situations.ledger import Ledger


@dataclass(frozen=True)
class Call:
    """One edit with its arguments; `of_ours`: of something of ours, which the twin does not have.

    `twin`: what then has to be done to the twin, so that it is in the same mode with the same selection.
    """

    edit: str
    args: tuple[Any, ...]
    of_ours: bool = False
    twin: "Call | None" = None

    def for_twin(self) -> "Call | None":
        """Return what the twin takes."""
        return self.twin if self.of_ours else self

    def __str__(self) -> str:
        return f"{self.edit}({', '.join(map(repr, self.args))})"


class Edit:
    """Something that a user does; every subclass with a weight is drawn, so much more often than others."""

    weight: ClassVar[int] = 0

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        """Return this edit of something that is there; None where there is nothing to edit so."""
        raise NotImplementedError

    @staticmethod
    def apply(*args: Any) -> None:
        """Do it."""
        raise NotImplementedError

    @staticmethod
    def note(ledger: Ledger, *args: Any) -> None:
        """Write down what is the user's now."""

    @classmethod
    def call(cls, *args: Any, of_ours: bool = False, twin: Call | None = None) -> Call:
        """Return a call of this edit."""
        return Call(cls.__name__, args, of_ours, twin)


def whose(rng: Random) -> str:
    """Draw whose thing is edited."""
    return rng.choice(("THEIRS", "THEIRS", "OURS"))


def can_be_entered(obj: bpy.types.Object) -> bool:
    """Say whether Blender can bring an armature into another mode now: it is seen, and its bones are its
    own."""
    return (
        obj.name in bpy.context.view_layer.objects
        and obj.visible_get()
        and obj.library is None
        and obj.override_library is None
    )


def in_edit_mode() -> bool:
    """Say whether something is in Edit Mode: bones and constraints are then out of reach."""
    return any(obj.mode == "EDIT" for obj in bpy.data.objects)


def animation_of(obj: str) -> bpy.types.AnimData:
    """Return the animation of an object, made where it has none."""
    return bpy.data.objects[obj].animation_data or bpy.data.objects[obj].animation_data_create()


def tweaks(obj: bpy.types.Object) -> bool:
    """Say whether an NLA strip of an object is in tweak mode."""
    return obj.animation_data is not None and obj.animation_data.use_tweak_mode


def to_object_mode() -> None:
    """Leave whatever mode the active object is in."""
    active = bpy.context.view_layer.objects.active
    if active is not None and active.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")


@contextmanager
def edit_bones(name: str) -> Iterator[bpy.types.ArmatureEditBones]:
    """Yield the edit bones of an armature object; it is afterwards in Edit Mode if it was before, else
    everything in Object Mode."""
    obj = bpy.data.objects[name]
    if obj.mode == "EDIT":
        yield obj.data.edit_bones
        return
    to_object_mode()
    rigs.make_active(obj)
    bpy.ops.object.mode_set(mode="EDIT")
    yield obj.data.edit_bones
    bpy.ops.object.mode_set(mode="OBJECT")


def pick(bones: bpy.types.ArmatureEditBones, name: str, tail_only: bool = False) -> None:
    """Select one edit bone, or its tail."""
    bpy.ops.armature.select_all(action="DESELECT")
    bone = bones[name]
    bone.select_tail = True
    bone.select = bone.select_head = not tail_only
    bones.active = bone
