"""A biped with fingers, made by code: bones of any roll and name, bent at rest as asked."""

import numpy as np

from tests import rigs
from tests.rigs import Bone

FINGERS = ("Index", "Middle", "Ring", "Pinky")
# metres behind the hand's middle, from index to little finger; the character faces -Y
_ACROSS = (-0.03, -0.01, 0.01, 0.03)
_WRIST, _KNUCKLES = (0.71, 0.015, 1.42), 0.80
_LENGTHS = (0.045, 0.028, 0.022)


def with_fingers(
    name: str = "{finger}{number}", bent: float = 0.0, thumb: bool = True, seed: int = 0, fan: float = 0.0
) -> list[Bone]:
    """Return a biped whose palms face down.

    `name`: of a phalanx, after the side. `bent`: radians by which each joint is bent at rest. `seed`: of the
    bones' rolls.
    `fan`: radians by which the outer fingers point aside at rest.
    """
    rng = np.random.default_rng(seed)
    left: list[Bone] = []
    for number, (finger, across) in enumerate(zip(FINGERS, _ACROSS, strict=True)):
        start = np.array([_KNUCKLES, _WRIST[1] + across, _WRIST[2]])
        aside = fan * across / _ACROSS[-1]
        left += _digit(name, finger, number, start, np.array([np.cos(aside), np.sin(aside), 0.0]), bent, rng)
    if thumb:
        left += _digit(
            name, "Thumb", 4, np.array([0.735, -0.01, 1.41]), np.array([0.6, -0.75, -0.28]), 0.0, rng
        )
    return [*rigs.biped(), *rigs.with_mirror(left)]


def _digit(
    name: str,
    finger: str,
    number: int,
    start: np.ndarray,
    way: np.ndarray,
    bent: float,
    rng: np.random.Generator,
) -> list[Bone]:
    """Return the three bones of a digit that begins at `start` along `way`, each bent down from the one
    before."""
    found, parent = [], "LeftHand"
    way = way / np.linalg.norm(way)
    for joint, length in enumerate(_LENGTHS):
        way = (
            way * np.cos(bent) + np.array([0.0, 0.0, -1.0]) * np.sin(bent)
            if joint == 0
            else _lowered(way, bent)
        )
        end = start + length * way
        bone = "Left" + name.format(finger=finger, number=joint + 1, count=3 * number + joint + 1)
        found.append(
            Bone(bone, parent, tuple(start.tolist()), tuple(end.tolist()), float(rng.uniform(-3.0, 3.0)))
        )
        start, parent = end, bone
    return found


def _lowered(way: np.ndarray, angle: float) -> np.ndarray:
    """Return a direction turned down by an angle, in its own upright plane."""
    level = np.array([way[0], way[1], 0.0])
    pitch = np.arctan2(way[2], np.linalg.norm(level)) - angle
    return np.cos(pitch) * level / np.linalg.norm(level) + np.array([0.0, 0.0, np.sin(pitch)])
