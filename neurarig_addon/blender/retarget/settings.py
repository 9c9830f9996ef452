"""The animator's choices of a retargeted clip: `Object.neurarig.retarget` of the target."""

from collections.abc import Iterator
from contextlib import contextmanager

from bpy.types import Action, Object, PropertyGroup

from ...core.retarget.options import RetargetOptions
from ...core.sequence.limits import FASTEST, LONGEST_S, SHARPEST_DEG
from ..animation.objects import is_deleted
from ..animation.properties import STATE, in_scene_units, stored
from ..character.changes import Changes
from ..interface.options import Option, properties_of

_CORE = RetargetOptions()

OPTIONS = (
    Option(
        "controls", "Controls", "What receives the motion. Locked while the link is live", "FK",
        items=(
            ("FK", "FK Bones", "The rig's FK controls, or the character's bones"),
            ("IK", "IK Controls", "The rig's IK controls, or a removable control layer where it has none"),
        ),
        brief="What receives the motion",
        help="FK bones (default), or the rig's or our IK controls",
    ),
    Option(
        "root", "Travel With", "What moves through the scene", _CORE.root.value,
        items=(
            ("PELVIS", "Hips", "The hips, as in raw motion capture"),
            ("OBJECT", "Object", "The armature object moves and turns"),
            ("BONE", "Root Bone", "The rig's root bone moves and turns, for game engines"),
            ("IN_PLACE", "In Place", "Nothing moves: travel and turns are removed"),
        ),
        help="what carries the travel (default: pelvis)",
    ),
    Option(
        "follow", "Limbs Copy", "What free limbs copy. Planted feet stay planted", _CORE.follow.value,
        items=(
            ("AUTO", "Auto",
                "Directions, but places for hands that rest on something, hold each other or near the floor"),
            ("DIRECTIONS", "Directions", "Limbs point as the source's do: gestures, dance"),
            ("PLACES", "Places",
                "Hands and feet go where the source's go, scaled to the limb: props, floor work"),
        ),
        brief="What free limbs copy",
        help="what free limbs copy: directions of the bones, or places of hands and feet (default: auto)",
    ),
    Option(
        "contacts", "Keep Feet Planted", "Keep feet planted where the source plants them", _CORE.contacts,
        brief="Keep feet planted", flag="--no-contacts", help="let planted feet and hands slide",
    ),
    Option(
        "hands", "Hands Too", "Also keep hands planted where the source rests them on something", _CORE.hands,
        brief="Keep hands planted too",
    ),
    Option(
        "mirror", "Mirror",
        "Swap left and right: the left hand does what the source's right hand does, and turns go the other"
        " way",
        False,
        brief="Swap left and right", help="swap left and right",
    ),
    Option(
        "start_here", "Begin Here",
        "Start where the character stands, heading forward. Off: offset as in the source", False,
        brief="Start where the character stands",
        flag="--begin-here", help="the path begins where the character stands and goes ahead",
    ),
    Option(
        "fit_range", "Fit Scene Range", "Set the scene's start and end frame to those of the retargeted clip",
        False,
        brief="Set the scene's range to the clip's", help="set the scene's range to the clip's",
    ),
    Option(
        "stride", "Step Length", "Step length relative to the source, scaled to the legs", _CORE.stride,
        rna={"min": 0.05, "max": 10.0, "soft_min": 0.5, "soft_max": 1.5, "step": 1, "precision": 2,
        "subtype": "FACTOR"},
        brief="Relative to the source, scaled to the legs",
        metavar="FACTOR", help="longer or shorter steps; 1 is in proportion to the legs",
    ),
    Option(
        "arm_spacing", "Arm Spacing (°)", "Degrees to hold the arms away from a broader body", 0.0,
        rna={"min": -90.0, "max": 90.0, "soft_min": -20.0, "soft_max": 45.0, "step": 100, "precision": 1},
        metavar="DEGREES", help="hold the arms farther from the body",
    ),
    Option(
        "root_smoothing", "Smoothing",
        "Time over which the root's path is smoothed; bob and sway stay on the hips. 0 follows them exactly",
        _CORE.root_smoothing_s,
        rna={"min": 0.0, "max": 5.0, "soft_max": 1.0, "step": 1, "precision": 2, "subtype": "TIME_ABSOLUTE"},
    ),
    Option(
        "step", "Key Every",
        "Key every n-th frame. Fewer keys are easier to edit; the report shows how far feet then slip", 1,
        rna={"min": 1, "soft_max": 12},
        metavar="N", help="key every Nth frame",
    ),
    Option(
        "fill", "Fill",
        "Make the frames between two anew, from the motion before and after them. Experimental", False,
        brief="Make some frames anew",
        help="make the frames between two anew, from the motion before and after them (experimental)",
    ),
    Option(
        "fill_start", "From", "Last frame before those that are made anew", 1,
        brief="Last frame before those that are made anew",
        metavar="FRAME", help="the last frame before those that are made anew",
    ),
    Option(
        "fill_end", "To", "First frame after those that are made anew, at most two seconds later", 1,
        brief="First frame after those that are made anew", metavar="FRAME",
        help="the first frame after those that are made anew",
    ),
    Option(
        "continue_for", "Continue For",
        "How long the motion goes on by itself after the clip's end", 0.0,
        rna={
            "min": 0.0, "max": LONGEST_S, "soft_max": 60.0, "step": 100, "precision": 1,
            "subtype": "TIME_ABSOLUTE",
        },
        brief="Seconds to go on after the clip's end",
        metavar="SECONDS", help="go on by itself after the clip's end, in its manner",
    ),
    Option(
        "continue_until_end", "Until Scene End",
        "Go on until the scene ends, however long that is. Seconds then do not count", False,
        brief="Go on until the scene ends", flag="--until-scene-end", help="go on until the scene ends",
    ),
    Option(
        "continue_speed", "Speed",
        "Speed after the clip's end, relative to the clip's. 0 stops. Key it to drive the character", 1.0,
        rna={"min": 0.0, "max": FASTEST, "soft_max": 2.0, "step": 1, "precision": 2},
        brief="Relative to the clip's", metavar="FACTOR",
        help="speed after the clip's end, relative to the clip's",
    ),
    Option(
        "continue_turn", "Turn (°/s)",
        "Degrees a second to the left, added to the clip's own turning. Key it to steer the character", 0.0,
        rna={"min": -SHARPEST_DEG, "max": SHARPEST_DEG, "soft_min": -90.0, "soft_max": 90.0, "step": 100,
        "precision": 1},
        brief="Degrees a second to the left", metavar="DEGREES",
        help="turn to the left after the clip's end, in degrees a second",
    ),
    Option(
        "continue_stand", "End Standing", "Come to a stand at the end", False,
        brief="Come to a stand at the end", flag="--end-standing",
        help="come to a stand at the end of what was continued",
    ),
    Option(
        "frame_start", "Start Frame", "First frame of the retargeted clip", 1,
        flag="--start", metavar="FRAME",
        help="frame at which the clip begins (default: the action's, or the scene's)",
    ),
)  # fmt: skip
FILLING = ("fill", "fill_start", "fill_end")
CONTINUING = tuple(option.name for option in OPTIONS if option.name.startswith("continue_"))


ARMATURE, FILE, OWN = "ARMATURE", "FILE", "OWN"

_NOT_CHOSEN = {"name", "live"}


def _report_is_old(obj: Object) -> None:
    obj.neurarig.retarget.report_is_old = True


changes = Changes(_report_is_old)  # the live link listens to them too
KEYABLE = changes.keyable


@contextmanager
def kept_on_failure(obj: Object) -> Iterator[None]:
    """Restore a target's choices and their report if the block fails."""
    settings = obj.neurarig.retarget
    names = [name for name in stored(settings) if name not in _NOT_CHOSEN]
    before = {name: getattr(settings, name) for name in names if settings.is_property_set(name)}
    try:
        yield
    except BaseException:
        if not is_deleted(obj):
            with changes.as_one(obj):
                for name in names:
                    settings.property_unset(name)
                for name, value in before.items():
                    setattr(settings, name, value)
            settings.report_is_old = before.get("report_is_old", False)
        raise


def _moves_objects(_settings: PropertyGroup, action: Action) -> bool:
    return (
        action.id_root == "OBJECT"
        if not hasattr(action, "slots")
        else any(slot.target_id_type == "OBJECT" for slot in action.slots)
    )


@in_scene_units("arm_spacing")
class NeuraRigRetarget(properties_of(OPTIONS, KEYABLE), PropertyGroup):
    """Which clip a character takes from which source, and how."""

    source_kind: KEYABLE.choice(
        "Source",
        "Where the clip comes from",
        items=(
            (ARMATURE, "Armature", "Another armature in this file"),
            (
                FILE,
                "File",
                (
                    "An animated skeleton (.bvh, .fbx, .glb, .gltf), generated motion (.npz, .npy), angles"
                    " (.mot), or exported (.npz, .csv)"
                ),
            ),
            (OWN, "Own", "An action of this character, to go on from"),
        ),
        default=ARMATURE,
    )
    source: KEYABLE.thing(
        "Armature",
        "Armature to take the motion from",
        type=Object,
        poll=lambda settings, obj: obj.type == "ARMATURE" and obj != settings.id_data,
    )
    action: KEYABLE.thing(
        "Action",
        "Action to retarget. Empty: whatever moves the source over the scene range, including NLA and"
        " constraints",
        type=Action,
        poll=_moves_objects,
    )
    slot: KEYABLE.text(
        "Slot",
        "Slot of the action, where several clips are slots of one. Empty: the one that the source plays,"
        " or that suits it",
    )
    file: KEYABLE.text(
        "File",
        "File to retarget: .bvh, .fbx, .glb, .gltf, generated motion (.npz, .npy), angles (.mot), or"
        " exported (.npz, .csv)",
        subtype="FILE_PATH",
    )
    continue_to: KEYABLE.other(
        "To",
        "Where it goes on to: along a curve, or to any other object and after it. Speed counts, Turn"
        " does not",
    )
    use_frame_start: KEYABLE.switch(
        "Use Start Frame",
        "Start the clip at this frame. Off: actions keep their frames, files start with the scene",
    )
    live: KEYABLE.switch(
        "Live", "Follow the source on every frame. Off: keep the pose or play the baked action"
    )

    # State of the add-on; set by code, read by panels and scripts.
    report: STATE.text("Report", "What was measured of the last retargeted clip, as JSON text")
    report_is_old: STATE.switch("Report Is Old", "A setting was changed after the report was made")
    mappings: STATE.text("Mappings", "Which bones of sources are which, as they were corrected, as JSON text")
    error: STATE.text("Error", "Why the link was turned off; empty when all is well")
