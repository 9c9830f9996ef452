"""Kinds of time: frame rates of files and scenes, Time Stretching, and where a clip begins."""

from functools import cache

import bpy
import numpy as np

from benchmarks.drawn_clips.bvh_file import BvhMotion
from benchmarks.drawn_clips.outcome import Outcome
from benchmarks.drawn_clips.recordings import (
    BODY,
    FINE_FPS,
    FOLDER,
    SECONDS,
    actor,
    any_recording,
    from_start,
    hero,
    recorded,
    retargeted,
    turned_to,
)
from neurarig_addon.blender import api
from tests.blender.walking import played

_RATES = (
    (24, 1.0),
    (24, 1.001),
    (25, 1.0),
    (30, 1.0),
    (30, 1.001),
    (48, 1.0),
    (50, 1.0),
    (60, 1.0),
    (120, 1.0),
)
_STRETCHES = ((100, 100), (100, 100), (100, 200), (200, 100), (100, 130), (90, 100))
_SAMPLES = 12  # frames of the timeline that are compared


@cache
def truth(number: int) -> np.ndarray:
    """Return heads and tails on every frame of what a recording gives in a scene of its own rate."""
    path = FOLDER / "fine.bvh"
    path.write_text(BvhMotion.of(recorded(number, FINE_FPS).clip).text())
    obj = hero()
    bpy.context.scene.render.fps = FINE_FPS
    action, _ = retargeted(obj, file=path)
    first, last = map(int, action.frame_range)
    return from_start(played(obj, range(first, last + 1), BODY))


def rate(rng: np.random.Generator) -> Outcome:
    """Draw the rates of a recording and of the scene, Time Stretching, where things begin, and how the clip
    comes to the character.

    The hips have to be there in time; feet may land a frame of the coarser rate earlier or later.
    """
    number, every, pace = any_recording(rng), int(rng.integers(1, 6)), float(rng.uniform(0.9, 1.1))
    wanted = truth(number)
    clip = recorded(number, FINE_FPS).clip.rows(slice(None, None, every))
    obj = hero()
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = _RATES[rng.integers(len(_RATES))]
    scene.render.frame_map_old, scene.render.frame_map_new = _STRETCHES[rng.integers(len(_STRETCHES))]
    scene.frame_start = int(rng.integers(0, 300))
    scene.frame_end = scene.frame_start + int(rng.integers(10, 300))
    scene_fps, stretch = (
        scene.render.fps / scene.render.fps_base,
        scene.render.frame_map_old / scene.render.frame_map_new,
    )
    lasts = (len(clip) - 1) * every / FINE_FPS / pace
    way = str(rng.choice(["file", "armature"]))
    if way == "file":
        motion = BvhMotion.of(clip)
        path = FOLDER / "rate.bvh"
        path.write_text(
            motion.text().replace(
                f"Frame Time: {1.0 / motion.fps:.7f}", f"Frame Time: {every / FINE_FPS / pace:.7f}"
            )
        )
        given: dict[str, object] = {"file": path}
        begins = np.floor(stretch * scene.frame_start)
    else:
        begins = float(np.round(rng.uniform(-200.0, 200.0), int(rng.integers(3))))
        given = {
            "source": actor(
                number, FINE_FPS, begins, begins + (SECONDS * FINE_FPS - 1) / FINE_FPS / pace * scene_fps
            )
        }
    if rng.random() < 0.3:
        given["frame_start"] = int(rng.integers(-100, 300))
    # a clip is read on whole frames, of which the first may be before the first key
    if "frame_start" in given:
        begins = float(given["frame_start"]) + begins % 1.0
    said = ""
    if rng.random() < 0.5:
        way += ", live"
        api.link_retarget(obj, **given)
    else:
        _, said = retargeted(obj, **given)
    shown = np.round((begins + rng.uniform(0.1, lasts - 0.1, _SAMPLES) * scene_fps) / stretch)
    keys = stretch * np.array([begins / stretch, *shown])
    found = played(obj, keys / stretch, BODY)
    # whose object may stand turned, while the clip goes as seen from the object
    if way.startswith("armature"):
        found = turned_to(found, _at(wanted, (keys - begins) / scene_fps * pace))
    found = from_start(found)
    before = np.floor(keys)
    longest = max(1.0 / scene_fps, every / FINE_FPS / pace)
    off = {}
    for late in longest * np.linspace(-1.0, 1.0, 9):
        # keys are on whole frames
        sides = [
            _at(wanted, ((whole - begins) / scene_fps + late) * pace) for whole in (before, before + 1.0)
        ]
        expected = sides[0] + (keys - before)[:, None, None, None] * (sides[1] - sides[0])
        off[late] = np.linalg.norm(found - expected, axis=-1)
    in_time, whenever = (
        off[min(off, key=abs)][:, 0].max(),
        np.min([each.max(axis=(1, 2)) for each in off.values()], axis=0).max(),
    )
    drawn = (
        f"{way}, {FINE_FPS / every * pace:.2f} of {scene_fps:.2f} a second, stretched {1 / stretch:g}, given"
        f" {given.get('frame_start')}"
    )
    return Outcome(
        f"{drawn}, scene {scene.frame_start}-{scene.frame_end}, begins {begins:g}",
        float(max(in_time, whenever)),
        said,
    )


def _at(motion: np.ndarray, seconds: np.ndarray) -> np.ndarray:
    """Return what a motion `(f, ...)` of the finer rate shows at some times, where it lasts."""
    rows = np.clip(seconds * FINE_FPS, 0.0, len(motion) - 1.0)
    before = np.minimum(rows.astype(int), len(motion) - 2)
    return motion[before] + (rows - before)[:, None, None, None] * (motion[before + 1] - motion[before])
