"""The sliders of a walk, constant or keyed."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

import numpy as np


@dataclass(frozen=True)
class Style:
    """How a character walks; the defaults are a natural walk.

    Lengths and angles with a unit are absolute; the others multiply what people do at that speed (1 =
    natural).
    """

    speed: float = 1.3  # m/s
    stride: float = 1.0  # x natural stride length; cadence follows
    cadence: float = 1.0  # x natural steps a minute, at the same speed: strides are shorter
    duty_factor: float = 1.0  # x natural share of the stride on the ground
    step_height: float = 1.0  # x natural lift of the swinging foot
    stance_width: float = 1.0  # x natural distance between the feet
    foot_splay: float = 0.0  # degrees added to the natural toe-out
    bounce: float = 1.0  # x natural rise and fall of the pelvis
    sway: float = 1.0  # x natural shift over the standing foot
    twist: float = 1.0  # x natural pelvis and chest counter-rotation
    list: float = 1.0  # x natural drop of the pelvis on the swinging side
    lean: float = 0.0  # degrees forward
    lean_into: float = 1.0  # x how far people lean into a change of speed
    anticipation: float = 1.0  # x how long before it
    arm_swing: float = 1.0  # x natural
    arm_spread: float = 0.0  # degrees that the arms are held farther off the body
    elbow_bend: float = 0.0  # degrees added
    left_hand: float = 1.0  # x the hand pose that the fingers hold
    right_hand: float = 1.0
    head_bob: float = 0.0  # 0 = level, 1 = follows the chest
    head_thrust: float = 1.0  # x how far birds hold the head still, and thrust it on once a step
    head_turn: float = 0.0  # degrees to the left
    head_nod: float = 0.0  # degrees down
    head_tilt: float = 0.0  # degrees to the left
    look_around: float = 0.0  # x how far people look aside while walking
    drag_hips: float = 0.0  # frames that the hips are late
    drag_chest: float = 0.0  # frames that the chest is behind the hips
    drag_arms: float = 0.0  # frames that the arms are behind the chest
    drag_hands: float = 0.0  # frames that the hands are behind the arms
    slow_in: float = 0.0  # 1 = chest and arms linger at contacts, -1 = between them
    energy: float = 0.0  # -1 tired .. 1 lively
    weight: float = 0.0  # -1 light .. 1 heavy
    crouch: float = 0.0  # share of the leg length that the pelvis is lowered by
    asymmetry: float = 0.0  # -1 limps on the left leg .. 1 on the right
    idle: float = 1.0  # x natural sway and breath in standstills; 0 = a statue that stops in mid-step
    variation: float = 0.0  # x how much people's strides vary; 0 = all are the same
    individual: float = 0.0  # strength of the individual; 0 = the mean person
    look: float = 1.0  # how far head and chest turn to the target
    style_1: float = 1.0  # weight of each learned style
    style_2: float = 1.0
    style_3: float = 1.0
    style_4: float = 1.0
    style_legs: float = 1.0  # strength of all styles in each part of the body
    style_trunk: float = 1.0
    style_arms: float = 1.0
    style_head: float = 1.0
    as_recorded: float = 1.0  # how much of a recorded walk is kept
    phase: float = 0.0  # cycles added
    facing: float = 0.0  # degrees that the body faces left of the direction of travel
    influence: float = 1.0  # 0 = standing still, the upper body at rest .. 1


SLIDERS = tuple(f.name for f in fields(Style))
STYLE_WEIGHTS = ("style_1", "style_2", "style_3", "style_4")
STYLE_STRENGTHS = ("style_legs", "style_trunk", "style_arms", "style_head")


@dataclass(frozen=True)
class StyleTrack:
    """A Style over time: constants, and samples of the sliders that are keyed.

    `curves` maps a slider to `(frames (n,), values (n,))` on a fixed grid; linear between samples, constant
    outside, so that
    a slider's value is a function of the frame alone. `seed`: for idling and looking around. `strides_seed`:
    for variation; `strides`: after how many strides it and looks repeat.  `person`: seed of the individual.
    `haste`: times as hard as by itself that it gets going and brakes.
    """

    constant: Style = field(default_factory=Style)
    curves: Mapping[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    seed: int = 0
    strides_seed: int = 0
    strides: int = 16
    person: int = 0
    haste: float = 1.0

    def at(self, slider: str, frames: np.ndarray) -> np.ndarray:
        """Return one slider's value `(frames,)` at (fractional) frames."""
        if slider in self.curves:
            return np.interp(frames, *self.curves[slider])
        value = np.empty(np.shape(frames))
        value.fill(getattr(self.constant, slider))
        return value

    def without(self, slider: str) -> "StyleTrack":
        """Return the track with a slider at 0."""
        curves = {name: curve for name, curve in self.curves.items() if name != slider}
        return replace(self, constant=replace(self.constant, **{slider: 0.0}), curves=curves)

    def going(self) -> "StyleTrack":
        """Return the track with the speed scaled by the influence: less of it walks more slowly, none
        stands."""
        keyed = [self.curves[slider][0] for slider in ("speed", "influence") if slider in self.curves]
        if "influence" not in self.curves and self.constant.influence >= 1.0:
            return self
        frames = np.unique(np.concatenate(keyed)) if keyed else np.zeros(1)
        speed = self.at("speed", frames) * np.clip(self.at("influence", frames), 0.0, 1.0)
        if not keyed:
            return replace(self, constant=replace(self.constant, speed=float(speed[0])))
        return replace(self, curves={**self.curves, "speed": (frames, speed)})


@dataclass(frozen=True)
class Clock:
    """Frames to seconds: `start` is the frame at which the walk begins, `fps` frames per second."""

    fps: float = 24.0
    start: float = 1.0
    whole_frames: bool = True  # at constant speed a cycle is a whole number of frames

    def seconds(self, frames: np.ndarray) -> np.ndarray:
        """Return seconds since the start `(frames,)`."""
        return (np.asarray(frames, dtype=float) - self.start) / self.fps

    def frames(self, seconds: np.ndarray) -> np.ndarray:
        """Return (fractional) frames `(...)` at seconds since the start."""
        return self.start + seconds * self.fps
