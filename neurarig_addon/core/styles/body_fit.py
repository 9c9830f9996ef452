"""A style on another body: pelvis, feet and prints moved so that thighs and knees are as in the recording.

A nearly straight knee turns a small difference of height into degrees, and bodies differ in how high the
ankle is and how long the foot. Where an ankle should be is known from the thigh and the knee; the pelvis
gives standing legs what they lack, and feet in the air move.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from ..character.body import Body
from ..contract.channels import CHANNELS
from ..easing import hermite
from ..gait.kinds.gait import Gait
from ..gait.pose import WalkPose
from ..gait.steps.footsteps import BOTH
from ..geometry.rotation import dot, normalized, norms
from ..skeleton.roles import LEG_JOINTS, SIDES, sided
from ..waves import fourier_basis
from .learned_style import AHEAD, LearnedStyle
from .likeness import stride_of
from .styled_gait import Styled, in_styles

ROUNDS = 3
# Fourier terms that are corrected, a constant and four harmonics for the pelvis, five for feet, and what a
# term costs against a lack: a harmonic n costs n^4 times as much more, as its acceleration does, or knees
# would be jerked for a millimetre.
OF_PELVIS, OF_FEET = [0, *range(2, 10)], [0, *range(2, 12)]
COSTS = 2e-3
NUDGE = 1e-3  # cycles: step for slopes
PELVIS = [CHANNELS.index(f"pelvis.{axis}") for axis in "xz"]
FOOT = [[CHANNELS.index(f"foot_{side.lower()}.{axis}") for axis in "xz"] for side in SIDES]
SAGITTAL = [0, 2]


def on_body(gait: Gait, body: Body, natural: Gait) -> Gait:
    """Return a gait with its styles fitted to a body, over the `natural` walk; a gait without styles is
    returned as it is."""
    if not isinstance(gait.styling, Styled):
        return gait
    key = _Key(body)
    styles = {
        name: _fitted(_Key(style), key, natural)
        for name, style in zip(gait.styling.weights, gait.styling.styles, strict=True)
    }
    styled = Styled(gait.styling.gait, styles)
    return replace(gait, shapes=styled, law=styled, styling=styled)


def fitted(style: LearnedStyle, body: Body, natural: Gait) -> LearnedStyle:
    """Return a style with pelvis, feet and prints corrected for a body; the style itself if its knees are not
    known."""
    if style.bends is None or body.one_bone_legs:
        return style
    best, least = style, np.inf
    for _ in range(ROUNDS):
        legs = _Legs.of(stride_of(body, in_styles(natural, [style]), style.vhat), style)
        if legs.off < least:
            best, least = style, legs.off
        style = legs.corrected(style)
    return best


@dataclass(frozen=True)
class _Legs:
    """Both legs of one stride, left first.

    `phase` `(f, 2)`: of each foot. `duty` `(2,)`. `lacks` `(f, 2, 2)`: leg lengths that the ankle is too far
    back and too low, as seen
    from the hip, for thigh and knee as recorded.  `off`: radians between those and the walk's, RMS.
    """

    phase: np.ndarray
    duty: np.ndarray
    lacks: np.ndarray
    off: float

    @classmethod
    def of(cls, pose: WalkPose, style: LearnedStyle) -> "_Legs":
        """Return the legs of a walk in a style that knows how its knees bend."""
        assert style.bends is not None
        hip, knee, ankle = (
            np.stack([pose.motions[sided(part, side)].position for side in SIDES], 1) for part in LEG_JOINTS
        )
        phase, upper, lower = np.mod(pose.phase, 1.0), knee - hip, ankle - knee
        bent = np.arccos(np.clip(dot(normalized(upper), normalized(lower)), -1.0, 1.0))
        swung = np.arctan2(upper[..., 0], -upper[..., 2])
        bend = _over_phase(style.bends, phase)
        thigh = swung + 0.5 * (bend - bent) if style.thighs is None else _over_phase(style.thighs, phase)
        above, below = (norms(part[..., SAGITTAL])[..., None] for part in (upper, lower))
        wanted = above * _hanging(thigh) + below * _hanging(thigh - bend)
        leg = norms(upper).mean() + norms(lower).mean()
        off = float(np.sqrt(np.mean((bent - bend) ** 2 + (swung - thigh) ** 2)))
        return cls(phase, pose.duty[0], (wanted - (ankle - hip)[..., SAGITTAL]) / leg, off)

    def corrected(self, style: LearnedStyle) -> LearnedStyle:
        """Return a style with prints and pelvis moved by what standing legs lack, and feet in the air by what
        remains."""
        curves, prints = style.curves.copy(), style.prints.copy()
        stands = self.phase < self.duty
        ahead = np.array([self.lacks[stands[:, side], side, 0].mean() for side in BOTH])
        ahead -= ahead.mean()
        prints[:, AHEAD] += ahead
        lacks = self.lacks - np.stack([ahead, 0.0 * ahead], -1)
        basis = fourier_basis(self.phase[:, 0])
        rows, sides = np.nonzero(stands)
        for axis, channel in enumerate(PELVIS):
            moved = _terms(basis[rows], -lacks[rows, sides, axis], OF_PELVIS)
            curves[channel] += moved
            lacks[..., axis] += (basis @ moved)[:, None]
        lead = style.lead + curves[PELVIS[0], 0] - style.curves[PELVIS[0], 0]  # the root stays under the hips
        for side in BOTH:
            rows = np.flatnonzero(~stands[:, side])
            swings = _swings(self.phase[rows, side], float(self.duty[side]))
            for axis, channel in enumerate(FOOT[side]):
                curves[channel] += _terms(swings, lacks[rows, side, axis], OF_FEET)
        return replace(style, curves=curves, prints=prints, lead=float(lead))


def _over_phase(terms: np.ndarray, phase: np.ndarray) -> np.ndarray:
    """Return the curves of both sides, Fourier terms `(2, TERMS)`, at the phases `(f, 2)` of their feet."""
    return np.stack([fourier_basis(phase[:, side]) @ terms[side] for side in BOTH], -1)


def _hanging(angle: np.ndarray) -> np.ndarray:
    """Return directions `(..., 2)`, ahead and up, of segments at angles `(...)` ahead of hanging straight
    down."""
    return np.stack([np.sin(angle), -np.cos(angle)], -1)


def _swings(phase: np.ndarray, duty: float) -> np.ndarray:
    """Return what each Fourier term of a foot's curve adds to its swing `(f, TERMS)` at phases `(f,)`:
    nothing at both ends.

    See `gait.feet.swing`.
    """
    ends = np.array([duty, 1.0])
    slopes = (fourier_basis(ends + NUDGE) - fourier_basis(ends - NUDGE)) * (0.5 / NUDGE) * (1.0 - duty)
    start, end = fourier_basis(ends)
    return fourier_basis(phase) - hermite(
        ((phase - duty) / (1.0 - duty))[:, None], start, slopes[0], end, slopes[1]
    )


def _terms(basis: np.ndarray, values: np.ndarray, used: list[int]) -> np.ndarray:
    """Return Fourier terms `(TERMS,)`, of which only some are `used`, that make values `(n,)` of a basis `(n,
    TERMS)`."""
    part, found = basis[:, used], np.zeros(basis.shape[1])
    harmonic = (np.array(used) + 1.0) // 2.0
    found[used] = np.linalg.solve(
        part.T @ part + COSTS * len(values) * np.diag(1.0 + harmonic**4), part.T @ values
    )
    return found


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
