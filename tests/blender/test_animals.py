"""Animals: found in files of others, kept as what they are in the list of bones, and in files."""

import csv
from pathlib import Path

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.character.read_armature import read_skeleton
from neurarig_addon.blender.walk.manner.presets import ROLES
from neurarig_addon.core.detection.detect import detect
from neurarig_addon.core.skeleton.roles import BIRD, FORE_PARTS, LEG_PARTS, QUADRUPED, SIDES, sided
from tests.blender.keeping import reopened
from tests.core.skeletons import scrambled
from tests.rigs import build, quadruped
from tests.shared_data import find_shared
from tests.shared_rigs import load

FOLDER = find_shared("animals")
FOUND = [
    row
    for row in (csv.DictReader((FOLDER / "manifest.csv").open(encoding="utf-8")) if FOLDER else ())
    if row["kind"] in (QUADRUPED, BIRD)
]


@pytest.mark.skipif(not FOUND, reason="no shared animals: name their folder's parent in NEURARIG_SHARED")
@pytest.mark.parametrize("row", FOUND, ids=lambda row: row["file"])
def test_an_animal_of_others_is_found_by_shape(row: dict[str, str]) -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    skeleton = read_skeleton(load(row, "animals"), bpy.context.scene)
    parts = (*LEG_PARTS, *(FORE_PARTS[1:] if row["kind"] == QUADRUPED else ()))
    for subject, back in ((skeleton, {name: name for name in skeleton.names}), scrambled(skeleton)):
        roles = detect(subject)
        for role in ("pelvis", *(sided(part, side) for side in SIDES for part in parts)):
            allowed = row[role.replace(".", "_")].split("|")
            assert allowed == [""] or back.get(roles.get(role) or "") in allowed, (role, roles.get(role))


def test_the_list_knows_what_the_character_is_and_keeps_it(tmp_path: Path) -> None:
    obj = build(quadruped(), "Hero")
    roles = api.detect_rig(obj)
    assert obj.neurarig.kind == QUADRUPED == roles.kind and obj.neurarig.roles["fingers.L"].bone == ""
    api.save_preset(obj, "Dog", ROLES)
    bpy.ops.ed.undo_push()
    obj.neurarig.kind = BIRD
    assert "hand.L" not in obj.neurarig.roles and obj.neurarig.roles["shin.L"].bone == roles.get("shin.L")
    api.apply_preset(obj, "Dog", ROLES)
    obj = reopened(tmp_path)
    assert obj.neurarig.kind == QUADRUPED and obj.neurarig.roles["hand.L"].bone == roles.get("hand.L")
