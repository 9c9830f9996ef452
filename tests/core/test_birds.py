"""Birds drawn from proportions: a wren, a hen and a crane that walk, run and hop."""

import numpy as np
import pytest

from neurarig_addon.core.body.feet import SWING
from neurarig_addon.core.character.body import Body
from neurarig_addon.core.gait import synthesis
from neurarig_addon.core.gait.kinds.gaits import animal_gait, quicker, walking_speed
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.geometry.rotation import dot, normalized, norms
from neurarig_addon.core.ground.surface import LEVEL
from neurarig_addon.core.path.path import STRAIGHT

FPS = 240.0
# height of the hips in metres; x ahead of them and height of knee, intertarsal joint and toe joint, the
# digits' length and the joints of the neck, shares of it
BIRDS = {
    "wren": (0.05, [(0.22, 0.76), (-0.12, 0.4), (0.08, 0.05)], 0.4, [(0.35, 1.2), (0.4, 1.4), (0.5, 1.6)]),
    "hen": (0.2, [(0.28, 0.79), (-0.08, 0.4), (0.1, 0.05)], 0.35, [(0.5, 1.3), (0.45, 1.7), (0.6, 2.1)]),
    "crane": (0.9, [(0.16, 0.84), (-0.05, 0.45), (0.03, 0.04)], 0.2, [(0.3, 1.1), (0.25, 1.4), (0.45, 1.75)]),
}


def bird(name: str) -> Body:
    """Return the body of a bird."""
    height, leg, digits, neck = BIRDS[name]
    hip, knee, ankle, joint = (
        height * np.array([[x, 0.12, z], [x, -0.12, z]]) for x, z in [(0.0, 1.0), *leg]
    )
    under = joint * [1.0, 1.0, 0.0]
    base, nape, head = (height * np.array([x, 0.0, z]) for x, z in neck)
    lacks = {part: np.full((2, 3), np.nan) for part in ("shoulder", "elbow", "wrist")}
    return Body(
        hip=hip, knee=knee, ankle=ankle, toe_joint=joint, heel=under, ball=under,
        toe=under + [digits * height, 0.0, 0.0], on_toes=True, walk_to_armature=np.eye(4),
        pelvis=height * np.array([-0.1, 0.0, 1.1]),
        spine=height * np.array([[0.1, 0.0, 1.15], [0.3, 0.0, 1.15]]),
        neck=base, nape=nape[None], head=head, tail=height * np.array([[-0.2, 0.0, 1.1]]), **lacks,
    )  # fmt: skip


def going(name: str, gait: str, **sliders: float) -> tuple[Body, synthesis.WalkPose]:
    body = bird(name)
    track = StyleTrack(Style(speed=walking_speed(body) * quicker(gait, body.kind), **sliders))
    walker = Walker.of(body, track, Clock(FPS, 1.0), animal_gait(gait, body), STRAIGHT, LEVEL)
    return body, synthesis.walked(walker, np.arange(1.0, 401.0))


def head_over_steps(name: str, gait: str, **sliders: float) -> tuple[np.ndarray, np.ndarray]:
    """Return how fast a head goes ahead, as multiples of the body's speed, and up and aside, as shares of
    the hips' height."""
    body, pose = going(name, gait, **sliders)
    head = pose.root.holding(pose.motions["head"]).position
    speed = np.gradient(head[:, 0]) * FPS / pose.ground_speed
    return speed, np.ptp(head[:, 1:], axis=0) / body.hip[0, 2]


@pytest.mark.parametrize("gait", ["WALK", "RUN", "HOP"])
@pytest.mark.parametrize("name", BIRDS)
def test_digits_lie_still_until_they_roll_off_and_no_joint_bends_too_far(name, gait):
    body, pose = going(name, gait)
    assert np.ptp(pose.motions["pelvis"].position[:, 2]) < (0.3 if gait == "HOP" else 0.06) * body.hip[0, 2]
    for row, side in enumerate("LR"):
        joints = [pose.motions[f"{part}.{side}"].position for part in ("thigh", "shin", "foot", "toe")]
        rest = [points[row] for points in (body.hip, body.knee, body.ankle, body.toe_joint)]
        lengths = norms(np.diff(joints, axis=0)) - norms(np.diff(rest, axis=0))[:, None]
        assert np.abs(lengths).max() < 1e-6 * body.leg_length
        for above, at, below in (joints[:3], joints[1:]):
            bent = np.degrees(np.arccos(dot(normalized(above - at), normalized(below - at))))
            assert 25.0 < bent.min() < bent.max() < 176.0
        digits = pose.root.holding(pose.motions[f"toe.{side}"])
        tip, ball = digits.carry(body.toe[row]), digits.carry(body.ball[row])
        stands = pose.pivot[:, row] != SWING
        still = stands[1:] & stands[:-1]
        assert norms(np.diff(tip, axis=0))[still].max() < 5e-4 * body.leg_length
        assert min(tip[:, 2].min(), ball[:, 2].min()) > -1e-3 * body.leg_length
        share = np.mod(pose.phase[:, row], 1.0) / pose.duty[:, row]
        assert np.abs(ball[share < 0.75, 2]).max() < 1e-6


def test_a_walking_birds_head_is_still_then_thrust_on_and_level():
    speed, off = head_over_steps("hen", "WALK")
    assert 0.45 < np.mean(np.abs(speed) < 0.02) < 0.65 and speed.max() > 2.5 and off.max() < 0.01
    assert abs(speed.mean() - 1.0) < 0.12  # no whole number of steps
    assert np.ptp(head_over_steps("hen", "WALK", head_thrust=0.0)[0]) < 0.02
    assert np.ptp(head_over_steps("hen", "RUN")[0]) < 0.05
    for name in ("wren", "crane"):
        assert np.percentile(head_over_steps(name, "WALK")[0], 30) < 0.6


def test_both_feet_hop_at_once_and_leave_the_ground():
    _, pose = going("wren", "HOP")
    flies = pose.pivot == SWING
    assert (flies[:, 0] == flies[:, 1]).all() and 0.4 < flies.mean() < 0.7
