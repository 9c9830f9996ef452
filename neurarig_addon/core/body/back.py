"""The back of a body on four legs: it keeps its length between the girdles, and bends as they are turned."""

import numpy as np

from ..character.body import Body
from ..character.motion import Motion
from ..geometry.rotation import ON_GROUND, TINY, between, dot, norms, part_way, rotated
from ..skeleton.roles import FORE_OF, SIDES, sided

LEAST_FLAT = 0.3  # share of the back's length that it is long as seen from above
# roles of a girdle's limbs as those of the fore legs
FORE_ROLES = {
    sided(hind, side): sided(fore, side)
    for side in SIDES
    for hind, fore in {**FORE_OF, "knee": "elbow"}.items()
}


def spanned(
    body: Body, pelvis: Motion, chest: Motion, gives: np.ndarray | float = 0.5
) -> tuple[Motion, list[Motion]]:
    """Return the pelvis and the bones of the spine, the chest last, with both girdles as far apart as the
    back is long; all in the body's own frame.

    It turns as a whole towards both girdles, and its bones share what these are turned against each other.
    What `pelvis` and `chest` differ from its length is given up over the ground: how high they are is what
    their legs allow. `gives`: the share of that which the hind girdle gives up `(f, 1)`.
    """
    hips, front = body.hip.mean(axis=0), body.front.hip.mean(axis=0) + [body.ahead, 0.0, 0.0]
    at = pelvis.carry(hips)
    wished = chest.carry(front) - at
    share = np.arange(1, len(body.spine) + 1)[:, None] / max(len(body.spine), 1)
    turns = [pelvis.rotation, *part_way(pelvis.rotation, chest.rotation, share)]
    joints = [hips, *body.spine, front]
    links = np.diff(joints, axis=0)
    bones = [rotated(turn, link) for turn, link in zip(turns, links, strict=True)]
    along = np.sum(bones, axis=0)
    flat = np.sqrt(np.maximum(dot(along, along) - wished[:, 2] ** 2, (LEAST_FLAT * norms(along)) ** 2))
    there = wished * np.stack(
        [flat / np.maximum(norms(wished * ON_GROUND), TINY)] * 2 + [np.ones_like(flat)], axis=-1
    )
    turned = between(along, there)
    turns, bones = [turned @ turn for turn in turns], [rotated(turned, bone) for bone in bones]
    at = at + gives * (wished - np.sum(bones, axis=0))
    pelvis = Motion(turns[0], at + rotated(turns[0], body.pelvis - hips), body.pelvis)
    places = at + np.cumsum(bones, axis=0)
    spine = [
        Motion(turn, place, rest) for turn, place, rest in zip(turns[1:], places, body.spine, strict=False)
    ]
    return pelvis, spine
