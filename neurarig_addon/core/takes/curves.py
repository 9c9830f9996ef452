"""A take's curves on top of the planned walk: the difference that is left to the clip, both measured in the
same way.

Positions and angles go into the walk's own channels, so that its sliders act on them; other rotations are
added to the bones.
"""

from dataclasses import replace

import numpy as np

from ..body.feet import Feet, angles_of
from ..body.legs import knee_directions
from ..body.sole import Sole
from ..character.body import LEFT
from ..character.motion import Motion
from ..contract.channels import both_feet
from ..easing import smoothstep
from ..gait.inputs.take import ABOVE, ABOVE_IS_LENGTH, FOOT, FOOT_IS_LENGTH, KNEES, SAMPLES, Take
from ..gait.kinds.contacts import natural_phase
from ..gait.steps.footsteps import steps_at
from ..geometry.rotation import rotated, rotation_vector, transposed, wrapped
from ..retarget.feet import read_feet
from ..skeleton.roles import SIDES
from ..styles.read_channels import channels_of, knees_of
from .performance import BOTH
from .way import PlayedTake

SWING_EASE = 0.12  # share of a swing over which it leaves its print, and lands on the next, as in any swing
AT_PRINTS = [FOOT.index(name) for name in ("x", "y", "z", "yaw", "roll")]
TURNED = ("spine", "neck", "head", "clavicle", "upper_arm", "forearm", "hand")
MOST_LENGTH, MOST_ANGLE = 0.6, np.pi  # the limits of a curve in leg lengths and radians: more is not a walk


def alike(played: PlayedTake) -> Take:
    """Return the take with the walk's remaining difference from the clip added to its curves."""
    take, body, pose = played.take, played.body, played.pose
    off, knees = _read(played, played.clip_seen(), played.performance.feet, played.performance.knees)
    ours, our_knees = _read(played, dict(pose.motions), None, None)
    away = np.nan_to_num(off - ours)
    grid = take.start + np.arange(len(take.above)) / SAMPLES
    above = away[:, ABOVE] / np.where(ABOVE_IS_LENGTH, body.leg_length, 1.0)
    above = np.where(ABOVE_IS_LENGTH, above, wrapped(above))
    above = np.concatenate([above, wrapped(knees - our_knees)], -1)
    phase = pose.phase
    steps = steps_at(played.walker, phase)
    into = phase - steps.contact
    natural = steps.contact + natural_phase(phase, steps.duty, steps.natural)
    swing = np.clip((into - steps.duty) / (1.0 - steps.duty), 0.0, 1.0)
    ease = smoothstep(swing / SWING_EASE) * smoothstep((1.0 - swing) / SWING_EASE)
    feet = np.concatenate([both_feet(away, "foot"), both_feet(away, "ball")[..., 3:4]], -1)
    feet = feet / np.where(FOOT_IS_LENGTH, body.leg_length, 1.0)
    feet = np.where(FOOT_IS_LENGTH, feet, wrapped(feet))
    feet[..., AT_PRINTS] *= ease[..., None]
    return replace(
        take,
        above=_bounded(
            take.above + _on_grid(grid, phase[:, LEFT], above), np.append(ABOVE_IS_LENGTH, [False] * KNEES)
        ),
        feet=_bounded(
            take.feet + np.stack([_on_grid(grid, natural[:, side], feet[:, side]) for side in BOTH], 1),
            FOOT_IS_LENGTH,
        ),
    )


def turned(played: PlayedTake) -> dict[str, np.ndarray]:
    """Return the further rotation vectors `(rows, 3)` of bones, role -> vectors, for those that the channels
    do not fully describe."""
    pose, clip, body = played.pose, played.clip_seen(), played.body
    grid = played.take.start + np.arange(len(played.take.above)) / SAMPLES
    before = played.take.of_bones(pose.phase[:, LEFT], np.ones(len(pose.frames)))
    found = {}
    for role in clip.keys() & pose.motions.keys():
        part, _, side = role.partition(".")
        if part not in TURNED or (
            part == "clavicle" and not np.isfinite(body.clavicle[SIDES.index(side)]).all()
        ):
            continue
        lacks = transposed(pose.motions[role].rotation) @ clip[role].rotation
        vectors = rotation_vector(before[role] @ lacks if role in before else lacks)
        found[role] = _bounded(_on_grid(grid, pose.phase[:, LEFT], vectors), np.zeros(3, dtype=bool))
    return {role: found[role] for role in sorted(found)}


def _read(
    played: PlayedTake, motions: dict[str, Motion], feet: Feet | None, knees: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the channels `(f, 46)` of motions relative to the walk's root, and the outward angles `(f, 2)`
    of their knees."""
    character = played.performance.character
    if feet is None or knees is None:
        seen, forward = read_feet(character, motions), knee_directions(character, motions)
    else:
        rows, root = played.rows, played.pose.root
        seen = feet[rows].seen(root)
        forward = rotated(transposed(root.rotation)[:, None], knees[rows])
    channels = channels_of(character.body, Sole.of(character.body), motions, seen)
    return channels, knees_of(forward, motions["pelvis"].rotation, angles_of(seen.turn).heading)


def _on_grid(grid: np.ndarray, phase: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return values `(f, n)` at phases `(f,)` interpolated on a grid `(rows,)` of phases."""
    return np.stack([np.interp(grid, phase, column) for column in values.T], -1)


def _bounded(values: np.ndarray, is_length: np.ndarray) -> np.ndarray:
    most = np.where(is_length, MOST_LENGTH, MOST_ANGLE)
    return np.clip(values, -most, most)
