"""A walk that goes over into an action and back: exact afterwards, smooth on the way, with the foot that
stands where it is."""

from collections.abc import Callable

import numpy as np
import pytest

from neurarig_addon.core.blend.beside import Beside
from neurarig_addon.core.blend.blend import Blend, BlendWish, planned
from neurarig_addon.core.blend.pairs import pairs_of
from neurarig_addon.core.blend.poses import Poses
from neurarig_addon.core.blend.recorded import RecordedAction
from neurarig_addon.core.body.feet import SWING
from neurarig_addon.core.body.seam import effort, faded
from neurarig_addon.core.body.sole import Sole
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.gait.kinds.gaits import animal_gait, quicker, walking_speed
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.geometry.rotation import about_z, rotation_vector, transposed
from neurarig_addon.core.human.adult import human_body
from neurarig_addon.core.posing.channels import QUATERNION, Channels, Property
from neurarig_addon.core.report.jolts import slip_figures, slip_of
from neurarig_addon.core.skeleton.roles import SIDES, sided
from neurarig_addon.training.gait.animals import ANIMALS
from tests.refusals import refuses

BODY, FPS, SECONDS = human_body(), 24.0, 0.4
AWAY = Motion(about_z(np.array([2.0])), np.array([[3.0, -7.0, 0.0]]), np.zeros(3))
FRAMES = np.arange(1.0, 161.0)


def walked(**style: float) -> Callable[[np.ndarray], WalkPose]:
    return lambda frames: walk(BODY, StyleTrack(Style(**{"speed": 1.3, **style})), Clock(FPS), frames)


WALK = walked()


def acted(frames: np.ndarray, place: Motion = AWAY, **style: float) -> RecordedAction:
    """Return another walk, somewhere else, as an action."""
    return RecordedAction(Poses.of_walk(walked(**style)(frames)).placed(place), 1.0)


def blended(action: RecordedAction, comes_back: bool = False, seconds: float = SECONDS) -> Blend:
    return planned(BODY, WALK, FPS, action, "Fight", BlendWish(60.0, seconds, comes_back))


def apart(one: Poses, other: Poses) -> float:
    """Return metres and radians by which two are apart at most."""
    turns = max(
        np.abs(rotation_vector(transposed(motion.rotation) @ other.motions[role].rotation)).max()
        for role, motion in one.motions.items()
    )
    return max(
        turns,
        *(
            np.abs(motion.position - other.motions[role].position).max()
            for role, motion in one.motions.items()
        ),
    )


JOINTS = ("pelvis", "head", *(sided(part, side) for part in ("hand", "shin", "foot") for side in SIDES))
SLOW = acted(np.arange(40.0, 101.0), speed=0.5, crouch=0.2, arm_swing=2.0)


def test_an_offset_fades_with_its_rate_to_nothing() -> None:
    share, step = np.linspace(0.0, 1.0, 1001), SECONDS / 1000
    left = faded(share[:, None] * SECONDS, np.array([0.3, -1.0]), np.array([2.0, 5.0]), SECONDS)
    rate = np.gradient(left, step, axis=0, edge_order=2)
    assert np.allclose(left[[0, -1]], [[0.3, -1.0], [0.0, 0.0]])
    assert np.allclose(rate[[0, -1]], [[2.0, 5.0], [0.0, 0.0]], atol=1e-2)
    assert np.abs(np.gradient(rate, step, axis=0)[[2, -3]]).max() < 2.0  # it starts and ends without a kick


def test_the_effort_is_least_where_the_speed_brings_the_body_there() -> None:
    off, seconds = np.array([0.2, 0.0, 0.0]), 0.5
    rates = np.linspace(-4.0, 4.0, 8001)[:, None] * [1.0, 0.0, 0.0]
    costs = effort(off, rates, seconds)
    assert np.isclose(rates[np.argmin(costs), 0], -1.5 * off[0] / seconds, atol=1e-3)
    # The cubic from rest: x (1 - 3 u^2 + 2 u^3), whose acceleration squared has the integral 12 x^2 / T^3.
    assert np.isclose(effort(off, np.zeros(3), seconds), 12.0 * 0.2**2 / seconds**3)


def test_a_copy_of_the_walk_goes_on_as_the_walk() -> None:
    action = acted(np.arange(57.0, 120.0))
    found = blended(action)
    rows = FRAMES <= 110.0
    here, there = found.pose(FRAMES[rows]), WALK(FRAMES[rows])
    assert apart(Poses.of_walk(here), Poses.of_walk(there)) < 1e-3
    assert ((here.pivot == SWING) == (there.pivot == SWING)).all()


def test_afterwards_the_action_plays_as_it_is_but_for_its_place() -> None:
    found = blended(SLOW)
    rows = found.joint.frame + np.arange(10.0, 50.0)
    seen = Poses.of_walk(found.pose(rows))
    assert apart(seen, SLOW.at(found.action_frames(rows)).placed(found.place)) < 1e-9
    assert np.allclose(found.place.rotation[0, 2], [0.0, 0.0, 1.0]) and abs(found.place.position[0, 2]) < 1e-9
    before = np.arange(1.0, found.joint.frame)
    assert apart(Poses.of_walk(found.pose(before)), Poses.of_walk(WALK(before))) == 0.0


def test_where_the_action_was_does_not_matter() -> None:
    here = blended(acted(np.arange(40.0, 101.0), Motion.still(1), speed=0.5, crouch=0.2, arm_swing=2.0))
    assert apart(Poses.of_walk(here.pose(FRAMES)), Poses.of_walk(blended(SLOW).pose(FRAMES))) < 1e-7


@pytest.mark.parametrize("comes_back", [False, True])
def test_the_foot_that_stands_stays_and_nothing_jumps(comes_back: bool) -> None:
    found = blended(SLOW, comes_back)
    frames = np.arange(40.0, 160.0 if comes_back else found.joint.frame + 40.0)
    seen = found.pose(frames)
    poses = Poses.of_walk(seen)
    points = Sole.of(BODY).points(poses.feet(BODY))
    assert points[..., 2].min() > -1e-3
    kick = kicks(poses)
    most = 1.5 * np.maximum(kicks(Poses.of_walk(WALK(FRAMES))).max(axis=0), kicks(SLOW.poses).max(axis=0))
    for joint in (found.joint, found.back) if comes_back else (found.joint,):
        rows = np.flatnonzero((frames >= joint.frame) & (frames <= joint.frame + SECONDS * FPS))
        assert (seen.pivot[rows, joint.foot] != SWING).sum() > 3
        slips = slip_figures(slip_of(points[rows, joint.foot], seen.pivot[rows, joint.foot]))
        assert max(slips.values()) < 1.0, slips  # mm
        assert (kick[rows - 1] < most).all(), (kick[rows - 1].max(axis=0) / most).round(2)


def kicks(poses: Poses) -> np.ndarray:
    """Return by how much the speeds of joints `(f - 2, n)` change from frame to frame, metres a frame."""
    places = np.stack([poses.motions[role].position for role in JOINTS], axis=1)
    return np.linalg.norm(np.diff(places, n=2, axis=0), axis=-1)


@pytest.mark.parametrize("speed, seconds", [(0.5, SECONDS), (0.1, 1.2)], ids=["as it is", "hips come down"])
def test_bones_keep_their_lengths(speed: float, seconds: float) -> None:
    action = acted(np.arange(45.0, 106.0), speed=speed)
    poses = Poses.of_walk(blended(action, comes_back=True, seconds=seconds).pose(FRAMES))
    for row, side in enumerate(SIDES):
        hip, knee, ankle = (poses.motions[sided(part, side)].position for part in ("thigh", "shin", "foot"))
        assert np.abs(np.linalg.norm(knee - hip, axis=1) - BODY.thigh_length[row]).max() < 1e-6
        assert np.abs(np.linalg.norm(ankle - knee, axis=1) - BODY.shin_length[row]).max() < 1e-4
        assert np.abs(poses.motions["pelvis"].carry(BODY.hip[row]) - hip).max() < 1e-6


@pytest.mark.parametrize("name", ANIMALS)
@pytest.mark.parametrize("gait, other", [("WALK", "TROT"), ("TROT", "WALK"), ("TROT", "GALLOP")])
def test_four_legs_go_over_into_an_action_and_back_on_all_four_feet(name: str, gait: str, other: str) -> None:
    body = ANIMALS[name].body()
    speed = walking_speed(body)

    def going(gait: str) -> Callable[[np.ndarray], WalkPose]:
        style = StyleTrack(Style(speed=speed * quicker(gait, body.kind)))
        return lambda frames: walk(body, style, Clock(FPS), frames, animal_gait(gait, body))

    action = RecordedAction(Poses.of_walk(going(other)(np.arange(40.0, 101.0))).placed(AWAY), 1.0)
    found = planned(body, going(gait), FPS, action, "Trot", BlendWish(60.0, SECONDS, True))
    assert found.back is not None
    frames = np.arange(40.0, found.back.frame + 20.0)
    pose = found.pose(frames)
    poses, pivots = Poses.of_walk(pose), pose.of_feet("pivot")
    for pair in pairs_of(body):
        legs = pair.of(poses)
        points = Sole.of(pair.body).points(legs.feet(pair.body))
        assert points[..., 2].min() > -2e-3 * body.leg_length
        for row, side in enumerate(SIDES):
            slips = slip_figures(slip_of(points[:, row], pivots[:, pair.feet][:, row]))
            assert max(slips.values()) < 0.5e3 * body.leg_length * 1e-3, slips  # mm
            joints = [legs.motions[sided(part, side)].position for part in ("thigh", "shin", "foot")]
            lengths = np.linalg.norm(np.diff(joints, axis=0), axis=-1)
            expected = [pair.body.thigh_length[row], pair.body.shin_length[row]]
            np.testing.assert_allclose(lengths, np.tile(expected, (len(frames), 1)).T, atol=1e-4)
    rows = (frames > found.joint.frame + SECONDS * FPS) & (frames < found.back.frame)
    seen = Poses.of_walk(found.pose(frames[rows]))
    assert apart(seen, action.at(found.action_frames(frames[rows])).placed(found.place)) < 1e-9


def test_the_walk_goes_on_from_where_the_action_ends() -> None:
    found = blended(SLOW, comes_back=True)
    assert found.back is not None and found.there is not None
    rows = np.arange(found.back.frame + SECONDS * FPS, 160.0)
    expected = Poses.of_walk(WALK(rows - found.back.frame + found.again)).placed(found.there)
    assert apart(Poses.of_walk(found.pose(rows)), expected) < 1e-9
    here, there = found.pose(np.array([found.back.frame, found.back.frame + 1.0])).root.position
    assert np.linalg.norm(there - here) < 0.2


def test_a_pose_is_a_function_of_its_frame() -> None:
    found, frames = blended(SLOW, comes_back=True), np.array([58.3, 61.0, 62.7, 118.2, 121.0])
    alone = [found.pose(np.array([frame])) for frame in frames]
    together = found.pose(frames)
    for role in ("pelvis", "hand.L", "foot.R"):
        assert (
            np.abs(together.motions[role].position - [pose.motions[role].position[0] for pose in alone]).max()
            < 1e-12
        )


def test_an_action_in_the_air_is_refused() -> None:
    flying = RecordedAction(Poses(SLOW.poses.motions, SLOW.poses.root, np.zeros_like(SLOW.poses.stands)), 1.0)
    with refuses(r"No foot stands in the first 0\.5 s of 'Fight'"):
        blended(flying)


def test_what_is_beside_the_body_fades_in_and_out() -> None:
    turned = np.array([[1.0, 0.0, 0.0, 0.0], [-0.8, 0.0, -0.6, 0.0]])
    action = Channels((Property("Finger", "rotation_quaternion", QUATERNION, slice(0, 4)),), turned)
    held = Channels(
        (
            Property("Finger", "rotation_quaternion", QUATERNION, slice(0, 4)),
            Property("Thumb", "location", "", slice(4, 7)),
        ),
        np.array([[1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0]]),
    )
    found = Beside(action, 5.0, turned[0]).over(
        held, np.zeros(3), np.array([4.0, 6.0, 9.0]), np.array([0.0, 1.0, 1.0])
    )
    assert np.allclose(np.abs(found.of("Finger", "rotation_quaternion")), np.abs(turned[[0, 1, 1]]))
    assert np.allclose(found.of("Thumb", "location"), [1.0, 2.0, 3.0])
