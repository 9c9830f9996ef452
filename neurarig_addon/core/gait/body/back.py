"""The body of a quadruped between and beyond its girdles: the back keeps its length and bends, neck and head
hang on the fore end, the tail on the hind one.

Each girdle has its own plan; `body.back` joins them.
"""

from dataclasses import replace

import numpy as np

from ...body import back
from ...character.body import Body
from ...character.motion import Motion
from ...contract.channels import block
from ...geometry.rotation import about_y, part_way, rotated, transposed
from ...skeleton.roles import SIDES, sided
from .pelvis import WantedBody
from .tail import tail_motions
from .upper_body import head_turn

SWISHES = 0.6  # of how far a head of its own would look aside, the tail of a body that stands
FLEXION = 0  # column of an arm's channels: how far a shoulder blade's lower end has rocked forward


def from_fore(body: Body, fore_root: Motion, motion: Motion) -> Motion:
    """Return a motion of the fore girdle's frame in the body's own; `fore_root`: its root, as seen from the
    hind one's."""
    place = rotated(fore_root.rotation, motion.position) + fore_root.position
    return Motion(fore_root.rotation @ motion.rotation, place, motion.rest + [body.ahead, 0.0, 0.0])


def spanned(
    body: Body, hind: WantedBody, fore: WantedBody, fore_root: Motion, gives: np.ndarray | float = 0.5
) -> tuple[WantedBody, WantedBody, list[Motion]]:
    """Return both girdles as far apart as the back is long, and the motions of the spine's bones.

    `fore_root`: the root of the fore girdle, as seen from the hind one's. `gives`: see `body.back`.
    """
    pelvis, spine = back.spanned(
        body, hind.pelvis(body), from_fore(body, fore_root, fore.pelvis(body.front)), gives
    )
    chest = spine[-1] if spine else pelvis
    seen = transposed(fore_root.rotation)
    front_place = rotated(seen, chest.position - fore_root.position)
    return (
        replace(hind, turn=pelvis.rotation, place=pelvis.position),
        replace(fore, turn=seen @ chest.rotation, place=front_place),
        spine,
    )


def shoulder_blades(body: Body, values: np.ndarray) -> np.ndarray | None:
    """Return the rotations `(f, 2, 3, 3)` of a fore girdle's shoulder blades against its trunk for channels
    `(f, 46)`; None for a body without."""
    if not (body.on_toes and np.isfinite(body.clavicle).all()):
        return None
    return about_y(-np.stack([block(values, f"arm_{side}")[:, FLEXION] for side in "lr"], axis=1))


def sockets_moved(body: Body, values: np.ndarray) -> np.ndarray | None:
    """Return the metres `(f, 2, 3)`, in the axes of the trunk, by which shoulder blades move the joints below
    them."""
    turns = shoulder_blades(body, values)
    lever = body.hip - body.clavicle
    return None if turns is None else rotated(turns, lever) - lever


def on_the_trunk(
    body: Body, hind: WantedBody, fore: WantedBody, spine: list[Motion], fore_root: Motion
) -> dict[str, Motion]:
    """Return spine, shoulder blades, neck, head and tail of a quadruped, in the body's own frame."""
    motions = {f"spine.{number}": motion for number, motion in enumerate(spine, start=1)}
    pelvis = hind.pelvis(body)
    chest = spine[-1] if spine else pelvis
    blades = shoulder_blades(body.front, fore.values)
    if blades is not None:
        for row, side in enumerate(SIDES):
            joint = body.front.clavicle[row] + [body.ahead, 0.0, 0.0]
            motions[sided("clavicle", side)] = Motion(
                chest.rotation @ blades[:, row], chest.carry(joint), joint
            )
    head = fore_root.rotation @ head_turn(block(fore.values, "head"), fore.turn, fore.manner)
    stem = chest
    if np.isfinite(body.neck).all():
        nod = about_y(block(fore.values, "chest")[:, 0])
        turn = part_way(chest.rotation, head, np.full(len(head), 0.5)) @ nod
        stem = motions["neck"] = Motion(turn, chest.carry(body.neck), body.neck)
    if np.isfinite(body.head).all():
        motions["head"] = Motion(head, stem.carry(body.head), body.head)
    aside = SWISHES * hind.manner.stands * hind.manner.posture.head_yaw
    return motions | tail_motions(body, pelvis, hind.values, hind.hands, aside)
