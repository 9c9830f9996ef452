"""Walks at all speeds, with every slider far from its middle, and keyed."""

import numpy as np

from neurarig_addon.core.gait.sliders.style import Style, StyleTrack


def keyed(slider: str, frames: list[float], values: list[float], **constant: float) -> StyleTrack:
    """Return a track with one slider keyed linearly, sampled on a quarter-frame grid."""
    grid = np.arange(-40.0, 320.0, 0.25)
    return StyleTrack(Style(**constant), {slider: (grid, np.interp(grid, frames, values))})


WALKS = {
    **{f"speed {speed}": StyleTrack(Style(speed=speed)) for speed in (0.1, 0.4, 0.9, 1.3, 1.7, 2.2)},
    **{
        f"{slider} {value}": StyleTrack(Style(**{slider: value}))
        for slider, value in [
            ("stride", 1.5), ("stride", 0.5), ("step_height", 2.5), ("stance_width", 3.0),
            ("stance_width", 0.0), ("foot_splay", 25.0),
            ("bounce", 3.0), ("sway", 3.0), ("twist", 3.0), ("list", 3.0), ("lean", 25.0), ("energy", 1.0),
            ("energy", -1.0),
            ("weight", 1.0), ("weight", -1.0), ("crouch", 0.25), ("asymmetry", 1.0), ("asymmetry", -1.0),
            ("phase", 0.37),
        ]
    },
    "speed keyed 0.6 to 1.8": keyed("speed", [1, 61], [0.6, 1.8]),
    "speed keyed to a stop": keyed("speed", [20, 60], [1.3, 0.0]),
    "start and stop": keyed("speed", [10, 34, 60, 84], [0.0, 1.4, 1.4, 0.0]),
    "stop and go": keyed("speed", [20, 35, 50, 65], [1.3, 0.0, 0.0, 1.3]),
    "stride keyed": keyed("stride", [1, 90], [0.7, 1.4]),
    "width keyed": keyed("stance_width", [1, 90], [0.0, 3.0]),
}  # fmt: skip
