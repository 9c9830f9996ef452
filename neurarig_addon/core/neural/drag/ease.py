"""How easily people move the parts of their trunk: what gives way first in a drag, and how far."""

from typing import NamedTuple

import numpy as np

from ..point_body import PointBody
from ..points import INDEX

# Roll, pitch and yaw (about forward, left and up as the pelvis faces): ease (rad^2 where the whole moves by 1 m^2), and limit, degrees.
# A chain of bones shares its values.  People lower the hips and lean before they turn.
_PARTS = {
    "pelvis": ((0.08, 0.7, 0.02), (30.0, 80.0, 40.0)),
    "spine": ((0.25, 1.2, 0.12), (25.0, 45.0, 25.0)),
    "neck": ((0.3, 0.5, 0.4), (30.0, 45.0, 50.0)),
    "head": ((0.05, 0.1, 0.1), (15.0, 20.0, 20.0)),
    "clavicle": ((0.15, 0.02, 0.15), (20.0, 8.0, 20.0)),
}
_LIMBS = ("thigh", "shin", "foot", "toe", "upper_arm", "forearm", "hand")


class Ease(NamedTuple):
    """The trunk's roles, `rows` `(b,)` in the body's tree: how easily each `turns`, rad^2, and its limits `most`, radians, `(b, 3)`."""

    rows: np.ndarray
    turns: np.ndarray
    most: np.ndarray

    @classmethod
    def of(cls, body: PointBody) -> "Ease":
        """Return the ease of a body's trunk: all roles except the limbs'."""
        roles = body.tree.roles
        rows = [row for row, role in enumerate(roles) if role.partition(".")[0] not in _LIMBS]
        parts = [_part(body, roles[row]) for row in rows]
        ease, most = (np.array([_PARTS[part][at] for part in parts]) for at in (0, 1))
        bones = np.array([1 if part == "clavicle" else parts.count(part) for part in parts])[:, None]
        return cls(np.array(rows), ease / bones, np.radians(most) / np.sqrt(bones))


def _part(body: PointBody, role: str) -> str:
    stem = role.partition(".")[0]
    return stem if stem in _PARTS else "spine" if role == body.carriers.carrier(INDEX["neck"]) else "neck"
