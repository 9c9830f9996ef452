"""Curved walking is as people's: lean, feet, inner and outer strides, and what is turned ahead into a bend.

Two people's figures of eight, veers and turns of 90 degrees (CMU 16 and 105), on recordings that are not part
of the repository. Each
clip's way, and its speed from moment to moment, is walked by our gait on the clip's own skeleton; both are
measured by `turning_strides`,
each less what it does straight on, and compared among strides of like curvature.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from neurarig_addon.core.character.body import Body
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.path.curve import Curve
from neurarig_addon.training.styles.people import read_recording
from tests.core.turning_strides import TurningStrides, Way, strides_of
from tests.core.walkers import WALKING
from tests.shared_data import shared_path

Pair = tuple[TurningStrides, TurningStrides]  # people's, and ours

LIMIT_SD = 2.0
# Of each person: clips that go straight on, and clips that bend.
PEOPLE = {
    "16": (
        [f"mocap/walk/cmu_16_{number}.bvh" for number in (15, 16, 21, 22, 47, 58)],
        [
            f"mocap/walk/cmu_16_{number}.bvh"
            for number in (11, 12, 13, 14, 17, 18, 19, 20, 23, 24, 25, 26, 27, 28, 30)
        ],
    ),
    "105": (
        [f"gaits/style/cmu_105_{number}.bvh.gz" for number in ("36", "57")],
        [f"gaits/style/cmu_105_{number}.bvh.gz" for number in ("01", "03", "04", "62")],
    ),
}
STRAIGHT = 0.12  # radians a leg: what bends less is straight
BENDS = ((STRAIGHT, 0.4), (0.4, 0.8), (0.8, 1.3))  # radians a leg
LEAD_IN = 4.0  # metres straight on before and after a clip's way, so that nobody starts or stops on it
SAMPLED_S = 0.1  # of the speeds that are keyed
FIGURES = {
    "trunk": ("trunk leans in", "deg", 0),
    "legs": ("hips lean in over the feet", "deg", 0),
    "pelvis": ("pelvis turned in", "deg", 0),
    "chest": ("chest turned in", "deg", 0),
    "head": ("head turned in", "deg", 0),
    "foot": ("foot turned in", "deg", 1),
    "length": ("stride, of straight on", "", 1),
    "share": ("stride, of the hips' way", "", 1),
}


def test_lean_turns_feet_and_strides_in_bends_are_within_those_of_people() -> None:
    """Our mean is within two standard deviations of people's single strides, and mostly within one; `-s`
    shows the figures."""
    people, ours = (TurningStrides.together(list(parts)) for parts in zip(*everybody(), strict=True))
    off = {}
    for bend in BENDS:
        off |= compared(bend, *(within(strides, *bend) for strides in (people, ours)))
    assert len(off) == 33
    assert not {what: share for what, share in off.items() if share > LIMIT_SD}
    assert sum(share < 1.0 for share in off.values()) > 28, "most of them in the midst of people's"


def compared(bend: tuple[float, float], people: TurningStrides, ours: TurningStrides) -> dict[str, float]:
    """Return how far strides in like bends are off, in standard deviations: what both feet share, then inner
    and outer feet each."""
    found = {}
    for name, (what, unit, of_a_foot) in FIGURES.items():
        for foot, side in (("inner ", 1.0), ("outer ", -1.0)) if of_a_foot else (("", 0.0),):
            theirs, mine = (
                getattr(strides, name)[(strides.side == side) | (side == 0.0)] for strides in (people, ours)
            )
            title = f"{bend[0]} to {bend[1]} rad a leg: {foot}{what}"
            found[title] = abs(mine.mean() - theirs.mean()) / theirs.std()
            print(
                f"{title}: people {theirs.mean():.2f} +- {theirs.std():.2f} ({len(theirs)}), ours"
                f" {mine.mean():.2f} ({len(mine)}) {unit}"
            )
    return found


def within(strides: TurningStrides, low: float, high: float) -> TurningStrides:
    return strides.take((np.abs(strides.bend) >= low) & (np.abs(strides.bend) < high))


def everybody() -> Iterator[tuple[TurningStrides, TurningStrides]]:
    """Yield the strides of each person in bends, and ours on the same way, each less those straight on."""
    for straight, bent in PEOPLE.values():
        level, bends = [pair(name) for name in straight], [pair(name) for name in bent]
        yield in_bends(level, bends, 0), in_bends(level, bends, 1)


def in_bends(level: list[Pair], bends: list[Pair], whose: int) -> TurningStrides:
    """Return the strides in bends of people, 0, or ours, 1, into the bends and less what they do straight
    on."""
    bent = TurningStrides.together([found[whose] for found in bends])
    every = TurningStrides.together([*(found[whose] for found in level), bent])
    return bent.less(within(every, 0.0, STRAIGHT)).into_bends()


def pair(name: str) -> Pair:
    """Return the strides of a clip, and ours on its way."""
    character, clip = read_recording(shared_path("data", *Path(name).parts))
    motions = character.motions(clip)
    own = walked(character.body, Way.of(motions, clip.fps), clip.fps)
    return strides_of(character.body, motions, clip.fps), strides_of(character.body, own, clip.fps)


def walked(body: Body, way: Way, fps: float) -> dict[str, Motion]:
    """Return the motions of our walk on somebody's way at his speeds, seen from the world, as long as his
    clip."""
    ends = way.place[[0, -1]]
    ahead = LEAD_IN * np.stack([np.cos(way.heading[[0, -1]]), np.sin(way.heading[[0, -1]])], -1)
    points = np.concatenate([ends[:1] - ahead[:1], way.place, ends[1:] + ahead[1:]])
    path = Curve.through(np.column_stack([points, np.zeros(len(points))]), body.leg_length, slows=False)
    every = max(1, round(SAMPLED_S * fps))
    start = -LEAD_IN / way.speed[0] * fps
    keys = np.concatenate([[start], np.arange(0, len(way.speed), every)])
    speeds = np.concatenate([way.speed[:1], way.speed[::every]])
    track = StyleTrack(Style(speed=float(way.speed.mean())), {"speed": (keys, speeds)})
    pose = walk(
        body,
        track,
        Clock(fps, start, whole_frames=False),
        np.arange(len(way.speed), dtype=float),
        WALKING,
        path,
    )
    return {role: pose.root.holding(motion) for role, motion in pose.motions.items()}
