"""Drawn situations in which a character is looked at: who poses it, on which rig, what moves it, and how a
frame is reached."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import bpy
import numpy as np

from neurarig_addon.blender import api
from neurarig_addon.blender.character import holding, record
from neurarig_addon.blender.character.controls.attachment import LAYER
from neurarig_addon.blender.walk.ui.ground_words import ground_words
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.skeleton.roles import SIDES
from tests import rigs
from tests.blender.leading import curve, sheet
from tests.blender.moving import FIRST, LAST, MOTIONS, OWN, key, ridden
from tests.blender.reaching import SITUATIONS, bone_of
from tests.blender.walking import key_speed, seen

FRAMES = range(FIRST, LAST + 1)
RIGS: dict[str, Callable[[], bpy.types.Object]] = {
    "biped": lambda: rigs.build(rigs.biped(), "Hero"),
    "from FBX": lambda: rigs.build(rigs.biped(), "Hero", rigs.fbx_matrix()),
    "leg IK": rigs.metarig_with_leg_ik,
    "aimed knees": rigs.biped_with_aimed_knees,
}
SLIDERS = {
    "speed": (0.4, 2.0),
    "energy": (-1.0, 1.0),
    "crouch": (0.0, 0.4),
    "arm_swing": (0.0, 2.0),
    "facing": (-90.0, 90.0),
}
Bake = Callable[[], object]
SAME = 1e-5  # metres, for the size that the character was made in
# Blender's IK, which bends the legs of our control layer, leaves a nearly straight knee some hundredths of a
# millimetre off and the shin as
# far from the ankle.  Deform bones hold the ankle and not the gap.
LEGS = "legs baked without their IK"
ALLOWED = {LEGS: 2e-4}


@dataclass
class Seen:
    """One situation: what was drawn, in words; `off`: metres between the same frames, for the size it was
    made in; `told`: what refused."""

    what: list[str]
    off: dict[str, float] = field(default_factory=dict)
    told: str = ""

    @property
    def is_another(self) -> bool:
        """Say whether the same frame is another pose."""
        return any(metres > ALLOWED.get(way, SAME) for way, metres in self.off.items())


def drawn(seed: int, folder: Path) -> Seen:
    """Draw a situation in a new file and compare its frames played, scrubbed, in an opened file, and
    baked."""
    rng = random.Random(seed)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    found = Seen([])
    obj, bake = rng.choice((_walks, _walks, _walks, _follows, _poses))(rng, found.what)
    made = max(_scale(obj, FIRST))
    _move(obj, rng, found.what)
    size = max(1.0, *(abs(scale) / made for frame in FRAMES for scale in _scale(obj, frame)))
    bpy.context.scene.frame_set(rng.choice(FRAMES))
    try:
        _compare(obj, bake, rng, (folder / f"{seed}.blend", size), found)
    except NeuraRigError as refusal:
        found.told = str(refusal)
    return found


def _compare(
    obj: bpy.types.Object, bake: Bake, rng: random.Random, kept: tuple[Path, float], found: Seen
) -> None:
    """Compare the frames; `kept`: the file to save, and how much larger than it was made the character
    grows."""
    file, size = kept
    frames = [*map(float, FRAMES), *(round(rng.uniform(FIRST, LAST), 2) for _ in range(4))]
    deforming = [bone.name for bone in obj.data.bones if bone.use_deform]
    name = obj.name

    def off(here: dict[float, np.ndarray], rows: list[int] | slice = slice(None)) -> float:
        return (
            max(float(np.abs(here[frame][rows] - played[frame][rows]).max(initial=0.0)) for frame in here)
            / size
        )

    played = {frame: seen(obj, frame, deforming) for frame in sorted(frames)}
    found.off["scrubbed"] = off({frame: seen(obj, frame, deforming) for frame in rng.sample(frames, 12)})
    if rng.random() < 0.3:
        bpy.ops.wm.save_as_mainfile(filepath=str(file), copy=True)
    holder = record.holder_of(obj)
    told = record.settings_of(obj, holder).error if holder else ""
    steep = (
        [words for words in ground_words(obj) if words.startswith("The ground")]
        if holder == record.WALK
        else []
    )
    over = ["what plays over it is named"] if holding.playing_over(obj) else []
    found.told = " ".join(filter(None, [told, *over, *steep]))
    legs = _legs_by_ik(obj)
    bake()
    baked = {float(frame): seen(obj, frame, deforming) for frame in FRAMES}
    rest = [row for row, bone in enumerate(deforming) if bone not in legs]
    if not {"CONTROLS", "DEFORM"} & set(found.what):
        rest = slice(None)
    else:
        found.off[LEGS] = off(baked, [row for row, bone in enumerate(deforming) if bone in legs])
    found.off["baked"] = off(baked, rest)
    if file.exists():
        bpy.ops.wm.open_mainfile(filepath=str(file))
        found.off["opened"] = off(
            {frame: seen(bpy.data.objects[name], frame, deforming) for frame in rng.sample(frames, 6)}
        )


def _legs_by_ik(obj: bpy.types.Object) -> set[str]:
    """Return the bones between hips and ankles of a character whose legs our control layer's IK bends."""
    if record.attachment(obj)["kind"] != LAYER:
        return set()
    thighs, feet = (
        [obj.data.bones[bone_of(obj, f"{part}.{side}")] for side in SIDES] for part in ("thigh", "foot")
    )
    below = {bone.name for foot in feet for bone in (foot, *foot.children_recursive)}
    return {bone.name for thigh in thighs for bone in (thigh, *thigh.children_recursive)} - below


def _scale(obj: bpy.types.Object, frame: int) -> tuple[float, ...]:
    bpy.context.scene.frame_set(frame)
    return tuple(obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world.to_scale())


def _move(obj: bpy.types.Object, rng: random.Random, what: list[str]) -> None:
    """Let one to three things move the character: one of its own at most, the others carry it, one above the
    other."""
    for motion in rng.sample(MOTIONS, rng.choice((1, 1, 2, 3))):
        is_again = motion in OWN and any(name in what for name in (own.__name__ for own in OWN))
        if not is_again and not (motion is ridden and obj.parent):
            what.append(motion.__name__)
            motion(obj, rng)


def _rig(rng: random.Random, what: list[str]) -> bpy.types.Object:
    what.append(rng.choice(list(RIGS)))
    obj = RIGS[what[-1]]()
    rigs.make_active(obj)
    return obj


def _walks(rng: random.Random, what: list[str]) -> tuple[bpy.types.Object, Bake]:
    obj = _rig(rng, what)
    mode, controls, carried = (
        rng.choice(("IN_PLACE", "TRAVEL", "PATH")),
        rng.choice(("AUTO", "FK")),
        rng.choice(("OBJECT", "BONE")),
    )
    settings: dict[str, object] = {
        "use_network": rng.random() < 0.5,
        "mode": mode,
        "controls": controls,
        "travel_with": carried,
    }
    settings |= {name: rng.uniform(*SLIDERS[name]) for name in rng.sample(list(SLIDERS), 2)}
    settings["gait"] = rng.choice(("WALK", "WALK", "RUN", "BY_SPEED"))
    if mode == "PATH":
        settings["path"] = curve(
            [(0.0, 0.0), (0.3, -2.0), (rng.uniform(-2.0, 2.0), -4.0), (rng.uniform(-2.0, 2.0), -7.0)]
        )
    if rng.random() < 0.3:
        steep = rng.uniform(0.0, 0.2)
        settings["ground"] = sheet("Hills", lambda x, y: steep * np.sin(1.1 * x) * np.cos(0.9 * y))
    what += [f"{name} {value if isinstance(value, str) else ''}".strip() for name, value in settings.items()]
    api.generate_walk(obj, **settings)
    if mode == "TRAVEL" and rng.random() < 0.3:
        what.append("keyed speed")
        key_speed(obj)
    if rng.random() < 0.25:
        what.append(rng.choice(list(SITUATIONS)))
        SITUATIONS[what[-1]](obj)
    what.append(target := rng.choice(("CONTROLS", "DEFORM")))
    return obj, lambda: api.bake_walk(obj, frame_start=FIRST, frame_end=LAST, target=target)


def _follows(rng: random.Random, what: list[str]) -> tuple[bpy.types.Object, Bake]:
    source = rigs.build(rigs.biped(), "Source")
    api.generate_walk(source, use_network=False, mode="TRAVEL", speed=rng.uniform(0.6, 1.6))
    api.bake_walk(source, frame_start=FIRST, frame_end=LAST)
    obj, root = _rig(rng, what), rng.choice(("PELVIS", "BONE", "OBJECT", "IN_PLACE"))
    what += ["clip", root]
    api.link_retarget(obj, source=source, root=root)
    return obj, lambda: api.retarget(obj, source=source, root=root, check=False)


def _poses(rng: random.Random, what: list[str]) -> tuple[bpy.types.Object, Bake]:
    obj = _rig(rng, what)
    points = [f"{part}.{side}" for part in ("wrist", "ankle") for side in SIDES]
    what += ["targets", *rng.sample(points, rng.choice((1, 2, 4)))]
    api.pose_targets(obj, what[-(len(what) - what.index("targets") - 1) :])
    for item in obj.neurarig.neural_pose.targets:
        here = np.array(item.object.location)
        key(item.object, "location", [here + [rng.uniform(-0.1, 0.1) for _ in range(3)] for _ in range(3)])
    return obj, lambda: api.solve_range(obj, FIRST, LAST)
