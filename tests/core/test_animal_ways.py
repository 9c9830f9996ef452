"""A dog, a horse and a cat on their way: started, stopped, by speed, round bends, over slopes and stairs."""

import numpy as np
import pytest

from neurarig_addon.core.body.feet import SWING
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.gait import synthesis
from neurarig_addon.core.gait.kinds.gaits import animal_gait, walking_speed
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.geometry.rotation import norms, yaw_of
from neurarig_addon.core.ground.surface import LEVEL, Ground, Surface
from neurarig_addon.core.path.curve import Curve
from neurarig_addon.core.path.path import STRAIGHT
from neurarig_addon.core.skeleton.roles import SIDES
from neurarig_addon.training.gait.animals import ANIMALS
from tests.core.walk_grounds import flight, over_ground

BODIES = {name: build.body() for name, build in ANIMALS.items()}
FPS = 48.0
QUICKLY = np.array([0.0, 0.0, 1.0, 1.0, 4.2, 4.2, 1.0, 1.0, 0.0])  # of the natural walk


def walker(
    name: str, gait: str = "WALK", path=STRAIGHT, ground: Ground = LEVEL, curve=None, **style
) -> Walker:
    body = BODIES[name]
    speed = walking_speed(body)
    curves = {} if curve is None else {"speed": (frames_of(name), speed * curve)}
    track = StyleTrack(Style(speed=speed, **style), curves)
    return Walker.of(body, track, Clock(FPS, 1.0), animal_gait(gait, body), path, ground)


def frames_of(name: str) -> np.ndarray:
    """Return frames of some eight strides of a natural walk."""
    seconds = 40.0 * np.sqrt(BODIES[name].hip[0, 2] / 9.81)
    return np.arange(1.0, 1.0 + FPS * seconds)


def slips(pose: WalkPose, name: str) -> float:
    """Return how far standing paws move in a frame, in leg lengths."""
    body, worst = BODIES[name], 0.0
    for girdle, part in ((body, pose), (body.front, pose.fore)):
        for row, side in enumerate(SIDES):
            toes = part.root.holding(part.motions[f"toe.{side}"])
            points = np.stack([toes.carry(at[row]) for at in (girdle.ball, girdle.toe)], axis=1)
            stands = (part.pivot[1:, row] != SWING) & (part.pivot[:-1, row] != SWING)
            worst = max(worst, float(norms(np.diff(points, axis=0)).min(axis=1)[stands].max()))
    return worst / body.leg_length


def stretch(pose: WalkPose, name: str) -> float:
    """Return by how much bones of legs are off their lengths, in leg lengths."""
    body, worst = BODIES[name], 0.0
    for part in (pose, pose.fore):
        for side in SIDES:
            joints = [part.motions[f"{bone}.{side}"].position for bone in ("thigh", "shin", "foot")]
            worst = max(worst, float(np.ptp(norms(np.diff(joints, axis=0)), axis=1).max()))
    return worst / body.leg_length


def sharpest(pose: WalkPose) -> float:
    """Return the greatest acceleration of pelvis and withers, in g."""
    withers = max((role for role in pose.motions if role.startswith("spine.")), key=len)
    places = [pose.root.carried(pose.motions[role].position) for role in ("pelvis", withers)]
    return float(norms(np.diff(places, n=2, axis=1)).max()) * FPS**2 / 9.81


def bend(name: str, **turns: object) -> Curve:
    hips = float(BODIES[name].hip[0, 2])
    points = np.array([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0]]) * hips
    return Curve.through(points[:2] if turns else points, BODIES[name].way_length, starts=True, **turns)


def ways(name: str) -> dict[str, Walker]:
    hips, even = float(BODIES[name].hip[0, 2]), np.linspace(0.0, 1.0, len(frames_of(name)))
    rise = np.tan(np.radians(15.0))
    return {
        "starts and stops": walker(name, curve=np.interp(even, [0.1, 0.2, 0.7, 0.8], [0.0, 1.0, 1.0, 0.0])),
        "starts and stops at a trot": walker(
            name, "TROT", curve=np.interp(even, [0.1, 0.2, 0.7, 0.8], [0.0, 2.0, 2.0, 0.0])
        ),
        "by speed": walker(name, "BY_SPEED", curve=np.interp(even, np.linspace(0.0, 1.0, 9), QUICKLY)),
        "round a bend": walker(name, path=bend(name)),
        "turned on the spot": walker(name, path=bend(name, start_turn=2.5)),
        "turned on a slope": walker(
            name, path=bend(name, start_turn=-1.2), ground=Surface(lambda places: 0.2 * places[..., 1])
        ),
        "uphill": walker(name, ground=Surface(lambda places: rise * places[..., 0])),
        "downhill": walker(name, ground=Surface(lambda places: -rise * places[..., 0])),
        "upstairs": walker(name, ground=flight(0.12 * hips, 0.35 * hips, 3.0 * hips, 5)),
        "downstairs": walker(name, ground=flight(-0.12 * hips, 0.35 * hips, 3.0 * hips, 5)),
    }


@pytest.mark.parametrize("way", list(ways("dog")))
@pytest.mark.parametrize("name", BODIES)
def test_paws_stay_where_they_stand_and_legs_as_long_as_they_are(name, way):
    who, body = ways(name)[way], BODIES[name]
    pose = synthesis.walked(who, frames_of(name))
    for part, girdle in ((pose, body), (pose.fore, body.front)):
        assert over_ground(part, who.ground, girdle)[..., 1:].min() > -2e-3 * body.leg_length
    assert slips(pose, name) < 1e-6 and stretch(pose, name) < 1e-3
    assert norms(pose.root.position[-1]) > 3.0 * BODIES[name].hip[0, 2]
    back = [pose.motions[f"spine.{number}"].position for number in range(1, len(BODIES[name].spine) + 1)]
    assert np.ptp(norms(np.diff(back, axis=0)), axis=1).max() < 1e-9
    uneven = "stairs" in way or "slope" in way
    assert sharpest(pose) < (4.0 if uneven else 1.8 if "trot" in way else 1.6)


def test_a_fore_leg_limps_or_a_hind_one_does():
    for limps, (hind, fore) in ((False, (True, False)), (True, (False, True))):
        who = walker("dog", asymmetry=1.0)
        gait = animal_gait("WALK", BODIES["dog"], fore_limps=limps)
        who = Walker.of(who.body, who.track, who.clock, gait, STRAIGHT, LEVEL)
        pose = synthesis.walked(who, np.arange(1.0, 3.0))
        assert (abs(np.diff(pose.duty[0]))[0] > 0.05) == hind
        assert (abs(np.diff(pose.fore.duty[0]))[0] > 0.05) == fore


def test_what_four_legs_do_not_do_is_refused():
    with pytest.raises(NeuraRigError, match="faces the way it goes"):
        walker("dog", facing=90.0)


@pytest.mark.parametrize("name", BODIES)
def test_standing_it_shifts_its_weight_before_and_behind_and_its_tail_swishes(name):
    body = BODIES[name]
    still = Walker.of(
        body,
        StyleTrack(Style(speed=0.0, idle=1.0)),
        Clock(FPS, 1.0),
        animal_gait("WALK", body),
        STRAIGHT,
        LEVEL,
    )
    pose = synthesis.walked(still, np.arange(1.0, FPS * 30.0, 4.0))
    assert slips(pose, name) < 1e-6
    pelvis, withers = (
        pose.motions[role].rotation[:, 2, 1] for role in ("pelvis", f"spine.{len(body.spine)}")
    )
    assert min(np.ptp(pelvis), np.ptp(withers)) > 0.04 and np.ptp(pelvis - withers) > 0.02
    tail = pose.motions["pelvis"].seeing(pose.motions[f"tail.{len(body.tail)}"])
    assert np.ptp(yaw_of(tail.rotation)) > 0.2


@pytest.mark.parametrize("name", BODIES)
def test_in_a_turn_on_the_spot_the_fore_hand_goes_round_the_hips_in_small_steps(name):
    who = walker(name, path=bend(name, start_turn=-2.0))
    pose = synthesis.walked(who, np.arange(1.0, 1.0 + FPS * who.rhythm.rests.begin[1]))
    ways = [
        norms(np.diff(pose.root.carried(pose.motions[role].position)[:, :2], axis=0)).sum()
        for role in ("pelvis", "head")
    ]
    assert ways[1] > 2.0 * ways[0]
    turned = np.diff(yaw_of(pose.root.rotation))
    assert turned.min() > -1e-9 and turned.sum() == pytest.approx(2.0, abs=1e-3)
    for part in (pose, pose.fore):
        landed = np.flatnonzero(np.diff(np.floor(part.phase[:, 0])))
        assert np.diff(np.cumsum(turned)[landed]).max() < 0.6


@pytest.mark.parametrize("name", BODIES)
def test_feet_clear_what_would_be_the_ground_beyond_its_end(name):
    floor = Surface(lambda places: np.where(places[:, 0] < 2.0, 0.0, np.nan))
    pose = synthesis.walked(walker(name, "GALLOP", ground=floor), frames_of(name))
    level = synthesis.walked(walker(name, "GALLOP"), frames_of(name))
    for girdle, there, here in (
        (BODIES[name], pose, level),
        (BODIES[name].front, pose.fore, level.fore),
    ):
        for row, side in enumerate(SIDES):
            toes, as_level = (
                part.root.holding(part.motions[f"toe.{side}"]).carry(girdle.toe[row])[:, 2]
                for part in (there, here)
            )
            assert toes.min() > as_level.min() - 1e-3
