"""Where a character's curves come from: the human gait in styles, a recorded walk, or a logic profile with
the animator's constants."""

import base64
import hashlib
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from bpy.types import Object, PropertyGroup

from ....core.errors import NeuraRigError
from ....core.gait.inputs.take import Take
from ....core.gait.kinds import gaits
from ....core.gait.kinds.bouncing_gait import bouncing_gait
from ....core.gait.kinds.gait import PLAIN, Gait, GaitShape
from ....core.gait.kinds.gait_change import BySpeed
from ....core.gait.kinds.gaits import bounce_of
from ....core.gait.kinds.law import RUN
from ....core.gait.kinds.profile_gait import ProfileGait
from ....core.human.gait_network import BUNDLED_RUN, GaitNetwork
from ....core.learned.solver import Solver, unpack_solver_weights
from ....core.logic.profile import Profile
from ....core.styles.persons import CROWD, manner_of
from ....core.styles.styled_gait import in_styles
from ....core.takes.take_file import from_json, to_json
from ...character.roles import kind_of
from ..changes import changes
from . import styles

HUMAN_GAIT, PROFILE = "HUMAN", "PROFILE"


def gaits_of(obj: Object) -> list[str]:
    """Return the gaits that a character of its kind has, in the order of its buttons."""
    return gaits.gaits_of(kind_of(obj))


def source_key(settings: PropertyGroup) -> tuple:
    """Return a key that changes whenever the gait source does; cheap."""
    if settings.gait_source != PROFILE:
        return (
            HUMAN_GAIT,
            settings.use_network,
            settings.gait,
            settings.lead,
            settings.hop_on,
            styles.contents(settings),
            settings.take_digest,
        )
    return (
        PROFILE,
        settings.use_network,
        settings.keep_planted,
        settings.profile,
        _constants_of(settings),
        settings.use_trained,
        settings.profile_weights_for,
    )


def gait_of(settings: PropertyGroup, person: int | None) -> Gait:
    """Return the gait for a character's settings, of a person or, if that is None, of the mean.

    Raises NeuraRigError if its profile cannot walk.
    """
    if settings.gait_source != PROFILE:
        gait = _styled_gait(
            settings.gait,
            settings.lead,
            settings.hop_on,
            settings.use_network,
            styles.contents(settings),
            person,
        )
        return (
            replace(gait, take=_read_take(settings.take, settings.id_data.name))
            if has_take(settings)
            else gait
        )
    profile = profile_gait(settings)
    return Gait(profile, profile, settings.keep_planted)


def human_gait_of(settings: PropertyGroup, gait: str, person: int | None) -> Gait:
    """Return another human gait by name, in a character's styles; raises NeuraRigError where it walks by a
    profile."""
    if settings.gait_source == PROFILE:
        raise NeuraRigError(
            "A profile walks by its own rule, and has no other gaits. Go back to the human gait in Gait"
            " Source."
        )
    return _styled_gait(
        gait, settings.lead, settings.hop_on, settings.use_network, styles.contents(settings), person
    )


def profile_of(settings: PropertyGroup) -> Profile:
    """Return a character's profile with its constants as set; raises NeuraRigError without one."""
    return _with_constants(settings.profile, _constants_of(settings))


def profile_gait(settings: PropertyGroup) -> ProfileGait:
    """Return a character's profile as a gait; raises NeuraRigError if it cannot be one."""
    weights = settings.profile_weights if is_trained(settings) and settings.use_trained else ""
    return _profile_gait(settings.profile, _constants_of(settings), _human(settings), weights)


def is_trained(settings: PropertyGroup) -> bool:
    """Return whether there are weights trained on the profile with its constants as set."""
    trained_for = settings.profile_weights_for.partition(":")[0]
    return bool(trained_for) and trained_for == _digest_of(settings.profile, _constants_of(settings))


def digest(profile_text: str) -> str:
    """Return a digest of a profile's text."""
    return hashlib.sha256(profile_text.encode()).hexdigest()


def _constants_of(settings: PropertyGroup) -> tuple[tuple[str, float], ...]:
    """Return the constants as set, name and value."""
    return tuple((item.name, item.value) for item in settings.profile_constants)


@lru_cache(maxsize=16)
def _read(text: str) -> Profile:
    if not text:
        raise NeuraRigError(
            "No profile is chosen yet. Choose or open one in Gait Source, or go back to the human gait."
        )
    return Profile.from_json(text)


@lru_cache(maxsize=16)
def _with_constants(text: str, constants: tuple[tuple[str, float], ...]) -> Profile:
    profile = _read(text)
    # Blender stores float32: an untouched constant keeps the file's own number.
    changed = {
        name: value
        for name, value in constants
        if name in profile.constants and np.float32(profile.constants[name]) != value
    }
    return profile.with_constants(**changed)


@lru_cache(maxsize=16)
def _profile_gait(
    text: str, constants: tuple[tuple[str, float], ...], human: GaitShape, weights: str
) -> ProfileGait:
    profile = _with_constants(text, constants)
    return ProfileGait(profile, human, _solver(weights, profile.inputs).predict if weights else None)


@lru_cache(maxsize=16)
def _digest_of(text: str, constants: tuple[tuple[str, float], ...]) -> str:
    return digest(_with_constants(text, constants).to_json())


@lru_cache(maxsize=4)
def _solver(weights: str, inputs: tuple[str, ...]) -> Solver:
    """Read the weights that the settings hold."""
    try:
        content = base64.b64decode(weights, validate=True)
    except ValueError:
        raise NeuraRigError(
            "The trained weights in this file are damaged. Train again, or turn Trained Network off."
        ) from None
    return Solver(unpack_solver_weights(content, "Trained Network", inputs))


@lru_cache(maxsize=1)
def _bundled_network() -> GaitNetwork:
    return GaitNetwork.load()


@lru_cache(maxsize=8)
def _human_gait(gait: str, natural: bool) -> Gait:
    """Return a human gait; a run is always the natural one."""
    walk = Gait(_bundled_network() if natural else PLAIN.shapes)
    if gait == "WALK":
        return walk
    run = Gait(_bundled_run(), RUN)
    if gait == "RUN":
        return run
    # its limits are cached properties, which the protocol of a law does not know
    either: Any = BySpeed(walk, run)
    return Gait(either, either)


@lru_cache(maxsize=CROWD)
def _styled_gait(
    gait: str, lead: str, hop_on: str, natural: bool, texts: tuple[str, ...], person: int | None
) -> Gait:
    bounce = bounce_of(gait, lead, hop_on)
    plain = _human_gait(gait, natural) if bounce is None else bouncing_gait(bounce)
    return in_styles(
        plain, styles.read(texts), None if person is None or bounce is not None else manner_of(person)
    )


def natural_gait() -> Gait:
    """Return the natural gait, relative to which styles are learned."""
    return _human_gait("WALK", True)


@lru_cache(maxsize=1)
def _bundled_run() -> GaitNetwork:
    return GaitNetwork.load(BUNDLED_RUN)


def _human(settings: PropertyGroup) -> GaitShape:
    return _bundled_network() if settings.use_network else PLAIN.shapes


def has_take(settings: PropertyGroup) -> bool:
    """Return whether a character keeps a recorded walk."""
    return bool(settings.take_digest)


@lru_cache(maxsize=8)
def _read_take(text: str, name: str) -> Take:
    return from_json(text, f"The recorded walk of '{name}'")


def put_take(obj: Object, take: Take) -> None:
    """Make a character keep a recorded walk, replacing another."""
    text = to_json(take)
    with changes.as_one(obj):
        obj.neurarig.walk.take = text
        obj.neurarig.walk.take_digest = hashlib.sha256(text.encode()).hexdigest()


def drop_take(obj: Object) -> None:
    """Remove a character's recorded walk; raises NeuraRigError if it has none."""
    settings = obj.neurarig.walk
    if not has_take(settings):
        raise NeuraRigError(f"'{obj.name}' keeps no recorded walk.")
    with changes.as_one(obj):
        settings.property_unset("take")
        settings.property_unset("take_digest")
