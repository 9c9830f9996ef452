"""Kinds of scenes: slots of actions, and keys of the user's own that play on beside a clip or a walk."""

from functools import cache

import bpy
import numpy as np

from benchmarks.drawn_clips.outcome import Outcome
from benchmarks.drawn_clips.recordings import (
    BESIDES,
    FPS,
    SECONDS,
    actor,
    any_recording,
    apart,
    hero,
    keyed,
    recorded,
    retargeted,
    shown,
    turned_to,
)
from benchmarks.handler_speed import new_scene
from neurarig_addon.blender import api
from tests.rigs import biped, build

LAST = FPS * SECONDS
_OWN = (
    'pose.bones["Tail"].rotation_euler',
    'pose.bones["Prop"].rotation_euler',
    '["mood"]',
    'pose.bones["Prop"]["own"]',
)
_OWN_FRAMES = (1, 20, 45, 70)


@cache
def _plain(number: int) -> np.ndarray:
    """Return what a recording in a scene gives that has nothing else."""
    recorded(number, FPS)  # which empties the scene
    obj = hero()
    return shown(obj, retargeted(obj, source=actor(number, FPS, 1.0, LAST))[0])


def slots(rng: np.random.Generator) -> Outcome:
    """Draw which slots an action has, which is assigned, and what the character has keyed of its own, which
    plays on after a bake."""
    number, other = any_recording(rng), any_recording(rng)
    wanted, second = _plain(number), recorded(other, FPS)
    obj = hero()
    source = actor(number, FPS, 1.0, LAST, str(rng.choice(["", "Walk", "Other"])))
    action, own = source.animation_data.action, source.animation_data.action_slot
    drawn = [f"'{own.identifier}'"]
    for name in rng.permutation(["Empty", "Back", "Camera", "Actor"])[: rng.integers(4)].tolist():
        slot = action.slots.new("CAMERA" if name == "Camera" else "OBJECT", name)
        if name in ("Back", "Actor"):
            keyed(action, slot, second, LAST - 10.0, 1.0)
        drawn.append(f"'{slot.identifier}'")
    chosen = str(rng.choice(["assigned", "assigned", "none", "given"]))
    given: dict[str, object] = {"source": source}
    if chosen != "assigned":
        source.animation_data.action_slot = None
    if chosen == "given":
        given |= {"action": action, "slot": own.identifier}
    keys = _own_keys(obj, rng) if rng.random() < 0.7 else []
    before = _own(obj, keys)
    made, said = retargeted(obj, **given)
    found, after = shown(obj, made), _own(obj, keys)
    off = apart(turned_to(found, wanted), wanted) if found.shape == wanted.shape else np.inf
    return Outcome(
        f"{', '.join(drawn)}, {chosen}; {len(keys)} own keyed",
        max(off, np.abs(after - before).max(initial=0.0)),
        said,
    )


def own_keys(rng: np.random.Generator) -> Outcome:
    """Draw what a character has keyed of its own, beside slots of any names: it plays on in a baked walk, and
    comes back with its slot."""
    new_scene()
    obj = build([*biped(), *BESIDES], "Hero")
    keys = _own_keys(obj, rng)
    data = obj.animation_data
    for name in ("Empty", "Hero")[: rng.integers(3)]:
        data.action.slots.new("OBJECT", name)
    before, plays = _own(obj, keys), (data.action, data.action_slot.handle)
    api.generate_walk(obj, mode=str(rng.choice(["TRAVEL", "IN_PLACE"])), use_network=False)
    target = str(rng.choice(["CONTROLS", "DEFORM", "BOTH"]))
    api.bake_walk(
        obj, frame_start=1, frame_end=_OWN_FRAMES[-1], target=target, push_nla=bool(rng.random() < 0.3)
    )
    off = np.abs(_own(obj, keys) - before).max(initial=0.0)
    api.remove_walk(obj)
    data = obj.animation_data
    back = (data.action, data.action_slot and data.action_slot.handle) == plays
    return Outcome(
        f"{keys}, {target}, {'back' if back else 'not given back'}", float(off) if back else np.inf
    )


def _own_keys(obj: bpy.types.Object, rng: np.random.Generator) -> list[str]:
    """Key some things of the user's own, and return their paths."""
    paths = [path for path in _OWN if rng.random() < 0.7] or [*_OWN[:1]]
    for frame in _OWN_FRAMES:
        for path in paths:
            owner = obj.pose.bones[path.split('"')[1]] if path.startswith("pose") else obj
            if path.endswith("rotation_euler"):
                owner.rotation_mode = "XYZ"
                owner.rotation_euler = rng.uniform(-1.0, 1.0, 3)
                owner.keyframe_insert("rotation_euler", frame=frame)
            else:
                name = path.split('"')[-2]
                owner[name] = float(rng.uniform(-1.0, 1.0))
                owner.keyframe_insert(f'["{name}"]', frame=frame)
    return paths


def _own(obj: bpy.types.Object, paths: list[str]) -> np.ndarray:
    """Return the values of what is keyed on some frames, flat."""
    found = []
    for frame in range(1, _OWN_FRAMES[-1] + 1, 7):
        bpy.context.scene.frame_set(frame)
        found += [np.ravel(obj.path_resolve(path)) for path in paths]
    return np.concatenate(found) if found else np.zeros(0)
