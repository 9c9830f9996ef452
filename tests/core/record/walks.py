"""Walks and runs straight on and on paths over level ground: every slider, keyed and not; starts, stops, turns, marks, laps, gazes."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.human_body import human_body
from neurarig_addon.core.character.integrity import Integrity
from neurarig_addon.core.gait.inputs.gaze import Gaze
from neurarig_addon.core.gait.kinds.gait import PLAIN, Gait
from neurarig_addon.core.gait.kinds.gait_change import BySpeed
from neurarig_addon.core.gait.kinds.profile_gait import ProfileGait
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.report import contact_report
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walked
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.ground.surface import LEVEL, Ground
from neurarig_addon.core.human.gait_network import BUNDLED_RUN, GaitNetwork
from neurarig_addon.core.logic.profile import FOLDER, Profile
from neurarig_addon.core.path.curve import Curve
from neurarig_addon.core.path.marks import Mark
from neurarig_addon.core.path.path import STRAIGHT, Path, Straight
from neurarig_addon.core.path.timetable import Timed
from tests.core.blended_gait import blended
from tests.core.record.condensed import Answer
from tests.core.record.somehow import ADULT, RUNNING, WALKING, crooked
from tests.core.walk_measures import sole_points
from tests.core.walk_paths import LEG, PATHS, circle
from tests.core.walk_styles import keyed

CLOCK = Clock(fps=30.0, start=2.0, whole_frames=False)
FRAMES = np.sort(np.random.default_rng(1).uniform(-12.0, 160.0, 40))
EITHER = BySpeed(WALKING, RUNNING)
BY_SPEED = Gait(EITHER, EITHER)
EVERY = {
    "stride": 1.1, "cadence": 1.08, "duty_factor": 1.06, "step_height": 1.3, "stance_width": 1.4, "foot_splay": 5.0, "bounce": 1.3,
    "sway": 0.7, "twist": 1.3, "list": 0.6, "lean": 4.0, "arm_swing": 1.2, "arm_spread": 6.0, "elbow_bend": 9.0, "head_bob": 0.3,
    "energy": 0.4, "weight": 0.3, "crouch": 0.03, "asymmetry": 0.5, "phase": 0.2, "influence": 0.85, "variation": 0.8, "individual": 0.9,
    "idle": 1.2,
}  # fmt: skip


def walker(
    style: Mapping[str, float] | StyleTrack,
    path: Path = STRAIGHT,
    ground: Ground = LEVEL,
    gait: Gait = WALKING,
    face: Gaze | None = None,
    clock: Clock = CLOCK,
) -> Walker:
    """Return who walks."""
    track = style if isinstance(style, StyleTrack) else StyleTrack(Style(**style), seed=3, strides_seed=4, person=5)
    return Walker.of(ADULT, track, clock, gait, path, ground, face)


def seen(pose: WalkPose) -> Answer:
    """Return what is recorded of a walk."""
    legs = tuple(role for role in pose.motions if role[:-2] in ("thigh", "shin", "foot", "toe", "knee"))
    parts = {"legs": legs, "trunk": tuple(role for role in pose.motions if role not in legs)}
    motions = {part: {role: pose.motions[role] for role in roles} for part, roles in parts.items()}
    return {
        **motions,
        "root": pose.root,
        "plan": [pose.pivot, pose.phase, pose.ground_speed, pose.stride, pose.duty, pose.period, pose.lap],
    }


def walks(*given: Any, frames: np.ndarray = FRAMES, **options: Any) -> Callable[[], Answer]:
    """Return what a walker does."""
    return lambda: seen(walked(walker(*given, **options), frames))


def everything_keyed() -> StyleTrack:
    """Return a walk of which everything is keyed."""
    draw = np.random.default_rng(2)
    curves: dict[str, Any] = {}
    for name, value in EVERY.items():
        natural = getattr(Style(), name)
        if name != "phase":
            curves[name] = keyed(name, [-5, 50, 110], list(natural + (value - natural) * draw.uniform(0.2, 1.0, 3))).curves[name]
    curves["speed"] = keyed("speed", [0, 80, 140], [0.8, 1.5, 1.0]).curves["speed"]
    return StyleTrack(Style(speed=1.1), curves, seed=1, strides_seed=2, person=3)


def way(*marks: Mark, starts: bool = True, start_turn: float = 0.0) -> Curve:
    """Return a path round a corner with marks."""
    points = np.array([[0.0, 0.0, 0.0], [2.0, 0.3, 0.0], [2.6, 3.0, 0.0]])
    return Curve.through(points, LEG, starts=starts, marks=marks, start_turn=start_turn)


def profile(name: str) -> Gait:
    """Return the gait of a bundled profile."""
    found = ProfileGait(Profile.load(FOLDER / f"{name}.json"), WALKING.shapes)
    return Gait(found, found, True)


def by_profile(name: str, **style: float) -> Callable[[], Answer]:
    """Return a walk by a bundled profile."""
    return lambda: walks({"speed": 1.0, **style}, gait=profile(name))()


def looking_at(*places: list[float], on_the_spot: bool = False) -> Callable[[], Answer]:
    """Return a walk that looks at what moves through places."""
    gaze = Gaze(np.linspace(1.0, 120.0, len(places)), np.array(places, dtype=float), on_the_spot)
    return lambda: seen(walked(replace(walker({"speed": 0.8, "look": 0.8}, PATHS["S"]), gaze=gaze), FRAMES))


def facing(*keys: tuple[float, float], path: Path = STRAIGHT, gait: Gait = WALKING, **style: float) -> Callable[[], Answer]:
    """Return a walk that faces other ways, in degrees on frames."""
    frames, degrees = zip(*keys, strict=True)
    track = StyleTrack(Style(**{"speed": 0.8, **style}), keyed("facing", list(frames), list(degrees)).curves)
    return walks(track, path, gait=gait)


def reported() -> Answer:
    """Return what a report says of walks whose feet are not quite where they should be, and of their bones."""
    frames, found = np.arange(1.0, 90.0), {}
    changes, whole = keyed("speed", [0, 80], [0.8, 1.5]), Clock(fps=30.0, start=2.0)
    draw = np.random.default_rng(6)
    for name, style, path in (
        ("walk", {"speed": 1.2}, STRAIGHT),
        ("changes", changes, STRAIGHT),
        ("bend", {"speed": 1.2}, PATHS["S"]),
        ("stand", {"speed": 0.0}, STRAIGHT),
    ):
        pose = walked(walker(style, path, clock=whole), frames)
        feet = np.stack([np.stack(list(sole_points(ADULT, pose, row).values()), axis=1) for row in (0, 1)], axis=1)
        joints = [[pose.motions[f"{role}.{side}"].position for role in ("thigh", "shin", "foot")] for side in "LR"]
        legs, off = np.moveaxis(np.array(joints), 2, 0), draw.normal(0.0, 2e-3, feet.shape)
        whole_body = Integrity(np.array([0.4, 1.7, np.inf]), (("arm", "hand"),), ("ear",))
        report = contact_report(pose.root.seen(feet) + off, legs, ADULT, pose, CLOCK.fps, whole_body)
        found |= {f"{name} {figure}": value for figure, value in report.items()}
    return found


def cases() -> dict[str, Callable[[], Answer]]:
    """Return the scenarios by name."""
    thing = Gaze(np.array([1.0, 90.0]), np.array([[2.0, 3.0, 1.2], [5.0, -2.0, 0.5]]))
    somebody = StyleTrack(Style(speed=1.2, individual=1.0, variation=1.0), strides_seed=8, strides=5, person=11)
    speeds = keyed("speed", [0, 40, 90, 140], [0.6, 3.2, 3.4, 0.9])
    stops = keyed("speed", [8, 30, 50, 62, 84, 100], [0.0, 1.3, 1.2, 0.0, 0.0, 0.9])
    one_bone = replace(ADULT, knee=0.5 * (ADULT.hip + ADULT.ankle), one_bone_legs=True, toe_joint=np.full((2, 3), np.nan))
    return {
        "everything": walks({"speed": 1.2, **EVERY}),
        "everything, a run": walks({"speed": 3.0, **EVERY, "crouch": 0.0}, gait=RUNNING),
        "everything keyed": walks(everything_keyed()),
        "everything keyed, on an S": walks(everything_keyed(), PATHS["S"]),
        "other ends of sliders": walks(
            {"speed": 0.5, "energy": -0.7, "weight": -0.6, "asymmetry": -0.8, "stance_width": 0.2, "duty_factor": 0.9, "stride": 0.7}
        ),
        "whole frames": walks({"speed": 1.3}, clock=Clock()),
        "whole frames, strides that differ": walks(somebody, clock=Clock()),
        "strides that differ": walks(somebody),
        "strides that differ, in bends": walks(somebody, PATHS["corner of 90 degrees"]),
        "start and stop and go": walks(stops),
        "start and stop as a statue": walks(StyleTrack(Style(idle=0.0), stops.curves)),
        "standing": walks({"speed": 0.0, "idle": 1.5}),
        "very slow": walks({"speed": 0.05}),
        "very fast": walks({"speed": 2.6}),
        "by speed": walks(speeds, gait=BY_SPEED),
        "by speed, steady run": walks({"speed": 2.8, "bounce": 1.4}, gait=BY_SPEED),
        "by speed in a bend": walks(StyleTrack(Style(individual=1.0, variation=1.0), speeds.curves), circle(4.0), gait=BY_SPEED),
        "run in a tight bend": walks({"speed": 3.5}, PATHS["circle of 2 m"], gait=RUNNING),
        "blend": lambda: walks({"speed": 1.1}, gait=blended([(WALKING, 0.3), (PLAIN, 0.5), (profile("1_plain_biped"), 0.4)]))(),
        "blend of one law": lambda: walks({"speed": 1.1}, gait=blended([(WALKING, 0.3), (PLAIN, 0.5), (RUNNING, 0.0)]))(),
        "free feet": walks({"speed": 1.1, "asymmetry": 0.4}, gait=replace(WALKING, planted=False)),
        "free feet in a bend": walks({"speed": 1.1}, circle(2.0), gait=replace(WALKING, planted=False)),
        "trained walk": walks({"speed": 1.3}, gait=Gait(GaitNetwork.load())),
        "trained run": walks({"speed": 3.3}, gait=Gait(GaitNetwork.load(BUNDLED_RUN), RUNNING.law)),
        "tight circle": walks({"speed": 1.2}, circle(0.7)),
        "closed path, closing": walks({"speed": 1.2}, circle(0.9), clock=Clock()),
        "closed path, whole frames, facing": walks({"speed": 0.9, "facing": 70.0}, circle(1.2), clock=Clock()),
        "corner": walks({"speed": 1.3}, PATHS["corner of 135 degrees"]),
        "straight aslant": walks({"speed": 1.0}, Straight(0.6)),
        "timed": walks(keyed("speed", [0, 60, 120], [0.5, 1.4, 0.0]), Timed(PATHS["S"], 0.7)),
        "pauses and a turn": walks(
            {"speed": 1.2}, way(Mark(1.5, 1.0, turn=1.2), Mark(2.5, 0.6), Mark(is_end=True, turn=-2.0), start_turn=1.5)
        ),
        "times": walks({"speed": 1.2}, way(Mark(1.2, due=1.8), Mark(2.5, 0.9, due=3.6), Mark(is_end=True, due=6.0))),
        "times, from full speed": walks({"speed": 1.2}, way(Mark(1.2, due=1.2), starts=False)),
        "looks": looking_at([1.0, 3.0, 1.8], [5.0, -2.0, 0.4], [2.0, 1.0, 2.5]),
        "looks at a still thing": looking_at([4.0, 1.0, 1.0]),
        "looks, on the spot": looking_at([3.0, 1.0, 1.0], [2.0, -4.0, 2.0], on_the_spot=True),
        "faces aside": walks({"speed": 0.8, "facing": 90.0}),
        "faces back, a run": walks({"speed": 2.5, "facing": -150.0}, gait=RUNNING),
        "faces a thing": walks({"speed": 0.8}, PATHS["S"], face=thing),
        "turns aside": facing((20, 0.0), (60, 100.0), (100, -60.0), (140, -200.0)),
        "turns aside on a path": facing((20, -40.0), (90, 130.0), path=PATHS["S"], speed=1.1, asymmetry=0.4),
        "turns aside by speed": facing((20, 20.0), (90, -130.0), gait=BY_SPEED, speed=2.4),
        "goes aside and stops": walks(StyleTrack(Style(facing=80.0), stops.curves)),
        "one bone": lambda: seen(walked(Walker.of(one_bone, everything_keyed(), CLOCK, WALKING, STRAIGHT, LEVEL), FRAMES)),
        "a child": lambda: seen(walked(replace(walker({"speed": 0.8}), body=crooked(human_body("T", 0.55))), FRAMES)),
        "report": reported,
        **{f"profile {path.stem}": by_profile(path.stem, asymmetry=0.4) for path in sorted(FOLDER.glob("*.json"))},
    }
