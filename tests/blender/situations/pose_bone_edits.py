"""What a user does to bones without Edit Mode: poses, locks and collects them."""

from random import Random

import bpy

from tests.blender.situations.bone_edits import VALUES, drawn_bone
from tests.blender.situations.edit import Call, Edit, in_edit_mode, whose
from tests.blender.situations.ledger import Ledger


class PoseBone(Edit):
    weight = 2

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        found = None if in_edit_mode() else drawn_bone(ledger, rng, "FREE")
        return found and cls.call(found[0].name, found[1], rng.choice(VALUES))

    @staticmethod
    def apply(obj: str, bone: str, value: float) -> None:
        posed = bpy.data.objects[obj].pose.bones[bone]
        posed.rotation_mode = "XYZ"
        posed.location.x, posed.rotation_euler.y, posed.scale.z = value, value, 1.0 + value
        posed.lock_rotation[0] = posed["grip"] = value > 0.0

    @staticmethod
    def note(ledger: Ledger, obj: str, bone: str, value: float) -> None:
        if ledger.attached[obj]:
            ledger.posed_meanwhile.add(bone)


class LockBone(Edit):
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        found = None if in_edit_mode() else drawn_bone(ledger, rng, "THEIRS")
        return found and cls.call(found[0].name, found[1])

    @staticmethod
    def apply(obj: str, bone: str) -> None:
        posed = bpy.data.objects[obj].pose.bones[bone]
        posed.lock_location[1] = not posed.lock_location[1]
        posed.color.palette = "THEME05"
        posed.custom_shape = bpy.data.objects.get("Prop")
        posed.bone["note"] = "by hand"


class CollectBone(Edit):
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        found = None if in_edit_mode() else drawn_bone(ledger, rng, "THEIRS")
        return found and cls.call(found[0].name, found[1], ledger.new_name())

    @staticmethod
    def apply(obj: str, bone: str, name: str) -> None:
        armature = bpy.data.objects[obj].data
        armature.collections.new(name).assign(armature.bones[bone])

    @staticmethod
    def note(ledger: Ledger, obj: str, bone: str, name: str) -> None:
        ledger.collections[bpy.data.objects[obj].data.name].add(name)


class RenameBoneCollection(Edit):
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj = ledger.hero(rng)
        own = ledger.collections[obj.data.name]
        group = whose(rng)
        names = [one.name for one in obj.data.collections_all if (one.name in own) == (group == "THEIRS")]
        return (
            cls.call(obj.name, rng.choice(names), ledger.new_name(), of_ours=group == "OURS")
            if names and not in_edit_mode()
            else None
        )

    @staticmethod
    def apply(obj: str, old: str, new: str) -> None:
        bpy.data.objects[obj].data.collections_all[old].name = new

    @staticmethod
    def note(ledger: Ledger, obj: str, old: str, new: str) -> None:
        own = ledger.collections[bpy.data.objects[obj].data.name]
        if old in own:
            own.remove(old)
            own.add(new)
