"""What a user does to bones, theirs and ours."""

from random import Random

import bpy

from tests.blender.situations.edit import Call, Edit, can_be_entered, edit_bones, in_edit_mode, pick, whose
from tests.blender.situations.ledger import Ledger

VALUES = (-0.07, 0.03, 0.11)


def drawn_bone(ledger: Ledger, rng: Random, group: str) -> tuple[bpy.types.Object, str] | None:
    """Draw a character that can be edited and one of its bones."""
    obj = ledger.hero(rng)
    if not can_be_entered(obj) or (in_edit_mode() and obj.mode != "EDIT"):
        return None
    names = ledger.bones_of(obj, group)
    return (obj, rng.choice(names)) if names else None


def _can_be_picked(obj: bpy.types.Object, name: str) -> bool:
    """Say whether a bone is seen, and so can be clicked on."""
    bone = (obj.data.edit_bones if obj.mode == "EDIT" else obj.data.bones)[name]
    return not bone.hide and (
        not bone.collections or any(one.is_visible_effectively for one in bone.collections)
    )


class RenameBone(Edit):
    weight = 3

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        group = whose(rng)
        found = drawn_bone(ledger, rng, group)
        return found and cls.call(found[0].name, found[1], ledger.new_name(), of_ours=group == "OURS")

    @staticmethod
    def apply(obj: str, bone: str, name: str) -> None:
        armature = bpy.data.objects[obj].data
        (armature.edit_bones if bpy.data.objects[obj].mode == "EDIT" else armature.bones)[bone].name = name

    @staticmethod
    def note(ledger: Ledger, obj: str, bone: str, name: str) -> None:
        armature = bpy.data.objects[obj].data.name
        if bone in ledger.bones[armature] | ledger.ours_copied[armature]:
            ledger.rename_bone(armature, bone, name)


class SwapBones(Edit):
    """Two bones take each other's name, as Flip Names does."""

    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        found = drawn_bone(ledger, rng, "THEIRS")
        other = found and rng.choice(ledger.bones_of(found[0], "THEIRS"))
        return (
            found and other and cls.call(found[0].name, found[1], other)
            if other != (found and found[1])
            else None
        )

    @staticmethod
    def apply(obj: str, first: str, second: str) -> None:
        for old, new in _swapped(first, second):
            RenameBone.apply(obj, old, new)

    @staticmethod
    def note(ledger: Ledger, obj: str, first: str, second: str) -> None:
        for old, new in _swapped(first, second):
            RenameBone.note(ledger, obj, old, new)


def _swapped(first: str, second: str) -> tuple[tuple[str, str], ...]:
    return (first, "in between"), (second, first), ("in between", second)


class EnterEditMode(Edit):
    """What is seen of an edit of our bones on a twin that has none."""

    @staticmethod
    def apply(obj: str, select_nothing: bool) -> None:
        with edit_bones(obj):
            if select_nothing:
                bpy.ops.armature.select_all(action="DESELECT")


class _MadeFromBone(Edit):
    """A bone that the user makes from another; one made from ours is the user's, though no twin can have
    it."""

    groups = ("FREE", "OURS")
    selects = True

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        group = rng.choice(cls.groups)
        found = drawn_bone(ledger, rng, group)
        if found is None or not _can_be_picked(*found):
            return None
        instead = EnterEditMode.call(found[0].name, cls.selects)
        return cls.call(found[0].name, found[1], ledger.new_name(), of_ours=group == "OURS", twin=instead)

    @staticmethod
    def note(ledger: Ledger, obj: str, bone: str, name: str) -> None:
        armature = bpy.data.objects[obj].data.name
        is_theirs = bone in ledger.bones[armature]
        (ledger.bones if is_theirs else ledger.ours_copied)[armature].add(name)
        if is_theirs:
            ledger.free[armature].add(name)


class DuplicateBone(_MadeFromBone):
    weight = 2

    @staticmethod
    def apply(obj: str, bone: str, name: str) -> None:
        with edit_bones(obj) as bones:
            pick(bones, bone)
            bpy.ops.armature.duplicate()
            bones.active.name = name

    @staticmethod
    def note(ledger: Ledger, obj: str, bone: str, name: str) -> None:
        _MadeFromBone.note(ledger, obj, bone, name)
        on_first = {constraint for owner, constraint in ledger.constraints[obj] if owner == bone}
        ledger.constraints[obj] |= {(name, constraint) for constraint in on_first}


class ExtrudeBone(_MadeFromBone):
    weight = 2

    @staticmethod
    def apply(obj: str, bone: str, name: str) -> None:
        with edit_bones(obj) as bones:
            before = {one.name for one in bones}
            pick(bones, bone, tail_only=True)
            bpy.ops.armature.extrude()
            made = next(one for one in bones if one.name not in before)
            made.tail.z += 0.1
            made.name = name


class AddChildBone(_MadeFromBone):
    weight = 1
    groups = ("THEIRS", "OURS")
    selects = False

    @staticmethod
    def apply(obj: str, bone: str, name: str) -> None:
        with edit_bones(obj) as bones:
            made = bones.new(name)
            made.head = bones[bone].tail
            made.tail = (made.head.x, made.head.y, made.head.z + 0.1)
            made.parent = bones[bone]


class DeleteBone(Edit):
    weight = 2

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        group = rng.choice(("FREE", "FREE", "THEIRS", "OURS"))
        found = drawn_bone(ledger, rng, group)
        if found is None:
            return None
        return cls.call(
            found[0].name, found[1], of_ours=group == "OURS", twin=EnterEditMode.call(found[0].name, False)
        )

    @staticmethod
    def apply(obj: str, bone: str) -> None:
        with edit_bones(obj) as bones:
            bones.remove(bones[bone])

    @staticmethod
    def note(ledger: Ledger, obj: str, bone: str) -> None:
        ledger.drop_bone(bpy.data.objects[obj].data.name, bone)


class MoveBone(Edit):
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        found = drawn_bone(ledger, rng, "FREE")
        return found and cls.call(found[0].name, found[1], rng.choice(VALUES))

    @staticmethod
    def apply(obj: str, bone: str, by: float) -> None:
        with edit_bones(obj) as bones:
            bones[bone].tail.x += by
            bones[bone].roll += by
