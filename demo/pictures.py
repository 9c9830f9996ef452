"""The moving pictures and the contact sheets."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from demo import raster
from demo.film import Film

# where the camera stands: 0 is before a character that faces -Y
SIDE_DEG, THREE_QUARTER_DEG, FRONT_DEG = -90.0, -32.0, 0.0
UP_DEG = 9.0
TARGET_HEIGHT = 0.49  # share of the character's height at which the camera looks
VIEW_HEIGHT = 1.2  # the picture's height, times the character's
CYCLE_PANEL, SHEET_PANEL = (360, 420), (250, 380)
QUALITY = 70  # of moving pictures, of 100
LABEL_PIXELS, MARGIN = 34, 14
INK, PAPER = (60, 60, 64), (248, 247, 245)


class Photographer:
    """Takes pictures of a film; the camera goes along at the walk's own speed, so that bob and sway stay
    visible.

    `step` `(3,)`: metres the character goes forward in a frame.  `tile_m`: width of the ground's tiles.
    """

    def __init__(self, film: Film, step: np.ndarray, tile_m: float, prints: list[np.ndarray]) -> None:
        self.film, self.step, self.tile_m, self.prints = film, step, tile_m, prints
        self.height = float(film.points[0, :, 2].max())
        start = film.points.mean(axis=1) - np.arange(len(film.points))[:, None] * step
        self.start = start.mean(axis=0)

    def photograph(self, row: int, around_deg: float, size: tuple[int, int]) -> np.ndarray:
        """Return the picture of one frame from one side."""
        target = self.start + row * self.step
        target[2] = TARGET_HEIGHT * self.height
        view = raster.camera(target, around_deg, UP_DEG, size, VIEW_HEIGHT * self.height)
        return raster.draw(view, self.film.solid(row), self.tile_m, self.prints)


def write_cycle(path: Path, photographer: Photographer, rows: range, fps: float) -> None:
    """Write one cycle, seen from the side and from before, as a picture that repeats."""
    sides = (SIDE_DEG, THREE_QUARTER_DEG)
    write_frames(
        path,
        (
            np.concatenate([photographer.photograph(row, side, CYCLE_PANEL) for side in sides], axis=1)
            for row in rows
        ),
        fps,
    )


def write_frames(path: Path, pictures: Iterable[np.ndarray], fps: float) -> None:
    """Write pictures of one size as an animated WebP that repeats."""
    images = [as_image(picture) for picture in pictures]
    images[0].save(
        path,
        save_all=True,
        append_images=images[1:],
        duration=round(1000.0 / fps),
        loop=0,
        quality=QUALITY,
        method=4,
    )


def write_sheet(
    path: Path, photographer: Photographer, poses: list[tuple[str, int]], around_deg: float, title: str
) -> None:
    """Write a contact sheet: one picture for each named row of the film."""
    write_row(
        path, ((name, photographer.photograph(row, around_deg, SHEET_PANEL)) for name, row in poses), title
    )


def write_row(path: Path, pictures: Iterable[tuple[str, np.ndarray]], title: str) -> None:
    """Write named pictures of one size side by side."""
    named = [(name, as_image(picture)) for name, picture in pictures]
    width, height = named[0][1].size
    sheet = Image.new("RGB", (2 * MARGIN + len(named) * width, 2 * LABEL_PIXELS + height + MARGIN), PAPER)
    draw = ImageDraw.Draw(sheet)
    draw.text((MARGIN, 8), title, INK, ImageFont.load_default(18))
    for column, (name, image) in enumerate(named):
        left = MARGIN + column * width
        sheet.paste(image, (left, LABEL_PIXELS))
        draw.text(
            (left + width / 2, LABEL_PIXELS + height + 8), name, INK, ImageFont.load_default(16), anchor="mt"
        )
    sheet.save(path, optimize=True)


def as_image(picture: np.ndarray) -> Image.Image:
    """Return a picture of 0..1 floats as an image."""
    return Image.fromarray((picture * 255.0 + 0.5).astype(np.uint8))
