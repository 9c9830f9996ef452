"""A dog in Blender: what is looked at and keyed of a walk is looked at and keyed of all four feet."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.character.controls import attachment
from neurarig_addon.blender.character.roles import role_map
from neurarig_addon.blender.walk.footprints.edits import SIDES
from neurarig_addon.blender.walk.source.source import source_of
from neurarig_addon.blender.walk.ui import print_drawing
from neurarig_addon.core.gait.prints import print_places
from neurarig_addon.core.skeleton.roles import FEET
from tests.animals import dog, fore
from tests.blender.leading import curve, on_deck, ship
from tests.blender.walking import played, seen, seen_now, walker
from tests.refusals import refuses
from tests.skins import dressed

FRAMES = (1, 40)
MM = 1e3


def walking_dog(**settings: object) -> bpy.types.Object:
    obj = dog()
    api.generate_walk(obj, **{"mode": "TRAVEL", **settings})
    return obj


def worst(report: dict) -> dict[str, float]:
    return {foot: slip["max"] for foot, slip in report["slip_mm"].items()}


@pytest.mark.parametrize("controls", ["AUTO", "FK"])
@pytest.mark.parametrize("gait", ["WALK", "TROT"])
def test_a_report_is_of_all_four_feet(gait, controls):
    obj = walking_dog(gait=gait, controls=controls)
    report = api.contact_report(obj, FRAMES)
    assert tuple(report["slip_mm"]) == FEET == tuple(report["duty_factor"])
    assert max(worst(report).values()) < 0.05 and report["penetration_mm"] < 0.05
    assert report["integrity_percent"] < 0.02 and report["reach"] < 1.0
    for number, bone in enumerate((*fore("fingers"), *fore("toe"))):
        constraints = obj.pose.bones[bone].constraints
        drawn = constraints.new("COPY_LOCATION")
        drawn.target, drawn.subtarget, drawn.influence = obj, "pelvis", 0.05
        assert worst(api.contact_report(obj, FRAMES))[("LF", "RF", "L", "R")[number]] > 1.0
        constraints.remove(drawn)


@pytest.mark.parametrize("target", ["CONTROLS", "LAYER"])
@pytest.mark.parametrize("keys", ["DENSE", "EDITABLE"])
def test_bakes_keep_all_four_feet_where_they_are(keys, target):
    obj = walking_dog(gait="TROT")
    bones = list(role_map(obj).bones.values())
    before = played(obj, range(1, 40, 3), bones)
    api.bake_walk(obj, frame_start=FRAMES[0], frame_end=FRAMES[1], keys=keys, target=target, tolerance=0.004)
    bound = 1e-4 if keys == "DENSE" else 0.004
    assert np.abs(played(obj, range(1, 40, 3), bones) - before).max() < bound
    baked = api.contact_report(obj, FRAMES)
    assert max(worst(baked).values()) < MM * bound and not {"slip_mm", "reach"} & set(baked["past_limits"])


def test_every_foot_has_a_control_that_takes_it_along_in_one_piece():
    obj = walking_dog()
    api.bake_walk(obj, frame_start=1, frame_end=20, target="LAYER")
    made = attachment.read(obj.neurarig.attachment)
    before = seen(obj, 8)
    ends = {"forefoot.L": "fingers.L", "forefoot.R": "fingers.R", "foot.L": "toe.L", "foot.R": "toe.R"}
    for key, bone in ends.items():
        control = obj.pose.bones[made["controls"][key]]
        control.location.z += 0.03
        moved = dict(zip(obj.pose.bones.keys(), seen_now(obj) - before, strict=True))
        np.testing.assert_allclose(moved[bone], [[0.0, 0.0, 0.03]] * 2, atol=1e-4)
        still = [name for name in (*ends.values(), "pelvis", "spine.3") if name != bone]
        assert max(np.abs(moved[name]).max() for name in still) < 1e-6
        control.location.z -= 0.03
    turned = obj.pose.bones[made["controls"]["wrist.L"]]
    turned.rotation_euler.x += 0.3
    moved = dict(zip(obj.pose.bones.keys(), seen_now(obj) - before, strict=True))
    assert np.abs(moved["fingers.L"]).max() < 1e-6 < 0.01 < np.abs(moved["hand.L"]).max()
    assert not set(api.contact_report(obj, (8, 9))["past_limits"]) & {"integrity_percent"}


def test_what_four_legs_do_not_do_is_said():
    obj, man = walking_dog(), walker("Man")
    api.bake_walk(man, frame_start=1, frame_end=10)
    for does in (
        lambda: api.add_act(obj, "NOD", at=1.0),
        lambda: api.retarget(dog("Other"), source=man),
        lambda: api.pose_targets(dog("Third")),
    ):
        with refuses("'pelvis' carries a character on four legs"):
            does()
    for settings in ({"gait": "SKIP"}, {"styles": {"Sad": 1.0}}):
        with refuses("Skip is no gait on four legs" if "gait" in settings else "carries a character on four"):
            api.generate_walk(obj, **settings)


def test_a_pack_trots_as_one_does_each_in_its_own_phase_and_far_away_as_a_loop():
    hero = walking_dog(gait="TROT", mode="PATH", path=curve([(0, 0), (0, -6)]))
    pack, man = [dog(f"Dog {number}") for number in range(3)], walker("Man")
    for number, obj in enumerate(pack, start=1):
        obj.location = (1.5 * number, 0.3 * number, 0.0)
        dressed(obj)
    bpy.context.view_layer.update()
    found = api.copy_walk(hero, [*pack, man], seed=5)
    assert found["refused"].keys() == {"Man"} and "Trot is no gait on two legs" in found["refused"]["Man"]
    assert max(max(worst(report).values()) for report in found["reports"].values()) < 0.05
    assert len({obj.neurarig.walk.phase for obj in pack}) == 3
    assert not api.clear_crossings([hero, *pack])["left"]
    shown = api.far_as_loops(pack)
    assert not shown["refused"] and sum(map(len, shown["loops"].values())) == api.near_again() == 3


def test_it_turns_on_the_spot_and_goes_on():
    obj = walking_dog(mode="PATH", path=curve([(0, 0), (0, -4)]), start_turn=90.0)
    report = api.contact_report(obj, (1, 100))
    assert max(worst(report).values()) < 0.05 and set(report["past_limits"]) <= {"toe_clearance_mm"}
    assert report["toe_clearance_mm"] > 4.0, "paws do not shuffle round"
    head, hips = (
        np.array([seen(obj, frame, [bone])[0, 0] for frame in (1, 90)]) for bone in ("head", "pelvis")
    )
    ways = (head - hips)[:, :2]
    cosine = ways[0] @ ways[1] / np.prod(np.linalg.norm(ways, axis=1))
    assert abs(cosine) < 0.1 and np.linalg.norm((hips[1] - hips[0])[:2]) < 2.0


def test_on_a_moving_deck_prints_of_fore_feet_are_those_of_a_still_one():
    still, frames = walking_dog(), (1, 17, 40.5, 75)
    api.edit_print(still, "LEFT_FORE", 1, along=0.03, aside=0.02)
    expected = played(still, frames)
    deck = ship()
    obj = walking_dog(stand_on=deck)
    api.edit_print(obj, "LEFT_FORE", 1, along=0.03, aside=0.02)
    np.testing.assert_allclose(on_deck(obj, deck, frames), expected, atol=3e-5)
    assert max(worst(api.contact_report(obj, FRAMES)).values()) < 0.05


def test_the_prints_of_all_four_feet_are_shown_where_these_stand():
    obj = walking_dog(gait="TROT")
    shown = print_drawing.shown(obj, bpy.context.scene, source_of(obj, bpy.context.scene))
    assert {shown.label(row)[:2] for row in range(len(shown.keys))} >= {"L1", "R1", "LF", "RF"}
    toes = ("toe.L", "toe.R", "fingers.L", "fingers.R")
    for side, bone in enumerate(toes):
        row = next(
            row for row, key in enumerate(shown.keys) if key[0] == side and shown.shapes.touch[row] > 5
        )
        middle = 0.5 * (shown.shapes.touch[row] + shown.shapes.lift[row])
        stands = seen(obj, float(middle), [bone])[0].mean(axis=0)
        assert np.linalg.norm((shown.outlines[row].mean(axis=0) - stands)[:2]) < 0.04


@pytest.mark.parametrize(("foot", "bone"), [("LEFT_FORE", "fingers.L"), ("RIGHT", "toe.R")])
def test_prints_of_fore_feet_are_edited_dragged_and_reset_as_those_of_hind_ones(foot, bone):
    obj = walking_dog()
    planned = seen(obj, 30.0)
    handles = api.take_prints(obj, [(foot, 1), ("RIGHT_FORE", 2)])
    touched = print_places.touches_of(source_of(obj, bpy.context.scene).walker, [(SIDES[foot], 1)])[0]
    at = float(np.ceil(touched)) + 2.0
    names = obj.pose.bones.keys()
    before = dict(zip(names, seen(obj, at), strict=True))
    api.edit_print(obj, foot, 1, along=0.03, aside=0.02)
    moved = dict(zip(names, seen(obj, at), strict=True))[bone] - before[bone]
    np.testing.assert_allclose(np.sort(np.abs(moved[0])), [0.0, 0.02, 0.03], atol=1e-3)
    report = api.contact_report(obj, FRAMES)
    assert max(worst(report).values()) < 0.05 and not {"slip_mm", "reach"} & set(report["past_limits"])
    edited = dict(zip(names, seen(obj, at), strict=True))[bone]
    handles[0].location.z += 0.02
    handles[0].location.x += 0.01
    bpy.context.view_layer.update()
    dragged = dict(zip(names, seen(obj, at), strict=True))[bone] - edited
    np.testing.assert_allclose(np.sort(np.abs(dragged[0]))[1], 0.01, atol=1e-3)
    api.reset_prints(obj)
    np.testing.assert_allclose(seen(obj, 30.0), planned, atol=1e-6)
    with refuses("Steps are added for hind feet"):
        api.add_print(obj, "LEFT_FORE", 1)
    with refuses("'Man' has no fore feet"):
        api.edit_print(walker("Man"), "LEFT_FORE", 1, along=0.1)


@pytest.mark.parametrize("gait, facing", [("WALK", 180.0), ("WALK", -90.0), ("TROT", 40.0)])
def test_backward_and_sideways_its_feet_stand_live_and_baked(gait, facing):
    obj = walking_dog(gait=gait, facing=facing)
    report = api.contact_report(obj, FRAMES)
    assert max(worst(report).values()) < 0.05 and report["penetration_mm"] < 0.05
    bones = list(role_map(obj).bones.values())
    before = played(obj, (7, 30, 12.5), bones)
    head, tail = (before[:, bones.index(bone), 0] for bone in ("head", "tail.1"))
    assert (head - tail)[:, 1].max() < -0.5, "it faces as it stood, and goes another way"
    api.bake_walk(obj, frame_start=FRAMES[0], frame_end=FRAMES[1])
    np.testing.assert_allclose(played(obj, (30, 7), bones), before[[1, 0]], atol=1e-4)
    assert max(worst(api.contact_report(obj, FRAMES)).values()) < 0.05


def test_it_keeps_facing_a_thing_and_turns_as_keyed():
    thing = bpy.data.objects.new("Thing", None)
    bpy.context.scene.collection.objects.link(thing)
    thing.location = (2.0, -3.0, 0.3)
    obj = walking_dog(face=thing, mode="PATH", path=curve([(0, 0), (0, -6)]))
    assert max(worst(api.contact_report(obj, (1, 120))).values()) < 0.05
    for frame in (60, 110):
        hips, withers = seen(obj, frame, ["pelvis", "neck"])[:, 0, :2]
        ahead, way = withers - hips, np.array(thing.location)[:2] - hips
        assert ahead @ way > 0.8 * np.linalg.norm(ahead) * np.linalg.norm(way)
    obj.neurarig.walk.face = None
    for frame, degrees in ((20, 0.0), (30, 180.0), (70, -60.0)):
        obj.neurarig.walk.facing = degrees
        obj.neurarig.walk.keyframe_insert("facing", frame=frame)
    assert max(worst(api.contact_report(obj, (10, 110))).values()) < 0.05


def test_the_walks_backward_and_sideways_are_for_animals_too():
    obj = walking_dog()
    for name, facing in (("Backward", 180.0), ("Sidestep", -90.0)):
        api.apply_preset(obj, name)
        assert obj.neurarig.walk.facing == facing
        assert max(worst(api.contact_report(obj, FRAMES)).values()) < 0.05
    with refuses("canters, gallops or bounds faces the way he goes"):
        api.generate_walk(obj, gait="GALLOP")


@pytest.mark.parametrize("gait, back", [("WALK", True), ("TROT", False)])
def test_it_goes_over_into_its_own_action_on_all_four_feet(gait, back):
    obj = walking_dog(gait=gait)
    action = api.bake_walk(obj, frame_start=1, frame_end=48)
    action.use_fake_user = True
    api.remove_walk(obj)
    api.generate_walk(obj, mode="TRAVEL", blend_action=action, blend_frame=50.0, blend_back=back)
    report = api.contact_report(obj, (30, 80))
    assert max(worst(report).values()) < 0.1 and report["penetration_mm"] < 0.1
    assert not {"integrity_percent", "pelvis_acceleration_m_s2", "knee_jump_degrees"} & set(
        report["past_limits"]
    )
