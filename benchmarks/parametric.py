"""Turn Clip into Walk of the straight and turning walks of the shared recordings, on several bodies: how far
off the clip, and slip.

Joints are compared with the clip as it is retargeted to the same body, in millimetres of a person of 1.75 m.
Clips that do not walk (runs,
steps on the spot, sideways) are refused; the reasons are printed. Needs the shared recordings; `EVERY=n`:
only each nth of them.
"""

import os
from dataclasses import replace

import numpy as np

from benchmarks.table import Row
from neurarig_addon.core.character.character import Character
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.gait.kinds.gait import Gait
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.human.adult import human_body
from neurarig_addon.core.human.gait_network import GaitNetwork
from neurarig_addon.core.path.curve import Curve
from neurarig_addon.core.path.path import Path as Way
from neurarig_addon.core.retarget.source import encode_clip
from neurarig_addon.core.steps import finish
from neurarig_addon.core.styles.styled_gait import in_styles
from neurarig_addon.core.takes.parametric import Parametric, made_parametric
from neurarig_addon.core.takes.performance import Performance
from neurarig_addon.training.styles.people import read_recording
from tests.core.retarget_bodies import bodies
from tests.core.walk_measures import greatest_slip
from tests.shared_data import shared_path

NATURAL = Gait(GaitNetwork.load())
FOLDERS = ("mocap/walk", "gaits/walk")
OTHERS = ("human", "child", "ape")
MOST_OFF_MM, MOST_SLIP_MM = 25.0, 0.5
SPEEDS = (1.0, 0.75, 1.3)


def rows() -> list[Row]:
    """Return the figures of the clips on each body."""
    root = shared_path("data")
    paths = [path for folder in FOLDERS for path in sorted((root / folder).glob("*.bvh*"))]
    clips = [read_recording(path) for path in paths[:: int(os.environ.get("EVERY", "1"))]]
    found: list[Row] = []
    for name in ("its own body", *OTHERS):
        off, worst, slips, refused = [], "", [], 0
        for character, clip in clips:
            target = character if name not in OTHERS else bodies()[name]
            try:
                performance = Performance.of(encode_clip(character, clip), target)
                made, way = _parametric(performance)
            except NeuraRigError as refusal:
                refused += 1
                if name not in OTHERS:
                    print(f"{clip.name:14s} refused: {refusal}")
                continue
            worst = clip.name if not off or made.off_mm > max(off) else worst
            off.append(made.off_mm)
            slips.append(max(_slip_mm(target, made, way, performance.fps, pace) for pace in SPEEDS))
        note = (
            f"{len(off)} clips, {refused} refused; worst {worst} {max(off):.1f};"
            f" {np.mean(np.array(off) <= MOST_OFF_MM):.0%} within"
        )
        found.append(
            Row(f"joints off the clip, mean, {name}", float(np.mean(off)), MOST_OFF_MM, "mm", note=note)
        )
        found.append(Row(f"slip at {len(SPEEDS)} speeds, most, {name}", max(slips), MOST_SLIP_MM, "mm"))
    return found


def _parametric(performance: Performance) -> tuple[Parametric, Way]:
    ways: list[Way] = []

    def lead(line: np.ndarray) -> Way:
        ways.append(Curve.through(line, performance.character.body.leg_length, slows=False))
        return ways[0]

    return finish(made_parametric(performance, NATURAL, lead)), ways[0]


def _slip_mm(character: Character, made: Parametric, way: Way, fps: float, pace: float) -> float:
    """Return the greatest slip of the walk at a share of its speed, in mm of a person of 1.75 m."""
    gait = replace(in_styles(NATURAL, [made.style]), take=made.take)
    track = StyleTrack(Style(speed=pace * made.speed, phase=made.phase))
    frames = np.arange((made.seconds[1] - made.seconds[0]) / pace * fps)
    pose = walk(character.body, track, Clock(fps, 0.0), frames, gait, way)
    return 1e3 * greatest_slip(character.body, pose) * human_body("A").leg_length / character.body.leg_length
