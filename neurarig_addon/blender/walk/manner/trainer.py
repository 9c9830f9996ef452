"""Training a network on the profile that a character walks by, with its constants as they are set."""

import base64
import hashlib

import bpy

from ....core.learned.rule import profile_rule
from ....core.learned.solver import pack_solver_weights
from ....core.learned.teaching import Recipe, teach
from ...animation.steps import Steps
from ..changes import changes
from . import gait_source


def train_steps(obj: bpy.types.Object, steps: int, seed: int) -> Steps[float]:
    """Train in steps and put the weights into the character's settings; return the root mean square error in
    metres and radians.

    Raises NeuraRigError if the profile cannot walk or be learned.
    """
    settings = obj.neurarig.walk
    gait_source.profile_gait(settings)
    profile = gait_source.profile_of(settings)
    taught = yield from teach(profile_rule(profile), Recipe(seed=seed, steps=steps))
    weights = pack_solver_weights(taught.weights)
    with changes.as_one(obj):
        settings.profile_weights = base64.b64encode(weights).decode("ascii")
        settings.profile_weights_for = (
            f"{gait_source.digest(profile.to_json())}:{hashlib.sha256(weights).hexdigest()}"
        )
        settings.use_trained = True
    return taught.error
