"""Hips of bodies with other feet than an adult's: as low as the legs need, and no lower."""

from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.body.sole import Sole
from neurarig_addon.core.character.body import Body
from neurarig_addon.core.gait.inputs.proportions import foot_build
from neurarig_addon.core.gait.kinds.gait import Gait
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.human.adult import pair
from neurarig_addon.core.human.gait_network import BUNDLED, GaitNetwork
from tests.core.walkers import BODY

FPS = 60.0
VHATS = (0.3, 0.42, 0.52)  # dimensionless speed
# An adult's knee at contact is bent by 8 to 11 degrees, and by 8 to 12 at its straightest while the foot is
# flat.
MOST_BENT_AT_CONTACT, MOST_BENT_FLAT = 28.0, 25.0  # degrees


def with_feet(ankle_m: float, heel_m: float, ball_m: float) -> Body:
    """Return the adult, whose ankles are at `ankle_m` above the sole, its heels and balls so far behind and
    ahead of them."""
    body = BODY
    aside = body.hip[0, 1]
    lowered = np.array([0.0, 0.0, body.ankle[0, 2] - ankle_m])  # the legs stay as long
    points = {
        name: getattr(body, name) - lowered
        for name in ("pelvis", "hip", "knee", "ankle", "shoulder", "elbow", "wrist", "spine", "neck", "head")
    }
    feet = {
        "heel": pair(-heel_m, aside, 0.0),
        "ball": pair(ball_m, aside, 0.0),
        "toe": pair(ball_m + 0.065, aside, 0.0),
        "toe_joint": pair(ball_m, aside, 0.0),
    }
    return replace(body, **points, **feet)


def knees(body: Body, vhat: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the left knee's bend in degrees over a cycle that begins at contact `(100,)`, and the phase of
    each frame."""
    track, clock = StyleTrack(Style(speed=vhat * np.sqrt(9.81 * body.leg_length))), Clock(fps=FPS, start=0.0)
    gait = Gait(GaitNetwork.load(BUNDLED))
    cycle = float(walk(body, track, clock, np.zeros(1), gait).period[0]) * FPS
    pose = walk(body, track, clock, np.linspace(0.0, cycle, 100, endpoint=False), gait)
    thigh = pose.motions["thigh.L"].rotation @ (body.knee - body.hip)[0]
    shin = pose.motions["shin.L"].rotation @ (body.ankle - body.knee)[0]
    cos = np.einsum("fi,fi->f", thigh, shin) / np.linalg.norm(thigh, axis=1) / np.linalg.norm(shin, axis=1)
    return np.degrees(np.arccos(np.clip(cos, -1.0, 1.0))), pose.phase[:, 0] % 1.0


@pytest.mark.parametrize("vhat", VHATS)
@pytest.mark.parametrize(
    ("ankle", "heel", "ball"),
    [(0.058, 0.026, 0.094), (0.05, 0.04, 0.1), (0.06, 0.03, 0.09), (0.08, 0.06, 0.125)],
)
def test_short_low_feet_do_not_crouch(vhat: float, ankle: float, heel: float, ball: float) -> None:
    bend, phase = knees(with_feet(ankle, heel, ball), vhat)
    contact = bend[np.argmin(np.minimum(phase, 1.0 - phase))]
    flat = bend[(phase > 0.2) & (phase < 0.4)].min()
    assert contact < MOST_BENT_AT_CONTACT and flat < MOST_BENT_FLAT


@pytest.mark.parametrize("vhat", VHATS)
@pytest.mark.parametrize(
    ("ankle", "heel", "ball"), [(0.058, 0.026, 0.094), (0.05, 0.04, 0.1), (0.06, 0.03, 0.07)]
)
def test_legs_on_short_low_feet_are_not_stretched_out(
    vhat: float, ankle: float, heel: float, ball: float
) -> None:
    bend, phase = knees(with_feet(ankle, heel, ball), vhat)
    leaves = bend[(phase > 0.55) & (phase < 0.62)].min()
    assert bend.min() > 7.0 and leaves > 8.5


@pytest.mark.parametrize("vhat", VHATS)
@pytest.mark.parametrize(
    ("ankle", "heel", "ball"), [(0.08, 0.05, 0.165), (0.06, 0.03, 0.16), (0.1, 0.07, 0.18)]
)
def test_the_leg_behind_is_as_straight_on_long_feet(
    vhat: float, ankle: float, heel: float, ball: float
) -> None:
    bend, phase = knees(with_feet(ankle, heel, ball), vhat)
    own, at = knees(BODY, vhat)
    behind, adult = (knee[(where > 0.42) & (where < 0.5)].max() for knee, where in ((bend, phase), (own, at)))
    assert behind < adult + 6.0


def test_an_adult_carries_its_hips_where_they_were_recorded() -> None:
    body = BODY
    assert foot_build(body, Sole.of(body)).ahead == pytest.approx(0.0, abs=1e-4)
