"""The styles that come with NeuraRig: they load, differ, and are walked on all kinds of bodies with planted
feet."""

import argparse
from pathlib import Path

import numpy as np
import pytest

from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.human.adult import human_body
from neurarig_addon.core.styles.learn import learned
from neurarig_addon.core.styles.learned_style import LARGEST_FILE, read_style
from neurarig_addon.core.styles.likeness import apart, stride_of, walked_angles
from neurarig_addon.core.styles.picture import drawn as picture_of
from neurarig_addon.core.styles.picture import picture
from neurarig_addon.core.styles.recording import record
from neurarig_addon.core.styles.styled_gait import in_styles
from neurarig_addon.training.styles.commands import SHIPPED, add_styles, file_name
from neurarig_addon.training.styles.people import ENTRIES, read_recording
from tests.core.retarget_bodies import bodies
from tests.core.walk_measures import deepest, greatest_reach, greatest_slip
from tests.core.walk_styles import keyed
from tests.core.walkers import BY_SPEED, WALKING
from tests.shared_data import shared_path

FILES = {entry.name: SHIPPED / file_name(number, entry) for number, entry in enumerate(ENTRIES, start=1)}
FILES["Catwalk"] = SHIPPED / "09_catwalk.json"  # made by hand
FARTHER = 7.0  # degrees: people's walks are so far from each other
ADULT = human_body("A")


def test_the_library_is_what_its_list_says():
    assert sorted(path.name for path in SHIPPED.glob("*.json")) == sorted(
        path.name for path in FILES.values()
    )
    credits = (Path(__file__).parents[2] / "CREDITS.md").read_text(encoding="utf-8")
    for entry in ENTRIES:
        style = read_style(FILES[entry.name])
        assert (style.name, style.description, style.credit) == (entry.name, entry.description, entry.credit)
        assert entry.credit.split(",")[0] in credits
        assert FILES[entry.name].stat().st_size < LARGEST_FILE


@pytest.mark.few(2)
@pytest.mark.parametrize("name", FILES)
def test_a_style_of_the_library_is_walked_planted(name):
    style = read_style(FILES[name])
    gait = in_styles(WALKING, [style])
    for body in (ADULT, bodies()["child"].body, bodies()["clown"].body):
        speed = style.vhat * np.sqrt(9.81 * 1.09 * body.leg_length)
        for faster in (0.75, 1.0, 1.25):
            pose = walk(
                body, StyleTrack(Style(speed=faster * speed)), Clock(), np.arange(0.0, 80.0, 0.5), gait
            )
            assert greatest_slip(body, pose) < 1e-9
            assert deepest(body, pose) < 1e-9
            assert greatest_reach(body, pose) <= 0.999


def test_no_two_styles_are_the_same():
    angles = {
        name: walked_angles(ADULT, in_styles(WALKING, [style]), style.vhat)
        for name, style in ((n, read_style(p)) for n, p in FILES.items())
    }
    names = list(angles)
    apart_by = [
        (apart(angles[one], angles[two]), one, two) for row, one in enumerate(names) for two in names[:row]
    ]
    assert min(apart_by)[0] > FARTHER, min(apart_by)


@pytest.mark.parametrize("name", FILES)
def test_a_style_is_farther_from_the_natural_walk_than_people_are_from_each_other(name):
    style = read_style(FILES[name])
    angles = (walked_angles(ADULT, gait, style.vhat) for gait in (in_styles(WALKING, [style]), WALKING))
    assert apart(*angles) > FARTHER


def test_a_picture_shows_two_figures_inside_it():
    zombie = read_style(FILES["Zombie"])
    gait = in_styles(WALKING, [zombie])
    drawn = picture(gait, zombie.vhat, 96)
    assert drawn.shape == (96, 96, 4) and drawn.min() >= 0.0 and drawn.max() <= 1.0
    covered = (drawn[..., 3] > 0.5).any(axis=0)
    assert covered[:48].sum() > 12 and covered[48:].sum() > 12 and not covered[[0, -1]].all()
    larger = picture(gait, zombie.vhat, 192)
    assert (larger[..., 3] > 0.5).mean() > 0.7 * (drawn[..., 3] > 0.5).mean(), "strokes grow with the picture"
    assert np.array_equal(picture(gait, zombie.vhat, 96, Style()), drawn)
    assert np.abs(picture(gait, zombie.vhat, 96, Style(facing=180.0)) - drawn).max() > 0.5


def test_a_picture_leaves_out_what_is_beside_it():
    pose = stride_of(ADULT, WALKING, 0.4)
    beside = picture_of(pose.motions, [0, 3, 9], 64, adults=0.1)
    assert beside.shape == (64, 64, 4) and np.isfinite(beside).all()


@pytest.mark.parametrize("name", ["March", "Hurt Leg"])
@pytest.mark.parametrize(
    "track",
    [
        keyed("speed", [1, 30, 70, 110], [0.0, 1.3, 3.5, 0.0]),
        keyed("style_1", [1, 60], [0.0, 1.5], speed=3.0),
        StyleTrack(Style(speed=0.8, facing=180.0)),
    ],
    ids=["from standing to a run and back", "a weight keyed in a run", "backwards"],
)
def test_a_style_goes_into_a_run_and_backwards_planted(name, track):
    gait = in_styles(WALKING if track.constant.facing else BY_SPEED, [read_style(FILES[name])])
    pose = walk(ADULT, track, Clock(), np.arange(0.0, 115.0, 0.5), gait)
    assert greatest_slip(ADULT, pose) < 1e-9
    assert deepest(ADULT, pose) < 1e-9
    assert greatest_reach(ADULT, pose) <= 0.999


def test_the_library_was_learned_over_the_gait_that_ships():
    """Where this fails, the natural gait has changed: learn the library anew
    (docs/internals/retraining.md)."""
    entry = next(entry for entry in ENTRIES if entry.pushed)
    recorded = record(*read_recording(shared_path("data", *entry.clip.split("/"))))
    now = entry.finished(learned(recorded, WALKING, entry.name))
    was = read_style(FILES[entry.name])
    assert now.stride == pytest.approx(was.stride, abs=2e-3)
    np.testing.assert_allclose(now.curves, was.curves, atol=5e-3)


def test_on_a_catwalk_feet_go_on_one_line_and_the_hip_rises_over_each():
    style = read_style(FILES["Catwalk"])
    gait = in_styles(WALKING, [style])
    pose, plain = stride_of(ADULT, gait, style.vhat), stride_of(ADULT, WALKING, style.vhat)
    angles, usual = walked_angles(ADULT, gait, style.vhat), walked_angles(ADULT, WALKING, style.vhat)
    assert _apart(pose, "foot") < 0.5 * _apart(plain, "foot")
    assert angles["pelvis roll"][15] > 2.0 * usual["pelvis roll"][15] > 0.0, (
        "the left hip, over the left foot that stands"
    )
    assert np.ptp(angles["pelvis yaw"]) > 1.7 * np.ptp(usual["pelvis yaw"])
    assert angles["chest roll"][15] < 0.0, "the shoulders against the hips"


def _apart(pose, joint):
    """Return how far apart both sides' joints are sideways, mean over a stride in metres."""
    left, right = (pose.motions[f"{joint}.{side}"].position[:, 1] for side in "LR")
    return float(np.mean(left - right))


def test_without_the_recordings_the_old_library_stays(tmp_path, capsys):
    parser = argparse.ArgumentParser()
    add_styles(parser.add_subparsers())
    old = tmp_path / "01_old.json"
    old.write_text("{}")
    options = parser.parse_args(["styles", str(tmp_path / "nowhere"), "--out", str(tmp_path)])
    assert options.run(options) == 1 and old.exists()
    assert "clips are missing" in capsys.readouterr().err
