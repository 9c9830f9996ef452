"""A tail behind its pelvis, as the gait's curves have it."""

import numpy as np

from ...character.body import Body
from ...character.motion import Motion
from ...contract.channels import block
from ...geometry.rotation import about_y, about_z
from ...skeleton.roles import TAIL


def tail_motions(
    body: Body, pelvis: Motion, values: np.ndarray, ends: np.ndarray, aside: np.ndarray | float = 0.0
) -> dict[str, Motion]:
    """Return the motions of the tail's bones, which share what the channels `(f, 46)` of the chest turn it:
    its root those of `values`, its last bone those of `ends`; and radians `(f,)` that it is held farther
    aside."""
    motions, holder, bones = {}, pelvis, len(body.tail)
    root, end = (block(each, "chest") / max(bones, 1) for each in (values, ends))
    for number, joint in enumerate(body.tail):
        pitch, yaw = (root + number / max(bones - 1, 1) * (end - root))[:, :2].T
        bent = about_z(yaw + aside / bones) @ about_y(pitch)
        holder = Motion(holder.rotation @ bent, holder.carry(joint), joint)
        motions[f"{TAIL}.{number + 1}"] = holder
    return motions
