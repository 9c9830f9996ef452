"""How far apart feet are set, to the left and right of the path."""

import numpy as np

from ...character.body import Body

# Half the step width: part scales with the hips, part with the leg (together 5.2 cm for an adult; norms: step width 8-13 cm).
SPACING_OF_HIP, SPACING_OF_LEG = 0.3, 0.03
MOST_INSIDE = 0.15  # leg lengths: the most that feet are inside wide hips, as legs would slant like a V
MOST_ASIDE = 0.5  # leg lengths: the most that Stride Width sets a foot outside the hip
POINTS_AHEAD = 0.25  # steps: in a bend feet point along the path this far ahead


def natural_spacing(body: Body) -> float:
    """Return half the natural step width in metres."""
    hip = 0.5 * abs(body.hip[0, 1] - body.hip[1, 1])
    return max(SPACING_OF_HIP * hip + SPACING_OF_LEG * body.leg_length, hip - MOST_INSIDE * body.leg_length)


def spacing_of(body: Body, width: np.ndarray) -> np.ndarray:
    """Return half the step width in metres for widths `(...)` x natural, limited to short of the splits."""
    hip, aside = 0.5 * abs(body.hip[0, 1] - body.hip[1, 1]), MOST_ASIDE * body.leg_length
    return np.clip(natural_spacing(body) * width, hip - aside, hip + aside)
