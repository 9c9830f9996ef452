"""A walk that blends into an action, and back: planned once, then a pose at any frame."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..body.feet import BALL, FLAT, HEEL, SWING, TOE, angles_of
from ..character.body import Body
from ..character.motion import Motion
from ..easing import smootherstep
from ..errors import NeuraRigError
from ..gait.pose import WalkPose
from ..geometry.rotation import ON_GROUND
from .join import BlendJoint, Join
from .match import matched
from .pairs import Pair, pairs_of
from .poses import Poses
from .recorded import RecordedAction

WINDOW_S = 0.6  # seconds around the wished frame in which the walk is left, and entered again
SKIPPED_S = 0.5  # seconds of an action's beginning, and of its end, that may be left out
NEVER = 2.0  # as a share of the frames that may be left out: more than may
SHARE_OF_ACTION = 0.45  # of which a blend, or what is left out, is at most
TIPPED = np.radians(1.0)  # a foot pitched farther stands on its heel or ball

Walked = Callable[[np.ndarray], WalkPose]  # from frames `(f,)` to a walk


@dataclass(frozen=True)
class Blend:
    """From a walk into an action at a joint, and back at another one if the walk goes on.

    `first`: the action's frame at the joint; `place`: where the action is. `again`: the walk's frame at the
    way `back`, and `there`: where
    the walk is then.
    """

    body: Body
    walked: Walked
    fps: float
    action: RecordedAction
    joint: BlendJoint
    first: float
    place: Motion
    back: BlendJoint | None = None
    again: float = 0.0
    there: Motion | None = None

    def pose(self, frames: np.ndarray) -> WalkPose:
        """Return the walk that blends, at frames `(f,)`."""
        base, acts = self.walked(self.walk_frames(frames)), frames >= self.joint.frame
        base = replace(base, frames=frames, turns=True)
        return self._with(base, acts, self._joined.at(frames[acts])) if acts.any() else base

    def walk_frames(self, frames: np.ndarray) -> np.ndarray:
        """Return the walk's frames `(f,)`: it waits at the joint while the action plays."""
        waiting = np.minimum(frames, self.joint.frame)
        return (
            waiting
            if self.back is None
            else np.where(frames >= self.back.frame, frames - self.back.frame + self.again, waiting)
        )

    def action_frames(self, frames: np.ndarray) -> np.ndarray:
        """Return the action's frames `(f,)`."""
        return frames - self.joint.frame + self.first

    def weight(self, frames: np.ndarray) -> np.ndarray:
        """Return how much the action plays `(f,)`: 0 in the walk, 1 after the blend, for what no foot depends
        on."""
        weight = smootherstep(self.joint.share(frames, self.fps))
        return weight * (1.0 - smootherstep(self.back.share(frames, self.fps))) if self.back else weight

    @cached_property
    def _joined(self) -> Join:
        """The walk joined with the action, and with the walk that goes on."""

        def walk(frames: np.ndarray) -> Poses:
            return Poses.of_walk(self.walked(frames))

        def acting(frames: np.ndarray) -> Poses:
            return self.action.at(self.action_frames(frames)).placed(self.place)

        into_action = Join(self.body, self.fps, self.joint, walk, acting, self._around(self.joint.frame))
        if self.back is None or self.there is None:
            return into_action
        back, there, later = self.back, self.there, self.again - self.back.frame

        def going_on(frames: np.ndarray) -> Poses:
            return walk(frames + later).placed(there)

        of_walk, of_action = self._around(back.frame)
        return Join(self.body, self.fps, back, into_action.at, going_on, (of_action, of_walk))

    def _around(self, frame: float) -> tuple[np.ndarray, np.ndarray]:
        """Return frames before, at and after a frame, at which rates of the walk and of the action are
        measured.

        They are the same, so that what is the same has the same rates, but at the action's ends.
        """
        at, steps = float(self.action_frames(np.array(frame))), np.array([-1.0, 0.0, 1.0])
        own = np.clip(at + steps, self.action.first, self.action.last) - at
        return frame + steps * (1.0 if np.array_equal(own, steps) else 0.5), frame + own

    def _with(self, base: WalkPose, acts: np.ndarray, poses: Poses) -> WalkPose:
        """Return a walk with other poses on some frames `(f,)`."""
        hind, *front = pairs_of(self.body)
        fore = [
            self._of_pair(pair, replace(base.fore, frames=base.frames), acts, poses)
            for pair in front
            if base.fore
        ]
        return replace(self._of_pair(hind, base, acts, poses), fore=fore[0] if fore else None)

    def _of_pair(self, pair: Pair, base: WalkPose, acts: np.ndarray, poses: Poses) -> WalkPose:
        """Return what a walk tells of a pair of legs with other poses on some frames `(f,)`."""
        plays, poses = self.weight(base.frames), pair.of(poses)
        pivot, own = base.pivot.copy(), plays[acts] == 0.0
        pivot[acts] = np.where(own[:, None], pivot[acts], _pivots(pair.body, poses))
        root = replace(poses.root, position=poses.root.carry(poses.root.rest + pair.ahead))
        return replace(
            base,
            motions={
                role: motion.with_rows(acts, root.seeing(poses.motions[role].about(motion.rest + pair.ahead)))
                for role, motion in base.motions.items()
            },
            root=base.root.with_rows(acts, root),
            pivot=pivot,
            pitch=base.pitch * (1.0 - plays)[:, None, None],
            ground_speed=base.ground_speed * (1.0 - plays),
            period=np.where(plays > 0.0, np.inf, base.period),  # no cycle and no swing of its own
            duty=np.where(plays[:, None] > 0.0, 1.0, base.duty),
        )


def _pivots(body: Body, poses: Poses) -> np.ndarray:
    """Return on what feet stand `(f, 2)`."""
    feet = poses.feet(body)
    pitch, toes = angles_of(feet.turn).pitch, angles_of(feet.toe).pitch
    tips = np.where(toes > TIPPED, TOE, BALL)
    on = tips if body.on_toes else np.where(pitch < -TIPPED, HEEL, np.where(pitch > TIPPED, tips, FLAT))
    return np.where(poses.stands, on, SWING)


@dataclass(frozen=True)
class BlendWish:
    """What is asked of a blend: about which `frame` it begins, the `seconds` that it lasts, and whether the
    walk goes on afterwards."""

    frame: float
    seconds: float
    comes_back: bool


def planned(
    body: Body, walked: Walked, fps: float, action: RecordedAction, name: str, wished: BlendWish
) -> Blend:
    """Return the blend of a walk into an action.

    Raises NeuraRigError, with the action's `name`, if no foot stands where it has to.
    """
    seconds = min(wished.seconds, SHARE_OF_ACTION * (len(action) - 1) / fps)
    skipped = np.arange(len(action)) / max(1.0, min(SKIPPED_S * fps, SHARE_OF_ACTION * len(action)))
    around, wish = _near(round(wished.frame), fps)
    match = matched(body, Poses.of_walk(walked(around)), action.poses, (wish, skipped), fps, seconds)
    if match is None:
        raise NeuraRigError(
            f"No foot stands in the first {SKIPPED_S:g} s of '{name}', so a walk cannot blend into it. Begin"
            " it on a foot."
        )
    joint = BlendJoint(float(around[match.row]), seconds, match.foot)
    blend = Blend(body, walked, fps, action, joint, action.first + match.after_row, match.place)
    return _with_way_back(blend, name, skipped[::-1]) if wished.comes_back else blend


def _with_way_back(blend: Blend, name: str, skipped: np.ndarray) -> Blend:
    """Return a blend after which the walk goes on; `skipped` `(f,)`: the share of what may be left out at its
    end."""
    shown, fps, seconds = (
        blend.action.frames - blend.first + blend.joint.frame,
        blend.fps,
        blend.joint.seconds,
    )
    around, wish = _near(shown[-1], fps)
    late = np.where(shown < blend.joint.frame + seconds * fps, NEVER, skipped)
    before, after = blend.action.poses.placed(blend.place), Poses.of_walk(blend.walked(around))
    match = matched(blend.body, before, after, (late, wish), fps, seconds)
    if match is None:
        raise NeuraRigError(
            f"No foot stands in the last {SKIPPED_S:g} s of '{name}', so the walk cannot go on. End it on a"
            " foot."
        )
    back = BlendJoint(float(shown[match.row]), seconds, match.foot)
    # on the level ground on which it began
    there = replace(match.place, position=match.place.position * ON_GROUND)
    return replace(blend, back=back, again=float(around[match.after_row]), there=there)


def _near(frame: float, fps: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the frames of a walk in which it may be left or entered around one, and how far they are from
    it, 0..1."""
    reach = round(WINDOW_S * fps)
    frames = frame + np.arange(-reach, reach + 1.0)
    return frames, np.abs(frames - frame) / (reach + 1.0)
