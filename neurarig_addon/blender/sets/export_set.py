"""The clips that a game needs of a walking character, in its manner, written to a folder with a manifest,
and the files of an engine's format."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from bpy.types import Action, Object

from ...core.character.character import Character
from ...core.errors import NeuraRigError
from ...core.files.whole_file import write_text
from ...core.gait.kinds.gaits import animal_gait
from ...core.gait.sliders.manner import is_somebody
from ...core.sets.clip import ClipPlan, SetClip
from ...core.sets.cutting import clips_of
from ...core.sets.glb_file import with_clips
from ...core.sets.manifest import ROOT_MOTION, manifest
from ...core.sets.naming import clip_name, convention, safe
from ...core.sets.stretch import Walking
from ...core.skeleton.roles import BIPED
from ...core.styles.body_fit import on_body
from ...core.styles.picture import drawn
from ..animation.exporting import FBX, GLTF, exporting
from ..animation.keyframes import Channel
from ..animation.steps import Steps, part_of
from ..character import bakes
from ..character.controls.probing.bench import bench
from ..character.read_armature import read_skeleton
from ..walk.manner.gait_source import human_gait_of, natural_gait
from ..walk.source import source as walk_source
from ..walk.walk import WalkSource
from .figure import GameFigure, game_figure
from .motion import Player
from .skeleton import game_skeleton, soles_of

# an FBX file counts in them: then nothing in it is scaled, and no engine's root motion comes out 100 times
# too large
CENTIMETRES = 100.0
METRE = {"GLB": 1.0, "FBX": CENTIMETRES}


def write_glb(figure: GameFigure, path: Path, parts: Iterable[tuple[str, SetClip, list[Channel]]]) -> None:
    """Write the character with its clips, each with its name and channels; these are added by us, for
    Blender's exporter takes seconds over them without a redraw."""
    with _same_scene_after(), bpy.context.temp_override(**figure.context):
        bpy.ops.export_scene.gltf(
            filepath=str(path.resolve()), export_format="GLB", use_active_scene=True,
            export_animations=False, export_def_bones=False, export_current_frame=False,
            export_rest_position_armature=True,
        )  # fmt: skip
    moving = (
        (name, clip.fps, [(channel.group, channel.values) for channel in channels])
        for name, clip, channels in parts
    )
    path.write_bytes(with_clips(path.read_bytes(), moving))


@contextmanager
def _same_scene_after() -> Iterator[None]:
    """Show the window's scene again after the block: the exporter of glTF leaves the exported one in it."""
    window = bpy.context.window
    before = window.scene if window else None
    try:
        yield
    finally:
        if window and window.scene != before:
            window.scene = before


def write_fbx(figure: GameFigure, path: Path, action: Action | None, frames: int) -> None:
    """Write the character without animation, or an action of its skeleton alone."""
    data = figure.obj.animation_data
    data.action = action
    if action is not None and hasattr(data, "action_slot"):
        data.action_slot = action.slots[0]
    figure.scene.frame_start, figure.scene.frame_end = 0, frames
    with bpy.context.temp_override(**figure.context):
        bpy.ops.export_scene.fbx(
            filepath=str(path.resolve()), object_types={"ARMATURE"} if action else {"ARMATURE", "MESH"},
            use_selection=False,
            add_leaf_bones=False, use_armature_deform_only=False, bake_anim=action is not None,
            bake_anim_use_all_bones=True,
            bake_anim_use_nla_strips=False, bake_anim_use_all_actions=False,
            bake_anim_force_startend_keying=True,
            bake_anim_simplify_factor=0.0, apply_unit_scale=True, apply_scale_options="FBX_SCALE_NONE",
        )  # fmt: skip
    data.action = None


MANIFEST = "manifest.json"
PICTURE, ADULT_M = 128, 1.6  # pixels; height of an adult's head bone
MOMENTS = 0.03, 0.4  # of a clip that its picture shows
SHARES = 0.15, 0.6  # of the work: when the clips are made, and when they are played


@dataclass(frozen=True)
class SetOptions:
    """How a set is written: see `options`; `pattern`: of the user's own for clips' names, '' for the
    convention's."""

    convention: str
    file_format: str
    travel: str
    keep: bool = False
    pattern: str = ""


def file_names(character: str, plans: Sequence[ClipPlan], options: SetOptions) -> list[str]:
    """Return the names of the files of a set: of the character, of each clip with FBX, and of the
    manifest."""
    rule = convention(options.convention)
    clips = (
        [f"{clip_name(plan, character, rule, options.pattern)}.fbx" for plan in plans]
        if options.file_format == "FBX"
        else []
    )
    return [f"{safe(character)}.{options.file_format.lower()}", *clips, MANIFEST]


def set_steps(
    obj: Object, folder: Path, plans: Sequence[ClipPlan], options: SetOptions
) -> Steps[dict[str, Any]]:
    """Write the clips of some plans into a folder, and return the manifest; yields the share done.

    Raises NeuraRigError, and leaves character and folder as they were, if it does not walk, or a file cannot
    be written.
    """
    source = walk_source.source_of(obj)
    walking, rule = walking_of(obj, source), convention(options.convention)
    name, clips = obj.name, []  # the game character may be called so for a while
    for clip in clips_of(walking, plans):
        clips.append((clip_name(clip.plan, name, rule, options.pattern), clip))
        yield SHARES[0] * len(clips) / len(plans)
    _require_apart([clip for clip, _ in clips])
    who = Character(read_skeleton(obj), source.roles, source.body)
    skeleton = game_skeleton(obj, who, source.body.walk_to_armature, rule, METRE[options.file_format])
    with game_figure(obj, skeleton) as figure:
        shown = yield from played(obj, source, figure.skeleton, clips, options.travel == ROOT_MOTION)
        parts = [(called, clip, moved) for (called, clip), moved in zip(clips, shown, strict=True)]
        actions = []
        for called, _, channels in parts if options.keep or options.file_format == "FBX" else ():
            actions.append(figure.add_clip(called, channels))
            yield SHARES[1]
        character, *files, _ = file_names(name, plans, options)
        with ExitStack() as whole:  # all files replace the old ones at the end, or none
            if options.file_format == "GLB":
                write_glb(figure, whole.enter_context(exporting(folder / character, GLTF)), parts)
                files = [character] * len(clips)
            else:
                write_fbx(figure, whole.enter_context(exporting(folder / character, FBX)), None, 0)
                for row, (file, action, (_, clip)) in enumerate(zip(files, actions, clips, strict=True)):
                    yield SHARES[1] + (1.0 - SHARES[1]) * row / len(clips)
                    write_fbx(figure, whole.enter_context(exporting(folder / file, FBX)), action, clip.frames)
            yield 1.0
        if options.keep:
            figure.keep_as_assets(f"{name} Set", {called: _picture(clip) for called, clip in clips})
    told = [(called, file, clip) for (called, clip), file in zip(clips, files, strict=True)]
    found = manifest(
        name, options.convention, options.travel, told, skeleton.roles, soles_of(obj, source, skeleton)
    )
    write_text(folder / MANIFEST, json.dumps(found, indent=1))
    return found


def walking_of(obj: Object, source: WalkSource) -> Walking:
    """Return who walks in a set: the character, in its styles and with its sliders."""
    settings, track = obj.neurarig.walk, source.track
    person = track.person if is_somebody(track) else None

    def gait_of(name: str):
        if source.body.kind != BIPED:
            return animal_gait(name, source.body)
        return on_body(human_gait_of(settings, name, person), source.body, natural_gait())

    own = float(track.constant.speed) if settings.gait == "WALK" else None
    return Walking(source.body, track, source.clock.fps, gait_of, own)


def _picture(clip: SetClip) -> np.ndarray:
    """Return a picture of a clip `(size, size, 4)`: a moment of it, and one later."""
    motions = clip.pose.motions
    tall = float(max(motion.rest[2] for motion in motions.values()))
    return drawn(motions, [int(share * clip.frames) for share in MOMENTS], PICTURE, tall / ADULT_M)


def _require_apart(names: list[str]) -> None:
    """Raise NeuraRigError if two clips would have one name."""
    for name in names:
        if names.count(name) > 1:
            raise NeuraRigError(
                f"Two clips would be called '{name}'. Use a name pattern with {{name}} in it."
            )


def played(
    obj: Object,
    source: WalkSource,
    skeleton: Any,
    clips: Sequence[tuple[str, SetClip]],
    travels: bool,
) -> Steps[list[list[Channel]]]:
    """Return the channels of the exported bones in each clip; yields the share done."""
    frames = np.cumsum([0, *(clip.frames + 1 for _, clip in clips)])
    shares = (SHARES[0] + (SHARES[1] - SHARES[0]) * frames / frames[-1]).tolist()
    found = []
    with bench(obj) as copy:
        bakes.set_as_played(obj, None, copy.obj)
        player = Player(copy, source, skeleton)
        for (_, clip), begins, ends in zip(clips, shares, shares[1:], strict=False):
            found.append((yield from part_of(player.play(clip, travels), begins, ends)))
    return found
