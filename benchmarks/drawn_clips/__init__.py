"""Drawn clips, characters and scenes, two hundred of each kind: python -m benchmarks drawn_clips.

A result is within 2 cm of the truth, or something is said of it; a refusal in one sentence counts as said.
`DRAWS=first:last` in the environment: which are drawn of each kind; `KINDS=word`: only kinds with that word
in their names.
"""

import os

from benchmarks.drawn_clips.files import rest_pose, spelling
from benchmarks.drawn_clips.outcome import Kind, row_of
from benchmarks.drawn_clips.places import axes
from benchmarks.drawn_clips.scenes import own_keys, slots
from benchmarks.drawn_clips.skating import skates
from benchmarks.drawn_clips.times import rate
from benchmarks.drawn_clips.walkers import looks, rig
from benchmarks.table import Row

KINDS = (
    Kind("rest poses", rest_pose),
    Kind("spellings of BVH", spelling),
    Kind("rates and Time Stretching", rate),
    Kind("upward axes and units", axes),
    Kind("generated motion that skates", skates),
    Kind("slots", slots),
    Kind("own keys under a walk", own_keys),
    Kind("rigs that lean", rig),
    Kind("walkers that look at each other", looks, draws=60),
)


def rows() -> list[Row]:
    """Draw every kind and return how often it was silently wrong."""
    wanted, found = os.environ.get("KINDS", ""), []
    for kind in KINDS:
        if wanted in kind.name:
            first, last = map(int, os.environ.get("DRAWS", f"0:{kind.draws}").split(":"))
            found.append(row_of(kind, range(first, last)))
            print(f"{found[-1].what}: {found[-1].value:.0f}; {found[-1].note}", flush=True)
    return found
