"""The curve on which a pelvis gives way: never too little, smooth, of the time alone."""

import numpy as np

from neurarig_addon.core.gait.body.pelvis import giving_way

LEG, BUMP_S, HIGH = 0.845, 0.2, 0.05
SECONDS = np.arange(-1.0, 3.0, 1e-3)


def bump(seconds: np.ndarray) -> np.ndarray:
    """Return a short pull."""
    share = (seconds - 1.0) / BUMP_S
    return HIGH * np.maximum(1.0 - share * share, 0.0) ** 2


def test_it_is_nowhere_less_than_what_is_asked_and_gone_soon_before_and_after():
    given = giving_way(SECONDS, LEG, bump)
    assert (given >= bump(SECONDS) - 0.01 * HIGH).all() and given.max() < 1.01 * HIGH
    far = np.abs(SECONDS - 1.0) > BUMP_S + 0.4
    assert not given[far].any() and (given[np.abs(SECONDS - 1.0) < BUMP_S] > 0.0).all()


def test_it_is_smooth_however_sudden_the_pull():
    rate = np.diff(giving_way(SECONDS, LEG, lambda seconds: np.where(np.abs(seconds - 1.0) < BUMP_S, HIGH, 0.0))) / 1e-3
    assert np.abs(rate).max() < 0.5 and np.abs(np.diff(rate)).max() / 1e-3 < 12.0


def test_it_is_none_where_nobody_may_have_a_say():
    """Beside times at which there must be no difference it is 0, however much is asked right after."""
    given = giving_way(SECONDS, LEG, lambda seconds: np.where(seconds < 1.0, np.nan, HIGH))
    assert not given[SECONDS < 1.0].any() and np.abs(np.diff(given)).max() < 1e-3
    assert np.allclose(given[SECONDS > 1.7], HIGH)


def test_a_time_alone_is_as_among_others_and_longer_legs_take_longer():
    given = giving_way(SECONDS, LEG, bump)
    for row in (1700, 2001, 2222):
        assert giving_way(SECONDS[row : row + 1], LEG, bump)[0] == given[row]
    assert (giving_way(SECONDS, 4.0 * LEG, bump) > 0.0).sum() > 1.3 * (given > 0.0).sum()
