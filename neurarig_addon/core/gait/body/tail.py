"""A tail behind its pelvis, as the gait's curves have it."""

import numpy as np

from ...character.body import Body
from ...character.motion import Motion
from ...contract.channels import block
from ...geometry.rotation import about_y, about_z
from ...skeleton.roles import TAIL


def tail_motions(
    body: Body, pelvis: Motion, values: np.ndarray, aside: np.ndarray | float = 0.0
) -> dict[str, Motion]:
    """Return the motions of the tail's bones, which share what the channels `(f, 46)` of the chest turn it,
    and radians `(f,)` that it is held farther aside."""
    motions, holder, sway = {}, pelvis, block(values, "chest")
    for number, joint in enumerate(body.tail, start=1):
        bent = about_z((sway[:, 1] + aside) / len(body.tail)) @ about_y(sway[:, 0] / len(body.tail))
        holder = motions[f"{TAIL}.{number}"] = Motion(holder.rotation @ bent, holder.carry(joint), joint)
    return motions
