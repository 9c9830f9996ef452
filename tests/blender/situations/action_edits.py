"""What a user does to keys and actions, theirs and ours."""

from random import Random

import bpy

from neurarig_addon.blender.animation import compat
from tests.blender.situations.edit import Call, Edit, animation_of, in_edit_mode, tweaks, whose
from tests.blender.situations.ledger import Ledger


class KeyBone(Edit):
    weight = 4

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj = ledger.hero(rng)
        bones = ledger.bones_of(obj, "FREE")
        return (
            cls.call(obj.name, rng.choice(bones), rng.choice((3, 8, 15)))
            if bones and not in_edit_mode()
            else None
        )

    @staticmethod
    def apply(obj: str, bone: str, frame: int) -> None:
        posed = bpy.data.objects[obj].pose.bones[bone]
        posed.location.z = 0.001 * frame
        posed.keyframe_insert("location", frame=frame)

    @staticmethod
    def note(ledger: Ledger, obj: str, bone: str, frame: int) -> None:
        keyed = bpy.data.objects[obj]
        if tweaks(keyed):  # a strip has a time of its own
            ledger.keyed_meanwhile.add(
                (bone, keyed.animation_data.nla_tweak_strip_time_to_scene(frame, invert=True))
            )
        elif ledger.attached[obj] or obj in ledger.applied:
            ledger.keyed_meanwhile.add((bone, float(frame)))


class ChooseAction(Edit):
    weight = 2

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj = ledger.hero(rng)
        if tweaks(obj) or ledger.keyed_meanwhile:
            return None
        names = ledger.actions_of("THEIRS")
        return cls.call(obj.name, rng.choice(names)) if names else None

    @staticmethod
    def apply(obj: str, action: str) -> None:
        chosen = bpy.data.actions[action]
        compat.assign(animation_of(obj), chosen, compat.suitable_slot(chosen, bpy.data.objects[obj]))

    @staticmethod
    def note(ledger: Ledger, obj: str, action: str) -> None:
        ledger.chosen_meanwhile |= ledger.attached[obj] is not None


class RenameAction(Edit):
    weight = 2

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        group = whose(rng)
        names = ledger.actions_of(group)
        return cls.call(rng.choice(names), ledger.new_name(), of_ours=group == "OURS") if names else None

    @staticmethod
    def apply(old: str, new: str) -> None:
        bpy.data.actions[old].name = new

    @staticmethod
    def note(ledger: Ledger, old: str, new: str) -> None:
        if old in ledger.actions:
            ledger.actions.remove(old)
            ledger.actions.add(new)


class CopyAction(Edit):
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        names = ledger.actions_of("THEIRS")
        return (
            cls.call(rng.choice(names), ledger.new_name()) if names and not ledger.keyed_meanwhile else None
        )

    @staticmethod
    def apply(action: str, name: str) -> None:
        made = bpy.data.actions[action].copy()
        made.name, made.use_fake_user = name, True

    @staticmethod
    def note(ledger: Ledger, action: str, name: str) -> None:
        ledger.actions.add(name)


class DeleteAction(Edit):
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        names = (
            [] if any(tweaks(bpy.data.objects[name]) for name in ledger.heroes) else ledger.actions_of("OURS")
        )
        return cls.call(rng.choice(names), of_ours=True) if names and not ledger.keyed_meanwhile else None

    @staticmethod
    def apply(action: str) -> None:
        bpy.data.actions.remove(bpy.data.actions[action])
