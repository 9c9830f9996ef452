"""What an animator chooses of a walk, and what must hold before a walk is made or changed; each refusal is
one sentence with the remedy."""

from typing import Any

from bpy.types import Action, Collection, Context, Object, PropertyGroup

from ....core.errors import NeuraRigError
from ....core.files.json_text import is_finite
from ....core.gait.kinds.gaits import GAITS
from ....core.gait.sliders.style import SLIDERS
from ...character import controls, fingers, record
from ...character.requirements import require_editable
from ...interface.options import Option
from ..changes import changes
from ..hands import HAND_POSES
from ..manner import sliders, styles
from ..way.given_acts import require_acts
from ..way.ground import HAVE_FACES
from ..way.markers import require_markers
from ..way.path import can_lead


def _gait_changed(settings: PropertyGroup, context: Context) -> None:
    sliders.suit_speed(settings)
    changes.tell(settings.id_data)


def _carrier_changed(settings: PropertyGroup, context: Context) -> None:
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
        "lead", "Leading Foot", "Which foot leads in a gallop or a canter", "RIGHT",
        items=(("LEFT", "Left", "The left foot is ahead"), ("RIGHT", "Right", "The right foot is ahead")),
        help="which foot leads in a gallop or a canter",
    ),
    Option(
        "limp_on", "Limp On", "Which legs of an animal limp", "HIND",
        items=(("HIND", "Hind Leg", "A hind leg is sore"), ("FORE", "Fore Leg", "A fore leg is sore")),
        help="which legs of an animal limp",
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


CHOICES = {option.name: option.choices for option in OPTIONS} | {
    "gait_source": ("HUMAN", "PROFILE"),
    "controls": ("AUTO", "FK"),
    "left_hand_pose": HAND_POSES,
    "right_hand_pose": HAND_POSES,
}
SWITCHES = ("whole_frames", "use_network", "keep_planted", "slow_in_bends", "start_standing", "blend_back")
THINGS = ("path", "ground", "stand_on", "look_at", "face")
NUMBERS = (*SLIDERS, "start_frame", "start_turn", "end_turn", "blend_frame", "blend_seconds")
WHOLE = ("idle_seed", "variation_seed", "variation_strides", "person_seed")


def require_walk(obj: Object) -> None:
    """Refuse a character without a walk."""
    require_editable(obj)
    record.require_held_by(obj, record.WALK)


def require_path(obj: Object) -> None:
    """Refuse a character in Path mode without a path."""
    if obj.neurarig.walk.mode == "PATH" and obj.neurarig.walk.path is None:
        raise NeuraRigError(f"'{obj.name}' has no path. Choose a curve under Path, or another mode.")


def require_hands(obj: Object, given: dict[str, Any]) -> None:
    """Refuse a given pose for a hand without fingers that can be posed."""
    for side, name in fingers.SETTINGS.items():
        if given.get(name, fingers.AUTO) not in (fingers.AUTO, fingers.POSED) and side not in fingers.held(
            obj
        ):
            raise NeuraRigError(
                f"'{obj.name}' has no fingers that '{name}' could pose. Leave it out, or choose the hand in"
                " the list of bones."
            )


def require_live(obj: Object) -> None:
    """Raise the error that turned the walk off, if any."""
    if obj.neurarig.walk.error:
        raise NeuraRigError(obj.neurarig.walk.error)


def _require_thing(name: str, value: Any) -> None:
    """Refuse what is not a path or not a ground."""
    called = getattr(value, "name", value)
    if value is None or (name == "ground" and isinstance(value, Collection)):
        return
    if not isinstance(value, Object):
        kinds = "an object or a collection" if name == "ground" else "an object"
        raise NeuraRigError(f"The setting '{name}' needs {kinds}, not '{called}'.")
    if name == "path" and not can_lead(value):
        raise NeuraRigError(
            f"'{called}' cannot be a path: it is not a curve, has no chain of empties, and no keys move it."
        )
    if name == "ground" and value.type not in HAVE_FACES:
        raise NeuraRigError(f"'{called}' cannot be ground: it has no faces. Choose a mesh or a collection.")


def require_settings(settings: dict[str, Any]) -> None:
    """Refuse unknown settings and values before anything is changed."""
    for name, value in settings.items():
        if name in CHOICES:
            if value not in CHOICES[name]:
                raise NeuraRigError(f"'{value}' is not a {name}; choose one of {', '.join(CHOICES[name])}.")
        elif name in NUMBERS:
            if not is_finite(value):
                raise NeuraRigError(f"The setting '{name}' needs a number, not '{value}'.")
        elif name in WHOLE:
            if not isinstance(value, int) or not 0 <= value < 2**31:
                raise NeuraRigError(f"The setting '{name}' needs a whole number of 0 or more, not '{value}'.")
        elif name == "markers":
            require_markers(value)
        elif name == "acts":
            require_acts(value)
        elif name == "styles":
            styles.require_styles(value)
        elif name == "arrive":
            if value is not None and not is_finite(value):
                raise NeuraRigError(f"The setting 'arrive' needs a frame, or None, not '{value}'.")
        elif name in THINGS:
            _require_thing(name, value)
        elif name == "blend_action":
            if value is not None and not isinstance(value, Action):
                raise NeuraRigError(f"The setting 'blend_action' needs an action, or None, not '{value}'.")
        elif name not in SWITCHES:
            known = (
                *CHOICES,
                *NUMBERS,
                *WHOLE,
                *SWITCHES,
                *THINGS,
                "arrive",
                "blend_action",
                "markers",
                "acts",
                "styles",
            )
            raise NeuraRigError(f"A walk has no setting '{name}'; it has {', '.join(known)}.")
