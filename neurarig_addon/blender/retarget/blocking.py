"""The few poses in which an animator has blocked a step: the frames that have keys, if they are few."""

import numpy as np

from ...core.ikrig.encoding import Encoding
from ...core.sequence.blocking import FEWEST, LONGEST_S, MOST
from ..animation.curve_pose import PROPERTIES, split_path
from .source import ClipSource, curves_of


def poses_of(source: ClipSource, clip: Encoding) -> np.ndarray | None:
    """Return the rows `(n,)` of a clip on which its source has keys, None if these are not a few poses of a
    step."""
    keyed = {
        round(point.co.x - clip.frames[0])
        for curve in curves_of(source)
        if split_path(curve.data_path)[1] in PROPERTIES and not curve.mute
        for point in curve.keyframe_points
    }
    rows = np.array(sorted(row for row in keyed if 0 <= row < len(clip)), dtype=int)
    return rows if FEWEST <= len(rows) <= MOST and rows[-1] - rows[0] <= LONGEST_S * clip.fps else None
