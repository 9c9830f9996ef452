"""Starts and stops in haste: where they are cut from walks whose speed changes suddenly, nearly in the pose
of a loop, and how their roots come to it."""

from dataclasses import replace

import numpy as np

from ..character.body import LEFT, RIGHT
from ..character.motion import RolePose
from ..easing import smoothstep
from ..gait.pose import WalkPose
from ..geometry.rotation import rotated, yaw_of
from .clip import ClipPlan
from .seams import unlike
from .stretch import Stretch

SIDES = ("LEFT", "RIGHT")
# seconds at which somebody in haste sets off or brakes, and of his keys: close by, as strides are straight
# between them
QUICK_S, KNOTS_S = 6.0, np.arange(0.0, 12.0, 0.05)
TURNS_S, FACES_S = 0.7, 0.6  # seconds of a turn while setting off, and of standing feet before it
FLAT_AFTER = 0.12  # cycles after a contact by which a foot is flat
# degrees that a pose may be off the loop's where a quick start joins it, and where a stop leaves it, whose
# swinging leg is elsewhere by then: they ease away
NEAR_DEG, LEAVES_DEG = 15.0, 35.0
SHIFTS, LAST = np.arange(0.0, 1.0, 0.125), 3  # phases at the start that are tried; landings looked at


def quick_start(loop: Stretch, plan: ClipPlan) -> tuple[Stretch, float, float, float]:
    """Return a walk of somebody who sets off in haste, the frames at which he sets off and at which a foot
    lands nearly in the pose of the loop, and the loop's phase there; a body that faces elsewhere turns on its
    way."""
    stretch = _hastening(loop, plan, plan.degrees)
    if plan.degrees:  # standing feet have begun to turn, so that some of it is missing
        turned = -float(np.degrees(yaw_of(stretch.pose(np.zeros(1)).root.rotation))[0])
        stretch = _hastening(loop, plan, plan.degrees + (plan.degrees - turned + 180.0) % 360.0 - 180.0)
    frames, phases = _landings(loop, stretch)
    # after the first contact, or a foot would stand from where it stood to where the loop has it
    contact = 1 + _near(_off_loop(loop, stretch, frames[1:], phases[1:]), NEAR_DEG)[0]
    return stretch, QUICK_S * loop.walker.clock.fps, float(frames[contact]), float(phases[contact])


def _hastening(loop: Stretch, plan: ClipPlan, degrees: float) -> Stretch:
    """Return a walk like a loop's by somebody who sets off in haste and turns by `degrees`, left positive."""
    fps, side = loop.walker.clock.fps, plan.foot == "LEFT"
    begun = np.clip((KNOTS_S - QUICK_S) / ((FACES_S + TURNS_S) if degrees else KNOTS_S[1]), 0.0, 1.0)
    curves = {"speed": (fps * KNOTS_S, loop.walker.track.constant.speed * begun)}
    if degrees:
        turned = np.clip((KNOTS_S - QUICK_S - FACES_S) / TURNS_S, 0.0, 1.0)
        curves["facing"] = fps * KNOTS_S, degrees * (turned - 1.0)
    return loop.keyed(0.5 * side, plan.haste, curves)


def quick_stop(loop: Stretch, plan: ClipPlan) -> tuple[Stretch, float, float]:
    """Return the walk with the shortest stop in haste, the frame at which it begins, as a foot has come down
    flat, nearly in the pose of the loop, and the loop's phase there."""
    fps, speed = loop.walker.clock.fps, loop.walker.track.constant.speed
    curves = {"speed": (fps * KNOTS_S, speed * (KNOTS_S <= QUICK_S))}
    found, flat = [], np.floor(FLAT_AFTER * loop.cycle)
    for shift in SHIFTS:
        stretch = loop.keyed(shift, plan.haste, curves)
        landed = _landings(loop, stretch, (SIDES.index(plan.foot),))
        frames, phases = landed[0][-LAST:] + flat, landed[1][-LAST:] + flat / loop.cycle
        contact = _near(_off_loop(loop, stretch, frames, phases), LEAVES_DEG)[-1]
        found.append((stretch.rests - float(frames[contact]), stretch, float(phases[contact])))
    lasts, stretch, phase = min(found, key=lambda each: each[0])
    return stretch, stretch.rests - lasts, phase


def _landings(
    loop: Stretch, stretch: Stretch, sides: tuple[int, ...] = (LEFT, RIGHT)
) -> tuple[np.ndarray, np.ndarray]:
    """Return the frames at which feet land in a walk, and the phases of its loop there, both `(n,)`."""
    landed = [(at, loop.steady[side] - loop.steady[LEFT]) for side, at in stretch.contacts if side in sides]
    frames, since = np.array(landed).T
    return frames, np.round((since % loop.cycle) / loop.cycle, 9)


def _near(off: np.ndarray, degrees: float) -> np.ndarray:
    """Return which contacts are so near to the loop's that a clip may join it there; at least the nearest."""
    return np.flatnonzero(off <= max(degrees, float(off.min())))


def in_stride(pose: RolePose, other: WalkPose, role: str, row: int) -> RolePose:
    """Return a pose in the same place whose root is as far from a foot at its first or last `row` as
    another's, and towards its other end is where it was."""
    root, foot = pose.root, pose.motions[role]
    away = (other.motions[role].position[0] - foot.position[row]) * [1.0, 1.0, 0.0]
    share = smoothstep(np.linspace(*((1.0, 0.0) if row == 0 else (0.0, 1.0)), len(pose.frames)))[:, None]
    place = root.position - rotated(root.rotation, share * away)
    return replace(pose.on(replace(root, position=place)), root=replace(root, position=place - place[:1]))


def _off_loop(loop: Stretch, stretch: Stretch, frames: np.ndarray, phases: np.ndarray) -> np.ndarray:
    """Return by how many degrees the poses of a walk at frames are others than a loop's at phases, all
    `(n,)`."""
    wanted = loop.pose(loop.steady[LEFT] + phases * loop.cycle)
    return unlike(stretch.pose(frames), wanted, np.arange(len(frames)))
