"""What a user does to the scene, the extension and the file."""

import tempfile
from pathlib import Path
from random import Random

import bpy

import neurarig_addon
from tests.blender.situations.edit import Call, Edit, in_edit_mode
from tests.blender.situations.ledger import Ledger


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
