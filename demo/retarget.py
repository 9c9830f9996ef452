"""One recorded clip on three bodies: python -m demo.retarget --out docs/images

Writes retarget_walk.png: the source and three characters of other sizes and proportions, drawn equally tall,
with the prints on which the
feet stay. The clip is of the CMU Graphics Lab Motion Capture Database (mocap.cs.cmu.edu, created with funding
from NSF EIA-0196217).
"""

import argparse
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from demo import raster
from demo.pictures import INK, PAPER, as_image
from demo.puppet import puppet, solid
from neurarig_addon.core.body.feet import FLAT
from neurarig_addon.core.character.character import Character
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.retarget.contacts import floor_under, foot_points, speed
from neurarig_addon.core.retarget.ground import height_of
from neurarig_addon.core.retarget.retarget import retarget
from neurarig_addon.core.retarget.source import encode_clip
from neurarig_addon.core.retarget.spans import intervals_of
from tests.core.retarget_bodies import bodies, recorded

CLIP = ("walk", "cmu_02_01")
SHOWN_S = 0.42  # between two moments
CHOSEN = {"child": "a child of {:.2f} m", "giant": "a giant of {:.0f} m", "clown": "a clown of {:.2f} m"}
SIZE = (1000, 400)
DRAWN_M = 1.75  # every character is drawn at this height
VIEW_M = 2.3  # the picture's height
CROWN = 0.13  # of the height of the head's joint
AROUND_DEG, UP_DEG = 8.0, 13.0
TILE_M = 0.45
PRINT_HALF_WIDTH = 0.026  # of the height


def main() -> None:
    """Retarget the clip and draw it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("out"))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    source, clip = recorded(*CLIP)
    encoding = encode_clip(source, clip)
    rows = np.arange(0, len(clip), round(SHOWN_S * clip.fps))
    strips = [
        strip(source, levelled(source, source.motions(clip), clip.fps), None, rows, "as recorded, {:.2f} m")
    ]
    for name, label in CHOSEN.items():
        target = bodies()[name]
        found = retarget(encoding, target)
        strips.append(strip(target, found.pose.in_world(), found.pivots, rows, label))
    sheet(strips).quantize(256, dither=Image.Dither.NONE).save(
        options.out / "retarget_walk.png", optimize=True
    )
    print("Written:", options.out / "retarget_walk.png")


def levelled(character: Character, motions: dict[str, Motion], fps: float) -> dict[str, Motion]:
    """Return a recording with its floor at 0."""
    places = foot_points(character.body, motions)
    plane = floor_under(places, speed(places, fps), character.body.leg_length)
    return {
        role: Motion(
            motion.rotation,
            motion.position - height_of(plane, motion.position)[:, None] * [0.0, 0.0, 1.0],
            motion.rest,
        )
        for role, motion in motions.items()
    }


def strip(
    character: Character, motions: dict[str, Motion], pivots: np.ndarray | None, rows: np.ndarray, label: str
) -> Image.Image:
    """Return the picture of one character at some rows, walking from left to right."""
    height = (1.0 + CROWN) * float(character.body.head[2])
    scale = DRAWN_M / height
    motions = {
        role: Motion(motion.rotation, scale * motion.position, scale * motion.rest)
        for role, motion in motions.items()
    }
    drawn = scaled(character, scale)
    limbs = [limb for row in rows for limb in puppet(drawn, motions, row, DRAWN_M)]
    prints = footprints(drawn, motions, pivots) if pivots is not None else []
    path = motions["pelvis"].position[rows]
    target = np.append((path[0, :2] + path[-1, :2]) / 2.0, 0.43 * VIEW_M)
    view = raster.camera(target, AROUND_DEG, UP_DEG, SIZE, VIEW_M)
    image = as_image(raster.draw(view, solid(limbs), TILE_M, prints))
    ImageDraw.Draw(image).text((14, 10), label.format(height), INK, ImageFont.load_default(18))
    return image


def scaled(character: Character, scale: float) -> Character:
    """Return a character in another size, for drawing."""
    matrix = character.skeleton.to_world.copy()
    matrix[:3] *= scale
    fields = character.skeleton
    return Character.of(
        type(fields)(fields.names, fields.parents, fields.rest, fields.lengths, fields.deform, matrix),
        character.roles,
    )


def footprints(character: Character, motions: dict[str, Motion], pivots: np.ndarray) -> list[np.ndarray]:
    """Return outlines `(k, 2)` of the soles where they stand flat."""
    body, found = character.body, []
    for row, side in enumerate("LR"):
        foot = motions[f"foot.{side}"]
        for first, last in intervals_of(pivots[:, row] == FLAT):
            middle = (first + last) // 2
            heel, toe = foot.carry(body.heel[row])[middle, :2], foot.carry(body.toe[row])[middle, :2]
            along = (toe - heel) / np.linalg.norm(toe - heel)
            across = PRINT_HALF_WIDTH * DRAWN_M * np.array([-along[1], along[0]])
            found.append(np.array([heel - across, toe - across, toe + across, heel + across]))
    return found


def sheet(strips: list[Image.Image]) -> Image.Image:
    """Return the strips below each other."""
    width, height = strips[0].size
    whole = Image.new("RGB", (width, len(strips) * (height + 4) - 4), PAPER)
    for number, image in enumerate(strips):
        whole.paste(image, (0, number * (height + 4)))
    return whole


if __name__ == "__main__":
    main()
