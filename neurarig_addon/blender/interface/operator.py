"""The base of NeuraRig's operators."""

from typing import ClassVar

import bpy

from ...core.errors import NeuraRigError
from ..character import record
from ..character.selection import armature_of
from . import under_way


class CharacterOperator:
    """An operator on the active character.

    `act` does the work and returns the sentence to report; a NeuraRigError becomes an error report and leaves the file as it was.
    """

    bl_options: ClassVar[set[str]] = {"REGISTER", "UNDO"}
    holder: ClassVar[str] = ""  # holder that must have the character; '' for no condition
    takes: ClassVar[str | None] = None  # holder for which the character must be free, '' free of all; None for no condition

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        obj = armature_of(context)
        if obj is None:
            cls.poll_message_set("Select an armature or a mesh that it deforms")
            return False
        if busy := under_way.refusal(obj):
            cls.poll_message_set(busy)
            return False
        if cls.holder and not record.holds(obj, cls.holder):
            cls.poll_message_set(record.not_held(obj, cls.holder))
            return False
        if cls.takes is not None and (taken := record.not_free_for(obj, cls.takes)):
            cls.poll_message_set(taken)
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        obj = armature_of(context)
        try:
            under_way.require_idle(obj)
            message = self.act(context, obj)
        except NeuraRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        except ReferenceError:
            self.report({"ERROR"}, "The character or scene was deleted by a script or another add-on.")
            return {"CANCELLED"}
        self.report({"INFO"}, message)
        return {"FINISHED"}

    def tell(self, sentences: list[str]) -> None:
        """Report what the user may not expect, each sentence as a warning."""
        for sentence in sentences:
            self.warn(sentence)

    def warn(self, text: str) -> None:
        """Report a warning besides the operator's result; nothing if it is empty."""
        if text:
            self.report({"WARNING"}, text)

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        """Do the work on `obj` and return the sentence to report."""
        raise NotImplementedError
