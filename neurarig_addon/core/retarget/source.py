"""A recorded clip as input of retargeting: encoded, with its contacts.

The ground under a clip that walks in place moves like a treadmill's belt; it is brought to rest, as only then
the feet stand still.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ..body.legs import hips_of
from ..character.body import Body
from ..character.character import Character
from ..character.motion import Motion, moved
from ..geometry.rotation import norms
from ..ikrig.encode import encode_motions
from ..ikrig.encoding import Contacts, Encoding
from ..ikrig.girdles import behind_one_another, girdles
from ..skeleton.clip import Clip
from ..skeleton.roles import QUADRUPED
from .contacts import find_contacts, foot_points, heights_above_floor, speed
from .feet import touching_frames

_LOWEST = 0.06  # leg lengths above a foot point's lowest place: below this it is mostly on the ground
_ALIKE = 0.25  # leg lengths per second: velocities closer than this belong to one belt
_MOST = 0.25  # share of the low moments that the belt must explain
_AT_LEAST = 0.35  # leg lengths per second: a slower belt is just imprecise contacts
_STAYS = 0.15  # share of the belt's speed: a body that travels faster walks through the world
_ROUNDS = 8
_ON_FLOOR = 0.01  # leg lengths above its level
_SLIDES = 0.2  # share of the frames; runs, whose fast feet are near the floor as well, stay below 0.12


def belt_velocity(body: Body, motions: Mapping[str, Motion], fps: float) -> np.ndarray:
    """Return the velocity `(2,)` in m/s of the ground under a clip: 0 unless the body stays in place while
    low feet move.

    The most common velocity of low foot points, found by mean shift; for a travelling clip it is 0.
    """
    leg = body.leg_length
    places = foot_points(body, motions)
    if len(places) < 3:
        return np.zeros(2)
    velocity = np.gradient(places[..., :2], axis=0) * fps
    low = places[..., 2] < np.percentile(places[..., 2], 2.0, axis=0) + _LOWEST * leg
    samples = velocity[low]
    centre = np.median(samples, axis=0)
    near = norms(samples - centre) < 2.0 * _ALIKE * leg
    for _ in range(_ROUNDS):
        if near.any():
            centre = samples[near].mean(axis=0)
        near = norms(samples - centre) < _ALIKE * leg
    pelvis = motions["pelvis"].position
    travel = norms(pelvis[-1, :2] - pelvis[0, :2]) * fps / (len(pelvis) - 1)
    speed = float(norms(centre))
    return (
        centre if near.mean() > _MOST and speed > _AT_LEAST * leg and travel < _STAYS * speed else np.zeros(2)
    )


def off_the_belt(motions: Mapping[str, Motion], velocity: np.ndarray, fps: float) -> dict[str, Motion]:
    """Return motions over still ground, given the ground's `velocity` `(2,)` in m/s."""
    seconds = np.arange(len(motions["pelvis"].position)) / fps
    way = np.column_stack([-seconds[:, None] * velocity, np.zeros(len(seconds))])
    return moved(motions, way)


def encode_clip(character: Character, clip: Clip) -> Encoding:
    """Return a clip of the character's skeleton encoded with its contacts.

    A clip that walks in place gets its travel back, as only then its feet stand still. `Root.IN_PLACE`
    removes it again.
    """
    pair = girdles(character) if character.roles.kind == QUADRUPED else (character,)
    motions = [who.motions(clip) for who in pair]
    velocity = belt_velocity(pair[0].body, motions[0], clip.fps)
    if velocity.any():
        motions = [off_the_belt(moves, velocity, clip.fps) for moves in motions]
    found = [_encoded(who, moves, clip) for who, moves in zip(pair, motions, strict=True)]
    if len(pair) == 1:
        return found[0]
    hips = [hips_of(who.body, moves["pelvis"]).mean(axis=1) for who, moves in zip(pair, motions, strict=True)]
    return behind_one_another(found[0], found[1], hips, character.body.ahead)


def _encoded(character: Character, motions: Mapping[str, Motion], clip: Clip) -> Encoding:
    encoding = encode_motions(character, motions, clip.frames, clip.fps, clip.name)
    contacts = find_contacts(character, motions, clip.fps, clip.planted)
    told = (
        ""
        if clip.planted
        else _told_of_sliding(clip.name, _sliding_share(character, motions, contacts, clip.fps))
    )
    return replace(encoding, contacts=contacts, remark=f"{clip.remark} {told}".strip())


def _sliding_share(
    character: Character, motions: Mapping[str, Motion], contacts: Contacts, fps: float
) -> float:
    """Return the share of a clip's frames in which a foot is on the floor, yet none is planted: feet that
    skate show no contacts."""
    places = foot_points(character.body, motions)
    is_low = (
        heights_above_floor(places, speed(places, fps), character.body.leg_length)
        < _ON_FLOOR * character.body.leg_length
    )
    return float(np.mean(is_low.any(axis=(1, 2)) & ~touching_frames(contacts, len(places)).any(axis=(1, 2))))


def _told_of_sliding(name: str, share: float) -> str:
    if share < _SLIDES:
        return ""
    return (
        f"The feet of '{name}' slide over the floor in {100.0 * share:.0f} % of its frames and are not"
        " planted there: clean them up, or export the clip with its contacts."
    )
