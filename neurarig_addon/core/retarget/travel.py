"""How far a clip travels on the target, scaled by the ratio of leg lengths, and what carries the travel: the
pelvis itself, or the ground under it, for a root bone or the object.
"""

from collections.abc import Mapping

import numpy as np

from ..body.legs import hips_of
from ..body.pelvis import DEEPEST, Spans, descended, lowered, nearer, too_far
from ..character.body import Body
from ..character.character import Character
from ..character.motion import Motion, moved
from ..easing import averaged, gaussian
from ..geometry.rotation import ON_GROUND, UP, about_z, rotated
from ..ikrig.anatomy import Anatomy
from ..ikrig.encode import heading_of
from ..ikrig.encoding import SPINE, Encoding, Measures
from .options import RetargetOptions
from .spans import held_on, smoothed

_SPREAD = 3.0  # standard deviations at which the Gaussian is cut off


def ground_motion(pelvis: Motion, smoothing_s: float, fps: float) -> Motion:
    """Return the motion of the ground under a pelvis: heading and place on the floor, smoothed by a Gaussian
    (0: exact).

    At rest it is the walk frame.
    """
    heading = smooth(heading_of(pelvis.rotation)[:, None], smoothing_s * fps)[:, 0]
    turn = about_z(heading)
    place = pelvis.position - rotated(turn, np.broadcast_to(pelvis.rest, pelvis.position.shape))
    place = smooth(place * ON_GROUND, smoothing_s * fps)
    return Motion(turn, place, np.zeros(3))


def smooth(values: np.ndarray, deviation: float) -> np.ndarray:
    """Return values `(f, n)` smoothed by a Gaussian with a deviation in frames; mirrored beyond the ends."""
    reach = min(round(_SPREAD * deviation), len(values) - 1)
    if reach < 1:
        return values
    padded = np.pad(values, ((reach, reach), (0, 0)), "reflect", reflect_type="odd")
    return averaged(padded, gaussian(deviation, reach))


def rescaled(
    motions: Mapping[str, Motion], encoding: Encoding, target: Character, options: RetargetOptions
) -> dict[str, Motion]:
    """Return a decoded pose whose hip joints travel as the options say, and rise and fall in the ratio of leg
    lengths.

    Decoding scales by the height of the pelvis bone's head, which may lie anywhere between legs and waist. If
    the
    source's measurements are unknown, that remains.
    """
    pelvis, measures = motions["pelvis"], encoding.measures
    decoded = hips_of(target.body, pelvis).mean(axis=1)
    if measures is None:
        wanted = decoded * [options.stride, options.stride, 1.0]
    else:
        path = _path_scale(measures, target, options)
        wanted = _source_hips(encoding, measures, pelvis.rotation) * [
            path,
            path,
            target.body.standing_length / measures.leg_length,
        ]
    return moved(motions, wanted - decoded)


def unit_of(encoding: Encoding, target: Character, options: RetargetOptions) -> float:
    """Return how many metres of a target's ground are one unit of an encoding's."""
    measures = encoding.measures
    if measures is None:
        return options.stride * (Anatomy.of(target).hips_height if encoding.normalised else 1.0)
    return _path_scale(measures, target, options) * (measures.hips_height if encoding.normalised else 1.0)


def _path_scale(measures: Measures, target: Character, options: RetargetOptions) -> float:
    return options.stride * target.body.standing_length / measures.leg_length


def _source_hips(encoding: Encoding, measures: Measures, turn: np.ndarray) -> np.ndarray:
    """Return the middle between the source's hip joints `(f, 3)` in its own walk frame, metres; `turn` `(f,
    3, 3)` is its pelvis'."""
    ground = (
        encoding.ground * (measures.hips_height if encoding.normalised else 1.0) - measures.hip_offset[:2]
    )
    height = measures.hips_height * (1.0 + encoding.chains[SPINE].root[:, 2])
    return np.column_stack([ground, height]) + rotated(turn, measures.hip_offset)


_ON_TIPTOE = 0.01  # weight of a foot on its toes, against 1 for a flat one
_CARRIED_S = 0.15  # half width of smoothing of the footholds' effect on the pelvis


def carried(lift: np.ndarray, tiptoe: np.ndarray, standing: np.ndarray, fps: float) -> np.ndarray:
    """Return how far the pelvis rises `(f,)` with standing feet raised by `lift` `(f, 2)`.

    A foot on tiptoe (see `Footholds`) beside a flat one does not count: its height depends on its length.
    """
    borne = standing.any(axis=1)
    weight = standing * (_ON_TIPTOE + (1.0 - tiptoe) ** 4)
    mean = (lift * weight).sum(axis=1) / np.maximum(weight.sum(axis=1), 1e-9)
    if not borne.any():
        return mean
    rows = np.arange(len(mean))
    return smoothed(np.interp(rows, rows[borne], mean[borne]), _CARRIED_S, fps)


def reaching(
    body: Body,
    pelvis: Motion,
    ankles: np.ndarray,
    standing: np.ndarray,
    fps: float,
    hips: np.ndarray | None = None,
) -> np.ndarray:
    """Return how far the pelvis moves `(f, 3)` for standing legs `(f, 2)` to reach their ankles `(f, 2, 3)`:
    towards those too far aside, then down; `hips` `(f, 2, 3)`: where these are, if the pelvis does not say
    it."""
    hips = hips_of(body, pelvis) if hips is None else hips
    aside = np.where(standing, too_far(hips, ankles, body), 0.0)
    way = nearer(hips, ankles, _in_time(aside, body, fps))
    down = lowered(pelvis.position[:, 2], hips + way[:, None], ankles, body, standing)
    return way - _in_time(down, body, fps)[:, None] * UP


def _in_time(demand: np.ndarray, body: Body, fps: float) -> np.ndarray:
    """Return values `(f, ...)` that are nowhere less than demanded, as the pelvis sinks for its legs."""
    deepest = DEEPEST * body.leg_length
    around = Spans.of(deepest, 1.0 / fps).around
    return descended(held_on(demand, around, around), deepest, 1.0 / fps)
