"""The curves of a logic profile, read from its own period and outputs."""

import numpy as np

from ..errors import NeuraRigError
from ..logic.profile import PERIOD, Profile
from .discovery import find_clock, find_curves
from .stream_inputs import StreamInputs
from .walk_curves import WalkCurves


def curves_of(profile: Profile) -> WalkCurves:
    """Return the curves of a profile's outputs; raises NeuraRigError for a profile without a cycle to learn.

    A binding named `*_l` follows the left phase, any other the right one, as in the profile's evaluation.
    """
    places = StreamInputs.named(profile.inputs)

    def period_of(inputs):
        found = profile.period(inputs)
        if found is None:
            raise NeuraRigError(f"The Logic of the profile '{profile.name}' has no {PERIOD}; name the seconds of a cycle so.")
        return found

    sides = [1] * len(profile.outputs)
    for binding in profile.bindings:
        if binding.is_left:
            sides[binding.offset : binding.offset + binding.size] = [0] * binding.size
    with np.errstate(all="ignore"):  # outputs may be infinite or NaN where a formula is not guarded
        return find_curves(find_clock(places, period_of), profile.evaluate, sides)
