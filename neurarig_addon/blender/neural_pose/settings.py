"""What the animator chooses about targets and recordings: `Object.neurarig.neural_pose` of the character."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ..character.changes import LIST, OVERRIDABLE, PLAIN, STATE
from ..interface.options import Option, properties_of
from . import empties
from .points import SET_ITEMS
from .target_settings import KEYABLE, NeuraRigTarget

FILE, OBJECT, COLLECTION = "FILE", "OBJECT", "COLLECTION"
CLIP_OPTIONS = (
    Option(
        "contacts", "Keep Feet Planted", "Keep feet planted where the recording plants them", True,
        brief="Keep feet planted", flag="--no-contacts", help="let planted feet slide",
    ),
    Option(
        "resize", "Fit to Size", "Scale the actor to this character's size and proportions", True,
        brief="Scale the actor to this character", flag="--no-resize",
        help="do not scale the actor to the character",
    ),
    Option(
        "mend", "Smooth and Mend", "Remove jitter up to Jitter, bridge short gaps and drop outliers", True,
        brief="Remove jitter up to Jitter, bridge gaps, drop outliers",
        flag="--no-mend", help="do not remove jitter, bridge gaps or drop outliers",
    ),
)  # fmt: skip


class NeuraRigNeuralPose(properties_of(CLIP_OPTIONS, **PLAIN), bpy.types.PropertyGroup):
    """Targets that pose a character, and recordings to put on it."""

    targets: CollectionProperty(type=NeuraRigTarget, **LIST)
    active_target: IntProperty(**STATE)
    point_set: EnumProperty(
        name="Targets", description="Which points get a target", items=SET_ITEMS, default="MAIN", **PLAIN
    )
    controls: EnumProperty(
        name="Controls",
        description="What the pose drives. Locked while there are targets",
        items=(
            ("FK", "FK Bones", "The rig's FK controls, or the character's bones. Nothing is added"),
            ("IK", "IK Controls", "The rig's IK controls, or a removable control layer where it has none"),
        ),
        default="FK",
        **PLAIN,
    )
    live: BoolProperty(
        name="Live",
        description="Follow the targets as they move. Off: move targets without the body",
        default=False,
        **KEYABLE,
    )
    in_front: BoolProperty(
        name="In Front",
        description="Show targets in front of the character's mesh",
        default=True,
        **PLAIN,
        update=lambda settings, _context: empties.show_in_front(settings.id_data),
    )
    show_lines: BoolProperty(
        name="Lines",
        description="Color targets by side, join them to the points that follow them, and name selected ones",
        default=True,
        **PLAIN,
    )
    keep_base: BoolProperty(
        name="Keep My Pose",
        description=(
            "Start from the pose in which the targets were made or snapped. Off: the network poses everything"
            " without a target"
        ),
        default=True,
        **KEYABLE,
    )
    noise: FloatProperty(
        name="Jitter (mm)",
        description=(
            "Error of tracked targets in millimetres; higher values keep to likely poses. 0 for targets"
            " placed by hand"
        ),
        default=0.0,
        min=0.0,
        soft_max=50.0,
        max=1000.0,
        step=100,
        precision=1,
        **KEYABLE,
    )
    steady: BoolProperty(
        name="Remove Jitter",
        description=(
            "Remove jitter from noisy targets, in Solve Range and while they stream in on a still timeline."
            " Playback and render always show each frame's own targets"
        ),
        default=False,
        **KEYABLE,
    )

    # Recordings
    source_kind: EnumProperty(
        name="Source",
        description="Source of the recorded points",
        items=(
            (
                FILE,
                "File",
                (
                    "A .bvh; points (.c3d, .trc, .sto, .mot, .csv, .tsv, .npz, .npy, OpenPose's .json); or"
                    " pose parameters (.npz)"
                ),
            ),
            (OBJECT, "Armature", "An armature of this file: a skeleton, or one whose bones are points"),
            (COLLECTION, "Collection", "A collection of empties or other objects"),
        ),
        default=FILE,
        **PLAIN,
    )
    file: StringProperty(
        name="File",
        description=(
            "A .bvh, .c3d, .trc, .sto, .mot, .csv, .tsv, .npz, .npy or .json file, or OpenPose's folder"
        ),
        subtype="FILE_PATH",
        **PLAIN,
    )
    source: PointerProperty(
        name="Armature",
        description="Armature with the recorded joints or bones",
        type=bpy.types.Object,
        poll=lambda settings, obj: obj.type == "ARMATURE" and obj != settings.id_data,
        override=OVERRIDABLE,
    )
    collection: PointerProperty(
        name="Collection",
        description="Collection with the recorded points",
        type=bpy.types.Collection,
        override=OVERRIDABLE,
    )
    mapping: StringProperty(
        name="Names",
        description=(
            "Name points that are not recognized: wrist.L=Marker7, head=Top. With several people, choose one:"
            " subject=Ben"
        ),
        **PLAIN,
    )
    clip_noise: FloatProperty(
        name="Recorded Jitter (mm)",
        description=(
            "Error of the recorded points in millimetres: 1 for optical systems, 10 to 40 for markerless"
            " cameras"
        ),
        default=1.0,
        min=0.0,
        soft_max=50.0,
        max=1000.0,
        step=100,
        precision=1,
        **PLAIN,
    )

    # What the add-on remembers; set by code, read by panels and scripts.
    base: StringProperty(
        name="Base Pose",
        description="The pose in which the targets were made, as JSON text; empty where there is none",
        **STATE,
    )
    error: StringProperty(
        name="Error", description="Why the live pose was turned off; empty when all is well", **STATE
    )
