"""A dog, a horse and a cat, drawn in proportion, in each gait: when feet fall, how joints bend, what stays
whole."""

from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.gait import synthesis
from neurarig_addon.core.gait.kinds.four_legs import LAWS
from neurarig_addon.core.gait.kinds.gaits import animal_gait, quicker, walking_speed
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.geometry.rotation import dot, normalized, norms
from neurarig_addon.core.ground.surface import LEVEL
from neurarig_addon.core.path.path import STRAIGHT
from neurarig_addon.training.gait.animals import ANIMALS

BODIES = {name: build.body() for name, build in ANIMALS.items()}
GIANT = replace(ANIMALS["dog"], withers=3.0).body()
# cycles after the left hind foot of the left fore, right hind and right fore one
SMALL = {
    "WALK": (0.15, 0.5, 0.65),
    "AMBLE": (0.25, 0.5, 0.75),
    "PACE": (0.03, 0.5, 0.53),
    "TROT": (0.45, 0.5, 0.95),
    "CANTER": (0.22, 0.72, 0.97),
    "GALLOP": (0.58, 0.13, 0.45),
    "BOUND": (0.5, 0.03, 0.55),
}
LARGE = SMALL | {"WALK": (0.235, 0.5, 0.735), "TROT": (0.5, 0.5, 0.0), "GALLOP": (0.45, 0.86, 0.3)}
# each joint with those beside it, and the degrees between which it bends
JOINTS = {
    ("thigh.L", "shin.L", "foot.L"): (41.0, 165.0),
    ("shin.L", "foot.L", "toe.L"): (38.0, 172.0),
    ("upper_arm.L", "forearm.L", "hand.L"): (36.0, 168.0),
}


def animal(name: str, gait: str, quick: float = 1.0) -> tuple[Walker, synthesis.WalkPose]:
    body = GIANT if name == "giant dog" else BODIES[name]
    track = StyleTrack(Style(speed=quick * walking_speed(body) * quicker(gait, body.kind)))
    walker = Walker.of(body, track, Clock(60.0, 1.0), animal_gait(gait, body), STRAIGHT, LEVEL)
    return walker, synthesis.walked(walker, np.arange(1.0, 121.0, 0.5))


def phases(walker: Walker) -> np.ndarray:
    """Return how late left fore, right hind and right fore feet are, in cycles."""
    hind, fore = (girdle.rhythm.phases_at(np.array([1.0]))[0] for girdle in walker.girdles)
    return np.mod(hind[0] - [fore[0], hind[1], fore[1]], 1.0)


def test_a_steady_cycle_is_posed_once_and_any_frame_alone_is_the_same():
    walker, _ = animal("dog", "TROT")
    frames = np.arange(1.0, 65.0)
    quick = quicker("TROT", walker.body.kind) * walking_speed(walker.body)
    clock = Clock(24.0, 1.0, whole_frames=True)
    walker = Walker.of(walker.body, StyleTrack(Style(speed=quick)), clock, walker.gait, STRAIGHT, LEVEL)
    first = synthesis.walked(walker, frames)
    (cycle,) = walker.cycles
    later = synthesis.walked(walker, frames + 10 * cycle)
    assert list(walker.cycles) == [cycle] and walker.cycles[cycle].frames.shape == (cycle,)
    alone = synthesis.walked(replace(walker), frames[5:6] + 10 * cycle)
    for role, motion in first.motions.items():
        np.testing.assert_array_equal(later.motions[role].position, motion.position)
        np.testing.assert_allclose(later.motions[role].position[5:6], alone.motions[role].position, atol=1e-9)


def angle(*joints: np.ndarray) -> np.ndarray:
    above, at, below = joints
    return np.degrees(np.arccos(dot(normalized(above - at), normalized(below - at))))


@pytest.mark.parametrize("gait", SMALL)
@pytest.mark.parametrize("name", BODIES)
def test_feet_fall_as_the_animals_do_and_no_leg_is_stretched_or_bent_too_far(name, gait):
    walker, pose = animal(name, gait)
    late = phases(walker) - (LARGE if name == "horse" else SMALL)[gait]
    assert np.abs((late + 0.5) % 1.0 - 0.5).max() < 0.03
    fast = 8.0 * (gait in ("CANTER", "GALLOP", "BOUND"))
    for joints, (least, most) in JOINTS.items():
        places = [pose.motions[joint].position for joint in joints]
        assert least < angle(*places).min() < angle(*places).max() < most + fast
        lengths = norms(np.diff(places, axis=0))
        assert np.ptp(lengths, axis=1).max() < 1e-6 * BODIES[name].leg_length
    hips = pose.root.holding(pose.motions["pelvis"]).position
    jerk = norms(np.diff(hips, 2, axis=0)).max() * 120.0**2
    assert jerk < (10.0 if gait == "WALK" else 25.0 if gait in ("TROT", "PACE", "AMBLE") else 50.0)


@pytest.mark.parametrize("gait", ["WALK", "TROT"])
def test_duty_falls_with_speed_and_stays_near_the_dogs(gait):
    wanted = {"WALK": ((0.576, 0.052), (0.594, 0.041)), "TROT": ((0.417, 0.042), (0.456, 0.028))}[gait]
    found = []
    for quick in (0.8, 1.0, 1.2):
        walker, _ = animal("dog", gait, quick)
        slow = walker.inputs.at(np.zeros(1))
        found.append([float(girdle.gait.law.duty(slow, 0)[0]) for girdle in walker.girdles])
    assert (np.diff(found, axis=0) < 0.0).all()
    assert all(abs(duty - mean) < deviation for duty, (mean, deviation) in zip(found[1], wanted, strict=True))


def test_an_animal_goes_as_its_build_asks_for_whatever_its_size():
    small, large = (phases(animal(name, "WALK")[0]) for name in ("dog", "horse"))
    np.testing.assert_allclose(phases(animal("giant dog", "WALK")[0]), small, atol=1e-6)
    assert np.abs(large - small).max() > 0.05


def test_legs_short_for_their_strides_take_shorter_ones():
    stride = {
        name: animal(name, "GALLOP")[0].rhythm.stride[0] / body.hip[0, 2] for name, body in BODIES.items()
    }
    factor, power = LAWS["GALLOP"].stride
    assert all(0.75 < one / (factor * LAWS["GALLOP"].froude ** power) < 1.05 for one in stride.values())
