"""Ways of a body's middle: through their knots, smooth, and gentler upward than quintics are."""

import numpy as np
import pytest

from neurarig_addon.core.acts.gentle import Gentle, Knot, Quintics

KNOTS = (
    Knot(0.0, np.array([0.0, 0.1, 0.9]), np.array([1.3, 0.0, -0.4]), np.array([0.5, 0.2, -3.0])),
    Knot(0.3, np.array([0.5, 0.1, 0.85]), np.array([1.8, 0.1, 0.1]), np.array([0.0, 0.0, 6.0])),
    Knot(0.5, np.array([1.0, 0.1, 1.0]), np.array([2.6, 0.0, 1.9]), np.array([0.0, 0.0, -9.81])),
)


def rates(way: Gentle | Quintics, at: np.ndarray, step: float = 1e-4) -> tuple[np.ndarray, np.ndarray]:
    """Return velocities and accelerations `(f, 3)`."""
    before, now, after = way(at - step), way(at), way(at + step)
    return (after - before) / (2.0 * step), (after - 2.0 * now + before) / step**2


def test_a_way_goes_through_its_knots_as_they_say() -> None:
    way = Gentle(KNOTS)
    assert np.allclose(way(np.array([knot.at for knot in KNOTS])), [knot.place for knot in KNOTS], atol=1e-9)
    rate, bend = rates(way, np.array([KNOTS[1].at]))
    assert np.allclose(rate, KNOTS[1].rate, atol=1e-2) and np.allclose(bend, KNOTS[1].bend, atol=0.2)


def test_a_way_is_smooth() -> None:
    at = np.linspace(0.001, 0.499, 3000)
    rate, bend = rates(Gentle(KNOTS), at)
    assert np.abs(np.diff(rate, axis=0)).max() < 0.02 and np.abs(np.diff(bend, axis=0)).max() < 1.0


@pytest.mark.parametrize("up", [0.5, 1.0, 2.0])
def test_a_way_upward_is_gentler_than_a_quintic(up: float) -> None:
    still = np.zeros(3)
    knots = (
        Knot(0.0, still, np.array([0.0, 0.0, -1.5]), still),
        Knot(0.25, np.array([0.0, 0.0, 0.02]), np.array([0.0, 0.0, up]), still),
    )
    at = np.linspace(0.002, 0.248, 400)
    gentle, quintic = (rates(way, at)[1][:, 2].max() for way in (Gentle(knots), Quintics(knots)))
    assert (up + 1.5) / 0.25 < gentle < 0.9 * quintic
