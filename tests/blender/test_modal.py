"""Work that goes on in a window: however it ends, timer, progress and status text go, and nothing half-done
stays."""

from collections.abc import Callable, Generator, Iterator
from types import SimpleNamespace

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.interface import operator
from neurarig_addon.blender.interface.operator import StepsOperator
from neurarig_addon.blender.walk.api import bake as bake_api
from neurarig_addon.blender.walk.api import report as report_api
from neurarig_addon.core.errors import NeuraRigError
from tests.blender.drawing import drawn
from tests.blender.situations.record import differences, recorded
from tests.blender.walking import walker
from tests.rigs import make_active

TIMER, ESC = SimpleNamespace(type="TIMER"), SimpleNamespace(type="ESC")


class Window:
    """What a window shows of work, in place of one: `shown` is the status text, `timers` those that run."""

    def __init__(self) -> None:
        self.shown: str | None = None
        self.timers: list[object] = []
        self.progress = False
        self.window = None
        self.window_manager = self.workspace = self

    def event_timer_add(self, _seconds: float, window: object) -> object:
        self.timers.append(object())
        return self.timers[-1]

    def event_timer_remove(self, timer: object) -> None:
        self.timers.remove(timer)

    def progress_begin(self, _low: float, _high: float) -> None:
        self.progress = True

    def progress_update(self, _share: float) -> None:
        assert self.progress

    def progress_end(self) -> None:
        self.progress = False

    def modal_handler_add(self, _operator: object) -> None:
        pass

    def status_text_set(self, text: str | None) -> None:
        self.shown = text

    @property
    def is_tidy(self) -> bool:
        return not self.timers and not self.progress and self.shown is None


class Work(StepsOperator):
    """An operator that works until it is told how to end."""

    doing = "The work"

    def __init__(self, obj: bpy.types.Object) -> None:
        self.ends_with: BaseException | None = None
        self.closed = self.changes_it = False
        self.reports: list[tuple[set[str], str]] = []
        self.in_window, self.target = True, obj

    def report(self, kind: set[str], text: str) -> None:
        self.reports.append((kind, text))

    def steps(self, context: object, obj: object) -> Generator[float, None, str]:
        try:
            for _ in range(10**9):
                if self.ends_with is not None:
                    raise self.ends_with
                assert self.target.name
                if self.changes_it:
                    self.target.neurarig.holders = set() if self.target.neurarig.holders else {"WALK"}
                yield 0.5
        finally:
            self.closed = True
        return "done"


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Work, Window]]:
    obj = walker()
    make_active(obj)
    chosen = operator.armature_of
    monkeypatch.setattr(
        operator, "armature_of", lambda context: obj if isinstance(context, Window) else chosen(context)
    )
    work, window = Work(obj), Window()
    assert work.execute(window) == {"RUNNING_MODAL"}
    assert work.modal(window, TIMER) == {"RUNNING_MODAL"} and window.shown and window.timers
    yield work, window
    work.end_work()


def test_escape_ends_it(work):
    operator, window = work
    assert operator.modal(window, ESC) == {"CANCELLED"}
    assert operator.closed and window.is_tidy


def test_the_panels_show_how_far_it_is_until_it_ends(work):
    operator, window = work
    (bar,) = [each for each in drawn("NEURARIG_PT_walk") if each.kind == "progress"]
    assert bar.text == window.shown == "The work: 50%    Esc: Cancel"
    operator.modal(window, ESC)
    assert not [each for each in drawn("NEURARIG_PT_walk") if each.kind == "progress"]


def test_escape_keeps_what_already_stands(work):
    operator, window = work
    operator.stands = "all"
    operator.done = lambda _context, _obj, result: f"Kept {result}."
    assert operator.modal(window, ESC) == {"FINISHED"}
    assert operator.closed and window.is_tidy and operator.reports == [({"INFO"}, "Kept all.")]


def test_a_window_that_closes_ends_it(work):
    operator, window = work
    operator.cancel(window)
    assert operator.closed and window.is_tidy


def test_a_refusal_is_told(work):
    operator, window = work
    operator.ends_with = NeuraRigError("It cannot be.")
    assert operator.modal(window, TIMER) == {"CANCELLED"}
    assert operator.reports == [({"ERROR"}, "It cannot be.")] and window.is_tidy


def test_an_error_of_ours_leaves_no_timer(work):
    operator, window = work
    operator.ends_with = ValueError("a bug")
    with pytest.raises(ValueError, match="a bug"):
        operator.modal(window, TIMER)
    assert window.is_tidy


def test_a_deleted_character_is_told_in_a_sentence(work):
    operator, window = work
    bpy.data.objects.remove(operator.target)
    assert operator.modal(window, TIMER) == {"CANCELLED"}
    assert "deleted" in operator.reports[0][1] and window.is_tidy


@pytest.mark.parametrize("going", ["undo", "redo"])
def test_undo_ends_it_while_the_file_is_as_it_knows_it(work, going):
    operator, window = work
    for n in range(3):
        operator.target.location.x = float(n)
        bpy.ops.ed.undo_push(message=str(n))
    if going == "redo":
        operator.stopped = "not by this one"
        bpy.ops.ed.undo()
        operator.stopped = ""
    getattr(bpy.ops.ed, going)()
    assert operator.closed
    assert operator.modal(window, TIMER) == {"CANCELLED"}
    assert "undo" in operator.reports[0][1] and window.is_tidy


def in_edit_mode(obj: bpy.types.Object) -> None:
    make_active(obj)
    bpy.ops.object.mode_set(mode="EDIT")


CHANGES: dict[str, Callable[[bpy.types.Object], object]] = {
    "removed": api.remove_walk,
    "made again": lambda obj: api.generate_walk(obj, controls="FK"),
    "in Edit Mode": in_edit_mode,
    "other bones": lambda obj: setattr(obj, "data", obj.data.copy()),
}


@pytest.mark.few(2)
@pytest.mark.parametrize("change", CHANGES)
def test_a_character_that_is_changed_meanwhile_ends_it(work, change):
    operator, window = work
    CHANGES[change](operator.target)
    assert operator.modal(window, TIMER) == {"CANCELLED"}
    assert operator.closed and "'Hero' was changed" in operator.reports[0][1] and window.is_tidy


def test_what_it_changes_itself_is_no_reason_to_end(work):
    operator, window = work
    operator.changes_it = True
    for _ in range(3):
        assert operator.modal(window, TIMER) == {"RUNNING_MODAL"}
    assert not operator.reports


def test_scrubbing_and_sliders_let_it_go_on(work):
    operator, window = work
    bpy.context.scene.frame_set(9)
    operator.target.neurarig.walk.speed = 0.7
    assert operator.modal(window, TIMER) == {"RUNNING_MODAL"} and not operator.reports


def test_nothing_else_is_done_with_the_character_meanwhile(work):
    operator, window = work
    before = recorded()
    for button in (bpy.ops.neurarig.remove_walk, bpy.ops.neurarig.bake_walk, bpy.ops.neurarig.generate_walk):
        assert not button.poll()
    assert bpy.ops.neurarig.detect_rig.poll() is False
    second = Work(operator.target)
    assert second.execute(Window()) == {"CANCELLED"}
    assert "'Hero' is busy: The work. Wait for it, or press Esc" in second.reports[0][1]
    assert not differences(before, recorded())
    make_active(walker("Other"))
    assert bpy.ops.neurarig.remove_walk.poll()
    make_active(operator.target)
    assert operator.modal(window, ESC) == {"CANCELLED"}
    assert bpy.ops.neurarig.remove_walk() == {"FINISHED"}


BAKES = {
    "editable": lambda obj: bake_api.bake_steps(obj, frame_start=1, frame_end=30, keys="EDITABLE"),
    "deform": lambda obj: bake_api.bake_steps(obj, frame_start=1, frame_end=30, target="DEFORM"),
    "check": lambda obj: report_api.contact_report.steps(obj, (1, 30)),
}


@pytest.mark.parametrize("bake", BAKES)
def test_the_share_done_only_rises(bake):
    shares = [*BAKES[bake](walker())]
    assert shares == sorted(shares) and shares[0] >= 0.0 and 0.9 < shares[-1] <= 1.0


@pytest.mark.parametrize("bake", BAKES)
def test_a_file_or_an_undo_step_from_meanwhile_brings_nothing_half_done(bake, tmp_path):
    obj = walker()
    names = {
        kind: set(getattr(bpy.data, kind).keys()) for kind in ("scenes", "objects", "armatures", "actions")
    }
    steps = BAKES[bake](obj)
    half_done = set()
    while not half_done:
        next(steps)
        half_done = {name for kind in names for name in set(getattr(bpy.data, kind).keys()) - names[kind]}
    bpy.ops.ed.undo_push(message="in another window")
    path = str(tmp_path / "meanwhile.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
    for _ in steps:
        pass
    bpy.ops.ed.undo_push(message="after it")
    bpy.ops.ed.undo()
    assert {kind: set(getattr(bpy.data, kind).keys()) for kind in names} == names
    bpy.ops.wm.open_mainfile(filepath=path)
    assert {kind: set(getattr(bpy.data, kind).keys()) for kind in names} == names
    obj = bpy.data.objects["Hero"]
    assert not api.remove_walk(obj)
