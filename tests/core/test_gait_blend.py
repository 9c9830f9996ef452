"""Gaits as values: what is blended is linear in curves and laws, and planted."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.character.body import LEFT, RIGHT
from neurarig_addon.core.contract.inputs import slow_inputs
from neurarig_addon.core.gait.kinds.gait import PLAIN, Gait
from neurarig_addon.core.gait.kinds.profile_gait import ProfileGait
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.logic.profile import FOLDER, Profile
from tests.core.blended_gait import blended
from tests.core.walk_measures import deepest, greatest_reach, greatest_slip
from tests.core.walk_styles import WALKS
from tests.core.walkers import BODY, WALKING

FRAMES = np.arange(0.0, 61.0, 0.25)
STRUT = Gait(*[ProfileGait(Profile.load(sorted(FOLDER.glob("*.json"))[1]), PLAIN.shapes)] * 2)
SLOW = slow_inputs(BODY, np.array([0.5, 1.3]), np.full(2, 0.08))


@pytest.mark.parametrize("name", ["speed 1.3", "stop and go", "asymmetry 1.0", "speed 0.4"])
@pytest.mark.parametrize(
    "parts",
    [
        [(WALKING, 0.6), (PLAIN, 0.4)],
        [(WALKING, 1.0), (STRUT, 2.0)],
        [(PLAIN, 1.0), (WALKING, 1.0), (STRUT, 1.0)],
    ],
)
def test_what_is_blended_is_planted(parts, name):
    pose = walk(BODY, WALKS[name], Clock(), FRAMES, blended(parts))
    assert greatest_slip(BODY, pose) < 1e-9
    assert deepest(BODY, pose) < 1e-9
    assert greatest_reach(BODY, pose) <= 0.999


def test_a_gait_alone_is_itself():
    assert blended([(WALKING, 3.0), (PLAIN, 0.0)]) is WALKING


def test_blends_are_linear():
    """In stride and duty factor, and in curves where these are the same."""
    blend = blended([(WALKING, 0.25), (STRUT, 0.75)])
    for figure in ("stride", "lead"):
        own, other, both = (getattr(gait.law, figure)(SLOW) for gait in (WALKING, STRUT, blend))
        assert_allclose(both, 0.25 * own + 0.75 * other, atol=1e-12)
    for side in (0, 1):
        own, other, both = (gait.law.duty(SLOW, side) for gait in (WALKING, STRUT, blend))
        assert_allclose(both, 0.25 * own + 0.75 * other, atol=1e-12)
    phase = np.linspace(0.0, 1.0, 2)
    own, other, both = (
        gait.shapes.sample(SLOW, phase, phase + 0.5)
        for gait in (WALKING, PLAIN, blended([(WALKING, 1.0), (PLAIN, 3.0)]))
    )
    assert_allclose(both, 0.25 * own + 0.75 * other, atol=1e-12)


def test_every_gait_of_a_blend_lifts_and_lands_when_the_blend_does():
    """Curves of another duty factor are asked where they are as far into stance or swing."""

    class Seen:
        def __init__(self, gait: Gait) -> None:
            self.gait, self.phases = gait, []

        def sample(self, slow, phase_right, phase_left):
            self.phases.append((phase_left, phase_right))
            return self.gait.shapes.sample(slow, phase_right, phase_left)

    class Limping(type(WALKING.law)):
        def duty(self, slow, side):
            return super().duty(slow, side) + (0.04 if side == LEFT else -0.02)

    for law in (WALKING.law, Limping(**vars(WALKING.law))):
        seen = Seen(WALKING)
        blend = blended([(Gait(seen, law), 0.5), (STRUT, 0.5)])
        (duty, own), (right, own_right) = (
            (blend.law.duty(SLOW, side), law.duty(SLOW, side)) for side in (LEFT, RIGHT)
        )
        assert (np.abs(duty - own) > 0.003).all(), "else this shows nothing"
        blend.shapes.sample(SLOW, right, duty)
        assert_allclose(seen.phases[-1], (own, own_right), atol=1e-12)


@pytest.mark.parametrize("planted", [True, False])
def test_feet_are_planted_where_any_part_plants_them(planted):
    free = Gait(STRUT.shapes, STRUT.law, planted=False)
    assert blended([(free, 1.0), (Gait(WALKING.shapes, planted=planted), 1.0)]).planted == planted


def test_a_blend_walks_between_its_parts():
    steady = StyleTrack(Style(speed=1.2))
    poses = [
        walk(BODY, steady, Clock(whole_frames=False), FRAMES, gait)
        for gait in (WALKING, blended([(WALKING, 1.0), (STRUT, 1.0)]), STRUT)
    ]
    strides = [pose.stride[0] for pose in poses]
    assert min(strides[0], strides[2]) < strides[1] < max(strides[0], strides[2])
