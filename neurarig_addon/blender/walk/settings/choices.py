"""What an animator chooses of a walk: where it leads, which gait, which foot, and what moves."""

import bpy

from ....core.gait.kinds.gaits import GAITS
from ...character import controls, record
from ...interface.options import Option
from ..changes import changes
from ..manner import sliders


def _gait_changed(settings: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    sliders.suit_speed(settings)
    changes.tell(settings.id_data)


def _carrier_changed(settings: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    """Put the root bone back where it was: it may have carried the travel."""
    if record.is_attached(settings.id_data):
        controls.place_root(settings.id_data, record.attachment(settings.id_data))
    changes.tell(settings.id_data)


OPTIONS = (
    Option(
        "mode", "Mode", "Where the walk takes the character", "IN_PLACE",
        items=(
            ("IN_PLACE", "In Place", "Walk on the spot, as on a treadmill"),
            ("TRAVEL", "Travel", "Walk forward through the scene"),
            ("PATH", "Path", "Walk along a path, slower where it bends, and stop at its end"),
        ),
        help="default: path where one is given, else in_place",
    ),
    Option(
        "gait", "Gait", "How the feet take turns on the ground. A logic profile sets this itself", "WALK",
        items=tuple((name, choice.label, choice.about) for name, choice in GAITS.items()),
        rna={"update": _gait_changed},
        help="default: as the file has it",
    ),
    Option(
        "lead", "Leading Foot", "Which foot leads in a gallop", "RIGHT",
        items=(("LEFT", "Left", "The left foot is ahead"), ("RIGHT", "Right", "The right foot is ahead")),
        help="which foot leads in a gallop",
    ),
    Option(
        "hop_on", "Hop On", "Which foot hops; the other one stays in the air", "BOTH",
        items=(("LEFT", "Left", "The left foot"), ("RIGHT", "Right", "The right foot"),
            ("BOTH", "Both", "Both feet together")),
        help="which foot hops",
    ),
    Option(
        "travel_with", "Travel With", "What moves through the scene in Travel and Path", "AUTO",
        items=(
            ("AUTO", "Automatic", "The controls where they carry the whole character, else the object"),
            ("CONTROLS", "Controls",
                "Torso, feet and poles move and the object stays: a planted foot's keys stay put"),
            ("OBJECT", "Object", "The armature object moves"),
            ("BONE", "Root Bone", "The rig's root bone moves and the object stays, for game engines"),
        ),
        rna={"update": _carrier_changed},
        help="what moves in travel and path (default: auto; bone for a .bvh, object for .fbx and .glb)",
    ),
)  # fmt: skip
