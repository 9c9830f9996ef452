"""Styles in Blender: learned from what moves an armature, walked in by another, blended, keyed, kept, given
back."""

from pathlib import Path

import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.walk.manner import presets, styles
from neurarig_addon.blender.walk.manner.presets import STYLE
from tests.blender.styled import LOW, actor, gone, learned, roughly
from tests.blender.walking import played, walker
from tests.refusals import refuses
from tests.rigs import biped, build
from tests.shared_data import shared_path


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the user's real styles out of the tests."""
    monkeypatch.setattr(presets, "_user_folder", lambda kind: tmp_path / kind)
    return tmp_path


def test_a_character_walks_in_what_was_learned_from_another():
    low = actor(**LOW)
    style = api.learn_style(low, "Low")
    gone(low)
    assert "very close" in style.description and "Low" in [name for name, _ in styles.names()]
    obj = build(biped(), "Hero")
    plain = api.generate_walk(obj, mode="TRAVEL", speed=1.0)
    before = played(obj, range(1, 30, 4))
    report = api.generate_walk(obj, styles={"Low": 1.0}, speed=1.0)
    assert not report["past_limits"] and max(side["max"] for side in report["slip_mm"].values()) < 0.01
    hips = obj.pose.bones["Hips"].name
    low = [
        played(obj, range(1, 30, 4), [hips])[:, 0, 0, 2].mean(),
        before[:, obj.data.bones.find(hips), 0, 2].mean(),
    ]
    assert low[0] < low[1] - 0.1 * plain["leg_length_m"]


def test_a_style_brings_its_speed_along_unless_one_is_given():
    learned()
    obj = build(biped(), "Hero")
    api.generate_walk(obj, styles={"Low": 1.0})
    assert obj.neurarig.walk.speed == pytest.approx(1.0, abs=0.03)
    api.generate_walk(obj, styles={"Low": 0.5}, speed=1.4)
    assert obj.neurarig.walk.speed == pytest.approx(1.4)
    assert obj.neurarig.walk.style_1 == pytest.approx(0.5)
    api.generate_walk(obj, styles={})
    assert not any(styles.contents(obj.neurarig.walk))


def test_a_run_takes_its_own_speed_after_a_style_s_and_the_walk_the_style_s_again():
    obj = walker()
    api.generate_walk(obj, styles={"Sad": 1.0})
    settings = obj.neurarig.walk
    walks = settings.speed
    settings.gait = "RUN"
    assert settings.speed > 2.0
    settings.gait = "WALK"
    assert settings.speed == pytest.approx(walks) and walks < settings.natural_speed
    settings.speed = 1.9
    settings.gait = "RUN"
    assert settings.speed == pytest.approx(1.9)  # somebody's choice


def test_learning_from_an_action_asks_whose_it_is_only_where_that_is_unclear():
    obj = actor()
    action = obj.animation_data.action
    with roughly():
        assert api.learn_style(action, "One").vhat == pytest.approx(api.learn_style(obj, "Two").vhat)
        obj.animation_data.action = None
        build(biped(), "Other")
        with refuses("not clear whose"):
            api.learn_style(action, "Three")
        assert api.learn_style(action, "Three", armature=obj).name == "Three"


def test_what_is_no_walk_is_refused_and_nothing_is_kept(own_folder):
    obj = build(biped(), "Still")
    with refuses("does not walk"):
        api.learn_style(obj, "Statue")
    with refuses("at least one letter"):
        api.learn_style(obj, " ")
    broken = own_folder / "broken.bvh"
    broken.write_text("HIERARCHY\nROOT", encoding="utf-8")
    with refuses("broken"):
        api.learn_style(broken, "Broken")
    with refuses("cannot be learned from"):
        api.learn_style(own_folder / "clip.mp4", "Film")
    assert not any((own_folder / STYLE).glob("*"))


def test_a_recorded_manner_walks_planted():
    import gzip

    path = shared_path("data", "gaits", "style", "cmu_105_13.bvh.gz")
    clip = presets._user_folder(STYLE).parent / "sad.bvh"
    clip.write_bytes(gzip.decompress(path.read_bytes()))
    api.learn_style(clip, "My Sad")
    obj = build(biped(), "Hero")
    report = api.generate_walk(obj, styles={"My Sad": 1.0}, mode="TRAVEL")
    assert not report["past_limits"]


def test_who_walks_live_is_not_learned_from():
    """His animation is ours then, and would teach what the sliders say."""
    obj = actor()
    obj.neurarig.walk.live = True
    with refuses(r"'Actor' is walking live. Bake"):
        api.learn_style(obj, "Low")
    assert "Low" not in [name for name, _ in styles.names()]
