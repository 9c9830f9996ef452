"""Poses from a few points: python -m demo.neural_pose --out docs/images

Writes neural_pose.png: moments of people from whom nothing was learned, as recorded, as found from seven
joints that are reached exactly,
and from joints that are 20 mm off. The clips are of the CMU Graphics Lab Motion Capture Database
(mocap.cs.cmu.edu, created with funding
from NSF EIA-0196217).
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from demo import raster
from demo.pictures import INK, as_image
from demo.puppet import Limb, puppet, solid
from demo.retarget import sheet
from neurarig_addon.core.character.character import Character
from neurarig_addon.core.geometry.rotation import about_z
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import INDEX, JOINTS, POINTS
from neurarig_addon.core.neural.reach.locks import reach
from neurarig_addon.core.neural.solver import PoseSolver
from tests.core.retarget_bodies import recorded

# Clips of the test people, and seconds into them.
MOMENTS = (
    ("cmu_02_08", 9.4),
    ("cmu_131_05", 7.9),
    ("cmu_02_08", 7.3),
    ("cmu_17_10", 1.9),
    ("cmu_131_05", 6.1),
    ("cmu_05_08", 1.1),
)
SEVEN = ("pelvis", "spine3", "head", "wrist.L", "wrist.R", "ankle.L", "ankle.R")
NOISE_M = 0.02
SIZE = (1040, 330)
APART_M, VIEW_M = 1.16, 2.35
FACING = np.radians(-38.0)  # of every figure, seen from ahead of x
AROUND_DEG, UP_DEG = 90.0, 10.0
TILE_M = 0.45
DOT_M, DOT_COLOUR = 0.05, np.array([0.16, 0.62, 0.22])


@dataclass(frozen=True)
class Moment:
    """One recorded pose: `rotations` `(1, 22, 3, 3)` away from the reference pose and its points `(1, 27,
    3)`, walk frame."""

    character: Character
    body: PointBody
    rotations: np.ndarray
    points: np.ndarray

    @classmethod
    def of(cls, name: str, seconds: float) -> "Moment":
        """Return a moment of a clip, turned so that the pelvis faces the chosen way above the origin."""
        character, clip = recorded("pose", name)
        motions = character.motions(clip)
        body = PointBody.of(character, motions)
        row = slice(frame := round(seconds * clip.fps), frame + 1)
        rotations, points = body.rotations(motions)[row], body.points(motions)[row]
        ahead = rotations[0, INDEX["pelvis"], :, 0]
        turn = about_z(FACING - np.arctan2(ahead[1], ahead[0]))
        place = points[:, :1] * [1.0, 1.0, 0.0]
        return cls(character, body, turn @ rotations, (points - place) @ turn.T)

    def limbs(self, rotations: np.ndarray, root: np.ndarray, locked: tuple[str, ...] = ()) -> list[Limb]:
        """Return the body in a pose that reaches its locked points."""
        places = {point: self.points[:, INDEX[point]] for point in locked}
        return puppet(
            self.character, reach(self.body, self.body.motions(rotations, root), places), 0, self.body.height
        )


def main() -> None:
    """Solve the moments and draw them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("out"))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    moments = [Moment.of(*moment) for moment in MOMENTS]
    rng, solver = np.random.default_rng(0), PoseSolver.load()
    noise = [moment.points + NOISE_M * rng.standard_normal(moment.points.shape) for moment in moments]
    strips = [
        strip(
            moments,
            [moment.limbs(moment.rotations, moment.points[:, 0]) for moment in moments],
            "as recorded",
        ),
        solved_strip(
            solver,
            moments,
            [moment.points for moment in moments],
            SEVEN,
            0.0,
            "from the seven joints that are marked, locked",
        ),
        solved_strip(
            solver,
            moments,
            noise,
            JOINTS,
            NOISE_M,
            f"from {len(JOINTS)} joints, every coordinate {1000 * NOISE_M:.0f} mm off",
        ),
    ]
    picture = options.out / "neural_pose.png"
    sheet(strips).quantize(256, dither=Image.Dither.NONE).save(picture, optimize=True)
    print("Written:", picture)


def solved_strip(
    solver: PoseSolver,
    moments: list[Moment],
    points: list[np.ndarray],
    shown: tuple[str, ...],
    sigma: float,
    label: str,
) -> Image.Image:
    """Return the picture of what the solver makes of some of the points, which are marked."""
    seen = np.array([1.0 if point in shown else 0.0 for point in POINTS])
    figures = []
    for moment, places in zip(moments, points, strict=True):
        dots = [Limb(place, place, (DOT_M, DOT_M), DOT_COLOUR) for place in places[0, seen > 0.0]]
        locked = shown if sigma == 0.0 else ()
        figures.append(moment.limbs(*solver.solve(moment.body, places, seen, sigma), locked) + dots)
    return strip(moments, figures, label)


def strip(moments: list[Moment], figures: list[list[Limb]], label: str) -> Image.Image:
    """Return figures side by side on one floor."""
    limbs = []
    for number, (moment, figure) in enumerate(zip(moments, figures, strict=True)):
        lowest = moment.points[0, :, 2].min()
        beside = np.array([0.0, (number - 0.5 * (len(moments) - 1)) * APART_M, -lowest + 0.02])
        limbs += [Limb(limb.start + beside, limb.end + beside, limb.radii, limb.colour) for limb in figure]
    view = raster.camera(np.array([0.0, 0.0, 0.4 * VIEW_M]), AROUND_DEG, UP_DEG, SIZE, VIEW_M)
    image = as_image(raster.draw(view, solid(limbs), TILE_M, []))
    ImageDraw.Draw(image).text((14, 10), label, INK, ImageFont.load_default(18))
    return image


if __name__ == "__main__":
    main()
