"""Where knees point and about what feet spin: retargeted limbs move as on the source."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.body.feet import BALL, HEEL, SWING, Feet
from neurarig_addon.core.body.legs import ahead
from neurarig_addon.core.body.limb import pole_direction
from neurarig_addon.core.body.sole import Sole
from neurarig_addon.core.character.character import Character
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.geometry.rotation import about_y, about_z, from_axis_angle, normalized
from neurarig_addon.core.ikrig.encode import encode_motions
from neurarig_addon.core.ikrig.encoding import Contacts
from neurarig_addon.core.report.jolts import slip_of
from neurarig_addon.core.retarget.feet import read_feet
from neurarig_addon.core.retarget.foothold import footholds
from neurarig_addon.core.retarget.hands import reached
from neurarig_addon.core.retarget.retarget import planted, retarget
from tests.core import retarget_bodies as given
from tests.core import skeletons as made

AHEAD = np.array([1.0, 0.0, 0.0])


def kneed(motions: dict[str, Motion], side: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return hip, knee and ankle `(f, 3)`."""
    return tuple(motions[f"{part}.{side}"].position for part in ("thigh", "shin", "foot"))


def pointing(motions: dict[str, Motion], side: str) -> np.ndarray:
    """Return where a knee points `(f, 3)`: away from the line from hip to ankle."""
    hip, knee, ankle = kneed(motions, side)
    line = normalized(ankle - hip)
    aside = knee - hip
    return normalized(aside - np.sum(aside * line, axis=-1, keepdims=True) * line)


def with_knees_turned(motions: dict[str, Motion], angles: dict[str, float]) -> dict[str, Motion]:
    """Return motions whose legs are turned about the lines from hips to ankles, which stay where they are."""
    found = dict(motions)
    for side, angle in angles.items():
        hip, knee, ankle = kneed(motions, side)
        turn = from_axis_angle(normalized(ankle - hip), np.full(len(hip), angle))
        thigh, shin = motions[f"thigh.{side}"], motions[f"shin.{side}"]
        found[f"thigh.{side}"] = Motion(turn @ thigh.rotation, hip, thigh.rest)
        found[f"shin.{side}"] = Motion(
            turn @ shin.rotation, hip + (turn @ (knee - hip)[..., None])[..., 0], shin.rest
        )
    return found


def put_on(motions: dict[str, Motion], target: Character) -> dict[str, Motion]:
    """Return a human's motions on another body."""
    frames = np.arange(1.0, len(motions["pelvis"].position) + 1.0)
    return retarget(encode_motions(given.human(), motions, frames, given.FPS), target).pose.in_world()


@pytest.mark.few(5)
@pytest.mark.parametrize("body", ["human", "child", "giant", "tiny"])
@pytest.mark.parametrize("angle", [-60.0, -25.0, 25.0, 60.0])
def test_knees_point_where_they_do_on_the_source(body, angle):
    """Turned in or out, bent or nearly straight, in every frame."""
    motions, _ = given.generated(given.human(), frames=90)
    turned = with_knees_turned(motions, {"L": np.radians(angle), "R": np.radians(-angle)})
    after = put_on(turned, given.bodies()[body])
    for side in "LR":
        apart = np.sum(pointing(after, side) * pointing(turned, side), axis=-1)
        assert np.degrees(np.arccos(np.clip(apart, -1.0, 1.0))).max() < 12.0


@pytest.mark.parametrize(
    ("thigh_deg", "shin_deg"), [(-40.0, -40.0), (0.0, 0.0), (40.0, 40.0), (0.0, 40.0), (30.0, -10.0)]
)
def test_straight_legs_say_by_their_turn_where_the_knees_will_point(thigh_deg, shin_deg):
    """A leg that is straight has no bend to tell; a body that must bend it bends it to half way between where
    thigh and shin face."""
    human = given.human()
    body = human.body
    motions, _ = given.generated(human, frames=60, speed=0.0)
    length = body.thigh_length[0] + body.shin_length[0]
    standing = dict(motions)
    for row, side in enumerate("LR"):
        hip = motions[f"thigh.{side}"].position
        ankle = hip + [0.0, 0.0, -length]
        knee = hip + [0.0, 0.0, -body.thigh_length[row]]
        bones = (
            ("thigh", thigh_deg, hip, body.hip[row], body.knee[row]),
            ("shin", shin_deg, knee, body.knee[row], body.ankle[row]),
        )
        for part, angle, at, place, end in bones:
            twist = about_z(np.full(len(hip), np.radians(angle)))
            down = normalized(place - end)
            upright = from_axis_angle(normalized(np.cross(down, [0.0, 0.0, 1.0])), np.arccos(down[2]))
            standing[f"{part}.{side}"] = Motion(twist @ upright, at, place)
        standing[f"foot.{side}"] = Motion(motions[f"foot.{side}"].rotation, ankle, body.ankle[row])
        standing[f"toe.{side}"] = Motion(
            motions[f"toe.{side}"].rotation,
            standing[f"foot.{side}"].carry(body.toe_joint[row]),
            body.toe_joint[row],
        )
    after = put_on(standing, given.bodies()["child"])
    for side in "LR":
        points = pointing(after, side)
        assert_allclose(
            np.degrees(np.arctan2(points[:, 1], points[:, 0])), (thigh_deg + shin_deg) / 2.0, atol=3.0
        )


def splayed(degrees: float) -> Character:
    """Return the human whose legs rest turned out about the hips."""
    table = made.biped()
    for name, (parent, *ends) in table.items():
        if name.startswith(("thigh", "calf", "foot", "ball")):
            sign = 1.0 if name.endswith("_l") else -1.0
            hip, turn = np.array([0.1 * sign, 0.02, 0.0]), about_z(np.radians(sign * degrees))
            table[name] = (parent, *(tuple(hip + turn @ (np.array(end) - hip)) for end in ends))
    return Character.of(made.skeleton(table))


@pytest.mark.parametrize("degrees", [0.0, 30.0])
def test_in_the_pose_that_all_share_every_bone_faces_ahead(degrees):
    """Whatever the rest pose is: legs that rest turned out are turned in for it."""
    character = splayed(degrees)
    assert (np.abs(character.body.foot_heading) >= np.radians(0.9 * degrees)).all()
    for role, turn in character.reference.items():
        motion = Motion(turn[None], np.zeros((1, 3)), np.zeros(3))
        assert_allclose(ahead(character, {role: motion}, role), [AHEAD], atol=1e-9, err_msg=role)


def test_a_bent_limb_says_alone_where_its_joint_points_and_a_straight_one_asks():
    """The directions are unit and across the limb; in between they go over from one to the other, and size
    does not matter."""
    draw = np.random.default_rng(2)
    start, line, told = draw.normal(size=(3, 50, 3))
    end = start + 1.3 * line
    straight = np.cross(line, draw.normal(size=(50, 3)))
    aside = np.cross(line, told) / np.linalg.norm(np.cross(line, told), axis=-1, keepdims=True)
    for size in (1.0, 40.0):
        ends = size * start, size * end

        def shown(bend: float, size=size, ends=ends) -> np.ndarray:
            middle = ends[0] + 0.4 * (ends[1] - ends[0]) + size * bend * aside
            return pole_direction(ends[0], middle, ends[1], straight, size)

        assert_allclose(shown(0.2), aside, atol=1e-9)
        assert_allclose(shown(0.0), normalized(straight), atol=1e-6)
        assert_allclose(shown(0.035), (aside + normalized(straight)) / 2.0, atol=1e-9)


@pytest.mark.parametrize("body", ["human", "child", "clown"])
@pytest.mark.parametrize(("point", "pitch", "pivot"), [(0, 0.0, HEEL), (1, 0.0, BALL), (1, 30.0, BALL)])
@pytest.mark.parametrize("angle", [-90.0, 150.0])
def test_a_foot_that_spins_on_the_spot_spins_about_the_point_that_stays(body, point, pitch, pivot, angle):
    """About the heel or the ball, the other foot standing still: the point stays and the foot is where it was
    wanted."""
    character = given.bodies()[body]
    sole = Sole.of(character.body)
    frames = 60
    share = np.clip((np.arange(frames) - 15.0) / 30.0, 0.0, 1.0)
    heading = np.zeros((frames, 2))
    heading[:, 0] = np.radians(angle) * share * share * (3.0 - 2.0 * share)
    turn = about_z(heading) @ about_y(np.radians(pitch))
    toe = about_z(heading) if pitch else turn
    feet = Feet(np.zeros((frames, 2, 3)), turn, toe)
    feet = Feet(feet.ankle - sole.points(feet)[:, :, point] + [[0.0, 0.1, 0.0], [0.0, -0.1, 0.0]], turn, toe)
    holds = footholds(sole, feet, np.ones((frames, 2, 2), dtype=bool), given.FPS)
    stays = sole.points(holds.feet)[:, :, point]
    assert np.ptp(stays[..., :2], axis=0).max() < 0.005 * character.body.leg_length
    assert_allclose(holds.feet.ankle[..., :2], feet.ankle[..., :2], atol=0.01 * character.body.leg_length)
    assert (holds.pivot[18:42, 0] == pivot).all()


@pytest.mark.parametrize("side", ["L", "R"])
@pytest.mark.parametrize("twist_deg", [0.0, 50.0, -80.0])
def test_a_straight_arm_whose_hand_comes_nearer_bends_its_elbow_back_half_way_between_upper_arm_and_forearm(
    side, twist_deg
):
    """Whichever way the whole arm is turned; the hand comes exactly there."""
    character, row = given.human(), "LR".index(side)
    body, rng = character.body, np.random.default_rng(8)
    out = np.array([0.0, 1.0 if side == "L" else -1.0, 0.0])
    upper, fore = (
        np.linalg.norm(b[row] - a[row]) for a, b in ((body.shoulder, body.elbow), (body.elbow, body.wrist))
    )
    whole = from_axis_angle(normalized(rng.normal(size=(20, 3))), rng.uniform(-3.0, 3.0, 20))
    along, start = whole @ out, rng.normal(size=(20, 3))
    twists = {"upper_arm": 0.0, "forearm": np.radians(twist_deg), "hand": np.radians(twist_deg)}
    places = {"upper_arm": start, "forearm": start + upper * along, "hand": start + (upper + fore) * along}
    motions = {}
    for part, angle in twists.items():
        turn = from_axis_angle(np.tile(out, (20, 1)), np.full(20, angle))
        motions[f"{part}.{side}"] = Motion(
            whole @ turn @ character.reference[f"{part}.{side}"], places[part], np.zeros(3)
        )
    wrist = start + 0.8 * (upper + fore) * along
    found = reached(character, motions, side, wrist)
    assert_allclose(found[f"hand.{side}"].position, wrist, atol=1e-9)
    elbow = found[f"forearm.{side}"].position
    assert np.linalg.norm(elbow - start, axis=-1) == pytest.approx(upper) and np.linalg.norm(
        wrist - elbow, axis=-1
    ) == pytest.approx(fore)
    aside = elbow - start - np.sum((elbow - start) * along, axis=-1, keepdims=True) * along
    half = from_axis_angle(np.tile(out, (20, 1)), np.full(20, 0.5 * np.radians(twist_deg)))
    assert_allclose(normalized(aside), -(whole @ half)[..., 0], atol=1e-6)


@pytest.mark.parametrize("body", ["human", "child", "clown"])
def test_a_foot_that_spins_about_its_heel_and_then_about_its_ball_does_so(body):
    """With toes up by a few degrees, as recordings have it: the point that stays decides, and not the
    pitch."""
    character = given.bodies()[body]
    sole = Sole.of(character.body)
    time = np.linspace(0.0, 1.0, 91)
    first, second = (np.clip((time - start) / 0.35, 0.0, 1.0) for start in (0.1, 0.55))
    heading = np.radians(50.0) * np.stack([first + second, 0.0 * time], axis=1)
    turn = about_z(heading) @ about_y(np.radians(-3.0))
    ankle = np.zeros((len(time), 2, 3))
    points = sole.points(Feet(ankle, turn, turn))
    for row in range(1, len(time)):
        point = 1 if time[row] > 0.5 else 0
        ankle[row] = ankle[row - 1] - (points[row, :, point] - points[row - 1, :, point])
    holds = footholds(sole, Feet(ankle, turn, turn), np.ones((len(time), 2, 2), dtype=bool), given.FPS)
    stays = sole.points(holds.feet)[:, 0, :, :2]
    leg = character.body.leg_length
    assert (
        np.ptp(stays[8:42, 0], axis=0).max() < 1e-3 * leg and np.ptp(stays[52:, 1], axis=0).max() < 1e-3 * leg
    )
    assert (holds.pivot[15:38, 0] == HEEL).all() and (holds.pivot[55:80, 0] == BALL).all()


@pytest.mark.parametrize("body", ["human", "ape", "no toes"])
@pytest.mark.parametrize("wide", [1.2, 1.7, 2.4])
def test_feet_that_stand_out_of_reach_stay_or_let_go(body, wide):
    """A lunge whose stance is wider than these legs: the pelvis comes nearer, in a split they let go, and
    none slips."""
    character = given.bodies()[body]
    sole, time = Sole.of(character.body), np.linspace(0.0, 2.0, 121)
    leg = character.body.leg_length
    low = np.clip(np.minimum(time - 0.4, 1.6 - time) / 0.3, 0.0, 1.0)
    pelvis = given.generated(character, len(time))[0]["pelvis"]
    hips = np.tile(pelvis.rest, (len(time), 1)) * [1.0, 1.0, 0.0] + np.stack(
        [0.0 * time, 0.0 * time, pelvis.rest[2] - 0.45 * leg * low], 1
    )
    motions, _ = given.generated(character, len(time))
    still = np.tile(np.eye(3), (len(time), 1, 1))
    motions = {
        role: Motion(still, motion.rest + (hips - pelvis.rest), motion.rest)
        for role, motion in motions.items()
    }
    for row, side in enumerate("LR"):
        away = np.array([[wide * leg * (0.5 - row), 0.0, 0.0]]) * low[:, None]
        for part in ("foot", "toe"):
            if f"{part}.{side}" in motions:
                motion = motions[f"{part}.{side}"]
                motions[f"{part}.{side}"] = Motion(still, motion.rest + away, motion.rest)
    during = np.array([[42, 78]])
    contacts = Contacts({f"{point}.{side}": during for point in ("heel", "ball") for side in "LR"})
    found, pivots = planted(character, motions, contacts, given.FPS)
    points = sole.points(read_feet(character, found))
    for side in range(2):
        assert slip_of(points[:, side], pivots[:, side]).max(initial=0.0) < 1e-6
    assert wide > 2.0 or (pivots[42:79] != SWING).all()
