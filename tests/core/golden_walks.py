"""The walk straight ahead on level ground as it was when it was good: whatever is rebuilt, these numbers stay.

`python -m tests.core.golden_walks` writes the record anew; that is right only where the walk is meant to be another.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.human_body import human_body
from neurarig_addon.core.character.body import Body
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.gait.kinds.gait import PLAIN, Gait
from neurarig_addon.core.gait.kinds.profile_gait import ProfileGait
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.geometry.rotation import about_z
from neurarig_addon.core.human.gait_network import GaitNetwork
from neurarig_addon.core.ikrig.encode import encode_motions
from neurarig_addon.core.logic.profile import FOLDER, Profile
from neurarig_addon.core.retarget.contacts import find_contacts
from neurarig_addon.core.retarget.retarget import retarget
from tests.core import retarget_bodies
from tests.core.walk_styles import WALKS, keyed

RECORD = Path(__file__).with_suffix(".npz")
STEP = 1e-11  # metres and radians between two numbers of the record
FRAMES = np.sort(np.concatenate([np.arange(-7.0, 120.0, 4.0), np.random.default_rng(3).uniform(-10.0, 130.0, 24)]))
SAMPLED = [13, 40]
# Sums over all frames, each frame with a weight of its own: no frame can change unseen.
WEIGHTS = np.random.default_rng(4).uniform(0.5, 1.5, (2, len(FRAMES)))
ADULT = human_body()
Figures = dict[str, np.ndarray]


def bodies() -> dict[str, Body]:
    """Return name -> body: the adult, and what is built differently."""
    nothing = np.full((2, 3), np.nan)
    child = human_body("T", 0.5)
    short = {name: getattr(child, name) * [1.0, 1.1, 0.85] for name in ("hip", "knee")}
    bent = {"toe": ADULT.toe + [[0.0, 0.05, 0.0], [0.0, -0.02, 0.01]], "knee": ADULT.knee + [[0.03, 0.0, 0.02], [0.0, 0.0, 0.0]]}
    middle = 0.5 * (ADULT.hip + ADULT.ankle)
    return {
        "adult": ADULT,
        "adult in T-pose": human_body("T"),
        "child": replace(child, **short, pelvis=child.pelvis * [1.0, 1.0, 0.86]),
        "giant": human_body("DOWN", 9.0),
        "long feet": feet(3.0),
        "short feet": feet(0.5),
        "toes missing": replace(feet(1.6), toe_joint=nothing),
        "wide hips": legs([1.0, 3.0, 1.0]),
        "one-bone legs": replace(ADULT, knee=middle, one_bone_legs=True),
        "no arms, no head": replace(ADULT, shoulder=nothing, elbow=nothing, wrist=nothing, neck=nothing[0], head=nothing[0]),
        "crooked": replace(ADULT, **bent),
    }


def feet(size: float) -> Body:
    """Return the adult with feet `size` times as long."""
    return replace(ADULT, **{name: getattr(ADULT, name) * [size, 1.0, 1.0] for name in ("heel", "ball", "toe", "toe_joint")})


def legs(size: list[float]) -> Body:
    """Return the adult with legs stretched along the axes."""
    return replace(ADULT, **{name: getattr(ADULT, name) * size for name in ("hip", "knee", "ankle", "heel", "ball", "toe", "toe_joint")})


def statue(track: StyleTrack) -> StyleTrack:
    """Return a walk that stands where it stops, in mid-step and still."""
    return replace(track, constant=replace(track.constant, idle=0.0))


def everything() -> StyleTrack:
    """Return a walk with every slider away from its default, some of them keyed."""
    away = {
        "stride": 1.15, "step_height": 1.4, "stance_width": 1.6, "foot_splay": 6.0, "bounce": 1.5, "sway": 0.6, "twist": 1.4, "list": 0.5,
        "lean": 5.0, "arm_swing": 1.3, "arm_spread": 8.0, "elbow_bend": 12.0, "head_bob": 0.4, "energy": 0.5, "weight": -0.4,
        "crouch": 0.04, "asymmetry": 0.6, "phase": 0.21, "influence": 0.8,
        "idle": 0.0,
    }  # fmt: skip
    starts = keyed("speed", [5, 30, 60, 84], [0.0, 1.5, 0.9, 0.0], **away)
    others = {"weight": [-0.5, 0.9], "bounce": [0.4, 2.2], "lean": [0.0, 12.0], "step_height": [0.5, 2.0]}
    curves = {name: keyed(name, [1, 90], values).curves[name] for name, values in others.items()}
    return StyleTrack(starts.constant, {**starts.curves, **curves})


def walks() -> dict[str, Callable[[], WalkPose]]:
    """Return name -> what walks."""
    network = Gait(GaitNetwork.load())
    singles = {"arm_swing": 1.8, "arm_spread": 20.0, "elbow_bend": 35.0, "head_bob": 1.0, "influence": 0.4}
    tracks = {**WALKS, **{f"{name} {value}": StyleTrack(Style(**{name: value})) for name, value in singles.items()}}
    found = {f"adult, {name}": lambda track=track: walk(ADULT, statue(track), Clock(), FRAMES, network) for name, track in tracks.items()}
    for name, body in bodies().items():
        speed = 1.3 * np.sqrt(body.leg_length / ADULT.leg_length)
        found[f"{name}, natural"] = lambda body=body, speed=speed: walk(body, StyleTrack(Style(speed=speed)), Clock(), FRAMES, network)
        found[f"{name}, everything"] = lambda body=body: walk(body, everything(), Clock(30.0, 3.0, False), FRAMES, network)
    for name in ("speed 1.3", "stop and go", "asymmetry 1.0", "width keyed"):
        found[f"plain, {name}"] = lambda track=WALKS[name]: walk(ADULT, statue(track), Clock(), FRAMES, PLAIN)
    for path in sorted(FOLDER.glob("*.json")):
        profile = ProfileGait(Profile.load(path), PLAIN.shapes)
        for name, track in (("natural", WALKS["speed 1.3"]), ("everything", everything())):
            for planted in (True, False):
                gait = Gait(profile, profile, planted)
                found[f"{path.stem}, {name}, {'planted' if planted else 'free'}"] = lambda gait=gait, track=track: walk(
                    ADULT, statue(track), Clock(), FRAMES, gait
                )
    return found


def figures_of(pose: WalkPose) -> Figures:
    """Return the numbers of a walk by name, `(frames, n)` each: roles in the root's frame, and what the plan says."""
    plan = [
        pose.root.position[:, :1],
        pose.pivot,
        pose.phase,
        pose.ground_speed[:, None],
        pose.stride[:, None],
        pose.duty,
        pose.period[:, None],
    ]
    return {**figures_of_motions(pose.motions), "plan": np.nan_to_num(np.concatenate(plan, axis=1), posinf=-1.0)}


def figures_of_motions(motions: Mapping[str, Motion]) -> Figures:
    """Return place and the first two rows of the rotation `(frames, 9)` of every role."""
    return {role: np.concatenate([motion.position, motion.rotation[:, :2].reshape(-1, 6)], axis=1) for role, motion in motions.items()}


def retargeted(target: str) -> Figures:
    """Return the numbers of a walk that turns, as it is on another body."""
    human, bodies_of_clips = retarget_bodies.human(), retarget_bodies.bodies()
    motions, _ = retarget_bodies.generated(human, len(FRAMES) * 2, speed=1.1, stance_width=1.5)
    turn = about_z(np.linspace(0.0, 2.5, len(FRAMES) * 2) ** 1.5)
    turned = {
        role: Motion(turn @ motion.rotation, (turn @ motion.position[..., None])[..., 0], motion.rest) for role, motion in motions.items()
    }
    contacts = find_contacts(human, turned, retarget_bodies.FPS)
    encoding = encode_motions(human, turned, np.arange(1.0, len(turn) + 1.0), retarget_bodies.FPS)
    found = retarget(replace(encoding, contacts=contacts), bodies_of_clips[target])
    return {
        name: values[::2] for name, values in (figures_of_motions(found.pose.in_world()) | {"plan": found.pivots.astype(float)}).items()
    }


def cases() -> dict[str, Callable[[], Figures]]:
    """Return everything that is recorded: name -> what works out its figures."""
    found = {name: lambda made=made: figures_of(made()) for name, made in walks().items()}
    return found | {f"retarget, {name}": lambda name=name: retargeted(name) for name in ("human", "child", "clown", "no toes")}


def condensed(figures: Figures) -> np.ndarray:
    """Return what is kept of figures `(samples and sums, numbers)`, roles in alphabetical order."""
    whole = np.concatenate([figures[name] for name in sorted(figures)], axis=1)
    return np.concatenate([whole[SAMPLED], WEIGHTS @ whole])


def write() -> None:
    """Write the record."""
    kept = {name: np.round(condensed(figures()) / STEP).astype(np.int64) for name, figures in cases().items()}
    np.savez_compressed(RECORD, **kept)


if __name__ == "__main__":
    write()
