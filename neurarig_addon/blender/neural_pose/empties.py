"""The empties made for targets: their looks and their parents.

Shapes show the part of the body, sizes follow the body.  `draw` colours them by side.
"""

from collections.abc import Callable

import bpy

from ..animation.objects import own_collection
from .points import holder_of, label

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


def new(obj: bpy.types.Object, scene: bpy.types.Scene, point: str, leg_m: float) -> bpy.types.Object:
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


def holder(obj: bpy.types.Object, point: str) -> bpy.types.Object:
    """Return the parent of a point's empty."""
    ours = (
        item.object
        for item in obj.neurarig.neural_pose.targets
        if item.point == holder_of(point) and item.is_made
    )
    return next(ours, None) or obj


def restoring(target: bpy.types.Object) -> Callable[[], None]:
    """Return what puts an object that is followed back to where it is now."""
    place, along = target.location.copy(), list(target[ALONG]) if ALONG in target else None

    def restore() -> None:
        target.location = place
        target.pop(ALONG, None)
        if along is not None:
            target[ALONG] = along

    return restore


def show_in_front(obj: bpy.types.Object) -> None:
    """Show the empties made for a character in front of everything, or not, as its settings say."""
    own = obj.neurarig.neural_pose
    for item in own.targets:
        if item.is_made and item.object is not None and MARK in item.object:
            item.object.show_in_front = own.in_front
