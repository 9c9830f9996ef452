"""Legs of a single bone where nothing lets them stretch: what to say of feet that leave their places."""

import bpy

from ...core.skeleton.roles import SIDES, sided
from . import record
from .controls.attachment import OWN_FK
from .roles import role_map


def sentence(obj: bpy.types.Object) -> str:
    """Return why the feet of an attached character slip and sink, and the remedy; '' if its legs bend or stretch."""
    if not record.is_attached(obj) or record.attachment(obj)["kind"] not in OWN_FK:
        return ""
    roles = role_map(obj)
    stiff = [roles.get(sided("thigh", side)) for side in SIDES if not roles.has(sided("shin", side))]
    if not stiff:
        return ""
    return (
        f"The leg '{stiff[0]}' is a single bone: without a control layer it can neither bend nor stretch, so its foot slips and sinks. "
        "Choose IK Controls, or subdivide both legs in Edit Mode."
    )
