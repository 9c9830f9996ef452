"""Learned styles against the recordings: learned from every second stride, walked by others, compared with
the strides between.

The judge of the last rows knows recorded strides only: it names the style whose mean stride is nearest, joint
angle by joint angle, each
counted in how much single strides of one style differ in it.  Needs the shared recordings.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import numpy as np

from benchmarks.table import Row
from neurarig_addon.core.character.body import Body
from neurarig_addon.core.gait.kinds.gait import Gait
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.human.adult import human_body
from neurarig_addon.core.human.gait_network import GaitNetwork
from neurarig_addon.core.styles.body_fit import on_body
from neurarig_addon.core.styles.learn import learned
from neurarig_addon.core.styles.learned_style import LearnedStyle, to_json
from neurarig_addon.core.styles.likeness import StyleFit, apart, mean_of, recorded_angles, walked_angles
from neurarig_addon.core.styles.recording import record
from neurarig_addon.core.styles.styled_gait import in_styles
from neurarig_addon.training.styles.people import ENTRIES, read_recording
from tests.core.retarget_bodies import bodies
from tests.shared_data import shared_path

NATURAL = Gait(GaitNetwork.load())
FOLDER = "gaits/style"
SPEEDS = (1.0, 1.25, 0.75)  # x that at which a style was learned
LONG_CLIP = "gaits/style/cmu_105_13.bvh.gz"  # 25 s
SAMPLED = 5  # every so many phases count for the judge
Angles = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Subject:
    """A recorded manner: `style` learned from every second stride, the angles of these and of the `others`
    `(strides, phases)`."""

    name: str
    style: LearnedStyle
    used: Angles
    others: Angles


def rows() -> list[Row]:
    """Return the figures of learned styles."""
    root = shared_path("data")
    subjects = [_subject(entry.name, root / entry.clip) for entry in ENTRIES if entry.clip.startswith(FOLDER)]
    rigs = {"adult": human_body("A"), "child": bodies()["child"].body, "giant": bodies()["giant"].body}
    return [*_likeness(subjects, rigs["adult"]), *_judged(subjects, rigs), *_costs(root / LONG_CLIP)]


def _subject(name: str, path: Path) -> Subject:
    recorded = record(*read_recording(path))
    count = len(recorded.strides)
    odd = np.arange(1, count, 2) if count > 1 else np.arange(1)
    half = recorded.take(np.arange(0, count, 2))
    return Subject(
        name, learned(half, NATURAL, name), recorded_angles(half), recorded_angles(recorded.take(odd))
    )


def _likeness(subjects: list[Subject], body: Body) -> list[Row]:
    far, shares, floor, reachable = [], [], [], []
    for one in subjects:
        truth = mean_of(one.others)
        error = apart(
            truth,
            walked_angles(body, on_body(in_styles(NATURAL, [one.style]), body, NATURAL), one.style.vhat),
        )
        natural = apart(truth, walked_angles(body, NATURAL, one.style.vhat))
        between = apart(truth, mean_of(one.used))
        far.append(error)
        shares.append(1.0 - error**2 / natural**2)
        floor.append(between)
        reachable.append(1.0 - between**2 / natural**2)
        print(
            f"{one.name:14s} off {error:5.1f}  halves differ {between:5.1f}  natural gait off {natural:5.1f} "
            f" share {shares[-1]:6.2f}"
        )
    apart_by = f"the halves of the recordings differ by {np.mean(floor):.1f}, worst style {max(far):.1f}"
    return [
        Row(
            f"{len(subjects)} styles on another rig, off the other strides",
            float(np.mean(far)),
            6.0,
            "deg",
            note=apart_by,
        ),
        Row(
            "share of the manner explained",
            float(np.mean(shares)),
            0.75,
            "",
            True,
            f"the other half itself {np.mean(reachable):.2f}",
        ),
    ]


class Judge:
    """Names the recorded style whose mean stride is nearest."""

    def __init__(self, strides: Mapping[str, list[Angles]]) -> None:
        self.joints = sorted(set.intersection(*(set(one) for angles in strides.values() for one in angles)))
        self.means = {
            name: np.mean([self._features(one) for one in angles], axis=0) for name, angles in strides.items()
        }
        single = [
            self._features(one) - self.means[name]
            for name, angles in strides.items()
            for one in angles
            if len(angles) > 1
        ]
        self.spread = np.sqrt(np.mean(np.square(single), axis=(0, 2), keepdims=True))[0] + 1.0

    def _features(self, angles: Angles) -> np.ndarray:
        return np.array([angles[joint][::SAMPLED] for joint in self.joints])

    def name(self, angles: Angles) -> str:
        """Return the name of the style of joint angles `(phases,)`."""
        seen = self._features(angles)

        def off(name: str) -> float:
            away = (seen - self.means[name] + 180.0) % 360.0 - 180.0
            return float(np.mean((away / self.spread) ** 2))

        return min(self.means, key=off)


def _judged(subjects: list[Subject], rigs: Mapping[str, Body]) -> list[Row]:
    of = f"{len(subjects)} styles, {len(rigs)} rigs"
    found = []
    for what, halves in (
        ("all recorded strides", ("used", "others")),
        ("the other strides only", ("others",)),
    ):
        judge = Judge(
            {
                one.name: [stride for half in halves for stride in _strides(getattr(one, half))]
                for one in subjects
            }
        )
        right = {
            speed: [_is_known(judge, one, body, speed) for body in rigs.values() for one in subjects]
            for speed in SPEEDS
        }
        other_speeds = [right[speed] for speed in SPEEDS if speed != 1.0]
        found += [
            Row(
                f"nearest style is right, judge of {what}",
                100.0 * float(np.mean(right[1.0])),
                90.0,
                "%",
                True,
                of,
            ),
            Row("  25 % faster and slower", 100.0 * float(np.mean(other_speeds)), 80.0, "%", True, of),
        ]
    return found


def _is_known(judge: Judge, one: Subject, body: Body, speed: float) -> bool:
    said = judge.name(
        walked_angles(body, on_body(in_styles(NATURAL, [one.style]), body, NATURAL), speed * one.style.vhat)
    )
    if said != one.name:
        print(f"{one.name} at {speed:.2f} x its speed is taken for {said}")
    return said == one.name


def _strides(angles: Angles) -> list[Angles]:
    return [
        {joint: values[row] for joint, values in angles.items()}
        for row in range(len(next(iter(angles.values()))))
    ]


def _costs(path: Path) -> list[Row]:
    character, clip = read_recording(path)
    begun = process_time()
    recorded = record(character, clip)
    style = learned(recorded, NATURAL, "Cost")
    StyleFit.of(recorded, style, NATURAL)
    taken = process_time() - begun
    body = human_body("A")
    plain, styled = (
        _seconds(body, StyleTrack(Style(speed=0.7)), gait) for gait in (NATURAL, in_styles(NATURAL, [style]))
    )
    return [
        Row(f"learn a clip of {len(clip) / clip.fps:.0f} s", taken, 2.0, "s"),
        Row("a style's file", len(to_json(style).encode()) / 1024.0, 40.0, "kB"),
        Row("block of 64 frames in a style, times the natural walk", styled / plain, 1.2, ""),
    ]


def _seconds(body: Body, track: StyleTrack, gait: Gait) -> float:
    """Return the processor's seconds for a block of frames, the least of many."""
    frames, clock, times = np.arange(1.0, 65.0), Clock(whole_frames=False), []
    for _ in range(40):
        begun = process_time()
        walk(body, track, clock, frames, gait)
        times.append(process_time() - begun)
    return min(times)
