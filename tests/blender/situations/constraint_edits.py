"""What a user does to constraints and drivers, theirs and ours."""

from random import Random

import bpy
from mathutils import Matrix

from neurarig_addon.blender.character import moving
from tests.blender.situations.edit import Call, Edit, in_edit_mode, whose
from tests.blender.situations.ledger import Ledger

KINDS = ("LIMIT_ROTATION", "COPY_ROTATION", "CHILD_OF", "DAMPED_TRACK")


def _constraint(ledger: Ledger, rng: Random, group: str) -> tuple[str, str, str] | None:
    """Draw (character, bone, constraint)."""
    obj = ledger.hero(rng)
    pairs = [] if in_edit_mode() else ledger.constraints_of(obj, group)
    return (obj.name, *rng.choice(pairs)) if pairs else None


def _named(obj: str, bone: str, name: str) -> bpy.types.Constraint:
    return bpy.data.objects[obj].pose.bones[bone].constraints[name]


class AddConstraint(Edit):
    weight = 3

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj = ledger.hero(rng)
        bones = ledger.bones_of(obj, rng.choice(("FREE", "THEIRS")))
        if in_edit_mode() or not bones:
            return None
        name = rng.choice(("NeuraRig ", "")) + ledger.new_name()
        return cls.call(obj.name, rng.choice(bones), rng.choice(KINDS), name, rng.random() < 0.7)

    @staticmethod
    def apply(obj: str, bone: str, kind: str, name: str, with_target: bool) -> None:
        made = bpy.data.objects[obj].pose.bones[bone].constraints.new(kind)
        made.name, made.influence = name, 0.5
        if with_target and hasattr(made, "target"):
            made.target = bpy.data.objects.get("Prop")
        if kind == "CHILD_OF":  # Blender sets it by where the bone is shown
            made.set_inverse_pending, made.inverse_matrix = False, Matrix.Identity(4)

    @staticmethod
    def note(ledger: Ledger, obj: str, bone: str, kind: str, name: str, with_target: bool) -> None:
        ledger.constraints[obj].add((bone, name))


class RenameConstraint(Edit):
    weight = 2

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        group = whose(rng)
        found = _constraint(ledger, rng, group)
        return found and cls.call(*found, ledger.new_name(), of_ours=group == "OURS")

    @staticmethod
    def apply(obj: str, bone: str, old: str, new: str) -> None:
        _named(obj, bone, old).name = new

    @staticmethod
    def note(ledger: Ledger, obj: str, bone: str, old: str, new: str) -> None:
        if (bone, old) in ledger.constraints[obj]:
            ledger.constraints[obj].remove((bone, old))
            ledger.constraints[obj].add((bone, new))


class MuteConstraint(Edit):
    weight = 2

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        group = whose(rng)
        found = _constraint(ledger, rng, group)
        # What we have muted, and mute again for the user, cannot tell that the user wants it muted.
        if found is None or _named(*found).mute or (group == "THEIRS" and ledger.attached[found[0]]):
            return None
        return cls.call(*found, of_ours=group == "OURS")

    @staticmethod
    def apply(obj: str, bone: str, name: str) -> None:
        _named(obj, bone, name).mute = True


class ChangeConstraint(Edit):
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        found = _constraint(ledger, rng, "THEIRS")
        return found and cls.call(*found, rng.choice((0.1, 0.4, 0.9)))

    @staticmethod
    def apply(obj: str, bone: str, name: str, influence: float) -> None:
        constraint = _named(obj, bone, name)
        constraint.influence, constraint.owner_space = influence, "LOCAL"


class DeleteConstraint(Edit):
    weight = 2

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        group = whose(rng)
        found = _constraint(ledger, rng, group)
        return found and cls.call(*found, of_ours=group == "OURS")

    @staticmethod
    def apply(obj: str, bone: str, name: str) -> None:
        constraints = bpy.data.objects[obj].pose.bones[bone].constraints
        constraints.remove(constraints[name])

    @staticmethod
    def note(ledger: Ledger, obj: str, bone: str, name: str) -> None:
        ledger.constraints[obj].discard((bone, name))


class DriveConstraint(Edit):
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        found = _constraint(ledger, rng, "THEIRS")
        return found and cls.call(*found)

    @staticmethod
    def apply(obj: str, bone: str, name: str) -> None:
        _named(obj, bone, name).driver_add("influence").driver.expression = "0.25 + 0.5"


class DeleteDriver(Edit):
    weight = 1

    @classmethod
    def draw(cls, ledger: Ledger, rng: Random) -> Call | None:
        obj = ledger.hero(rng)
        drivers = obj.animation_data.drivers if obj.animation_data else ()
        found = [(driver.data_path, driver.array_index) for driver in drivers if not driver.mute]
        if not found or in_edit_mode():
            return None
        path, index = rng.choice(found)
        return cls.call(obj.name, path, index, of_ours=path == moving.PATH)

    @staticmethod
    def apply(obj: str, path: str, index: int) -> None:
        drivers = bpy.data.objects[obj].animation_data.drivers
        drivers.remove(drivers.find(path, index=index))

    @staticmethod
    def note(ledger: Ledger, obj: str, path: str, index: int) -> None:
        if ledger.attached[obj] and ".constraints[" in path:
            ledger.undriven.add(path.rpartition(".")[0].replace('"', ""))
