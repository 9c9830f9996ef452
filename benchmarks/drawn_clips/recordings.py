"""Walks of our own as recordings: the truth that drawn files have to give again."""

import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import bpy
import numpy as np

from benchmarks.drawn_clips.outcome import SEED
from benchmarks.handler_speed import new_scene
from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.animation.steps import finish
from neurarig_addon.blender.character.read_clip import read_clip
from neurarig_addon.blender.retarget import api as retargeting
from neurarig_addon.core.geometry.rotation import about_z, rotated
from neurarig_addon.core.skeleton.clip import Clip
from tests.blender.leading import curve
from tests.blender.made_actions import play
from tests.blender.recording import points_of
from tests.blender.retargeting import keys_of
from tests.blender.walking import played
from tests.rigs import Bone, biped, build

MANY = 10
FPS, SECONDS = 30, 3
FINE_FPS = 120  # of the recordings of which others take every n-th frame
BODY = [bone.name for bone in biped()]
EVERY = 5  # frames between those that are compared
BESIDES = (
    Bone("Tail", "Hips", (0.0, 0.1, 1.0), (0.0, 0.5, 1.0)),
    Bone("Prop", None, (1.0, 1.0, 0.0), (1.0, 1.0, 0.3)),
)
FOLDER = Path(tempfile.mkdtemp(prefix="drawn_clips_"))


@dataclass(frozen=True)
class Recording:
    """One walk: a clip in metres, z up, the bones of its character, where its 27 points `(f, 27, 3)` are, and
    the keys of its action."""

    clip: Clip
    bones: list[Bone]
    points: np.ndarray
    keys: list[tuple[str, int, list[tuple[float, float]]]]


def any_recording(rng: np.random.Generator) -> int:
    """Return the number of a recording."""
    return int(rng.integers(MANY))


@cache
def recorded(number: int, fps: int) -> Recording:
    """Return a walk of a drawn manner, straight or along a curve."""
    rng = np.random.default_rng([SEED, 1000 + number])
    new_scene()
    bpy.context.scene.render.fps = fps
    bones = biped(arm_drop_deg=rng.uniform(0.0, 60.0))
    obj = build(bones, "Actor")
    x = np.cumsum(rng.uniform(-0.8, 0.8, 6))
    way = curve([(0.0, 0.0), *zip(x, -1.5 * np.arange(1, 7), strict=True)], "BEZIER")
    led = {"mode": "PATH", "path": way} if rng.random() < 0.5 else {"mode": "TRAVEL"}
    api.generate_walk(obj, speed=rng.uniform(0.6, 1.4), **led)
    action = api.bake_walk(obj, frame_start=1, frame_end=fps * SECONDS, target="DEFORM")
    api.remove_walk(obj)
    play(obj, action)
    points = points_of(obj, range(1, fps * SECONDS + 1))
    return Recording(read_clip(bpy.context, obj, action), bones, points, keys_of(action, obj))


def actor(number: int, fps: int, first: float, last: float, slot_name: str = "") -> bpy.types.Object:
    """Return the character of a recording, which plays it with keys between two frames of the scene, in a
    slot of a name."""
    recording = recorded(number, fps)
    obj = build(recording.bones, "Actor")
    action = bpy.data.actions.new("Take")
    keyed(action, action.slots.new("OBJECT", slot_name or obj.name), recording, first, last)
    play(obj, action)
    return obj


def keyed(
    action: bpy.types.Action, slot: bpy.types.ActionSlot, recording: Recording, first: float, last: float
) -> None:
    """Key a recording between two frames of the scene in a slot; if the last is before the first,
    backward."""
    channels = compat.ensure_channels(action, slot)[0]
    for path, index, keys in recording.keys:
        values = np.array([value for _, value in keys])
        frames = np.linspace(first, last, len(values))
        made = channels.new(path, index=index)
        made.keyframe_points.add(len(values))
        made.keyframe_points.foreach_set(
            "co", np.stack([frames, values], axis=-1)[np.argsort(frames)].ravel()
        )
        made.update()


def hero() -> bpy.types.Object:
    """Return the character that takes every clip, in an empty scene at the rate of the recordings."""
    new_scene()
    bpy.context.scene.render.fps = FPS
    return build([*biped(arm_drop_deg=45.0), *BESIDES], "Hero")


def retargeted(obj: bpy.types.Object, check: bool = False, **given: object) -> tuple[bpy.types.Action, str]:
    """Return the action of a clip on a character, and what was said of it."""
    made = finish(retargeting.retarget.steps(obj, check=check, **given))[-1]
    return made.action, made.remark


def shown(obj: bpy.types.Object, action: bpy.types.Action) -> np.ndarray:
    """Return heads and tails `(n, bones, 2, 3)` of a character's body on every fifth frame of an action."""
    first, last = map(int, action.frame_range)
    return played(obj, range(first, last + 1, EVERY), BODY)


def apart(found: np.ndarray, truth: np.ndarray) -> float:
    """Return how far two motions `(n, bones, 2, 3)` are apart at most, wherever on the ground they begin:
    that depends on a rest place."""
    if found.shape != truth.shape:
        return np.inf
    return float(np.linalg.norm(from_start(found) - from_start(truth), axis=-1).max())


def from_start(motion: np.ndarray) -> np.ndarray:
    """Return a motion whose first bone begins above the origin."""
    return motion - motion[0, 0, 0] * [1.0, 1.0, 0.0]


def turned_to(found: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Return a motion `(n, bones, 2, 3)` turned about the vertical to go as another does."""
    one, other = (motion[..., :2] - motion[..., :2].mean(axis=(0, 1, 2)) for motion in (found, truth))
    across = one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]
    return rotated(about_z(np.arctan2(across.sum(), np.sum(one * other))), found)
