"""What a walking character looks at and faces: an object, still or animated; and whether that turns it."""

import numpy as np
from bpy.types import Object

from ....core.errors import NeuraRigError
from ....core.gait.inputs.gaze import Gaze
from ....core.geometry.vectors import transformed
from ...animation.objects import above
from ...character import slider_curves
from . import acts, deck, keyed_path, path
from .world import Look


def faced(obj: Object) -> Object | None:
    """Return the object that a character faces while walking; None in place, or for the character itself."""
    settings = obj.neurarig.walk
    return None if settings.mode == "IN_PLACE" or settings.face == obj else settings.face


def turns(obj: Object) -> bool:
    """Return whether a character turns: with its path, with what it faces, by a keyed Facing, or where an
    action or an act leads."""
    if path.follows_one(obj):
        return True
    if obj.neurarig.walk.mode != "TRAVEL":
        return False
    if acts.on_feet(obj):
        return True
    return (
        faced(obj) is not None
        or obj.neurarig.walk.blend_action is not None
        or "facing" in slider_curves.find(obj)
    )


def looked_at(obj: Object) -> Object | None:
    """Return the object that a character looks at; never the character itself."""
    thing = obj.neurarig.walk.look_at
    return None if thing == obj else thing


def require_apart(obj: Object, thing: Object | None) -> None:
    """Refuse to look at or face a child of the character itself: its place would depend on the pose."""
    if thing is not None and obj in above(thing):
        does = "face" if thing != looked_at(obj) else "look at"
        raise NeuraRigError(
            f"'{thing.name}' is parented to '{obj.name}', which cannot {does} it. Clear its parent, or choose"
            " another object."
        )


def gaze_of(
    obj: Object, thing: Object | None, look: Look, to_world: np.ndarray, round_about: bool
) -> Gaze | None:
    """Return the gaze at a thing that a character looks at or faces; `to_world` `(4, 4)` from its walk frame.

    `round_about`: the thing is a walker that looks at or faces the character in turn; it is sought where its
    walk begins.
    """
    if thing is None:
        return None
    if keyed_path.is_moved_by_keys(thing):
        frames, places = keyed_path.places_of(thing, look, as_seen=not round_about)
    else:
        frames = np.zeros(1)
        places = (
            path.beginning(thing, look, deck.stand(thing, look))[None]
            if round_about
            else look.place(thing)[None, :3, 3]
        )
    to_walk = np.linalg.inv(to_world)
    return Gaze(frames, transformed(places, to_walk), obj.neurarig.walk.mode == "IN_PLACE")
