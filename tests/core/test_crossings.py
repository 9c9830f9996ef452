"""Walkers whose ways cross wait for one another: nobody walks through anybody."""

import numpy as np
import pytest

from neurarig_addon.core.crowd.crossings import Cleared, Marks, Passer, cleared
from neurarig_addon.core.crowd.meetings import CrowdWay, Others, meetings, nearest, waits
from neurarig_addon.core.gait.sliders.style import Clock
from neurarig_addon.core.gait.timing.course import extended, integral, progress
from neurarig_addon.core.gait.timing.speed import SpeedWish, scheduled
from neurarig_addon.core.path.curve import Curve

LEG, EVERY = 0.9, 0.1
SECONDS = EVERY * np.arange(900)


def passer(points: np.ndarray, speed: float = 1.3, start: float = 0.0, radius: float = 0.27) -> Passer:
    """Return a walker along a line, which stands at its start and at its end."""
    points = np.column_stack([points, np.zeros(len(points))])

    def again(marks: Marks = ()) -> CrowdWay:
        path = Curve.through(points, LEG, starts=True, marks=marks)
        seconds = np.array([0.0, 300.0])
        wish = SpeedWish(seconds, np.full(2, speed), integral(np.full(2, speed), seconds))
        course = progress(path, scheduled(path, wish, Clock(24.0, 0.0), LEG))
        distance = extended(SECONDS - start, course.seconds, course.distance)
        return CrowdWay(distance, path.at(distance).place[:, :2])

    return Passer(radius, again(), again, start)


def solved(passers: list[Passer]) -> Cleared:
    """Return the solution, however many steps it takes."""
    steps = cleared(passers, EVERY)
    while True:
        try:
            next(steps)
        except StopIteration as finished:
            return finished.value


def across(draw: np.random.Generator, side: float) -> np.ndarray:
    """Return a slightly bent line from one side of a square of 20 m to the other; `side` in radians."""
    out = 10.0 * np.array([np.cos(side), np.sin(side)])
    return np.array([out, draw.normal(0.0, 1.5, 2), -out]) + draw.normal(0.0, 0.3, (3, 2))


def crowd(seed: int, count: int = 11) -> list[Passer]:
    """Return walkers from all sides to the other side; with an odd number nobody ends where another
    begins."""
    draw = np.random.default_rng([7, seed])
    sides = 2.0 * np.pi * np.arange(count) / count
    return [
        passer(across(draw, side), draw.uniform(0.9, 1.6), draw.uniform(0.0, 3.0), draw.uniform(0.2, 0.35))
        for side in sides
    ]


@pytest.mark.few
@pytest.mark.parametrize("seed", range(3))
def test_no_two_discs_overlap_at_any_time_on_drawn_crossings(seed: int):
    passers = crowd(seed)
    radii = np.array([one.radius for one in passers])
    assert len(meetings([one.way for one in passers], radii)) > 5, "there is something to solve"
    found = solved(passers)
    assert not found.left
    assert nearest(found.ways, radii) >= 0.0
    fine = [
        np.array([np.interp(np.arange(0.0, 89.0, 0.02), SECONDS, axis) for axis in way.places.T]).T
        for way in found.ways
    ]
    for one in range(len(fine)):  # as anybody would look: all pairs, every 0.02 s
        apart = (
            np.linalg.norm(np.array(fine[one + 1 :]) - fine[one], axis=-1)
            if one + 1 < len(fine)
            else np.zeros((0, 1))
        )
        assert (apart.min(axis=-1) >= radii[one + 1 :] + radii[one]).all()
    for one, marks, way in zip(passers, found.marks, found.ways, strict=True):
        assert one.again is not None
        np.testing.assert_array_equal(one.again(marks).places, way.places)
    assert [found.marks, found.left] == [(again := solved(passers)).marks, again.left], "the same every time"


def test_who_meets_nobody_stays_as_it_is():
    aside = passer(np.array([[-5.0, 30.0], [5.0, 30.0]]))
    found = solved([*crowd(0), aside])
    assert found.marks[-1] == () and found.ways[-1] is aside.way
    apart = [
        passer(np.array([[0.0, 2.0 * row], [9.0, 2.0 * row + 0.5]]), 1.0 + 0.1 * row) for row in range(4)
    ]
    found = solved(apart)
    assert found.marks == [()] * 4 and all(way is one.way for way, one in zip(found.ways, apart, strict=True))


def test_who_comes_first_goes_first():
    early = passer(np.array([[-5.0, 0.0], [5.0, 0.0]]))
    late = passer(np.array([[0.0, -5.3], [0.0, 5.0]]))
    for order in ([early, late], [late, early]):
        found = solved(order)
        marks = dict(zip(map(id, order), found.marks, strict=True))
        assert not found.left and marks[id(early)] == () and marks[id(late)]


def test_a_faster_one_stays_behind_a_slower_one_on_the_same_line():
    slow, fast = (
        passer(np.array([[0.0, 0.0], [14.0, 0.0]]), 0.8),
        passer(np.array([[-4.0, 0.0], [12.5, 0.0]]), 1.6),
    )
    found = solved([fast, slow])
    assert not found.left and found.marks[1] == () and found.marks[0]
    assert (found.ways[1].places[:, 0] - found.ways[0].places[:, 0] >= 0.54).all()


def test_who_would_stand_in_the_way_lets_others_pass_first():
    ends_there = [passer(np.array([[x, -4.0], [x, 0.0]])) for x in (0.0, 2.0)]  # come first, and stay
    passes = passer(np.array([[-9.0, 0.0], [9.0, 0.0]]))
    found = solved([*ends_there, passes])
    assert not found.left and all(found.marks[:2]) and found.marks[2] == ()


@pytest.mark.parametrize("every", [EVERY, 0.2])
def test_a_wait_makes_a_walker_as_late_as_it_costs(every: float):
    """Of those after which it meets nobody, at any rate of the samples."""
    one, other = passer(np.array([[-5.0, 0.0], [5.0, 0.0]])), passer(np.array([[0.0, -5.3], [0.0, 5.0]]))
    rows = np.arange(0, len(SECONDS), round(every / EVERY))
    way = CrowdWay(other.way.distance[rows], other.way.places[rows])
    others = Others(one.way.places[None, rows], np.array([0.54]))
    row = others.met(way.places)
    assert row is not None and other.again is not None
    found = [wait for wait in waits(way, others, row, 0.0, every, 0.0) if wait.later == np.inf]
    assert {wait.mark.due is None for wait in found} == {False, True}
    for wait in found:
        before, after = (
            np.interp(7.0, led.distance, SECONDS) for led in (other.way, other.again((wait.mark,)))
        )
        # who stands brakes and gets going as well
        least, most = (wait.cost, 0.15) if wait.mark.due else (wait.mark.pause, 1.8)
        assert -0.01 < after - before - least < most


def test_two_that_meet_head_on_on_the_same_line_are_named_and_left():
    one, other = passer(np.array([[-5.0, 0.0], [5.0, 0.0]])), passer(np.array([[5.0, 0.1], [-5.0, 0.1]]))
    crossing = passer(np.array([[3.0, -5.0], [3.0, 5.0]]))
    found = solved([one, other, crossing])
    assert [(left.first, left.second, left.is_head_on) for left in found.left] == [(0, 1, True)]
    assert found.marks[:2] == [(), ()]


def test_who_cannot_wait_goes_on_and_others_wait():
    goes = passer(np.array([[0.0, -5.3], [0.0, 5.0]]))
    waits = passer(np.array([[-5.0, 0.0], [5.0, 0.0]]))
    found = solved([waits, Passer(goes.radius, goes.way)])
    assert not found.left and found.marks[0] and found.marks[1] == ()
