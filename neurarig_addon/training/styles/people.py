"""The recordings of the library of styles; and what recorded people's walks have in common beside the natural
walk: the mean of their styles.

Of the latter the trunk is kept, and how far apart prints are.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...core.character.character import Character
from ...core.contract.channels import CHANNELS, IS_LENGTH, OTHERS, SIGNS
from ...core.contract.inputs import slow_inputs
from ...core.errors import NeuraRigError
from ...core.gait.inputs.proportions import natural_spacing
from ...core.gait.kinds.gait import Gait
from ...core.gait.kinds.natural import GROWS
from ...core.skeleton.clip import Clip
from ...core.styles.cycle import mean_cycle
from ...core.styles.learn import fourier_terms, learned, natural_curves
from ...core.styles.learned_style import AHEAD, OUTWARD, PART_OF, PARTS, STORE, LearnedStyle, write_style
from ...core.styles.recording import RecordedStrides, record
from ...core.waves import TERMS
from ..recordings import manifest_rows, read_clip

CMU = "mocap.cs.cmu.edu, created with funding from NSF EIA-0196217"


class Entry(NamedTuple):
    """A style of the library, and its clip relative to the folder of recordings.

    `pushed`: what makes it read is pushed farther than it was acted, as animators do. Of a channel: degrees
    or leg lengths added, a factor on what the recording swings beside the natural walk, and a share of the
    natural swing added. `prints`: added to those of the style.
    """

    name: str
    clip: str
    description: str
    credit: str
    pushed: Mapping[str, Sequence[float]] = {}
    prints: Any = 0.0

    def finished(self, style: LearnedStyle) -> LearnedStyle:
        """Return a style learned from the clip as the library has it."""
        curves, gains = style.curves.copy(), style.gains.copy()
        for channel, (added, swing, natural) in self.pushed.items():
            row = CHANNELS.index(channel)
            curves[row, 1:] *= swing
            curves[row, 0] += added if IS_LENGTH[row] else np.radians(added)
            gains[row] += natural
        return replace(
            style,
            curves=curves,
            gains=gains,
            prints=style.prints + self.prints,
            description=self.description,
            credit=self.credit,
        )


# In the order of the menu.
ENTRIES = tuple(
    Entry(**row) for row in json.loads(Path(__file__).with_name("library.json").read_text(encoding="utf-8"))
)


def read_recording(path: Path) -> tuple[Character, Clip]:
    """Return a clip and its character; raises NeuraRigError if it cannot be read."""
    clip = read_clip(path)
    return Character.of(clip.skeleton), clip


NAME = "Common Manner"
VHAT = 0.42  # the speed to which all are brought: 1.3 m/s of an adult
MOST_CLIPS = 6  # of a person; all persons count alike
# The recordings' pelvis joints lie askew: only part of what their hips show in the frontal plane is the
# pelvis'.
ROLL = "pelvis.roll"
ROLL_SHARE = 0.5
# Of them the trunk is kept. Legs stay the natural gait's, as knees of skeletons fitted to recordings read 6
# to 9 degrees more bent than laboratories', and arms and heads those of each person.
HELD = [PARTS.index("trunk")]
LEGS_OF_ALL: dict[str, Any] = {
    "stride": 0.0,
    "lead": 0.0,
    "duty": np.zeros(2),
    "knees": np.zeros((2, TERMS)),
    "thighs": None,
}


def common_manner(folder: Path, natural: Gait, without: str | None = None) -> LearnedStyle:
    """Return what the people of a folder with a `manifest.csv` have in common, except for one who is left out
    to judge by."""
    people = [_mean(styles) for subject, styles in _styles(folder, natural).items() if subject != without]
    common = _mean([side for person in people for side in (person, mirrored(person))])
    curves = common.curves.copy()
    curves[~np.isin(PART_OF, HELD)] = 0.0
    curves[CHANNELS.index(ROLL)] *= ROLL_SHARE
    prints = common.prints.copy()
    prints[:, OUTWARD + 1 :] = 0.0
    return replace(common, name=NAME, curves=curves, prints=prints, **LEGS_OF_ALL)


def mirrored(style: LearnedStyle) -> LearnedStyle:
    """Return a style with left and right swapped."""
    half = np.where(np.arange(TERMS) // 2 % 2, -1.0, 1.0)  # half a cycle later
    curves = style.curves[OTHERS] * SIGNS[:, None]
    midline = np.arange(len(CHANNELS)) == OTHERS
    return replace(
        style,
        curves=np.where(midline[:, None], curves * half, curves),
        gains=style.gains[OTHERS],
        knees=style.knees[::-1],
        duty=style.duty[::-1],
        prints=style.prints[::-1],
        beat=-style.beat,
        bends=None,
    )


def _styles(folder: Path, natural: Gait) -> dict[str, list[LearnedStyle]]:
    """Return the styles of each person's steady straight walks, at one speed."""
    found: dict[str, list[LearnedStyle]] = defaultdict(list)
    for subject, clip in _clips(folder):
        if len(found[subject]) < MOST_CLIPS:
            try:
                recorded = record(*read_recording(clip))
                found[subject].append(
                    _at_one_speed(_without_gains(recorded, learned(recorded, natural, subject), natural))
                )
            except NeuraRigError as problem:
                print(f"{clip.name}: {problem}")
    return {subject: styles for subject, styles in found.items() if styles}


def _clips(folder: Path) -> Iterable[tuple[str, Path]]:
    for row in manifest_rows(folder):
        if row["group"] == "walk" and row["steady_straight"] == "1":
            yield row["subject"], folder / row["file"]


def _without_gains(recorded: RecordedStrides, style: LearnedStyle, natural: Gait) -> LearnedStyle:
    """Return the same style with shares of natural curves written out, so that styles can be added."""
    body, cycle = recorded.character.body, mean_cycle(recorded)
    slow = slow_inputs(body, np.array([cycle.speed]), np.array([natural_spacing(body)]))
    shared = (
        style.gains * natural_curves(natural, slow, cycle.beat) / np.where(IS_LENGTH, body.leg_length, 1.0)
    )
    return replace(style, gains=0.0 * style.gains, curves=style.curves + fourier_terms(shared))


def _at_one_speed(style: LearnedStyle) -> LearnedStyle:
    grown = (VHAT / style.vhat) ** GROWS
    curves, prints = style.curves.copy(), style.prints.copy()
    curves[:, 1:] *= grown
    prints[:, AHEAD] *= grown
    return replace(
        style, vhat=VHAT, curves=curves, prints=prints, knees=grown * style.knees, lead=grown * style.lead
    )


def _mean(styles: Sequence[LearnedStyle]) -> LearnedStyle:
    means: dict[str, Any] = {
        name: np.mean([getattr(style, name) for style in styles], axis=0)
        for name in ("curves", "knees", "duty", "prints", "stride", "lead", "beat")
    }
    return replace(styles[0], bends=None, **means)


def write_common_manner(folder: Path, natural: Gait) -> None:
    """Write the bundled file anew from a folder of recorded people."""
    write_style(
        STORE,
        replace(
            common_manner(folder, natural), description="What recorded people have in common", credit=CMU
        ),
    )
