"""The acts' part of the command line: learn them anew, and make those without a recording."""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ...core.acts.act import OBJECT, STAND, STEP, SURFACE, Act
from ...core.acts.act_file import SHIPPED, write_act
from ...core.acts.learn import learned
from ...core.character.character import Character
from ...core.ikrig.encode import encode
from ...core.takes.performance import Performance
from ..recordings import read_clip
from ..styles.people import CMU
from .finish import (
    ARMS,
    GESTURES,
    LIBRARY,
    backwards,
    bowing,
    held_low,
    lessened,
    looking_ahead,
    prompt,
    taking,
    with_keys,
)
from .mean import mean_act
from .steps import learned_step

METRES = 0.0254 / 0.45  # of a unit of the recordings
TOUCHES_S = 0.5  # seconds
MOST_BOWED = 66.0  # degrees that a chest is pitched
# x the pitch of a recorded chest: so far that of a spine of three bones goes for its line from hips to
# shoulders to lean as the recorded one
LEANS = 2.4


class ShownInClip(NamedTuple):
    """An act in a clip of a folder of recordings, between two moments in seconds; None: where the body
    stands.

    `feet`, `arms`: whether it shows what these do: some recordings guess toes and heels badly, and some
    people do not swing their arms.
    """

    clip: str
    first: float | None = None
    last: float | None = None
    mirrored: bool = False
    feet: bool = True
    arms: bool = True

    def act(self, folder: Path, base: str, name: str) -> Act:
        """Return the act that it shows."""
        clip = read_clip(folder / self.clip, METRES)
        character = Character.of(clip.skeleton)
        performance = Performance.of(encode(character, clip), character)
        if base == STEP:
            assert self.first is not None and self.last is not None
            found = learned_step(performance, name, self.first, self.last)
        else:
            found = learned(performance, name, self.first, self.last)
        return found.mirrored if self.mirrored else found


class ActEntry(NamedTuple):
    """An act of the library: the mean of what recordings show, and with left and right exchanged if it is
    `even`."""

    number: int
    name: str
    description: str
    shows: Sequence[ShownInClip]
    base: str = STAND
    even: bool = False
    credit: str = CMU


def _stooping(act: Act, on: str = OBJECT) -> Act:
    return prompt(taking(bowing(with_keys(act, ARMS["stooping"]), MOST_BOWED), "r", on))


FINISHES: Mapping[str, Callable[[Act], Act]] = {
    "Sit": lambda act: prompt(looking_ahead(act), 0.88),
    "Pick Up": _stooping,
    "Put Down": lambda act: backwards(_stooping(act)),
    "Touch": lambda act: held_low(_stooping(act, SURFACE), TOUCHES_S),
    "Crouch": lambda act: prompt(held_low(with_keys(lessened(act, 0.66), ARMS["crouching"]), 1.2)),
    "Leap": lambda act: lessened(act, 0.91, chest=LEANS),
}
# In the order of the menu.
ENTRIES = tuple(
    ActEntry(**{**row, "shows": [ShownInClip(**shown) for shown in row["shows"]]})
    for row in LIBRARY["learned"]
)


def add_acts(commands: argparse._SubParsersAction) -> None:
    """Add the acts' subcommand to a command line."""
    acts = commands.add_parser("acts", help="learn the bundled acts anew from recordings")
    acts.add_argument(
        "recordings", type=Path, help="folder with the clips that `training.acts.library` names"
    )
    acts.add_argument(
        "--out", type=Path, default=SHIPPED, help="folder to write to (default: the bundled one)"
    )
    acts.set_defaults(run=_make)


def _make(options: argparse.Namespace) -> int:
    clips = sorted({shown.clip for entry in ENTRIES for shown in entry.shows})
    missing = [clip for clip in clips if not (options.recordings / clip).exists()]
    if missing:  # before the old acts are deleted
        print(
            f"'{options.recordings}' has no {missing[0]} ({len(missing)} of {len(clips)} clips are missing).",
            file=sys.stderr,
        )
        return 1
    found = [(entry.number, made(entry, options.recordings)) for entry in ENTRIES]
    found += [(gesture.number, gesture.act()) for gesture in GESTURES]
    options.out.mkdir(parents=True, exist_ok=True)
    for old in options.out.glob("*_*.json"):
        old.unlink()
    for number, act in found:
        write_act(options.out / file_name(number, act.name), act)
        print(f"{act.name}: {act.seconds:.2f} s, {len(act.curves.at)} knots")
    return 0


def made(entry: ActEntry, folder: Path) -> Act:
    """Return an act of the library, learned from a folder of recordings."""
    shown = [one.act(folder, entry.base, entry.name) for one in entry.shows]
    often = 2 if entry.even else 1
    shown += [act.mirrored for act in shown] if entry.even else []
    act = mean_act(
        shown, often * [one.feet for one in entry.shows], often * [one.arms for one in entry.shows]
    )
    act = FINISHES[entry.name](act) if entry.name in FINISHES else act
    return replace(act, name=entry.name, description=entry.description, credit=entry.credit)


def file_name(number: int, name: str) -> str:
    """Return the name of an act's file, with its place in the menu."""
    return f"{number:02d}_{name.lower().replace(' ', '_')}.json"
