"""The library's part of the command line: learn all styles again, and make those without a recording."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ...core.contract.channels import CHANNELS, IS_LENGTH
from ...core.files.whole_file import write_text
from ...core.gait.kinds.gait import Gait
from ...core.human.gait_network import GaitNetwork
from ...core.people.curves import STORE, to_json
from ...core.shipped import DATA
from ...core.styles.learn import learned
from ...core.styles.learned_style import LearnedStyle, write_style
from ...core.styles.likeness import StyleFit
from ...core.styles.recording import record
from ...core.waves import TERMS, fourier_basis
from .curves import people_curves_of
from .people import ENTRIES, Entry, read_recording, write_common_manner

CREDIT = "Made of the natural walk"
SIDES = ("_l", "_r")
SAMPLES = 128


@dataclass(frozen=True)
class MadeStyle:
    """A style to make.  A channel of both sides is named without a side, such as `arm.flexion`.

    `vhat`: its own dimensionless speed. `gains`: relative change of natural curves, 0 for none. `held`:
    constant offsets in leg lengths
    or degrees; `waves`: added cosines, over the phase of the channel's own foot, of the left one for the
    midline: size in leg lengths or
    degrees, phase of the peak in cycles, and times per cycle.
    `stride`, `duty`: as in LearnedStyle; `width` in leg lengths and `toe_out` in degrees are added to each
    print, `knees` in degrees.
    """

    name: str
    description: str
    vhat: float
    stride: float
    duty: float
    width: float
    toe_out: float
    knees: float
    gains: Mapping[str, float]
    held: Mapping[str, float]
    waves: Mapping[str, Sequence[tuple[float, float, int]]]
    credit: str = CREDIT

    def style(self) -> LearnedStyle:
        """Return it as a learned style."""
        gains, curves = np.zeros(len(CHANNELS)), np.zeros((len(CHANNELS), TERMS))
        for name, gain in self.gains.items():
            gains[_columns(name)] = gain
        for name, size in self.held.items():
            curves[_columns(name), 0] += size
        phase = np.arange(SAMPLES) / SAMPLES
        for name, waves in self.waves.items():
            curves[_columns(name)] += _terms(
                sum(size * np.cos(2.0 * np.pi * often * (phase - peak)) for size, peak, often in waves)
            )
        curves[~IS_LENGTH] = np.radians(curves[~IS_LENGTH])
        knees = np.zeros((2, TERMS))
        knees[:, 0] = np.radians(self.knees)
        return LearnedStyle(
            name=self.name,
            vhat=self.vhat,
            gains=gains,
            curves=curves,
            knees=knees,
            stride=self.stride,
            duty=np.full(2, self.duty),
            lead=0.0,
            beat=0.0,
            prints=np.tile([0.0, self.width, np.radians(self.toe_out)], (2, 1)),
            description=self.description,
            credit=self.credit,
        )


def _columns(name: str) -> list[int]:
    """Return the columns of a channel: its own, or those of both sides."""
    block, axis = name.split(".")
    return [
        CHANNELS.index(full)
        for full in (name, *(f"{block}{side}.{axis}" for side in SIDES))
        if full in CHANNELS
    ]


def _terms(course: np.ndarray) -> np.ndarray:
    """Return the Fourier terms `(TERMS,)` of a curve `(SAMPLES,)`."""
    terms = fourier_basis(np.arange(SAMPLES) / SAMPLES).T @ course * (2.0 / SAMPLES)
    terms[:2] *= 0.5, 0.0
    return terms


# The other foot strikes half a cycle later: effects of both feet come twice. A foot bears most in the middle
# of its stance, at 0.3.
MADE = tuple(
    MadeStyle(**row)
    for row in json.loads(Path(__file__).with_name("tuned_styles.json").read_text(encoding="utf-8"))
)


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
    for old in options.out.glob("*_*.json"):
        old.unlink()
    for number, entry in enumerate(ENTRIES, start=1):
        recorded = record(*read_recording(options.recordings / entry.clip))
        style = replace(
            learned(recorded, natural, entry.name), description=entry.description, credit=entry.credit
        )
        write_style(options.out / file_name(number, entry), style)
        print(f"{entry.name}: {StyleFit.of(recorded, style, natural).words}")
    for number, made in enumerate(MADE, start=len(ENTRIES) + 1):
        write_style(options.out / file_name(number, made), made.style())
        print(f"{made.name}: made")
    return 0


def _find_people(options: argparse.Namespace) -> int:
    write_common_manner(options.recordings, Gait(GaitNetwork.load()))
    return 0


def _find_curves(options: argparse.Namespace) -> int:
    write_text(STORE, to_json(people_curves_of(options.recordings, Gait(GaitNetwork.load()))))
    return 0


def file_name(number: int, entry: Entry | MadeStyle) -> str:
    """Return the name of a style's file, with its place in the menu."""
    return f"{number:02d}_{entry.name.lower().replace(' ', '_')}.json"
