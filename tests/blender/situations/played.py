"""A sequence played on a file with us in it: after each step what was refused has changed nothing, at the end
everything of ours is off."""

import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

import bpy

from neurarig_addon.core.errors import NeuraRigError
from tests.blender.situations import allowances, characters, file_edits, mode_edits, ours, track_edits
from tests.blender.situations.edit import Call
from tests.blender.situations.ledger import Ledger
from tests.blender.situations.record import differences, recorded, report
from tests.blender.situations.steps import EDITS, OURS, Step

LAST_FRAME = 7


@dataclass
class SequenceError(Exception):
    """What went wrong in a sequence, after which calls."""

    what: str
    calls: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return "\n".join([*self.calls, self.what])


class Played:
    """A sequence as it was played on a file with us in it, everything of ours taken off again at the end."""

    def __init__(self, kind: str, steps: Sequence[Step]) -> None:
        self.ledger = Ledger.of(characters.fresh(kind))
        self.calls: list[Call | None] = []  # None stands for an operator of ours, which the twin does without
        self.log: list[str] = []
        self.told: set[str] = set()
        self.history, self.at = [self.ledger.copy()], 0
        remember()
        for step in steps:
            self._take(step)
        self._take_everything_off()

    def fail(self, what: str) -> SequenceError:
        """Return a failure here."""
        return SequenceError(what, list(self.log))

    def _say(self, what: str) -> None:
        """Note a step before it is taken; should Blender crash in it, the last line says where."""
        self.log.append(what)
        print(f"  {what}", file=sys.stderr, flush=True)

    def _take(self, step: Step) -> None:
        rng = Random(step.seed)
        if step.kind in OURS:
            self._ours(OURS[step.kind], bpy.data.objects[rng.choice(self.ledger.heroes)], rng)
        else:
            call = EDITS[step.kind].draw(self.ledger, rng)
            if call is None or not self._can(call):
                return
            self._edit(call)
        self._note_history(step.kind)

    def _can(self, call: Call) -> bool:
        step = {"Undo": -1, "Redo": 1}.get(call.edit, 0)
        return 0 <= self.at + step < len(self.history)

    def _edit(self, call: Call) -> None:
        self._say(f"{call}  (of ours)" if call.of_ours else f"{call}")
        self.calls.append(call.for_twin())
        kind = EDITS[call.edit]
        before = set(bpy.data.actions.keys())
        try:
            kind.note(self.ledger, *call.args)
            kind.apply(*call.args)
            if not any(self.ledger.attached.values()):
                self.ledger.actions |= set(bpy.data.actions.keys()) - before  # the first key makes one
        except Exception as error:
            raise self.fail(f"an edit failed: {''.join(traceback.format_exception(error))}") from error

    def _note_history(self, kind: str) -> None:
        """Have Blender and the ledger remember what can be undone."""
        if kind in ("Undo", "Redo"):
            self.at += 1 if kind == "Redo" else -1
            self.ledger = self.history[self.at].copy()
        elif kind in ("SaveAndOpen", "AppendToNewFile"):
            self.history, self.at = [self.ledger.copy()], 0
            remember()
        else:
            self.history[self.at + 1 :] = [self.ledger.copy()]
            self.at += 1
            remember()

    def _ours(self, kind: type[ours.Ours], obj: bpy.types.Object, rng: Random) -> bool:
        """Press one of our buttons and say whether it was taken."""
        self._say(f"{kind.__name__} on {obj.name!r}")
        self.calls.append(None)
        before = recorded()
        try:
            told = kind.run(obj, rng, self.ledger)
        except NeuraRigError as refusal:
            self.log[-1] += f": {refusal}"
            # An action chosen over what poses a character shows only where Blender evaluates it anew.
            overlaid = self.ledger.chosen_meanwhile
            changed = [
                one
                for one in differences(before, recorded())
                if not (overlaid and allowances.is_animated(one.path))
            ]
            if changed:
                raise self.fail(
                    f"{kind.__name__} refused ({refusal}) and changed\n{report(changed)}"
                ) from refusal
            return False
        except Exception as error:
            raise self.fail(
                f"{kind.__name__} ended in {''.join(traceback.format_exception(error))}"
            ) from error
        if isinstance(told, list | tuple | set):
            self.told |= {str(one) for one in told}
        return True

    def _take_everything_off(self) -> None:
        for name in list(self.ledger.heroes):
            while self.ledger.attached[name]:
                self._take_off(bpy.data.objects[name])
        self._edit(mode_edits.LeaveModes.call())
        for name in self.ledger.heroes:
            self._edit(track_edits.LeaveTweak.call(name))
        self._edit(file_edits.SetFrame.call(LAST_FRAME))

    def _take_off(self, obj: bpy.types.Object) -> None:
        """Remove what is on a character, doing what the refusals ask for."""
        remove = ours.REMOVE[self.ledger.attached[obj.name]]
        remedies = [
            mode_edits.ShowCollections.call(),
            mode_edits.LeaveModes.call(),
            track_edits.LeaveTweak.call(obj.name),
            mode_edits.MakeSingleUser.call(obj.name, f"{obj.data.name} single"),
        ]
        while not self._ours(remove, obj, Random(0)):
            if not remedies:
                raise self.fail(f"what is on {obj.name!r} cannot be removed")
            self._edit(remedies.pop(0))


def remember() -> None:
    """Let Blender remember this state, to come back to it by Undo; without a window only a call does."""
    bpy.ops.ed.undo_push(message="step")
