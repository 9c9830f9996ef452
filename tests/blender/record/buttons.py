"""Every button in some states of a character, as a user presses it: what it reports, and what the file is afterwards."""

from functools import partial

import bpy

from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen
from tests.blender.situated import STATES

# What waits for another program, goes on in the window, or writes into the clipboard.
ELSEWHERE = {"start_link", "train_profile", "pick_footprint", "open_profile", "copy_pip_line", "cancel_training", "stop_link"}
IN = ("free", "baked", "prints in hand", "posed")  # `test_all_buttons` goes through all states
FRAMES = (1, 8)


def pressed(state: str, seen: Seen) -> None:
    """Press every button; what finishes is looked at, and done away with."""
    begin = STATES[state]
    begin()
    seen.look(*FRAMES)
    for name in dir(bpy.ops.neurarig):
        if name not in ELSEWHERE:
            seen.press(name)
            if seen.has_finished:
                seen.look(*FRAMES)
                bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
                begin()


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    return {state: partial(pressed, state) for state in IN}
