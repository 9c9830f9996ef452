"""The hands that a walk holds: a pose for each, set here and asked for on each frame; their amounts are
sliders."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from bpy.types import Context, Object, PropertyGroup

from ...core.character.character import Character
from ...core.errors import NeuraRigError
from ...core.gait.sliders.style import StyleTrack
from ...core.hands.hand_pose import POSES, Grip, Hand, grip_channels
from ...core.posing.channels import Channels
from ..animation.keyframes import Channel, bone_channels
from ..animation.properties import PLAIN
from ..character import fingers, record
from ..character import read_character as reading
from .changes import changes

_ITEMS = (
    ("AUTO", "Auto", "Relaxed, unless you have posed or keyed the fingers"),
    ("POSED", "As Posed", "Leave the fingers to you"),
    *fingers.HAND_POSES,
)
HAND_POSES = tuple(item[0] for item in _ITEMS)
AMOUNTS = {"L": "left_hand", "R": "right_hand"}  # sliders
_KEYED = np.inf  # as the rest value of a channel: it gets a key even at rest
Hands = dict[str, Hand]  # by side


def _chosen(settings: PropertyGroup, _context: Context) -> None:
    """Take or restore the hands of a walking character as chosen."""
    obj = settings.id_data
    if record.holds(obj, record.WALK):
        _follow(obj)
    changes.tell(obj)


def _hand_pose(side: str):
    return PLAIN.choice(
        f"{side} Hand",
        f"How the fingers of the {side.lower()} hand are held",
        items=_ITEMS,
        default="AUTO",
        update=_chosen,
    )


class HandSettings:
    """The hand poses of a walk."""

    left_hand_pose: _hand_pose("Left")
    right_hand_pose: _hand_pose("Right")


def _follow(obj: Object) -> None:
    """Take and restore hands of a walking character as its settings ask; nothing changes if it cannot be read
    now."""
    try:
        character = reading.read_character(obj)
        fingers.follow(obj, character, record.settings_of(obj, record.WALK))
    except NeuraRigError:  # reported by the walk, which needs the same
        return


def key(obj: Object) -> tuple:
    """Return a key that changes whenever other bones are posed."""
    return tuple((side, *poses) for side, poses in fingers.held(obj).items())


def read(obj: Object, character: Character) -> Hands:
    """Return the hands that a character's walk poses."""
    found = {}
    for side, poses in fingers.held(obj).items():
        hand = fingers.read_hand(obj, character, side)
        found[side] = replace(
            hand, bones={row: bone for row, bone in hand.bones.items() if bone.name in poses}
        )
    return found


def in_present_modes(obj: Object, hands: Hands) -> Hands:
    """Return hands with the present rotation modes of their bones; the same objects if nothing has
    changed."""
    found = {}
    for side, hand in hands.items():
        modes = {
            row: obj.pose.bones[bone.name].rotation_mode
            for row, bone in hand.bones.items()
            if bone.name in obj.pose.bones
        }
        same = all(modes.get(row) == bone.mode for row, bone in hand.bones.items())
        found[side] = (
            hand
            if same
            else replace(
                hand, bones={row: hand.bones[row]._replace(mode=mode) for row, mode in modes.items()}
            )
        )
    return found


def grips(hands: Hands, settings: PropertyGroup) -> dict[str, Grip]:
    """Return how the settings hold each hand."""
    poses = {fingers.AUTO: POSES["RELAXED"], **POSES}
    chosen = {side: getattr(settings, fingers.SETTINGS[side]) for side in hands}
    return {side: (hands[side], poses[pose]) for side, pose in chosen.items() if pose != fingers.POSED}


def channels(grips: Mapping[str, Grip], track: StyleTrack, frames: np.ndarray) -> Channels | None:
    """Return the fingers' channels at frames `(f,)`, in a single row if they never move; None if no hand is
    held."""
    return grip_channels(
        list(grips.values()), [np.clip(track.at(AMOUNTS[side], frames), 0.0, 1.0) for side in grips]
    )


def baked(found: Channels | None) -> list[Channel]:
    """Return the same as curves."""
    return (
        [replace(channel, rest=np.full(len(channel.rest), _KEYED)) for channel in bone_channels(found)]
        if found
        else []
    )
