"""What files store about characters may be damaged: it ends in a sentence, or in the state without it, and
can always be removed."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.interface import report_text
from neurarig_addon.blender.walk.show import live
from tests.blender.posing import hero as posed_hero
from tests.blender.retargeting import actor, hero
from tests.blender.walking import seen_now
from tests.refusals import refuses
from tests.rigs import biped, build

DAMAGED = ("{", "[]", "null", "3", '"x"', "{}", '{"version": 1}')


def damaged(text: str) -> Iterator[str]:
    """Yield texts that are no JSON, and objects of which one member is missing or something else."""
    yield from DAMAGED
    stored = json.loads(text)
    for key in stored:
        yield json.dumps({name: value for name, value in stored.items() if name != key})
        for other in (None, "x", [["a"]], {"a": 1}, 10**400):
            yield json.dumps({**stored, key: other})


def character() -> bpy.types.Object:
    """Return a character that walks in place of an action of its own."""
    obj = build(biped(), "Hero")
    obj.pose.bones["LeftArm"].keyframe_insert("rotation_quaternion", frame=3)
    obj.animation_data.action.name = "Wave"
    api.generate_walk(obj, use_network=False)
    return obj


@pytest.fixture
def reopened(tmp_path: Path) -> Callable[[], bpy.types.Object]:
    """Return what opens a file with such a character, which is quicker than to make one."""
    file = str(tmp_path / "hero.blend")
    character()
    bpy.ops.wm.save_as_mainfile(filepath=file)

    def opened() -> bpy.types.Object:
        bpy.ops.wm.open_mainfile(filepath=file)
        return bpy.data.objects["Hero"]

    return opened


def test_a_walk_whose_stored_animation_is_damaged_is_removed_and_gives_the_action_back(reopened) -> None:
    whole = reopened().neurarig.stash
    for text in damaged(whole):
        obj = reopened()
        obj.neurarig.stash = text
        api.remove_walk(obj)
        data = obj.animation_data
        if text in DAMAGED:
            assert data.action.name == "Wave" and not data.nla_tracks, text
        held = [data.action, *(strip.action for track in data.nla_tracks for strip in track.strips)]
        assert bpy.data.actions["Wave"] in held, text


def test_names_that_are_damaged_are_noted_anew(reopened) -> None:
    whole = reopened().neurarig.names
    rows = json.loads(whole)["bones"]
    wrong = [
        [*rows[0][:3], [float("nan")] * 9],
        [rows[0][0], 10**6, *rows[0][2:]],
        [*rows[0][:3], [0.0]],
        "x",
    ]
    for text in (
        *damaged(whole),
        *(json.dumps({"bones": [row], "muted": []}) for row in wrong),
        json.dumps({"bones": [], "muted": []}),
    ):
        obj = reopened()
        obj.neurarig.names = text
        obj.neurarig.kept[0].renames = text
        obj.data.bones["LeftArm"].name = "renamed"
        bpy.context.view_layer.update()
        api.remove_walk(obj)
        assert obj.animation_data.action.name == "Wave", text


def test_a_walk_that_is_damaged_stops_with_a_sentence_and_can_be_removed(
    reopened, capsys: pytest.CaptureFixture
) -> None:
    for text in DAMAGED:
        obj = reopened()
        obj.neurarig.attachment = text
        live.invalidate(obj)
        bpy.context.scene.frame_set(7)
        assert "stored in this file" in obj.neurarig.walk.error and not obj.neurarig.walk.live
        api.remove_walk(obj)
        assert not any(bone.name.startswith("NR-") for bone in obj.data.bones)
    assert "internal error" not in capsys.readouterr().out


def test_damaged_clips_and_poses_can_be_removed() -> None:
    source, action = actor()
    obj = hero()
    api.retarget(obj, source=source, action=action)
    obj.neurarig.attachment = "{"
    api.remove_retarget(obj)
    assert not obj.neurarig.attachment and obj.animation_data.action.name == "Wave"
    api.pose_targets(obj)
    obj.neurarig.attachment = '{"version": 1, "kind": "LAYER"}'
    api.remove_targets(obj)
    assert not obj.neurarig.attachment


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "{}",
        '{"turns": [[1' + "0" * 400 + ']], "points": []}',
        '{"turns": [[1]], "points": "x"}',
        '{"turns": null, "points": []}',
    ],
)
def test_a_damaged_base_pose_is_none(text: str) -> None:
    obj = posed_hero()
    api.pose_targets(obj, ["wrist.L"])
    obj.neurarig.neural_pose.base = text
    obj.neurarig.neural_pose.targets[0].object.location.z += 0.1
    bpy.context.view_layer.update()
    assert np.isfinite(seen_now(obj)).all() and not obj.neurarig.neural_pose.error


@pytest.mark.few(30)
@pytest.mark.parametrize(
    "text", [*DAMAGED, '{"past_limits": [], "slip_mm": {"L": {}}}', '{"past_limits": 1, "reach": []}']
)
def test_a_damaged_report_is_shown_as_none(text: str) -> None:
    assert report_text.read(text).lines == ()


def test_a_damaged_report_is_not_saved(tmp_path: Path) -> None:
    obj = build(biped(), "Hero")
    for obj.neurarig.walk.report in ("{", "[]", ""):
        with refuses("no contact report"):
            api.save_report(obj, tmp_path / "report.json")
