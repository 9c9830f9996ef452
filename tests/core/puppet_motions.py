"""Motions that a puppet is asked for."""

import numpy as np

from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.controls.figure import ObservedRig
from neurarig_addon.core.geometry.rotation import about_y
from tests.core.puppet import Puppet


def figure_of(puppet: Puppet) -> ObservedRig:
    return ObservedRig.of(puppet.skeleton(), puppet.role_map, puppet.names)


def wanted(puppet: Puppet) -> dict[str, Motion]:
    """Return a pose: the body leans and is lower, each spine bone turns on, feet are lifted and turned."""
    found: dict[str, Motion] = {}
    for number, (role, (above, head)) in enumerate(puppet.roles.items()):
        part = role.split(".")[0]
        if part in ("thigh", "shin", "toe"):
            found[role] = Motion(np.eye(3)[None], head[None], head)
        elif part == "foot":
            found[role] = Motion(about_y(np.array([0.3])), (head + [0.0, -0.1, 0.05])[None], head)
        else:
            turn = about_y(np.array([0.05 * (number + 1)]))
            place = head + [0.0, 0.02, -0.05] if role == "pelvis" else found[above].carry(head)[0]
            found[role] = Motion(turn, place[None], head)
    return found
