"""Two motions joined at an instant: from there on it is the second, with what is left of how far the first
was from it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..body.legs import hips_of
from ..body.pelvis import lowered
from ..body.seam import Seam, stacked
from ..body.tree import all_holders_of, apart, together
from ..character.body import Body
from ..character.motion import Motion
from ..easing import bell
from ..geometry.rotation import UP, about_z, norms
from ..skeleton.roles import SIDES, sided
from .feet import LONGEST, STILL, FadingFeet, poles, reached
from .poses import Ends, Poses, Stream

_LOWEST = 0.3  # leg lengths by which a pelvis comes down at most
_HARD = 1e-6  # leg lengths: soft band of how far it has to, so that what is reached already stays
_INNER = (0.08, 0.92)  # shares of the blend between which it is looked how far


@dataclass(frozen=True)
class BlendJoint:
    """Where two motions meet: the `frame`, the `seconds` that the blend lasts, and the `foot` that stands in
    both, 0 left, 1 right."""

    frame: float
    seconds: float
    foot: int

    def share(self, frames: np.ndarray, fps: float) -> np.ndarray:
        """Return how much of the blend is over at frames `(f,)`: before it less than 0, then more than 1."""
        return (frames - self.frame) / (self.seconds * fps)


@dataclass(frozen=True)
class Join:
    """Two motions, `before` and `after` a joint; `around`: the frames `(3,)` around the joint at which the
    rates of each are measured."""

    body: Body
    fps: float
    joint: BlendJoint
    before: Stream
    after: Stream
    around: tuple[np.ndarray, np.ndarray]

    def at(self, frames: np.ndarray) -> Poses:
        """Return the poses at frames `(f,)`, each a function of its frame alone."""
        first = frames < self.joint.frame
        poses = self.after(np.where(first, self.joint.frame, frames))
        if first.any():
            poses = poses.with_rows(first, self.before(frames[first]))
        blends = ~first & (self.joint.share(frames, self.fps) < 1.0)
        if blends.any():
            poses = poses.with_rows(blends, self._blended(frames[blends]))
        return poses

    @cached_property
    def _ends(self) -> Ends:
        before, after = self.around
        return Ends(self.before(before), self.after(after), (before / self.fps, after / self.fps))

    @cached_property
    def _holders(self) -> dict[str, str]:
        return all_holders_of(self._ends.after.motions)

    @cached_property
    def _feet(self) -> FadingFeet:
        share, after = self._whole
        return FadingFeet.of(
            self.body, self._ends, (after.stands, share), (self.joint.foot, self.joint.seconds)
        )

    @cached_property
    def _whole(self) -> tuple[np.ndarray, Poses]:
        """The second motion on all whole frames of the blend, with their shares of it."""
        frames = self.joint.frame + np.arange(np.ceil(self.joint.seconds * self.fps))
        return self.joint.share(frames, self.fps), self.after(frames)

    @cached_property
    def _deep(self) -> float:
        """How far the pelvis comes down in the middle of the blend for the legs to reach."""
        share, after = self._whole
        inner = (share > _INNER[0]) & (share < _INNER[1])
        pelvis = together(self._parts(share, after), self._holders)["pelvis"]
        hips, ankles = hips_of(self.body, pelvis), self._feet.at(share, after).ankle
        needed = lowered(pelvis.position[:, 2], hips, ankles, self.body, None, _HARD, LONGEST)
        most = np.max(needed[inner] / bell(share[inner]), initial=0.0)
        return min(float(most), _LOWEST * self.body.leg_length)

    @cached_property
    def _seam(self) -> Seam:
        seam = self._ends.seam(
            lambda poses: stacked(apart(poses.motions, self._holders).values()), self.joint.seconds
        )
        # knees bend to one side
        seam.brake([row for row, role in enumerate(self._holders) if role.startswith(("thigh", "shin"))])
        return seam

    @cached_property
    def _way(self) -> Seam:
        """How far the root is from where it is afterwards."""
        return self._ends.seam(lambda poses: stacked([poses.root]), self.joint.seconds)

    def _parts(self, share: np.ndarray, after: Poses) -> dict[str, Motion]:
        """Return each role relative to its holder, with what is left of the first motion."""
        return self._seam.motions(share, apart(after.motions, self._holders))

    def _blended(self, frames: np.ndarray) -> Poses:
        share, after = self.joint.share(frames, self.fps), self.after(frames)
        feet, parts = self._feet.at(share, after), self._parts(share, after)
        down = (self._deep * bell(share))[:, None] * UP
        parts["pelvis"] = parts["pelvis"].moved(-down)
        motions = together(parts, self._holders)
        motions |= reached(self.body, motions, feet.ankle)
        flat = about_z(-self.body.foot_heading)
        for row, side in enumerate(SIDES):
            foot, toe = sided("foot", side), sided("toe", side)
            motions[foot] = Motion(feet.turn[:, row] @ flat[row], feet.ankle[:, row], motions[foot].rest)
            if toe in motions:
                joint = motions[foot].holding(parts[toe]).position
                motions[toe] = Motion(feet.toe[:, row] @ flat[row], joint, motions[toe].rest)
        motions |= poles(self.body, motions)
        motions |= {role: after.motions[role] for role in after.motions.keys() - motions.keys()}
        stands = after.stands.copy()
        far = norms(feet.ankle - after.feet(self.body).ankle) > STILL * self.body.leg_length
        stands[:, 1 - self.joint.foot] &= ~far[:, 1 - self.joint.foot]
        return Poses(motions, self._way.motions(share, {"": after.root})[""], stands)
