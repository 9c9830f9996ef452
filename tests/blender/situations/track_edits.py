"""What a user does to the NLA, theirs and ours."""

from random import Random

import bpy

from neurarig_addon.blender.animation import compat
from tests.blender.situations.edit import Call, Edit, animation_of, tweaks, whose
from tests.blender.situations.ledger import Ledger


class PushDown(Edit):
    weight = 2

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj = ledger.hero(rng)
        action = obj.animation_data.action if obj.animation_data else None
        if action is None or action.name not in ledger.actions or tweaks(obj) or ledger.keyed_meanwhile:
            return None
        return cls.call(obj.name, ledger.new_name())

    @staticmethod
    def apply(obj: str, track: str) -> None:
        data = animation_of(obj)
        action, slot = compat.assigned(data)
        made = data.nla_tracks.new()
        made.name = track
        compat.assign(made.strips.new(action.name, 1, action), action, slot)
        data.action = None

    @staticmethod
    def note(ledger: Ledger, obj: str, track: str) -> None:
        ledger.tracks[obj].add(track)


class AddTrack(Edit):
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj = ledger.hero(rng)
        return (
            None
            if tweaks(obj)
            else cls.call(
                obj.name, rng.choice(("NeuraRig Walk ", "")) + ledger.new_name(), rng.random() < 0.6
            )
        )

    @staticmethod
    def apply(obj: str, name: str, with_clip: bool) -> None:
        track = animation_of(obj).nla_tracks.new()
        track.name = name
        if with_clip and "clip" in bpy.data.actions:
            clip = bpy.data.actions["clip"]
            compat.assign(
                track.strips.new("clip", 40, clip), clip, compat.suitable_slot(clip, bpy.data.objects[obj])
            )

    @staticmethod
    def note(ledger: Ledger, obj: str, name: str, with_clip: bool) -> None:
        ledger.tracks[obj].add(name)


class RenameTrack(Edit):
    weight = 3

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj, group = ledger.hero(rng), whose(rng)
        names = ledger.tracks_of(obj, group)
        return (
            cls.call(obj.name, rng.choice(names), ledger.new_name(), of_ours=group == "OURS")
            if names
            else None
        )

    @staticmethod
    def apply(obj: str, old: str, new: str) -> None:
        animation_of(obj).nla_tracks[old].name = new

    @staticmethod
    def note(ledger: Ledger, obj: str, old: str, new: str) -> None:
        if old in ledger.tracks[obj]:
            ledger.tracks[obj].remove(old)
            ledger.tracks[obj].add(new)
        else:
            ledger.applied.add(obj)  # the bake on it is the user's now


class MuteTrack(Edit):
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj = ledger.hero(rng)
        names = [] if tweaks(obj) or ledger.attached[obj.name] else ledger.tracks_of(obj, "THEIRS")
        return cls.call(obj.name, rng.choice(names)) if names else None

    @staticmethod
    def apply(obj: str, track: str) -> None:
        found = animation_of(obj).nla_tracks[track]
        found.mute = not found.mute


class SoloTrack(Edit):
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj = ledger.hero(rng)
        names = [] if tweaks(obj) else ledger.tracks_of(obj, "THEIRS")
        return cls.call(obj.name, rng.choice(names)) if names else None

    @staticmethod
    def apply(obj: str, track: str) -> None:
        found = animation_of(obj).nla_tracks[track]
        found.is_solo = not found.is_solo


class DeleteTrack(Edit):
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj, group = ledger.hero(rng), whose(rng)
        names = [] if tweaks(obj) else ledger.tracks_of(obj, group)
        return cls.call(obj.name, rng.choice(names), of_ours=group == "OURS") if names else None

    @staticmethod
    def apply(obj: str, track: str) -> None:
        tracks = animation_of(obj).nla_tracks
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
        for track in animation_of(obj).nla_tracks:
            track.select = False


class Tweak(Edit):
    weight = 3

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj, group = ledger.hero(rng), whose(rng)
        if obj.animation_data is None or tweaks(obj):
            return None
        tracks = obj.animation_data.nla_tracks
        names = [
            name
            for name in ledger.tracks_of(obj, group)
            if any(strip.action for strip in tracks[name].strips)
        ]
        return (
            cls.call(obj.name, rng.choice(names), of_ours=group == "OURS", twin=SelectNoTrack.call(obj.name))
            if names
            else None
        )

    @staticmethod
    def apply(obj: str, track: str) -> None:
        data = animation_of(obj)
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
        return cls.call(obj.name) if tweaks(obj) else None

    @staticmethod
    def apply(obj: str) -> None:
        if tweaks(bpy.data.objects[obj]):
            animation_of(obj).use_tweak_mode = False
