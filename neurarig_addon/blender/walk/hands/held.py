"""The hands that a walk holds, as they are asked for on each frame."""

from collections.abc import Mapping
from dataclasses import replace

import bpy
import numpy as np

from ....core.character.character import Character
from ....core.gait.sliders.style import StyleTrack
from ....core.hands.grip import Grip, Hand, grip_channels
from ....core.hands.hand_pose import POSES
from ....core.posing.channels import Channels
from ...animation.keyframes import Channel, bone_channels
from ...character import fingers

AMOUNTS = {"L": "left_hand", "R": "right_hand"}  # sliders
_KEYED = np.inf  # as the rest value of a channel: it gets a key even at rest

Hands = dict[str, Hand]  # by side


def key(obj: bpy.types.Object) -> tuple:
    """Return a key that changes whenever other bones are posed."""
    return tuple((side, *poses) for side, poses in fingers.held(obj).items())


def read(obj: bpy.types.Object, character: Character) -> Hands:
    """Return the hands that a character's walk poses."""
    found = {}
    for side, poses in fingers.held(obj).items():
        hand = fingers.read_hand(obj, character, side)
        found[side] = replace(hand, bones={row: bone for row, bone in hand.bones.items() if bone.name in poses})
    return found


def in_present_modes(obj: bpy.types.Object, hands: Hands) -> Hands:
    """Return hands with the present rotation modes of their bones; the same objects if nothing has changed."""
    found = {}
    for side, hand in hands.items():
        modes = {row: obj.pose.bones[bone.name].rotation_mode for row, bone in hand.bones.items() if bone.name in obj.pose.bones}
        same = all(modes.get(row) == bone.mode for row, bone in hand.bones.items())
        found[side] = hand if same else replace(hand, bones={row: hand.bones[row]._replace(mode=mode) for row, mode in modes.items()})
    return found


def grips(hands: Hands, settings: bpy.types.PropertyGroup) -> dict[str, Grip]:
    """Return how the settings hold each hand."""
    poses = {fingers.AUTO: POSES["RELAXED"], **POSES}
    chosen = {side: getattr(settings, fingers.SETTINGS[side]) for side in hands}
    return {side: (hands[side], poses[pose]) for side, pose in chosen.items() if pose != fingers.POSED}


def channels(grips: Mapping[str, Grip], track: StyleTrack, frames: np.ndarray) -> Channels | None:
    """Return the fingers' channels at frames `(f,)`, in a single row if they never move; None if no hand is held."""
    return grip_channels(list(grips.values()), [np.clip(track.at(AMOUNTS[side], frames), 0.0, 1.0) for side in grips])


def baked(found: Channels | None) -> list[Channel]:
    """Return the same as curves."""
    return [replace(channel, rest=np.full(len(channel.rest), _KEYED)) for channel in bone_channels(found)] if found else []
