"""A few keyed poses of a step, as a walk that flows through them: the poses, and their mirror images, one
step after the other.

The poses of a step are those of the next one with left and right exchanged. So where a pose mirrors the first
one, the step is over;
where it is the first one again, the stride is. If neither is among them, the step goes on for as long as its
poses are apart.
"""

from dataclasses import dataclass, replace

import numpy as np

from ..easing import cubic
from ..errors import NeuraRigError
from ..geometry.rotation import continuous_quaternions, normalized, norms
from ..ikrig.decode import decode
from ..ikrig.encoding import Contacts, Encoding, each, mirror
from ..ikrig.resample import sampled
from ..retarget.contacts import find_contacts, foot_points, speed
from .figure import LEG, figure
from .rows import FEET, RATE, hips_height_of, in_hips_heights, moved, rows_of, seen_from, turned
from .stride import REMEMBERED

FEWEST, MOST, LONGEST_S = 2, 4, 3.0  # poses, and the seconds that they take
ALIKE = 0.5  # a pose is the first one again, or its image, if it is that much nearer to one than to the other
TRAVELS = 0.1  # hips heights: who goes less in a step stays on the spot
_QUATERNION = 4  # numbers
LOW, SLOW = 0.04, 0.4  # legs above its lowest, legs a second: a point of a foot that stands


@dataclass(frozen=True)
class BlockedPoses:
    """Poses at `times` `(n,)` seconds, one a frame of `shown`, on its ground, in hips heights; `image`: their
    mirror images."""

    times: np.ndarray
    shown: Encoding
    image: Encoding

    @classmethod
    def of(cls, clip: Encoding, rows: np.ndarray) -> "BlockedPoses":
        """Return a clip's poses at some rows `(n,)`."""
        shown = sampled(replace(in_hips_heights(clip), contacts=Contacts()), rows.astype(float), clip.fps)
        return cls(rows / clip.fps, shown, mirror(shown))

    @property
    def places(self) -> np.ndarray:
        """Ground and heading `(n, 3)`."""
        return np.column_stack([self.shown.ground, self.shown.heading])

    def within(self, first: float, last: float) -> "BlockedPoses":
        """Return those between two times."""
        kept = np.flatnonzero((self.times > first) & (self.times < last))
        return BlockedPoses(
            self.times[kept], *(each([one], lambda parts: parts[0][kept]) for one in (self.shown, self.image))
        )


@dataclass(frozen=True)
class BlockedStep:
    """What leads from pose to pose a step later, `seconds` after; `mirrors`: left and right are exchanged.

    `start`, `end` `(3,)`: ground, hips heights, and heading of a walker, whose hips sway about its way, where
    the step begins and ends.
    """

    seconds: float
    start: np.ndarray
    end: np.ndarray
    mirrors: bool

    def later(self, poses: BlockedPoses) -> BlockedPoses:
        """Return poses of the next step."""
        return self._moved(poses, self.seconds, self.start, self.end)

    def earlier(self, poses: BlockedPoses) -> BlockedPoses:
        """Return poses of the step before."""
        return self._moved(poses, -self.seconds, self.end, self.start)

    def _moved(self, poses: BlockedPoses, seconds: float, one: np.ndarray, other: np.ndarray) -> BlockedPoses:
        side, shown, image = 1.0, poses.shown, poses.image
        if self.mirrors:
            side, shown, image = -1.0, image, shown
        places = moved(other, seen_from(one, poses.places) * [1.0, side, side])
        shown = replace(shown, ground=places[:, :2], heading=places[:, 2])
        return BlockedPoses(poses.times + seconds, shown, image)


def flowing(clip: Encoding, rows: np.ndarray) -> tuple[Encoding, Encoding]:
    """Return a clip that flows through its poses, at rows `(n,)`, whatever is between them, and the strides
    that lead to its end.

    The poses stay.  The strides are at RATE in hips heights and end with the clip's last frame.
    Raises NeuraRigError if the poses stay on the spot.
    """
    poses, end, near = BlockedPoses.of(clip, rows), (len(clip) - 1.0) / clip.fps, 0.5 / clip.fps
    first, last = poses.times[0], poses.times[-1]
    step = _step(poses, clip.name)
    before = after = [poses.within(-np.inf, first + step.seconds - near)]
    while before[0].times[0] > end - (REMEMBERED + 1) / RATE:
        before = [step.earlier(before[0]), *before]
    while after[-1].times[-1] <= max(end, last):
        after = [*after, step.later(after[-1])]
    walk = [
        *before[:-1],
        poses,
        *(one.within(last + near, np.inf) for one in after[1:] if one.times[-1] > last + near),
    ]
    times, every = (
        np.concatenate([one.times for one in walk]),
        each([one.shown for one in walk], np.concatenate),
    )
    past = _through(every, times, end - np.arange(REMEMBERED)[::-1] / RATE, RATE)
    own = _through(every, times, np.arange(len(clip)) / clip.fps, clip.fps)
    ground = own.ground * hips_height_of(clip)
    return replace(own, frames=clip.frames, ground=ground, normalised=clip.normalised), past


def _step(poses: BlockedPoses, name: str) -> BlockedStep:
    """Return the step that poses make; the last one is not yet its end if it is neither the first one nor its
    image."""
    bodies = rows_of(poses.shown).poses
    like_image = norms(bodies[1:] - rows_of(poses.image).poses[0])
    like_first = norms(bodies[1:] - bodies[0])
    mirrors = np.flatnonzero(like_image < ALIKE * like_first)
    repeats = np.flatnonzero(like_first < ALIKE * like_image)
    repeats = repeats[repeats > 0]  # the next pose looks like the one before it
    if len(mirrors):
        last = 1 + int(mirrors[np.argmin(like_image[mirrors])])
        step = _between(poses, last, mirrors=True)
    elif len(repeats):
        step = _between(poses, 1 + int(repeats[np.argmin(like_first[repeats])]), mirrors=False)
    else:
        step = _between(poses, len(poses.times) - 1, mirrors=True)
        longer = 1.0 + 1.0 / (len(poses.times) - 1)
        step = replace(
            step,
            seconds=step.seconds * longer,
            end=step.start + (step.end - step.start) * [longer, longer, 1.0],
        )
    if norms(step.end[:2] - step.start[:2]) < TRAVELS:
        stay = f"The {len(poses.times)} poses of '{name}' stay on the spot, so no walk follows from them."
        raise NeuraRigError(f"{stay} Move the hips along with the steps.")
    return step


def _between(poses: BlockedPoses, last: int, mirrors: bool) -> BlockedStep:
    """Return the step from the first pose to another; a mirrored one goes straight on, the hips to one side
    and then to the other."""
    first, end, seconds = poses.places[0], poses.places[last], poses.times[last] - poses.times[0]
    if not mirrors:
        return BlockedStep(seconds, first, end, mirrors)
    course = 0.5 * (first[2] + end[2])
    side = turned(np.array([0.0, 0.5 * turned(end[:2] - first[:2], -course)[1]]), course)
    return BlockedStep(
        seconds, np.array([*(first[:2] + side), course]), np.array([*(end[:2] - side), course]), mirrors
    )


def _through(poses: Encoding, times: np.ndarray, at: np.ndarray, fps: float) -> Encoding:
    """Return the motion through poses at times `(n,)`, at times `(k,)`, with contacts: at each as steep as
    between its neighbours."""

    def curve(parts: list[np.ndarray]) -> np.ndarray:
        values = parts[0].reshape(len(times), -1)
        if values.shape[1] == _QUATERNION:  # the shorter way round
            values = continuous_quaternions(values)
        slopes = np.asarray(np.gradient(values, times, axis=0))
        places = cubic(times, values, slopes, at)
        places = normalized(places) if values.shape[1] == _QUATERNION else places
        return places.reshape(len(at), *parts[0].shape[1:])

    moving = replace(each([poses], curve), fps=fps)
    chains = {name: replace(chain, up=normalized(chain.up)) for name, chain in moving.chains.items()}
    return _planted(replace(moving, chains=chains))


def _planted(motion: Encoding) -> Encoding:
    """Return strides with contacts: the lower and slower foot stands, as poses of an animator's slide more
    than a person's feet."""
    character = figure().character
    motions = decode(motion, character)
    points = foot_points(character.body, motions)
    speeds = speed(points, motion.fps)
    is_slower = speeds.mean(axis=2) <= speeds.mean(axis=2).min(axis=1, keepdims=True) + SLOW * LEG
    is_low = points[..., 2] < points[..., 2].min() + LOW * LEG
    stands = (is_low & is_slower[..., None]).reshape(len(motion), len(FEET))
    return replace(
        motion, contacts=find_contacts(character, motions, motion.fps, dict(zip(FEET, stands.T, strict=True)))
    )
