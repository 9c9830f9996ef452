"""Legs of a single bone where nothing lets them stretch: what to say of them."""

import bpy

from ...core.skeleton.roles import SIDES, sided
from . import record
from .controls.attachment import OWN_FK
from .roles import role_map


def sentence(obj: bpy.types.Object) -> str:
    """Return why the feet of an attached character slip and sink, and the remedy; '' if its legs bend or stretch."""
    if not (bone := _bone(obj)):
        return ""
    return (
        f"The leg '{bone}' is a single bone: without a control layer it can neither bend nor stretch, so its foot slips and sinks. "
        "Choose IK Controls, or subdivide both legs in Edit Mode."
    )


def manner(obj: bpy.types.Object) -> str:
    """Return how such legs move an attached character; '' if its legs bend or stretch."""
    if not record.holds(obj, record.WALK):
        return sentence(obj)
    bone = _bone(obj)
    return f"The leg '{bone}' is a single bone: it walks stiffly. For knees, subdivide both legs in Edit Mode." if bone else ""


def _bone(obj: bpy.types.Object) -> str:
    """Return a leg of an attached character that can neither bend nor stretch, or ''."""
    if not record.is_attached(obj) or record.attachment(obj)["kind"] not in OWN_FK:
        return ""
    roles = role_map(obj)
    stiff = [roles.get(sided("thigh", side)) for side in SIDES if not roles.has(sided("shin", side))]
    return (stiff[0] or "") if stiff else ""
