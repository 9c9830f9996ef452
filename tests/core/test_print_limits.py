"""Edited footprints: what a leg cannot do is reported, files bring them back, and others find them."""

from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.body.feet import SWING
from neurarig_addon.core.character.body import LEFT, RIGHT
from neurarig_addon.core.gait.inputs.print_edits import NO_EDITS, PrintEdit, PrintEdits
from neurarig_addon.core.gait.prints.follow import frames_in_hand
from neurarig_addon.core.gait.prints.print_file import from_text, to_text
from neurarig_addon.core.gait.prints.print_places import prints_at, prints_within
from neurarig_addon.core.gait.sliders.style import Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walked
from neurarig_addon.core.path.path import STRAIGHT
from tests.core.edited_walks import drawn, print_at, told, walker
from tests.core.walk_paths import PATHS
from tests.core.walk_styles import WALKS
from tests.core.walkers import WALKING
from tests.refusals import refuses


@pytest.mark.parametrize("style", ["speed 0.4", "speed 1.3", "speed 2.2", "asymmetry 1.0"])
@pytest.mark.parametrize("path", [STRAIGHT, *PATHS.values()])
def test_what_is_planned_is_within_a_legs_limits(style, path):
    assert not told(walker(path=path, track=WALKS[style]))


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ({"along": 0.7}, "the leg reaches"),
        ({"aside": -0.4}, "crosses"),
        ({"yaw": 1.7}, "turned out"),
        ({"yaw": -1.4}, "turned in"),
        ({"height": 0.45}, "up, a step goes up"),
        ({"height": -0.45}, "down, a step goes down"),
        ({"slope": 0.6}, "tilted farther than the ankle"),
        ({"bank": -0.5}, "tilted farther than the ankle"),
        ({"touch": 0.14}, "has left the ground"),
        ({"touch": -0.14}, "too quickly"),
        ({"touch": 0.1, "lift": -0.12}, "leaves too quickly"),
    ],
)
def test_what_a_leg_cannot_do_is_told(edit, words):
    for side in (LEFT, RIGHT):
        turned = {
            name: value if side == LEFT or name not in ("aside", "yaw") else -value
            for name, value in edit.items()
        }
        found = told(walker([PrintEdit(side, 4, **turned)]))
        assert words in found[side, 4]
        assert set(found) <= {(side, 4), (side, 5), (RIGHT - side, 5 - side)}


def test_a_foot_that_stays_too_far_behind_is_told():
    assert "too far for a stride" in told(walker([PrintEdit(LEFT, 4, held=True)]))[LEFT, 5]
    assert not told(walker([PrintEdit(LEFT, 4, held=True)], track=StyleTrack(Style(speed=0.3))))


def test_a_mirrored_edit_mirrors_the_step():
    edit = PrintEdit(LEFT, 4, along=0.1, aside=0.15, yaw=0.3, bank=0.1, touch=0.03)
    assert edit.mirrored.mirrored == edit and edit.mirrored.side == RIGHT
    shift = np.mean([0.5, -0.5])
    left, right = (print_at(walker([one]), one.side, 4) for one in (edit, edit.mirrored))
    assert np.allclose((left[1] - left[0]) * [1.0, -1.0, 1.0], right[1] - right[0]) and shift == 0.0


def test_files_bring_edits_back_and_fit_other_legs():
    edits = PrintEdits.of(drawn(5, 1.0, 6, held=True))
    back = from_text(to_text(edits, 0.9), 0.9)
    for one, two in zip(edits.edits, back.edits, strict=True):
        assert one.key == two.key and one.held == two.held
        assert np.allclose(
            [one.along, one.aside, one.yaw, one.touch], [two.along, two.aside, two.yaw, two.touch], atol=1e-8
        )
    child = from_text(to_text(edits, 0.9), 0.45)
    assert np.isclose(child.edits[0].along, 0.5 * edits.edits[0].along) and np.isclose(
        child.edits[0].yaw, edits.edits[0].yaw
    )
    assert from_text(to_text(NO_EDITS, 0.9), 0.9) == NO_EDITS


HEAD = '{"format": "neurarig-prints", "version": 1, "prints": '


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "damaged or cut off"),
        ("[" * 100_000, "damaged or cut off"),
        ("[]", "not a file of footprints of version 1"),
        (
            '{"format": "neurarig-prints", "version": 2, "prints": []}',
            "not a file of footprints of version 1",
        ),
        (HEAD + "{}}", "no list of prints"),
        (HEAD + '[{"side": ["left"], "number": 1}]}', "Entry 1 is not a footprint"),
        (HEAD + '[{"side": "left", "number": true}]}', "Entry 1 is not a footprint"),
        (HEAD + '[{"side": "left", "number": 1e3}]}', "Entry 1 is not a footprint"),
        (
            HEAD + '[{"side": "left", "number": 1, "color": 1}]}',
            "'color', which is not a setting of a footprint",
        ),
        (HEAD + '[{"side": "left", "number": 1, "aside": "far"}]}', "a number for 'aside'"),
        (HEAD + '[{"side": "left", "number": 1, "aside": NaN}]}', "a number for 'aside'"),
        (HEAD + '[{"side": "left", "number": 1, "aside": 1e400}]}', "a number for 'aside'"),
        (HEAD + '[{"side": "left", "number": 1, "yaw": 9000}]}', "'yaw' of the left print 1"),
        (HEAD + '[{"side": "left", "number": 1, "held": 1}]}', "true or false"),
        (HEAD + '[{"side": "left", "number": 99999999999}]}', "not a step number"),
        (HEAD + '[{"side": "left", "number": 1}, {"side": "left", "number": 1}]}', "there twice"),
    ],
)
def test_a_damaged_file_is_told_in_a_sentence(text, words):
    with refuses(words):
        from_text(text, 0.9)


@pytest.mark.parametrize("start", [0.0, 0.37])
def test_the_print_of_a_frame_is_the_one_stood_on_or_come_to_next(start):
    one = walker(track=StyleTrack(Style(speed=1.2, phase=start)))
    frames = np.arange(1.0, 120.0, 0.5)
    pose, found = (
        walked(one, frames),
        np.array([[number for _, number in prints_at(one, frame)] for frame in frames]),
    )
    for side in (LEFT, RIGHT):
        stands = pose.pivot[:, side] != SWING
        np.testing.assert_array_equal(
            found[:, side], np.where(stands, np.floor(pose.phase[:, side]), np.floor(pose.phase[:, side]) + 1)
        )
    rows = (frames >= 30.0) & (frames <= 80.0)
    stood = [found[rows & (pose.pivot[:, side] != SWING), side] for side in (LEFT, RIGHT)]
    first, last = prints_within(one, 30.0, 80.0)
    assert first <= min(part.min() for part in stood) <= first + 1 and last == max(
        part.max() for part in stood
    )


def test_feet_that_follow_the_shapes_alone_have_no_prints_to_edit():
    frames, edits = np.arange(1.0, 100.0, 0.5), drawn(3, count=4)
    loose, planted = replace(WALKING, planted=False), walker(edits)
    assert len(frames_in_hand(planted, frames)[0]) and not len(
        frames_in_hand(replace(planted, gait=loose), frames)[0]
    )
    assert not len(frames_in_hand(walker(), frames)[0])
