"""What can happen in a situation, and the sequences of it that are drawn."""

from dataclasses import dataclass
from random import Random

from tests.blender.situations import (
    action_edits,
    bone_edits,
    constraint_edits,
    file_edits,
    mode_edits,
    object_edits,
    ours,
    pose_bone_edits,
    thing_edits,
    track_edits,
)
from tests.blender.situations.edit import Edit

STEPS = 12
SHARE_OF_OURS = 0.45
EDITS = {
    name: kind
    for module in (
        bone_edits,
        pose_bone_edits,
        constraint_edits,
        action_edits,
        track_edits,
        mode_edits,
        object_edits,
        file_edits,
        thing_edits,
    )
    for name, kind in vars(module).items()
    if isinstance(kind, type) and issubclass(kind, Edit) and kind is not Edit
}
OURS = {
    name: kind
    for name, kind in vars(ours).items()
    if isinstance(kind, type) and issubclass(kind, ours.Ours) and kind is not ours.Ours
}


@dataclass(frozen=True)
class Step:
    """One step of a sequence: an edit or an operator by name, and the seed of all that is drawn in it."""

    kind: str
    seed: int


# What has to do with things that hands take, besides the edits of these.
OF_THINGS = {
    *("Carry", "AddAct", "MoveAct", "RemoveAct", "Remove", "Bake", "Pause", "Resume", "Preset"),
    *(
        "SaveAndOpen",
        "AppendToNewFile",
        "Undo",
        "Redo",
        "SetFrame",
        "RenameObject",
        "DuplicateObject",
        "DeleteCopy",
        "MoveObject",
    ),
}


def drawn(seed: int, count: int = STEPS, things: bool = False) -> list[Step]:
    """Return the steps of a sequence, which follow from its seed alone; each draws for itself, so some can be
    left out.

    `things`: only those that have to do with things in hands.
    """
    rng, of_things = Random(seed), OF_THINGS | {name for name in vars(thing_edits) if name in EDITS}
    edits = [
        name for name, kind in EDITS.items() for _ in range(kind.weight) if not things or name in of_things
    ]
    operators = [
        name for name, kind in OURS.items() for _ in range(kind.weight) if not things or name in of_things
    ]
    return [
        Step(rng.choice(operators if rng.random() < SHARE_OF_OURS else edits), rng.randrange(1 << 30))
        for _ in range(count)
    ]
