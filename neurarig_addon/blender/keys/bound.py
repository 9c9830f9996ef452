"""How far few keys may be off."""

from dataclasses import dataclass

import numpy as np

RADIANS_PER_METRE = np.radians(0.5) / 0.005  # half a degree is allowed with 5 mm
SLIP_PER_METRE = 0.2  # 1 mm is allowed with 5 mm
OF_RECORDINGS = 4.0, 1.0  # of both: times that, metres per metre
LASTING_S = 0.1  # seconds over which axes and tips of a recording are averaged: shorter turns tremble


@dataclass(frozen=True)
class Bound:
    """Allowed deviations, metres and radians, `slip` in metres, and the frames over which axes and tails are
    averaged."""

    metres: float
    radians: float
    slip: float
    lasting: int = 1

    @classmethod
    def of(cls, metres: float, recorded: bool, fps: float) -> "Bound":
        """Return the bound with a tolerance of `metres`; recordings are less exact."""
        if not recorded:
            return cls(metres, metres * RADIANS_PER_METRE, metres * SLIP_PER_METRE)
        wider, slip = OF_RECORDINGS
        return cls(
            metres, metres * RADIANS_PER_METRE * wider, metres * slip, 1 + 2 * int(0.5 * LASTING_S * fps)
        )
