"""What a user does to the things that hands take, and to what of ours belongs to them."""

import re
from random import Random

import bpy

from tests.blender.situations.edit import Call, Edit, in_edit_mode, to_object_mode, whose
from tests.blender.situations.ledger import Ledger


def _draw(edit: type[Edit], ledger: Ledger, rng: Random, *args: object) -> Call | None:
    thing = ledger.thing(rng)
    return None if thing is None or in_edit_mode() else edit.call(thing, *args)


class RenameThing(Edit):
    weight = 2

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        return _draw(cls, ledger, rng, ledger.new_name())

    @staticmethod
    def apply(old: str, new: str) -> None:
        bpy.data.objects[old].name = new

    @staticmethod
    def note(ledger: Ledger, old: str, new: str) -> None:
        ledger.rename_thing(old, new)


class MoveThing(Edit):
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        return _draw(cls, ledger, rng, rng.choice((-0.1, 0.1)))

    @staticmethod
    def apply(thing: str, by: float) -> None:
        bpy.data.objects[thing].location.x += by
        bpy.context.view_layer.update()


class CopyThing(Edit):
    weight = 2

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        return _draw(cls, ledger, rng, ledger.new_name()) if len(ledger.things) < 4 else None

    @staticmethod
    def apply(thing: str, name: str) -> None:
        made = bpy.data.objects[thing].copy()
        made.name = name
        bpy.context.scene.collection.objects.link(made)
        bpy.context.view_layer.update()

    @staticmethod
    def note(ledger: Ledger, thing: str, name: str) -> None:
        ledger.things.add(name)
        ledger.objects.add(name)
        ledger.thing_constraints |= {
            (name, constraint) for owner, constraint in ledger.thing_constraints if owner == thing
        }


class DeleteThing(Edit):
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        return _draw(cls, ledger, rng)

    @staticmethod
    def apply(thing: str) -> None:
        bpy.data.objects.remove(bpy.data.objects[thing])
        bpy.context.view_layer.update()

    @staticmethod
    def note(ledger: Ledger, thing: str) -> None:
        ledger.things.discard(thing)
        ledger.objects.discard(thing)
        ledger.thing_constraints = {pair for pair in ledger.thing_constraints if pair[0] != thing}


class AnimateThing(Edit):
    """A thing gets animation data, with a setting of the user's but no keys."""

    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        return _draw(
            cls,
            ledger,
            rng,
            rng.choice((("action_blend_type", "ADD"), ("action_influence", 0.5), ("use_nla", False))),
        )

    @staticmethod
    def apply(thing: str, setting: tuple[str, object]) -> None:
        data = bpy.data.objects[thing].animation_data or bpy.data.objects[thing].animation_data_create()
        setattr(data, *setting)


class ConstrainThing(Edit):
    """A thing gets a constraint of the user's, which may be called like ours and points where ours do."""

    weight = 2

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        kind, name = rng.choice((("CHILD_OF", "NeuraRig Held"), ("COPY_TRANSFORMS", "NeuraRig Put Down")))
        return _draw(
            cls,
            ledger,
            rng,
            kind,
            rng.choice((name, ledger.new_name())) + f" {ledger.count}",
            ledger.hero(rng).name,
        )

    @staticmethod
    def apply(thing: str, kind: str, name: str, target: str) -> None:
        made = bpy.data.objects[thing].constraints.new(kind)
        made.name, made.target, made.influence = name, bpy.data.objects[target], 0.0
        if kind == "CHILD_OF":
            made.set_inverse_pending = False

    @staticmethod
    def note(ledger: Ledger, thing: str, kind: str, name: str, target: str) -> None:
        ledger.thing_constraints.add((thing, name))


class _OfConstraint(Edit):
    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        group, own = whose(rng), ledger.thing_constraints
        there = [
            (thing, one.name)
            for thing in sorted(ledger.things)
            for one in bpy.data.objects[thing].constraints
        ]
        found = [pair for pair in there if (pair in own) == (group == "THEIRS")]
        if not found or in_edit_mode():
            return None
        return cls.call(*rng.choice(found), *cls.more(ledger), of_ours=group == "OURS")

    @staticmethod
    def more(ledger: Ledger) -> tuple[str, ...]:
        """Return what else is drawn."""
        return ()


class RenameThingConstraint(_OfConstraint):
    weight = 2

    @staticmethod
    def more(ledger: Ledger) -> tuple[str, ...]:
        return (ledger.new_name(),)

    @staticmethod
    def apply(thing: str, old: str, new: str) -> None:
        bpy.data.objects[thing].constraints[old].name = new

    @staticmethod
    def note(ledger: Ledger, thing: str, old: str, new: str) -> None:
        if (thing, old) in ledger.thing_constraints:
            ledger.thing_constraints.remove((thing, old))
            ledger.thing_constraints.add((thing, new))


class DeleteThingConstraint(_OfConstraint):
    weight = 1

    @staticmethod
    def apply(thing: str, name: str) -> None:
        constraints = bpy.data.objects[thing].constraints
        constraints.remove(constraints[name])

    @staticmethod
    def note(ledger: Ledger, thing: str, name: str) -> None:
        ledger.thing_constraints.discard((thing, name))


class _OfMade(Edit):
    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        there = ledger.made()
        return (
            cls.call(rng.choice(there), ledger.new_name(), of_ours=True)
            if there and not in_edit_mode()
            else None
        )


class RenameMade(_OfMade):
    weight = 2

    @staticmethod
    def apply(old: str, new: str) -> None:
        bpy.data.objects[old].name = new


class DeleteMade(_OfMade):
    weight = 1

    @staticmethod
    def apply(made: str, _: str) -> None:
        bpy.data.objects.remove(bpy.data.objects[made])
        bpy.context.view_layer.update()


class CopyMade(_OfMade):
    """The user's copy of an empty of ours is the user's."""

    weight = 1

    @staticmethod
    def apply(made: str, name: str) -> None:
        copied = bpy.data.objects[made].copy()
        copied.name = name
        bpy.context.scene.collection.objects.link(copied)
        bpy.context.view_layer.update()

    @staticmethod
    def note(ledger: Ledger, made: str, name: str) -> None:
        ledger.ours_left.add(name)
        ledger.objects.add(name)


class CopyScene(Edit):
    """A full copy of the scene is made, and the scene itself deleted; what was copied takes the names."""

    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        return None if in_edit_mode() or bpy.context.mode != "OBJECT" else cls.call()

    @staticmethod
    def apply() -> None:
        to_object_mode()
        old, kinds = bpy.context.scene, ("objects", "armatures", "meshes", "collections", "scenes")
        before = {kind: set(getattr(bpy.data, kind)) for kind in kinds}
        there = [*old.objects, *old.collection.children_recursive]
        data = {one.data for one in old.objects if one.data}
        bpy.ops.scene.new(type="FULL_COPY")
        bpy.context.view_layer.update()
        bpy.data.scenes.remove(old)
        bpy.data.batch_remove(there)
        bpy.data.batch_remove([one for one in data if not one.users])
        for kind in kinds:
            for one in set(getattr(bpy.data, kind)) - before[kind]:
                one.name = re.sub(r"\.\d{3}$", "", one.name)
        bpy.context.view_layer.update()
