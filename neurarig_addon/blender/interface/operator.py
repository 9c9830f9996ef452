"""The bases of NeuraRig's operators: at once, or in steps with progress and Esc in a window."""

from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar

from bpy.types import Context, Event, Object, OperatorProperties, bpy_prop_collection

from ...core.errors import NeuraRigError
from ..animation.properties import OURS
from ..animation.steps import Steps, finish_in_sight
from ..character import record
from ..character.selection import armature_of
from ..character.state import not_free_for
from . import work
from .language import said
from .screen import redraw

SLICE, LONGEST_SLICE = 0.2, 1.0  # seconds of work between events
# times as long as a window takes to be drawn in between: with a heavy scene that may be long
BY_DRAWING = 4.0


# what is needed of a character, by the holder that must have it
NEEDS = {
    "": "Needs an armature, or a mesh that it deforms",
    record.WALK: "Needs a walk: click Generate Walk first",
    record.CLIP: "Needs a retargeted clip: click Retarget or Live Link first",
    record.POSE: "Needs targets: click Create Targets first",
}


def named(blocks: bpy_prop_collection, name: str, kind: str) -> Any:
    """Return the block of a name; raises NeuraRigError if there is none."""
    if name not in blocks:
        raise NeuraRigError(f"There is no {kind} named '{name}'. Choose another.")
    return blocks[name]


class Button:
    """An operator, by the name of its class and described by its docstring (see `registration`).

    `act` does the work and returns the sentence to report; a NeuraRigError becomes an error report and leaves
    the file as it was.
    """

    if TYPE_CHECKING:  # Blender evaluates the annotations of every class that it registers
        report: ClassVar[Any]  # Blender's, as the next
        poll_message_set: ClassVar[Any]
        layout: ClassVar[Any]
        properties: ClassVar[Any]
        bl_label: ClassVar[str]
    bl_options = {"REGISTER", "UNDO"}
    bl_description = ""
    bl_translation_context = OURS
    # what to say where there is nothing of what it is for
    lacks = "", lambda *_: True

    def __init_subclass__(cls, **options: Any) -> None:
        """Call it by its class, and describe it by its docstring, on one line: Blender shows that with the
        lines of the code."""
        super().__init_subclass__(**options)
        cls.bl_idname = "neurarig." + cls.__name__.partition("_OT_")[2]
        cls.bl_description = " ".join(cls.__doc__.split()) if cls.__doc__ else cls.bl_description

    @classmethod
    def meant(cls, context: Context) -> Any:
        """Return the character that it is for, None for none."""

    @classmethod
    def poll(cls, context: Context) -> bool:
        if reason := cls.refusal(context, cls.meant(context)):
            cls.poll_message_set(said(reason))
        return not reason

    @classmethod
    def refusal(cls, context: Context, obj: Any) -> str:
        """Return why it cannot be done with `obj` now, '' if it can."""
        lacks, has = cls.lacks
        return "" if has(context, obj) else lacks

    def execute(self, context: Context) -> set[str]:
        obj = self.meant(context)
        try:
            work.require_idle(obj)
            message = self.act(context, obj)
        except NeuraRigError as error:
            return self.refuse(error)
        except ReferenceError:
            return self.refuse("The character or scene was deleted by a script or another add-on.")
        if message:
            self.report({"INFO"}, said(message))
        return {"FINISHED"}

    def refuse(self, why: object) -> set[str]:
        """Report why it is not done."""
        self.report({"ERROR"}, said(str(why)))
        return {"CANCELLED"}

    def act(self, context: Context, obj: Any) -> str:
        """Do the work on `obj` and return the sentence to report, '' for none."""
        raise NotImplementedError


class CharacterOperator(Button):
    """An operator on the active character."""

    holder = ""  # holder that must have the character; '' for no condition
    # holder for which the character must be free, '' free of all; None for no condition
    takes = None
    # what it needs, as its description ends; '' for what follows from `holder`
    needs = ""
    confirm = ""  # the button of the dialog that asks for its properties; '' for no dialog
    in_window = False  # whether it goes on in steps between redraws

    @classmethod
    def description(cls, context: Context, properties: OperatorProperties) -> str:
        """Return what it does, and below that what it needs; or what it is for."""
        if told := cls.told(properties):
            return said(told)
        return f"{said(cls.bl_description)}\n{said(cls.needs or NEEDS[cls.holder])}"

    @classmethod
    def told(cls, properties: OperatorProperties) -> str:
        """Return what describes it in place of what it does, '' for nothing."""
        return ""

    @classmethod
    def meant(cls, context: Context) -> Object | None:
        return armature_of(context)

    @classmethod
    def refusal(cls, context: Context, obj: Any) -> str:
        if obj is None:
            return "Select an armature or a mesh that it deforms"
        if busy := work.refusal(obj):
            return busy
        if cls.holder and not record.holds(obj, cls.holder):
            return record.not_held(obj, cls.holder)
        taken = "" if cls.takes is None else not_free_for(obj, cls.takes)
        return taken or super().refusal(context, obj)

    def invoke(self, context: Context, event: Event) -> set[str]:
        if self.confirm:
            return context.window_manager.invoke_props_dialog(self, confirm_text=self.confirm)
        return self.execute(context)

    def given(self, name: str) -> Any:
        """Return a property that was given, None for one that was not."""
        return getattr(self, name) if self.properties.is_property_set(name) else None

    def browse(self, context: Context) -> set[str]:
        """Ask for a file or folder in the file browser, after which `execute` is called."""
        self.in_window = True
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def tell(self, sentences: list[str]) -> None:
        """Report what the user may not expect, each sentence as a warning."""
        for sentence in sentences:
            self.warn(sentence)

    def warn(self, text: str) -> None:
        """Report a warning besides the operator's result; nothing if it is empty."""
        if text:
            self.report({"WARNING"}, said(text))


class StepsOperator(work.Work, CharacterOperator):
    """An operator whose work is a generator that yields the share done.

    `steps` begins the work, `done` gets its result and returns the sentence to report. Esc closes the
    generator, which must then leave the file as it was, but for a result that already `stands`.
    """

    stands: Any = None

    def invoke(self, context: Context, event: Event) -> set[str]:
        self.in_window = True
        return super().invoke(context, event)

    def steps(self, context: Context, obj: Object) -> Steps[Any]:
        """Begin the work."""
        raise NotImplementedError

    def done(self, context: Context, obj: Object, result: Any) -> str:
        """Return the sentence to report of the result."""
        raise NotImplementedError

    def act(self, context: Context, obj: Object) -> str:
        return self.done(context, obj, finish_in_sight(self.steps(context, obj)))

    def execute(self, context: Context) -> set[str]:
        if not self.in_window:
            return super().execute(context)
        self.in_window = False
        self.character = armature_of(context)
        try:
            work.require_idle(self.character)
            self._work = self.steps(context, self.character)
        except NeuraRigError as error:
            return self.refuse(error)
        self._timer = context.window_manager.event_timer_add(0.0, window=context.window)
        context.window_manager.progress_begin(0.0, 1.0)
        context.window_manager.modal_handler_add(self)
        self.begin_work()
        self._show(context, 0.0)
        self._paused = monotonic()
        return {"RUNNING_MODAL"}

    def modal(self, context: Context, event: Event) -> set[str]:
        self.look()
        if self.stopped:
            self._tidy(context)
            self.report({"WARNING"}, said(self.stopped))
            return {"CANCELLED"}
        if event.type == "ESC":
            self.close()
            if self.stands is not None:
                return self._end(context, self.stands)
            self._tidy(context)
            self.report({"INFO"}, said(f"{self.doing} cancelled. Nothing was changed."))
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        return self._go_on(context)

    def cancel(self, context: Context) -> None:
        """Close the work if Blender closes the window."""
        if hasattr(self, "_timer"):
            self.close()
            self._tidy(context)

    def close(self) -> None:
        """End the work early."""
        self._work.close()

    def _go_on(self, context: Context) -> set[str]:
        now, share = monotonic(), 0.0
        until = now + min(max(SLICE, BY_DRAWING * (now - self._paused)), LONGEST_SLICE)
        try:
            while monotonic() < until:
                share = next(self._work)
            self.know()
            self._show(context, share)
            self._paused = monotonic()
            return {"RUNNING_MODAL"}
        except StopIteration as finished:
            return self._end(context, finished.value)
        except BaseException as error:
            self._tidy(context)
            if isinstance(error, ReferenceError):
                return self.refuse(f"{self.doing} stopped: the character or scene was deleted.")
            if isinstance(error, NeuraRigError):
                return self.refuse(error)
            raise

    def _end(self, context: Context, result: Any) -> set[str]:
        self._tidy(context)
        self.report({"INFO"}, said(self.done(context, self.character, result)))
        return {"FINISHED"}

    def _show(self, context: Context, share: float) -> None:
        self.share = share
        context.window_manager.progress_update(share)
        context.workspace.status_text_set(self.how_far)
        redraw(region="UI")

    def _tidy(self, context: Context) -> None:
        self.end_work()
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)
        redraw(region="UI")
