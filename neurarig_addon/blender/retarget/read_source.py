"""Reading a clip from any source into an encoding with its contacts."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import replace
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from bpy.types import ID, Action, Context, Object, Scene, bpy_prop_collection

from ...core.character.character import Character
from ...core.detection.detect import detect
from ...core.detection.remembered import detect_of
from ...core.errors import NeuraRigError, about
from ...core.files.given_file import LARGEST_SCENE, size_of, worth
from ...core.files.scene_file import require_sound
from ...core.geometry.rotation import yaw_of
from ...core.ikrig import storage
from ...core.ikrig.encoding import Encoding, each, mirror
from ...core.ikrig.resample import resample
from ...core.mocap.generated_motion import is_generated, read_generated
from ...core.retarget.options import Root
from ...core.retarget.source import encode_clip
from ...core.retarget.travel import unit_of
from ...core.sequence.again import striding_on
from ...core.sequence.continuation import Continuation, continued
from ...core.sequence.fill import filled
from ...core.sequence.natural import unposed
from ...core.sequence.rows import turned
from ...core.sequence.seam import Span
from ...core.skeleton.bvh import read_bvh
from ...core.skeleton.clip import Clip
from ...core.skeleton.mean_pose import is_straight, rests, standing_for
from ...core.skeleton.standing_pose import stood
from ..animation import compat
from ..animation.curve_pose import split_path
from ..animation.exporting import enable, said
from ..animation.frame_range import played_range
from ..animation.steps import Steps
from ..character import carry, record
from ..character.read_character import read_character
from ..character.read_clip import read_clip, read_clip_steps
from ..character.standing_pose import is_chosen
from . import lead, splices
from .choices import Choices, poses_of
from .clip import Placed, Target
from .read_nodes import nodes_of, play, read_nodes
from .source import (
    ARRAYS,
    ENCODINGS,
    IMPORTED,
    ClipSource,
    curves_of,
    moves_bones,
    needs_steps,
    playing_of,
    recalled_roles,
    slot_of,
    slots,
)

AT_REST = 1e-6  # metres, and radians: a root control that is off by less has not moved
SHORTEST = 2  # frames; a single pose is not a motion
_BONE_BYTES = 12 * 8  # numbers of a bone on a frame
# Ending -> the importing add-on, and the name of its operator.
_IMPORTERS = {".fbx": ("io_scene_fbx", "fbx"), **dict.fromkeys((".glb", ".gltf"), ("io_scene_gltf2", "gltf"))}


def read_steps(context: Context, source: ClipSource, is_own: bool = False) -> Steps[list[Encoding]]:
    """Return the clips of a source, usually one, at their own frame rates; yields the share done; if closed
    early, nothing has changed.

    `is_own`: it is the character that will take them, and stands as it will then.
    Raises NeuraRigError, naming file or bone, if it cannot be read or is not of a biped.
    """
    yield 0.0
    if source.file is None:
        _require_playable(context, source)
        known = recalled_roles([bone.name for bone in source.armature.data.bones])
        character = read_character(source.armature, context.scene, roles=known)
        with carry.at_origin(source.armature):  # an own action is read while its clip carries the character
            clip = yield from read_clip_steps(
                context, source.armature, source.action, character=character, slot=source.slot
            )
        data = source.armature.animation_data
        if playing_of(source) is None and not (data and data.nla_tracks) and _stands_still(clip):
            raise NeuraRigError(
                f"Nothing moves '{source.armature.name}': it has no animation. Give it an action, or choose"
                " another source."
            )
        if source.slot and source.action and len(slots(source.armature, source.action)) > 1:
            clip = replace(
                clip, name=f"{clip.name} {compat.slot_named(source.action, source.slot).name_display}"
            )
        is_kept = is_own or record.is_attached(source.armature) or is_chosen(source.armature)
        encoding = _encoded(character, replace(clip, remark=_other_slots(source)), is_kept)
        keyed = {split_path(curve.data_path)[0] for curve in curves_of(source)}
        posed = {role for role, bone in character.roles.bones.items() if bone in keyed}
        return [replace(encoding, unposed=unposed(character.motions(clip), posed))]
    ending = source.file.suffix.lower()
    if ending in IMPORTED:
        return [_encoded(character, clip) for character, clip in read_imported(context, source.file)]
    if ending in ARRAYS and is_generated(source.file):
        clip = read_generated(source.file)
    elif ending in ENCODINGS:
        # A .csv has no frame rate: its rows are frames of the scene.
        return [replace(storage.load(source.file, _fps(context.scene)), name=source.file.stem)]
    else:
        clip = read_bvh(source.file)
    with about(source.file.name):
        return [_encoded(_character_of(clip), clip)]


def _stands_still(clip: Clip) -> bool:
    """Return whether no bone of a clip moves or turns."""
    return bool(
        np.abs(clip.heads - clip.heads[:1]).max() < AT_REST
        and np.abs(clip.axes - clip.axes[:1]).max() < AT_REST
    )


def _other_slots(source: ClipSource) -> str:
    """Return a sentence about further clips in an action of which no slot is chosen or assigned; '' without
    any."""
    data = source.armature.animation_data
    action = source.action or (data.action if data else None)
    found = slots(source.armature, action)
    is_chosen = source.slot or (data is not None and data.action == action and not compat.lacks_slot(data))
    if is_chosen or len(found) < 2:
        return ""
    read = slot_of(source.armature, action).identifier
    others = ", ".join(f"'{name}'" for name in found if name != read)
    return f"'{action.name}' holds other clips as slots: {others}; '{read}' is read. Choose one under Slot."


def _character_of(clip: Clip) -> Character:
    """Return the character of a clip: it stands at rest, else as on the mean of the clip."""
    recalled = recalled_roles(clip.skeleton.names)
    roles = recalled or detect_of(clip)
    standing = standing_for(clip, roles)
    if standing and recalled is None:  # found in a pose that does not stand, roles may be off by a bone
        with suppress(NeuraRigError):
            roles = detect(stood(clip.skeleton, roles, standing))
            standing = standing_for(clip, roles)
    return Character.of(clip.skeleton, roles, standing=standing)


def _strode_on(clip: Encoding, how: Continuation) -> Encoding:
    """Return a clip on four legs that goes on; raises NeuraRigError, with the remedy, if it is to be led."""
    if how.to is not None or np.any(how.turn) or np.any(np.asarray(how.speed) != 1.0):
        raise NeuraRigError(
            f"'{clip.name}' is a motion on four legs, which goes on as its last stride went. Set Speed to 1"
            " and Turn to 0, clear To, and turn off End Standing."
        )
    return striding_on(clip, how.seconds)


def placed(encoding: Encoding, obj: Object, scene: Scene, choices: Choices, target: Target) -> Placed:
    """Return an encoding as a target's choices place it: on whole frames of the scene, at its frame rate,
    filled and continued."""
    begins = first_frame(scene, choices)
    if choices.source.armature == obj:
        encoding = _off_its_root(encoding, target, choices)
    sampled = resample(mirror(encoding) if choices["mirror"] else encoding, _fps(scene))
    first = float(round(encoding.frames[0])) if begins is None else float(begins)
    was = whole = replace(
        _from_start(sampled) if choices["start_here"] else sampled,
        frames=first + np.arange(float(len(sampled))),
    )
    spans: list[Span] = []
    if choices["fill"]:
        spans.append(gap(was, choices))
        whole = filled(was, *spans[0])
    poses, goes_on = None, lead.continuation(obj, scene, choices, whole, target)
    if goes_on and whole.fore is not None:
        whole = _strode_on(whole, goes_on)
    elif goes_on:
        poses = poses_of(choices.source, encoding)
        whole = continued(whole, replace(goes_on, poses=poses))
        spans = (spans if poses is None else list(pairwise(poses.tolist()))) + [(len(was) - 1, len(whole))]
    changes = choices["mirror"] or choices["start_here"] or choices["arm_spacing"] or choices["stride"] != 1.0
    is_own = choices.source.armature == obj and not changes and was.frames[0] == encoding.frames[0]
    root = None
    if is_own and choices.options.root is Root.OBJECT:
        root = splices.root_of(
            obj, curves_of(choices.source), was.frames, target.character.body.walk_to_armature
        )
    if poses is not None and was.unposed:  # they move through the poses
        moving = each([whole], lambda parts: parts[0][: len(was)])
        limbs = {name: moving.chains[name] for name in was.unposed & was.chains.keys()}
        extras = {role: turns for role, turns in was.extras.items() if role in whole.extras}
        was = replace(was, chains={**was.chains, **limbs}, extras=extras)
    spans = [span for span in spans if span[1] - span[0] > 1]
    return Placed(whole, was, tuple(spans), is_own, root, poses is not None)


def gap(clip: Encoding, choices: Choices) -> Span:
    """Return the rows around the frames that are made anew; raises NeuraRigError if they are none of the
    clip's, or it is no person's."""
    if clip.fore is not None:
        raise NeuraRigError(
            f"'{clip.name}' is a motion on four legs: what fills a gap is learned from people. Make two"
            " actions of it, and blend a walk into the second with Blend Into."
        )
    start, end = choices["fill_start"], choices["fill_end"]
    first, last = clip.frames[[0, -1]]
    if not first <= start < end <= last:
        raise NeuraRigError(
            f"Frames {start} to {end} cannot be filled: '{clip.name}' has frames {first:.0f} to {last:.0f}."
        )
    return round(start - first), round(end - first)


def _off_its_root(encoding: Encoding, target: Target, choices: Choices) -> Encoding:
    """Return an own action as seen from where the target's root control stood when it took the clip, which
    carries the clip too."""
    body, unit = target.character.body, unit_of(encoding, target.character, choices.options)
    back = np.linalg.inv(target.rig.placement @ body.walk_to_armature) @ body.walk_to_armature
    if np.abs(back - np.eye(4)).max() < AT_REST:
        return encoding
    turn = float(yaw_of(back))
    return replace(
        encoding, ground=turned(encoding.ground, turn) + back[:2, 3] / unit, heading=encoding.heading + turn
    )


def first_frame(scene: Scene, choices: Choices) -> int | None:
    """Return the frame of keys at which a clip begins, None if it keeps its own: a file begins with the
    scene."""
    if choices["frame_start"] is None and choices.source.file is not None:
        return played_range(scene)[0]
    return choices["frame_start"]


def _from_start(encoding: Encoding) -> Encoding:
    """Return an encoding whose path begins at the origin, heading forward."""
    first = encoding.heading[0]
    turn = np.array([[np.cos(first), -np.sin(first)], [np.sin(first), np.cos(first)]])
    return replace(
        encoding, ground=(encoding.ground - encoding.ground[0]) @ turn, heading=encoding.heading - first
    )


def _require_playable(context: Context, source: ClipSource) -> None:
    """Raise NeuraRigError if a source has to be played but is not in the view layer, so that Blender does not
    evaluate it."""
    if source.armature.name not in context.view_layer.objects and needs_steps(context.scene, source):
        raise NeuraRigError(
            f"'{source.armature.name}' is not in the current view layer. Enable its collection in the"
            " Outliner first."
        )


def _fps(scene: Scene) -> float:
    return scene.render.fps / scene.render.fps_base


def _encoded(character: Character, clip: Clip, is_kept: bool = False) -> Encoding:
    """Return a clip, whose skeleton may stand elsewhere than its character's, as an encoding with its
    contacts.

    `is_kept`: the character stands as it was told to.
    """
    if len(clip) < SHORTEST:
        raise NeuraRigError(
            f"'{clip.name}' is a single pose, no motion; choose a clip of two frames or more."
        )
    is_kept |= bool(character.standing) and is_straight(character.skeleton, character.roles)
    if not is_kept and (standing := standing_for(clip, character.roles)):
        character = Character.of(clip.skeleton, character.roles, standing=standing)
    if character.standing and not rests(clip, character.roles):
        clip = replace(
            clip,
            remark=f"'{clip.name}' does not rest standing: the mean of its poses counts as rest."
            f" {clip.remark}".rstrip(),
        )
    skeleton = stood(clip.skeleton, character.roles, character.standing)
    return encode_clip(replace(character, skeleton=skeleton), clip)


def read_imported(context: Context, file: Path) -> list[tuple[Character, Clip]]:
    """Return every clip of a file that moves its character, named after the file, each with that character.

    Raises NeuraRigError if the file cannot be read or has no clip of a biped.
    """
    with _imported(context, file) as (objects, actions):
        armatures = {
            obj: [action for action in actions if moves_bones(obj, action)]
            for obj in objects
            if obj.type == "ARMATURE"
        }
        if not armatures:
            return [_of_nodes(file, nodes_of(objects))]
        with about(file.name):
            obj, character = _body_among(armatures)
        moving = armatures[obj]
        _require_worth(file, len(obj.data.bones), moving)
        clips = [read_clip(bpy.context, obj, action, character=character) for action in moving]
        others = sum(bool(moved) for moved in armatures.values()) - 1
        remark = (
            f"'{file.name}' holds {others + 1} armatures that move; '{obj.name}' is read."
            if others > 0
            else ""
        )
    if not clips:
        raise NeuraRigError(
            f"'{file.name}' holds no animation of its armature. Export it again with its animation."
        )
    names = [file.stem] if len(clips) == 1 else [f"{file.stem} {clip.name}" for clip in clips]
    return [
        (character, replace(clip, name=name, remark=remark)) for clip, name in zip(clips, names, strict=True)
    ]


def _body_among(
    armatures: Mapping[Object, list[Action]],
) -> tuple[Object, Character]:
    """Return the armature that is a body: those that move first, then those of more bones; raises the refusal
    of the first."""
    refusals = []
    for obj in sorted(armatures, key=lambda obj: (not armatures[obj], -len(obj.data.bones))):
        try:
            known = recalled_roles([bone.name for bone in obj.data.bones])
            return obj, read_character(obj, roles=known)
        except NeuraRigError as problem:
            refusals.append(problem)
    raise refusals[0]


def _of_nodes(file: Path, nodes: list[Object]) -> tuple[Character, Clip]:
    """Return the motion of a file's nodes as a clip, and its character; raises NeuraRigError if none moves or
    they are no biped's."""
    playing = set(play(nodes))
    if not playing:
        raise NeuraRigError(
            f"'{file.name}' holds no armature, and nothing else that moves. Export it again with its"
            " skeleton."
        )
    _require_worth(file, len(nodes), playing)
    first, last = np.transpose([action.frame_range for action in playing])
    clip = read_nodes(
        bpy.context.scene, file.stem, nodes, np.arange(np.floor(first.min()), np.ceil(last.max()) + 1.0)
    )
    try:
        character = _character_of(clip)
    except NeuraRigError as problem:
        reason = str(problem).rstrip(".")
        raise NeuraRigError(
            f"'{file.name}' holds nodes, no armature ({reason}). Import it and use Solve Mocap > Collection."
        ) from problem
    return character, replace(
        clip, remark=f"'{file.name}' holds nodes without a rest pose: its first frame is used as one."
    )


def _require_worth(file: Path, bones: int, actions: Iterable[Action]) -> None:
    """Raise NeuraRigError for actions that last longer than a file of that size may: one key far away makes a
    million frames."""
    frames = sum(float(np.ptp(action.frame_range)) + 1.0 for action in actions)
    if frames * bones * _BONE_BYTES > worth(size_of(file, LARGEST_SCENE)):
        raise NeuraRigError(
            f"'{file.name}' lasts {frames:.0f} frames, far more than it holds; remove keys that are far away,"
            " and export it again."
        )


@contextmanager
def _imported(context: Context, file: Path) -> Iterator[tuple[list[Object], list[Action]]]:
    """Import a file into a scene of its own for the duration of the block; yields the imported objects and
    actions.

    Data, selection and scenes are restored afterwards.
    """
    before = {block.session_uid for block in _blocks()}
    try:
        with _own_scene(context):
            _import(file)
            yield _new(bpy.data.objects, before), _new(bpy.data.actions, before)
    finally:
        bpy.data.batch_remove(_new(_blocks(), before))


def _new(blocks: Iterable[Any], before: set[int]) -> list[Any]:
    return [block for block in blocks if block.session_uid not in before]


@contextmanager
def _own_scene(context: Context) -> Iterator[None]:
    """Show an empty scene at the same frame rate during the block: importers add to the shown scene, and
    change its range."""
    window = context.window or context.window_manager.windows[0]
    shown = window.scene
    own = bpy.data.scenes.new("NeuraRig Import")
    own.render.fps, own.render.fps_base = shown.render.fps, shown.render.fps_base
    window.scene = own
    try:
        with bpy.context.temp_override(window=window, scene=own, view_layer=own.view_layers[0]):
            yield
    finally:
        window.scene = shown


def _import(file: Path) -> None:
    module, operator = _IMPORTERS[file.suffix.lower()]
    enable(module, f"Blender's importer '{module}' is not installed; convert '{file.name}' to .bvh.")
    require_sound(file)
    try:
        # importers report each mesh, and print tracebacks
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            getattr(bpy.ops.import_scene, operator)(filepath=str(file.resolve()))
    except RuntimeError as problem:
        raise NeuraRigError(
            f"'{file.name}' cannot be imported ({said(problem)}); export it again."
        ) from problem


def _blocks() -> Iterator[ID]:
    """Yield every data-block of the file."""
    for collection in (getattr(bpy.data, name) for name in dir(bpy.data)):
        if isinstance(collection, bpy_prop_collection):
            yield from collection
