"""A walk that goes on by itself, stops, goes on and turns: python -m demo.goes_on --out docs/images

Writes goes_on.webp. Two seconds of our own walk are known; all that follows is predicted from its past, and
retargeted.
"""

import argparse
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from demo import raster
from demo.pictures import INK, QUALITY, as_image
from demo.puppet import puppet, solid
from neurarig_addon.core.character.character import Character
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.ikrig.resample import resample, sampled
from neurarig_addon.core.retarget.retarget import retarget
from neurarig_addon.core.sequence.continuation import Continuation, continued
from neurarig_addon.core.sequence.rows import RATE
from tests.core.retarget_bodies import bodies, encoded_walk

KNOWN_S = 2.0
TOLD = (
    (3.0, 1.0, 0.0, "goes on"),
    (2.0, 0.0, 0.0, "told to stop"),
    (3.0, 1.0, 0.0, "told to go"),
    (4.0, 1.0, 45.0, "told to turn"),
)
BODY, HEIGHT_M = "human", 1.75
SIZE, VIEW_M = (320, 240), 2.5
AROUND_DEG, UP_DEG, TILE_M = 55.0, 14.0, 0.5
EVERY = 3  # frames at RATE


def main() -> None:
    """Let the walk go on and draw it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("out"))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    pictures = film()
    shown = round(1000 * EVERY / RATE)
    pictures[0].save(
        options.out / "goes_on.webp",
        save_all=True,
        append_images=pictures[1:],
        duration=shown,
        loop=0,
        quality=QUALITY,
        method=4,
    )
    print("Written:", options.out / "goes_on.webp")


def film() -> list[Image.Image]:
    """Return the pictures of the known walk and of what follows."""
    walk = resample(encoded_walk(5.0), RATE)
    walk = sampled(walk, np.arange(KNOWN_S * RATE), RATE)
    speeds, turns = (
        np.concatenate([np.full(round(told[0] * RATE), told[which]) for told in TOLD]) for which in (1, 2)
    )
    labels = ["known"] * len(walk) + [told[3] for told in TOLD for _ in range(round(told[0] * RATE))]
    goes_on = continued(walk, Continuation(len(speeds) / RATE, speeds, np.radians(turns)))
    character = bodies()[BODY]
    motions = retarget(goes_on, character).pose.in_world()
    return [picture(character, motions, row, labels[row]) for row in range(0, len(labels), EVERY)]


def picture(character: Character, motions: Mapping[str, Motion], row: int, label: str) -> Image.Image:
    """Return one picture; the camera stays beside the hips."""
    target = np.append(motions["pelvis"].position[row, :2], 0.43 * VIEW_M)
    view = raster.camera(target, AROUND_DEG, UP_DEG, SIZE, VIEW_M)
    image = as_image(raster.draw(view, solid(puppet(character, motions, row, HEIGHT_M)), TILE_M, []))
    ImageDraw.Draw(image).text((12, 8), label, INK, ImageFont.load_default(18))
    return image


if __name__ == "__main__":
    main()
