"""What a user does to objects and their armatures."""

from random import Random

import bpy

from tests import rigs
from tests.blender.situations.edit import Call, Edit, can_be_entered, in_edit_mode, to_object_mode
from tests.blender.situations.ledger import POSE, Ledger


class MoveObject(Edit):
    weight = 2

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj = ledger.hero(rng)
        return (
            None
            if obj.name in ledger.carried | ledger.applied
            else cls.call(obj.name, rng.choice((-0.5, 0.25, 1.0)))
        )

    @staticmethod
    def apply(obj: str, by: float) -> None:
        bpy.data.objects[obj].location.x += by
        bpy.context.view_layer.update()


class ParentObject(Edit):
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj = ledger.hero(rng)
        return cls.call(obj.name) if "Prop" in bpy.data.objects and obj.parent is None else None

    @staticmethod
    def apply(obj: str) -> None:
        bpy.data.objects[obj].parent = bpy.data.objects["Prop"]
        bpy.context.view_layer.update()


class NoteOnObject(Edit):
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        return cls.call(ledger.hero(rng).name, ledger.new_name(), rng.random())

    @staticmethod
    def apply(obj: str, key: str, value: float) -> None:
        bpy.data.objects[obj][key] = value
        bpy.data.objects[obj].color[1] = value
        bpy.data.objects[obj].show_in_front = True


class RenameObject(Edit):
    weight = 2

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        return cls.call(ledger.hero(rng).name, ledger.new_name())

    @staticmethod
    def apply(old: str, new: str) -> None:
        bpy.data.objects[old].name = new

    @staticmethod
    def note(ledger: Ledger, old: str, new: str) -> None:
        ledger.rename_object(old, new)


class RenameArmature(Edit):
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        return cls.call(ledger.hero(rng).data.name, ledger.new_name())

    @staticmethod
    def apply(old: str, new: str) -> None:
        bpy.data.armatures[old].name = new

    @staticmethod
    def note(ledger: Ledger, old: str, new: str) -> None:
        ledger.rename_data(old, new)


class DuplicateObject(Edit):
    weight = 2

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj = ledger.hero(rng)
        if len(ledger.heroes) > 2 or not can_be_entered(obj) or in_edit_mode():
            return None
        name = ledger.new_name()
        linked = rng.random() < 0.5
        return cls.call(obj.name, linked, name, obj.data.name if linked else name)

    @staticmethod
    def apply(obj: str, linked: bool, name: str, data: str) -> None:
        to_object_mode()
        rigs.make_active(bpy.data.objects[obj])
        bpy.ops.object.duplicate(linked=linked)
        bpy.context.object.name, bpy.context.object.data.name = name, data

    @staticmethod
    def note(ledger: Ledger, obj: str, linked: bool, name: str, data: str) -> None:
        ledger.copy_object(obj, bpy.data.objects[obj].data.name, name, data)


class DeleteCopy(Edit):
    """One of several characters is deleted."""

    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        several = len(ledger.heroes) > 1 and bpy.context.mode == "OBJECT"
        return cls.call(rng.choice(ledger.heroes)) if several else None

    @staticmethod
    def apply(obj: str) -> None:
        bpy.data.objects.remove(bpy.data.objects[obj])

    @staticmethod
    def note(ledger: Ledger, obj: str) -> None:
        ledger.heroes.remove(obj)
        ledger.targets_left |= ledger.attached[obj] == POSE
        ledger.objects.discard(obj)
        ledger.carried.discard(obj)
        ledger.applied.discard(obj)
        for by_object in (ledger.constraints, ledger.tracks, ledger.attached):
            del by_object[obj]
