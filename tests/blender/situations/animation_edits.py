"""What a user does to keys, actions and the NLA, theirs and ours."""

from random import Random

import bpy

from neurarig_addon.blender.animation import compat
from tests.blender.situations.edit import Call, Edit, in_edit_mode, whose
from tests.blender.situations.ledger import Ledger


def _data(obj: str) -> bpy.types.AnimData:
    return bpy.data.objects[obj].animation_data or bpy.data.objects[obj].animation_data_create()


def _tweaks(obj: bpy.types.Object) -> bool:
    return obj.animation_data is not None and obj.animation_data.use_tweak_mode


class KeyBone(Edit):
    weight = 4

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj = ledger.hero(rng)
        bones = ledger.bones_of(obj, "FREE")
        return cls.call(obj.name, rng.choice(bones), rng.choice((3, 8, 15))) if bones and not in_edit_mode() else None

    @staticmethod
    def apply(obj: str, bone: str, frame: int) -> None:
        posed = bpy.data.objects[obj].pose.bones[bone]
        posed.location.z = 0.001 * frame
        posed.keyframe_insert("location", frame=frame)

    @staticmethod
    def note(ledger: Ledger, obj: str, bone: str, frame: int) -> None:
        if ledger.attached[obj] or _tweaks(bpy.data.objects[obj]):
            ledger.keyed_meanwhile.add((bone, float(frame)))


class PushDown(Edit):
    weight = 2

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj = ledger.hero(rng)
        action = obj.animation_data.action if obj.animation_data else None
        if action is None or action.name not in ledger.actions or _tweaks(obj) or ledger.keyed_meanwhile:
            return None
        return cls.call(obj.name, ledger.new_name())

    @staticmethod
    def apply(obj: str, track: str) -> None:
        data = _data(obj)
        action, slot = compat.assigned(data)
        made = data.nla_tracks.new()
        made.name = track
        compat.assign(made.strips.new(action.name, 1, action), action, slot)
        data.action = None

    @staticmethod
    def note(ledger: Ledger, obj: str, track: str) -> None:
        ledger.tracks[obj].add(track)


class ChooseAction(Edit):
    weight = 2

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj = ledger.hero(rng)
        if _tweaks(obj) or ledger.keyed_meanwhile:
            return None
        names = ledger.actions_of("THEIRS")
        return cls.call(obj.name, rng.choice(names)) if names else None

    @staticmethod
    def apply(obj: str, action: str) -> None:
        chosen = bpy.data.actions[action]
        compat.assign(_data(obj), chosen, compat.suitable_slot(chosen, bpy.data.objects[obj]))

    @staticmethod
    def note(ledger: Ledger, obj: str, action: str) -> None:
        ledger.chosen_meanwhile |= ledger.attached[obj] is not None


class AddTrack(Edit):
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj = ledger.hero(rng)
        return None if _tweaks(obj) else cls.call(obj.name, rng.choice(("NeuraRig Walk ", "")) + ledger.new_name(), rng.random() < 0.6)

    @staticmethod
    def apply(obj: str, name: str, with_clip: bool) -> None:
        track = _data(obj).nla_tracks.new()
        track.name = name
        if with_clip and "clip" in bpy.data.actions:
            clip = bpy.data.actions["clip"]
            compat.assign(track.strips.new("clip", 40, clip), clip, compat.suitable_slot(clip, bpy.data.objects[obj]))

    @staticmethod
    def note(ledger: Ledger, obj: str, name: str, with_clip: bool) -> None:
        ledger.tracks[obj].add(name)


class RenameTrack(Edit):
    weight = 3

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj, group = ledger.hero(rng), whose(rng)
        names = ledger.tracks_of(obj, group)
        return cls.call(obj.name, rng.choice(names), ledger.new_name(), of_ours=group == "OURS") if names else None

    @staticmethod
    def apply(obj: str, old: str, new: str) -> None:
        _data(obj).nla_tracks[old].name = new

    @staticmethod
    def note(ledger: Ledger, obj: str, old: str, new: str) -> None:
        if old in ledger.tracks[obj]:
            ledger.tracks[obj].remove(old)
            ledger.tracks[obj].add(new)


class MuteTrack(Edit):
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj = ledger.hero(rng)
        names = [] if _tweaks(obj) or ledger.attached[obj.name] else ledger.tracks_of(obj, "THEIRS")
        return cls.call(obj.name, rng.choice(names)) if names else None

    @staticmethod
    def apply(obj: str, track: str) -> None:
        found = _data(obj).nla_tracks[track]
        found.mute = not found.mute


class SoloTrack(Edit):
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj = ledger.hero(rng)
        names = [] if _tweaks(obj) else ledger.tracks_of(obj, "THEIRS")
        return cls.call(obj.name, rng.choice(names)) if names else None

    @staticmethod
    def apply(obj: str, track: str) -> None:
        found = _data(obj).nla_tracks[track]
        found.is_solo = not found.is_solo


class DeleteTrack(Edit):
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj, group = ledger.hero(rng), whose(rng)
        names = [] if _tweaks(obj) else ledger.tracks_of(obj, group)
        return cls.call(obj.name, rng.choice(names), of_ours=group == "OURS") if names else None

    @staticmethod
    def apply(obj: str, track: str) -> None:
        tracks = _data(obj).nla_tracks
        for strip in tracks[track].strips:  # who deletes a track wants the action to stay in the file
            if strip.action is not None:
                strip.action.use_fake_user = True
        tracks.remove(tracks[track])

    @staticmethod
    def note(ledger: Ledger, obj: str, track: str) -> None:
        ledger.chosen_meanwhile |= track not in ledger.tracks[obj]  # there is nothing to give back
        ledger.tracks[obj].discard(track)


class SelectNoTrack(Edit):
    """What is seen of tweaking a strip of ours on a twin that has none."""

    @staticmethod
    def apply(obj: str) -> None:
        for track in _data(obj).nla_tracks:
            track.select = False


class Tweak(Edit):
    weight = 3

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj, group = ledger.hero(rng), whose(rng)
        if obj.animation_data is None or _tweaks(obj):
            return None
        tracks = obj.animation_data.nla_tracks
        names = [name for name in ledger.tracks_of(obj, group) if any(strip.action for strip in tracks[name].strips)]
        return cls.call(obj.name, rng.choice(names), of_ours=group == "OURS", twin=SelectNoTrack.call(obj.name)) if names else None

    @staticmethod
    def apply(obj: str, track: str) -> None:
        data = _data(obj)
        chosen = data.nla_tracks[track]
        chosen.lock = chosen.mute = False
        for other in data.nla_tracks:
            other.select = other == chosen
        data.nla_tracks.active = chosen
        chosen.strips[0].select = True
        data.use_tweak_mode = True


class LeaveTweak(Edit):
    weight = 2

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj = ledger.hero(rng)
        return cls.call(obj.name) if _tweaks(obj) else None

    @staticmethod
    def apply(obj: str) -> None:
        if _tweaks(bpy.data.objects[obj]):
            _data(obj).use_tweak_mode = False


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
        return cls.call(rng.choice(names), ledger.new_name()) if names and not ledger.keyed_meanwhile else None

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
        names = [] if any(_tweaks(bpy.data.objects[name]) for name in ledger.heroes) else ledger.actions_of("OURS")
        return cls.call(rng.choice(names), of_ours=True) if names and not ledger.keyed_meanwhile else None

    @staticmethod
    def apply(action: str) -> None:
        bpy.data.actions.remove(bpy.data.actions[action])
