"""Swings over uneven ground are looked at together with the frames that ask for them: a frame alone is as
among others."""

import numpy as np
import pytest

from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walked
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.ground.surface import Ground, Surface
from neurarig_addon.core.human.adult import human_body
from neurarig_addon.core.path.curve import Curve
from neurarig_addon.core.path.path import in_order
from tests.core.walkers import WALKING


def ground(draw: np.random.Generator, steps: bool) -> Ground:
    """Return hills, or a flight of stairs, drawn at random."""
    high, wave, start = draw.uniform(0.03, 0.08), draw.uniform(0.8, 1.6), draw.uniform(2.0, 3.0)
    if steps:
        return Surface(lambda at: 0.15 * np.clip(np.floor((at[:, 0] - start) / 0.32) + 1.0, 0.0, 4.0))
    return Surface(lambda at: high * np.sin(wave * at[:, 0]) * np.cos(wave * at[:, 1]))


@pytest.mark.few(2)
@pytest.mark.parametrize("steps", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_a_frame_alone_is_as_among_others(steps: bool, seed: int) -> None:
    draw = np.random.default_rng(seed)
    body = human_body()
    line = np.array([[0.0, 0.0, 0.0], [3.0, 0.2, 0.0], [8.0, draw.uniform(-1.0, 1.0) * (not steps), 0.0]])
    path = Curve.through(line, body.leg_length, starts=True)
    who = Walker.of(
        body, StyleTrack(Style(speed=draw.uniform(0.8, 1.4))), Clock(), WALKING, path, ground(draw, steps)
    )
    frames = np.sort(draw.uniform(1.0, 150.0, 24))
    together = walked(who, frames)
    for row, frame in enumerate(frames):
        alone = walked(who, np.array([frame]))
        for role, motion in together.motions.items():
            np.testing.assert_allclose(
                alone.motions[role].rotation[0], motion.rotation[row], rtol=0.0, atol=1e-12, err_msg=role
            )
            np.testing.assert_allclose(
                alone.motions[role].position[0], motion.position[row], rtol=0.0, atol=1e-12, err_msg=role
            )


def test_knots_in_order_are_the_sorted_set() -> None:
    draw = np.random.default_rng(5)
    rising = np.sort(draw.integers(0, 50, 40).astype(float))
    others = draw.integers(-5, 60, 6).astype(float)
    np.testing.assert_array_equal(in_order(rising, others), np.unique(np.concatenate([rising, others])))
