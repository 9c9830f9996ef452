"""How far a clip travels on the target: scaled by the ratio of leg lengths."""

from collections.abc import Mapping

import numpy as np

from ..character.character import Character
from ..character.motion import Motion
from ..geometry.rotation import rotated
from ..ikrig.encoding import SPINE, Encoding, Measures
from .legs import hips_of
from .options import RetargetOptions


def rescaled(motions: Mapping[str, Motion], encoding: Encoding, target: Character, options: RetargetOptions) -> dict[str, Motion]:
    """Return a decoded pose whose hip joints travel as the options say, and rise and fall in the ratio of leg lengths.

    Decoding scales by the height of the pelvis bone's head, which may lie anywhere between legs and waist.  If the
    source's measurements are unknown, that remains.
    """
    pelvis, measures = motions["pelvis"], encoding.measures
    decoded = hips_of(target.body, pelvis).mean(axis=1)
    if measures is None:
        wanted = decoded * [options.stride, options.stride, 1.0]
    else:
        legs = target.body.leg_length / measures.leg_length
        path = options.stride * (legs if options.path_scale is None else options.path_scale)
        wanted = source_hips(encoding, measures, pelvis.rotation) * [path, path, legs]
    return {role: Motion(motion.rotation, motion.position + wanted - decoded, motion.rest) for role, motion in motions.items()}


def source_hips(encoding: Encoding, measures: Measures, turn: np.ndarray) -> np.ndarray:
    """Return the middle between the source's hip joints `(f, 3)` in its own walk frame, metres; `turn` `(f, 3, 3)` is its pelvis'."""
    ground = encoding.ground * (measures.hips_height if encoding.normalised else 1.0) - measures.hip_offset[:2]
    height = measures.hips_height * (1.0 + encoding.chains[SPINE].root[:, 2])
    return np.column_stack([ground, height]) + rotated(turn, measures.hip_offset)
