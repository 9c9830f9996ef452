"""How engines name bones and clips: conventions as data, and patterns of the user's own."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ..errors import NeuraRigError
from ..shipped import shipped
from ..skeleton.roles import SIDES
from .clip import ClipPlan

PLAIN, GODOT, UNITY, UNREAL, SAMPLE, MIXAMO = CONVENTIONS = (
    "PLAIN",
    "GODOT",
    "UNITY",
    "UNREAL",
    "GAME_ANIMATION_SAMPLE",
    "MIXAMO",
)
FIELDS = ("name", "character", "group", "way", "foot", "turn", "degrees")  # of a pattern of the user's own
_FIELD = re.compile(r"\{(\w+)\}")
_UNSAFE = re.compile(r"[^A-Za-z0-9_.\-]+")
_LONGEST = 120  # characters of a pattern


@dataclass(frozen=True)
class EngineNames:
    """How an engine names things; `bones`: role to name, with lists for spine and neck; empty where bones
    keep their names.

    `root`: the bone on the ground, where a character has none. `clips`: a pattern for each kind; `ways`,
    `groups`, `feet`, `turns`: words
    of these.
    """

    root: str
    clips: Mapping[str, str]
    bones: Mapping[str, Any]
    sides: tuple[str, str] = ("", "")
    fingers: Mapping[str, Any] | None = None
    ways: Mapping[str, str] | None = None
    groups: Mapping[str, str] | None = None
    feet: Mapping[str, str] | None = None
    turns: Mapping[str, str] | None = None

    def bone_of(self, role: str) -> str | None:
        """Return the name of a role's bone; None if it has none here, as the fourth bone of a spine where
        there are three."""
        part, _, which = role.partition(".")
        found = self.bones.get(part)
        if isinstance(found, list):
            row = int(which) - 1 if which.isdigit() else 0
            return found[row] if row < len(found) else None
        return (
            None
            if found is None
            else found.replace("{side}", self.sides[SIDES.index(which)] if which in SIDES else "")
        )

    def finger_of(self, side: str, finger: int | None, joint: int) -> str | None:
        """Return the name of a finger's bone: fingers from the index, joints from the knuckle; `finger` None:
        the thumb."""
        if self.fingers is None or joint > 2 or (finger is not None and finger >= len(self.fingers["names"])):
            return None
        thumb = "thumb" if self.fingers["names"][0].islower() else "Thumb"
        words = {
            "side": self.sides[SIDES.index(side)],
            "finger": thumb if finger is None else self.fingers["names"][finger],
            "joint": self.fingers["thumb" if finger is None else "joints"][joint],
        }
        return _filled(self.fingers["pattern"], words)


@lru_cache(maxsize=len(CONVENTIONS))
def convention(name: str) -> EngineNames:
    """Return a convention by name; raises NeuraRigError for an unknown one."""
    if name not in CONVENTIONS:
        raise NeuraRigError(f"'{name}' is not a naming convention; choose one of {', '.join(CONVENTIONS)}.")
    known = shipped("engine_conventions")["conventions"]
    given = known[name]
    given = (
        known[given["like"]] | {key: value for key, value in given.items() if key != "like"}
        if "like" in given
        else given
    )
    return EngineNames(
        **given | {"bones": given.get("bones") or {}, "sides": tuple(given.get("sides", ("", "")))}
    )


def clip_name(plan: ClipPlan, character: str, of: EngineNames, pattern: str = "") -> str:
    """Return the name of a clip of a character, safe as that of a file; `pattern`: the user's own, which goes
    before the convention's.

    Raises NeuraRigError for a pattern with a field that there is not.
    """
    turn = "left" if plan.degrees > 0.0 else "right"
    words = {
        "name": plan.name,
        "Name": "".join(part.capitalize() for part in plan.name.split("_")),
        "character": character,
        "group": (of.groups or {}).get(plan.group.name, plan.group.name),
        "way": (of.ways or {}).get(f"{plan.toward:g}", f"{plan.toward:g}"),
        "foot": (of.feet or {}).get(plan.foot, plan.foot.lower()),
        "turn": (of.turns or {}).get(turn, turn),
        "degrees": f"{abs(plan.degrees):g}",
        "hill": "" if not plan.slope or plan.tread else "_Uphill" if plan.slope > 0.0 else "_Downhill",
    }
    return safe(_filled(pattern or of.clips["QUICK" if plan.haste else plan.kind], words))


def require_pattern(pattern: str) -> None:
    """Raise NeuraRigError for a pattern that cannot tell clips apart, or that has a field that there is
    not."""
    fields = _FIELD.findall(pattern)
    unknown = [field for field in fields if field not in FIELDS]
    if unknown:
        raise NeuraRigError(
            f"The name pattern has a field '{{{unknown[0]}}}'; use"
            f" {', '.join('{' + field + '}' for field in FIELDS)}."
        )
    if len(pattern) > _LONGEST or (pattern and "name" not in fields):
        raise NeuraRigError(
            f"The name pattern needs {{name}}, which tells clips apart, and at most {_LONGEST} characters."
        )


def safe(name: str) -> str:
    """Return a name with what file systems or engines do not take replaced by underscores."""
    return _UNSAFE.sub("_", name).strip("._") or "clip"


def _filled(pattern: str, words: Mapping[str, str]) -> str:
    return _FIELD.sub(lambda match: words.get(match[1], match[0]), pattern)
