"""Current names of bones and constraints that were recorded, or keyed, under an earlier name."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import bpy

_QUOTED = r'\["((?:[^"\\]|\\.)*)"\]'
_OWNER = re.compile(rf"^(?:pose\.)?bones{_QUOTED}(?:\.constraints{_QUOTED})?")


def bone_of(path: str) -> str:
    """Return the bone whose RNA path, or that of something in it, a path is; '' for none."""
    found = _OWNER.match(path)
    return bpy.utils.unescape_identifier(found[1]) if found else ""


def is_of_bone(path: str, bone: str) -> bool:
    """Return whether an RNA path is that of a bone or of something in it."""
    return bone_of(path) == bone


@dataclass(frozen=True)
class Renames:
    """New names by old ones: `bones` ('' if a bone is gone or cannot be identified), and `constraints` by
    `(old bone, old constraint)`."""

    bones: Mapping[str, str] = field(default_factory=dict)
    constraints: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.bones or self.constraints)

    def bone(self, name: str) -> str:
        """Return a bone's current name; one that is gone keeps its old name."""
        return self.bones.get(name) or name

    def constraint(self, bone: str, name: str) -> str:
        """Return the current name of a constraint; `bone` and `name` are old names."""
        return self.constraints.get((bone, name), name)

    def path(self, path: str) -> str:
        """Return the current RNA path of an old one."""
        found = _OWNER.match(path)
        if found is None:
            return path
        bone = bpy.utils.unescape_identifier(found[1])
        now = f'pose.bones["{bpy.utils.escape_identifier(self.bone(bone))}"]'
        if found[2] is not None:
            name = self.constraint(bone, bpy.utils.unescape_identifier(found[2]))
            now += f'.constraints["{bpy.utils.escape_identifier(name)}"]'
        return now + path[found.end() :]

    def then(self, later: "Renames", with_new: bool = True) -> "Renames":
        """Return these renames followed by later ones; `with_new`: including later ones of names not renamed
        before."""
        now = {old: later.bone(name) and later.bones.get(name, name) for old, name in self.bones.items()}
        constraints = {
            (bone, old): later.constraint(self.bone(bone), name)
            for (bone, old), name in self.constraints.items()
        }
        if with_new:
            was = {name: old for old, name in self.bones.items()}
            now |= {old: name for old, name in later.bones.items() if old not in was and old not in now}
            for (bone, old), name in later.constraints.items():
                at_first = was.get(bone, bone)
                if (at_first, old) not in constraints and old not in (
                    name for (of, _), name in self.constraints.items() if of == at_first
                ):
                    constraints[at_first, old] = name
        return Renames({old: name for old, name in now.items() if old != name}, constraints)

    def as_plain(self) -> dict:
        """Return them as plain JSON values."""
        return {
            "bones": dict(self.bones),
            "constraints": [[*pair, name] for pair, name in self.constraints.items()],
        }

    @classmethod
    def from_plain(cls, plain: Mapping) -> "Renames":
        """Return what `as_plain` returned."""
        return cls(dict(plain["bones"]), {(bone, old): name for bone, old, name in plain["constraints"]})
