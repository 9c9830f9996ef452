"""On a deck, a lift, a train: the character is taken along, and everything of its walk is relative to what it
stands on."""

import bpy
import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from tests.blender.leading import curve, linked, on_deck, sheet, ship, slab
from tests.blender.walking import played, seen, walker
from tests.refusals import refuses
from tests.rigs import biped, build

FEET = ["LeftFoot", "LeftToeBase", "RightFoot", "RightToeBase"]
BEND = [(0.0, 0.0), (0.0, -3.0), (2.0, -5.0)]


@pytest.mark.parametrize("carrier", ["OBJECT", "BONE"])
@pytest.mark.parametrize("mode", ["IN_PLACE", "TRAVEL", "PATH"])
def test_on_a_moving_deck_the_walk_is_what_it_is_on_a_still_one(mode, carrier):
    settings = {"mode": mode, "travel_with": carrier, "path": curve(BEND) if mode == "PATH" else None}
    still = walker("Still", **settings)
    frames = (1, 17, 40.5, 75, 100)
    expected = played(still, frames)
    deck = ship()
    if mode == "PATH":
        settings["path"].parent = deck
    obj = walker(**settings, stand_on=deck)
    assert_allclose(on_deck(obj, deck, frames), expected, atol=3e-5)
    backwards = on_deck(obj, deck, frames[::-1])[::-1]
    assert_allclose(backwards, expected, atol=3e-5)
    report = api.contact_report(obj, (1, 90))
    assert max(side["max"] for side in report["slip_mm"].values()) < 0.5 and report["penetration_mm"] < 1.0
    api.bake_walk(obj, frame_start=1, frame_end=100, target="LAYER")
    assert_allclose(on_deck(obj, deck, (1, 17, 75, 100)), expected[[0, 1, 3, 4]], atol=1e-4)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
def test_who_stands_on_somebody_that_stands_on_another_is_carried_by_both_on_every_frame(order):
    frames, walkers = (
        (10, 40, 20, 10, 3, 40),
        {number: walker(f"Walker {number}", mode="TRAVEL", travel_with="OBJECT") for number in order},
    )
    for number in order:
        walkers[number].location.x = 2.0 * number
    bpy.context.view_layer.update()
    alone = played(walkers[0], frames, ["Hips"])[..., 1]
    bpy.context.scene.frame_set(1)
    for rider in (1, 0):
        walkers[rider].neurarig.walk.stand_on = walkers[rider + 1]
        bpy.context.view_layer.update()
    live = played(walkers[0], frames, ["Hips"])[..., 1]
    assert_allclose(live, 3.0 * alone, atol=0.02)  # hips sway about what travels
    api.bake_walk(walkers[0], frame_start=1, frame_end=40)
    assert_allclose(played(walkers[0], frames, ["Hips"])[..., 1], live, atol=1e-4)


def test_the_deck_itself_may_be_the_ground():
    deck = ship()
    obj = walker(mode="TRAVEL", ground=deck, stand_on=deck)
    report = api.contact_report(obj, (1, 90))
    assert max(side["max"] for side in report["slip_mm"].values()) < 0.5 and report["penetration_mm"] < 1.0
    assert on_deck(obj, deck, range(1, 100, 9))[..., 2].min() > -0.05


def test_who_rides_stands_where_he_stood_when_the_deck_was_chosen_and_goes_back_there():
    deck = ship()
    obj = build(biped(), "Hero")
    obj.location = (1.0, 2.0, 0.0)
    bpy.context.scene.frame_set(50)
    before = np.array(seen(obj, 50, ["Hips"])[0, 0])
    api.generate_walk(obj, use_network=False, mode="IN_PLACE", stand_on=deck)
    assert np.linalg.norm(seen(obj, 50, ["Hips"])[0, 0][:2] - before[:2]) < 0.1
    assert np.linalg.norm(seen(obj, 100, ["Hips"])[0, 0][:2] - before[:2]) > 3.0
    obj.neurarig.walk.stand_on = None
    assert np.linalg.norm(seen(obj, 100, ["Hips"])[0, 0][:2] - before[:2]) < 0.1
    obj.neurarig.walk.stand_on = deck
    api.remove_walk(obj)
    assert_allclose(obj.location, (1.0, 2.0, 0.0), atol=1e-5)


def test_a_deck_is_dragged_and_the_rider_is_dragged_on_it():
    deck = slab("Deck", (-8.0, 8.0), (-8.0, 8.0), 0.0)
    obj = walker(mode="TRAVEL", stand_on=deck)
    before = seen(obj, 30, ["Hips"])[0, 0]
    deck.location = (3.0, 0.0, 1.0)
    bpy.context.view_layer.update()
    assert_allclose(seen(obj, 30, ["Hips"])[0, 0] - before, (3.0, 0.0, 1.0), atol=1e-4)
    obj.location.x += 0.5
    bpy.context.view_layer.update()
    assert_allclose(seen(obj, 30, ["Hips"])[0, 0] - before, (3.5, 0.0, 1.0), atol=1e-4)
    seen(obj, 60)
    assert_allclose(seen(obj, 30, ["Hips"])[0, 0] - before, (3.5, 0.0, 1.0), atol=1e-4)


def test_a_deck_that_goes_or_hangs_on_its_rider():
    deck = ship()
    obj = walker(mode="TRAVEL", stand_on=deck)
    seen(obj, 50)
    bpy.data.objects.remove(deck)
    assert (
        obj.neurarig.walk.live
        and np.isfinite(seen(obj, 60)).all()
        and abs(seen(obj, 60, ["Hips"])[0, 0][0]) < 0.1
    )
    hung = linked("Hung", None)
    hung.parent = obj
    with refuses("'Hung' is carried by 'Hero'"):
        api.generate_walk(obj, stand_on=hung)
    with refuses("needs an object"):
        api.generate_walk(obj, stand_on="Deck")
    assert sheet("Sheet", lambda x, y: 0.0 * x) and obj.neurarig.walk.live
