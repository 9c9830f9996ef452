"""Prints dragged to a place: the edits for it bring them there, by the shorter turn however often their path
has gone round."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.character.body import LEFT, RIGHT
from neurarig_addon.core.gait.inputs.print_edits import PrintEdit, PrintEdits
from neurarig_addon.core.gait.prints.print_places import edits_for, places_of
from neurarig_addon.core.geometry.rotation import about_z, from_euler
from neurarig_addon.core.ground.prints import Prints
from tests.core.edited_walks import walker
from tests.core.walk_paths import circle

KEYS = [(side, number) for number in (2, 9, 30) for side in (LEFT, RIGHT)]


def dragged(path, aside: np.ndarray, turn: np.ndarray):
    """Return a walker, its prints, where they are dragged to, and the edits for that."""
    who = walker(path=path)
    prints = places_of(who, KEYS)
    place, axes = (
        prints.place + aside,
        from_euler(prints.slope + 0.05, prints.heading + turn, prints.bank - 0.05),
    )
    return (
        who,
        prints,
        place,
        axes,
        edits_for(who, [PrintEdit(*key) for key in KEYS], place, axes, np.full(len(KEYS), False)),
    )


@pytest.mark.parametrize("radius", [0.7, 2.0])
def test_prints_are_where_they_were_dragged(radius: float):
    draw = np.random.default_rng(3)
    who, _, place, axes, edits = dragged(
        circle(radius), draw.uniform(-0.1, 0.1, (len(KEYS), 3)), draw.uniform(-0.3, 0.3, len(KEYS))
    )
    there = places_of(replace(who, edits=PrintEdits.of(edits)), KEYS)
    assert_allclose(there.place, place, atol=1e-9)
    assert_allclose(there.axes, axes, atol=1e-9)


def test_a_print_is_turned_the_shorter_way_round():
    turn = np.array([0.4, -0.4, 3.0, -3.0, 0.1, -0.1])
    _, prints, _, _, edits = dragged(circle(0.7), np.zeros((len(KEYS), 3)), turn)
    assert np.ptp(prints.heading) > 4.0 * np.pi, "headings go on round the circle"
    assert_allclose([edit.yaw for edit in edits], turn, atol=1e-9)


def test_a_print_that_is_turned_within_its_plane_keeps_the_rounds_of_its_heading():
    heading, angle = np.array([0.2, 3.1, -3.1, 7.0, 40.0]), np.array([0.3, 0.3, -0.3, -0.5, 1.0])
    prints = Prints(np.zeros((5, 3)), heading, np.zeros(5), np.zeros(5))
    about = np.tile([0.1, 0.02, 0.0], (5, 1))
    turned = prints.turned(about, angle)
    assert_allclose(turned.heading, heading + angle, atol=1e-9)
    # The point about which it turns stays.
    still, now = ((axes.axes @ about[..., None])[..., 0] + axes.place for axes in (prints, turned))
    assert_allclose(now, still, atol=1e-9)
    assert_allclose(turned.axes, prints.axes @ about_z(angle), atol=1e-9)
