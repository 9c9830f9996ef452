"""NeuraRig's 30 outputs as a pose, and back: what a game engine sends and receives.

Both are displacements from standing with feet at natural width and toe-out, so either end can show what the
other sends.
"""

import numpy as np

from ..body.feet import SWING
from ..body.sole import Sole
from ..character.body import Body
from ..character.motion import Motion, Posed
from ..contract.channels import IS_LENGTH, NEURARIG_OUTPUTS, SLICES, both_feet
from ..geometry.rotation import about_z, to_euler
from ..skeleton.roles import SIDES, sided
from .body.pelvis import WantedBody, standing_height, wanted_pelvis
from .feet.stance import BANK, BEND, HEADING, PITCH, Z, stood
from .inputs.proportions import natural_spacing
from .pose import WalkPose
from .sliders.manner import body_manner
from .sliders.style import StyleTrack
from .steps.placement import SIDE_SIGN
from .synthesis import motions_of
from .walker import NATURAL_TOE_OUT


def posed(body: Body, values: np.ndarray) -> WalkPose:
    """Return the pose of a body for channels `(n, 46)`, the feet wherever these put them; it has no plan and
    stands in the walk frame."""
    count = len(values)
    foot, ball = both_feet(values, "foot"), both_feet(values, "ball")
    places, heading = _standing(body)
    state = np.zeros((count, 2, BANK + 1))
    state[..., : Z + 1] = places + foot[..., :3]
    state[..., PITCH], state[..., HEADING] = foot[..., 3], heading + foot[..., 4]
    state[..., BEND] = ball[..., 3] * Sole.of(body).bends
    neither = np.zeros((count, 2))
    stand = stood(state, foot[..., 5], np.full((count, 2), SWING))
    wish = body_manner(StyleTrack(), np.zeros(count))
    still = np.zeros(count)
    return WalkPose(
        frames=still,
        motions=motions_of(
            body,
            WantedBody(wish, stand, *wanted_pelvis(body, values, wish), values, values).on_legs(body, still),
        ),
        root=Motion.still(count),
        turns=False,
        pivot=stand.pivot,
        pitch=stand.pitch,
        phase=neither,
        ground_speed=still,
        stride=still,
        duty=neither,
        period=still,
    )


def outputs_of(body: Body, pose: Posed) -> np.ndarray:
    """Return the 30 outputs `(frames, 30)` of a pose, in the root's frame."""
    outputs = np.zeros((len(pose.frames), NEURARIG_OUTPUTS))
    places, headings = _standing(body)
    for row, (side, letter) in enumerate(zip(SIDES, "lr", strict=True)):
        foot = pose.motions[sided("foot", side)]
        level = about_z(np.array(body.foot_heading[row]))
        turn = np.stack(to_euler(foot.rotation @ level), -1) - np.array([0.0, headings[row], 0.0])
        outputs[:, SLICES[f"foot_{letter}"]] = np.concatenate([foot.position - places[row], turn], -1)
        toe = pose.motions.get(sided("toe", side))
        if toe is not None:
            joint = places[row] + about_z(np.array(headings[row] - body.foot_heading[row])) @ (
                body.toe_joint[row] - body.ankle[row]
            )
            bend = np.zeros_like(turn)
            flat = toe.rotation @ level  # without roll, so that curled toes may point backward
            bend[:, 0] = np.arctan2(-flat[:, 2, 0], flat[:, 2, 2]) - turn[:, 0]
            outputs[:, SLICES[f"ball_{letter}"]] = np.concatenate([toe.position - joint, bend], -1)
    pelvis = pose.motions["pelvis"]
    middle = body.hip.mean(axis=0)
    hips = pelvis.position + pelvis.rotation @ (middle - body.pelvis)
    standing = np.array([middle[0], 0.0, standing_height(body).mean()])
    outputs[:, SLICES["pelvis"]] = np.concatenate(
        [hips - standing, np.stack(to_euler(pelvis.rotation), -1)], -1
    )
    return outputs


def resized(values: np.ndarray, factor: float) -> np.ndarray:
    """Return channels `(n, 46)`, or the outputs among them `(n, 30)`, for legs `factor` times as long."""
    return values * np.where(IS_LENGTH[: values.shape[-1]], factor, 1.0)


def _standing(body: Body) -> tuple[np.ndarray, np.ndarray]:
    """Return the places of both ankles when standing `(2, 3)`, and their headings `(2,)`."""
    places = np.zeros((2, 3))
    places[:, 1] = SIDE_SIGN * natural_spacing(body)
    places[:, 2] = Sole.of(body).ankle[:, 2]
    return places, SIDE_SIGN * NATURAL_TOE_OUT
