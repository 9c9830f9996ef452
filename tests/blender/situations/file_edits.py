"""What a user does to objects, modes, collections, the scene and the file."""

import tempfile
from pathlib import Path
from random import Random

import bpy

import neurarig_addon
from tests import rigs
from tests.blender.situations.edit import Call, Edit, can_be_entered, in_edit_mode, to_object_mode
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
        hidden = "Characters" in bpy.data.collections and bpy.context.mode == "OBJECT" and bpy.context.view_layer.layer_collection.children
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
        return cls.call(obj.name) if obj.mode == "OBJECT" and obj.name in bpy.context.view_layer.objects else None

    @staticmethod
    def apply(obj: str) -> None:
        bpy.data.objects[obj].hide_viewport = not bpy.data.objects[obj].hide_viewport


class MoveObject(Edit):
    weight = 2

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj = ledger.hero(rng)
        return None if obj.name in ledger.carried else cls.call(obj.name, rng.choice((-0.5, 0.25, 1.0)))

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
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        copies = ledger.heroes[1:]
        return cls.call(rng.choice(copies)) if copies and bpy.context.mode == "OBJECT" else None

    @staticmethod
    def apply(obj: str) -> None:
        bpy.data.objects.remove(bpy.data.objects[obj])

    @staticmethod
    def note(ledger: Ledger, obj: str) -> None:
        ledger.heroes.remove(obj)
        ledger.objects.discard(obj)
        ledger.carried.discard(obj)
        for by_object in (ledger.constraints, ledger.tracks, ledger.attached):
            del by_object[obj]


class SetFrame(Edit):
    weight = 4

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        return cls.call(rng.choice((1, 4, 12, 30, 200)))

    @staticmethod
    def apply(frame: int) -> None:
        bpy.context.scene.frame_set(frame)


class SetRate(Edit):
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        return cls.call(rng.choice((24, 25, 60)))

    @staticmethod
    def apply(fps: int) -> None:
        bpy.context.scene.render.fps = fps
        bpy.context.view_layer.update()


class UpdateExtension(Edit):
    """The extension is switched off and on, as an update of it does."""

    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        return cls.call()

    @staticmethod
    def apply() -> None:
        neurarig_addon.unregister()
        neurarig_addon.register()


class SaveAndOpen(Edit):
    weight = 3

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        return cls.call()

    @staticmethod
    def apply() -> None:
        with tempfile.TemporaryDirectory(prefix="neurarig_") as folder:
            path = str(Path(folder) / "scene.blend")
            bpy.ops.wm.save_as_mainfile(filepath=path)
            bpy.ops.wm.open_mainfile(filepath=path)


class AppendToNewFile(Edit):
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        return None if in_edit_mode() else cls.call(tuple(sorted(ledger.objects)))

    @staticmethod
    def apply(objects: tuple[str, ...]) -> None:
        with tempfile.TemporaryDirectory(prefix="neurarig_") as folder:
            path = str(Path(folder) / "scene.blend")
            bpy.ops.wm.save_as_mainfile(filepath=path)
            bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
            with bpy.data.libraries.load(path) as (there, wanted):
                wanted.objects = [name for name in there.objects if name in objects]
            for obj in wanted.objects:
                bpy.context.scene.collection.objects.link(obj)
            bpy.context.view_layer.update()


class Undo(Edit):
    weight = 2

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        return cls.call()

    @staticmethod
    def apply() -> None:
        bpy.ops.ed.undo()


class Redo(Edit):
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        return cls.call()

    @staticmethod
    def apply() -> None:
        bpy.ops.ed.redo()
