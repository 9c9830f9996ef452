"""Motion that is told on every frame: the same as a roll-out, with feet that neither slip nor sink, and the
same every time."""

from functools import cache

import numpy as np
import pytest

from neurarig_addon.core.ikrig.decode import decode
from neurarig_addon.core.sequence.figure import figure
from neurarig_addon.core.sequence.footing import LevelGround
from neurarig_addon.core.sequence.lower_body import PLACE, feet_of, lower_body
from neurarig_addon.core.sequence.network import bundled
from neurarig_addon.core.sequence.roll_out import EVERY, roll_out
from neurarig_addon.core.sequence.rows import RATE, encoding_of, placed
from neurarig_addon.core.sequence.start import standing
from neurarig_addon.core.sequence.stream import FASTEST, Stream, StreamMoment, ToldCourse
from neurarig_addon.core.skeleton.roles import SIDES, sided

SECONDS = 20.0
SLIP_M, SUNK_M = 5e-4, 1e-3


def told(seconds: float) -> tuple[float, float]:
    """Return a speed in m/s and a turn in radians a second that change every three seconds: walks, stands,
    circles and runs."""
    draw = np.random.default_rng(int(seconds // 3.0))
    return float(draw.choice([0.0, 0.7, 1.2, 1.6, 2.2])), float(draw.choice([0.0, 0.0, 0.6, -1.0]))


@cache
def played(fps: float, seconds: float = SECONDS) -> list[StreamMoment]:
    stream = Stream()
    return [stream.advance(1.0 / fps, *told(frame / fps)) for frame in range(round(seconds * fps))]


@pytest.mark.few
@pytest.mark.parametrize("fps", [30.0, 60.0, 144.0])
def test_what_stands_does_not_slip_and_nothing_is_below_the_ground(fps):
    moments = played(fps)
    points = np.concatenate([figure().sole.points(feet_of(moment.footing.body.feet)) for moment in moments])
    planted = np.array([moment.footing.planted for moment in moments])
    for side, point in np.ndindex(2, 2):
        rows = np.flatnonzero(planted[:, side, point])
        for run in np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1):
            assert np.ptp(points[run, side, point], axis=0).max(initial=0.0) < SLIP_M
    assert points[..., 2].min() > -SUNK_M
    assert planted.any(axis=2).mean() > 0.25


def test_feet_are_in_reach_and_nothing_jumps():
    moments = played(RATE)
    body = figure().character.body
    hips, feet = (
        np.concatenate([getattr(moment.footing.body, name) for moment in moments])
        for name in ("hips", "feet")
    )
    assert np.linalg.norm(feet[..., PLACE] - hips, axis=-1).max() < body.leg_length
    assert np.linalg.norm(np.diff(feet[..., PLACE], axis=0), axis=-1).max() < 8.0 / RATE
    assert np.linalg.norm(np.diff(hips, axis=0), axis=-1).max() < 4.0 / RATE


def test_the_stream_is_a_roll_out_that_is_told_as_it_goes():
    start, network, stream, course = standing(), bundled(), Stream(), ToldCourse()

    def wishes(frame: int, place: np.ndarray):
        if frame:
            for _ in range(EVERY):
                course.go_on()
        course.tell(np.array([1.2, 0.0, 0.4]) / RATE)
        return course.wish(place)

    rows = roll_out(network, start.past, wishes, 90, start.walk)
    moments = [stream.frame(1.2, 0.4) for _ in range(90)]
    assert np.array_equal(np.concatenate([moment.row.poses for moment in moments]), rows.poses)
    assert np.concatenate([moment.place[None] for moment in moments]) == pytest.approx(
        placed(rows.steps), abs=1e-9
    )


def test_frames_of_any_rate_lie_on_the_same_motion():
    stream, fine = Stream(), Stream()
    frames = [stream.frame(1.2, 0.0) for _ in range(60)]
    between = [fine.advance(0.25 / RATE, 1.2, 0.0) for _ in range(244)]
    for number in range(60):
        assert between[4 * number + 7].footing.body.feet == pytest.approx(
            frames[number].footing.body.feet, abs=1e-9
        )
    whole = Stream().advance(61.0 / RATE, 1.2, 0.0)
    assert whole.root == pytest.approx(frames[-1].root, abs=1e-9)


@pytest.mark.few
@pytest.mark.parametrize(("speed", "turn"), [(1.2, 0.0), (1.2, 0.5), (1.8, 0.0)])
def test_it_goes_as_it_is_told_from_standing(speed, turn):
    stream = Stream()
    roots = np.array([stream.frame(speed, turn).root for _ in range(360)])
    assert np.linalg.norm(np.diff(roots[-120:, :2], axis=0), axis=1).mean() * RATE == pytest.approx(
        speed, rel=0.2
    )
    assert (roots[-1, 2] - roots[-121, 2]) * RATE / 120.0 == pytest.approx(turn, abs=0.15)


def test_a_course_follows_as_quickly_as_people_do():
    course, steps = ToldCourse(), []
    for told in ([0.6, -0.8, 0.0], [0.0, 0.0, 0.0]):
        course.tell(np.array(told) / RATE)
        for _ in range(60):
            course.go_on()
            steps.append(course.step * RATE)
        assert steps[-1] == pytest.approx(told)
    changes = np.linalg.norm(np.diff(steps, axis=0), axis=1) * RATE
    assert changes[:58].max() == pytest.approx(1.0) and changes[58:].max() == pytest.approx(1.7)
    assert course.place[:2] == pytest.approx(np.sum(steps, axis=0)[:2] / RATE)


def test_a_stream_goes_no_faster_than_people_can():
    stream = Stream()
    roots = np.array([stream.frame(50.0, 0.0).root for _ in range(150)])
    assert np.linalg.norm(np.diff(roots[-30:, :2], axis=0), axis=1).mean() * RATE == pytest.approx(
        FASTEST, rel=0.1
    )


def test_hips_and_feet_are_those_of_the_whole_body():
    rows = standing().walk
    places = placed(rows.steps)
    whole = decode(encoding_of(rows, np.zeros(2), 0.0, "walk"), figure().character)
    found = lower_body(rows, places)
    assert found.turn == pytest.approx(whole["pelvis"].rotation, abs=1e-9)
    feet = feet_of(found.feet)
    for row, side in enumerate(SIDES):
        foot = whole[sided("foot", side)]
        assert feet.turn[:, row] == pytest.approx(foot.rotation, abs=1e-9)
        assert feet.ankle[:, row] - found.pelvis == pytest.approx(
            foot.position - whole["pelvis"].position, abs=1e-9
        )


def test_the_whole_body_stands_on_these_feet():
    stream = Stream()
    for _ in range(40):
        moment = stream.frame(1.3, 0.2)
    motions, body = moment.motions(), figure().character.body
    feet = feet_of(moment.footing.body.feet)
    for row, side in enumerate(SIDES):
        assert motions[sided("foot", side)].position == pytest.approx(feet.ankle[:, row])
        assert motions[sided("shin", side)].carry(body.ankle[row]) == pytest.approx(
            feet.ankle[:, row], abs=1e-6
        )
        assert motions[sided("thigh", side)].carry(body.knee[row]) == pytest.approx(
            motions[sided("shin", side)].position, abs=1e-6
        )
        assert motions[sided("thigh", side)].position == pytest.approx(
            motions["pelvis"].carry(body.hip[row]), abs=1e-6
        )
    assert motions["head"].position[0, 2] > 1.2


def test_a_foot_that_cannot_be_reached_lets_go():
    rows = standing().past
    away = lower_body(rows, np.column_stack([0.03 * np.arange(len(rows)), np.zeros((len(rows), 2))]))
    footings = LevelGround().footings(away, np.ones((len(rows), 4)), len(rows))
    reach = [
        np.linalg.norm(footing.body.feet[0, :, PLACE] - footing.body.hips[0], axis=-1).max()
        for footing in footings
    ]
    assert max(reach) < figure().character.body.leg_length
    assert not all(footing.planted.any() for footing in footings)
