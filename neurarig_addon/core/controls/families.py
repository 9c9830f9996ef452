"""Control maps of known families of rigs: a first guess, used only if moving the rig's controls confirms it.

A family's file is a control map as saved from the panel.  Bones and switches that a rig lacks are ignored.
"""

from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from ..errors import NeuraRigError, about
from ..files.given_file import content_of
from ..shipped import DATA
from ..skeleton.roles import NECK, SIDES, SPINE, sided, stem_of
from .choice import control_map
from .control_map import FK, IK, ControlMap
from .figure import CHAINS, LIMBS, ObservedRig
from .rig import ControlRig, Trial
from .search import find_controls, reaching_rows, rows_like_controls
from .survey import Findings, Setting

FOLDER = DATA / "controls"
LARGEST_FILE = 2**18  # bytes
_ENOUGH = 0.6  # least share of a family's controls that its rigs have
_MOST = 2  # families tried on one rig


def read_family(path: Path) -> ControlMap:
    """Return one family's map; raises NeuraRigError, naming the file and what is wrong with it."""
    with about(str(path)):
        return ControlMap.from_json(content_of(path, LARGEST_FILE, "save the control map again"))


@lru_cache(maxsize=4)
def families(folder: Path = FOLDER) -> tuple[ControlMap, ...]:
    """Return the maps of a folder in the order of file names; damaged files are left out, as rigs can be
    searched without them."""
    return tuple(_readable(sorted(folder.glob("*.json"))))


def _readable(files: Iterable[Path]) -> Iterator[ControlMap]:
    for path in files:
        try:
            yield read_family(path)
        except NeuraRigError:
            continue


def find_known_controls(
    rig: ControlRig, figure: ObservedRig, known: Iterable[ControlMap]
) -> Generator[Trial, np.ndarray, ControlMap]:
    """Yield trials and return the map of a rig's controls: from the likeliest known family that fits, else by
    searching.

    The map has the family's name, '' if it was found by searching.
    """
    for family in _likely(rig, known):
        found = yield from _tried(rig, figure, family)
        if _holds(family, found, rig, figure):
            return replace(found, name=family.name)
    return (yield from find_controls(rig, figure))


def _likely(rig: ControlRig, known: Iterable[ControlMap]) -> list[ControlMap]:
    """Return the families whose controls a rig has, the most complete first."""
    names = set(rig.names)
    shares = [
        (len(names & {*family.controls.values()}) / max(len({*family.controls.values()}), 1), family)
        for family in known
    ]
    return [family for share, family in sorted(shares, key=lambda one: -one[0]) if share >= _ENOUGH][:_MOST]


def _tried(
    rig: ControlRig, figure: ObservedRig, family: ControlMap
) -> Generator[Trial, np.ndarray, ControlMap]:
    """Yield trials that move only a family's controls, with the family's switch values, and return the map of
    what they do.

    FK controls are tried in FK; all others, and toes, in IK. If a limb has several properties, those after
    the first are for its pole,
    which is tried again with them.
    """
    reaching = reaching_rows(rig, figure)
    claimed = {role: rig.names.index(bone) for role, bone in family.controls.items() if bone in rig.names}
    rows = {role: row for role, row in claimed.items() if row in reaching}
    turned = {row for role, row in rows.items() if stem_of(role).endswith("_fk")}
    only_turned = turned - {row for role, row in rows.items() if role.startswith("toe_fk")}
    pointed = {row for role, row in rows.items() if stem_of(role).endswith("_pole")}
    in_fk, in_ik = _setting(rig, family, FK), _setting(rig, family, IK)
    unpointed = in_fk | _setting(rig, family, IK, pointed=False)
    looks = [(in_fk, turned), (unpointed, {*rows.values()} - only_turned)]
    if unpointed | in_ik != unpointed:
        looks.append((unpointed | in_ik, pointed))
    findings = Findings(rig, figure, sorted({*rows.values()}))
    for setting, chosen in looks:
        changed = {number: value for number, value in setting.items() if value != rig.switches[number].value}
        yield from findings.look(changed, sorted(chosen))
    return control_map(findings)


def _setting(rig: ControlRig, family: ControlMap, state: str, pointed: bool = True) -> Setting:
    """Return the switch values for a state of all limbs; not `pointed`: without each limb's properties after
    the first."""
    numbers = {switch.path: number for number, switch in enumerate(rig.switches)}
    found: Setting = {}
    for states in family.switches.values():
        present = {numbers[path]: value for path, value in states.get(state, {}).items() if path in numbers}
        properties = [number for number in present if not rig.switches[number].is_influence]
        found |= {
            number: value for number, value in present.items() if pointed or number not in properties[1:]
        }
    return found


def _holds(family: ControlMap, found: ControlMap, rig: ControlRig, figure: ObservedRig) -> bool:
    """Return whether a rig's controls do what a family's map says, look like controls, and pose a whole
    biped."""
    taken = {rig.names.index(bone) for bone in found.controls.values()}
    if not found.get("torso") or not all(_poses(found, limb) for limb in LIMBS if figure.is_whole(limb)):
        return False
    claimed = {
        role: bone for role, bone in family.controls.items() if bone in rig.names and _is_asked(role, figure)
    }
    return taken <= rows_like_controls(rig, figure) and all(
        _does(role, bone, found) for role, bone in claimed.items()
    )


def _poses(found: ControlMap, limb: str) -> bool:
    kind, _, side = limb.partition(".")
    first, _, end = CHAINS[kind][:3]
    return bool(found.get(sided(f"{first}_fk", side)) or found.get(sided(f"{end}_ik", side)))


def _is_asked(role: str, figure: ObservedRig) -> bool:
    """Return whether a character has the part that a control moves."""
    part, _, side = role.partition(".")
    if part in (SPINE, NECK):
        return False  # their numbers depend on how many bones have these roles
    bare = part.removesuffix("_fk").removesuffix("_ik")
    return (
        bare not in ("toe", "clavicle", "head")
        or (sided(bare, side) if side in SIDES else bare) in figure.roles
    )


def _does(role: str, bone: str, found: ControlMap) -> bool:
    """Return whether a control was found for a role; often one control turns the toes in both states."""
    alike = (role, role.replace("toe_ik", "toe_fk"), role.replace("toe_fk", "toe_ik"))
    return bone in [found.get(other) for other in alike]
