"""Motion of generative models: read as any clip, planted where the model says, in every layout."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.character.character import Character
from neurarig_addon.core.detection.remembered import detect_of
from neurarig_addon.core.geometry.rotation import about_x, about_y, rotated, transposed
from neurarig_addon.core.mocap.generated_motion import LAYOUTS, PLANTED, is_generated, read_generated
from neurarig_addon.core.neural.points import JOINTS, PARENTS
from neurarig_addon.core.neural.pose_parameters import PoseParameters, save
from neurarig_addon.core.report.clip_report import OFF_SOURCE_PERCENT
from neurarig_addon.core.retarget.retarget import retarget
from neurarig_addon.core.retarget.source import encode_clip
from tests.core.generated_walks import BODY, FPS, Y_UP, joints, laid_out
from tests.refusals import refuses


def along_x(places: np.ndarray) -> np.ndarray:
    """Return places from the first frame's pelvis, turned so that the walk goes along x."""
    heads = places - places[:1, :1] * [1.0, 1.0, 0.0]
    ahead = heads[-1, 0]
    cos, sin = ahead[:2] / np.linalg.norm(ahead[:2])
    return heads @ np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])


@pytest.mark.few(14)
@pytest.mark.parametrize("count", LAYOUTS)
@pytest.mark.parametrize("turned", [True, False])
@pytest.mark.parametrize("axes", [Y_UP, np.eye(3), np.diag([1.0, -1.0, -1.0])], ids=["y", "z", "upside down"])
def test_every_layout_is_read_where_it_is(tmp_path: Path, count: int, turned: bool, axes: np.ndarray):
    places, turns = joints()
    arrays = {"posed_joints": laid_out(places @ axes.T, count), "foot_contacts": np.ones((len(places), 4))}
    if turned:
        arrays["global_rot_mats"] = laid_out(axes @ turns @ axes.T, count)
    path = tmp_path / "walk.npz"
    np.savez(path, **arrays)
    assert is_generated(path)
    clip = read_generated(path)
    assert_allclose(along_x(clip.heads), along_x(joints()[0]), atol=1e-6)
    assert bool(clip.remark) != turned, (
        "without rotations, or a rest pose in which a body stands, there is none"
    )
    assert clip.fps == FPS and all(clip.planted[point].all() for point in PLANTED)
    character = Character.of(clip.skeleton, detect_of(clip))
    assert {"thigh.L", "shin.R", "foot.L", "toe.R", "upper_arm.L", "hand.R", "head"} <= set(
        character.roles.bones
    )


def test_a_zero_pose_of_any_axes_is_no_rest_pose(tmp_path: Path):
    """MHR's rotations are from axes along the bones: without them no body stands."""
    places, turns = joints()
    drawn = np.random.default_rng(3).uniform(-np.pi, np.pi, (2, len(JOINTS)))
    np.savez(
        tmp_path / "walk.npz", joint_coords=places, joint_rots=turns @ about_x(drawn[0]) @ about_y(drawn[1])
    )
    clip = read_generated(tmp_path / "walk.npz")
    assert_allclose(along_x(clip.heads), along_x(joints()[0]), atol=1e-6)
    character = Character.of(clip.skeleton, detect_of(clip))
    assert character.body.leg_length == pytest.approx(BODY.leg_length, rel=0.02)


def test_the_model_s_contacts_are_used(tmp_path: Path):
    """Feet that skate: where no foot is still, the model's word counts."""
    places, turns = joints()
    places = places + np.arange(len(places))[:, None, None] * [0.02, 0.0, 0.0]  # 0.6 m/s of skating
    stands = np.zeros((len(places), 4), dtype=bool)
    stands[10:25, :2], stands[30:45, 2:] = True, True
    np.savez(tmp_path / "skates.npz", posed_joints=places, global_rot_mats=turns, foot_contacts=stands)
    clip = read_generated(tmp_path / "skates.npz")
    encoding = encode_clip(Character.of(clip.skeleton, detect_of(clip)), clip)
    assert encoding.contacts.intervals["heel.L"].tolist() == [[10, 24]]
    assert encoding.contacts.intervals["ball.R"].tolist() == [[30, 44]]


@pytest.mark.parametrize(("skating", "told"), [(0.0, False), (0.5, True)])
def test_feet_that_skate_without_contacts_are_told(tmp_path: Path, skating: float, told: bool):
    places, turns = joints()
    drifting = places + np.arange(len(places))[:, None, None] * [0.0, skating / FPS, 0.0]
    np.savez(tmp_path / "skates.npz", posed_joints=drifting, global_rot_mats=turns)
    clip = read_generated(tmp_path / "skates.npz")
    encoding = encode_clip(Character.of(clip.skeleton, detect_of(clip)), clip)
    assert ("slide over the floor" in encoding.remark) == told


def test_humanml_features_are_places_and_contacts(tmp_path: Path):
    """Features of a known walk by their definition: Guo et al. 2022."""
    places = joints()[0] @ Y_UP.T
    places = places - places[:1, :1] * [1.0, 0.0, 1.0]
    heading = np.linspace(0.0, 0.8, len(places))  # the root's frame turns, whatever the body does
    facing, root = about_y(heading), places[:, 0] * [1.0, 0.0, 1.0]
    features = np.zeros((len(places), 263))
    features[:-1, 0] = -0.5 * np.diff(heading)
    features[:-1, 1:3] = rotated(transposed(facing[1:]), np.diff(root, axis=0))[:, [0, 2]]
    features[:, 3] = places[:, 0, 1]
    features[:, 4:67] = rotated(transposed(facing)[:, None], places[:, 1:] - root[:, None]).reshape(
        len(places), -1
    )
    features[:, -4:] = [1.0, 0.0, 1.0, 0.0]
    np.save(tmp_path / "000001.npy", features)
    clip = read_generated(tmp_path / "000001.npy")
    assert_allclose(along_x(clip.heads), along_x(joints()[0]), atol=1e-6)
    assert clip.fps == 20.0 and clip.planted["heel.L"].all() and not clip.planted["ball.R"].any()
    np.save(tmp_path / "places.npy", places)
    assert_allclose(along_x(read_generated(tmp_path / "places.npy").heads), along_x(joints()[0]), atol=1e-6)


@pytest.mark.parametrize("known", [True, False])
def test_pose_parameters_are_a_clip_of_an_adult_of_their_size(tmp_path: Path, known: bool):
    places, turns = joints()
    save(
        PoseParameters.of(turns, 1.2 * places[:, 0], FPS, 1.2 * 0.845 if known else 0.0),
        tmp_path / "poses.npz",
    )
    clip = read_generated(tmp_path / "poses.npz")
    knees = [clip.skeleton.names.index(name) for name in ("left_knee", "left_ankle")]
    shin = np.linalg.norm(clip.heads[:, knees[1]] - clip.heads[:, knees[0]], axis=-1)
    assert_allclose(shin, 1.2 * np.linalg.norm(BODY.ankle[0] - BODY.knee[0]), rtol=0.001 if known else 0.06)
    assert_allclose(along_x(clip.heads)[:, 0, :2], 1.2 * along_x(joints()[0])[:, 0, :2], atol=1e-6)


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"posed_joints": np.zeros((4, 21, 3))}, "of 22, 24, 52, 55, 30, 77, 127 joints"),
        ({"posed_joints": np.zeros((4, 22))}, "frames x joints x 3"),
        ({"posed_joints": np.full((4, 22, 3), np.nan)}, "NaN"),
        ({"posed_joints": np.full((4, 22, 3), "a")}, "words"),
        ({"posed_joints": np.ones((4, 22, 3)), "fps": np.array(0.0)}, "frames a second"),
    ],
)
def test_what_is_no_motion_is_refused_by_name(tmp_path: Path, arrays: dict, said: str):
    np.savez(tmp_path / "odd.npz", **arrays)
    with refuses(said) as caught:
        read_generated(tmp_path / "odd.npz")
    assert "odd.npz" in str(caught.value)


def test_parents_come_first():
    assert (PARENTS[1 : len(JOINTS)] < np.arange(1, len(JOINTS))).all()


def test_a_result_far_from_its_clip_is_told(tmp_path: Path):
    """Of a walk whose file says that both feet stand all the time, planting cannot keep the way."""
    places, turns = joints()
    off = []
    for stands in (np.zeros((len(places), 4)), np.ones((len(places), 4))):
        np.savez(tmp_path / "walk.npz", posed_joints=places, global_rot_mats=turns, foot_contacts=stands)
        clip = read_generated(tmp_path / "walk.npz")
        character = Character.of(clip.skeleton, detect_of(clip))
        off.append(retarget(encode_clip(character, clip), character).off / character.body.leg_length)
    assert off[0] < 0.05 and off[1] > 0.01 * OFF_SOURCE_PERCENT
