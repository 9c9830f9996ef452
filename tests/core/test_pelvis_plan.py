"""The pelvis over time: it sinks for its legs before they pull it down, smoothly, whatever speeds are
keyed."""

import numpy as np
import pytest

from neurarig_addon.core.body.pelvis import BRAKES, DEEPEST, EASES
from neurarig_addon.core.easing import smoothstep
from neurarig_addon.core.gait.body.pelvis import Descent
from neurarig_addon.core.gait.kinds.bounce import bounces
from neurarig_addon.core.gait.kinds.bouncing_gait import bouncing_gait
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from tests.core.walk_measures import knee_angle
from tests.core.walkers import BODY, BY_SPEED, RUNNING, WALKING

GAITS = {"walk": WALKING, "run": RUNNING, "by speed": BY_SPEED} | {
    name: bouncing_gait(one) for name, one in bounces().items()
}
FPS = 24.0
PLAN = Descent(start=1.0, every=1.0, beat=1.0 / FPS, deepest=DEEPEST * BODY.leg_length)


def sinking(frames: np.ndarray, demand) -> np.ndarray:
    return PLAN.at(frames, demand(PLAN.samples(frames)))


def pulse(frames: np.ndarray) -> np.ndarray:
    """A foot that pulls the pelvis down by 8 cm and lets go within a frame."""
    return np.where((frames >= 40.0) & (frames < 46.0), 0.08 * (frames - 39.0) / 7.0, 0.0)


def test_it_sinks_as_far_as_the_legs_demand_and_is_back_soon():
    frames = np.arange(1.0, 90.0)
    sunk = sinking(frames, pulse)
    assert (sunk >= pulse(frames) - 1e-3).all() and sunk.max() < 0.085
    assert sunk[frames < 30.0].max() == 0.0 and sunk[frames > 56.0].max() == 0.0


def test_its_acceleration_is_bounded_however_sudden_the_demand():
    sunk = sinking(np.arange(1.0, 90.0), pulse)
    bends = np.diff(sunk, 2) * FPS**2
    assert bends.max() < 1.05 * BRAKES and bends.min() > -1.05 * EASES * BRAKES / (BRAKES - EASES)


def keyed(keys: list[tuple[float, float]], gait: str, extra: float = 40.0) -> WalkPose:
    """Return a walk whose speed eases from key to key."""
    frames, speeds = np.array(keys, dtype=float).T
    grid = np.arange(frames[0], frames[-1] + 0.1, 0.25)
    place = np.interp(grid, frames, np.arange(len(frames)))
    row = np.minimum(np.floor(place).astype(int), len(frames) - 2)
    values = speeds[row] + (speeds[row + 1] - speeds[row]) * smoothstep(place - row)
    track = StyleTrack(Style(), curves={"speed": (grid, values)})
    return walk(BODY, track, Clock(fps=FPS), np.arange(1.0, frames[-1] + extra), GAITS[gait])


def felt(pose: WalkPose) -> float:
    """Return the pelvis' greatest acceleration at 24 frames a second, in m/s^2."""
    place = pose.root.holding(pose.motions["pelvis"]).position
    return float(np.linalg.norm(np.diff(place, 2, axis=0), axis=-1).max()) * FPS**2


@pytest.mark.few(3)
@pytest.mark.parametrize("gait", GAITS)
def test_whoever_speeds_up_and_brakes_is_not_thrown_about(gait):
    """105 m/s^2, when each frame's legs alone decided how high the pelvis is; a hop had 30 by itself."""
    steady = max(
        felt(walk(BODY, StyleTrack(Style(speed=v)), Clock(fps=FPS), np.arange(1.0, 60.0), RUNNING))
        for v in (3.0, 5.0)
    )
    rng = np.random.default_rng(33)
    for _ in range(3):
        frames = 10.0 + np.cumsum(rng.integers(12, 45, 4))
        speeds = [0.0, *rng.uniform(0.0, 5.0, 2), 0.0]
        assert felt(keyed(list(zip(frames.tolist(), speeds, strict=True)), gait)) < 1.3 * steady
    assert felt(keyed([(30.0, 0.0), (60.0, 4.5)], gait)) < 1.3 * steady


@pytest.mark.parametrize("speed", [0.8, 1.3])
def test_setting_off_and_stopping_are_no_curtsy(speed):
    """As one recorded man does it: hips dip by a hundredth of a leg, feet come up little, and a leg stays
    straight."""
    pose = keyed([(30.0, 0.0), (31.0, speed), (120.0, speed), (121.0, 0.0)], "walk", extra=60.0)
    leg, height = BODY.leg_length, pose.motions["pelvis"].position[:, 2]
    goes = np.flatnonzero(pose.ground_speed > 0.05)
    first, last = slice(goes[0], goes[0] + 16), slice(goes[-1] - 12, goes[-1] + 8)
    assert height[0] - height[first].min() < 0.025 * leg and height[-1] - height[last].min() < 0.025 * leg
    knees = np.degrees(np.minimum(knee_angle(pose, "L"), knee_angle(pose, "R")))
    assert max((knees[first] - knees[0]).max(), (knees[last] - knees[-1]).max()) < 9.0
    ankles = np.stack([pose.motions[f"foot.{side}"].position[:, 2] for side in "LR"])
    assert (ankles[:, last] - ankles[:, -1:]).max() < 0.08 * leg
