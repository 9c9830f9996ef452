"""A clip whose rest pose is none: the same as with any other, near to what its true rest pose gives, and its
heading kept."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from neurarig_addon.core.character.character import Character
from neurarig_addon.core.detection.detect import detect
from neurarig_addon.core.geometry.rotation import about_z, from_axis_angle, transposed
from neurarig_addon.core.ikrig import layout
from neurarig_addon.core.mocap.generated_motion import read_generated
from neurarig_addon.core.retarget.source import encode_clip
from neurarig_addon.core.skeleton.clip import Clip
from neurarig_addon.core.skeleton.mean_pose import mean_standing, rests, standing_for
from neurarig_addon.core.skeleton.standing_pose import stood
from tests.core.generated_walks import Y_UP, joints, laid_out


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Clip:
    """Return a walk that rests in a T-pose and faces the front."""
    places, turns = joints()
    path = Path(tmp_path_factory.mktemp("walk")) / "walk.npz"
    np.savez(
        path, posed_joints=laid_out(places @ Y_UP.T, 77), global_rot_mats=laid_out(Y_UP @ turns @ Y_UP.T, 77)
    )
    return read_generated(path)


def rested(clip: Clip, axes: np.ndarray) -> Clip:
    """Return the clip with its bones at rest as `axes` `(bones, 3, 3)` have them, joints around them as they
    were."""
    skeleton = clip.skeleton
    rest = skeleton.rest.copy()
    for row, parent in enumerate(skeleton.parents.tolist()):
        rest[row, :3, :3] = axes[row]
        if parent >= 0:
            held = skeleton.rest[parent, :3, :3].T @ (
                skeleton.rest[row, :3, 3] - skeleton.rest[parent, :3, 3]
            )
            rest[row, :3, 3] = rest[parent, :3, 3] + axes[parent] @ held
    return replace(clip, skeleton=replace(skeleton, rest=rest))


def drawn(clip: Clip, kind: str, seed: int) -> Clip:
    draw, count = np.random.default_rng(seed), len(clip.skeleton.names)
    to_file = transposed(
        clip.skeleton.to_world[:3, :3] / np.cbrt(np.linalg.det(clip.skeleton.to_world[:3, :3]))
    )
    if kind == "frame":
        return rested(clip, to_file @ clip.axes[draw.integers(len(clip))])
    if kind == "along one axis":
        axis = from_axis_angle(np.eye(3)[draw.integers(3)], np.array(draw.choice([0.5, -0.5]) * np.pi))
        return rested(clip, np.tile(axis, (count, 1, 1)))
    ways = draw.normal(size=(count, 3))
    return rested(
        clip,
        from_axis_angle(ways / np.linalg.norm(ways, axis=1, keepdims=True), draw.uniform(0.0, np.pi, count)),
    )


def rows(clip: Clip, true: Clip) -> np.ndarray:
    """Return the 86 floats of a clip, standing as far as its rest pose tells."""
    roles = detect(true.skeleton)
    skeleton = stood(clip.skeleton, roles, standing_for(clip, roles))
    character = Character.of(clip.skeleton, roles, standing=standing_for(clip, roles))
    return layout.to_rows(encode_clip(replace(character, skeleton=skeleton), clip))


@pytest.mark.few
@pytest.mark.parametrize("kind", ["frame", "along one axis", "anyhow"])
def test_a_clip_is_the_same_whatever_its_bones_rest_like(clip: Clip, kind: str) -> None:
    true, roles = rows(clip, clip), detect(clip.skeleton)
    assert rests(clip, roles)
    first = None
    for seed in range(6):
        again = drawn(clip, kind, seed)
        assert not rests(again, roles)
        found = rows(again, clip)
        first = found if first is None else first
        np.testing.assert_allclose(found, first, atol=1e-5)
    effectors = [column for column, name in enumerate(layout.COLUMNS) if ".effector." in name]
    assert np.abs(first[:, effectors] - true[:, effectors]).max() < 0.12
    assert np.abs(first[:, 2] - true[:, 2]).max() < np.radians(3.0), "the heading in the world"


@pytest.mark.parametrize("degrees", [2.0, 30.0, 100.0])
def test_an_armature_that_stands_turned_in_its_scene_rests_as_before(clip: Clip, degrees: float) -> None:
    turn, to_world = about_z(np.radians(degrees)), clip.skeleton.to_world.copy()
    to_world[:3] = turn @ to_world[:3]
    turned = replace(
        clip,
        skeleton=replace(clip.skeleton, to_world=to_world),
        axes=turn @ clip.axes,
        heads=clip.heads @ turn.T,
    )
    assert rests(turned, detect(turned.skeleton))


def test_who_lies_all_the_time_does_not_stand_on_the_mean(clip: Clip) -> None:
    roles = detect(clip.skeleton)
    down = from_axis_angle(np.array([1.0, 0.0, 0.0]), np.array(-0.5 * np.pi))
    assert mean_standing(replace(clip, axes=down @ clip.axes, heads=clip.heads @ down.T), roles) == {}


@pytest.mark.few(3)
@pytest.mark.parametrize("degrees", [0.0, 53.0, -100.0])
@pytest.mark.parametrize("frame", [0, 17, 40])
def test_a_clip_that_rests_in_a_frame_of_it_leans_and_heads_as_with_its_own_rest_pose(
    clip: Clip, frame: int, degrees: float
) -> None:
    """Files without a skin rest as they were saved, in an object that may be turned: who stoops in them does
    not stand stooped."""
    roles = detect(clip.skeleton)
    below = [
        row
        for row in range(len(clip.skeleton.names))
        if clip.skeleton.is_below(row, clip.skeleton.index[roles.bones["spine.1"]])
    ]
    below.append(clip.skeleton.index[roles.bones["spine.1"]])
    lean = from_axis_angle(np.array([1.0, 0.0, 0.0]), np.radians(14.0))
    axes, heads, pivot = clip.axes.copy(), clip.heads.copy(), clip.heads[:, below[-1], None]
    axes[:, below], heads[:, below] = lean @ axes[:, below], pivot + (heads[:, below] - pivot) @ lean.T
    stooping = replace(clip, axes=axes, heads=heads)
    true = rows(stooping, clip)
    turn, to_world = about_z(np.radians(degrees)), clip.skeleton.to_world.copy()
    to_world[:3] = turn @ to_world[:3]
    turned = replace(
        stooping, skeleton=replace(clip.skeleton, to_world=to_world), axes=turn @ axes, heads=heads @ turn.T
    )
    again = replace(turned, skeleton=turned.posed(frame))
    assert rests(turned, roles) and not rests(again, roles)
    found = rows(again, clip)
    effectors = [column for column, name in enumerate(layout.COLUMNS) if ".effector." in name]
    assert np.abs(found[:, effectors] - true[:, effectors]).max() < 0.12
    assert np.abs(found[:, effectors] - true[:, effectors]).mean() < 0.02
    assert np.abs(found[:, 2] - true[:, 2]).max() < np.radians(3.0)
