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
    name: str, gait: str = "WALK", path=STRAIGHT, ground: Ground = LEVEL, curve=None, keys=None, **style
) -> Walker:
    """`curve`, `keys`: the speed, of the natural one, and the degrees faced on all frames."""
    body = BODIES[name]
    speed = walking_speed(body)
    curves = {} if curve is None else {"speed": (frames_of(name), speed * curve)}
    curves |= {} if keys is None else {"facing": (frames_of(name), keys)}
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
        "backward from standing and back to it": walker(
            name, curve=np.interp(even, [0.1, 0.2, 0.7, 0.8], [0.0, 1.0, 1.0, 0.0]), facing=180.0
        ),
        "sideways from standing and back to it": walker(
            name, curve=np.interp(even, [0.1, 0.2, 0.8, 0.9], [0.0, 1.0, 1.0, 0.0]), facing=-90.0
        ),
        "backward round a bend": walker(name, path=bend(name), facing=180.0),
        "at an angle uphill": walker(name, ground=Surface(lambda places: rise * places[..., 0]), facing=45.0),
        "backward on a slope across it": walker(
            name, ground=Surface(lambda places: 0.2 * places[..., 1]), facing=180.0
        ),
        "turned off its way and back": walker(
            name, keys=np.interp(even, [0.2, 0.21, 0.5, 0.7], [0.0, 170.0, 170.0, 0.0])
        ),
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
    assert norms(pose.root.position[-1]) > (1.0 if "spot" in way else 3.0) * BODIES[name].hip[0, 2]
    back = [pose.motions[f"spine.{number}"].position for number in range(1, len(BODIES[name].spine) + 1)]
    assert np.ptp(norms(np.diff(back, axis=0)), axis=1).max() < 1e-9
    # a steady trot has 0.9 g
    assert sharpest(pose) < (
        3.2 if "stairs" in way else 1.5 if "trot" in way else 1.3 if "speed" in way else 1.2
    )


def test_a_fore_leg_limps_or_a_hind_one_does():
    for limps, (hind, fore) in ((False, (True, False)), (True, (False, True))):
        who = walker("dog", asymmetry=1.0)
        gait = animal_gait("WALK", BODIES["dog"], fore_limps=limps)
        who = Walker.of(who.body, who.track, who.clock, gait, STRAIGHT, LEVEL)
        pose = synthesis.walked(who, np.arange(1.0, 3.0))
        assert (abs(np.diff(pose.duty[0]))[0] > 0.05) == hind
        assert (abs(np.diff(pose.fore.duty[0]))[0] > 0.05) == fore


def limbs(pose: WalkPose, name: str) -> list[np.ndarray]:
    """Return the joints of both hind and of both fore legs, knee to toe `(2, f, 4, 3)` each."""
    found = []
    for part, girdle in ((pose, BODIES[name]), (pose.fore, BODIES[name].front)):
        legs = []
        for row, side in enumerate(SIDES):
            joints = [part.root.carried(part.motions[f"{bone}.{side}"].position) for bone in ("shin", "foot")]
            toes = part.root.holding(part.motions[f"toe.{side}"])
            legs.append(np.stack([*joints, toes.position, toes.carry(girdle.toe[row])], axis=1))
        found.append(np.array(legs))
    return found


def apart(legs: np.ndarray) -> float:
    """Return the least distance of two legs `(2, f, 4, 3)` below the knee."""
    share = np.linspace(0.0, 1.0, 7)[:, None, None]
    along = [leg[:, None, :-1] + share * np.diff(leg, axis=1)[:, None] for leg in legs]
    left, right = (points.reshape(len(points), -1, 1, 3) for points in along)
    return float(norms(left - right.swapaxes(1, 2)).min())


@pytest.mark.parametrize("degrees", [20.0, 45.0, -60.0, 90.0, 120.0, -150.0, 180.0])
@pytest.mark.parametrize("name", BODIES)
def test_whatever_way_it_faces_feet_stand_and_legs_do_not_go_through_each_other(name, degrees):
    pose = synthesis.walked(walker(name, facing=degrees), frames_of(name)[:150])
    assert slips(pose, name) < 1e-6 and sharpest(pose) < 0.6
    hips = float(np.ptp(BODIES[name].hip[:, 1]))
    assert min(map(apart, limbs(pose, name))) > 0.1 * hips


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", BODIES)
def test_while_it_turns_off_its_way_feet_stand_and_legs_keep_apart(name, seed):
    draw, even = np.random.default_rng(seed), np.linspace(0.0, 1.0, len(frames_of(name)))
    keys = np.interp(even, np.sort(draw.uniform(0.05, 0.9, 4)), draw.uniform(-180.0, 180.0, 4))
    pose = synthesis.walked(walker(name, ("WALK", "TROT", "BY_SPEED")[seed], keys=keys), frames_of(name))
    assert slips(pose, name) < 1e-6 and sharpest(pose) < 1.3
    assert min(map(apart, limbs(pose, name))) > 0.15 * np.ptp(BODIES[name].hip[:, 1])


@pytest.mark.parametrize("name", BODIES)
def test_a_rein_back_is_small_steps_in_diagonal_pairs_hind_foot_first(name):
    who = walker(name, facing=180.0)
    pose = synthesis.walked(who, frames_of(name)[:150])
    ahead = synthesis.walked(walker(name), np.arange(1.0, 3.0))
    assert 0.2 < pose.stride[0] / ahead.stride[0] < 0.6
    assert pose.period[0] > 0.75 * ahead.period[0], "in no hurry"
    head = pose.root.carried(pose.motions["head"].position)
    assert (
        pose.root.position[-1, 0] > 1.0 * BODIES[name].hip[0, 2] and (head < pose.root.position)[:, 0].all()
    )
    later = (pose.phase[0] - pose.fore.phase[0, ::-1]) % 1.0  # of the diagonal fore foot
    assert ((later > 0.01) & (later < 0.1)).all()
    assert (pose.duty > 0.5).all() and (pose.fore.duty > 0.5).all(), "two feet at least are down"


@pytest.mark.parametrize("name", BODIES)
def test_sideways_it_looks_where_it_goes_and_its_back_bends(name):
    for degrees in (90.0, -90.0):  # to its right, and to its left
        pose = synthesis.walked(walker(name, facing=degrees), frames_of(name)[:100])
        pelvis, withers, head = (
            yaw_of(pose.motions[role].rotation)
            for role in ("pelvis", f"spine.{len(BODIES[name].spine)}", "head")
        )
        bent = -np.sign(degrees) * np.stack([withers - pelvis, head - withers])
        assert bent.mean() > np.radians(5.0) and bent.min() > 0.0


@pytest.mark.parametrize("name", BODIES)
def test_it_turns_more_slowly_than_people_the_head_first(name):
    even = np.linspace(0.0, 1.0, len(frames_of(name)))
    who = walker(name, keys=np.interp(even, [0.3, 0.301], [0.0, 180.0]))
    pose = synthesis.walked(who, frames_of(name))
    turn = yaw_of(pose.root.rotation)
    step = np.interp(np.arange(0.0, pose.phase[-1, 0], 0.5), pose.phase[:, 0], np.unwrap(turn))
    assert np.ptp(np.unwrap(turn)) == pytest.approx(np.pi, abs=0.01)
    assert np.abs(np.diff(step)).max() < np.radians(25.0)
    half = np.searchsorted(np.abs(np.unwrap(turn)), 0.5 * np.pi)
    assert yaw_of(pose.motions["head"].rotation)[half] > np.radians(8.0)


@pytest.mark.parametrize("name", BODIES)
def test_who_faces_ahead_on_four_legs_walks_as_ever(name):
    plain, faced = (
        synthesis.walked(walker(name, **given), frames_of(name)[:100]) for given in ({}, {"facing": 1e-9})
    )
    for role, motion in plain.motions.items():
        np.testing.assert_allclose(faced.motions[role].position, motion.position, atol=1e-6, err_msg=role)


def test_what_four_legs_do_not_do_is_refused():
    with pytest.raises(NeuraRigError, match="canters, gallops or bounds faces the way"):
        walker("dog", "GALLOP", facing=90.0)
    with pytest.raises(NeuraRigError, match="On stairs, kerbs and gaps a body on four legs"):
        walker("dog", ground=flight(0.06, 0.2, 1.0, 5), facing=180.0)


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
