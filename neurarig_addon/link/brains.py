"""NeuraRig's own brains: in numpy alone, with or without trained weights."""

import os
from dataclasses import dataclass

from ..core.learned.discovery import curves_of
from ..core.learned.online import OnlineBrain
from ..core.learned.solver import Solver
from ..core.learned.walk_curves import WalkCurves
from ..core.logic.profile import Profile
from .steady import SteadyBrain


@dataclass(frozen=True)
class OnlineBrains:
    """Makes brains that learn a profile's curves from the stream, starting from trained weights if given."""

    curves: WalkCurves
    solver: Solver | None = None

    @classmethod
    def of(cls, profile: Profile, weights: str | os.PathLike | None = None) -> "OnlineBrains":
        """Read a profile's curves and optional weights; raises NeuraRigError for a profile without a cycle, or weights of another one."""
        return cls(curves_of(profile), None if weights is None else Solver.load(weights, profile.inputs))

    @property
    def warm(self) -> bool:
        """Return whether the brains start from trained weights."""
        return self.solver is not None

    def __call__(self) -> SteadyBrain:
        """Return a brain for a new body."""
        return SteadyBrain(OnlineBrain(self.curves, self.solver))
