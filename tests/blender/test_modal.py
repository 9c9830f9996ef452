"""Work that goes on in a window: however it ends, timer, progress and status text go, and nothing half-done stays."""

from collections.abc import Generator
from types import SimpleNamespace

import bpy
import pytest

from neurarig_addon.blender.interface.steps_operator import StepsOperator
from neurarig_addon.core.errors import NeuraRigError
from tests.blender.walking import walker
from tests.rigs import make_active

pytestmark = pytest.mark.usefixtures("addon")

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
        self.closed = False
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
                yield 0.5
        finally:
            self.closed = True
        return "done"


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> tuple[Work, Window]:
    obj = walker()
    make_active(obj)
    monkeypatch.setattr("neurarig_addon.blender.interface.steps_operator.armature_of", lambda _context: obj)
    work, window = Work(obj), Window()
    assert work.execute(window) == {"RUNNING_MODAL"}
    assert work.modal(window, TIMER) == {"RUNNING_MODAL"} and window.shown and window.timers
    return work, window


def test_escape_ends_it(work):
    operator, window = work
    assert operator.modal(window, ESC) == {"CANCELLED"}
    assert operator.closed and window.is_tidy


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
        operator.is_undone = True
        bpy.ops.ed.undo()
        operator.is_undone = False
    getattr(bpy.ops.ed, going)()
    assert operator.closed
    assert operator.modal(window, TIMER) == {"CANCELLED"}
    assert "undo" in operator.reports[0][1] and window.is_tidy
