"""A style on another body: pelvis and feet so high that knees bend as far as in the recording.

A nearly straight knee turns a small difference of height into degrees, and bodies differ in how high the ankle is and how long the foot.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from ..character.body import Body
from ..contract.channels import CHANNELS
from ..gait.kinds.gait import Gait
from ..gait.pose import WalkPose
from ..gait.steps.footsteps import BOTH
from ..geometry.rotation import dot, normalized
from ..human.canonical import fourier_basis
from ..skeleton.roles import SIDES, sided
from .learned_style import LearnedStyle
from .likeness import stride_of
from .styled import Styled, in_styles

ROUNDS = 6
TOO_FINE = 10  # Fourier terms from here on stay: a constant and four harmonics are corrected
HEIGHT = CHANNELS.index("pelvis.z")
FOOT = [[CHANNELS.index(f"foot_{side.lower()}.{axis}") for axis in "xz"] for side in SIDES]


def on_body(gait: Gait, body: Body, natural: Gait) -> Gait:
    """Return a gait with its styles fitted to a body, over the `natural` walk; a gait without styles is returned as it is."""
    if not isinstance(gait.styling, Styled):
        return gait
    key = _Key(body)
    styles = {name: _fitted(_Key(style), key, natural) for name, style in zip(gait.styling.weights, gait.styling.styles, strict=True)}
    styled = Styled(gait.styling.gait, styles)
    return replace(gait, shapes=styled, law=styled, styling=styled)


def fitted(style: LearnedStyle, body: Body, natural: Gait) -> LearnedStyle:
    """Return a style with the heights of pelvis and feet corrected for a body; the style itself if its knees are not known."""
    bends = style.bends
    if bends is None or body.one_bone_legs:
        return style
    best, least = style, np.inf
    for _ in range(ROUNDS):
        legs = _Legs.of(stride_of(body, in_styles(natural, [style]), style.vhat), bends)
        if legs.off < least:
            best, least = style, legs.off
        style = legs.corrected(style, body.leg_length)
    return best


@dataclass(frozen=True)
class _Legs:
    """Both legs of one stride, left first.

    `phase` `(f, 2)`: of each foot.  `stands` `(f, 2)`: share, 0 in the air.  `down` `(f, 2, 3)`: direction from hip to ankle.
    `lacks` `(f, 2)`: metres by which that distance is too short for the knee that is wanted.  `off`: radians between the knees, RMS.
    """

    phase: np.ndarray
    stands: np.ndarray
    down: np.ndarray
    lacks: np.ndarray
    off: float

    @classmethod
    def of(cls, pose: WalkPose, bends: np.ndarray) -> "_Legs":
        """Return the legs of a walk, with knees wanted as far bent as `bends` `(2, TERMS)` says."""
        hip, knee, ankle = (np.stack([pose.motions[sided(part, side)].position for side in SIDES], 1) for part in ("thigh", "shin", "foot"))
        phase = np.mod(pose.phase, 1.0)
        wanted = np.stack([fourier_basis(phase[:, side]) @ bends[side] for side in BOTH], -1)
        upper, lower = (np.linalg.norm(way, axis=-1) for way in (knee - hip, ankle - knee))
        shown = np.arccos(np.clip(dot(normalized(knee - hip), normalized(ankle - knee)), -1.0, 1.0))
        away = np.sqrt(upper**2 + lower**2 + 2.0 * upper * lower * np.cos(wanted)) - np.linalg.norm(ankle - hip, axis=-1)
        return cls(phase, (phase < pose.duty).astype(float), normalized(ankle - hip), away, float(np.sqrt(np.mean((shown - wanted) ** 2))))

    def corrected(self, style: LearnedStyle, leg: float) -> LearnedStyle:
        """Return a style with the pelvis raised by what standing legs lack, and feet in the air moved by what remains."""
        share = self.stands + 1e-3
        raised = (share * self.lacks / np.maximum(-self.down[..., 2], 0.5)).sum(axis=1) / share.sum(axis=1)
        curves = style.curves.copy()
        curves[HEIGHT] += _terms(self.phase[:, 0], raised / leg)
        raised = fourier_basis(self.phase[:, 0]) @ _terms(self.phase[:, 0], raised)
        for side in BOTH:
            remains = (1.0 - self.stands[:, side]) * (self.lacks[:, side] + self.down[:, side, 2] * raised)
            moved = remains[:, None] * self.down[:, side] / leg
            for channel, way in zip(FOOT[side], (moved[:, 0], moved[:, 2]), strict=True):
                curves[channel] += _terms(self.phase[:, side], way)
        return replace(style, curves=curves)


def _terms(phase: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the lower Fourier terms `(TERMS,)` of values `(f,)` at phases `(f,)` that are spread over one cycle."""
    basis = fourier_basis(phase)
    terms = basis.T @ values * (2.0 / len(phase))
    terms[0] *= 0.5
    terms[1] = 0.0
    terms[TOO_FINE:] = 0.0
    return terms


class _Key:
    """A value with arrays as a key: by identity, kept alive with it."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.value is self.value


@lru_cache(maxsize=64)
def _fitted(style: _Key, body: _Key, natural: Gait) -> LearnedStyle:
    assert isinstance(style.value, LearnedStyle)
    assert isinstance(body.value, Body)
    return fitted(style.value, body.value, natural)
