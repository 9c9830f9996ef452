"""The body as a tree of roles: which one holds which, and each as seen from the one that holds it."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ..character.motion import Motion
from ..skeleton.roles import ARM_PARTS, LEG_PARTS, SIDES, neck_of, sided, spine_of, tail_of
from .trunk import EYES_AND_GAZE, eyes_with_head


def holders_of(motions: Mapping[str, Motion]) -> dict[str, str]:
    """Return the parent role of each role above the pelvis, from the pelvis outward."""
    spine, neck = spine_of(motions), neck_of(motions)
    found, chest = dict(zip(spine, ["pelvis", *spine], strict=False)), (spine or ["pelvis"])[-1]
    found |= dict(zip(neck, [chest, *neck], strict=False))
    if "head" in motions:
        found["head"] = (neck or [chest])[-1]
    for side in SIDES:
        holder = chest
        for role in (sided(part, side) for part in ARM_PARTS):
            if role in motions:
                found[role], holder = holder, role
    return found


def all_holders_of(motions: Mapping[str, Motion]) -> dict[str, str]:
    """Return the role that holds each role of the body, '' for the pelvis, from the pelvis outward."""
    found = {"pelvis": ""} | holders_of(motions)
    for side in SIDES:
        holder = "pelvis"
        for role in (sided(part, side) for part in LEG_PARTS):
            if role in motions:
                found[role], holder = holder, role
        if sided("fingers", side) in motions:
            found[sided("fingers", side)] = sided("hand", side)
    tail = tail_of(motions)
    found |= dict(zip(tail, ["pelvis", *tail], strict=False))
    return found | {role: "head" for role in EYES_AND_GAZE if role in motions and "head" in motions}


def apart(motions: Mapping[str, Motion], holders: Mapping[str, str]) -> dict[str, Motion]:
    """Return each role of `holders` as seen from the role that holds it."""
    return {
        role: motions[holder].seeing(motions[role]) if holder else motions[role]
        for role, holder in holders.items()
    }


def together(parts: Mapping[str, Motion], holders: Mapping[str, str]) -> dict[str, Motion]:
    """Return the motions of roles seen from what holds them, which come from the pelvis outward: the inverse
    of `apart`."""
    found: dict[str, Motion] = {}
    for role, holder in holders.items():
        found[role] = found[holder].holding(parts[role]) if holder else parts[role]
    return found


def own_turns(motions: Mapping[str, Motion]) -> dict[str, np.ndarray]:
    """Return the rotations `(f, 3, 3)` of the upper body's roles in the axes of what holds them."""
    return {role: part.rotation for role, part in apart(motions, holders_of(motions)).items()}


def with_own_turns(motions: Mapping[str, Motion], turns: Mapping[str, np.ndarray]) -> dict[str, Motion]:
    """Return motions with other rotations of some roles in the axes of what holds them; what they hold is
    carried along."""
    found = dict(motions)
    for role, holder in holders_of(motions).items():
        if role in turns or found[holder] is not motions[holder]:
            part = motions[holder].seeing(motions[role])
            found[role] = found[holder].holding(replace(part, rotation=turns.get(role, part.rotation)))
    return found | eyes_with_head(found["head"], motions) if "head" in found else found
