"""Two motions joined at an instant: from there on it is the second, with what is left of how far the first
was from it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..body.feet import Feet
from ..body.legs import within_reach
from ..body.pelvis import lowered
from ..body.seam import Seam, stacked
from ..body.tree import all_holders_of, apart, together
from ..character.body import Body
from ..character.motion import Motion
from ..easing import bell
from ..geometry.rotation import TINY, UP, about_z, norms
from ..skeleton.roles import SIDES, sided
from .feet import LONGEST, STILL, FadingFeet, poles, reached
from .pairs import Pair, pairs_of
from .poses import Ends, Poses, Stream

_LOWEST = 0.3  # leg lengths by which a pelvis comes down at most
_HARD = 1e-6  # leg lengths: soft band of how far it has to, so that what is reached already stays
_INNER = (0.08, 0.92)  # shares of the blend between which it is looked how far


@dataclass(frozen=True)
class BlendJoint:
    """Where two motions meet: the `frame`, the `seconds` that the blend lasts, and the `foot` that stands in
    both, 0 left, 1 right, of fore legs 2 and 3."""

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
    def _pairs(self) -> list[tuple[Pair, FadingFeet, np.ndarray]]:
        """The pairs of legs, the feet of each, and the least metres `(2,)` from the hips in either motion."""
        (share, after), ends = self._whole, self._ends
        found = []
        for pair in pairs_of(self.body):
            own = replace(ends, before=pair.of(ends.before), after=pair.of(ends.after))
            held = self.joint.foot - pair.feet.start
            blend = held if held in (0, 1) else None, self.joint.seconds
            fading = FadingFeet.of(pair.body, own, (pair.of(after).stands, share), blend)
            least = [_folded(pair, pair.of(poses)).min(axis=0) for poses in (ends.before, after)]
            found.append((pair, fading, np.min(least, axis=0)))
        return found

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
        motions, most = together(self._parts(share, after), self._holders), 0.0
        for pair, feet, _ in self._pairs:
            now, height = pair.of(after), motions["pelvis"].position[:, 2]
            holds = None  # both legs of people; of four legs those that stand
            if len(self._pairs) > 1:
                holds = 1.0 * (now.stands | feet.holds(share))
            hips, ankles = pair.hips(pair.seen(motions)), feet.at(share, now).ankle
            needed = lowered(height, hips, ankles, pair.body, holds, _HARD, LONGEST)
            most = max(most, float(np.max(needed[inner] / bell(share[inner]), initial=0.0)))
        return min(most, _LOWEST * self.body.leg_length)

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
        parts, stands = self._parts(share, after), after.stands.copy()
        down = (self._deep * bell(share))[:, None] * UP
        parts["pelvis"] = parts["pelvis"].moved(-down)
        motions = together(parts, self._holders)
        for pair, fading, least in self._pairs:
            now, above = pair.of(after), pair.seen(motions)
            fades, holds = fading.at(share, now), fading.holds(share)
            feet = fading.lifted(
                replace(fades, ankle=_near(pair, pair.hips(above), fades, holds, least)), now
            )
            legs = _standing_on(pair.body, above, feet, pair.seen(parts))
            motions |= pair.named(legs)
            off = norms(feet.ankle - np.where(holds[..., None], fades.ankle, now.feet(pair.body).ankle))
            stands[:, pair.feet] &= off <= STILL * pair.body.leg_length
        motions |= {role: after.motions[role] for role in after.motions.keys() - motions.keys()}
        return Poses(motions, self._way.motions(share, {"": after.root})[""], stands)


def _near(pair: Pair, hips: np.ndarray, feet: Feet, holds: np.ndarray, least: np.ndarray) -> np.ndarray:
    """Return the ankles `(f, 2, 3)` of feet that legs reach, not folded to less than `least` metres `(2,)`;
    what `holds` `(f, 2)` the body stays where it is as far as it can."""
    long = LONGEST * (pair.body.thigh_length + pair.body.shin_length)
    line = np.where(holds[..., None], feet.ankle, within_reach(pair.body, hips, feet.ankle)) - hips
    far = np.maximum(norms(line), TINY)
    wanted = np.minimum(np.where(holds, far, np.maximum(far, least)), long)
    return np.where((wanted == far)[..., None], line + hips, hips + line * (wanted / far)[..., None])


def _folded(pair: Pair, poses: Poses) -> np.ndarray:
    """Return how many metres `(f, 2)` ankles are from the hips."""
    return norms(poses.feet(pair.body).ankle - pair.hips(poses.motions))


def _standing_on(
    body: Body, motions: Mapping[str, Motion], feet: Feet, parts: Mapping[str, Motion]
) -> dict[str, Motion]:
    """Return the legs that end in `feet`, from `motions` in the world and `parts` as seen from what holds
    them."""
    legs = reached(body, motions, feet.ankle)
    flat = about_z(-body.foot_heading)
    for row, side in enumerate(SIDES):
        foot, toe = sided("foot", side), sided("toe", side)
        legs[foot] = Motion(feet.turn[:, row] @ flat[row], feet.ankle[:, row], motions[foot].rest)
        if toe in motions:
            joint = legs[foot].holding(parts[toe]).position
            legs[toe] = Motion(feet.toe[:, row] @ flat[row], joint, motions[toe].rest)
    return legs | poles(body, legs)
