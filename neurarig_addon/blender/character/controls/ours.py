"""Which parts of a rig are ours.

Custom properties are copied when a bone is duplicated or extruded, and names can be anything. So of bones
with the same key, ours is the
one that our constraints target, which Blender keeps true through renames, or that carries such a bone; the
noted name
decides if no constraint does. Constraints are ours by record: their bone, name, type, and which of our bones
they target.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bpy.types import Constraint, Object, PoseBone

from .attachment import CONSTRAINT, LAYER, MARK


@dataclass(frozen=True)
class Ours:
    """Our bones and constraints `(pose bone, name)`, and `copies`: bones that the user made from ours."""

    bones: tuple[str, ...]
    constraints: tuple[tuple[PoseBone, str], ...]
    copies: tuple[str, ...]


def found(obj: Object, attachment: Mapping[str, Any]) -> Ours:
    """Return which parts of a rig are ours; if a layer's attachment was damaged, by marks and names."""
    if attachment["kind"] == LAYER and not attachment["made"]["bones"]:
        names, constraints = recorded(obj)
        attachment = {**attachment, "made": {"bones": names}, "constraints": constraints}
    # building failed before they were recorded
    elif attachment["kind"] == LAYER and not attachment["constraints"]:
        attachment = {**attachment, "constraints": added(obj, attachment["made"]["bones"])}
    names = attachment["made"]["bones"]
    constraints = list(_constraints(obj, attachment))
    looked_at = {
        name
        for bone, key in constraints
        for name in (bone.name, *_targets(bone.constraints[key]))
        if _is_marked(obj, name)
    }
    known = {
        above.name
        for name in looked_at
        for above in (obj.data.bones[name], *obj.data.bones[name].parent_recursive)
    }
    candidates: dict[str, list[str]] = {}
    for bone in obj.data.bones:
        if MARK in bone:
            candidates.setdefault(str(bone[MARK]), []).append(bone.name)
    bones, copies = [], []
    for key, marked in candidates.items():
        best = max(marked, key=lambda name: (name in known, name == names.get(key)))
        is_ours = best in known or best == names.get(key)
        bones += [best] if is_ours else []
        copies += [name for name in marked if name != best or not is_ours]
    of_copies = _constraints_of_copies(obj, constraints, set(bones))
    return Ours(tuple(bones), (*((bone, name) for bone, name in constraints), *of_copies), tuple(copies))


def added(obj: Object, names: Mapping[str, str]) -> list[list[str]]:
    """Return the record of our constraints that target our bones, key -> name."""
    keys = {name: key for key, name in names.items()}
    return [
        [bone.name, constraint.name, constraint.type, keys[constraint.subtarget]]
        for bone in obj.pose.bones
        for constraint in bone.constraints
        if constraint.name.startswith(CONSTRAINT) and getattr(constraint, "subtarget", "") in keys
    ]


def recorded(obj: Object) -> tuple[dict[str, str], list[list[str]]]:
    """Return our bones, key -> name, and the record of our constraints for a rig whose attachment lacks
    them."""
    names: dict[str, str] = {}
    for bone in obj.data.bones:
        if MARK in bone:
            names.setdefault(str(bone[MARK]), bone.name)
    return names, added(obj, names)


def keep_to_itself(obj: Object, attachment: Mapping[str, Any]) -> None:
    """Aim our constraints at the object itself: in a copy made by a script they still target the original."""
    for bone, name in _constraints(obj, attachment):
        constraint = bone.constraints[name]
        if constraint.target != obj:
            constraint.target = obj
        if getattr(constraint, "pole_subtarget", "") and constraint.pole_target != obj:
            constraint.pole_target = obj


def _constraints(obj: Object, attachment: Mapping[str, Any]) -> Iterator[tuple[PoseBone, str]]:
    """Yield our constraints: as recorded or, if bone or constraint was renamed, by type and target."""
    missing = []
    names = attachment["made"]["bones"]
    taken = set()
    for bone_name, name, kind, key in attachment["constraints"]:
        bone = obj.pose.bones.get(bone_name)
        constraint = bone.constraints.get(name) if bone else None
        if constraint is not None and constraint.type == kind:
            taken.add((bone_name, name))
            yield bone, name
        else:
            missing.append((kind, names.get(key, ""), key))
    for kind, wanted, key in missing:
        for bone in obj.pose.bones:
            for constraint in bone.constraints:
                at = getattr(constraint, "subtarget", "")
                looks_there = at and (
                    at == wanted or (_is_marked(obj, at) and obj.data.bones[at][MARK] == key)
                )
                if constraint.type == kind and looks_there and (bone.name, constraint.name) not in taken:
                    taken.add((bone.name, constraint.name))
                    yield bone, constraint.name
                    break


def _constraints_of_copies(
    obj: Object, constraints: list[tuple[PoseBone, str]], bones: set[str]
) -> list[tuple[PoseBone, str]]:
    """Return copies of our constraints, on duplicated bones, that target our bones and would be left without
    a target."""
    known = {(bone.name, name) for bone, name in constraints}
    alike = {(bone.constraints[name].type, bone.constraints[name].subtarget) for bone, name in constraints}
    return [
        (bone, constraint.name)
        for bone in obj.pose.bones
        for constraint in bone.constraints
        if (bone.name, constraint.name) not in known
        and constraint.name.startswith(CONSTRAINT)
        and getattr(constraint, "subtarget", "") in bones
        and (constraint.type, constraint.subtarget) in alike
    ]


def _targets(constraint: Constraint) -> tuple[str, str]:
    """Return the bones that our constraint targets, '' for none."""
    return constraint.subtarget, getattr(constraint, "pole_subtarget", "")


def _is_marked(obj: Object, name: str) -> bool:
    return name in obj.data.bones and MARK in obj.data.bones[name]
