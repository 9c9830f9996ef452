"""Motions that are led: what is wished along a line, to a place and after one that moves, and that the
network goes there."""

from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.ikrig.encoding import Encoding
from neurarig_addon.core.ikrig.resample import resample
from neurarig_addon.core.path.curve import Curve
from neurarig_addon.core.sequence.continuation import Continuation, continued
from neurarig_addon.core.sequence.figure import LEG, figure
from neurarig_addon.core.sequence.network import AHEAD
from neurarig_addon.core.sequence.roll_out import EVERY
from neurarig_addon.core.sequence.route import CurveRoute, Led, LineRoute, PlaceRoute
from neurarig_addon.core.sequence.rows import RATE, Rows, rows_of, turned
from tests.refusals import refuses

from . import retarget_bodies as made

SPEED = 1.28  # metres a second of the walk
S_BEND = np.column_stack([np.linspace(0.0, 12.0, 60), np.sin(2.0 * np.pi * np.linspace(0.0, 12.0, 60) / 8.0)])
S_BEND[:, 1] *= 1.0 - np.exp(-S_BEND[:, 0] / 1.5)


@pytest.fixture(scope="module")
def walk() -> Encoding:
    """Return five seconds of our own walk of a made-up human, with contacts."""
    return resample(made.encoded_walk(5.0), RATE)


@pytest.fixture(scope="module")
def past(walk) -> Rows:
    return rows_of(walk)


def body_that_obeys(led: Led, seconds: float) -> np.ndarray:
    """Return where a body `(n, 3)` is every EVERY frames that goes straight to what is wished of it, as far
    as it gets by then."""
    places = [np.zeros(3)]
    for frame in range(0, round(seconds * RATE), EVERY):
        place = places[-1]
        wish = led(frame, place)
        part = EVERY / AHEAD
        places.append(place + np.array([*turned(wish.place * part, place[2]), wish.turn * part]))
    return np.array(places)


def way_of(clip: Encoding, longer: Encoding) -> np.ndarray:
    """Return where a continued walk goes `(n, 2)` in metres of the figure, on the axes of its ground, from
    where the clip ended."""
    return (longer.ground[len(clip) :] - clip.ground[-1]) * figure().hips_height


def on_ground(clip: Encoding, points: np.ndarray) -> np.ndarray:
    """Return points `(n, 2)`, in metres of the figure from where a clip ends, on its ground."""
    return clip.ground[-1] + np.atleast_2d(points) / figure().hips_height


@pytest.mark.parametrize("place", [(5.0, 0.0), (4.0, 3.0), (-4.0, 1.0), (0.0, -3.0)])
def test_a_body_that_obeys_arrives_turns_as_people_can_and_stays(past, place):
    way = body_that_obeys(Led(PlaceRoute(np.array([place])), past, 1.0), 15.0)
    off = np.linalg.norm(way[:, :2] - place, axis=1)
    assert off[-1] < 0.3 and np.ptp(way[-10:], axis=0).max() < 1e-3, "it stands there"
    assert np.degrees(np.abs(np.diff(way[:, 2])).max()) * RATE / EVERY < 95.0
    speed = np.linalg.norm(np.diff(way[:, :2], axis=0), axis=1) * RATE / EVERY
    assert speed.max() < 1.1 * SPEED
    assert -np.diff(speed).min() * RATE / EVERY < 2.0, "it brakes no harder than in two steps"


def test_a_line_is_walked_to_its_end_and_a_closed_one_round_and_round(past):
    goal = CurveRoute(Curve.through(np.column_stack([S_BEND, np.zeros(60)]), LEG))
    way = body_that_obeys(Led(goal, past, 1.0), 20.0)
    assert deviation(way[:, :2], S_BEND) < 0.3 and np.linalg.norm(way[-1, :2] - S_BEND[-1]) < 0.3
    angle = np.linspace(0.0, 2.0 * np.pi, 40, endpoint=False)
    circle = np.column_stack([2.0 * np.sin(angle), 2.0 - 2.0 * np.cos(angle), 0.0 * angle])
    way = body_that_obeys(Led(CurveRoute(Curve.through(circle, LEG, is_closed=True)), past, 1.0), 30.0)
    assert (
        np.abs(np.linalg.norm(way[:, :2] - [0.0, 2.0], axis=1) - 2.0).max() < 0.3 and way[-1, 2] > 4.0 * np.pi
    )


def deviation(way: np.ndarray, line: np.ndarray) -> float:
    """Return how far a way is from a line at most."""
    fine = np.linspace(0.0, len(line) - 1.0, 2000)
    dense = np.column_stack([np.interp(fine, np.arange(len(line)), column) for column in line.T])
    return float(np.min(np.linalg.norm(way[:, None] - dense, axis=2), axis=1).max())


def test_what_moves_is_followed_no_faster_than_told_and_nothing_is_known_before(past):
    frames = np.arange(900)
    moving = np.column_stack([3.0 + np.clip(frames / RATE - 5.0, 0.0, 10.0) * 0.8, 0.0 * frames])
    way = body_that_obeys(Led(PlaceRoute(moving), past, 1.0), 30.0)
    still = body_that_obeys(Led(PlaceRoute(moving[:1]), past, 1.0), 30.0)
    asked = 150 // EVERY
    assert np.array_equal(way[: asked + 1], still[: asked + 1]) and not np.allclose(way[-1], still[-1])
    assert np.linalg.norm(way[-1, :2] - moving[-1]) < 0.3
    fleeing = Led(PlaceRoute(np.column_stack([3.0 * frames / RATE, 0.0 * frames])), past, 0.5)
    assert body_that_obeys(fleeing, 20.0)[-1, 0] < 0.5 * SPEED * 20.0 * 1.05


def test_it_goes_when_told_and_not_before(past):
    told = np.where(np.arange(600) < 300, 0.0, 1.0)
    way = body_that_obeys(Led(PlaceRoute(np.array([(8.0, 2.0)])), past, told), 20.0)
    assert np.ptp(way[25 : 300 // EVERY + 1], axis=0).max() < 1e-3
    assert np.linalg.norm(way[-1, :2] - [8.0, 2.0]) < 0.3


def test_who_stands_gets_going_and_who_walks_backwards_is_led_backwards(past):
    still = replace(past, steps=0.0 * past.steps)
    way = body_that_obeys(Led(PlaceRoute(np.array([(4.0, 0.0)])), still, 1.0), 10.0)
    assert np.linalg.norm(way[-1, :2] - [4.0, 0.0]) < 0.3
    back = replace(past, steps=past.steps * [-1.0, 1.0, 1.0])
    way = body_that_obeys(Led(PlaceRoute(np.array([(-4.0, 0.0)])), back, 1.0), 10.0)
    assert np.linalg.norm(way[-1, :2] - [-4.0, 0.0]) < 0.3 and abs(way[-1, 2]) < 0.3


@pytest.mark.parametrize("place", [(4.0, 0.0), (6.0, 3.0), (3.0, -3.0), (-4.0, 0.0)])
def test_the_network_goes_to_a_place(walk, place):
    longer = continued(walk, Continuation(12.0, to=PlaceRoute(on_ground(walk, place))))
    assert np.linalg.norm(way_of(walk, longer) - place, axis=1).min() < 0.3


def test_the_network_keeps_to_a_line(walk):
    longer = continued(walk, Continuation(20.0, to=LineRoute(on_ground(walk, S_BEND))))
    way = way_of(walk, longer)
    arrived = int(np.argmax(np.linalg.norm(way - S_BEND[-1], axis=1) < 0.3))
    assert arrived > 0 and deviation(way[:arrived], S_BEND) < 0.3


def test_a_clip_in_metres_goes_to_the_same_place(walk):
    bare = replace(walk, measures=None)
    metres = replace(bare, ground=bare.ground * figure().hips_height, normalised=False)
    there = PlaceRoute(on_ground(walk, (4.0, 2.0)))
    one = continued(bare, Continuation(6.0, to=there))
    other = continued(metres, Continuation(6.0, to=PlaceRoute(there.places * figure().hips_height)))
    assert np.abs(one.ground * figure().hips_height - other.ground).max() < 1e-6


def test_a_line_that_cannot_be_walked_is_refused_by_name(walk):
    with refuses(r"'Way': The path is .* long, shorter than a step"):
        continued(
            walk,
            Continuation(4.0, to=LineRoute(on_ground(walk, np.array([[0.0, 0.0], [0.1, 0.0]])), name="Way")),
        )
