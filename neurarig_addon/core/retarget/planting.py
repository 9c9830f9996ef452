"""Feet on the ground: footholds decide where they stand; the pelvis follows, low enough for the legs to
reach; swinging feet are bridged between the footholds."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..body.feet import SWING, Feet
from ..body.legs import beyond_reach, hips_of, knee_directions, rig_legs, within_reach
from ..body.sole import Sole
from ..character.body import Body
from ..character.character import Character
from ..character.motion import Motion, moved
from ..geometry.rotation import UP, rotated
from ..ikrig.encoding import Contacts
from .feet import calibrated, flat_frames, read_feet, standing_of, touching_frames
from .foothold import footholds, suited
from .ground import find_ground, floor_between, height_of, pointing
from .swing import cleared, swung
from .travel import carried, reaching


@dataclass(frozen=True)
class Planted:
    """A pair of legs above its footholds, in the character's walk frame: the `motions` that carry the hips,
    the feet, where knees point `(f, 2, 3)`, which feet stand `(f, 2)`, on which pivots `(f, 2)`."""

    character: Character
    motions: Mapping[str, Motion]
    feet: Feet
    forward: np.ndarray
    standing: np.ndarray
    pivots: np.ndarray
    sockets: np.ndarray | None = None

    @classmethod
    def of(
        cls,
        character: Character,
        motions: Mapping[str, Motion],
        contacts: Contacts,
        fps: float,
        sockets: np.ndarray | None = None,
    ) -> "Planted":
        """Return the legs of a decoded pose; `sockets`: see `hips_at`."""
        body, sole = character.body, Sole.of(character.body)
        frames = len(motions["pelvis"].position)
        touching = touching_frames(contacts, frames)
        standing = standing_of(touching)
        wanted = calibrated(read_feet(character, motions), flat_frames(contacts, frames), fps, sole.on_toes)
        wanted = suited(sole, wanted, body.leg_length)
        forward = knee_directions(character, motions)

        holds = footholds(sole, wanted, touching, fps)
        ground = find_ground(holds, sole.heights(wanted), body.leg_length, sole.length)
        touching &= ~pointing(holds, ground, body.leg_length)[..., None]
        standing = standing_of(touching)
        raised = carried(ground.lift, holds.tiptoe, standing, fps) - height_of(
            ground.plane, motions["pelvis"].position
        )
        up = raised[:, None] * UP
        motions, wanted = moved(motions, up), wanted.moved(up[:, None])

        holds = footholds(sole, wanted, touching, fps)
        held = holds.feet.moved((ground.height - holds.ground)[..., None] * UP)
        hips = hips_at(body, motions["pelvis"], sockets)
        way = reaching(body, motions["pelvis"], held.ankle, standing, fps, hips)
        motions, wanted = moved(motions, way), wanted.moved(way[:, None])
        hips = hips_at(body, motions["pelvis"], sockets)
        # in a split no pelvis lets both feet stay: they let go
        standing &= ~beyond_reach(body, hips, held.ankle)

        feet = swung(wanted, held, standing, body.leg_length, fps)
        feet = cleared(sole, feet, standing, floor_between(ground.height, standing), body.leg_length, fps)
        pivots = np.where(standing, holds.pivot, SWING)
        return cls(character, motions, feet, forward, standing, pivots, sockets)

    def within_reach(self, pelvis: Motion, fps: float) -> Motion:
        """Return a pelvis moved to where its standing legs reach their feet."""
        body = self.character.body
        hips = hips_at(body, pelvis, self.sockets)
        return pelvis.moved(reaching(body, pelvis, self.feet.ankle, self.standing, fps, hips))

    def legs(self, pelvis: Motion) -> dict[str, Motion]:
        """Return the motions of the legs from the hips that a pelvis carries to the feet."""
        body = self.character.body
        hips = hips_at(body, pelvis, self.sockets)
        feet = replace(self.feet, ankle=within_reach(body, hips, self.feet.ankle))
        return rig_legs(self.character, hips, feet, self.forward)


def hips_at(body: Body, pelvis: Motion, sockets: np.ndarray | None) -> np.ndarray:
    """Return the hip joints `(f, 2, 3)` as a pelvis carries them; `sockets` `(f, 2, 3)`: metres in its axes
    by which shoulder blades move them."""
    hips = hips_of(body, pelvis)
    return hips if sockets is None else hips + rotated(pelvis.rotation[:, None], sockets)


def planted(
    character: Character, motions: Mapping[str, Motion], contacts: Contacts, fps: float
) -> tuple[dict[str, Motion], np.ndarray]:
    """Return a decoded pose with its feet on the ground, and the pivots `(f, 2)`; both in the character's
    walk frame."""
    found = Planted.of(character, motions, contacts, fps)
    return {**found.motions, **found.legs(found.motions["pelvis"])}, found.pivots
