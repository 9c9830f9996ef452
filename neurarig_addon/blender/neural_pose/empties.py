"""The points of a character that may have targets, and the empties made for these: their looks and their
parents.

Shapes show the part of the body, sizes follow the body. `draw` colours them by side.
"""

from collections.abc import Callable, Mapping

import bpy
from bpy.types import Object, Scene

from ...core.neural.points import INDEX, POINTS
from ...core.skeleton.roles import SIDES
from ..animation.objects import own_collection
from ..interface.panel import SIDE_NAMES

_WORDS = {
    "pelvis": "Hips",
    "hip": "Thigh",
    "spine1": "Spine",
    "spine2": "Spine Middle",
    "spine3": "Chest",
    "ankle": "Foot",
    "wrist": "Hand",
    "head_top": "Head Top",
    "hand_tip": "Fingers",
    "toe_tip": "Toe Tip",
}


def label(point: str) -> str:
    """Return a point's label: `wrist.L` is Left Hand."""
    stem, _, side = point.partition(".")
    return f"{SIDE_NAMES.get(side, '')} {_WORDS.get(stem, stem)}".strip().title()


def out_of_reach(missed: Mapping[str, float]) -> str:
    """Return a sentence on the points that miss their targets (metres), the farthest first; '' if none do."""
    parts = [
        f"{label(point)} is {length(missed[point])} out of reach"
        for point in sorted(missed, key=lambda point: -missed[point])
    ]
    return ", ".join(parts) + "." if parts else ""


def length(metres: float) -> str:
    """Return a length as text: in millimetres below a metre."""
    return f"{1e3 * metres:.3g} mm" if metres < 1.0 else f"{metres:.3g} m"


def _both(*parts: str) -> list[str]:
    return [f"{part}.{side}" for part in parts for side in SIDES]


# Top down, the order of the list of targets.
IN_ORDER = tuple(
    ["head_top", "head", "neck", "spine3", "spine2", "spine1", "pelvis"]
    + _both("collar", "shoulder", "elbow", "wrist", "hand_tip", "hip", "knee", "ankle", "ball", "toe_tip")
)
assert sorted(IN_ORDER) == sorted(POINTS)

_SIX = ["head", "spine3", "pelvis", *_both("wrist", "ankle")]
SETS = {
    "MAIN": tuple(_SIX),
    "LIMBS": tuple(_SIX + _both("elbow", "knee", "ball")),
    "FULL": IN_ORDER,
}
SET_ITEMS = (
    ("MAIN", "Main", "Head, chest, hips, hands and feet: the network poses the rest"),
    ("LIMBS", "Limbs", "Elbows, knees and the balls of the feet as well"),
    ("FULL", "All", "All 27: every joint, head top, fingers and toe tips, as motion capture has them"),
)
POINT_ITEMS = tuple((point, label(point), f"The point '{point}'", INDEX[point]) for point in IN_ORDER)
# Feet are locked at first; all else gives way until the animator drags or locks it.
HELD_AT_FIRST = frozenset(_both("ankle", "ball", "toe_tip"))

# The empties of ends are children of their joints' empties: rotating these turns a foot or a hand.
_HANGS_ON = {"head_top": "head", "hand_tip": "wrist", "ball": "ankle", "toe_tip": "ball"}


def holder_of(point: str) -> str:
    """Return the point whose empty is the parent of a point's; '' if that is the character's object."""
    stem, dot, side = point.partition(".")
    return f"{_HANGS_ON[stem]}{dot}{side}" if stem in _HANGS_ON else ""


def in_order(points: list[str] | tuple[str, ...]) -> list[str]:
    """Return points in the order of the list of targets."""
    return [point for point in IN_ORDER if point in points]


COLLECTION = "NeuraRig Targets"
MARK = "neurarig_target"  # custom property of our empties: the point
# custom property: where it was brought along with the body, in the space of what it hangs on
ALONG = "neurarig_along"
_SIZE = 0.05  # leg lengths
# Shape of each kind of point, and its size relative to the others.
_SHAPES = {
    "pelvis": ("CUBE", 1.5),
    "spine3": ("CUBE", 1.2),
    "head": ("SPHERE", 1.4),
    "wrist": ("SPHERE", 1.0),
    "ankle": ("CUBE", 1.0),
}
_OTHERS = ("PLAIN_AXES", 1.0)


def new(obj: Object, scene: Scene, point: str, leg_m: float) -> Object:
    """Return a new empty for a point of a character with legs of `leg_m` metres.

    Its parent is the character's object, or the empty of the joint whose end it is.
    """
    # What can fail comes before the object is made.
    name, above, collection = (
        f"{obj.name} {label(point)}",
        holder(obj, point),
        own_collection(COLLECTION, scene),
    )
    shape, share = _SHAPES.get(point.partition(".")[0], _OTHERS)
    size = share * _SIZE * leg_m / scene.unit_settings.scale_length
    size /= max(abs(value) for value in obj.matrix_world.to_scale())
    empty = bpy.data.objects.new(name, None)
    empty[MARK] = point
    empty.empty_display_type, empty.empty_display_size = shape, size
    empty.show_in_front = obj.neurarig.neural_pose.in_front
    empty.parent = above
    collection.objects.link(empty)
    return empty


def holder(obj: Object, point: str) -> Object:
    """Return the parent of a point's empty."""
    ours = (
        item.object
        for item in obj.neurarig.neural_pose.targets
        if item.point == holder_of(point) and item.is_made
    )
    return next(ours, None) or obj


def restoring(target: Object) -> Callable[[], None]:
    """Return what puts an object that is followed back to where it is now."""
    place, along = target.location.copy(), list(target[ALONG]) if ALONG in target else None

    def restore() -> None:
        target.location = place
        target.pop(ALONG, None)
        if along is not None:
            target[ALONG] = along

    return restore


def show_in_front(obj: Object) -> None:
    """Show the empties made for a character in front of everything, or not, as its settings say."""
    own = obj.neurarig.neural_pose
    for item in own.targets:
        if item.is_made and item.object is not None and MARK in item.object:
            item.object.show_in_front = own.in_front
