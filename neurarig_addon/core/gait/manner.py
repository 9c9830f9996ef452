"""What the sliders mean: from an animator's words to factors on the natural walk."""

from dataclasses import dataclass, replace

import numpy as np

from ..body import LEFT, RIGHT
from .style import StyleTrack

# A whole limp: radians that the trunk lurches over the sore leg, leg lengths that the pelvis comes down onto the other one, and when.
LURCH, LURCH_AT = np.radians(8.0), 0.3
DROP, DROP_AT = 0.02, 0.12
STEADY_LURCH = 0.35  # share of the lurch that stays all the time
TURN = 2.0 * np.pi


@dataclass(frozen=True)
class Manner:
    """The sliders at some frames after the macros (energy, weight, asymmetry) have acted, each `(frames,)` or `(frames, 2)` per side.

    Factors are relative to the natural walk; angles in radians; `crouch` in leg lengths; `duty` is added to the natural duty factor.
    """

    stride: np.ndarray
    step_height: np.ndarray
    stance_width: np.ndarray
    splay: np.ndarray
    bounce: np.ndarray
    sway: np.ndarray
    twist: np.ndarray
    list: np.ndarray
    lean: np.ndarray
    arm_swing: np.ndarray
    arm_spread: np.ndarray
    elbow_bend: np.ndarray
    head_bob: np.ndarray
    crouch: np.ndarray
    duty: np.ndarray
    limp: np.ndarray
    limp_lean: np.ndarray
    push: np.ndarray
    influence: np.ndarray


def manner(track: StyleTrack, frames: np.ndarray) -> Manner:
    """Return what the sliders ask for at (fractional) frames.

    Energy lifts and swings more; a negative one drags.  Weight lowers the body, widens the feet, shifts further over them, keeps
    them down longer and holds the arms off.  Asymmetry hurries off the sore leg (see `limping` too).
    """
    frames = np.asarray(frames, dtype=float)
    energy = np.clip(track.at("energy", frames), -1.0, 1.0)
    weight = np.clip(track.at("weight", frames), -1.0, 1.0)
    limp = np.clip(track.at("asymmetry", frames), -1.0, 1.0)
    heavy, lively, tired = np.maximum(weight, 0.0), np.maximum(energy, 0.0), np.maximum(-energy, 0.0)
    sore = np.stack([np.maximum(-limp, 0.0), np.maximum(limp, 0.0)], -1)
    return Manner(
        stride=np.maximum(track.at("stride", frames) * (1.0 + 0.06 * energy - 0.06 * weight), 0.1),
        step_height=np.maximum(track.at("step_height", frames) * (1.0 + 0.35 * energy - 0.15 * heavy), 0.0),
        stance_width=track.at("stance_width", frames) * (1.0 + 0.7 * heavy),
        splay=np.radians(track.at("foot_splay", frames) + 5.0 * heavy),
        bounce=track.at("bounce", frames) * (1.0 + 0.35 * energy + 0.25 * weight),
        sway=track.at("sway", frames) * (1.0 + 0.5 * weight),
        twist=track.at("twist", frames) * (1.0 + 0.25 * energy),
        list=track.at("list", frames) * (1.0 + 0.3 * weight),
        lean=np.radians(track.at("lean", frames) + 7.0 * tired + 3.0 * heavy - 1.5 * lively),
        arm_swing=np.maximum(track.at("arm_swing", frames) * (1.0 + 0.45 * energy - 0.2 * heavy), 0.0),
        arm_spread=np.radians(track.at("arm_spread", frames) + 6.0 * heavy),
        elbow_bend=np.radians(track.at("elbow_bend", frames) + 10.0 * lively - 8.0 * tired),
        head_bob=np.clip(track.at("head_bob", frames) + 0.6 * tired, 0.0, 1.0),
        crouch=track.at("crouch", frames) + 0.02 * heavy + 0.012 * tired,
        duty=0.02 * weight[:, None] - 0.08 * sore + 0.04 * sore[:, ::-1],
        limp=limp,
        limp_lean=0.0 * limp,
        push=1.0 + 0.15 * energy - 0.25 * tired - 0.1 * heavy,
        influence=np.clip(track.at("influence", frames), 0.0, 1.0),
    )


def limping(wish: Manner, phase: np.ndarray) -> Manner:
    """Return the manner of who lurches over the sore leg while it bears, and comes down hard on the other; foot phases `(frames, 2)`."""
    if not wish.limp.any():
        return wish
    sore = np.where(wish.limp > 0.0, phase[:, RIGHT], phase[:, LEFT])
    bearing, landing = np.cos(TURN * (sore - LURCH_AT)), np.cos(TURN * (sore + 0.5 - DROP_AT))
    lean = LURCH * wish.limp * (STEADY_LURCH + (1.0 - STEADY_LURCH) * bearing)
    return replace(wish, limp_lean=lean, crouch=wish.crouch + DROP * np.abs(wish.limp) * 0.5 * (1.0 + landing))
