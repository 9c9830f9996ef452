"""Motions of a walk, made into what is no steady walk ahead."""

import numpy as np

from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.geometry.rotation import about_z


def still(motions):
    return {
        role: Motion(part.rotation[[0] * 200], part.position[[0] * 200], part.rest)
        for role, part in motions.items()
    }


def backwards(motions):
    return {
        role: Motion(part.rotation[::-1], part.position[::-1], part.rest) for role, part in motions.items()
    }


def one_legged(motions):
    """The right leg is carried along."""
    pelvis = motions["pelvis"]
    stiff = {
        role: pelvis.holding(
            Motion(
                np.tile(np.eye(3), (len(pelvis.position), 1, 1)),
                np.tile(part.rest, (len(pelvis.position), 1)),
                part.rest,
            )
        )
        for role, part in motions.items()
        if role.endswith(".R")
    }
    moved = {
        role: Motion(part.rotation, part.position + pelvis.rest, part.rest) for role, part in stiff.items()
    }
    return motions | {
        role: Motion(part.rotation, part.position - pelvis.rest, part.rest) for role, part in moved.items()
    }


def jumping(motions):
    """The right leg does what the left one does, half a cycle early."""
    flip = np.diag([1.0, -1.0, 1.0])
    return motions | {
        role[:-1] + "R": Motion(
            flip @ part.rotation @ flip, part.position * [1.0, -1.0, 1.0], motions[role[:-1] + "R"].rest
        )
        for role, part in motions.items()
        if role.endswith(".L")
    }


def galloping(motions):
    """The right leg does what the left one does, a tenth of a cycle later."""
    found, frames = jumping(motions), len(motions["pelvis"].position)
    rows = np.maximum(np.arange(frames) - 6, 0)
    gone = (motions["pelvis"].position - motions["pelvis"].position[rows]) * [1.0, 0.0, 0.0]
    legs = {role: part for role, part in found.items() if role.endswith(".R")}
    return found | {
        role: Motion(part.rotation[rows], part.position[rows] + gone, part.rest)
        for role, part in legs.items()
    }


def turning(motions):
    """Along a small circle."""
    angle = np.linspace(0.0, 8.0 * np.pi, len(motions["pelvis"].position))
    root = Motion(
        about_z(angle), np.stack([np.sin(angle), 1.0 - np.cos(angle), 0.0 * angle], -1) * 0.7, np.zeros(3)
    )
    way = (
        np.linspace(0.0, 1.0, len(angle))[:, None]
        * (motions["pelvis"].position[-1] - motions["pelvis"].position[0])
        * [1.0, 1.0, 0.0]
    )
    return {
        role: root.holding(Motion(part.rotation, part.position - way, part.rest))
        for role, part in motions.items()
    }
