"""A clip of an animal on another one: each girdle is planted as two legs are, the back joins them."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ..body.back import FORE_ROLES, spanned
from ..body.legs import hips_of
from ..character.body import Body
from ..character.character import Character
from ..character.motion import Motion, moved
from ..geometry.rotation import ON_GROUND, about_z, rotated, transposed
from ..ikrig.decode import decode
from ..ikrig.encoding import Contacts, Encoding, matrices
from ..ikrig.girdles import girdles, roles_of_girdles
from ..skeleton.roles import LEG_PARTS, SIDES, sided
from .options import RetargetOptions
from .planting import Planted
from .travel import rescaled


def on_four_legs(
    hind: Encoding, fore: Encoding, target: Character, options: RetargetOptions
) -> tuple[dict[str, Motion], np.ndarray]:
    """Return the motions of a clip, encoded as both girdles, on a target on four legs, and the pivots `(f,
    4)`; the fore girdle is as far ahead of the hind one as the target's back is long."""
    body, fps = target.body, hind.fps
    pair, clips = girdles(target), (hind, replace(fore, heading=hind.heading + fore.heading))
    wanted = [rescaled(decode(clip, who), clip, who, options) for clip, who in zip(clips, pair, strict=True)]
    back, front = (
        hips_of(who.body, moves["pelvis"]).mean(axis=1) for who, moves in zip(pair, wanted, strict=True)
    )
    ahead = rotated(about_z(hind.heading), np.pad(body.ahead * fore.ground, ((0, 0), (0, 1))))
    wanted[1] = moved(wanted[1], (back + ahead - front) * ON_GROUND)
    blades = _blades(fore, pair[1])
    sockets = _sockets(pair[1].body, blades)
    if sockets is not None:
        shifts = rotated(wanted[1]["pelvis"].rotation[:, None], sockets)
        for row, side in enumerate(SIDES):
            for role in (sided(part, side) for part in LEG_PARTS):
                if role in wanted[1]:
                    wanted[1][role] = wanted[1][role].moved(shifts[:, row])
    legs = [
        Planted.of(who, moves, clip.contacts if options.contacts else Contacts(), fps, moves_hips)
        for who, moves, clip, moves_hips in zip(pair, wanted, clips, (None, sockets), strict=True)
    ]
    ends = _ends(body, *(one.motions["pelvis"] for one in legs))[:2]
    pelvis, chest, spine = _ends(
        body,
        *(one.within_reach(end, fps) for one, end in zip(legs, ends, strict=True)),
    )
    motions = {f"spine.{number}": each for number, each in enumerate(spine, start=1)}
    names = {role: role for role in FORE_ROLES}, FORE_ROLES
    for one, end, limbs, known in zip(
        legs, (pelvis, chest), names, roles_of_girdles(target.roles), strict=True
    ):
        was = one.motions["pelvis"]
        own = {role: end.holding(was.seeing(motion)) for role, motion in one.motions.items()} | one.legs(end)
        motions |= {role: own[role_of] for role_of, role in (known | limbs).items() if role_of in own}
    for role, (turn, joint) in blades.items():
        motions[role] = Motion(chest.rotation @ turn, chest.carry(joint), joint)
    return motions, np.concatenate([one.pivots for one in legs], axis=1)


def _blades(fore: Encoding, girdle: Character) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return for both shoulder blades, if clip and girdle have them, the rotation `(f, 3, 3)` against the
    chest, and the joint at rest."""
    found = {}
    for row, side in enumerate(SIDES):
        role = sided("clavicle", side)
        if role in fore.extras and girdle.roles.has(role):
            turn = transposed(matrices(fore.extras["pelvis"])) @ matrices(fore.extras[role])
            found[role] = turn, girdle.body.clavicle[row]
    return found if len(found) == len(SIDES) else {}


def _sockets(body: Body, blades: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> np.ndarray | None:
    """Return the metres `(f, 2, 3)`, in the chest's axes, by which blades move the joints below them; None
    without any."""
    if not blades:
        return None
    levers = [body.hip[row] - joint for row, (_, joint) in enumerate(blades.values())]
    return np.stack(
        [turn @ lever - lever for (turn, _), lever in zip(blades.values(), levers, strict=True)], axis=1
    )


def _ends(body: Body, pelvis: Motion, chest: Motion) -> tuple[Motion, Motion, list[Motion]]:
    """Return pelvis and chest as far apart as the back is long, and the spine between them."""
    pelvis, spine = spanned(body, pelvis, chest)
    return pelvis, (spine or [pelvis])[-1], spine
