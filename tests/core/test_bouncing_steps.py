"""Skips, gallops and hops: prints that are edited, feet that never stand, key poses and phases."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.core.body.feet import SWING
from neurarig_addon.core.character.body import LEFT, RIGHT
from neurarig_addon.core.easing import cubic, spline_slopes
from neurarig_addon.core.gait.inputs.print_edits import PrintEdit, PrintEdits
from neurarig_addon.core.gait.kinds.bounce import STORE, Bounce, from_json
from neurarig_addon.core.gait.kinds.bouncing_gait import bouncing_gait
from neurarig_addon.core.gait.kinds.contacts import TURNS
from neurarig_addon.core.gait.kinds.gaits import bounce_of
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.prints.print_places import planned_steps, prints_at
from neurarig_addon.core.gait.prints.print_shapes import print_shapes
from neurarig_addon.core.gait.sliders.style import Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walked
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.ground.surface import LEVEL
from neurarig_addon.core.path.path import STRAIGHT
from tests.core.bounces import (
    BOUNCES,
    CLOCK,
    FINE,
    GALLOP,
    HOP_ON_BOTH,
    HOP_ON_ONE,
    NOTHING_M,
    SKIP,
    bounced,
    natural,
)
from tests.core.walk_measures import deepest, greatest_slip, named_poses
from tests.core.walkers import BODY, RUNNING


def cycles(pose: WalkPose, fps: float) -> float:
    return (len(pose.frames) - 1) / fps / float(pose.period[0])


def walker_of(bounce: Bounce, edits: PrintEdits | None = None) -> Walker:
    walker = Walker.of(
        BODY, StyleTrack(Style(speed=natural(bounce))), CLOCK, bouncing_gait(bounce), STRAIGHT, LEVEL
    )
    return walker if edits is None else replace(walker, edits=edits)


@pytest.mark.parametrize("name", ["skip", "gallop", "hop"])
def test_a_print_that_is_moved_takes_the_foot_along_and_nothing_beyond_its_neighbours(name):
    frames = np.arange(0.0, 240.0, 0.5)
    planned = walked(walker_of(BOUNCES[name]), frames)
    number = 3
    edits = PrintEdits((PrintEdit(LEFT, number, along=0.08, aside=0.05),))
    edited = walked(walker_of(BOUNCES[name], edits), frames)
    assert greatest_slip(BODY, edited) < NOTHING_M and deepest(BODY, edited) < NOTHING_M
    stood = (np.floor(planned.phase[:, LEFT]) == number) & (planned.pivot[:, LEFT] != SWING)
    moved = [pose.root.holding(pose.motions["foot.L"]).position[stood] for pose in (planned, edited)]
    assert_allclose((moved[1] - moved[0])[:, :2], np.broadcast_to([0.08, 0.05], (stood.sum(), 2)), atol=0.01)
    away = (planned.phase[:, LEFT] < number - 1.0) | (planned.phase[:, LEFT] > number + 1.0)
    feet = [pose.root.holding(pose.motions["foot.L"]).position[away] for pose in (planned, edited)]
    assert_allclose(*feet, atol=1e-8)


@pytest.mark.parametrize(
    "gait", [RUNNING, *(bouncing_gait(bounce) for bounce in BOUNCES.values())], ids=["run", *BOUNCES]
)
def test_prints_that_are_come_to_through_the_air_are_no_fault(gait):
    side = LEFT if gait.law.contacts.carried != LEFT else RIGHT

    def faults(along: float) -> set[str]:
        walker = Walker.of(
            BODY, StyleTrack(Style(speed=3.0 if gait is RUNNING else 1.5)), CLOCK, gait, STRAIGHT, LEVEL
        )
        walker = replace(
            walker, edits=PrintEdits((PrintEdit(side, 3, along=along), PrintEdit(side, 8, touch=0.02)))
        )
        return {words for words in print_shapes(walker, planned_steps(walker, 0, 12), 0, 12).reasons if words}

    assert not faults(0.03)
    assert any("step of" in words for words in faults(1.6))


def test_a_foot_that_never_stands_has_no_prints():
    walker = walker_of(HOP_ON_ONE)
    shapes = print_shapes(walker, planned_steps(walker, 0, 4), 0, 4)
    assert set(shapes.sides.tolist()) == {LEFT}
    assert [side for side, _ in prints_at(walker, 10.0)] == [LEFT]
    pose = bounced(HOP_ON_ONE, np.arange(0.0, 120.0))
    assert (pose.pivot[:, RIGHT] == SWING).all() and (pose.duty[:, RIGHT] == 0.0).all()
    assert pose.motions["foot.R"].position[:, 2].min() > BODY.ankle[RIGHT, 2] + 0.15


@pytest.mark.parametrize("longer", [1.0, 2.5, 4.0])
def test_a_foot_that_never_stands_is_off_the_ground_however_long_it_is(longer):
    feet = {name: getattr(BODY, name) * [longer, 1.0, 1.0] for name in ("heel", "ball", "toe", "toe_joint")}
    body = replace(BODY, **feet)
    pose = bounced(HOP_ON_ONE, np.arange(0.0, 120.0), body=body)
    tip = pose.motions["toe.R"]
    assert (tip.rotation @ (body.toe[RIGHT] - tip.rest) + tip.position)[:, 2].min() > body.toe[
        RIGHT, 2
    ] + 0.01
    assert deepest(body, pose) < NOTHING_M


def test_key_poses_of_a_skip_are_those_that_it_has():
    pose = bounced(SKIP, np.arange(0.0, 400.0), FINE)
    names = [name for name, _ in named_poses(pose)]
    first = names.index("R Up")
    once = ["L Contact", "L Down", "R Contact", "R Down", "R Passing", "R Up"]
    assert set(names) == {*once, "L Passing", "L Up"}
    assert names.count("L Up") + names.count("R Up") <= 1 + round(2.0 * cycles(pose, 240.0))
    height = pose.motions["pelvis"].position[:, 2]
    aloft = [frame for name, frame in named_poses(pose) if name.endswith("Up")]
    assert all(
        (pose.pivot[round(frame)] == SWING).all() and height[round(frame)] > height.max() - 0.005
        for frame in aloft
    )
    assert names[first - 1] != "L Up", "one flight has one highest moment"
    hops = {name for name, _ in named_poses(bounced(HOP_ON_ONE, np.arange(0.0, 400.0), FINE))}
    assert hops and all(name.startswith("L ") for name in hops)


def test_phases_count_contacts_and_back():
    contacts = SKIP.contacts
    at = np.linspace(-3.3, 4.7, 2001)
    assert_allclose(contacts.cycles(contacts.counted(at)), at, atol=1e-12)
    assert_allclose(
        contacts.counted(np.array([0.0, 0.68, 1.0, 1.68, -0.32])), [0.0, 1.0, 2.0, 3.0, -1.0], atol=1e-12
    )
    assert contacts.of_a_foot == 2 and not contacts.takes_turns and TURNS.takes_turns and TURNS.apart == 0.5
    assert_array_equal(contacts.which(np.array([[0, 1], [1, 2], [-1, -2]])), [[0, 3], [2, 1], [2, 1]])
    assert GALLOP.contacts.apart == pytest.approx(0.67)


def test_a_bounce_is_found_by_its_name():
    assert bounce_of("SKIP", "LEFT", "BOTH") is SKIP and bounce_of("RUN", "LEFT", "BOTH") is None
    assert bounce_of("GALLOP", "LEFT", "BOTH").mirrored and not bounce_of("GALLOP", "RIGHT", "BOTH").mirrored
    assert bounce_of("HOP", "RIGHT", "BOTH") is HOP_ON_BOTH
    assert [
        bouncing_gait(bounce_of("HOP", "LEFT", foot)).law.contacts.carried for foot in ("LEFT", "RIGHT")
    ] == [RIGHT, LEFT]


def test_a_bounce_moves_only_what_walks_move():
    with pytest.raises(ValueError, match="not a channel"):
        from_json(STORE.read_text(encoding="utf-8").replace('"chest.yaw"', '"tail.yaw"'))


def test_a_curve_goes_smoothly_through_its_knots():
    at, values = np.array([[0.0, 1.0], [0.3, -2.0], [0.6, 0.5], [1.0, 0.0]]).T
    slopes = spline_slopes(at, values, level=False)
    assert_allclose(cubic(at, values, slopes, at), values, atol=1e-12)
    bends = np.diff(cubic(at, values, slopes, np.linspace(0.0, 1.0, 20_001)), 2) / 5e-5**2
    assert np.abs(np.diff(bends)).max() < 0.5, "also its bend does not jump"
    assert abs(bends[0]) < 0.1 and abs(bends[-1]) < 0.1
