"""What a user does to modes and to what is seen, and what a sentence of ours may ask for."""

from random import Random

import bpy

from tests import rigs
from tests.blender.situations.edit import Call, Edit, can_be_entered, to_object_mode
from tests.blender.situations.ledger import Ledger

MODES = ("OBJECT", "POSE", "POSE", "EDIT", "WEIGHT_PAINT")


class SetMode(Edit):
    weight = 4

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj, mode = ledger.hero(rng), rng.choice(MODES)
        skin = bpy.data.objects.get("Skin")
        if not can_be_entered(obj) or (mode == "WEIGHT_PAINT" and (skin is None or not skin.visible_get())):
            return None
        return cls.call(obj.name, mode)

    @staticmethod
    def apply(obj: str, mode: str) -> None:
        to_object_mode()
        rigs.make_active(bpy.data.objects[obj])
        bpy.ops.object.mode_set(mode="POSE" if mode == "WEIGHT_PAINT" else mode)
        if mode == "WEIGHT_PAINT":
            skin = bpy.data.objects["Skin"]
            skin.select_set(True)
            bpy.context.view_layer.objects.active = skin
            bpy.ops.object.mode_set(mode="WEIGHT_PAINT")


class LeaveModes(Edit):
    """What a sentence of ours may ask for: whatever is in a mode leaves it."""

    @staticmethod
    def apply() -> None:
        to_object_mode()
        for obj in bpy.context.view_layer.objects:
            if obj.mode != "OBJECT" and obj.visible_get():
                bpy.context.view_layer.objects.active = obj
                bpy.ops.object.mode_set(mode="OBJECT")


class ShowCollections(Edit):
    """What a sentence of ours may ask for: every collection is seen."""

    @staticmethod
    def apply() -> None:
        for layer in bpy.context.view_layer.layer_collection.children:
            layer.exclude = layer.hide_viewport = False
        for collection in bpy.data.collections:
            collection.hide_viewport = False
        bpy.context.view_layer.update()


class MakeSingleUser(Edit):
    """What a sentence of ours may ask for: a character has an armature of its own."""

    @staticmethod
    def apply(obj: str, name: str) -> None:
        armature = bpy.data.objects[obj].data
        if armature.users > 1:
            bpy.data.objects[obj].data = armature.copy()
            bpy.data.objects[obj].data.name = name


class HideCollection(Edit):
    weight = 2

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        hidden = (
            "Characters" in bpy.data.collections
            and bpy.context.mode == "OBJECT"
            and bpy.context.view_layer.layer_collection.children
        )
        return cls.call(rng.choice(("exclude", "hide_viewport"))) if hidden else None

    @staticmethod
    def apply(how: str) -> None:
        for layer in bpy.context.view_layer.layer_collection.children:
            setattr(layer, how, not getattr(layer, how))
        bpy.context.view_layer.update()


class HideObject(Edit):
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj = ledger.hero(rng)
        return (
            cls.call(obj.name)
            if obj.mode == "OBJECT" and obj.name in bpy.context.view_layer.objects
            else None
        )

    @staticmethod
    def apply(obj: str) -> None:
        bpy.data.objects[obj].hide_viewport = not bpy.data.objects[obj].hide_viewport
