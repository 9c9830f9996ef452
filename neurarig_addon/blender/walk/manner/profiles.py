"""Profiles: shipped ones and files, read into the .blend with their constants as sliders, and written back to
files; a network trained on one."""

import base64
import hashlib
import os
from functools import lru_cache
from pathlib import Path

import bpy
import numpy as np
from bpy.types import Object

from ....core.errors import NeuraRigError
from ....core.files.given_file import exists
from ....core.files.whole_file import write_text
from ....core.gait.kinds.gait import PLAIN
from ....core.gait.kinds.profile_gait import ProfileGait
from ....core.learned.lessons import profile_rule
from ....core.learned.solver import pack_solver_weights
from ....core.learned.teaching import Recipe, teach
from ....core.logic.contract import random_inputs
from ....core.logic.profile import FOLDER, Profile
from ...animation.steps import Steps
from ..changes import changes
from . import gait_source
from .gait_source import PROFILE, profile_of

CHECKED_ROWS = 10_000
FINE = "No fault found"


@lru_cache(maxsize=1)
def shipped() -> tuple[tuple[str, str], ...]:
    """Return name and description of every shipped profile, in order."""
    return tuple((profile.name, profile.text) for profile in map(Profile.load, _files()))


def load(name_or_path: str | os.PathLike) -> Profile:
    """Return a shipped profile by its name, else the profile in a file; raises NeuraRigError."""
    for (name, _), path in zip(shipped(), _files(), strict=True):
        if name.lower() == str(name_or_path).lower():
            return Profile.load(path)
    path = Path(bpy.path.abspath(os.fspath(name_or_path)))
    if not exists(path):
        known = ", ".join(name for name, _ in shipped())
        raise NeuraRigError(
            f"There is no profile file '{path}', and none of that name; choose a .json file or one of:"
            f" {known}."
        )
    return Profile.load(path)


def use(obj: Object, profile: Profile) -> None:
    """Make a profile drive a character: its text goes into the settings, its constants become sliders.

    Raises NeuraRigError, and changes nothing, if it cannot walk.
    """
    ProfileGait(profile, PLAIN.shapes)
    settings = obj.neurarig.walk
    with changes.as_one(obj):
        settings.profile, settings.profile_name = profile.to_json(), profile.name
        settings.profile_report = ""
        _fill_constants(obj, profile)
        settings.gait_source = PROFILE


def reset_constants(obj: Object) -> None:
    """Set every constant back to what the profile's file has."""
    profile = profile_of(obj.neurarig.walk)
    with changes.as_one(obj):
        for item in obj.neurarig.walk.profile_constants:
            item.value = profile.defaults[item.name]


def check(obj: Object) -> list[str]:
    """Return what is wrong or odd with a character's profile over the documented ranges, one sentence each;
    also kept for the panel."""
    profile = profile_of(obj.neurarig.walk)
    found = profile.check(random_inputs(profile, CHECKED_ROWS, seed=0))
    obj.neurarig.walk.profile_report = "\n".join(found) or FINE
    return found


def save(obj: Object, path: Path) -> None:
    """Write a character's profile as JSON, with its constants as set."""
    text = profile_of(obj.neurarig.walk).to_json()
    write_text(path, text)


def set_constants(obj: Object, **values: float) -> None:
    """Set constants by name; raises NeuraRigError for unknown ones."""
    profile_of(obj.neurarig.walk).with_constants(**values)
    with changes.as_one(obj):
        for name, value in values.items():
            obj.neurarig.walk.profile_constants[name].value = value


def _fill_constants(obj: Object, profile: Profile) -> None:
    items = obj.neurarig.walk.profile_constants
    items.clear()
    for name, value in profile.constants.items():
        item, help_ = items.add(), profile.help[name]
        item.name, item.text = name, help_.text
        item.low, item.high = min(help_.low, value), max(help_.high, value)
        item.value = value
    obj.neurarig.walk.active_constant = int(
        np.clip(obj.neurarig.walk.active_constant, 0, max(0, len(items) - 1))
    )


def _files() -> list[Path]:
    return sorted(FOLDER.glob("*.json"))


def train_steps(obj: Object, steps: int, seed: int) -> Steps[float]:
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
