"""A kind of generated motion: walks that shake and skate, in every form in which models write them."""

from pathlib import Path

import bpy
import numpy as np

from benchmarks.drawn_clips.outcome import Outcome
from benchmarks.drawn_clips.recordings import FOLDER, hero, retargeted
from neurarig_addon.blender.interface import report_text
from neurarig_addon.core.body.feet import FLAT
from neurarig_addon.core.geometry.rotation import about_y, rotated, transposed
from neurarig_addon.core.mocap.generated_motion import HUMANML, HUMANML_JOINTS, LAYOUTS
from neurarig_addon.core.neural.points import JOINTS
from neurarig_addon.core.neural.pose_parameters import PoseParameters, save
from tests.blender.retargeting import report_of
from tests.blender.walking import played
from tests.core.generated_walks import FPS, POSE, Y_UP, joints, laid_out

FORMS = ("places", "places and rotations", "features", "parameters")
_FEET = [JOINTS.index(f"{part}.{side}") for part in ("ankle", "ball") for side in "LR"]
_BONES = ["LeftFoot", "RightFoot", "LeftToeBase", "RightToeBase"]
_EASED = np.hanning(9) / np.hanning(9).sum()  # over frames: models shake smoothly
_CONTACTS = 4  # columns: heel and ball of the left foot, then of the right one


def skates(rng: np.random.Generator) -> Outcome:
    """Draw how much a walk shakes and skates, whether its contacts are said, and its form.

    Off is what feet slip more than before, or what the report says that they slip.
    """
    places, turns = joints()
    shake, drift = rng.uniform(0.0, 0.02), rng.uniform(0.0, 0.3)  # metres; metres per second
    noise = np.stack(
        [np.convolve(row, _EASED, "same") for row in rng.normal(size=(places[0].size, len(places)))], axis=1
    )
    skated = rng.uniform(-drift, drift, 2) * np.arange(len(places))[:, None] / FPS
    noisy = (
        places
        + 2.0 * shake * noise.reshape(places.shape)
        + np.append(skated, np.zeros((len(places), 1)), axis=1)[:, None]
    )
    stands = POSE.pivot == FLAT
    form = str(rng.choice(FORMS))
    says = np.repeat(stands, 2, axis=1).astype(float) if form == "features" or rng.random() < 0.5 else None
    obj = hero()
    bpy.context.scene.render.fps = 20 if form == "features" else int(FPS)
    action, said = retargeted(obj, file=_written(form, noisy, turns, says, rng), check=True)
    first = int(action.frame_range[0])
    found = played(obj, range(first, first + len(places)), _BONES)[:, :, 0]
    # parameters move a body by its pelvis
    given = noisy if form != "parameters" else places + (noisy - places)[:, :1]
    given = given[:, _FEET]
    after, before = (
        max(_slip(feet[:, side::2], stands[:, side]) for side in (0, 1)) for feet in (found, given)
    )
    report = report_of(obj)
    stated = 1e-3 * max(side["max"] or 0.0 for side in report["slip_mm"].values())
    drawn = (
        f"{form}, shaken by {1e3 * shake:.0f} mm, skating {drift:.2f} m/s,"
        f" {'no contacts' if says is None else 'with contacts'}"
    )
    drawn += f": {1e3 * after:.0f} mm of slip, {1e3 * before:.0f} before, {1e3 * stated:.1f} stated"
    # other sentences are not about feet
    told = [sentence for sentence in said.split(". ") if "slide" in sentence]
    return Outcome(
        drawn, max(after - before, stated), " ".join([*told, report_text.warning(obj.name, report)]).strip()
    )


def _slip(foot: np.ndarray, stands: np.ndarray) -> float:
    """Return how far a foot moves over the ground while it stands flat, at most: of its points `(f, 2, 3)`
    the stiller one."""
    spans = np.split(np.arange(len(foot)), np.flatnonzero(np.diff(stands)) + 1)
    moved = [
        np.linalg.norm(np.ptp(foot[span, :, :2], axis=0), axis=-1).min() for span in spans if stands[span[0]]
    ]
    return float(max(moved, default=0.0))


def _written(
    form: str, places: np.ndarray, turns: np.ndarray, contacts: np.ndarray | None, rng: np.random.Generator
) -> Path:
    """Write places `(f, 22, 3)` and rotations, x ahead and z up, and contacts `(f, 4)` or None, in a form."""
    path = FOLDER / ("walk.npy" if form == "features" else "walk.npz")
    if form == "features":
        np.save(path, _features(places @ Y_UP.T, contacts))
    elif form == "parameters":
        save(PoseParameters.of(turns, places[:, 0], FPS), path)
    else:
        count = int(rng.choice(tuple(LAYOUTS)))
        arrays = {"posed_joints": laid_out(places @ Y_UP.T, count)}
        arrays |= (
            {"global_rot_mats": laid_out(Y_UP @ turns @ Y_UP.T, count)} if form.endswith("rotations") else {}
        )
        np.savez(path, **arrays | ({} if contacts is None else {"foot_contacts": contacts}))
    return path


def _features(places: np.ndarray, contacts: np.ndarray) -> np.ndarray:
    """Return HumanML3D's features `(f, 263)` of places `(f, 22, 3)`, y up and z ahead (Guo et al. 2022)."""
    places = places - places[:1, :1] * [1.0, 0.0, 1.0]
    facing, root = about_y(np.zeros(len(places))), places[:, 0] * [1.0, 0.0, 1.0]
    features = np.zeros((len(places), HUMANML))
    features[:-1, 1:3] = rotated(transposed(facing[1:]), np.diff(root, axis=0))[:, [0, 2]]
    features[:, 3] = places[:, 0, 1]
    features[:, 4 : 4 + 3 * (HUMANML_JOINTS - 1)] = (places[:, 1:] - root[:, None]).reshape(len(places), -1)
    features[:, -_CONTACTS:] = contacts
    return features
