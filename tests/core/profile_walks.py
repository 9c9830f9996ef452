"""Walks by a profile, and profiles with one thing changed."""

import json

import numpy as np

from neurarig_addon.core.gait.kinds.gait import Gait, PlainGait
from neurarig_addon.core.gait.kinds.profile_gait import ProfileGait
from neurarig_addon.core.gait.sliders.style import Clock, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.logic.profile import FOLDER, Profile
from tests.core.walkers import BODY

FRAMES = np.arange(0.0, 121.0, 0.25)
SHIPPED = {path.stem: Profile.load(path) for path in sorted(FOLDER.glob("*.json"))}
PLAIN, WADER = (
    next(profile for name, profile in SHIPPED.items() if part in name) for part in ("plain", "wader")
)


def gait(profile: Profile) -> ProfileGait:
    return ProfileGait(profile, PlainGait())


def walked(profile: Profile, track: StyleTrack, planted: bool = True, frames: np.ndarray = FRAMES):
    source = gait(profile)
    return walk(BODY, track, Clock(), frames, Gait(source, source, planted))


def edited(profile: Profile, change) -> Profile:
    """Return a profile whose JSON `change` has changed."""
    whole = json.loads(profile.to_json())
    change(whole["Schema"])
    return Profile.from_json(json.dumps(whole))
