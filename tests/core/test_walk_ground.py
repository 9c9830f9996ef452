"""Over uneven ground: soles lie on it, swings clear it, the pelvis goes over the prints, and nothing of it
moves a planted foot."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.core.body.feet import FLAT
from neurarig_addon.core.body.sole import Sole
from neurarig_addon.core.gait.kinds.gait import PLAIN, Gait
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.ground.fitting import fitted
from neurarig_addon.core.ground.lifts import Lifts
from neurarig_addon.core.ground.surface import LEVEL, Ground, Surface
from neurarig_addon.core.path.path import STRAIGHT, Path
from tests.core.walk_measures import greatest_reach, greatest_slip, knee_angle
from tests.core.walk_paths import line
from tests.core.walkers import BODY, WALKING

LEG = BODY.leg_length
FRAMES = np.arange(1.0, 180.0, 0.5)


def plane(degrees: float, across: float = 0.0) -> Surface:
    """Return ground that rises ahead, and to the left."""
    slopes = np.tan(np.radians([degrees, across]))
    return Surface(lambda places: places @ slopes)


def rough(height: float, seed: int = 0) -> Surface:
    """Return smooth bumps of up to `height` metres up and down."""
    draw = np.random.default_rng(seed)
    waves, turns = draw.normal(0.0, 2.0, (2, 30)), draw.uniform(0.0, 2.0 * np.pi, 30)
    sizes = draw.normal(size=30) / np.maximum(1.0, np.linalg.norm(waves, axis=0))
    most = np.abs(np.cos(draw.uniform(-20.0, 20.0, (4000, 2)) @ waves + turns) @ sizes).max()
    return Surface(lambda places: height / most * (np.cos(places @ waves + turns) @ sizes))


def kerb(height: float) -> Surface:
    """Return a step of the ground four metres ahead."""
    return Surface(lambda places: np.where(places[:, 0] > 4.0, height, 0.0))


GROUNDS: dict[str, Surface] = {
    "10 degrees up": plane(10.0),
    "10 degrees down": plane(-10.0),
    "20 degrees up": plane(20.0),
    "20 degrees down": plane(-20.0),
    "15 degrees across": plane(0.0, 15.0),
    "rough by 5 cm": rough(0.05),
    "rough by 10 cm": rough(0.1, 3),
    "a kerb up": kerb(0.15),
    "a kerb down": kerb(-0.15),
}
EVEN = [name for name in GROUNDS if "degrees" in name]


def walked(
    ground: Ground, path: Path = STRAIGHT, frames: np.ndarray = FRAMES, gait: Gait = WALKING, **style: float
) -> WalkPose:
    return walk(
        BODY,
        StyleTrack(Style(**{"speed": 1.0, **style})),
        Clock(whole_frames=False),
        frames,
        gait,
        path,
        ground,
    )


def over_ground(pose: WalkPose, ground: Ground) -> np.ndarray:
    """Return how high heel, ball and tip of both feet are over the ground under them `(frames, 2, 3)`."""
    found = []
    for row, side in enumerate("LR"):
        foot, toe = (pose.root.holding(pose.motions[f"{part}.{side}"]) for part in ("foot", "toe"))
        points = np.stack(
            [foot.carry(BODY.heel[row]), toe.carry(BODY.ball[row]), toe.carry(BODY.toe[row])], 1
        )
        found.append(points[..., 2] - ground.height(points))
    return np.stack(found, 1)


@pytest.mark.parametrize("gait", [WALKING, PLAIN], ids=["network", "plain"])
@pytest.mark.parametrize("name", GROUNDS)
def test_feet_stand_still_and_legs_reach(name, gait):
    pose = walked(GROUNDS[name], gait=gait)
    assert greatest_slip(BODY, pose) < 1e-9
    assert greatest_reach(BODY, pose) <= 0.999


@pytest.mark.parametrize("name", GROUNDS)
def test_soles_neither_sink_in_nor_hang_over(name):
    """Not 1 mm in; flat on a plane, and over smooth bumps with a gap of no more than the bump is off a
    plane."""
    pose = walked(GROUNDS[name])
    above = over_ground(pose, GROUNDS[name])
    assert above.min() > -1e-3
    flat = pose.pivot == FLAT
    assert above[flat][:, :2].max() < (1e-9 if name in EVEN else 0.005 if "kerb" not in name else 1e-9)


@pytest.mark.parametrize(
    "name", ["10 degrees up", "10 degrees down", "15 degrees across", "rough by 5 cm", "rough by 10 cm"]
)
def test_knees_do_not_kick(name):
    pose = walked(GROUNDS[name], frames=np.arange(1.0, 180.0, 0.25))
    assert max(np.abs(np.diff(knee_angle(pose, side), 2)).max() * 96.0**2 for side in "LR") < 216.0, (
        "1.5 times 144 on level ground"
    )


@pytest.mark.parametrize("degrees", [5.0, 10.0, -10.0])
def test_on_a_plane_the_pelvis_rises_with_it_and_the_trunk_leans(degrees):
    pose, level = walked(plane(degrees)), walked(LEVEL)
    pelvis, root = pose.root.holding(pose.motions["pelvis"]).position, pose.root.position
    for rise in (np.polyfit(root[:, 0], height, 1)[0] for height in (pelvis[:, 2], root[:, 2])):
        assert rise == pytest.approx(np.tan(np.radians(degrees)), rel=0.02)
    lean = [
        float(np.degrees(np.arcsin(-which.motions["spine.3"].rotation[:, 2, 0]).mean()))
        for which in (pose, level)
    ]
    assert lean[0] - lean[1] == pytest.approx(0.4 * degrees if degrees > 0 else 0.15 * degrees, abs=0.5)
    kicks = [
        float(np.abs(np.diff(which.motions["pelvis"].position[:, 2], 2)).max()) for which in (pose, level)
    ]
    assert kicks[0] < 3.0 * kicks[1]


@pytest.mark.parametrize("degrees", [20.0, 10.0, -20.0])
def test_who_starts_and_stops_on_a_hill_stands_over_the_feet(degrees):
    pose = walked(plane(degrees), line((0.0, 0.0), (6.0, 0.0)), np.arange(1.0, 300.0))
    hips, feet = (
        np.mean([pose.motions[f"{part}.{side}"].position[:, 0] for side in "LR"], axis=0)
        for part in ("thigh", "foot")
    )
    assert np.abs(hips - feet)[-24:].max() < 0.06 * LEG
    assert np.abs(hips).max() < 0.5 * LEG, "also while it stops: it was 1.1 m behind"
    assert greatest_slip(BODY, pose) < 1e-9
    above = over_ground(pose, plane(degrees))[-24:]
    assert above.min() > -1e-3 and above[..., :2].max() < 1e-6


def test_feet_are_turned_with_the_ground():
    for ground in (plane(12.0), plane(0.0, -9.0)):
        pose = walked(ground)
        for row, side in enumerate("LR"):
            flat = pose.pivot[:, row] == FLAT
            up = pose.motions[f"foot.{side}"].rotation[flat, :, 2]
            slope = ground.height(np.eye(2))
            normal = np.array([-slope[0], -slope[1], 1.0]) / np.linalg.norm([*slope, 1.0])
            assert_allclose(up, np.tile(normal, (len(up), 1)), atol=1e-9)


def test_level_ground_given_as_a_surface_is_nearly_the_level_walk():
    """But for swings that are looked at whole."""
    flat, level = walked(Surface(lambda places: np.zeros(len(places)))), walked(LEVEL)
    for role, motion in level.motions.items():
        assert np.abs(flat.motions[role].position - motion.position).max() < 0.02 * LEG, role


def test_a_step_beyond_the_last_is_lifted_as_the_last_one():
    height, rise, fall, detour = (np.arange(8.0).reshape(4, 2) + start for start in (0.0, 10.0, 20.0, 30.0))
    rows, sides = np.array([0, 3, 3, 4, 9]), np.array([1, 0, 1, 0, 1])
    taken = Lifts(height, rise, fall, detour).take(rows, sides)
    last = np.array([0, 3, 3, 3, 3])
    for found, told in (
        (taken.height, height),
        (taken.rise, rise),
        (taken.fall, fall),
        (taken.detour, detour),
    ):
        assert_array_equal(found, told[last, sides])


def test_no_print_lies_over_an_edge():
    """Heel and ball of every standing sole have ground under them, however the kerb lies to the steps."""
    for where in np.linspace(3.0, 4.0, 11):
        ground = Surface(lambda places, edge=where: np.where(places[:, 0] > edge, -0.2, 0.0))
        pose = walked(ground)
        above = over_ground(pose, ground)[..., :2]
        assert above[pose.pivot == FLAT].max() < 1e-3


def test_without_ground_under_it_a_print_keeps_its_height():
    hole = Surface(lambda places: np.where(np.abs(places[:, 0] - 3.0) < 1.0, np.nan, 0.0))
    pose = walked(hole)
    assert all(
        np.isfinite(motion.position).all() and np.isfinite(motion.rotation).all()
        for motion in pose.motions.values()
    )
    nothing = walked(Surface(lambda places: np.full(len(places), np.nan)))
    assert (
        abs(
            nothing.motions["pelvis"].position[:, 2].mean()
            - walked(LEVEL).motions["pelvis"].position[:, 2].mean()
        )
        < 0.02
    )


def test_prints_are_tilted_no_farther_than_ankles_go():
    sole = Sole.of(BODY)
    places, heading = np.zeros((1, 2, 3)), np.zeros((1, 2))
    for ground, slope, bank in ((plane(50.0), -30.0, 0.0), (plane(0.0, 40.0), 0.0, 25.0)):
        fit = fitted(ground, sole, places, heading, LEG)
        assert_allclose(np.degrees(fit.prints.slope), slope, atol=1e-6)
        assert_allclose(np.degrees(fit.prints.bank), bank, atol=1e-6)


@pytest.mark.parametrize("edge", [0.06, 0.15])
def test_a_steep_slope_is_no_edge(edge):
    """Down a rounded hill the toes are lower than the heel by as much as a kerb is high; they stand on it all
    the same, and not in it."""
    sole, draw = Sole.of(BODY), np.random.default_rng(5)
    for steepness, bulge, turn in draw.uniform([0.1, -1.2, -3.0], [0.45, 1.2, 3.0], (60, 3)):
        ground = Surface(lambda places, a=steepness, b=bulge: -a * places[..., 0] + b * places[..., 0] ** 2)
        heading = np.full((1, 2), 0.1 * turn)
        prints = fitted(ground, sole, np.zeros((1, 2, 3)), heading, LEG, edge).prints
        soles = np.stack([sole.heel, sole.ball, sole.toe], axis=1)[..., None]
        points = prints.place[..., None, :] + (prints.axes[..., None, :, :] @ soles)[..., 0]
        over = points[..., 2] - ground.height(points)
        assert over.min() > -1e-3 and over.min(axis=-1).max() < 1e-3


def terraces(rise: float = 0.34, ramp: float = 0.45, flat: float = 2.0, askew: float = 0.0) -> Surface:
    """Return terraces, up and down again, with ramps between them that are too steep for a sole; `askew`
    radians off across x."""
    turned = np.array([np.cos(askew), np.sin(askew)])
    at = np.array([0.0, ramp, ramp + flat, 2.0 * ramp + flat, 2.0 * (ramp + flat)])

    def height(places: np.ndarray) -> np.ndarray:
        return np.interp(
            np.mod(places[:, :2] @ turned - 2.0, at[-1]), at, rise * np.array([0.0, 1.0, 1.0, 0.0, 0.0])
        )

    return Surface(height)


@pytest.mark.parametrize("askew", np.radians([0.0, 25.0]))
@pytest.mark.parametrize("start", [0.0, 0.2, 0.4, 0.6])
def test_over_ramps_that_no_sole_lies_on_legs_reach_and_feet_seek_the_flat(start, askew):
    """Prints go to where soles lie, but no step becomes so long for it that the hips leave a foot behind."""
    steep = terraces(askew=askew)
    ground = Surface(lambda places: steep.heights(places + [start, 0.0]))
    pose = walked(ground, frames=np.arange(1.0, 300.0, 0.5), speed=1.2)
    assert greatest_slip(BODY, pose) < 1e-9 and greatest_reach(BODY, pose) <= 0.999
    above = over_ground(pose, ground)
    assert above.min() > -3e-3  # toes that leave a ramp graze it
    lies = above[..., :2].max(axis=-1)[pose.pivot == FLAT] < 5e-3
    assert lies.mean() > 0.9


def test_feet_in_the_air_clear_narrow_ridges():
    """What is looked at of a swing is 25 mm apart; ridges are narrower."""
    draw = np.random.default_rng(3)
    for where in draw.uniform(3.0, 4.0, 6):
        ridge = Surface(lambda places, at=where: np.maximum(0.12 - 1.5 * np.abs(places[:, 0] - at), 0.0))
        pose = walked(ridge, frames=np.arange(80.0, 180.0, 0.125))
        assert over_ground(pose, ridge).min() > -1e-3
