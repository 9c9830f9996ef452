"""A character's proportions in the walk frame: the girdle that walks, and the body on it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ..geometry.rotation import frame, norms
from ..skeleton.roles import BIPED, BIRD, QUADRUPED

LEFT, RIGHT = 0, 1
FORWARD = np.array([1.0, 0.0, 0.0])
_PLACES = ("pelvis", "hip", "knee", "ankle", "heel", "ball", "toe", "toe_joint")
_PLACES += ("neck", "head", "clavicle")
WIDER_TURNS = 1.6  # leg lengths that a metre from hips to shoulders counts in turns


@dataclass(frozen=True, kw_only=True)
class Girdle:
    """A pair of limbs that stands and walks, and the bone that it hangs on: at rest, in the walk frame.

    Arrays with two rows are left, right.  A part that the rig lacks is NaN.
    `pelvis` `(3,)`: head of the bone on which the limbs hang. `hip`, `knee`, `ankle` `(2, 3)`: their joints;
    a limb of one bone has its `knee` half way.
    `heel`, `ball`, `toe` `(2, 3)`: the points that touch the ground, the lowest at z = 0 (`ball` under the
    ball joint, `toe` the tip).
    `toe_joint` `(2, 3)`: head of the toe bone, NaN if there is none.
    `one_bone_legs`: the rig lacks a knee, so the leg must change length, or is rigid.
    `rigid_legs`: its legs can neither bend nor stretch.
    `on_toes`: the feet stand on their toes alone, the ankle high above them: the hock or the carpus of an
    animal; the `heel` is then the rear end of the toes.
    `least_pitch` `(2,)`: of such a foot, radians, toes up negative: beyond it the skin behind its toes would
    be in the ground. `pads` `(2,)`: whether its heel moves with the foot, not with toes that point backward.
    `bends`: 1 for limbs whose middle joints bend forward, as knees do, -1 backward, as elbows do.
    """

    pelvis: np.ndarray
    hip: np.ndarray
    knee: np.ndarray
    ankle: np.ndarray
    heel: np.ndarray
    ball: np.ndarray
    toe: np.ndarray
    toe_joint: np.ndarray
    one_bone_legs: bool = False
    rigid_legs: bool = False
    on_toes: bool = False
    bends: float = 1.0
    least_pitch: np.ndarray = field(default_factory=lambda: np.full(2, -np.pi))
    pads: np.ndarray = field(default_factory=lambda: np.zeros(2, dtype=bool))

    @cached_property
    def thigh_length(self) -> np.ndarray:
        """Hip to knee `(2,)` in metres."""
        return norms(self.knee - self.hip)

    @cached_property
    def shin_length(self) -> np.ndarray:
        """Knee to ankle `(2,)` in metres."""
        return norms(self.ankle - self.knee)

    @cached_property
    def leg_length(self) -> float:
        """Thigh plus shin in metres, the mean of both sides."""
        return float(np.mean(self.thigh_length + self.shin_length))

    @cached_property
    def thigh_frame(self) -> np.ndarray:
        """Axes of the thighs at rest `(2, 3, 3)`: along them, and ahead (see `rotation.frame`)."""
        return frame(self.knee - self.hip, self.bends * FORWARD)

    @cached_property
    def shin_frame(self) -> np.ndarray:
        """Axes of the shins at rest `(2, 3, 3)`: along them, and ahead."""
        return frame(self.ankle - self.knee, self.bends * FORWARD)

    @cached_property
    def standing_length(self) -> float:
        """Metres by which motions are scaled: the leg's, of limbs on toes from the ground to the hip."""
        return float(self.hip[:, 2].mean()) if self.on_toes else self.leg_length

    @property
    def has_pads(self) -> bool:
        """Whether its feet on toes have pads behind these, which move with the foot."""
        return bool(self.pads.any())

    @cached_property
    def foot_heading(self) -> np.ndarray:
        """Yaw `(2,)` of heel to toe about z in radians, left positive; 0 for a foot without length."""
        along = self.toe - self.heel
        return np.arctan2(along[:, 1], np.where(np.hypot(along[:, 0], along[:, 1]) > 1e-6, along[:, 0], 1.0))


@dataclass(frozen=True, kw_only=True)
class Body(Girdle):
    """A character: the girdle that walks, at its hips, and what is above, at rest in the walk frame: metres,
    x forward, y left, z up, origin on the ground below the hips.

    `walk_to_armature` `(4, 4)`: rotation, uniform scale and translation from this frame to armature space.
    `shoulder`, `elbow`, `wrist` `(2, 3)`: arm joints.  `clavicle` `(2, 3)`: heads of the collar bones.
    `spine` `(n, 3)`: heads of the spine bones. `neck`, `head` `(3,)`: heads. `eye` `(2, 3)`: the points about
    which the eyes turn.
    `leans` `(1 + n, 3, 3)`: how pelvis and spine are turned from rest as it stands (see `shown_pose`); None
    for not at all. `skin`: the outermost points `(n, 3)` of the skin that follows a role.
    `fore`: the girdle at the shoulders of a four-legged body, as a body without anything above it in a frame
    of its own, whose origin is below the shoulders; `ahead`: metres from this frame's origin to that one.
    `tail`, `nape` `(n, 3)`: heads of the tail's bones, and of the neck's after the first.
    """

    walk_to_armature: np.ndarray
    shoulder: np.ndarray
    elbow: np.ndarray
    wrist: np.ndarray
    spine: np.ndarray
    neck: np.ndarray
    head: np.ndarray
    clavicle: np.ndarray = field(default_factory=lambda: np.full((2, 3), np.nan))
    eye: np.ndarray = field(default_factory=lambda: np.full((2, 3), np.nan))
    leans: np.ndarray | None = None
    skin: Mapping[str, np.ndarray] = field(default_factory=dict)
    fore: "Body | None" = None
    ahead: float = 0.0
    tail: np.ndarray = field(default_factory=lambda: np.empty((0, 3)))
    nape: np.ndarray = field(default_factory=lambda: np.empty((0, 3)))

    def with_stiff_feet(self, stiff: np.ndarray) -> "Body":
        """Return the body with the toes of some feet `(2,)` as part of the foot: it then rolls over their
        tip."""
        return (
            replace(self, toe_joint=np.where(stiff[:, None], np.nan, self.toe_joint)) if stiff.any() else self
        )

    @property
    def way_length(self) -> float:
        """The leg length, in metres, of which the ways that it walks are rounded: a long back turns wider."""
        return max(self.leg_length, WIDER_TURNS * self.ahead)

    @property
    def kind(self) -> str:
        """What it is (see `RoleMap.kind`)."""
        return BIPED if not self.on_toes else QUADRUPED if self.fore is not None else BIRD

    @cached_property
    def holds_its_head(self) -> bool:
        """Whether it is a bird, whose neck has the head where it is to be."""
        return self.kind == BIRD and bool(np.isfinite([self.neck, self.head]).all())

    @property
    def front(self) -> "Body":
        """The girdle at the shoulders of a body that has four legs."""
        assert self.fore is not None
        return self.fore

    @cached_property
    def front_in_place(self) -> "Body":
        """The girdle at the shoulders, in the walk frame of the whole body."""
        moved = {name: getattr(self.front, name) + self.ahead * FORWARD for name in _PLACES}
        return replace(self.front, walk_to_armature=self.walk_to_armature, **moved)

    def of_legs(self, name: str) -> np.ndarray:
        """Return a joint or contact point of all legs `(2 or 4, 3)`, the hind ones first."""
        own = np.broadcast_to(getattr(self, name), (2, 3))
        if self.fore is None:
            return own
        return np.concatenate([own, self.fore.of_legs(name) + self.ahead * FORWARD])

    @cached_property
    def leg_lengths(self) -> np.ndarray:
        """Hip to ankle of all straight legs `(2 or 4,)` in metres, the hind ones first."""
        own = self.thigh_length + self.shin_length
        return own if self.fore is None else np.concatenate([own, self.fore.leg_lengths])

    @cached_property
    def arm_length(self) -> np.ndarray:
        """Shoulder over elbow to wrist `(2,)` in metres; NaN for an arm that it lacks."""
        return norms(self.elbow - self.shoulder) + norms(self.wrist - self.elbow)

    @cached_property
    def has_eyes(self) -> bool:
        """Whether the rig has a head with two eyes."""
        return bool(np.isfinite(self.eye).all() and np.isfinite(self.head).all())

    @cached_property
    def metres_per_unit(self) -> float:
        """Metres in one armature unit."""
        return float(1.0 / np.cbrt(np.linalg.det(self.walk_to_armature[:3, :3])))
