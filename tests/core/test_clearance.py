"""How swinging feet are kept off the floor: a smooth lift for each swing, drawn at random."""

import numpy as np
import pytest

from neurarig_addon.core.ground.lifts import (
    CLEARANCE,
    FLOOR_NARROW,
    HEEL_LANDS,
    clearance_lift,
    lift_at,
    lift_knots,
    over_ground,
)

LEG, LOOKS, FINE = 0.9, np.linspace(0.0, 1.0, 21), np.linspace(0.0, 1.0, 2001)


def heights_of(seed: int, share: np.ndarray) -> np.ndarray:
    """Return the heights in metres `(n, 3)` of three points that dip to the floor in mid swing or just before
    it lands."""
    random = np.random.default_rng(seed)
    middle, width, depth = (
        random.uniform(0.2, 0.7, 3),
        random.uniform(0.1, 0.3, 3),
        random.uniform(0.0, 0.06, 3),
    )
    arc = 0.05 * (4.0 * share * (1.0 - share)) ** 2
    return (
        arc[:, None]
        - depth
        * np.exp(-(((share[:, None] - middle) / width) ** 2))
        * (4.0 * share * (1.0 - share))[:, None] ** 2
    )


def lift_of(seed: int, wish: float = 1.0) -> np.ndarray:
    """Return the lift in metres `(n,)` of a drawn swing at FINE."""
    knots = lift_knots(LOOKS, heights_of(seed, LOOKS)[None], LEG, np.full((1, len(LOOKS)), wish), 0.5)
    return lift_at(np.broadcast_to(knots, (len(FINE), knots.shape[-1])), FINE)


def as_asked(heights: np.ndarray) -> np.ndarray:
    """Return the heights `(n, 3)` at FINE without those of a heel that lands."""
    return np.where((FINE[:, None] > HEEL_LANDS) & np.array([True, False, False]), np.inf, heights)


@pytest.mark.parametrize("seed", range(20))
def test_a_lift_is_nearly_what_lacks_and_level_at_both_ends(seed):
    lift, lacking = (
        lift_of(seed),
        over_ground(FINE, as_asked(heights_of(seed, FINE)), LEG, np.ones(len(FINE)), FLOOR_NARROW),
    )
    inner = (FINE > 0.2) & (FINE < 0.65)  # nearer to the ends it fades
    assert (lift[inner] > 0.8 * lacking[inner] - 1e-3).all()
    assert lift.max() < lacking.max() + 1e-4 and lift.min() >= 0.0
    assert (
        lift[0] == 0.0
        and lift[-1] < 1e-12
        and abs(lift[1] - lift[0]) < 1e-9
        and abs(lift[-2] - lift[-1]) < 1e-9
    )


@pytest.mark.parametrize("seed", range(20))
def test_a_lift_has_no_corner(seed):
    """Its curvature changes by no more than a cubic's between two knots, 0.005 of a swing apart."""
    lift = lift_of(seed)
    bends = np.diff(lift, 2) / np.diff(FINE)[0] ** 2
    assert np.abs(np.diff(bends)).max() < 0.02 * 6.0 * 1e3 * max(lift.max(), 1e-6)


def test_who_wishes_for_less_clearance_is_lifted_less():
    assert all((lift_of(seed, 0.4) <= lift_of(seed) + 1e-12).all() for seed in range(10))
    assert lift_of(3, 0.0).max() < lift_of(3).max()


def test_feet_well_off_the_floor_are_not_lifted():
    knots = lift_knots(
        LOOKS, np.full((1, len(LOOKS), 3), CLEARANCE * LEG), LEG, np.ones((1, len(LOOKS))), 0.5
    )
    assert (knots == 0.0).all()


def test_what_is_still_in_the_ground_is_raised_out_of_it():
    heights = np.array([[-0.01, 0.02, 0.05], [0.03, -0.02, -0.02], [0.04, 0.05, 0.06]])
    raised = clearance_lift(np.full(3, 0.5), heights, LEG)
    assert (heights.min(axis=-1) + raised >= 0.0).all() and raised[2] == 0.0
