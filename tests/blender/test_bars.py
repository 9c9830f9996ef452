"""Bars on the timeline: what they stand for, moved and held longer, and where they are drawn."""

from types import SimpleNamespace

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.walk.source.bars import Bar, bars_of
from neurarig_addon.blender.walk.source.source import source_of
from neurarig_addon.blender.walk.ui import bars_drawing
from neurarig_addon.core.errors import NeuraRigError
from tests.blender.acting import box
from tests.blender.leading import curve
from tests.blender.walking import walker


@pytest.fixture
def obj() -> bpy.types.Object:
    """Return a character with two acts, one of them at a thing, a waypoint, and an arrival."""
    made = walker(mode="PATH", path=curve([(0.0, 0.0, 0.0), (0.0, -12.0, 0.0)]), arrive=600)
    waypoint = made.neurarig.walk.markers.add()
    waypoint.distance, waypoint.pause, waypoint.turn = 6.0, 1.0, 60.0
    api.add_act(made, "CROUCH", at=2.0, seconds=1.0)
    api.add_act(made, "TOUCH", thing=box("Wall", (0.7, -9.0, 1.0), (0.1, 2.0, 2.0)), seconds=1.0)
    return made


def bars(obj: bpy.types.Object) -> dict[tuple[str, int], Bar]:
    source_of(obj, bpy.context.scene)
    return {(bar.what, bar.number): bar for bar in bars_of(obj)}


def test_bars_are_moved_and_held_to_the_frame(obj) -> None:
    before = bars(obj)
    assert set(before) == {("ACT", 0), ("ACT", 1), ("WAYPOINT", 0), ("ARRIVAL", 1)}
    assert [before["ACT", number].begin for number in (0, 1)] == [
        one["frames"][0] for one in api.list_acts(obj)
    ]
    for what, frames in ((("ACT", 0), 17), (("WAYPOINT", 0), 25), (("ARRIVAL", 1), 40)):
        began = bars(obj)[what].begin
        api.retime(obj, *what, frames=frames)
        assert bars(obj)[what].begin == pytest.approx(began + frames, abs=1.5), what
    began = bars(obj)["ACT", 1].begin
    api.retime(obj, "ACT", 1, frames=4)
    assert obj.neurarig.walk.acts[1].is_timed, "what is at a thing is at a frame from then on"
    assert bars(obj)["ACT", 1].begin == pytest.approx(began + 4, abs=1.0)
    for what in (("ACT", 0), ("ACT", 1), ("WAYPOINT", 0)):
        held = bars(obj)[what]
        api.retime(obj, *what, longer=12)
        now = bars(obj)[what]
        assert now.end - now.begin == pytest.approx(held.end - held.begin + 12, abs=2.0), what
    held = bars(obj)["ACT", 0]
    api.retime(obj, "ACT", 0, frames=-8, longer=8)
    now = bars(obj)["ACT", 0]
    assert (now.begin, now.end) == pytest.approx((held.begin - 8, held.end), abs=1.5), "its left end"


def test_what_cannot_be_moved_says_why_and_changes_nothing(obj) -> None:
    before = {key: (bar.begin, bar.end) for key, bar in bars(obj).items()}
    for what, frames, longer, why in (
        (("ACT", 1), 20, 0, "comes no nearer"),
        (("ARRIVAL", 1), 0, 10, "lasts as long"),
        (("WAYPOINT", 5), 10, 0, "never comes there"),
        (("WAYPOINT", 0), -400, 0, "arrive at frame"),
    ):
        with pytest.raises(NeuraRigError, match=why):
            api.retime(obj, *what, frames=frames, longer=longer)
    assert {key: (bar.begin, bar.end) for key, bar in bars(obj).items()} == before


def test_bars_at_the_same_time_lie_above_one_another_and_are_found_there(obj, monkeypatch) -> None:
    begin = bars(obj)["ACT", 0].begin
    api.add_act(obj, "NOD", frame=begin + 5.0)
    source_of(obj, bpy.context.scene)
    monkeypatch.setattr(bars_drawing.live, "walking", lambda _scene: [obj])
    sheet = SimpleNamespace(view_to_region=lambda x, y, clip: (2.0 * x, y))
    for height in (20, 60, 300):
        region = SimpleNamespace(height=height, view2d=sheet)
        drawn = bars_drawing.drawn_in(region)
        assert len(drawn) == 5
        for one in drawn:
            left, right, low, high = one.place
            found = bars_drawing.bar_at(region, 0.5 * (left + right), 0.5 * (low + high))
            assert found is not None and found.bar is one.bar, (height, one.bar.what)
        assert bars_drawing.bar_at(region, 2.0 * begin, 299.0) is None
