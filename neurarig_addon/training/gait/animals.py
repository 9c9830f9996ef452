"""A dog like a Labrador, a horse and a cat, from proportions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.character.body import Body

Points = tuple[tuple[float, float], ...]
SOLE, APART, TOES = 0.035, 0.11, 0.08  # of what stands: behind the toes' joint, aside, and ahead


@dataclass(frozen=True)
class Build:
    """Proportions of an animal as it stands: metres of its `withers`, all others as shares of these.

    `hind`, `fore`: x ahead of hip and shoulder, and height, of a limb's joints from the trunk outward, the
    fore one's from the top of the blade. `trunk`: from hips to shoulders.
    """

    withers: float
    hind: Points
    fore: Points
    trunk: float

    def body(self) -> Body:
        """Return the body."""
        hind, fore = (
            [self.withers * np.array([[x, APART, z], [x, -APART, z]]) for x, z in limb]
            for limb in (self.hind, self.fore)
        )
        ahead = np.array([self.trunk * self.withers, 0.0, 0.0])
        pelvis, withers = (
            self.withers * np.array([x, 0.0, z]) for x, z in ((0.06, 0.86), (self.trunk, 0.92))
        )
        spine = pelvis + np.linspace(0.2, 1.0, 5)[:, None] * (withers - pelvis)
        lacks: dict[str, Any] = {part: np.full((2, 3), np.nan) for part in ("shoulder", "elbow", "wrist")}
        lacks["walk_to_armature"] = np.eye(4)
        nowhere = np.full(3, np.nan)
        return Body(
            **self._girdle(hind),
            **lacks,
            pelvis=pelvis,
            spine=spine,
            neck=withers + self.withers * np.array([0.1, 0.0, 0.0]),
            head=withers + self.withers * np.array([0.35, 0.0, 0.25]),
            tail=pelvis - self.withers * np.array([[0.15, 0.0, 0.0], [0.3, 0.0, 0.05]]),
            ahead=float(ahead[0]),
            fore=Body(
                **self._girdle(fore[1:]),
                **lacks,
                pelvis=withers - ahead,
                spine=np.empty((0, 3)),
                neck=nowhere,
                head=nowhere,
                clavicle=fore[0],
            ),
        )

    def _girdle(self, joints: list[np.ndarray]) -> dict[str, Any]:
        hip, knee, ankle, toe_joint = joints
        under = toe_joint * [1.0, 1.0, 0.0]
        parts = {"hip": hip, "knee": knee, "ankle": ankle, "toe_joint": toe_joint, "ball": under}
        soles = {
            "heel": under - [SOLE * self.withers, 0.0, 0.0],
            "toe": under + [TOES * self.withers, 0.0, 0.0],
        }
        return parts | soles | {"on_toes": True, "bends": float(np.sign(knee[0, 0] - hip[0, 0]))}


ANIMALS: Mapping[str, Build] = {
    "dog": Build(
        0.6,
        ((0.0, 0.79), (0.125, 0.51), (0.012, 0.23), (0.063, 0.025)),
        ((-0.144, 1.0), (0.0, 0.73), (-0.133, 0.48), (-0.115, 0.135), (-0.066, 0.03)),
        0.85,
    ),
    "horse": Build(
        1.55,
        ((0.0, 0.84), (0.112, 0.6), (-0.032, 0.37), (-0.001, 0.12)),
        ((-0.194, 0.97), (0.0, 0.66), (-0.084, 0.56), (-0.08, 0.33), (-0.076, 0.12)),
        0.8,
    ),
    "cat": Build(
        0.27,
        ((0.0, 0.84), (0.203, 0.58), (-0.049, 0.3), (0.019, 0.045)),
        ((-0.209, 0.97), (0.0, 0.66), (-0.173, 0.43), (-0.143, 0.14), (-0.122, 0.04)),
        1.05,
    ),
}
