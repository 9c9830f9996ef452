"""A few keyed poses of a step, as the strides that lead to them: the poses, and their mirror images, one after the other.

The poses of a step are those of the next one with left and right exchanged.  So where a pose mirrors the first one, the step is over;
where it is the first one again, the stride is.  If neither is among them, the step goes on for as long as its poses are apart.
"""

from dataclasses import dataclass, replace

import numpy as np

from ..easing import cubics
from ..errors import NeuraRigError
from ..ikrig.decode import decode
from ..ikrig.encoding import Contacts, Encoding, mirror
from ..ikrig.resample import sampled
from ..retarget.contacts import find_contacts, foot_points, speed
from .figure import LEG, figure
from .rows import FEET, RATE, Rows, encoding_of, in_hips_heights, rows_of, turned
from .stride import REMEMBERED

FEWEST, MOST, LONGEST_S = 2, 4, 3.0  # poses, and the seconds that they take
ALIKE = 0.5  # a pose is the first one again, or its image, if it is that much nearer to one than to the other
TRAVELS = 0.1  # hips heights: who goes less in a step stays on the spot
HELD = 1e-9  # a frame that differs less from the one before holds its pose
LOW, SLOW = 0.04, 0.4  # legs above its lowest, legs a second: a point of a foot that stands


@dataclass(frozen=True)
class Poses:
    """Poses at `times` `(n,)` seconds: `bodies` and their mirror `images` `(n, WIDTH)`, as rows have them.

    `places` `(n, 3)`: ground, in hips heights, and heading.
    """

    times: np.ndarray
    bodies: np.ndarray
    images: np.ndarray
    places: np.ndarray

    @classmethod
    def of(cls, clip: Encoding, rows: np.ndarray) -> "Poses":
        """Return a clip's poses at some rows `(n,)`."""
        keyed = sampled(replace(in_hips_heights(clip), contacts=Contacts()), rows.astype(float), clip.fps)
        places = np.column_stack([keyed.ground, keyed.heading])
        return cls(rows / clip.fps, rows_of(keyed).poses, rows_of(mirror(keyed)).poses, places)

    def __getitem__(self, at: slice | np.ndarray) -> "Poses":
        return Poses(self.times[at], self.bodies[at], self.images[at], self.places[at])


@dataclass(frozen=True)
class Step:
    """What leads from pose to pose a step later, `seconds` after; `mirrors`: left and right are exchanged.

    `start`, `end` `(3,)`: ground, hips heights, and heading of a walker, whose hips sway about its way, where the step begins and ends.
    """

    seconds: float
    start: np.ndarray
    end: np.ndarray
    mirrors: bool

    def later(self, poses: Poses) -> Poses:
        """Return poses of the next step."""
        return self._moved(poses, self.seconds, self.start, self.end)

    def earlier(self, poses: Poses) -> Poses:
        """Return poses of the step before."""
        return self._moved(poses, -self.seconds, self.end, self.start)

    def _moved(self, poses: Poses, seconds: float, one: np.ndarray, other: np.ndarray) -> Poses:
        seen = np.column_stack([turned(poses.places[:, :2] - one[:2], -one[2]), poses.places[:, 2] - one[2]])
        seen = seen * [1.0, -1.0, -1.0] if self.mirrors else seen
        places = np.column_stack([turned(seen[:, :2], other[2]) + other[:2], seen[:, 2] + other[2]])
        bodies, images = (poses.images, poses.bodies) if self.mirrors else (poses.bodies, poses.images)
        return Poses(poses.times + seconds, bodies, images, places)


def strides_to(clip: Encoding, rows: np.ndarray) -> Encoding:
    """Return the last seconds before the last of a clip's poses, at rows `(n,)`, at RATE in hips heights.

    Raises NeuraRigError if the poses stay on the spot.
    """
    poses = Poses.of(clip, rows)
    step = _step(poses, clip.name)
    once = poses[poses.times < poses.times[0] + step.seconds - 0.5 / clip.fps]
    following = step.later(once)
    parts = [poses, following[following.times > poses.times[-1] + 0.5 / clip.fps]]
    end = poses.times[-1]
    while parts[0].times[0] > end - (REMEMBERED + 1) / RATE:
        once = step.earlier(once)
        parts.insert(0, once)
    times = np.concatenate([part.times for part in parts])
    wanted = end - np.arange(REMEMBERED + 1)[::-1] / RATE
    places = _through(times, np.concatenate([part.places for part in parts]), wanted)
    bodies = _through(times, np.concatenate([part.bodies for part in parts]), wanted)
    way, heading = np.diff(places[:, :2], axis=0) * figure().hips_height, places[:, 2]
    steps = np.column_stack([turned(way, -heading[:-1]), np.diff(heading)])
    past = encoding_of(Rows(bodies[1:], steps, np.zeros((REMEMBERED, len(FEET)))), places[0, :2], float(heading[0]), clip.name)
    return _planted(replace(past, measures=clip.measures))


def _step(poses: Poses, name: str) -> Step:
    """Return the step that poses make; the last one is not yet its end if it is neither the first one nor its image."""
    like_image = np.linalg.norm(poses.bodies[1:] - poses.images[0], axis=1)
    like_first = np.linalg.norm(poses.bodies[1:] - poses.bodies[0], axis=1)
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
        step = replace(step, seconds=step.seconds * longer, end=step.start + (step.end - step.start) * [longer, longer, 1.0])
    if np.linalg.norm(step.end[:2] - step.start[:2]) < TRAVELS:
        stay = f"The {len(poses.times)} poses of '{name}' stay on the spot, so no walk follows from them."
        raise NeuraRigError(f"{stay} Move the hips along with the steps.")
    return step


def _between(poses: Poses, last: int, mirrors: bool) -> Step:
    """Return the step from the first pose to another; a mirrored one goes straight on, the hips to one side and then to the other."""
    first, end, seconds = poses.places[0], poses.places[last], poses.times[last] - poses.times[0]
    if not mirrors:
        return Step(seconds, first, end, mirrors)
    course = 0.5 * (first[2] + end[2])
    side = turned(np.array([0.0, 0.5 * turned(end[:2] - first[:2], -course)[1]]), course)
    return Step(seconds, np.array([*(first[:2] + side), course]), np.array([*(end[:2] - side), course]), mirrors)


def _through(times: np.ndarray, values: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Return a smooth curve through values `(n, m)` at times `(n,)`, at times `(k,)`: at each as steep as between its neighbours."""
    slopes = np.gradient(values, times, axis=0)
    return np.stack([cubics(times, *column, at)[0] for column in zip(values.T, slopes.T, strict=True)], axis=1)


def _planted(past: Encoding) -> Encoding:
    """Return strides with contacts: the lower and slower foot stands, as poses of an animator's slide more than a person's feet."""
    character = figure().character
    motions = decode(past, character)
    points = foot_points(character.body, motions)
    speeds = speed(points, RATE)
    is_slower = speeds.mean(axis=2) <= speeds.mean(axis=2).min(axis=1, keepdims=True) + SLOW * LEG
    is_low = points[..., 2] < points[..., 2].min() + LOW * LEG
    stands = (is_low & is_slower[..., None]).reshape(len(past), len(FEET))
    return replace(past, contacts=find_contacts(character, motions, RATE, dict(zip(FEET, stands.T, strict=True))))


def eased(clip: Encoding, rows: np.ndarray) -> Encoding:
    """Return a clip that holds each of its poses, at rows `(n,)`, until the next one, with each going over into the next instead.

    Other clips are returned as they are.
    """
    poses = Poses.of(clip, np.arange(len(clip))).bodies
    before = rows[np.searchsorted(rows, np.arange(len(clip)), side="right") - 1]
    if np.abs(poses - poses[before]).max() > HELD or len(rows) == len(clip):
        return clip
    at = np.interp(np.arange(len(clip)), rows, np.arange(len(rows)))
    keyed = sampled(replace(clip, contacts=Contacts()), rows.astype(float), clip.fps)
    return replace(sampled(keyed, at, clip.fps), frames=clip.frames)
