"""How arms and legs stand in the pose that a character had, kept while their ends are not moved.

A straight arm whose elbow nobody shows may be turned about itself at will, and so may a hand: points do not tell, and what a solver
guesses swings by a quarter turn while the other hand is dragged.  So a limb's turn about the line from its start to its end, and how
its hand or foot stands, stay as they were; both fade out as the end is moved against what carries the limb.
"""

from dataclasses import dataclass

import numpy as np

from ..rotation import SKEW, about_z, transposed
from .geometry.vectors import dotted, lengths
from .likely.rotation_vectors import turn_of, turned
from .points import INDEX

_LIMBS = [("collar", "shoulder", "elbow", "wrist", "spine3", "hand_tip"), ("pelvis", "hip", "knee", "ankle", "pelvis", "ball")]
# Of both arms and both legs `(6, 4)`: what carries the limb, its two bones, its end, what its end faces with, and what its end carries.
_ROWS = np.array([[INDEX.get(f"{joint}.{side}", INDEX.get(joint)) for joint in limb] for limb in _LIMBS for side in "LR"]).T
_BONES, _ENDS, _SHOWING = _ROWS[1:3], _ROWS[3], _ROWS[[2, 5]]
_HELD = 0.05  # lengths of the limb: an end that is nearer to where it was stands in the world as it did
_TRACE = np.eye(3).reshape(9, 1)
_ABOUT_Z = np.array([0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0])[:, None]
_NEAREST = 1e-9


@dataclass(frozen=True)
class KeptLimbs:
    """The limbs of a pose: left arm, right arm, left leg, right leg.

    `spans` `(2, 4, 3, 1)`: upper and lower bone along the axes of their joints, in lengths of the limb.  `upper` `(4, 3, 3)`: the inverse
    of the upper bone's turn, `line` `(4, 3, 1)` and `aim` `(4, 3, 1)`: the way from start to end and its direction, all as what carries
    the limb has them.  `ends` `(4, 3, 3)`: how hands and feet stand; `facing` `(4, 3, 3)`: the inverse of the turn of what they face with.
    `places` `(4, 3)`: where the ends are, and `scale` `(4, 1)`: one over the square of _HELD limbs.
    """

    spans: np.ndarray
    upper: np.ndarray
    line: np.ndarray
    aim: np.ndarray
    ends: np.ndarray
    facing: np.ndarray
    places: np.ndarray
    scale: np.ndarray

    @classmethod
    def of(cls, rest: np.ndarray, rotations: np.ndarray, points: np.ndarray) -> "KeptLimbs":
        """Return the limbs of a pose `rotations` `(22, 3, 3)`, `points` `(27, 3)`; `rest` `(27, 3)` is the body in the reference pose."""
        bones = np.stack([rest[_BONES[1]] - rest[_BONES[0]], rest[_ENDS] - rest[_BONES[1]]])
        long = np.maximum(np.linalg.norm(bones, axis=-1).sum(axis=0), _NEAREST)[:, None]
        spans = (bones / long)[..., None]
        carrier, facing = rotations[_ROWS[0]], rotations[_ROWS[4]]
        line = transposed(carrier) @ (rotations[_BONES] @ spans).sum(axis=0)
        return cls(
            spans=spans,
            upper=transposed(rotations[_BONES[0]]) @ carrier,
            line=line,
            aim=line / np.maximum(np.linalg.norm(line, axis=1, keepdims=True), _NEAREST),
            ends=rotations[_ENDS],
            facing=transposed(facing),
            places=points[_ENDS],
            scale=1.0 / (_HELD * long) ** 2,
        )

    def apply(self, rotations: np.ndarray, points: np.ndarray) -> np.ndarray:
        """Return a solver's answer `(f, 22, 3, 3)` to points `(f, 27, 3)`, NaN for those not seen, with its limbs kept."""
        carrier, upper, lower, ends, facing = rotations.take(_ROWS[:5], axis=1).swapaxes(0, 1)
        limb_is_free, end_is_free = np.isnan(points.take(_SHOWING, axis=1)).swapaxes(0, 1)  # nobody shows how it is turned
        line = upper @ self.spans[0] + lower @ self.spans[1]
        moved = (line - carrier @ self.line)[..., 0]
        kept = np.exp(-(dotted(moved, moved) ** 2))
        rotations = rotations.copy()
        back = self._turned_back(upper, carrier, line[..., 0], kept * limb_is_free)
        rotations[:, _BONES] = back[:, None] @ rotations[:, _BONES]
        away = points.take(_ENDS, axis=1) - self.places
        held = np.fmax(np.exp(-((dotted(away, away) * self.scale) ** 2)), 0.0)  # of an end that is not seen: 0
        stands = about_z(_twist(facing @ self.facing, _ABOUT_Z) * (1.0 - held[..., 0])) @ self.ends
        rotations[:, _ENDS] = ends @ turned(turn_of(transposed(ends) @ stands) * (np.maximum(kept, held) * end_is_free))
        return rotations

    def _turned_back(self, upper: np.ndarray, carrier: np.ndarray, line: np.ndarray, kept: np.ndarray) -> np.ndarray:
        """Return the turns `(f, 4, 3, 3)` of limbs about their lines that take `kept` `(f, 4, 3)` of the turn back.

        Whatever else the limb does, what turns it from the old to the new line is the shortest turn after a twist about the old one.
        """
        away = upper @ self.upper @ transposed(carrier)
        twist = _twist(away, (SKEW.T @ (carrier @ self.aim)))
        return turned(line * (-twist[..., None] * kept / np.maximum(lengths(line), _NEAREST)))


def _twist(turns: np.ndarray, sines: np.ndarray) -> np.ndarray:
    """Return by how many radians turns `(..., 3, 3)` twist about an axis; their nine numbers @ `sines`: twice the sine's part along it."""
    numbers = turns.reshape(*turns.shape[:-2], 1, 9)
    return 2.0 * np.arctan2(numbers @ sines, 1.0 + numbers @ _TRACE)[..., 0, 0]
