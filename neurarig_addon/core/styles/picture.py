"""A small picture of a manner of walking: an adult in two moments of a stride, drawn from the walk itself."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from ..character.motion import Motion
from ..gait.kinds.gait import Gait
from ..gait.kinds.natural import speed_of
from ..gait.sliders.style import Style
from ..human.adult import human_body
from ..skeleton.roles import SIDES, chest_of, sided
from .likeness import SAMPLES, stride_of

MOMENTS = (0.03, 0.28)  # cycles: heel strike, and as the other foot passes
LOOKS_FROM = np.radians(28.0)  # angle off the side view, so that both arms are visible
TALL = 2.15  # extent of the picture, metres
BELOW = 0.08
THICK = 0.04  # width of a stroke, metres
HEAD = 0.11
# Red, green, blue of the left side, the right side and the middle; the character's left is warm.
LEFT, RIGHT, MIDDLE = (0.95, 0.55, 0.35), (0.40, 0.65, 0.95), (0.88, 0.88, 0.88)
LEG, ARM = ("thigh", "shin", "foot", "toe"), ("upper_arm", "forearm", "hand")


def picture(gait: Gait, vhat: float, size: int, manner: Style | None = None) -> np.ndarray:
    """Return a picture `(size, size, 4)` of a gait at a dimensionless speed: red, green, blue and opacity,
    0..1, the lowest row first.

    `manner`: the sliders, if they are not the natural ones; the speed in them does not count.
    """
    body = human_body("A")
    pose = stride_of(body, gait, vhat, manner and replace(manner, speed=speed_of(vhat, body.leg_length)))
    return drawn(pose.motions, [int(moment * SAMPLES) for moment in MOMENTS], size)


def drawn(motions: Mapping[str, Motion], frames: Sequence[int], size: int, adults: float = 1.0) -> np.ndarray:
    """Return a picture `(size, size, 4)` as `picture` does of some rows of a pose beside one another;
    `adults`: how tall the body is."""
    image = np.zeros((size, size, 4))
    for number, frame in enumerate(frames):
        middle = (0.5 + number) * size / len(frames)
        lines = _lines(motions, frame, adults)
        seen = [_seen(line / adults, size) for line, _, _ in lines]
        across = np.concatenate(seen)[:, 0]
        shift = np.array([middle - 0.5 * (across.min() + across.max()), 0.0])
        for line, (_, colour, thick) in zip(seen, lines, strict=True):
            _stroke(image, line + shift, colour, thick * size / TALL)
    return image


def _lines(
    motions: Mapping[str, Motion], frame: int, adults: float
) -> list[tuple[np.ndarray, tuple[float, float, float], float]]:
    """Return lines `(n, 3)` with colours and thickness, the farthest first; the viewer is on the character's
    left."""
    found = []
    chest = chest_of(motions)
    trunk = [motions[role] for role in ("pelvis", chest, "neck", "head") if role in motions]
    for side, colour in ((SIDES[1], RIGHT), ("", MIDDLE), (SIDES[0], LEFT)):
        if not side:
            found.append((np.array([motion.position[frame] for motion in trunk]), colour, THICK * 1.3))
            if "head" in motions:
                top = (
                    trunk[-1].rotation[frame] @ np.array([0.02, 0.0, HEAD]) * adults
                    + trunk[-1].position[frame]
                )
                found.append((np.array([top, top + 1e-6]), colour, 2.0 * HEAD))
            continue
        for chain, root in ((LEG, trunk[0]), (ARM, motions.get("neck", motions[chest]))):
            parts = [motions[sided(part, side)] for part in chain if sided(part, side) in motions]
            if parts:
                end = (
                    parts[-1].rotation[frame] @ (adults * _tip(chain, parts[-1])) + parts[-1].position[frame]
                )
                line = [root.position[frame], *(part.position[frame] for part in parts), end]
                found.append((np.array(line), colour, THICK))
    return found


def _tip(chain: tuple[str, ...], end: Motion) -> np.ndarray:
    """Return where a limb's last bone ends at rest, from its head."""
    return (
        np.array([0.07, 0.0, 0.0])
        if chain == LEG
        else 0.18 * np.array([0.0, np.sign(end.rest[1]) * 0.7, -0.7])
    )


def _seen(points: np.ndarray, size: int) -> np.ndarray:
    """Return points `(n, 3)` in pixels `(n, 2)`, seen from the left and slightly from the front: the figure
    walks to the left."""
    across = -np.cos(LOOKS_FROM) * points[:, 0] + np.sin(LOOKS_FROM) * points[:, 1]
    return np.stack([across * size / TALL, (points[:, 2] + BELOW) * size / TALL], -1)


def _stroke(image: np.ndarray, line: np.ndarray, colour: tuple[float, float, float], thick: float) -> None:
    """Draw a line `(n, 2)` of pixels with round ends over the image, its edge a pixel soft."""
    reach = 0.5 * thick + 2.0
    low, high = (
        np.floor(line.min(axis=0) - reach).astype(int).clip(0, len(image)),
        np.ceil(line.max(axis=0) + reach).astype(int).clip(0, len(image)),
    )
    image = image[low[1] : high[1], low[0] : high[0]]  # nothing of the line is outside
    rows, columns = np.mgrid[low[1] : high[1], low[0] : high[0]] + 0.5
    away = np.full(rows.shape, np.inf)
    for start, end in pairwise(line):
        along = end - start
        share = ((columns - start[0]) * along[0] + (rows - start[1]) * along[1]) / max(
            float(along @ along), 1e-12
        )
        share = np.clip(share, 0.0, 1.0)
        away = np.minimum(
            away, np.hypot(columns - start[0] - share * along[0], rows - start[1] - share * along[1])
        )
    cover = np.clip(0.5 * thick + 0.5 - away, 0.0, 1.0)[..., None]
    rim = np.clip(0.5 * thick + 1.5 - away, 0.0, 1.0)[..., None]
    image[..., :3] = image[..., :3] * (1.0 - rim) + np.array(colour) * cover
    image[..., 3:] = np.maximum(image[..., 3:], rim)
