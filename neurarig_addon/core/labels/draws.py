"""Walks and poses drawn at random: the same seed and number give the same one, whatever was drawn before."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..geometry import rotation
from ..neural.plain_poses import POSES, Plain, joint_turns
from ..neural.points import JOINTS

WALKS, POSES_KIND = "walks", "poses"
KINDS = (WALKS, POSES_KIND)
SEEDS = 2**31  # of persons and strides
STYLED = 0.6  # share of walks in a style
WEIGHTS = (0.3, 1.2)  # of a style
SPEEDS = (0.6, 2.1)  # m/s of a leg of 0.9 m; others by the root of their length
REFERENCE_LEG = 0.9
VARIED = 0.15  # of every turn, and radians of any joint: how far poses of one kind differ
# Slider -> what may be drawn: manners that people have.
RANGES: dict[str, tuple[float, float]] = {
    "stride": (0.85, 1.15),
    "bounce": (0.6, 1.5),
    "sway": (0.6, 1.5),
    "twist": (0.6, 1.5),
    "stance_width": (0.8, 1.5),
    "step_height": (0.8, 1.6),
    "foot_splay": (-4.0, 10.0),
    "lean": (-4.0, 10.0),
    "arm_swing": (0.3, 1.6),
    "elbow_bend": (-5.0, 25.0),
    "head_turn": (-20.0, 20.0),
    "head_nod": (-10.0, 15.0),
    "energy": (-0.7, 0.7),
    "weight": (-0.7, 0.7),
    "crouch": (0.0, 0.12),
    "asymmetry": (-0.4, 0.4),
    "variation": (0.0, 1.0),
    "individual": (0.0, 1.0),
}


def walk_settings(seed: int, number: int, styles: Sequence[str], leg_length: float) -> dict[str, Any]:
    """Return the settings of one walk of a leg of `leg_length` metres, for `generate_walk`: speed, sliders,
    seeds, and a style or none."""
    rng = np.random.default_rng([seed, number])
    found: dict[str, Any] = {name: round(float(rng.uniform(*between)), 4) for name, between in RANGES.items()}
    found["speed"] = round(float(rng.uniform(*SPEEDS)) * (leg_length / REFERENCE_LEG) ** 0.5, 4)
    found |= {"variation_seed": int(rng.integers(SEEDS)), "person_seed": int(rng.integers(SEEDS))}
    is_styled, which, weight = rng.random() < STYLED, rng.random(), rng.uniform(*WEIGHTS)
    found["styles"] = (
        {styles[int(which * len(styles))]: round(float(weight), 4)} if is_styled and styles else {}
    )
    return found


def pose_turns(seed: int, number: int) -> tuple[str, np.ndarray]:
    """Return the kind of one pose, and the rotations of the joints away from the reference pose `(22, 3,
    3)`."""
    rng = np.random.default_rng([seed, number])
    kind = list(POSES)[int(rng.integers(len(POSES)))]
    return kind, varied(POSES[kind], rng)


def varied(plain: Plain, rng: np.random.Generator) -> np.ndarray:
    """Return one pose of a kind: rotations `(22, 3, 3)` away from the reference pose."""
    degrees = plain.degrees * rng.uniform(1.0 - VARIED, 1.0 + VARIED, 13)
    axes = rotation.normalized(rng.normal(size=(len(JOINTS), 3)))
    return joint_turns(degrees, rotation.from_axis_angle(axes, rng.uniform(0.0, VARIED, len(JOINTS))))
