"""A body on four legs as two on two: the girdle at its hips, whose neck is the tail, and the one at its
shoulders, whose pelvis is the chest."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ..character.body import Body
from ..character.character import Character
from ..geometry.rotation import about_z, rotated
from ..skeleton.roles import BIRD, FORE_OF, LEG_PARTS, NECK, SIDES, RoleMap, chest_of, neck_of, sided, tail_of
from .encoding import Encoding


def roles_of_girdles(roles: RoleMap) -> tuple[dict[str, str], dict[str, str]]:
    """Return what the roles of the hind and of the fore girdle are of the whole body."""
    legs = [sided(part, side) for part in LEG_PARTS for side in SIDES]
    fore = [sided(FORE_OF[part], side) for part in LEG_PARTS for side in SIDES]
    tail = tail_of(roles)
    necks = [NECK, *(f"{NECK}.{number}" for number in range(2, len(tail) + 1))]
    hind = {"pelvis": "pelvis", **dict(zip(legs, legs, strict=True)), **dict(zip(necks, tail, strict=False))}
    blades = (sided("clavicle", side) for side in SIDES)
    above = {role: role for role in (*neck_of(roles), "head", *blades)}
    front = {"pelvis": chest_of(roles), **dict(zip(legs, fore, strict=True)), **above}
    return _held(roles, hind), _held(roles, front)


def _held(roles: RoleMap, named: Mapping[str, str]) -> dict[str, str]:
    """Return those of some roles that the rig has."""
    return {own: role for own, role in named.items() if role in roles}


def girdles(character: Character) -> tuple[Character, Character]:
    """Return the hind and the fore girdle of a character on four legs, both in its own walk frame."""
    body, bones = character.body, character.roles.bones

    def girdle(named: Mapping[str, str], own: Body) -> Character:
        roles = RoleMap({role: bones[of] for role, of in named.items()}, kind=BIRD)
        return replace(character, roles=roles, body=own)

    hind, fore = roles_of_girdles(character.roles)
    return girdle(hind, body), girdle(fore, body.front_in_place)


def behind_one_another(hind: Encoding, fore: Encoding, hips: list[np.ndarray], ahead: float) -> Encoding:
    """Return the encodings of both girdles as one; `hips`: the middles `(f, 3)` of their hip joints, that are
    `ahead` metres apart at rest."""
    apart = rotated(about_z(-hind.heading), hips[1] - hips[0])[:, :2] / ahead
    return replace(hind, fore=replace(fore, ground=apart, heading=fore.heading - hind.heading))
