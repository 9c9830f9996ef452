"""Steps that somebody has added: one stride more on the same way, all else as it was, and told where there is
no room."""

import numpy as np
import pytest

from neurarig_addon.core.character.body import LEFT, RIGHT
from neurarig_addon.core.gait.inputs.print_edits import PrintEdit, PrintEdits
from neurarig_addon.core.gait.prints.added_steps import (
    moved_back,
    moved_up,
    require_room,
    with_added,
    without_room,
)
from neurarig_addon.core.gait.prints.print_file import from_text, to_text
from neurarig_addon.core.gait.prints.print_places import places_of
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walked
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.ground.surface import LEVEL, Ground, Surface
from neurarig_addon.core.path.curve import Curve
from neurarig_addon.core.path.path import STRAIGHT, Path
from tests.core.walk_measures import greatest_reach, greatest_slip, knee_angle
from tests.core.walk_paths import PATHS
from tests.core.walk_styles import WALKS
from tests.core.walkers import BODY, WALKING
from tests.refusals import refuses

FRAMES = np.arange(-30.0, 300.0, 0.5)
BUMPS = Surface(lambda places: 0.05 * np.sin(1.3 * places[:, 0]) * np.cos(0.9 * places[:, 1]))
PLACES: dict[str, tuple[Path, Ground]] = {
    "straight": (STRAIGHT, LEVEL),
    "S": (PATHS["S"], LEVEL),
    "S over bumps": (PATHS["S"], BUMPS),
}
STYLES = ("speed 0.4", "speed 1.3", "asymmetry 1.0", "phase 0.37", "speed keyed 0.6 to 1.8")
AROUND = 3.5  # cycles before and after an added step; farther off all is as it was


def walker(path: Path = STRAIGHT, ground: Ground = LEVEL, track: StyleTrack | None = None) -> Walker:
    return Walker.of(BODY, track or StyleTrack(Style(speed=1.2)), Clock(), WALKING, path, ground)


def apart(one, other) -> np.ndarray:
    """Return by how many metres anything of two poses differs `(f,)`."""
    return np.max(
        [
            np.abs(one.motions[role].position - other.motions[role].position).max(axis=-1)
            for role in one.motions
        ],
        axis=0,
    )


@pytest.mark.few(3)
@pytest.mark.parametrize("key", [(LEFT, 5), (RIGHT, 4)])
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("where", PLACES)
def test_one_stride_more_in_the_same_time_and_nothing_else(where, style, key):
    natural = walker(*PLACES[where], track=WALKS[style])
    more = with_added(natural, [key])
    before, after = walked(natural, FRAMES), walked(more, FRAMES)
    gone = before.phase[:, key[0]] - (key[1] - 0.5)
    assert np.abs(after.phase - before.phase)[gone < -AROUND].max(initial=0.0) < 1e-9
    assert np.abs(after.phase - before.phase - 1.0)[gone > AROUND].max(initial=0.0) < 1e-9
    assert np.allclose(after.root.position[:, :2], before.root.position[:, :2], atol=1e-9), (
        "it is on its way as before"
    )
    assert apart(before, after)[np.abs(gone) > AROUND].max(initial=0.0) < 3e-6
    assert apart(before, after)[np.abs(gone) < 1.0].max() > 0.05
    assert (np.diff(after.phase, axis=0) >= 0.0).all()
    assert greatest_slip(BODY, after) < 1e-9
    assert greatest_reach(BODY, after) <= 1.0 + 1e-9


def test_a_new_print_is_between_those_around_it_and_knees_take_it():
    natural = walker()
    more = with_added(natural, [(LEFT, 5)])
    old = places_of(natural, [(LEFT, 4), (LEFT, 5)]).place[:, 0]
    new = places_of(more, [(LEFT, 4), (LEFT, 5), (LEFT, 6)]).place[:, 0]
    assert old[0] < new[1] < old[1]
    gaps = np.diff(new) / np.diff(old)
    assert (gaps > 0.65).all() and (gaps < 0.9).all()
    frames = np.arange(1.0, 200.0)
    kick = [
        np.abs(np.diff(knee_angle(walked(one, frames), "L"), 2)).max() * 24.0**2 for one in (natural, more)
    ]
    assert kick[1] < 2.0 * kick[0]


def test_several_are_taken_in_their_order():
    natural = walker()
    both = with_added(natural, [(LEFT, 5), (LEFT, 9)])
    one_by_one = with_added(with_added(natural, [(LEFT, 5)]), [(LEFT, 9)])
    assert np.allclose(both.rhythm.phase, one_by_one.rhythm.phase)
    assert walked(both, np.array([290.0])).phase[0, 0] == pytest.approx(
        walked(natural, np.array([290.0])).phase[0, 0] + 2.0
    )


def test_strides_that_differ_are_the_same_ones_after_it():
    track = StyleTrack(Style(variation=1.0), {"speed": (np.array([1.0, 100.0]), np.array([1.1, 1.3]))})
    natural = walker(track=track)
    more = with_added(natural, [(LEFT, 3)])
    before, after = walked(natural, FRAMES), walked(more, FRAMES)
    later = before.phase[:, LEFT] > 3.0 + AROUND
    assert later.any()
    assert apart(before, after)[later].max() < 3e-6


def test_facing_another_way_goes_on_after_it():
    natural = walker(
        PATHS["S"],
        track=StyleTrack(Style(speed=1.0), {"facing": (np.array([1.0, 300.0]), np.array([0.0, 90.0]))}),
    )
    more = with_added(natural, [(LEFT, 4)])
    before, after = walked(natural, FRAMES), walked(more, FRAMES)
    far = np.abs(before.phase[:, LEFT] - 3.5) > AROUND + 1.0
    assert apart(before, after)[far].max() < 3e-6
    assert greatest_slip(BODY, after) < 1e-9


def test_numbers_after_it_count_it_and_count_back():
    natural = walker()
    for added in ((LEFT, 5), (RIGHT, 3)):
        keys = [(side, number) for side in (LEFT, RIGHT) for number in range(9)]
        renamed = [moved_back(natural, added, key) for key in keys]
        assert added not in renamed and len(set(renamed)) == len(keys)
        assert [moved_up(natural, added, key) for key in renamed] == keys
        old, new = places_of(natural, keys).place, places_of(with_added(natural, [added]), renamed).place
        far = np.array([abs(number - added[1]) > 3 for _, number in keys])
        assert np.allclose(old[far], new[far], atol=3e-6)


def test_files_say_so():
    known = PrintEdits.of([PrintEdit(LEFT, 5, aside=0.1, added=True), PrintEdit(RIGHT, 6, held=True)])
    assert from_text(to_text(known, 0.9), 0.9).added == ((LEFT, 5),)
    with refuses("Entry 1 needs true or false for 'added'"):
        from_text(to_text(known, 0.9).replace('"added": true', '"added": 1'), 0.9)
    assert not known.edits[0].mirrored.added


def test_where_there_is_no_room_none_is_added_and_it_is_told():
    short = walker(Curve.through(np.array([[0.0, 0.0, 0.0], [6.0, 0.0, 0.0]]), BODY.leg_length, starts=True))
    last = int(short.rhythm.phase[-1])
    for number in (-3, last + 4):
        with refuses(f"no room for a step before the left print {number}"):
            require_room(short, (LEFT, number))
        assert with_added(short, [(LEFT, number)]) is short
        assert without_room(short, [(LEFT, number)]) == ((LEFT, number),)
    require_room(short, (LEFT, last // 2 + 1))
    after = walked(with_added(short, [(LEFT, last // 2 + 1)]), np.arange(-20.0, 300.0))
    assert (after.pivot[-1] == after.pivot[0]).all(), "it ends with both feet down"
    laps = (
        walker(PATHS["circle of 2 m"])
        if "circle of 2 m" in PATHS
        else walker(track=StyleTrack(Style(variation=1.0)))
    )
    with refuses("repeat in laps"):
        require_room(laps, (LEFT, 4))
