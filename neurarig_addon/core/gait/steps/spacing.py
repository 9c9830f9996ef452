"""How far apart feet are set, to the left and right of the path."""

import numpy as np

from ...character.body import Body

# Half the step width: part of it goes with the hips, part with the leg (together 5.2 cm on a grown person; norms: step width 8-13 cm).
SPACING_OF_HIP, SPACING_OF_LEG = 0.3, 0.03
MOST_INSIDE = 0.15  # in leg lengths: on hips so wide that feet would be farther inside them, the legs would slant like a V
MOST_ASIDE = 0.5  # in leg lengths: how far off the hip a stride width may set a foot
POINTS_AHEAD = 0.25  # steps: in a bend feet point to where the path will lead


def natural_spacing(body: Body) -> float:
    """Return half the natural step width in metres."""
    hip = 0.5 * abs(body.hip[0, 1] - body.hip[1, 1])
    return max(SPACING_OF_HIP * hip + SPACING_OF_LEG * body.leg_length, hip - MOST_INSIDE * body.leg_length)


def spacing_of(body: Body, width: np.ndarray) -> np.ndarray:
    """Return half the step width in metres for widths `(...)` x natural, no farther off the hip than a leg gets without the splits."""
    hip, aside = 0.5 * abs(body.hip[0, 1] - body.hip[1, 1]), MOST_ASIDE * body.leg_length
    return np.clip(natural_spacing(body) * width, hip - aside, hip + aside)
