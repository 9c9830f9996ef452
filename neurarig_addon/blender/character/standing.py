"""How a character stands without animation: the world axes by which it is measured, the same on every frame.

Axes that are keyed, driven, constrained or carried by a bone count as when the character was attached, and
are stored with it, so
that a body does not depend on the current frame: an animated scale enlarges the motion, a rolling deck tilts
it. All
others are read from the objects' own channels, which an edit changes at once, not from evaluated matrices,
which are a frame late.
"""

from collections.abc import Sequence

import bpy
import numpy as np
from bpy.types import Object, PropertyGroup
from mathutils import Matrix

from ...core.character import measure
from ..animation.properties import STATE
from . import carry, turning


class NeuraRigStanding(PropertyGroup):
    """How a character stood when it was attached."""

    is_known: STATE.switch()
    own: STATE.numbers(size=9)
    carried: STATE.numbers(size=9)
    carrier: STATE.text()


def axes(obj: Object) -> Matrix:
    """Return an object's axes as columns `(3, 3)` in the world, Blender units."""
    return _carried(obj) @ own_axes(obj)


def is_even(obj: Object) -> bool:
    """Return whether an object is scaled uniformly and not mirrored."""
    shown = obj.matrix_world.to_3x3()
    return measure.is_even(np.array(shown)) and shown.determinant() > 0.0


def remember(obj: Object) -> None:
    """Note how an object stands, for when it becomes animated; if it already is, the note stays."""
    noted = obj.neurarig.standing
    for name, now in (("own", own_axes(obj)), ("carried", _carried(obj))):
        values = [value for row in now for value in row]
        if not noted.is_known or list(getattr(noted, name)) != values:
            setattr(noted, name, values)
    if noted.carrier != _carrier(obj):
        noted.carrier = _carrier(obj)
    noted.is_known = True


def has_new_carrier(obj: Object) -> bool:
    """Return whether an object has another parent than when its standing was noted."""
    return obj.neurarig.standing.carrier != _carrier(obj)


def forget(obj: Object) -> None:
    """Remove the note."""
    obj.neurarig.property_unset("standing")


def own_axes(obj: Object) -> Matrix:
    """Return an object's own axes as columns `(3, 3)`, in its parent's space."""
    now = (carry.unturned(obj) if hasattr(obj, "neurarig") else obj.matrix_basis).to_3x3()
    noted = _noted(obj)
    return _matrix(noted.own) if noted and turning.is_animated(obj) else now


def _carried(obj: Object) -> Matrix:
    """Return the object's own axes after parents and constraints."""
    if not _is_carried_by_animation(obj):
        return _parents(obj)
    noted = _noted(obj)
    if noted and noted.carrier == _carrier(obj):
        return _matrix(noted.carried)
    # Both as Blender evaluated them: its own channels may have been set since, and then do not fit the world
    # matrix.
    depsgraph = bpy.context.view_layer.depsgraph
    shown = obj if depsgraph is None else obj.evaluated_get(depsgraph)
    return shown.matrix_world.to_3x3() @ shown.matrix_basis.to_3x3().inverted_safe()


def _parents(obj: Object) -> Matrix:
    found = Matrix.Identity(3)
    while obj.parent is not None:
        found = (obj.parent.matrix_basis @ obj.matrix_parent_inverse).to_3x3() @ found
        obj = obj.parent
    return found


def _is_carried_by_animation(obj: Object) -> bool:
    """Return whether an object's carriers may rotate or scale it over time, or cannot be computed from
    channels alone."""
    while not (len(obj.constraints) or obj.rigid_body):
        if obj.parent is None:
            return False
        if obj.parent_type not in ("OBJECT", "ARMATURE") or turning.is_animated(obj.parent):
            return True
        obj = obj.parent
    return True


def _carrier(obj: Object) -> str:
    return f"{obj.parent.name}/{obj.parent_type}/{obj.parent_bone}" if obj.parent else ""


def _noted(obj: Object) -> NeuraRigStanding | None:
    """Return how an object stood when it was attached; None if it never was, or the add-on is disabled."""
    settings = getattr(obj, "neurarig", None)
    return settings.standing if settings and settings.standing.is_known else None


def _matrix(values: Sequence[float]) -> Matrix:
    return Matrix([values[at : at + 3] for at in range(0, 9, 3)])
