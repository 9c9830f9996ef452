"""The pelvis: its rotation, and its place before the legs limit it."""

import numpy as np

from ...character.body import Body
from ...contract.channels import SLICES, block
from ...easing import smoothstep
from ...geometry.rotation import from_euler
from ..inputs.proportions import rest_extension
from ..kinds.gait import GaitShape
from ..sliders.manner import BodyManner

BOUNCE_SAMPLES = 16  # per half cycle, to find the pelvis' highest and lowest point


def standing_height(body: Body) -> np.ndarray:
    """Return the height of the hips `(2,)` of a body that stands with its feet at walking width.

    A leg keeps its rest bend (a bird crouches, a person does not), but legs that are spread at rest come together and so raise the hips.
    """
    leg = body.thigh_length + body.shin_length
    aside = 0.5 * np.abs(body.hip[:, 1])
    return body.ankle[:, 2] + np.sqrt(np.maximum((rest_extension(body) * leg) ** 2 - aside**2, (0.3 * leg) ** 2))


def wanted_pelvis(body: Body, values: np.ndarray, wish: BodyManner) -> tuple[np.ndarray, np.ndarray]:
    """Return the pelvis' rotation from rest `(frames, 3, 3)` and the place of its head `(frames, 3)`, before the reach guard."""
    pelvis = block(values, "pelvis")
    added = wish.posture
    yaw, roll = pelvis[:, 4] * wish.twist + added.pelvis_yaw, pelvis[:, 5] * wish.list + added.pelvis_roll
    turn = from_euler(pelvis[:, 3] + 0.3 * wish.lean, yaw, roll)
    hips_middle = body.hip.mean(axis=0)
    hips = np.stack(
        [
            hips_middle[0] + pelvis[:, 0] + added.ahead,
            hips_middle[1] + pelvis[:, 1] * wish.sway + added.aside,
            standing_height(body).mean() + pelvis[:, 2] - wish.crouch * body.leg_length,
        ],
        -1,
    )
    return turn, hips - np.einsum("fij,j->fi", turn, hips_middle - body.pelvis)


def bounced(values: np.ndarray, slow: np.ndarray, bounce: np.ndarray, shapes: GaitShape) -> np.ndarray:
    """Return channels with the pelvis' rise and fall scaled by `bounce`.

    Less bounce keeps the lowest height, which both legs reach in double support; more keeps the highest, where the leg is straight.
    A keyed bounce blends between the two around 1.
    """
    if (bounce == 1.0).all():
        return values
    half_cycle = 0.5 * np.arange(BOUNCE_SAMPLES) / BOUNCE_SAMPLES
    rows = np.repeat(slow, BOUNCE_SAMPLES, axis=0)
    phases = np.tile(half_cycle, len(slow))
    height = block(shapes.sample(rows, phases, phases + 0.5), "pelvis")[:, 2].reshape(len(slow), BOUNCE_SAMPLES)
    upward = np.clip(2.0 * bounce - 1.5, 0.0, 1.0)
    kept = height.min(axis=1) + np.ptp(height, axis=1) * smoothstep(upward)
    values = values.copy()
    column = SLICES["pelvis"].start + 2
    values[:, column] = kept + (values[:, column] - kept) * bounce
    return values
