"""Locked points are reached to a tenth of a millimetre wherever bones reach, on any build; beyond, the pose stays defined and steady."""

import numpy as np
import pytest

from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.geometry import rotation
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import INDEX, JOINTS, PARENTS
from neurarig_addon.core.neural.reach.lock_plan import distances, limb_of, lockable
from neurarig_addon.core.neural.reach.locks import missed, reach
from tests.core.neural_rigs import angles, body, random_turns

EXACT = 1e-4  # metres
FRAMES = 60
SIX = ("pelvis", "spine3", "head", "wrist.L", "wrist.R", "ankle.L", "ankle.R")
SETS = [
    SIX,
    ("pelvis", "head", "wrist.L", "wrist.R", "ankle.L", "ankle.R"),
    ("wrist.L",),
    ("ankle.L", "ankle.R"),
    ("pelvis", "neck", "elbow.L", "wrist.L", "knee.R", "ankle.R"),
    ("pelvis", "ball.L", "ball.R", "head_top", "hand_tip.L"),
    ("pelvis", "toe_tip.L", "ball.L", "ankle.L", "wrist.R", "hand_tip.R"),
    ("knee.L", "elbow.R"),
    (*SIX, "neck", "elbow.L", "elbow.R", "knee.L", "knee.R", "ball.L", "ball.R"),
]


def natural_pose(rng: np.random.Generator, subject: PointBody, frames: int = FRAMES) -> dict[str, Motion]:
    """Return random poses with bent knees and elbows."""
    turns = random_turns(rng, (frames, len(JOINTS)), 0.25)
    for side, sign in (("L", 1.0), ("R", -1.0)):
        turns[:, INDEX[f"knee.{side}"]] = rotation.about_y(rng.uniform(0.1, 1.2, frames))
        turns[:, INDEX[f"elbow.{side}"]] = rotation.about_z(-sign * rng.uniform(0.1, 1.5, frames))
        turns[:, INDEX[f"shoulder.{side}"]] = rotation.about_x(-sign * rng.uniform(0.2, 1.4, frames))
    for joint in range(1, len(JOINTS)):
        turns[:, joint] = turns[:, PARENTS[joint]] @ turns[:, joint]
    return subject.motions(turns, rng.normal(size=(frames, 3)) * 0.3 + [0.0, 0.0, 0.9])


def disturbed(rng: np.random.Generator, subject: PointBody, motions: dict[str, Motion], most: float, aside: float) -> dict[str, Motion]:
    """Return the pose as a network might give it: every joint off by up to `most` radians, the pelvis by about `aside` metres."""
    rotations = subject.rotations(motions)
    turns = random_turns(rng, rotations.shape[:2], most)
    return subject.motions(turns @ rotations, motions["pelvis"].position + aside * rng.normal(size=(len(rotations), 3)))


def still(pose: dict[str, Motion], frames: int) -> dict[str, Motion]:
    """Return one frame as many."""
    return {role: Motion(m.rotation.repeat(frames, 0), m.position.repeat(frames, 0), m.rest) for role, m in pose.items()}


def test_a_limb_of_one_bone_is_always_as_long_as_at_rest() -> None:
    subject = body("three spine bones")
    for end, start in (("wrist.L", "shoulder.L"), ("ankle.R", "hip.R")):
        limb = limb_of(subject, end)
        assert limb is not None
        whole = np.linalg.norm(subject.at_rest[INDEX[end]] - subject.at_rest[INDEX[start]])
        near, far = distances(subject, limb._replace(lower=limb.upper), False, 1.0)
        assert near == far == pytest.approx(whole)
        assert distances(subject, limb, False, 1.0)[0] < whole


@pytest.mark.parametrize("names", SETS, ids=lambda names: f"{len(names)} {names[-1]}")
@pytest.mark.parametrize("build", ["one spine bone", "three spine bones", "seven spine bones", "no neck", "no clavicles, A-pose"])
def test_what_is_within_reach_is_reached(build: str, names: tuple[str, ...]) -> None:
    rng = np.random.default_rng(1)
    subject = body(build)
    wanted = natural_pose(rng, subject)
    places = subject.points(wanted)
    locked = {name: places[:, INDEX[name]] for name in names}
    start = disturbed(rng, subject, wanted, 0.08, 0.01)
    motions = reach(subject, start, locked)
    gaps = np.max(list(missed(subject, motions, locked).values()), axis=0)
    assert gaps.max() < EXACT
    turned = np.degrees(angles(subject.rotations(motions), subject.rotations(start)))
    assert turned.mean() < 6.0, "the pose is changed as little as needed"
    for role, motion in motions.items():
        square = motion.rotation @ rotation.transposed(motion.rotation)
        assert np.abs(square - np.eye(3)).max() < 1e-9, role


def test_bones_keep_their_lengths_and_hang_together() -> None:
    rng = np.random.default_rng(2)
    subject = body("seven spine bones")
    wanted = natural_pose(rng, subject)
    places = subject.points(wanted)
    motions = reach(subject, disturbed(rng, subject, wanted, 0.1, 0.02), {name: places[:, INDEX[name]] for name in SIX})
    for role, above in subject.carriers.hangs_on.items():
        if above:
            np.testing.assert_allclose(motions[role].position, motions[above].carry(motions[role].rest), atol=1e-12)


def test_hands_feet_and_twist_stay_as_they_were() -> None:
    """A wrist and an ankle that move: hand and foot keep how they stand, the arm its swivel, the rest of the body everything."""
    rng = np.random.default_rng(3)
    subject = body("three spine bones")
    start = natural_pose(rng, subject)
    points, before = subject.points(start), subject.rotations(start)
    locked = {}
    for start_joint, end in (("shoulder.L", "wrist.L"), ("hip.R", "ankle.R")):
        root, tip = points[:, INDEX[start_joint]], points[:, INDEX[end]]
        locked[end] = root + 0.97 * (tip - root)
    motions = reach(subject, start, locked)
    after, moved = subject.rotations(motions), subject.points(motions)
    changed = {INDEX[name] for name in ("shoulder.L", "elbow.L", "hip.R", "knee.R")}
    for joint in set(range(len(JOINTS))) - changed:
        assert angles(after[:, joint], before[:, joint]).max() < 1e-7, JOINTS[joint]
    for upper, middle, end in (("shoulder.L", "elbow.L", "wrist.L"), ("hip.R", "knee.R", "ankle.R")):
        a, b, c = INDEX[upper], INDEX[middle], INDEX[end]
        planes = [rotation.normalized(np.cross(p[:, b] - p[:, a], p[:, c] - p[:, b])) for p in (points, moved)]
        np.testing.assert_allclose(planes[1], planes[0], atol=1e-6)


def test_no_lock_within_reach_moves_nothing() -> None:
    rng = np.random.default_rng(4)
    subject = body("three spine bones")
    start = natural_pose(rng, subject)
    points = subject.points(start)
    motions = reach(subject, start, {name: points[:, INDEX[name]] for name in SIX})
    assert angles(subject.rotations(motions), subject.rotations(start)).max() < 1e-6
    missing = reach(subject, start, {name: np.full(3, np.nan) for name in SIX})
    assert angles(subject.rotations(missing), subject.rotations(start)).max() < 1e-6


def test_a_hand_pulled_out_of_reach_follows_without_a_jump() -> None:
    subject = body("three spine bones")
    start = still(natural_pose(np.random.default_rng(5), subject, 1), 200)
    points = subject.points(start)
    way = np.linspace(0.3, 2.5, 200)[:, None] * rotation.normalized(np.array([0.8, 0.5, 0.2]))
    locked = {"pelvis": points[:, 0], "wrist.L": points[:, INDEX["shoulder.L"]] + way, "ankle.R": points[:, INDEX["ankle.R"]]}
    motions = reach(subject, start, locked)
    gaps = missed(subject, motions, locked)
    assert gaps["pelvis"].max() < EXACT and gaps["ankle.R"].max() < EXACT
    assert gaps["wrist.L"][0] < EXACT and (np.diff(gaps["wrist.L"]) > -1e-3).all(), "the farther, the more it misses"
    moved = subject.points(motions)
    assert np.linalg.norm(np.diff(moved, axis=0), axis=-1).max() < 0.05
    line = moved[-1, INDEX["wrist.L"]] - moved[-1, INDEX["shoulder.L"]]
    arm = sum(np.linalg.norm(subject.offsets[INDEX[name]]) for name in ("elbow.L", "wrist.L"))
    assert np.linalg.norm(line) > 0.999 * arm, "the arm is stretched towards what it cannot reach"


@pytest.mark.parametrize("build", ["one spine bone", "three spine bones", "no clavicles, A-pose"])
def test_what_leaves_its_reach_takes_nothing_else_along(build: str) -> None:
    """A hand that goes out and comes back: all else stays exactly where it is locked, nothing jumps, and back it is exact again."""
    subject, steps = body(build), 200
    start = still(natural_pose(np.random.default_rng(7), subject, 1), steps)
    points = subject.points(start)
    there_and_back = np.concatenate([np.linspace(0.3, 1.2, steps // 2), np.linspace(1.2, 0.3, steps // 2)])[:, None]
    locked = {name: points[:, INDEX[name]] for name in SIX if name != "spine3"}
    locked["wrist.L"] = points[:, INDEX["shoulder.L"]] + there_and_back * rotation.normalized(np.array([0.8, 0.5, 0.2]))
    motions = reach(subject, start, locked)
    gaps = missed(subject, motions, locked)
    assert max(gaps[name].max() for name in locked if name != "wrist.L") < EXACT
    assert gaps["wrist.L"].max() > 0.1 and gaps["wrist.L"][[0, -1]].max() < EXACT
    assert np.linalg.norm(np.diff(subject.points(motions), axis=0), axis=-1).max() < 0.05


@pytest.mark.parametrize("names", [SIX, SETS[5], SETS[6]], ids=len)
def test_what_is_within_reach_is_reached_from_any_start(names: tuple[str, ...]) -> None:
    """A pose that has nothing to do with the targets, as a network gives it where what else it sees contradicts them."""
    rng = np.random.default_rng(9)
    subject = body("three spine bones")
    places = subject.points(natural_pose(rng, subject))
    locked = {name: places[:, INDEX[name]] for name in names}
    start = disturbed(rng, subject, natural_pose(rng, subject), 1.5, 0.5)
    gaps = missed(subject, reach(subject, start, locked), locked)
    assert np.max(list(gaps.values())) < EXACT


def test_the_size_of_a_body_does_not_matter() -> None:
    rng = np.random.default_rng(10)
    human, giant = body("three spine bones"), body("three spine bones", size=100.0)
    wanted = natural_pose(rng, human)
    start, places = disturbed(rng, human, wanted, 0.1, 0.02), human.points(wanted)
    solved = reach(human, start, {name: places[:, INDEX[name]] for name in SIX})
    as_giant = {role: Motion(m.rotation, 100.0 * m.position, 100.0 * m.rest) for role, m in start.items()}
    scaled = reach(giant, as_giant, {name: 100.0 * places[:, INDEX[name]] for name in SIX})
    for role in solved:
        np.testing.assert_allclose(scaled[role].rotation, solved[role].rotation, atol=1e-6)


def test_targets_all_over_the_place_give_a_defined_pose() -> None:
    rng = np.random.default_rng(6)
    subject = body("three neck bones, five spine bones")
    start = natural_pose(rng, subject)
    locked = {name: 5.0 * rng.normal(size=(FRAMES, 3)) for name in SETS[-1]}
    for places in (locked, {name: np.zeros(3) for name in SETS[-1]}):
        motions = reach(subject, start, places)
        assert all(np.isfinite(motion.rotation).all() and np.isfinite(motion.position).all() for motion in motions.values())
        assert missed(subject, motions, places)["pelvis"].max() < EXACT


def test_one_frame_is_as_many() -> None:
    rng = np.random.default_rng(7)
    subject = body("three spine bones")
    wanted = natural_pose(rng, subject)
    places = subject.points(wanted)
    start = disturbed(rng, subject, wanted, 0.1, 0.02)
    many = reach(subject, start, {name: places[:, INDEX[name]] for name in SIX})
    one = {role: Motion(m.rotation[5:6], m.position[5:6], m.rest) for role, m in start.items()}
    alone = reach(subject, one, {name: places[5, INDEX[name]] for name in SIX})
    for role in many:
        np.testing.assert_allclose(alone[role].rotation[0], many[role].rotation[5], atol=1e-9)


def test_errors_name_the_point_and_the_remedy() -> None:
    subject = body("three spine bones")
    start = natural_pose(np.random.default_rng(8), subject, 1)
    with pytest.raises(NeuraRigError, match="'nose' cannot be locked"):
        reach(subject, start, {"nose": np.zeros(3)})
    toeless = body("no toes")
    assert not lockable(toeless, "toe_tip.L") and all(lockable(toeless, name) for name in ("ball.L", *SIX))
    with pytest.raises(NeuraRigError, match=r"'toe_tip.L' cannot be locked.*ball.L.*role list"):
        reach(toeless, natural_pose(np.random.default_rng(8), toeless, 1), {"toe_tip.L": np.zeros(3)})
