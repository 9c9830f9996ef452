"""The acts' part of the command line: learn them anew, and make those without a recording."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from ...core.acts.act import Act
from ...core.acts.act_file import SHIPPED, write_act
from .library import ENTRIES, ActEntry
from .made import GESTURES
from .mean import mean_act


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
    act = entry.finish(
        mean_act(shown, often * [one.feet for one in entry.shows], often * [one.arms for one in entry.shows])
    )
    return replace(act, name=entry.name, description=entry.description, credit=entry.credit)


def file_name(number: int, name: str) -> str:
    """Return the name of an act's file, with its place in the menu."""
    return f"{number:02d}_{name.lower().replace(' ', '_')}.json"
