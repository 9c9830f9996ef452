"""Seats as they are seen from above: where one sits, which way they face, and where their arms are."""

from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.acts.seat import CELLS, Seat
from neurarig_addon.core.body.skin import seat_behind
from neurarig_addon.core.geometry.rotation import about_z
from tests.core.walkers import BODY

LEG = 0.85
PLACE = np.array([2.0, -1.0])

# Parts of a thing seen from above, as it faces along x: from, to, height.
Parts = list[tuple[tuple[float, float], tuple[float, float], float]]
STOOL: Parts = [((-0.2, -0.2), (0.2, 0.2), 0.45)]
CHAIR: Parts = [*STOOL, ((-0.22, -0.2), (-0.18, 0.2), 0.9)]
ARMS: Parts = [((-0.2, 0.22), (0.2, 0.3), 0.65), ((-0.2, -0.3), (0.2, -0.22), 0.65)]
SOFA: Parts = [((-0.5, -1.0), (0.5, 1.0), 0.4), ((-0.5, -1.0), (-0.3, 1.0), 0.8)]


def seen(parts: Parts, faces: float = 0.0) -> Seat:
    """Return the seat that a thing is, which faces so many radians."""
    across = 2.4 * ((np.arange(CELLS * 2) + 0.5) / (2 * CELLS) - 0.5)
    flat = np.stack(np.meshgrid(across, across), axis=-1).reshape(-1, 2)
    own = np.column_stack([flat, np.zeros(len(flat))]) @ about_z(np.array(faces))
    height = np.full(len(flat), -np.inf)
    for low, high, up in parts:
        inside = np.all((own[:, :2] >= low) & (own[:, :2] <= high), axis=1)
        height[inside] = np.maximum(height[inside], up)
    return Seat.of(np.column_stack([flat + PLACE, height]), LEG, 0.0)


def test_a_stool_faces_nowhere_and_has_no_arms() -> None:
    seat = seen(STOOL)
    assert (
        np.allclose(seat.top, [*PLACE, 0.45], atol=0.02) and seat.front is None and seat.rests == (None, None)
    )


@pytest.mark.parametrize("faces", [0.0, 0.7, 2.0, -2.5])
def test_a_chair_faces_away_from_its_back_and_one_sits_below_it(faces: float) -> None:
    seat = seen([*CHAIR, *ARMS], faces)
    assert abs(seat.top[2] - 0.45) < 1e-9 and np.linalg.norm(seat.top[:2] - PLACE) < 0.05
    assert seat.front is not None and abs(np.angle(np.exp(1j * (seat.front - faces)))) < np.radians(10.0)
    for rest, side in zip(seat.rests, (1.0, -1.0), strict=True):
        assert rest is not None
        ahead, aside, up = (rest - [*PLACE, 0.0]) @ about_z(np.array(faces))
        assert 0.0 < ahead < 0.25 and abs(aside - 0.26 * side) < 0.05 and 0.65 < up < 0.75


def test_one_arm_is_one_rest() -> None:
    left, right = seen([*CHAIR, ARMS[0]]).rests
    assert left is not None and right is None


def test_on_a_deep_seat_one_sits_near_its_edge() -> None:
    sofa = seen(SOFA)
    assert sofa.front is not None and abs(sofa.front) < 0.05
    for aside in (0.0, 0.5, -2.0):
        place = sofa.towards(0.0, PLACE + [1.0, aside], LEG)
        assert abs(place[0] - (PLACE[0] + 0.5 - 0.2 * LEG)) < 0.05
        # where one comes, and not on its side
        assert abs(place[1] - PLACE[1] - np.clip(aside, -0.75, 0.75)) < 0.05
    stools = [
        seen([((-0.2, -0.2), (0.2, 0.2), up)]).towards(0.0, PLACE + [1.0, 0.1], LEG) for up in (0.4, 0.56)
    ]
    assert np.allclose(stools, [[*PLACE, 0.4], [PLACE[0] + 0.13, PLACE[1], 0.56]], atol=0.03)


def test_places_before_a_seat_are_on_a_line_as_wide_as_one_can_sit() -> None:
    off = seen(SOFA).before(PLACE + np.array([[0.8, 0.0], [0.8, 0.7], [0.8, 1.75], [-0.8, 0.0]]), 0.8, LEG)
    assert np.allclose(off, [0.0, 0.0, 1.0, 1.6], atol=0.06)


def test_thick_calves_stay_off_a_seat() -> None:
    thick = np.tile(BODY.heel[0] - [0.1, 0.0, 0.0], (4, 1))
    farther = seat_behind(replace(BODY, skin={"shin.L": thick})) - seat_behind(BODY)
    assert farther == pytest.approx(0.1)
