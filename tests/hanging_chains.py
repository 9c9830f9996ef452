"""Drawn chains and drives, and the truth about them: the same springs integrated at a kilohertz."""

import numpy as np

from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.easing import smootherstep
from neurarig_addon.core.follow.drive import DriveField
from neurarig_addon.core.follow.follow import Answer, Drives, Grid, forces_of
from neurarig_addon.core.follow.kinds import KINDS, kinds
from neurarig_addon.core.follow.springs import GRAVITY, Springs
from neurarig_addon.core.geometry.rotation import from_rotation_vector

HOLDER, LEG, FPS = "pelvis", 0.8, 24.0


def drawn_chain(draw: np.random.Generator) -> Springs:
    count = int(draw.integers(1, 13))
    ways = np.cumsum(draw.normal(0.0, 0.3, (count, 3)), axis=0) + draw.normal(0.0, 1.0, 3)
    ways *= draw.uniform(0.1, 1.0) / np.linalg.norm(ways, axis=1).sum()
    joints = draw.normal(0.0, 0.2, 3) + np.concatenate([np.zeros((1, 3)), np.cumsum(ways, axis=0)])
    kind = kinds()[KINDS[int(draw.integers(len(KINDS)))]]
    return Springs(joints, HOLDER, kind, kind.manner)


class DrawnDrive:
    """A base that goes off, swings, turns and stops, by formulas that give it at any time."""

    def __init__(self, draw: np.random.Generator) -> None:
        self.rates = 2.0 * np.pi * draw.uniform(0.3, 4.0, (3, 1))
        self.size = draw.uniform(0.02, 0.15) / self.rates**0.5 * draw.normal(0.0, 1.0, (3, 6))
        self.late = draw.uniform(0.0, 6.0, (3, 6))
        self.speed, self.starts, self.lasts = draw.uniform(0.5, 4.0), 0.5, draw.uniform(0.25, 0.8)

    def at(self, frames: np.ndarray) -> Motion:
        seconds = np.asarray(frames)[:, None] / FPS
        on = smootherstep((seconds - self.starts) / self.lasts) * smootherstep((2.8 - seconds) / self.lasts)
        swings = sum(
            size * np.sin(rate * seconds + late)
            for size, rate, late in zip(self.size, self.rates, self.late, strict=True)
        )
        fine = np.linspace(-60.0, 60.0, 120_001)
        pace = smootherstep((fine - self.starts) / self.lasts) * smootherstep((2.8 - fine) / self.lasts)
        way = np.interp(seconds[:, 0], fine, np.cumsum(pace) * (fine[1] - fine[0]))
        place = on * swings[:, :3]
        place[:, 0] += self.speed * way
        return Motion(from_rotation_vector(4.0 * on * swings[:, 3:]), place, np.zeros(3))


def answered(springs: Springs, drive: DrawnDrive) -> Answer:
    drives = Drives(lambda frames: {HOLDER: drive.at(frames)}, [HOLDER], Grid.of(FPS))
    return Answer([springs], drives, LEG)


def field_at(drive: DrawnDrive, seconds: np.ndarray) -> DriveField:
    """Return the drive's field by differences over milliseconds."""
    step = 2e-3
    near = [drive.at((seconds + at * step) * FPS) for at in (-2, -1, 0, 1, 2)]
    whole = [np.concatenate([each.rotation, each.position[:, :, None]], axis=2) for each in near]
    bends = (-whole[0] + 16.0 * whole[1] - 30.0 * whole[2] + 16.0 * whole[3] - whole[4]) / (12.0 * step**2)
    slopes = (whole[0] - 8.0 * whole[1] + 8.0 * whole[3] - whole[4]) / (12.0 * step)
    back = near[2].rotation.swapaxes(1, 2)
    pushes = back @ bends
    pushes[:, :, 3] -= back @ GRAVITY - GRAVITY
    return DriveField(pushes, back @ slopes)


def integrated(springs: Springs, drive: DrawnDrive, frames: np.ndarray) -> np.ndarray:
    """Return the joints' bends `(f, 2n)` by a thousand steps a second of the springs' own matrices."""
    step, start = 1e-3, -6.0
    count = round((frames[-1] / FPS - start) / step)
    middle = start + (np.arange(count) + 0.5) * step
    forces = forces_of(springs, field_at(drive, middle), LEG, 0.0) @ np.linalg.inv(springs.modes.shapes)
    loose, size = np.linalg.inv(springs.mass), len(springs.mass)
    moved = np.zeros((2 * size, 2 * size))
    moved[:size, size:] = np.eye(size)
    shapes = springs.mass @ springs.modes.shapes
    damping = shapes * (-2.0 * np.real(springs.rates)) @ shapes.T
    moved[size:] = -loose @ np.hstack([np.diag(springs.modes.stiffness), damping])
    half = np.linalg.inv(np.eye(2 * size) - 0.5 * step * moved)
    whole = half @ (np.eye(2 * size) + 0.5 * step * moved)
    pushed = step * np.hstack([np.zeros((count, size)), forces @ loose]) @ half.T
    states = np.zeros((count + 1, 2 * size))
    for at in range(count):
        states[at + 1] = whole @ states[at] + pushed[at]
    times = start + step * np.arange(count + 1)
    return np.stack([np.interp(frames / FPS, times, column) for column in states.T[:size]], axis=1)


def off(seed: int) -> float:
    """Return how far a drawn chain's answer is off, as a share of its range."""
    draw = np.random.default_rng(seed)
    springs, drive = drawn_chain(draw), DrawnDrive(draw)
    frames = np.arange(0.0, 4.0 * FPS, 3.0)
    found = answered(springs, drive).bends(frames).reshape(len(frames), -1)
    truth = integrated(springs, drive, frames)
    return float(np.abs(found - truth).max() / np.ptp(truth, axis=0).max())
