"""The library's part of the command line: learn all styles again, and what recorded people have in common."""

import argparse
import sys
from pathlib import Path

from ...core.files.whole_file import write_text
from ...core.gait.kinds.gait import Gait
from ...core.human.gait_network import GaitNetwork
from ...core.people.curves import STORE, to_json
from ...core.shipped import DATA
from ...core.styles.learn import learned
from ...core.styles.learned_style import write_style
from ...core.styles.likeness import StyleFit
from ...core.styles.recording import record
from .curves import people_curves_of
from .people import ENTRIES, Entry, read_recording, write_common_manner

SHIPPED = DATA / "styles"


def add_styles(commands: argparse._SubParsersAction) -> None:
    """Add the library's subcommand to a command line."""
    styles = commands.add_parser("styles", help="learn the library of styles anew from recordings")
    styles.add_argument(
        "recordings", type=Path, help="folder with the clips that `training.styles.people` names"
    )
    styles.add_argument(
        "--out", type=Path, default=SHIPPED, help="folder to write to (default: the bundled one)"
    )
    styles.set_defaults(run=_make)
    people = commands.add_parser("people", help="find anew what recorded people's walks have in common")
    people.add_argument("recordings", type=Path, help="folder with walks and their manifest.csv")
    people.set_defaults(run=_find_people)
    curves = commands.add_parser(
        "curves", help="find anew in which curves recorded people and their strides differ"
    )
    curves.add_argument(
        "recordings", type=Path, help="folder with the clips that `training.styles.curves` names"
    )
    curves.set_defaults(run=_find_curves)


def _make(options: argparse.Namespace) -> int:
    missing = [entry.clip for entry in ENTRIES if not (options.recordings / entry.clip).exists()]
    if missing:  # before the old library is deleted
        print(
            f"'{options.recordings}' has no {missing[0]} ({len(missing)} of {len(ENTRIES)} clips are"
            " missing).",
            file=sys.stderr,
        )
        return 1
    natural = Gait(GaitNetwork.load())
    options.out.mkdir(parents=True, exist_ok=True)
    for number, entry in enumerate(ENTRIES, start=1):
        recorded = record(*read_recording(options.recordings / entry.clip))
        style = learned(recorded, natural, entry.name)
        write_style(options.out / file_name(number, entry), entry.finished(style))
        print(f"{entry.name}: {StyleFit.of(recorded, style, natural).words}")
    return 0


def _find_people(options: argparse.Namespace) -> int:
    write_common_manner(options.recordings, Gait(GaitNetwork.load()))
    return 0


def _find_curves(options: argparse.Namespace) -> int:
    write_text(STORE, to_json(people_curves_of(options.recordings, Gait(GaitNetwork.load()))))
    return 0


def file_name(number: int, entry: Entry) -> str:
    """Return the name of a style's file, with its place in the menu."""
    return f"{number:02d}_{entry.name.lower().replace(' ', '_')}.json"
