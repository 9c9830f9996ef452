"""The named poses of steps: where the motion has them, each on a frame of its own."""

import numpy as np
import pytest

from neurarig_addon.core.body.feet import SWING
from neurarig_addon.core.gait.key_poses import POSES, steps_of
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock
from neurarig_addon.core.gait.synthesis import walk
from tests.core.walk_styles import WALKS
from tests.core.walkers import BODY, HUMAN

FRAMES = np.arange(-30.0, 121.0)


def walked(name: str, fps: float = 24.0) -> WalkPose:
    return walk(BODY, WALKS[name], Clock(fps), FRAMES, HUMAN)


@pytest.mark.parametrize("name", WALKS)
def test_each_pose_has_a_frame_of_its_own_in_the_order_of_a_step(name):
    steps = steps_of(walked(name))
    assert steps or name == "speed 0.1"
    for step in steps:
        frames = [
            step.contact,
            *(frame for frame in (step.down, step.passing, step.up) if frame is not None),
            step.next,
        ]
        assert (np.diff(frames) > 0).all()
        if step.passing is not None and step.next - step.contact > 6:
            assert len(frames) == 5


@pytest.mark.parametrize("name", WALKS)
def test_poses_are_where_the_motion_has_them(name):
    pose = walked(name)
    ankles = np.stack([pose.motions[f"foot.{side}"].position for side in "LR"])
    for step in steps_of(pose):
        row, (contact, after) = (
            "LR".index(step.side),
            (frame - int(FRAMES[0]) for frame in (step.contact, step.next)),
        )
        assert pose.pivot[contact, row] != SWING and pose.pivot[contact - 1, row] == SWING
        apart = np.abs(ankles[0, contact + 1 : after, 0] - ankles[1, contact + 1 : after, 0])
        if step.passing is not None:
            assert step.passing - step.contact - 1 == int(apart.argmin())
        if step.up is not None and step.passing is not None:
            assert step.passing < step.up


@pytest.mark.parametrize("name", WALKS)
def test_every_named_pose_is_keyed_at_least_four_a_step(name):
    for step in steps_of(walked(name)):
        frames, keyed = step.frames(), dict(step.keyed())
        assert {*keyed.values()} <= {*frames}
        assert len(frames) == max(min(POSES, step.next - step.contact), len({*keyed.values()}))
        assert frames[0] == step.contact and frames[-1] < step.next
        for pose, frame in step.named():
            moved = keyed[pose] != frame
            assert not moved or keyed[pose] in step.lifts, "only to where a foot lifts"
            assert abs(keyed[pose] - frame) <= max(1.0, 0.1 * (step.next - step.contact))


def test_nobody_steps_while_standing():
    pose = walked(next(iter(WALKS)))
    still = np.full_like(pose.pivot, pose.pivot[np.flatnonzero((pose.pivot != SWING).all(axis=1))[0], 0])
    assert steps_of(WalkPose(**{**vars(pose), "pivot": still})) == []
