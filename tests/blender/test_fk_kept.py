"""FK only, kept: baked, chosen, saved, undone, overridden, and on rigs of others."""

import json
from pathlib import Path

import bpy
import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from neurarig_addon.blender.character.read_clip import read_clip
from neurarig_addon.blender.cli import main
from tests import rigs
from tests.blender.controlling import assert_given_back, settled, state
from tests.blender.walking import deform_bones, played
from tests.shared_rigs import STANDING, load


def with_root() -> list[rigs.Bone]:
    """Return the human on a root bone; the feet hang on the root, as detached IK feet do, and turn by
    themselves."""
    hung = [
        rigs.replace(bone, parent="root") if bone.parent is None or "Foot" in bone.name else bone
        for bone in rigs.biped()
    ]
    return [rigs.Bone("root", None, (0, 0, 0), (0, 0.3, 0)), *hung]


def walker(obj: bpy.types.Object, **settings: object) -> dict:
    return api.generate_walk(obj, **{"use_network": False, "controls": "FK", **settings})


@pytest.mark.parametrize("target", ["CONTROLS", "DEFORM"])
@pytest.mark.parametrize(
    ("make", "mode", "travel_with"),
    [
        (lambda: rigs.build(with_root()), "IN_PLACE", "OBJECT"),
        (lambda: rigs.build(with_root()), "TRAVEL", "OBJECT"),
        (lambda: rigs.build(with_root()), "TRAVEL", "BONE"),
        (rigs.metarig_with_leg_ik, "TRAVEL", "BONE"),
        (rigs.rigify_human, "TRAVEL", "BONE"),
    ],
)
def test_baked_is_live(make, mode: str, travel_with: str, target: str) -> None:
    obj = make()
    walker(obj, mode=mode, travel_with=travel_with)
    bones = deform_bones(obj)
    before = played(obj, range(1, 21), bones)
    api.bake_walk(obj, frame_start=1, frame_end=20, target=target)
    assert np.abs(played(obj, range(1, 21), bones) - before).max() < 2e-5
    clip = read_clip(bpy.context, obj, frames=np.arange(1.0, 21.0))
    rows = [clip.skeleton.index[name] for name in bones]
    assert_allclose(clip.heads[:, rows], before[:, :, 0], atol=2e-5)


def test_the_choice_is_kept_and_can_be_changed() -> None:
    obj = settled(rigs.build(rigs.biped()))
    before = state(obj)
    walker(obj)
    api.generate_walk(obj)
    assert obj.neurarig.walk.controls == "FK" and state(obj)["bones"] == before["bones"]
    api.generate_walk(obj, controls="AUTO")
    assert any(bone.name.startswith("NR-") for bone in obj.data.bones)
    api.generate_walk(obj, controls="FK")
    api.remove_walk(obj)
    after = state(obj)
    for key, value in before.items():
        assert after[key] == value, key


def test_from_the_command_line(capsys: pytest.CaptureFixture) -> None:
    obj = rigs.build(rigs.biped())
    assert main(["walk", "--controls", "fk", "--frames", "1", "10"]) == 0
    assert json.loads(obj.neurarig.attachment)["kind"] == "FK" and len(obj.data.bones) == len(rigs.biped())
    assert capsys.readouterr().out


def test_save_load_and_undo(tmp_path: Path) -> None:
    obj = rigs.build(rigs.biped(), "Hero")
    own = state(obj)
    walker(obj, mode="TRAVEL")
    before = played(obj, (3, 17))
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "fk.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "fk.blend"))
    obj = bpy.data.objects["Hero"]
    assert_allclose(played(obj, (3, 17)), before, atol=1e-5)
    bpy.ops.ed.undo_push(message="Walk")
    api.remove_walk(obj)
    assert state(obj)["pose"] == own["pose"]
    bpy.ops.ed.undo_push(message="Remove")
    bpy.ops.ed.undo()
    assert_allclose(played(bpy.data.objects["Hero"], (3, 17)), before, atol=1e-5)


def test_a_library_override_walks(tmp_path: Path) -> None:
    obj = rigs.build(rigs.biped(), "Hero")
    bpy.data.libraries.write(str(tmp_path / "hero.blend"), {obj})
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(str(tmp_path / "hero.blend"), link=True) as (_, linked):
        linked.objects = ["Hero"]
    override = linked.objects[0].override_create(remap_local_usages=True)
    bpy.context.scene.collection.objects.link(override)
    bpy.context.view_layer.update()
    report = walker(override, mode="TRAVEL")
    assert report["past_limits"] == []
    api.remove_walk(override)


@pytest.mark.parametrize("file", [row["file"] for row in STANDING])
def test_rigs_of_others_walk(file: str) -> None:
    row = next(row for row in STANDING if row["file"] == file)
    obj = load(row)
    rigs.make_active(obj)
    settled(obj)
    before = state(obj)
    report = walker(obj)
    size = report["leg_length_m"] / 0.9
    # A leg without a knee that keeps its foot cannot plant it everywhere: that is told.
    one_bone_legs = report["reach"] is None
    assert max(report["slip_mm"][side]["max"] for side in "LR") < 0.5 * size or (
        one_bone_legs and "slip_mm" in report["past_limits"]
    )
    assert one_bone_legs or report["reach"] < 1.0
    assert len(obj.data.bones) == len(before["bones"])
    assert api.remove_walk(obj) == []
    assert_given_back(obj, before)
