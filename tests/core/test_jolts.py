"""The report sees what a viewer sees: bodies thrown about, knees that snap, drops; and no fault in walks that
have none."""

from pathlib import Path

import numpy as np
import pytest

import neurarig_addon
from neurarig_addon.core.gait.kinds.gait import Gait
from neurarig_addon.core.gait.kinds.natural import speed_of
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.human.adult import human_body
from neurarig_addon.core.report.clip_report import clip_report
from neurarig_addon.core.report.jolts import (
    DROP,
    HEAD,
    IN_FLIGHT,
    KNEE,
    ON_FOOT,
    PELVIS,
    BodyPoints,
    Jolt,
    height_lost,
    jolts_of,
    knee_angles,
)
from neurarig_addon.core.report.walk_report import jolts_of_pose, walk_jolts
from neurarig_addon.core.styles.body_fit import on_body
from neurarig_addon.core.styles.learned_style import read_style
from neurarig_addon.core.styles.styled_gait import in_styles
from tests.core.walk_styles import WALKS, keyed
from tests.core.walkers import BODY, GAITS, WALKING

FPS = 24.0
STYLES = sorted((Path(neurarig_addon.__file__).parent / "data" / "styles").glob("*.json"))


def past(jolts: dict[str, Jolt]) -> set[str]:
    return {name for name, jolt in jolts.items() if jolt.share > 1.0}


def walked(track: StyleTrack, gait: Gait = WALKING, frames: int = 150) -> WalkPose:
    return walk(BODY, track, Clock(FPS), np.arange(1.0, frames), gait)


def points(pose: WalkPose) -> tuple[np.ndarray, np.ndarray]:
    """Return the joints of the legs `(f, 2, 3, 3)` and the head `(f, 3)`."""
    legs = [
        np.stack([pose.motions[f"{part}.{side}"].position for part in ("thigh", "shin", "foot")], axis=1)
        for side in "LR"
    ]
    return np.stack(legs, axis=1), np.array(pose.motions["head"].position)


@pytest.fixture(scope="module")
def pose() -> WalkPose:
    return walked(StyleTrack(Style(speed=1.3)))


@pytest.mark.parametrize("fps", [24.0, 25.0, 30.0, 60.0])
@pytest.mark.parametrize("scale", [1.0, 9.0])
def test_an_oscillation_has_its_own_acceleration(fps, scale):
    """So it has at any frame rate, and on a giant whose oscillation is larger and slower as his pendulum
    is."""
    rate = 2.0 * np.pi * 1.5 / np.sqrt(scale)
    time = np.arange(0.0, 6.0, 1.0 / fps)
    swing = 0.05 * scale * np.sin(rate * time)[:, None] * [0.0, 0.6, 0.8]
    body = BodyPoints(swing, np.full_like(swing, np.nan), None, None)
    found = jolts_of(body, np.zeros(len(time), dtype=bool), fps, 0.9 * scale)
    assert found.keys() == {PELVIS}
    assert found[PELVIS].value == pytest.approx(0.05 * (2.0 * np.pi * 1.5) ** 2, rel=0.03)


def test_only_a_drop_that_is_made_up_is_height_lost():
    time = np.arange(0.0, 8.0, 1.0 / FPS)
    bob = 1.0 + 0.03 * np.sin(2.0 * np.pi * 2.0 * time)
    assert np.nanmax(height_lost(bob, FPS)) < 1e-3
    assert np.nanmax(height_lost(bob - 0.2 * np.clip(time - 3.0, 0.0, 1.0), FPS)) < 1e-3
    dip = 0.12 * np.exp(-(((time - 4.0) / 0.15) ** 2))
    lost = height_lost(bob - dip, FPS)
    assert np.nanmax(lost) == pytest.approx(0.12, abs=0.04) and abs(np.nanargmax(lost) - 96) <= 6
    assert np.isnan(lost[:24]).all() and np.isnan(lost[-24:]).all()


@pytest.mark.few(3)
@pytest.mark.parametrize("file", STYLES[::3], ids=lambda file: file.stem)
def test_styles_keep_the_limits(file):
    style = read_style(file)
    gait = on_body(in_styles(WALKING, [style]), BODY, WALKING)
    for speed in float(speed_of(style.vhat, BODY.leg_length)) * np.array([0.75, 1.25]):
        assert not past(jolts_of_pose(walked(StyleTrack(Style(speed=speed)), gait), BODY, FPS))


@pytest.mark.parametrize(
    "name",
    [name for name in WALKS if name.startswith(("speed", "start", "stop and", "crouch", "energy", "weight"))],
)
def test_walks_keep_the_limits(name):
    assert not past(jolts_of_pose(walked(WALKS[name]), BODY, FPS))


@pytest.mark.few(2)
@pytest.mark.parametrize("name", GAITS)
def test_drawn_changes_of_speed_keep_the_limits(name):
    (gait, fastest), draw = GAITS[name], np.random.default_rng(33)
    for _ in range(4):
        frames = 10 + np.cumsum(draw.integers(12, 45, 4))
        track = keyed("speed", frames.tolist(), [0.0, *draw.uniform(0.0, fastest, 2), 0.0])
        found = past(jolts_of_pose(walked(track, gait, frames=int(frames[-1]) + 40), BODY, FPS))
        assert not found, frames


def thrown(pose: WalkPose, by: np.ndarray) -> dict[str, Jolt]:
    """Return the jolts with hips and head moved by metres `(f, 3)`."""
    legs, head = points(pose)
    legs[:, :, 0] += by[:, None]
    return walk_jolts(legs, head + by, BODY, pose, FPS)


def test_a_drop_of_one_frame_is_seen_with_its_frame(pose):
    by = np.zeros((len(pose.frames), 3))
    by[70, 2] = -0.12
    found = thrown(pose, by)
    assert past(found) >= {PELVIS, HEAD, DROP} and {found[name].row for name in (PELVIS, HEAD, DROP)} == {70}


def test_a_lunge_is_seen(pose):
    """The pelvis is 20 cm ahead within three frames, and back within half a second."""
    ahead = np.interp(np.arange(len(pose.frames)), [66, 69, 81], [0.0, 0.2, 0.0])
    assert PELVIS in past(thrown(pose, ahead[:, None] * [1.0, 0.0, -0.3]))


def test_a_curtsy_is_seen_although_it_is_smooth(pose):
    time = (np.arange(len(pose.frames)) - 72) / FPS
    assert past(thrown(pose, -0.12 * np.exp(-((time / 0.25) ** 2))[:, None] * [0.0, 0.0, 1.0])) == {DROP}


def test_a_knee_that_locks_for_a_frame_is_seen(pose):
    legs, head = points(pose)
    bent = 30 + int(np.argmax(knee_angles(legs)[30:100, 0]))
    legs[bent, 0, 1] = 0.5 * (legs[bent, 0, 0] + legs[bent, 0, 2])
    found = walk_jolts(legs, head, BODY, pose, FPS)
    assert past(found) == {KNEE} and abs(found[KNEE].row - bent) <= 1


def test_a_clip_is_judged_by_its_shape_on_a_giant_too(pose):
    legs, head = points(pose)
    legs[70, 0, 0, 2] -= 0.3
    found = []
    for size in (1.0, 8.0):
        body = human_body(scale=size)
        found.append(clip_report(size * legs, size * legs, size * head, body, pose.pivot, FPS, pose.frames))
    assert (
        found[0]["worst_frames"] == found[1]["worst_frames"]
        and found[0]["worst_frames"][PELVIS] == pose.frames[70]
    )
    for report in found:
        assert (
            report["limits"][PELVIS] == IN_FLIGHT[PELVIS]
            and PELVIS in report["past_limits"]
            and report[DROP] is None
        )
        assert report[PELVIS] == pytest.approx(found[0][PELVIS]) and report[KNEE] == pytest.approx(
            found[0][KNEE]
        )


def test_a_gait_at_no_persons_speed_is_judged_as_it_is():
    """A walk of 5 m/s snaps its knees and has the limits of a walk; a hop of 5 m/s has those of flight, like
    a run."""
    fast = StyleTrack(Style(speed=5.0))
    walking, hopping = (
        jolts_of_pose(walked(fast), BODY, FPS),
        jolts_of_pose(walked(fast, GAITS["hop"][0]), BODY, FPS),
    )
    assert KNEE in past(walking) and {name: jolt.limit for name, jolt in walking.items()} == ON_FOOT
    assert {name: jolt.limit for name, jolt in hopping.items()} == IN_FLIGHT


def test_low_frame_rates_and_single_frames_invent_nothing():
    slow = walk(BODY, StyleTrack(Style(speed=1.3)), Clock(12.0), np.arange(1.0, 60.0), WALKING)
    usual = walked(StyleTrack(Style(speed=1.3)))
    seen, known = jolts_of_pose(slow, BODY, 12.0), jolts_of_pose(usual, BODY, FPS)
    assert all(seen[name].value < 1.1 * known[name].value + 1.0 for name in (PELVIS, HEAD, KNEE))
    one = BodyPoints(np.zeros((1, 3)), np.zeros((1, 3)), np.zeros((1, 2, 3, 3)), np.zeros(1))
    assert jolts_of(one, np.zeros(1, dtype=bool), FPS, 0.9) == {}
