"""Legs and head on a character's bones: the points and joints that are measured, and legs that nothing lets
stretch."""

import numpy as np
from bpy.types import Object

from ...core.character.body import Body
from ...core.skeleton.roles import FORE_OF, SIDES, RoleMap, sided
from . import record
from .controls.attachment import OWN_FK, standing_in
from .roles import role_map

# The bone that carries each of the body's points; if the rig lacks it, the next. The ball lies under the toe
# joint and belongs to the toes, which stay flat while the heel rises.
CARRIERS = {
    "heel": ("foot", "shin", "thigh"),
    "ball": ("toe", "foot", "shin", "thigh"),
    "toe": ("toe", "foot", "shin", "thigh"),
    "hip": ("thigh",),
    "knee": ("shin", "thigh"),
    "ankle": ("foot", "shin", "thigh"),
    "head": ("head", "thigh"),  # NaN in a body without a head
}
FEET, LEGS, HEAD = slice(0, 3), slice(3, 6), 6


class CarriedPoints:
    """The contact points and joints of all legs, the hind ones first, and the head (with each), each fixed to
    its bone as at rest, or as the character stands."""

    def __init__(self, obj: Object, body: Body, roles: RoleMap) -> None:
        carriers = CARRIERS | ({"heel": CARRIERS["toe"]} if body.on_toes and not body.has_pads else {})
        self.bones = [
            [_carrier(roles, parts, side, fore) for parts in carriers.values()]
            for fore in (False, True)[: 1 if body.fore is None else 2]
            for side in SIDES
        ]
        standing = standing_in(record.attachment(obj))
        moves = {roles.get(role): move for role, move in standing.items()}
        rest = np.array(
            [
                [moves.get(name, np.eye(4)) @ obj.data.bones[name].matrix_local for name in names]
                for names in self.bones
            ]
        )
        points = np.stack([body.of_legs(name) for name in CARRIERS], axis=1) @ body.walk_to_armature[:3, :3].T
        points = points + body.walk_to_armature[:3, 3] - rest[..., :3, 3]
        self.local = np.einsum("spji,spj->spi", rest[..., :3, :3], points)  # rest axes are orthonormal

    def evaluated(self, obj: Object) -> np.ndarray:
        """Return the points `(legs, points, 3)` in armature space of an evaluated object."""
        bones = obj.pose.bones
        return self.on(np.array([[bones[name].matrix for name in names] for names in self.bones]))

    def on(self, posed: np.ndarray) -> np.ndarray:
        """Return the points `(..., legs, points, 3)` on their carriers' matrices `(..., legs, points, 4, 4)`,
        those of `bones`."""
        return np.einsum("...ij,...j->...i", posed[..., :3, :3], self.local) + posed[..., :3, 3]


def _carrier(roles: RoleMap, parts: tuple[str, ...], side: str, fore: bool) -> str:
    parts = tuple(FORE_OF.get(part, part) for part in parts) if fore else parts
    return next(bone for part in parts if (bone := roles.get(part) or roles.get(sided(part, side))))


def stiff_cure(obj: Object) -> str:
    """Return why the feet of an attached character slip and sink, and the remedy; '' if its legs bend or
    stretch."""
    if not (bone := _stiff_bone(obj)):
        return ""
    return (
        f"The leg '{bone}' is a single bone: without a control layer it can neither bend nor stretch, so its"
        " foot slips and sinks. Choose IK Controls, or subdivide both legs in Edit Mode."
    )


def stiff_manner(obj: Object) -> str:
    """Return how such legs move an attached character; '' if its legs bend or stretch."""
    if not record.holds(obj, record.WALK):
        return stiff_cure(obj)
    bone = _stiff_bone(obj)
    return (
        f"The leg '{bone}' is a single bone: it walks stiffly. For knees, subdivide both legs in Edit Mode."
        if bone
        else ""
    )


def _stiff_bone(obj: Object) -> str:
    """Return a leg of an attached character that can neither bend nor stretch, or ''."""
    if not record.is_attached(obj) or record.attachment(obj)["kind"] not in OWN_FK:
        return ""
    roles = role_map(obj)
    stiff = [roles.get(sided("thigh", side)) for side in SIDES if not roles.has(sided("shin", side))]
    return (stiff[0] or "") if stiff else ""
