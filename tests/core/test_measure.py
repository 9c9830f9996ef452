"""A body's measures stand in metres in the walk frame, whatever the object's transform, and wrong rest poses
are refused."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.character.body import LEFT, RIGHT, Body
from neurarig_addon.core.character.measure import measure
from neurarig_addon.core.detection.detect import detect
from neurarig_addon.core.gait.body.pelvis import standing_height
from neurarig_addon.core.human.adult import human_body
from neurarig_addon.core.skeleton.roles import RoleMap
from tests.refusals import refuses

from . import skeletons as made

MATRICES = {
    "as it is": made.object_matrix(),
    "centimetres, y up": made.object_matrix(0.01, quarter_x=True),
    "large and moved": made.object_matrix(100.0, turn_deg=33.0, at=(4.0, 5.0, -6.0)),
}


def body(table: made.Table | None = None, matrix: np.ndarray | None = None, **given) -> Body:
    subject = made.skeleton(made.biped() if table is None else table, matrix)
    return measure(subject, detect(subject), **given)


@pytest.mark.parametrize("matrix", MATRICES.values(), ids=MATRICES)
@pytest.mark.parametrize("turn", [0.0, 90.0, 200.0])
def test_measures_do_not_depend_on_transform_and_facing(matrix, turn):
    expected, measured = body(), body(made.turned(made.biped(), turn), matrix)
    for name in (
        "pelvis",
        "hip",
        "knee",
        "ankle",
        "heel",
        "ball",
        "toe",
        "toe_joint",
        "shoulder",
        "elbow",
        "wrist",
        "spine",
        "head",
    ):
        assert_allclose(getattr(measured, name), getattr(expected, name), atol=1e-6, err_msg=name)


def test_walk_frame_is_metres_with_x_forward_and_the_left_foot_at_positive_y():
    measured = body()
    assert_allclose(measured.hip[LEFT], (0.0, 0.1, 0.91), atol=1e-9)
    assert_allclose(measured.hip[RIGHT], (0.0, -0.1, 0.91), atol=1e-9)
    assert (measured.toe[:, 0] > measured.ball[:, 0]).all() and (
        measured.ball[:, 0] > measured.heel[:, 0]
    ).all()
    assert measured.leg_length == pytest.approx(0.84, abs=0.01)


@pytest.mark.parametrize("matrix", MATRICES.values(), ids=MATRICES)
def test_walk_to_armature_takes_joints_back_to_the_bones(matrix):
    subject = made.skeleton(made.biped(), matrix)
    measured = measure(subject, detect(subject))
    head = np.append(measured.hip[RIGHT], 1.0)
    assert_allclose(
        (measured.walk_to_armature @ head)[:3],
        subject.rest[subject.index["thigh_r"], :3, 3],
        rtol=1e-6,
        atol=1e-6,
    )
    rotation = measured.walk_to_armature[:3, :3] * measured.metres_per_unit
    assert_allclose(rotation @ rotation.T, np.eye(3), atol=1e-9)
    assert np.linalg.det(rotation) > 0.0


def test_the_ground_is_the_lowest_sole_and_each_foot_stands_on_its_own():
    table = made.biped()
    for name in ("foot_r", "ball_r"):
        parent, head, tail = table[name]
        table[name] = (parent, (*head[:2], head[2] + 0.01), (*tail[:2], tail[2] + 0.01))
    measured = body(table)
    assert_allclose(measured.heel[:, 2], (0.0, 0.01), atol=1e-9)
    assert_allclose(measured.heel[:, 2], measured.ball[:, 2])


def test_soles_give_heel_ball_and_tip():
    subject = made.skeleton(made.biped())
    roles = detect(subject)
    sole = np.array([(x, y, z) for x in (0.05, 0.15) for y in (-0.2, -0.1, 0.0, 0.1) for z in (0.0, 0.08)])
    measured = measure(subject, roles, {"L": sole, "R": sole * (-1.0, 1.0, 1.0)})
    assert_allclose(measured.toe[LEFT] - measured.heel[LEFT], (0.3, 0.0, 0.0), atol=1e-9)
    assert_allclose(measured.heel[LEFT], (-0.08, 0.1, 0.0), atol=1e-9)
    assert measured.ball[LEFT, 0] == pytest.approx(measured.toe_joint[LEFT, 0])
    assert measured.ankle[LEFT, 2] == pytest.approx(0.09)


def test_soles_that_are_no_feet_are_passed_over():
    cloak = np.random.default_rng(0).uniform(-1.0, 1.0, (200, 3))
    assert_allclose(body(soles={"L": cloak, "R": cloak}).toe, body().toe)


def test_a_leg_without_foot_touches_the_ground_under_the_ankle():
    measured = body(
        {name: bone for name, bone in made.biped().items() if not name.startswith(("foot", "ball"))}
    )
    assert_allclose(measured.heel, measured.toe)
    assert_allclose(measured.heel[:, :2], measured.ankle[:, :2])
    assert np.isnan(measured.toe_joint).all()
    assert (measured.foot_heading == 0.0).all()


def test_a_foot_that_goes_up_from_the_ankle_stands_on_a_root_below_it() -> None:
    table = made.biped()
    for name in ("foot_l", "ball_l", "foot_r", "ball_r"):
        parent, head, tail = table[name]
        table[name] = (parent, head if name.startswith("foot") else (*head[:2], 0.15), (*tail[:2], 0.15))
    measured = body(table)
    assert_allclose(measured.ankle[:, 2], 0.09, atol=1e-9)
    assert_allclose(measured.heel[:, 2], 0.0, atol=1e-9)


def test_legs_of_one_bone_stand_as_long_as_they_are_however_their_ankles_lie() -> None:
    body = human_body()
    stiff = replace(body, one_bone_legs=True, ankle=body.ankle + [0.2, 0.0, 0.0])
    leg = stiff.thigh_length + stiff.shin_length
    wanted = stiff.ankle[:, 2] + np.sqrt(leg**2 - (0.5 * stiff.hip[:, 1]) ** 2)
    assert_allclose(standing_height(stiff), wanted)
    bent = replace(stiff, one_bone_legs=False, ankle=body.hip + 0.8 * (body.ankle - body.hip))
    assert (standing_height(bent) - bent.ankle[:, 2] < 0.85 * leg).all(), "a knee keeps its bend"


def test_a_leg_of_one_bone_has_its_knee_half_way():
    subject = made.skeleton({name: bone for name,
        bone in made.biped().items() if not name.startswith("calf")} | {
        f"foot_{side}": (f"thigh_{side}", *made.biped()[f"foot_{side}"][1:]) for side in "lr"})  # fmt: skip
    measured = measure(subject, detect(subject))
    assert measured.one_bone_legs
    assert_allclose(measured.knee, (measured.hip + measured.ankle) / 2.0)


def test_parts_that_the_rig_lacks_are_not_numbers():
    subject = made.skeleton(made.biped())
    legs = {
        role: bone
        for role, bone in detect(subject).bones.items()
        if role.split(".")[0] in ("pelvis", "thigh", "shin", "foot")
    }
    measured = measure(subject, RoleMap(legs))
    assert np.isnan(measured.head).all() and np.isnan(measured.elbow).all() and measured.spine.shape == (0, 3)


def test_feet_turned_out_are_still_walked_straight_ahead():
    table = made.biped()
    for side, sign in (("l", 1.0), ("r", -1.0)):
        foot = table[f"foot_{side}"][1]
        out = (foot[0] + sign * 0.09, foot[1] - 0.09, 0.02)
        table[f"ball_{side}"] = (f"foot_{side}", out, (out[0] + sign * 0.05, out[1] - 0.05, 0.02))
    measured = body(table)
    assert_allclose(measured.hip[LEFT], (0.0, 0.1, 0.91), atol=1e-9)
    assert_allclose(np.degrees(measured.foot_heading), (45.0, -45.0), atol=1e-6)


def test_a_lying_figure_an_uneven_and_a_mirrored_scale_are_refused():
    subject = made.skeleton(made.biped())
    roles = detect(subject)
    for matrix, words in [
        (made.object_matrix(quarter_x=True), "pose it standing"),
        (np.diag([1.0, 1.0, 2.0, 1.0]), "unevenly: click Apply Scale"),
        (np.diag([-1.0, 1.0, 1.0, 1.0]), "mirrored"),
    ]:
        wrong = replace(subject, to_world=matrix)
        with refuses(words):
            measure(wrong, roles)
