"""Every refusal of the functions that scripts and buttons call: one sentence with its object and remedy, and
the file as it was."""

import re

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.character import record
from neurarig_addon.blender.character.record import CLIP, POSE, WALK
from neurarig_addon.blender.neural_pose import api as pose_api
from tests.blender.refusing import Refused, hero, refused
from tests.blender.retargeting import actor
from tests.refusals import refuses
from tests.rigs import biped, build, make_active

TOUCHING: dict[str, Refused] = {
    "generate": lambda obj: api.generate_walk(obj),
    "detect": lambda obj: api.detect_rig(obj),
    "targets": lambda obj: api.pose_targets(obj, ["wrist.L"]),
    "link": lambda obj: api.link_retarget(obj, source=bpy.data.objects["Actor"]),
}


@pytest.mark.parametrize("call", ["generate", "targets", "link"])
def test_in_edit_mode_nothing_is_attached(call):
    actor()
    obj = hero()
    bpy.ops.object.mode_set(mode="EDIT")
    refused(obj, TOUCHING[call], r"'Hero' is in Edit Mode; leave it \(Tab\) first")
    assert obj.mode == "EDIT"


@pytest.mark.parametrize("call", [api.use_current_pose, api.detect_rig, api.find_controls, api.apply_scale])
def test_in_edit_mode_a_rig_is_not_read(call):
    obj = hero()
    bpy.ops.object.mode_set(mode="EDIT")
    refused(obj, call, r"'Hero' is in Edit Mode; leave it \(Tab\) first")
    assert obj.mode == "EDIT" and not obj.neurarig.reference and not obj.neurarig.roles


def test_no_pose_is_taken_of_an_armature_that_shows_its_rest_position():
    obj = hero()
    obj.data.pose_position = "REST"
    refused(
        obj,
        api.use_current_pose,
        "'Hero' is shown in its rest position; switch its armature to Pose Position first",
    )
    assert not obj.neurarig.reference


def test_a_source_in_edit_mode_is_not_read():
    source, _ = actor()
    obj = hero()
    make_active(source)
    bpy.ops.object.mode_set(mode="EDIT")
    with refuses(r"'Actor' is in Edit Mode; leave it \(Tab\) first"):
        api.retarget(obj, source=source)


@pytest.mark.parametrize("call", ["generate", "targets", "link"])
def test_what_is_outside_the_view_layer_is_not_touched(call):
    actor()
    obj = hero()
    away = bpy.data.collections.new("Away")
    bpy.context.scene.collection.children.link(away)
    away.objects.link(obj)
    bpy.context.scene.collection.objects.unlink(obj)
    bpy.context.view_layer.layer_collection.children["Away"].exclude = True
    bpy.context.view_layer.update()
    with refuses("'Hero' is not in the current view layer"):
        TOUCHING[call](obj)
    bpy.context.view_layer.layer_collection.children["Away"].exclude = False
    assert not obj.neurarig.attachment


@pytest.mark.parametrize("call", ["generate", "targets", "link"])
def test_what_is_linked_from_another_file_is_not_touched(call, tmp_path):
    hero()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "hero.blend"))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    actor()
    with bpy.data.libraries.load(str(tmp_path / "hero.blend"), link=True) as (_, wanted):
        wanted.objects = ["Hero"]
    bpy.context.scene.collection.objects.link(wanted.objects[0])
    with refuses("'Hero' is linked from another file"):
        TOUCHING[call](wanted.objects[0])


@pytest.mark.parametrize("call", TOUCHING)
def test_a_camera_is_no_armature(call):
    actor()
    camera = bpy.data.objects.new("Eye", bpy.data.cameras.new("Eye"))
    bpy.context.scene.collection.objects.link(camera)
    with refuses("'Eye' is not an armature"):
        TOUCHING[call](camera)


OF_ITS_HOLDER: dict[str, tuple[str, Refused]] = {
    "bake walk": (WALK, lambda obj: api.bake_walk(obj)),
    "remove walk": (WALK, lambda obj: api.remove_walk(obj)),
    "resume walk": (WALK, lambda obj: api.resume_walk(obj)),
    "contact report": (WALK, lambda obj: api.contact_report(obj)),
    "remove retarget": (CLIP, lambda obj: api.remove_retarget(obj)),
    "keep clip": (CLIP, lambda obj: api.remove_retarget(obj, keep_clip=True)),
    "solve pose": (POSE, lambda obj: api.solve_pose(obj)),
    "key pose": (POSE, lambda obj: api.key_pose(obj)),
    "snap targets": (POSE, lambda obj: api.snap_targets(obj)),
    "flip pose": (POSE, lambda obj: api.flip_pose(obj)),
    "mirror pose": (POSE, lambda obj: api.mirror_pose(obj)),
    "in-between": (POSE, lambda obj: api.in_between(obj)),
    "pose asset": (POSE, lambda obj: api.pose_asset(obj, "Pose")),
    "missed targets": (POSE, lambda obj: pose_api.missed_targets(obj)),
    "solve range": (POSE, lambda obj: api.solve_range(obj)),
    "remove targets": (POSE, lambda obj: api.remove_targets(obj)),
    "remove one target": (POSE, lambda obj: api.remove_targets(obj, ["wrist.L"])),
    "keep pose": (POSE, lambda obj: api.remove_targets(obj, keep_pose=True)),
}


@pytest.mark.parametrize("held_by", ["", WALK, CLIP, POSE])
def test_what_belongs_to_a_holder_is_refused_to_all_others(held_by):
    """In its words, whoever has the character; nothing changes."""
    actor()
    obj = hero()
    if held_by:
        {WALK: TOUCHING["generate"], CLIP: TOUCHING["link"], POSE: TOUCHING["targets"]}[held_by](obj)
    for name, (holder, call) in OF_ITS_HOLDER.items():
        if holder != held_by:
            refused(obj, call, re.escape(record.not_held(obj, holder)))
            assert record.holder_of(obj) == held_by, name


@pytest.mark.few(30)
@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda obj: api.pose_targets(obj, "SOME"),
            "'SOME' is not a set of targets; choose one of MAIN, .*or name points",
        ),
        (
            lambda obj: api.pose_targets(obj, ["nose"]),
            "'nose' is not a body point; choose from head_top, head",
        ),
        (lambda obj: api.pose_targets(obj, ["wrist.L", "nose"]), "'nose' is not a body point"),
        (lambda obj: api.pose_targets(obj, []), "'' is not a body point"),
        (lambda obj: api.choose_target(obj, "nose", bpy.data.objects["Prop"]), "'nose' is not a body point"),
        (lambda obj: api.choose_target(obj, "wrist.L", None), "The target of Left Hand has no object"),
        (
            lambda obj: api.choose_target(obj, "wrist.L", obj),
            "The target of Left Hand is the character itself",
        ),
        (
            lambda obj: api.choose_target(obj, "wrist.L", bpy.data.objects["Prop"], "tip"),
            "'Prop', has no bone 'tip'. Choose one of its",
        ),
        (
            lambda obj: api.choose_target(obj, "wrist.L", bpy.data.objects["Other"], "tip"),
            "'Other', has no bone 'tip'",
        ),
    ],
)
def test_targets_are_of_the_body_and_of_something(call, sentence):
    build(biped(), "Other")
    obj = hero()
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Prop", None))
    refused(obj, call, sentence)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"speed": 2.0}, "A bake has no option 'speed'; it has frame_start, frame_end"),
        ({"target": "MESH"}, "'MESH' is not a bake target; choose one of CONTROLS, LAYER, DEFORM, BOTH"),
        ({"loop": "yes"}, "The bake option 'loop' must be True or False, not 'yes'"),
        ({"push_nla": 0.5}, "The bake option 'push_nla' must be True or False, not '0.5'"),
        ({"frame_start": 20, "frame_end": 10}, "frame"),
    ],
)
def test_a_bake_knows_its_options(options, sentence):
    obj = hero(walks=True)
    refused(obj, lambda obj: api.bake_walk(obj, **options), sentence)


@pytest.mark.few(30)
@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"mode": "FLY"}, "'FLY' is not a mode; choose one of IN_PLACE, TRAVEL, PATH"),
        ({"speed": "fast"}, "The setting 'speed' needs a number, not 'fast'"),
        ({"speed": float("inf")}, "The setting 'speed' needs a number"),
        ({"speed": 10**400}, "The setting 'speed' needs a number"),
        ({"ground": "floor"}, "The setting 'ground' needs an object or a collection, not 'floor'"),
        ({"wings": 2}, "A walk has no setting 'wings'; it has mode"),
    ],
)
@pytest.mark.parametrize("walks", [False, True])
def test_a_walk_knows_its_settings(settings, sentence, walks):
    refused(hero(walks), lambda obj: api.generate_walk(obj, **settings), sentence)


def test_a_walk_along_a_path_needs_one():
    refused(
        hero(),
        lambda obj: api.generate_walk(obj, mode="PATH"),
        "'Hero' has no path. Choose a curve under Path, or another mode",
    )
