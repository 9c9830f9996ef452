"""What the animator chooses about targets and recordings: `Object.neurarig.neural_pose` of the character."""

from bpy.types import Collection, Context, Object, PropertyGroup

from ..animation.properties import KEPT, LIST, OVERRIDE, PLAIN, STATE
from ..character.changes import Changes
from ..interface.options import Option, properties_of
from . import empties
from .empties import POINT_ITEMS, SET_ITEMS

UNTURNED = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
HOLD_ICONS = {"FREE": "RADIOBUT_OFF", "SOFT": "UNLOCKED", "LOCKED": "LOCKED"}

changes = Changes()  # the live pose listens to them
KEYABLE, SETTING = changes.keyable, changes.setting


def _point_changed(target: "NeuraRigTarget", context: Context) -> None:
    target.name = target.point  # library overrides identify the items of a list by name
    changes.changed(target, context)


def _hold(target: "NeuraRigTarget") -> int:
    return 2 if target.lock else 0 if target.is_free else 1


def _set_hold(target: "NeuraRigTarget", hold: int) -> None:
    with changes.as_one(target.id_data):
        target.lock, target.is_free = hold == 2, hold == 0


class NeuraRigTarget(PropertyGroup):
    """An object, or a bone of one, that a point of the character follows."""

    point: OVERRIDE.choice(
        "Point", "Part of the character that follows the target", items=POINT_ITEMS, update=_point_changed
    )
    object: KEYABLE.other(
        "Object", "Object to follow: an empty, a tracked marker, or an armature with a bone"
    )
    bone: KEYABLE.text("Bone", "Bone whose head to follow. Empty: the object's origin")
    use: KEYABLE.switch("Follow", "Off: the target is ignored", default=True)
    weight: KEYABLE.share(
        "Weight",
        "How firmly a soft target stays where it is while others are dragged; over a walk or clip, how"
        " far it is followed",
        default=1.0,
    )
    turn: KEYABLE.share(
        "Turn Hand",
        "Over a walk or clip: how far the hand turns with its target, fingers along its Y axis, palm"
        " against its Z axis",
    )
    use_range: SETTING.switch(
        "Some Frames Only", "Over a walk or clip: follow the target on some frames only"
    )
    frame_start: SETTING.number("Start", "Frame from which the target is held", default=1.0)
    frame_end: SETTING.number("End", "Frame until which the target is held", default=50.0)
    ease: SETTING.number(
        "Ease",
        "Frames in which the hand goes to the target before Start, and leaves it after End",
        default=10.0,
        min=0.0,
        soft_max=50.0,
    )
    lock: KEYABLE.switch("Lock", "Hold the target exactly where it is while others are dragged")
    is_free: KEYABLE.switch("Free", "Hold nothing: go along with the body until dragged")
    hold: KEPT.choice(
        "Hold",
        "What this target does while others are dragged. A dragged target is always reached where the"
        " body can",
        items=(
            ("FREE", "Free", "Goes along with the body", HOLD_ICONS["FREE"], 0),
            ("SOFT", "Soft", "Stays about where it is, and gives way", HOLD_ICONS["SOFT"], 1),
            ("LOCKED", "Locked", "Stays exactly where it is", HOLD_ICONS["LOCKED"], 2),
        ),
        get=_hold,
        set=_set_hold,
        options=set(),
    )
    is_made: STATE.switch("Is Ours", "NeuraRig made this empty and removes it with the target")
    grip: STATE.numbers(
        "Grip",
        "Turn of the hand's bone, away from rest, that brings the fingers along Y and the palm against Z",
        size=9,
        default=UNTURNED,
    )


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


class NeuraRigNeuralPose(properties_of(CLIP_OPTIONS, PLAIN), PropertyGroup):
    """Targets that pose a character, and recordings to put on it."""

    targets: LIST.items(type=NeuraRigTarget)
    active_target: STATE.whole()
    point_set: PLAIN.choice("Targets", "Which points get a target", items=SET_ITEMS, default="MAIN")
    controls: PLAIN.choice(
        "Controls",
        "What the pose drives. Locked while there are targets",
        items=(
            ("FK", "FK Bones", "The rig's FK controls, or the character's bones. Nothing is added"),
            ("IK", "IK Controls", "The rig's IK controls, or a removable control layer where it has none"),
        ),
        default="FK",
    )
    live: KEYABLE.switch("Live", "Follow the targets as they move. Off: move targets without the body")
    in_front: PLAIN.switch(
        "In Front",
        "Show targets in front of the character's mesh",
        default=True,
        update=lambda settings, _context: empties.show_in_front(settings.id_data),
    )
    show_lines: PLAIN.switch(
        "Lines",
        "Color targets by side, join them to the points that follow them, and name selected ones",
        default=True,
    )
    keep_base: KEYABLE.switch(
        "Keep My Pose",
        "Start from the pose in which the targets were made or snapped. Off: the network poses everything"
        " without a target",
        default=True,
    )
    noise: KEYABLE.number(
        "Jitter (mm)",
        "Error of tracked targets in millimetres; higher values keep to likely poses. 0 for targets"
        " placed by hand",
        min=0.0,
        soft_max=50.0,
        max=1000.0,
        step=100,
        precision=1,
    )
    steady: KEYABLE.switch(
        "Remove Jitter",
        "Remove jitter from noisy targets, in Solve Range and while they stream in on a still timeline."
        " Playback and render always show each frame's own targets",
    )

    # Recordings
    source_kind: PLAIN.choice(
        "Source",
        "Source of the recorded points",
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
    )
    file: PLAIN.text(
        "File",
        "A .bvh, .c3d, .trc, .sto, .mot, .csv, .tsv, .npz, .npy or .json file, or OpenPose's folder",
        subtype="FILE_PATH",
    )
    source: OVERRIDE.thing(
        "Armature",
        "Armature with the recorded joints or bones",
        type=Object,
        poll=lambda settings, obj: obj.type == "ARMATURE" and obj != settings.id_data,
    )
    collection: OVERRIDE.thing("Collection", "Collection with the recorded points", type=Collection)
    mapping: PLAIN.text(
        "Names",
        "Name points that are not recognized: wrist.L=Marker7, head=Top. With several people, choose one:"
        " subject=Ben",
    )
    clip_noise: PLAIN.number(
        "Recorded Jitter (mm)",
        "Error of the recorded points in millimetres: 1 for optical systems, 10 to 40 for markerless cameras",
        default=1.0,
        min=0.0,
        soft_max=50.0,
        max=1000.0,
        step=100,
        precision=1,
    )

    # What the add-on remembers; set by code, read by panels and scripts.
    base: STATE.text(
        "Base Pose", "The pose in which the targets were made, as JSON text; empty where there is none"
    )
    error: STATE.text("Error", "Why the live pose was turned off; empty when all is well")
