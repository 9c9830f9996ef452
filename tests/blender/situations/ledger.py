"""What is the user's in a file, by the names that it has now: so that what is ours is known without asking
the add-on."""

import copy
from collections import defaultdict
from dataclasses import dataclass, field
from random import Random

import bpy

from tests.blender.situations.characters import Character

WALK, CLIP, POSE = "walk", "clip", "pose"
THING = "Prop"


@dataclass
class Ledger:
    """The names of all that is the user's, kept up to date with every edit.

    Bones and bone collections are by armature, constraints (bone, name) and tracks by object. `free`: bones
    that nothing of ours moves.
    `ours_copied`: bones that the user made from ours. `renamed`: a bone's first name -> its name now.
    `attached`: what of ours is on a
    character. `keyed_meanwhile`: (bone, frame) of keys that were set while it was. `posed_meanwhile`: bones
    that were
    posed, without keys, while the action that keys them did not play. `chosen_meanwhile`: whether the user
    chose another
    action while it was. `carried`: characters whose own place a bake or clip may have keyed. `applied`:
    characters that keep what a
    clip, targets or a bake gave them, as the user wanted. `targets_left`: whether the user deleted a
    character that had targets.
    `undriven`: constraints, as paths of the record, whose driver the user deleted while something of ours had
    set the switch it reads.
    `things`: what hands can take, with constraints (thing, name). `ours_left`: copies that the user made of
    objects of ours.
    """

    heroes: list[str]
    bones: dict[str, set[str]]
    free: dict[str, set[str]]
    collections: dict[str, set[str]]
    constraints: dict[str, set[tuple[str, str]]]
    tracks: dict[str, set[str]]
    actions: set[str]
    objects: set[str]
    attached: dict[str, str | None]
    ours_copied: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    renamed: dict[str, str] = field(default_factory=dict)
    keyed_meanwhile: set[tuple[str, float]] = field(default_factory=set)
    posed_meanwhile: set[str] = field(default_factory=set)
    chosen_meanwhile: bool = False
    carried: set[str] = field(default_factory=set)
    applied: set[str] = field(default_factory=set)
    targets_left: bool = False
    undriven: set[str] = field(default_factory=set)
    things: set[str] = field(default_factory=set)
    thing_constraints: set[tuple[str, str]] = field(default_factory=set)
    ours_left: set[str] = field(default_factory=set)
    count: int = 0

    @classmethod
    def of(cls, character: Character) -> "Ledger":
        """Return what is the user's in a file that nothing of ours has touched."""
        obj = character.obj
        return cls(
            heroes=[obj.name],
            bones={obj.data.name: {bone.name for bone in obj.data.bones}},
            free={obj.data.name: set(character.free)},
            collections={obj.data.name: {collection.name for collection in obj.data.collections_all}},
            constraints={obj.name: set(_constraints(obj))},
            tracks={
                obj.name: {track.name for track in obj.animation_data.nla_tracks}
                if obj.animation_data
                else set()
            },
            actions={action.name for action in bpy.data.actions},
            objects={other.name for other in bpy.data.objects},
            attached={obj.name: None},
            things={THING},
        )

    @property
    def plays_other(self) -> bool:
        """Say whether a character may rightly play another action than its twin."""
        return self.chosen_meanwhile or bool(self.keyed_meanwhile or self.applied)

    def copy(self) -> "Ledger":
        """Return the ledger as it is now, for when the user undoes what comes."""
        return copy.deepcopy(self)

    def new_name(self) -> str:
        """Return a name that nobody has."""
        self.count += 1
        return f"mine {self.count}"

    def hero(self, rng: Random) -> bpy.types.Object:
        """Return one of the characters."""
        return bpy.data.objects[rng.choice(self.heroes)]

    def bones_of(self, obj: bpy.types.Object, whose: str) -> list[str]:
        """Return the bones of an armature that are `whose`: FREE, THEIRS or OURS."""
        own = self.bones[obj.data.name]
        if whose == "OURS":
            return [
                bone.name for bone in obj.data.bones if bone.name not in own | self.ours_copied[obj.data.name]
            ]
        return sorted(self.free[obj.data.name] if whose == "FREE" else own)

    def constraints_of(self, obj: bpy.types.Object, whose: str) -> list[tuple[str, str]]:
        """Return the (bone, constraint) of a character that are `whose`: THEIRS or OURS, those on our own
        bones left out."""
        own = self.constraints[obj.name]
        if whose == "THEIRS":
            return sorted(own)
        return [
            pair for pair in _constraints(obj) if pair not in own and pair[0] in self.bones[obj.data.name]
        ]

    def tracks_of(self, obj: bpy.types.Object, whose: str) -> list[str]:
        """Return the NLA tracks of a character that are `whose`: THEIRS or OURS."""
        found = [track.name for track in obj.animation_data.nla_tracks] if obj.animation_data else []
        return [name for name in found if (name in self.tracks[obj.name]) == (whose == "THEIRS")]

    def actions_of(self, whose: str) -> list[str]:
        """Return the actions that the file still has and that are `whose`: THEIRS or OURS."""
        return [
            action.name for action in bpy.data.actions if (action.name in self.actions) == (whose == "THEIRS")
        ]

    def rename_bone(self, armature: str, old: str, new: str) -> None:
        """Follow a bone to its new name."""
        for names in (self.bones[armature], self.free[armature], self.ours_copied[armature]):
            if old in names:
                names.remove(old)
                names.add(new)
        first = next((name for name, now in self.renamed.items() if now == old), old)
        self.renamed[first] = new
        for obj in (
            obj for obj in bpy.data.objects if obj.name in self.constraints and obj.data.name == armature
        ):
            pairs = self.constraints[obj.name]
            self.constraints[obj.name] = {(new if bone == old else bone, name) for bone, name in pairs}

    def drop_bone(self, armature: str, name: str) -> None:
        """Forget a bone that the user deleted, and what was on it."""
        for names in (self.bones[armature], self.free[armature], self.ours_copied[armature]):
            names.discard(name)
        for obj in (
            obj for obj in bpy.data.objects if obj.name in self.constraints and obj.data.name == armature
        ):
            self.constraints[obj.name] = {pair for pair in self.constraints[obj.name] if pair[0] != name}

    def rename_object(self, old: str, new: str) -> None:
        """Follow an object to its new name."""
        self.heroes = [new if name == old else name for name in self.heroes]
        self.objects = {new if name == old else name for name in self.objects}
        for by_object in (self.constraints, self.tracks, self.attached):
            if old in by_object:
                by_object[new] = by_object.pop(old)
        for names in (self.carried, self.applied):
            if old in names:
                names.remove(old)
                names.add(new)

    def thing(self, rng: Random) -> str | None:
        """Return one of the things that hands can take, None where all are deleted."""
        return rng.choice(sorted(self.things)) if self.things else None

    def made(self) -> list[str]:
        """Return the empties that are ours and belong to acts."""
        marks = {"neurarig_target", "neurarig_print"}
        own = self.objects | self.ours_left
        return [
            one.name
            for one in bpy.data.objects
            if one.type == "EMPTY" and one.name not in own and not marks & set(one.keys())
        ]

    def rename_thing(self, old: str, new: str) -> None:
        """Follow a thing to its new name."""
        self.rename_object(old, new)
        self.things = {new if name == old else name for name in self.things}
        self.thing_constraints = {
            (new if thing == old else thing, name) for thing, name in self.thing_constraints
        }

    def copy_object(self, of: str, data: str, name: str, new_data: str) -> None:
        """Take a duplicate of a character in, which has all that the first has."""
        self.heroes.append(name)
        self.objects.add(name)
        for by_object in (self.constraints, self.tracks):
            by_object[name] = set(by_object[of])
        self.attached[name] = self.attached[of]
        for names in (self.carried, self.applied):
            if of in names:
                names.add(name)
        for by_armature in (self.bones, self.free, self.collections, self.ours_copied):
            by_armature[new_data] = set(by_armature[data])

    def rename_data(self, old: str, new: str) -> None:
        """Follow an armature to its new name."""
        for by_armature in (self.bones, self.free, self.collections, self.ours_copied):
            by_armature[new] = by_armature.pop(old, set())


def _constraints(obj: bpy.types.Object) -> list[tuple[str, str]]:
    return [(bone.name, constraint.name) for bone in obj.pose.bones for constraint in bone.constraints]
