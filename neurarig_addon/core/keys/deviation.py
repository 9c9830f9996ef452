"""The deviation of one motion of a character from another: joints, rotations, and added slip of planted feet,
limb by limb."""

from dataclasses import dataclass

import numpy as np

from ..character.character import Character
from ..geometry.rotation import norms, off_segments, rotation_vector, transposed
from ..retarget.spans import kept_for
from ..skeleton.roles import FORE_PARTS, LEG_PARTS, SIDES, sided

TRUNK = "trunk"
LEGS = tuple(sided(limb, side) for limb in ("leg", "arm") for side in SIDES)  # the first two, or all four
_MIDDLE = 0.05  # leg lengths: bones closer to the body's middle have no side


def limb_of_bones(character: Character) -> dict[str, str]:
    """Return each bone's limb, `leg.L`, `arm.R` ... or the trunk: that of the role's bone nearest to its
    head."""
    segments, limbs = [], []
    for role in character.roles.bones:
        row = character.row(role)
        if row is not None:
            segments.append((character.skeleton.heads[row], character.skeleton.tails[row]))
            limbs.append(_limb_of_role(role))
    starts, ends = np.array(segments).swapaxes(0, 1)
    heads = character.skeleton.heads
    distance = off_segments(heads[:, None], starts, ends - starts)
    in_middle = np.abs(character.in_walk(heads)[:, 1]) < _MIDDLE * character.body.leg_length
    sided_limbs = np.array([limb != TRUNK for limb in limbs])
    distance[np.ix_(in_middle, sided_limbs)] = np.inf
    nearest = distance.argmin(axis=1)
    return {name: limbs[nearest[row]] for row, name in enumerate(character.skeleton.names)}


def _limb_of_role(role: str) -> str:
    """Return the limb of a role."""
    for limb, parts in (("leg", LEG_PARTS), ("arm", FORE_PARTS)):
        for side in SIDES:
            if role in [sided(part, side) for part in parts]:
                return sided(limb, side)
    return TRUNK


_SLOW = 0.13  # leg lengths per second: faster points do not stand
_SHORTEST_S = 0.15  # seconds of standing


@dataclass(frozen=True)
class SeenMotion:
    """A character's evaluated motion, in world metres.

    `heads`, `tails` `(f, b, 3)` and axes `turns` `(f, b, 3, 3)` of its bones, `feet` `(f, 2 or 4, 3, 3)`
    heel, ball and tip of each foot, `legs` `(f, 2 or 4, 3, 3)` hip, knee and ankle.
    """

    heads: np.ndarray
    tails: np.ndarray
    turns: np.ndarray
    feet: np.ndarray
    legs: np.ndarray

    def first(self, bones: int) -> "SeenMotion":
        """Return the same of only the first bones."""
        return SeenMotion(
            self.heads[:, :bones], self.tails[:, :bones], self.turns[:, :bones], self.feet, self.legs
        )


@dataclass(frozen=True)
class Deviation:
    """Per frame, metres of a bone's head and tail `(f, b)`, `degrees` `(f, b)` of its axes, metres and `slip`
    of each sole `(f, feet)`."""

    heads: np.ndarray
    tails: np.ndarray
    degrees: np.ndarray
    soles: np.ndarray
    slip: np.ndarray

    @property
    def metres(self) -> np.ndarray:
        """Of a bone's ends `(f, b)`."""
        return np.maximum(self.heads, self.tails)


def deviation(wanted: SeenMotion, seen: SeenMotion, planted: np.ndarray, lasting: int = 1) -> Deviation:
    """Return the deviation of `seen` from the wanted motion; `planted` `(f, feet, 3)`: which points of the
    feet stand still.

    `lasting`: odd number of frames over which axes and tails are averaged: in a recording, that by which they
    tremble is not asked for.
    """
    turned = rotation_vector(transposed(wanted.turns) @ seen.turns)
    return Deviation(
        heads=norms(seen.heads - wanted.heads),
        tails=norms(_lasting(seen.tails - wanted.tails, lasting)),
        degrees=np.degrees(norms(_lasting(turned, lasting))),
        soles=norms(seen.feet - wanted.feet).max(axis=-1),
        slip=np.stack(
            [
                _slip(seen.feet[:, foot] - wanted.feet[:, foot], planted[:, foot])
                for foot in range(planted.shape[1])
            ],
            axis=-1,
        ),
    )


def _lasting(apart: np.ndarray, rows: int) -> np.ndarray:
    """Return the means of vectors `(f, ..., 3)` over some rows around each."""
    if rows == 1:
        return apart
    padded = np.pad(apart, ((rows // 2 + 1, rows // 2), *[(0, 0)] * (apart.ndim - 1)), mode="edge").cumsum(
        axis=0
    )
    return (padded[rows:] - padded[:-rows]) / rows


def standing_points(feet: np.ndarray, fps: float, leg_length: float) -> np.ndarray:
    """Return which points of the feet `(f, feet, 3, 3)`, metres, stand
    `(f, feet, 3)`."""
    moved = norms(np.diff(feet, axis=0)) * fps < _SLOW * leg_length
    still = np.concatenate([moved[:1], moved]) | np.concatenate([moved, moved[-1:]])
    return kept_for(still, _SHORTEST_S, fps)


def standing_feet(planted: np.ndarray, fps: float) -> np.ndarray:
    """Return which feet stand `(f, feet)`, of which points do `(f, feet, 3)`: one that trembles does not
    lift."""
    return ~kept_for(np.logical_not(planted.any(axis=2)), _SHORTEST_S, fps)


def _slip(moved: np.ndarray, planted: np.ndarray) -> np.ndarray:
    """Return how far points `(f, 3, 3)`, relative to where they should be, stray within a contact from its
    beginning `(f,)`."""
    worst = np.zeros(len(moved))
    for point in range(planted.shape[1]):
        stands = planted[:, point]
        began = np.flatnonzero(stands & ~np.concatenate([[False], stands[:-1]]))
        if len(began):
            contact = np.cumsum(np.isin(np.arange(len(stands)), began)) - 1
            strayed = moved[stands, point] - moved[began[contact[stands]], point]
            worst[stands] = np.maximum(worst[stands], norms(strayed))
    return worst
