"""A body around the dog that tests make by code: its parts for `mannequin`, with eyes and a nose."""

import bpy
import numpy as np

from demo.film import read
from demo.mannequin import Ball, activate, add_body, ball_points
from demo.walk import FPS
from tests.animals import dog

VOXEL_M = 0.009
INK = (0.10, 0.09, 0.09)
SIDES = (1.0, -1.0)

CHEST, LOIN, CROUP = (
    Ball("spine.3", 0.0, (0.088, 0.10, 0.115), (0.0, 0.0, -0.05)),
    Ball("spine.1", 0.6, (0.072, 0.09, 0.078), (0.0, 0.0, -0.02)),
    Ball("pelvis", 0.2, (0.078, 0.085, 0.075), (0.0, 0.0, -0.015)),
)
TRUNK = (
    (CROUP, LOIN),
    (LOIN, CHEST),
    (CHEST, Ball("spine.3", 0.75, (0.08, 0.075, 0.095), (0.0, 0.0, -0.05))),
    (
        Ball("spine.3", 0.6, (0.07, 0.08, 0.085), (0.0, 0.0, -0.015)),
        Ball("neck", 0.5, (0.056, 0.065, 0.062)),
    ),
    (Ball("neck", 0.4, (0.058, 0.067, 0.064)), Ball("head", 0.05, (0.054, 0.06, 0.055))),
    (
        Ball("head", 0.1, (0.064, 0.066, 0.062), (0.0, 0.0, 0.01)),
        Ball("head", 0.38, (0.054, 0.05, 0.05), (0.0, 0.0, 0.006)),
    ),
    (
        Ball("head", 0.45, (0.042, 0.04, 0.04), (0.0, 0.0, -0.016)),
        Ball("head", 0.95, (0.031, 0.034, 0.03), (0.0, 0.0, -0.016)),
    ),
    *(
        (
            Ball("head", 0.0, (0.016, 0.034, 0.018), (side * 0.055, 0.0, 0.055)),
            Ball("head", 0.0, (0.015, 0.038, 0.034), (side * 0.086, 0.012, -0.005)),
            Ball("head", 0.0, (0.014, 0.022, 0.022), (side * 0.086, 0.004, -0.055)),
        )
        for side in SIDES
    ),
    (Ball("tail.1", -0.2, (0.032, 0.032, 0.032)), Ball("tail.1", 1.0, (0.022, 0.022, 0.022))),
    (Ball("tail.1", 1.0, (0.022, 0.022, 0.022)), Ball("tail.2", 1.0, (0.013, 0.013, 0.013))),
)
HIP, STIFLE, HOCK = (
    Ball("thigh", 0.0, (0.044, 0.08, 0.075), (-0.006, 0.0, 0.0)),
    Ball("shin", 0.0, (0.034, 0.042, 0.04)),
    Ball("foot", 0.0, (0.019, 0.026, 0.024)),
)
SHOULDER, ELBOW, CARPUS = (
    Ball("upper_arm", 0.0, (0.038, 0.052, 0.052)),
    Ball("forearm", 0.0, (0.032, 0.04, 0.038)),
    Ball("hand", 0.0, (0.021, 0.025, 0.024)),
)
HIND_PAW, FORE_PAW = (Ball(bone, 0.0, (0.031, 0.03, 0.026)) for bone in ("toe", "fingers"))
LIMBS = (
    (HIP, Ball("thigh", 0.6, (0.04, 0.058, 0.055)), STIFLE),
    (STIFLE, Ball("shin", 0.4, (0.029, 0.036, 0.036)), Ball("shin", 0.7, (0.021, 0.025, 0.028))),
    (Ball("shin", 0.65, (0.021, 0.026, 0.028)), HOCK),
    (HOCK, Ball("foot", 0.85, (0.021, 0.022, 0.02))),
    (HIND_PAW, Ball("toe", 0.85, (0.027, 0.024, 0.016))),
    (Ball("clavicle", 0.35, (0.026, 0.055, 0.055)), SHOULDER),
    (SHOULDER, Ball("upper_arm", 0.5, (0.036, 0.046, 0.044)), ELBOW),
    (ELBOW, Ball("forearm", 0.4, (0.026, 0.032, 0.03)), CARPUS),
    (CARPUS, Ball("hand", 0.85, (0.023, 0.023, 0.02))),
    (FORE_PAW, Ball("fingers", 0.85, (0.027, 0.024, 0.016))),
)
DARK = (
    Ball("head", 1.0, (0.019, 0.023, 0.018), (0.0, -0.026, 0.0)),
    *(Ball("head", 0.5, (0.018, 0.015, 0.014), (side * 0.044, 0.0, 0.03)) for side in SIDES),
)


def make_dog() -> tuple[bpy.types.Object, bpy.types.Object]:
    """Return the dog and its body in an otherwise empty scene."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.render.fps = FPS
    rig = dog()
    body = add_body(rig, "Body", TRUNK, LIMBS, VOXEL_M)
    darken(body, rig)
    activate(rig)
    return rig, body


def darken(body: bpy.types.Object, rig: bpy.types.Object) -> None:
    """Colour nose and eyes."""
    places = read(body.data.vertices, "co", 3)
    data = body.data.attributes["Colour"].data
    colours = read(data, "color", 4)
    for ball in DARK:
        away = (places - ball_points(rig, ball).mean(axis=0)) / ball.radii
        dark = np.clip((1.25 - np.linalg.norm(away, axis=1)) / 0.5, 0.0, 1.0)[:, None]
        colours[:, :3] += dark * (INK - colours[:, :3])
    data.foreach_set("color", colours.astype(np.float32).ravel())
