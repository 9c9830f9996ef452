"""A gait in learned styles: linear in curves and law, so that feet stay planted for any weights.

The weights are the last columns of the slow inputs: one for each style,
then the strengths of legs, trunk, arms and head. So keyed weights are a function of the frame, like a keyed
speed.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from ..character.body import LEFT, RIGHT
from ..contract.channels import CHANNELS, IS_LENGTH, IS_RIGHT
from ..contract.inputs import VELOCITY, legs_of
from ..errors import NeuraRigError
from ..gait.kinds.gait import Gait
from ..gait.kinds.natural import GROWS, dimensionless_speed
from ..gait.sliders.style import STYLE_STRENGTHS, STYLE_WEIGHTS, StyleTrack
from ..waves import TERMS, fourier_basis
from .learned_style import AHEAD, LEGS, PART_OF, PARTS, LearnedStyle

# Posture stays at rest; the places of the feet, and of the hips over them, do not.
HELD = np.array([not channel.startswith(("foot", "ball")) and channel != "pelvis.x" for channel in CHANNELS])
SHORTEST_STRIDE = 0.25  # share of the natural stride, for any weights
MOST_BEAT = 0.2  # cycles
# the slider that what people have in common follows, whatever the strengths of a style's parts
PEOPLE = "individual"


def in_styles(gait: Gait, styles: Sequence[LearnedStyle | None], people: LearnedStyle | None = None) -> Gait:
    """Return a gait in styles, the first weighted by the slider `style_1`; None for an empty slot; without
    any, the gait itself.

    `people`: what recorded people have in common, weighted by Individual as far as no style is; styles are of
    people too. Raises NeuraRigError for more styles than there are weights.
    """
    if len(styles) > len(STYLE_WEIGHTS):
        raise NeuraRigError(
            f"A walk blends up to {len(STYLE_WEIGHTS)} styles, not {len(styles)}; leave some out."
        )
    weighted = {
        slider: style
        for slider, style in zip((PEOPLE, *STYLE_WEIGHTS), (people, *styles), strict=False)
        if style is not None
    }
    if not weighted:
        return gait
    styled = Styled(gait, weighted)
    return Gait(styled, styled, gait.planted, styled)


class Styled:
    """Shapes, law and prints of a gait in styles; slow inputs `(..., n)` end in `columns`."""

    def __init__(self, gait: Gait, styles: Mapping[str, LearnedStyle]) -> None:
        """`styles`: in the order of their weight sliders."""
        self.gait, self.styles = gait, tuple(styles.values())
        law = gait.law
        self.least_duty, self.most_duty, self.longest_stride = (
            law.least_duty,
            law.most_duty,
            law.longest_stride,
        )
        self.cornered, self.runs, self.changes_at = law.cornered, law.runs, law.changes_at
        self.contacts = law.contacts
        self.weights = tuple(styles)
        self.sliders = (*self.weights, *STYLE_STRENGTHS)
        self._of_people = np.array([slider == PEOPLE for slider in self.weights])
        self._vhats = np.array([style.vhat for style in self.styles])
        self._gains = np.array([style.gains for style in self.styles])
        self._strides, self._leads = (
            np.array([getattr(style, name) for style in self.styles]) for name in ("stride", "lead")
        )
        self._duties, self._prints = (
            np.array([getattr(style, name) for style in self.styles]) for name in ("duty", "prints")
        )
        self._knees = np.array([style.knees for style in self.styles])
        curves = np.array([style.curves for style in self.styles])
        self._means = curves[:, :, 0].copy()
        self._swings = curves.reshape(-1, TERMS).T.copy()  # (TERMS, styles * 46)
        self._swings[0] = 0.0
        self._mixed: tuple[bytes, np.ndarray, np.ndarray] | None = None

    def columns(self, track: StyleTrack, frames: np.ndarray) -> np.ndarray:
        """Return the last columns of slow inputs at frames `(...)`: `(..., styles + 4)`."""
        found = np.stack([np.maximum(track.at(slider, frames), 0.0) for slider in self.sliders], axis=-1)
        if self._of_people.any():
            found[..., 0] *= np.maximum(1.0 - found[..., 1 : len(self.styles)].sum(axis=-1), 0.0)
        return found

    def beat(self, track: StyleTrack, start: float) -> float:
        """Return by how many cycles the right foot strikes early; the weights at the start decide, as phases
        cannot jump."""
        _, weights, strengths = self._split(self.columns(track, np.array(start)))
        beat = float((strengths[:, LEGS] * weights) @ [style.beat for style in self.styles])
        return float(np.clip(beat, -MOST_BEAT, MOST_BEAT))

    def stride(self, slow: np.ndarray) -> np.ndarray:
        """See GaitLaw."""
        own, weights = self._of_legs(slow)
        return self.gait.law.stride(own) * np.maximum(1.0 + weights @ self._strides, SHORTEST_STRIDE)

    def duty(self, slow: np.ndarray, which: np.ndarray | int) -> np.ndarray:
        """See GaitLaw."""
        own, weights = self._of_legs(slow)
        added = weights @ self._duties
        added = np.where(np.asarray(which) % 2 == LEFT, added[..., LEFT], added[..., RIGHT])
        return np.clip(self.gait.law.duty(own, which) + added, self.least_duty, self.most_duty)

    def lead(self, slow: np.ndarray) -> np.ndarray:
        """See GaitLaw."""
        own, weights = self._of_legs(slow)
        return self.gait.law.lead(own) + legs_of(slow) * ((weights * self._grown(slow)) @ self._leads)

    def running(self, slow: np.ndarray) -> np.ndarray:
        """See GaitLaw."""
        return self.gait.law.running(self._split(slow)[0])

    def prints(self, slow: np.ndarray) -> np.ndarray:
        """Return the additions to prints, `(..., 2, 3)` for both sides: metres ahead and outward, radians of
        toe-out."""
        _, weights = self._of_legs(slow)
        added = np.tensordot(weights, self._prints, 1)
        added[..., AHEAD] = np.tensordot(weights * self._grown(slow), self._prints[..., AHEAD], 1)
        added[..., :2] *= legs_of(slow)[..., None, None]
        return added

    def knees(self, slow: np.ndarray, phase: np.ndarray) -> np.ndarray:
        """Return the knees' added outward direction in radians `(f, 2)`, at foot phases `(f, 2)`."""
        _, weights = self._of_legs(slow)
        return np.einsum("rs,sit,rit->ri", weights * self._grown(slow), self._knees, fourier_basis(phase))

    def sample(self, slow: np.ndarray, phase_right: np.ndarray, phase_left: np.ndarray) -> np.ndarray:
        """See GaitShape."""
        values = self.gait.shapes.sample(self._split(slow)[0], phase_right, phase_left)
        if len(slow) == 1:
            gains, terms = self._mixed_once(slow)
            values *= gains
            values[:, ~IS_RIGHT] += fourier_basis(phase_left) @ terms[:, ~IS_RIGHT]
            values[:, IS_RIGHT] += fourier_basis(phase_right) @ terms[:, IS_RIGHT]
            return values
        gains, held, swung = self._amounts(slow)
        waves = np.where(IS_RIGHT, self._waves(phase_right), self._waves(phase_left))
        return (
            values * gains
            + np.einsum("fsc,fsc->fc", swung, waves)
            + np.einsum("fsc,sc->fc", held, self._means)
        )

    def _mixed_once(self, slow: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return for slow inputs `(1, n)` the factor on each natural curve `(46,)`, and Fourier terms to add
        `(TERMS, 46)`."""
        key = slow.tobytes()
        if self._mixed is None or self._mixed[0] != key:
            gains, held, swung = self._amounts(slow)
            terms = np.einsum("sc,tsc->tc", swung[0], self._swings.reshape(TERMS, len(self.styles), -1))
            terms[0] = np.einsum("sc,sc->c", held[0], self._means)
            self._mixed = key, gains[0], terms
        return self._mixed[1], self._mixed[2]

    def _amounts(self, slow: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the factors on natural curves `(rows, 46)`, and on each style's means and swings `(rows,
        styles, 46)`."""
        _, weights, strengths = self._split(slow)
        # people were recorded walking; a run's legs are its own
        walks = self._of_people[:, None] | (np.arange(len(PARTS)) == LEGS)
        strengths = strengths * np.where(walks, 1.0 - self.running(slow)[..., None, None], 1.0)
        share = weights[..., None] * strengths[..., PART_OF]
        gains = np.maximum(1.0 + np.einsum("rsc,sc->rc", share, self._gains), 0.0)
        share = share * np.where(IS_LENGTH, legs_of(slow)[:, None, None], 1.0)
        swung = share * self._grown(slow)[..., None]
        return gains, np.where(HELD, share, swung), swung

    def _waves(self, phase: np.ndarray) -> np.ndarray:
        """Return each style's swings `(frames, styles, 46)`, all channels at one foot's phases."""
        return (fourier_basis(phase) @ self._swings).reshape(-1, len(self.styles), len(CHANNELS))

    def _split(self, slow: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the gait's own slow inputs, the styles' weights `(..., styles)` and the strengths of their
        parts `(..., styles, 4)`."""
        ends, weights = slow.shape[-1] - len(PARTS), slow.shape[-1] - len(PARTS) - len(self.styles)
        strengths = np.where(self._of_people[:, None], 1.0, slow[..., None, ends:])
        return slow[..., :weights], slow[..., weights:ends], strengths

    def _of_legs(self, slow: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the gait's own slow inputs, and each style's weight for the legs `(..., styles)`, 0 in a
        run."""
        own, weights, strengths = self._split(slow)
        return own, weights * strengths[..., LEGS] * (1.0 - self.gait.law.running(own))[..., None]

    def _grown(self, slow: np.ndarray) -> np.ndarray:
        """Return the scale of swings `(..., styles)`: 1 at the speed at which each style was learned.

        Above it they fade, as steps get quicker: what is added in less time would throw the body about, and
        knees would snap.
        """
        vhat = dimensionless_speed(slow[..., VELOCITY], legs_of(slow))
        faster = np.maximum(vhat, 0.0)[..., None] / self._vhats
        return np.minimum(faster, 1.0) ** GROWS / np.maximum(faster, 1.0)
