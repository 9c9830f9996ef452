"""Acts on the way: `Object.neurarig.walk.acts`, which act each is, and the objects that it has to do with."""

from collections.abc import Iterable, Mapping
from typing import Any

from bpy.types import Object, PropertyGroup

from ....core.acts.act import BODY, SEAT, STEP, Act
from ....core.acts.act_file import from_json, shipped_acts
from ....core.acts.mark import AUTO, BOW, KNEEL, SQUAT, STOOP
from ....core.errors import NeuraRigError
from ....core.memory import remembered
from ...animation.properties import LIST, STATE, in_scene_units
from ..changes import KEYABLE, SETTING
from . import support, world
from .markers import OBJECTS

OWN = "OWN"  # an act that was learned, kept in the file
HAND_ITEMS = (
    ("AUTO", "Nearer", "The nearer hand, whichever foot comes there"),
    ("LEFT", "Left", "The left one"),
    ("RIGHT", "Right", "The right one"),
    ("BOTH", "Both", "A hand at each side of what it takes"),
)
HOW_ITEMS = (
    (AUTO, "As People Do", "By how low and heavy the thing is, and how old the character"),
    (BOW, "Bow", "Legs stay straight; the free hand lies on its knee"),
    (STOOP, "Stoop", "Trunk ahead, knees bent as far as is left"),
    (SQUAT, "Squat", "Knees bent, the trunk upright"),
    (KNEEL, "Kneel", "One foot steps back, and its knee is on the ground"),
)
HANDS = tuple(item[0] for item in HAND_ITEMS)
NUMBERS = ("distance", "frame", "length", "rise", "seconds", "weight")
CHOICES = {"hand": HANDS, "how": (AUTO, BOW, STOOP, SQUAT, KNEEL)}
FIELDS = ("kind", "text", *NUMBERS, *OBJECTS, *CHOICES)
LONGEST_TEXT = 400 * 2**10  # characters of an act of its own


def kinds() -> tuple[str, ...]:
    """Return the identifiers of the bundled acts, in the order of the menu."""
    return tuple(shipped_acts())


# a file stores a kind as its number here: a new one goes to the end, wherever it is in the menu
STORED = (
    *("JUMP", "SIT", "PICK_UP", "PUT_DOWN", "CROUCH", "LEAP"),
    *("WAVE", "POINT", "NOD", "LOOK_BACK", "SHAKE_HEAD", OWN, "TOUCH"),
)
ITEMS = (
    *((kind, act.name, act.description, "NONE", STORED.index(kind)) for kind, act in shipped_acts().items()),
    (OWN, "Learned", "An act that was learned from a clip", "NONE", STORED.index(OWN)),
)


@in_scene_units()
class NeuraRigAct(PropertyGroup):
    """An act: which one, where or when, and what it has to do with the things there."""

    kind: SETTING.choice("Act", "What the character does there", items=ITEMS)
    text: STATE.text("Learned Act", "The act as it was learned, as JSON text")
    distance: SETTING.number(
        "Distance",
        "Length of the way to where the feet stand as it begins",
        min=0.0,
        soft_max=100.0,
        step=10,
        precision=2,
        unit="LENGTH",
    )
    place: KEYABLE.thing(
        "At Object",
        "Do it where the way comes nearest to this object, whatever its distance says. "
        "Where something is put down: at an empty, or on top of a mesh",
        type=Object,
    )
    is_timed: SETTING.switch("At Frame", "Begin at a frame, or where the walk comes to at that frame")
    frame: SETTING.frame("Frame", "Frame at which it begins", default=50.0, precision=0)
    length: SETTING.number(
        "Length",
        "How far it is from the take-off to the landing of a jump. 0 jumps on the spot; a leap is then as"
        " long as a leg, from a run longer",
        min=0.0,
        soft_max=4.0,
        max=100.0,
        step=5,
        precision=2,
        unit="LENGTH",
    )
    rise: SETTING.number(
        "Height",
        "How far the body rises above the higher end of a jump. 0: as high as it needs",
        min=0.0,
        soft_max=0.6,
        max=10.0,
        step=2,
        precision=2,
        unit="LENGTH",
    )
    seconds: SETTING.number(
        "For",
        "How long it lasts while it is held. 0: as recorded",
        min=0.0,
        soft_max=60.0,
        max=1e4,
        step=10,
        precision=1,
        subtype="TIME_ABSOLUTE",
    )
    weight: SETTING.number(
        "Weight",
        "How heavy the thing is, as a share of the character. What is heavy is lifted slowly, from a"
        " squat with a straight back, close to the body",
        min=0.0,
        soft_max=0.5,
        max=1.0,
        step=1,
        precision=2,
    )
    thing: KEYABLE.thing("Thing", "The seat, what is picked up or put down, what is pointed at", type=Object)
    hand: SETTING.choice(
        "With",
        "Which hand it takes, or which foot it leaps off",
        items=HAND_ITEMS,
        default="AUTO",
    )
    how: SETTING.choice(
        "Down By",
        "How it goes down for its hands",
        items=HOW_ITEMS,
        default=AUTO,
    )


class ActSettings:
    """The acts of a walk."""

    acts: LIST.items(type=NeuraRigAct)
    active_act: STATE.whole("Act", "The act whose settings are shown")


def act_of(item: NeuraRigAct) -> Act:
    """Return the act that a setting names; raises NeuraRigError for one that there is not, or a damaged one
    of the file."""
    if item.kind != OWN:
        if item.kind not in shipped_acts():  # stored as a number, of which a newer version has more
            raise NeuraRigError(
                f"The act '{item.name}' is of a newer version of NeuraRig. Remove it, or open the file there."
            )
        return shipped_acts()[item.kind]
    if len(item.text) > LONGEST_TEXT:
        raise NeuraRigError(
            f"The learned act '{item.name}' is too long a text. Remove it, and learn it again."
        )
    return _parsed(item.text, item.name)


@remembered(objects=0)
def _parsed(text: str, name: str) -> Act:
    return from_json(text, f"The learned act '{name}'")


def on_feet(obj: Object) -> bool:
    """Return whether a character has an act for which its walk stops, or leaves out a step."""
    return any(
        not damage(item) and act_of(item).base != BODY and not lacks_thing(item)
        for item in obj.neurarig.walk.acts
    )


def key(obj: Object) -> tuple:
    """Return a key that changes whenever a character's acts do, or where it begins on its way to their
    things; empty without any."""
    found = tuple(_key_of(item) for item in obj.neurarig.walk.acts)
    if not has_things(obj):
        return found
    return (
        *found,
        obj.parent and world.own_place(obj.parent),
        *(value for row in world.origin(obj) for value in row),
    )


def has_things(obj: Object) -> bool:
    """Return whether edits of other objects may change a character's acts."""
    return any(item.thing is not None or item.place is not None for item in obj.neurarig.walk.acts)


def _key_of(item: NeuraRigAct) -> tuple:
    objects = tuple(world.own_place(thing) if thing else None for thing in (item.place, item.thing))
    return (
        *(getattr(item, name) for name in FIELDS if name not in ("frame", *OBJECTS)),
        item.frame if item.is_timed else None,
        objects,
        item.thing and support.moved(item.thing),
    )


def needs_thing(act: Act) -> bool:
    """Return whether an act is for an object: a seat, or what hands take."""
    return bool(act.of(SEAT) or act.reaches)


def lacks_thing(item: NeuraRigAct) -> bool:
    """Return whether an act is for an object that is yet to be chosen; until then it is not done."""
    return item.thing is None and needs_thing(act_of(item))


def lacking(name: str) -> str:
    """Return the sentence about an act of a name that lacks its thing."""
    return f"{name}: choose what for in Thing."


def has_place(item: NeuraRigAct) -> bool:
    """Return whether an act has a place of its own on the way, and is not where its seat or thing is."""
    return not needs_thing(act_of(item))


def takes_things(obj: Object, given: Iterable[Mapping[str, Any]] | None = None) -> bool:
    """Return whether hands take or put down a thing, and must be exact: in a character's acts, or in those
    `given` instead."""
    if given is not None:
        return any(
            (_parsed(one["text"], "") if one["kind"] == OWN else shipped_acts()[one["kind"]]).takes
            for one in given
        )
    return any(not damage(item) and act_of(item).takes for item in obj.neurarig.walk.acts)


def wrong(item: NeuraRigAct) -> tuple[str, ...]:
    """Return a sentence about an act that cannot be read, or lacks what it is for; none for others."""
    return damage(item) or ((lacking(item.name),) if lacks_thing(item) else ())


def damage(item: NeuraRigAct) -> tuple[str, ...]:
    """Return a sentence about an act that cannot be read; none for others."""
    try:
        act_of(item)
    except NeuraRigError as error:
        return (str(error),)
    return ()


def counting(item: NeuraRigAct) -> list[str]:
    """Return the settings that count for an act besides its frame; none for one that cannot be read."""
    if damage(item):
        return []
    act = act_of(item)
    found = ["thing"] if needs_thing(act) or (act.base == BODY and act.arms is not None) else []
    if not item.is_timed and has_place(item):
        found += ["place"] if item.place else ["distance", "place"]
    elif act.takes:
        found.append("place")
    found += ["length", "rise"] if act.flight is not None else []
    found += ["how"] if act.reaches else []
    found += ["weight"] if act.takes else []
    found += ["seconds"] if act.hold is not None else []
    return found + (["hand"] if act.reaches or act.arms is not None or act.base == STEP else [])
