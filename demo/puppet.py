"""A body around the joints of any character: rounded limbs, drawn without Blender."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from demo.raster import Solid
from neurarig_addon.core.character.character import Character
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.geometry.rotation import normalized, perpendicular
from neurarig_addon.core.skeleton.roles import SIDES, sided

HUMAN_LEG = 0.48  # of a human's height: the radii are given in legs
AROUND, ALONG = 18, 14  # of a limb's surface
TRUNK_COLOUR, LEFT_COLOUR, RIGHT_COLOUR = np.array(
    [[0.80, 0.78, 0.74], [0.90, 0.36, 0.13], [0.12, 0.36, 0.64]]
)
SIDE_COLOURS = (LEFT_COLOUR, RIGHT_COLOUR)


@dataclass(frozen=True)
class Limb:
    """A rounded cone from `start` to `end` `(3,)` with a radius at each."""

    start: np.ndarray
    end: np.ndarray
    radii: tuple[float, float]
    colour: np.ndarray


def puppet(character: Character, motions: Mapping[str, Motion], row: int, height_m: float) -> list[Limb]:
    """Return the body of a character `height_m` tall at one row of a pose; radii are those of a human of that
    height."""
    leg = HUMAN_LEG * height_m
    at = {role: motion.position[row] for role, motion in motions.items()}
    limbs = trunk(at, motions, row, leg)
    for side, name in enumerate(SIDES):
        limbs += leg_limbs(character, motions, row, side, leg) + arm_limbs(
            at, character, motions, row, name, SIDE_COLOURS[side], leg
        )
    return limbs


def trunk(at: Mapping[str, np.ndarray], motions: Mapping[str, Motion], row: int, leg: float) -> list[Limb]:
    """Return hips, chest, neck and head."""
    hips = (at["thigh.L"] + at["thigh.R"]) / 2.0
    shoulders = (at["upper_arm.L"] + at["upper_arm.R"]) / 2.0
    neck, head = at["neck"], at["head"]
    up = normalized(motions["head"].rotation[row, :, 2])
    chest = hips + 0.75 * (shoulders - hips)
    across = 0.5 * (at["thigh.L"] - at["thigh.R"]), 0.4 * (at["upper_arm.L"] - at["upper_arm.R"])
    return [
        Limb(hips - 0.6 * across[0], hips + 0.6 * across[0], (0.125 * leg, 0.125 * leg), TRUNK_COLOUR),
        Limb(hips, chest, (0.135 * leg, 0.15 * leg), TRUNK_COLOUR),
        Limb(chest - 0.7 * across[1], chest + 0.7 * across[1], (0.13 * leg, 0.13 * leg), TRUNK_COLOUR),
        Limb(shoulders - across[1], shoulders + across[1], (0.075 * leg, 0.075 * leg), TRUNK_COLOUR),
        Limb(neck, head, (0.06 * leg, 0.055 * leg), TRUNK_COLOUR),
        Limb(head + 0.1 * leg * up, head + 0.19 * leg * up, (0.105 * leg, 0.115 * leg), TRUNK_COLOUR),
    ]


def leg_limbs(
    character: Character, motions: Mapping[str, Motion], row: int, side: int, leg: float
) -> list[Limb]:
    """Return thigh, shin, foot and toes; the foot's underside is its sole."""
    body, name, colour = character.body, SIDES[side], SIDE_COLOURS[side]
    thigh, shin, foot = (motions[sided(part, name)] for part in ("thigh", "shin", "foot"))
    toe = motions.get(sided("toe", name), foot)
    thick = 0.036 * leg

    def carried(motion: Motion, point: np.ndarray, lifted: float = 0.0) -> np.ndarray:
        return motion.carry(point + [0.0, 0.0, lifted])[row]

    hip, knee, ankle = thigh.position[row], shin.position[row], foot.position[row]
    heel, ball = carried(foot, body.heel[side], thick), carried(toe, body.ball[side], thick)
    tip = carried(toe, body.toe[side], 0.8 * thick)
    tip = tip - 0.8 * thick * normalized(tip - ball)
    return [
        Limb(hip, knee, (0.105 * leg, 0.07 * leg), colour),
        Limb(knee, ankle, (0.07 * leg, 0.045 * leg), colour),
        Limb(heel + 0.5 * thick * normalized(ball - heel), ball, (thick, thick), colour),
        Limb(ankle, ball, (0.045 * leg, thick), colour),
        Limb(ball, tip, (thick, 0.8 * thick), colour),
    ]


def arm_limbs(
    at: Mapping[str, np.ndarray],
    character: Character,
    motions: Mapping[str, Motion],
    row: int,
    side: str,
    colour: np.ndarray,
    leg: float,
) -> list[Limb]:
    """Return upper arm, forearm and hand."""
    shoulder, elbow, wrist = (at[sided(part, side)] for part in ("upper_arm", "forearm", "hand"))
    along = character.rest_head(sided("hand", side)) - character.rest_head(sided("forearm", side))
    hand = motions[sided("hand", side)].carry(character.rest_head(sided("hand", side)) + 0.55 * along)[row]
    return [
        Limb(shoulder, elbow, (0.062 * leg, 0.048 * leg), colour),
        Limb(elbow, wrist, (0.048 * leg, 0.034 * leg), colour),
        Limb(wrist, hand, (0.038 * leg, 0.03 * leg), colour),
    ]


def solid(limbs: list[Limb]) -> Solid:
    """Return limbs as triangles."""
    normals, triangles = _capsule()
    points, turned, colours, faces = [], [], [], []
    for number, limb in enumerate(limbs):
        line = (
            normalized(limb.end - limb.start)
            if np.linalg.norm(limb.end - limb.start) > 0.0
            else np.array([0.0, 0.0, 1.0])
        )
        first = perpendicular(line)
        own = normals @ np.stack([first, np.cross(line, first), line])
        upper = normals[:, 2:] > 0.0
        points.append(np.where(upper, limb.end + limb.radii[1] * own, limb.start + limb.radii[0] * own))
        turned.append(own)
        colours.append(np.broadcast_to(limb.colour, own.shape))
        faces.append(triangles + number * len(normals))
    return Solid(
        np.concatenate(points), np.concatenate(turned), np.concatenate(colours), np.concatenate(faces)
    )


def _capsule() -> tuple[np.ndarray, np.ndarray]:
    """Return the normals `(n, 3)` of a sphere whose equator is doubled, and its triangles, counter-clockwise
    from outside."""
    half = np.linspace(0.0, np.pi / 2.0, ALONG // 2)
    polar = np.concatenate([half, np.pi / 2.0 + 1e-6 + half])
    around = np.linspace(0.0, 2.0 * np.pi, AROUND, endpoint=False)
    theta, phi = np.meshgrid(polar, around, indexing="ij")
    normals = np.stack(
        [np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)], axis=-1
    ).reshape(-1, 3)
    ring, step = np.meshgrid(np.arange(len(polar) - 1), np.arange(AROUND), indexing="ij")
    following = (step + 1) % AROUND
    a, b = ring * AROUND + step, ring * AROUND + following
    c, d = a + AROUND, b + AROUND
    faces = np.concatenate([np.stack([a, c, b], -1).reshape(-1, 3), np.stack([b, c, d], -1).reshape(-1, 3)])
    return normals, faces
