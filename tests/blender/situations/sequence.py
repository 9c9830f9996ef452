"""One drawn situation: a user's edits and our operators in turn on one file, the edits alone on its twin, and a comparison.

After everything of ours has been removed the two must be equal: nothing of the user's lost or changed.  On the way an operator of ours that
refuses must have changed nothing, and none may end in anything but a sentence.
"""

import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import bpy

from neurarig_addon.blender.animation import compat
from neurarig_addon.core.errors import NeuraRigError
from tests.blender.situations import (
    action_edits,
    allowances,
    bone_edits,
    characters,
    constraint_edits,
    file_edits,
    mode_edits,
    object_edits,
    ours,
    track_edits,
)
from tests.blender.situations.edit import Call, Edit
from tests.blender.situations.ledger import Ledger
from tests.blender.situations.record import Difference, Record, differences, recorded, report

STEPS = 12
LAST_FRAME = 7
SHARE_OF_OURS = 0.45
_EDITS = {
    name: kind
    for module in (bone_edits, constraint_edits, action_edits, track_edits, mode_edits, object_edits, file_edits)
    for name, kind in vars(module).items()
    if isinstance(kind, type) and issubclass(kind, Edit) and kind is not Edit
}
_OURS = {
    name: kind for name, kind in vars(ours).items() if isinstance(kind, type) and issubclass(kind, ours.Ours) and kind is not ours.Ours
}


@dataclass(frozen=True)
class Step:
    """One step of a sequence: an edit or an operator by name, and the seed of all that is drawn in it."""

    kind: str
    seed: int


@dataclass
class SequenceError(Exception):
    """What went wrong in a sequence, after which calls."""

    what: str
    calls: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return "\n".join([*self.calls, self.what])


def drawn(seed: int, count: int = STEPS) -> list[Step]:
    """Return the steps of a sequence, which follow from its seed alone; each draws for itself, so some can be left out."""
    rng = Random(seed)
    edits = [name for name, kind in _EDITS.items() for _ in range(kind.weight)]
    operators = [name for name, kind in _OURS.items() for _ in range(kind.weight)]
    return [Step(rng.choice(operators if rng.random() < SHARE_OF_OURS else edits), rng.randrange(1 << 30)) for _ in range(count)]


def failure(kind: str, steps: Sequence[Step]) -> SequenceError | None:
    """Play a sequence on one of the four rigs and return what went wrong, None where all is well."""
    try:
        with tempfile.TemporaryDirectory(prefix="neurarig_") as folder:
            _compare(_Played(kind, steps), kind, Path(folder))
    except SequenceError as failed:
        return failed
    return None


def shortest(kind: str, steps: Sequence[Step]) -> list[Step]:
    """Return a part of a failing sequence that fails still, and none of whose steps can be left out."""
    kept = list(steps)
    tried = len(kept)
    while tried:
        tried -= 1
        fewer = kept[:tried] + kept[tried + 1 :]
        if failure(kind, fewer):
            kept = fewer
            tried = min(tried + 1, len(kept))
    return kept


class _Played:
    """A sequence as it was played on a file with us in it, everything of ours taken off again at the end."""

    def __init__(self, kind: str, steps: Sequence[Step]) -> None:
        self.ledger = Ledger.of(characters.fresh(kind))
        self.calls: list[Call | None] = []  # None stands for an operator of ours, which the twin does without
        self.log: list[str] = []
        self.told: set[str] = set()
        self.history, self.at = [self.ledger.copy()], 0
        _remember()
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
        if step.kind in _OURS:
            self._ours(_OURS[step.kind], bpy.data.objects[rng.choice(self.ledger.heroes)], rng)
        else:
            call = _EDITS[step.kind].draw(self.ledger, rng)
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
        kind = _EDITS[call.edit]
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
            _remember()
        else:
            self.history[self.at + 1 :] = [self.ledger.copy()]
            self.at += 1
            _remember()

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
            changed = [one for one in differences(before, recorded()) if not (overlaid and allowances.is_animated(one.path))]
            if changed:
                raise self.fail(f"{kind.__name__} refused ({refusal}) and changed\n{report(changed)}") from refusal
            return False
        except Exception as error:
            raise self.fail(f"{kind.__name__} ended in {''.join(traceback.format_exception(error))}") from error
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


def _compare(played: _Played, kind: str, folder: Path) -> None:
    """Play the edits alone on a twin, and compare it with the file from which everything of ours was taken off, both saved and opened."""
    with_us = _saved(folder / "with us.blend")
    characters.fresh(kind)
    _remember()
    for call in played.calls:
        if call is not None:
            try:
                _EDITS[call.edit].apply(*call.args)
            except Exception as error:
                raise played.fail(f"the twin failed at {call}: {''.join(traceback.format_exception(error))}") from error
        if call is None or call.edit not in ("Undo", "Redo"):
            _remember()
    wanted, plays = _opened(_saved(folder / "twin.blend"))
    found, _ = _opened(with_us, plays if played.ledger.plays_other else {})
    left = _not_allowed(played, wanted, found)
    if left:
        raise played.fail(f"lost or changed{f' (told: {sorted(played.told)})' if played.told else ''}:\n{report(left)}")


def _not_allowed(played: _Played, wanted: Record, found: Record) -> list[Difference]:
    allowed = allowances.Allowances(played.ledger, played.told, wanted, found)
    return [one for one in differences(*allowed.comparable()) if not allowed.allows(one)] + allowed.missing()


def _saved(path: Path) -> Path:
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def _opened(path: Path, plays: dict[str, str | None] | None = None) -> tuple[Record, dict[str, str | None]]:
    """Return the record of a file, and the action that each object plays; first have them play what they do on the twin."""
    bpy.ops.wm.open_mainfile(filepath=str(path))
    for name, action in (plays or {}).items():
        obj = bpy.data.objects.get(name)
        if obj is not None and obj.animation_data and action in bpy.data.actions:
            chosen = bpy.data.actions[action]
            compat.assign(obj.animation_data, chosen, compat.suitable_slot(chosen, obj))
    _check_constraints()
    with _all_shown():
        bpy.context.scene.frame_set(LAST_FRAME)
    playing = {obj.name: obj.animation_data.action.name for obj in bpy.data.objects if obj.animation_data and obj.animation_data.action}
    return recorded(), playing


@contextmanager
def _all_shown() -> Iterator[None]:
    """Have Blender evaluate everything: what is hidden keeps the pose of the frame at which it was hidden, which is nobody's choice."""
    layers = [(layer, name) for layer in bpy.context.view_layer.layer_collection.children for name in ("exclude", "hide_viewport")]
    collections = [(collection, "hide_viewport") for collection in bpy.data.collections]
    hidden = [(owner, name) for owner, name in (*layers, *collections) if getattr(owner, name)]
    hidden += [(obj, "hide_viewport") for obj in bpy.data.objects if obj.hide_viewport]
    for owner, name in hidden:
        setattr(owner, name, False)
    yield
    for owner, name in hidden:
        setattr(owner, name, True)


def _check_constraints() -> None:
    """Have Blender see which constraints have lost their bone: it looks only when Edit Mode is left or a target is set."""
    for obj in bpy.data.objects:
        for constraint in [constraint for bone in obj.pose.bones for constraint in bone.constraints] if obj.pose else ():
            if hasattr(constraint, "subtarget"):
                constraint.subtarget = constraint.subtarget  # setting it is what makes Blender look


def _remember() -> None:
    """Let Blender remember this state, to come back to it by Undo; without a window only a call does."""
    bpy.ops.ed.undo_push(message="step")
