"""A whole recording on one character: all frames in one call, feet planted, every channel of every frame, and
as keys."""

from collections.abc import Iterator
from dataclasses import dataclass

import bpy
import numpy as np
from bpy.types import Action, Object

from ...core.character.motion import Motion
from ...core.geometry.vectors import transformed
from ...core.mocap.actor import resized, size_factor
from ...core.neural.points import INDEX, POINTS
from ...core.posing.channels import Channels, rotation_path
from ...core.posing.rig_table import ROOT_ROLE, RigTable
from ...core.report.clip_report import carried_points, clip_report
from ...core.retarget.contacts import find_contacts
from ...core.retarget.hands import kept_in_place
from ...core.retarget.retarget import planted
from ...core.skeleton.roles import SIDES
from ..animation import compat
from ..animation.keyframes import Channel, bone_channels, bone_path, fresh_action, write_channels
from ..animation.scratch import same_frame_after, show
from ..animation.steps import Steps
from ..character import bakes, controls, integrity, ledger, record
from ..character.own_animation import carry_over, own_channels
from ..character.read_character import read_character
from .follower import Follower, WantedPoints
from .recording import PointRecording, Recording
from .rig import PosedRig
from .solve import PointTrust, pose_channels, pose_motions

# times the stated noise, but at least the loudest optical one: from here on the user is advised
_TOO_LOUD = 2.0
_LOUDEST_OPTICAL = 1.5  # millimetres
_REFINING = 1  # steps; a second one changes a pose by less than the noise
_SPINE = ("spine1", "spine2", "spine3", "neck")
_BETWEEN = {"head": _SPINE} | {
    f"{end}.{side}": (f"{middle}.{side}",)
    for end, middle in (("wrist", "elbow"), ("ankle", "knee"))
    for side in SIDES
}


@dataclass(frozen=True)
class ClipOptions:
    """Choices: keep planted feet, scale the actor to the character, mend the recording, error of the points
    in millimetres."""

    contacts: bool = True
    resize: bool = True
    mend: bool = True
    noise: float = 1.0


@dataclass(frozen=True)
class SolvedClip:
    """A recording solved on one character: the channels on whole frames `(f,)`, and the contact report, or
    None.

    `advice`: what the user could improve, in sentences, or empty.
    """

    name: str
    frames: np.ndarray
    channels: Channels
    report: dict | None
    advice: str = ""

    def sentence(self, who: str, action: str) -> str:
        """Return what was done with whom, and the advice."""
        return f"Solved {len(self.frames)} frames of '{who}' to action '{action}'. {self.advice}".rstrip()


def solve_clip(
    rig: PosedRig, recording: Recording, to_walk: np.ndarray, frames: np.ndarray, options: ClipOptions
) -> SolvedClip:
    """Return a recording solved on a character at scene frames `(f,)`; `to_walk` `(4, 4)`: from world metres
    to its walk frame."""
    if isinstance(recording, PointRecording):
        motions = _solved(rig, recording, to_walk, options.resize)
    else:
        parameters, leg_length = recording.parameters, rig.character.body.leg_length
        scale = leg_length / parameters.leg_length if options.resize and parameters.leg_length else 1.0
        motions = rig.body.motions(parameters.rotations(), scale * parameters.root)
    report = None
    if options.contacts and len(frames) > 1:
        motions, report = _planted(rig, motions, recording.fps, frames)
    return SolvedClip(
        recording.name, frames, pose_channels(rig, motions, frames), report, _advice(recording, options)
    )


def _advice(recording: Recording, options: ClipOptions) -> str:
    """Return advice if a recording is much noisier than its user states, or has more than one person; else
    ''."""
    if not isinstance(recording, PointRecording):
        return recording.parameters.remark
    notes = [recording.remark] if recording.remark else []
    if recording.others:
        notes.append(
            f"{', '.join(recording.others)} was recorded as well: set Names to subject={recording.others[0]}."
        )
    seeming = 1e3 * recording.seeming_noise_m
    if seeming >= _TOO_LOUD * max(options.noise, _LOUDEST_OPTICAL):
        notes.append(
            f"Bone lengths suggest about {seeming:.0f} mm of error, not {options.noise:g}: set Jitter to"
            " that."
        )
    return " ".join(notes)


def _solved(rig: PosedRig, recording: PointRecording, to_walk: np.ndarray, resize: bool) -> dict[str, Motion]:
    """Return the motion of every role for recorded points."""
    points, noise = recording.points, recording.noise_m
    if resize:
        points, noise = resized(points, rig.body.rest), noise * size_factor(points, rig.body.rest)
    points = transformed(points, to_walk)
    weights = np.ones(len(POINTS)) if recording.trust is None else recording.trust
    return pose_motions(rig, points, PointTrust(weights, held_ends(points), noise, refine=_REFINING))


def held_ends(points: np.ndarray) -> tuple[str, ...]:
    """Return the ends of a recording that must be reached, because points between them and the trunk were not
    recorded."""
    seen = np.isfinite(points).all(axis=-1).mean(axis=0) > 0.5
    found = [
        end
        for end, between in _BETWEEN.items()
        if seen[INDEX[end]] and not all(seen[INDEX[point]] for point in between)
    ]
    return tuple(found)


def _planted(
    rig: PosedRig, motions: dict[str, Motion], fps: float, frames: np.ndarray
) -> tuple[dict[str, Motion], dict]:
    """Return motions with planted feet and hands held in place, as in a retargeted clip, and the contact
    report."""
    character = rig.character
    contacts = find_contacts(character, motions, fps)
    motions, pivots = planted(character, motions, contacts, fps)
    motions = kept_in_place(character, motions, contacts, fps)
    return motions, clip_report(*carried_points(character, motions), character.body, pivots, fps, frames)


NEVER_AT_REST = np.inf  # for a channel that is keyed even if it does not move


def key_pose(obj: Object, table: RigTable, frame: float, kind: str = "KEYFRAME") -> Action:
    """Key what a pose moves, as it is now, on a frame of the action of ours that the character plays, or of a
    new one.

    `kind`: the key type, 'KEYFRAME', 'BREAKDOWN' or another of Blender's.
    """
    action, slot = compat.playing(obj)
    if action is None or not ledger.is_ours(obj, action):
        with bakes.fresh(obj, f"{obj.name} Pose") as (action, slot):
            bakes.mark(action)
            carry_over(obj, action, slot)
            bakes.take_over(obj, action, slot)
    for bone, prop in _properties(obj, table):
        obj.pose.bones[bone].keyframe_insert(prop, frame=frame, group=bone, keytype=kind)
    for path, value in controls.switches(record.attachment(obj)):
        _key_switch(action, slot, path, frame, float(value))
    return action


def asset(obj: Object, table: RigTable, name: str) -> Action:
    """Return a new pose asset: an action of one frame that holds what a pose moves, as it is now."""
    channels = []
    for bone, prop in _properties(obj, table):
        values = np.array(getattr(obj.pose.bones[bone], prop), dtype=float)[None]
        channels.append(Channel(bone_path(bone, prop), values, np.full(values.shape[1], NEVER_AT_REST), bone))
    with fresh_action(name, obj) as (action, slot):
        write_channels(action, slot, np.array([1.0]), channels)
        action.use_frame_range = True
        action.frame_start = action.frame_end = 1.0
        action.asset_mark()
    return action


def _key_switch(action: Action, slot: object, path: str, frame: float, value: float) -> None:
    """Key a switch wherever it is: `keyframe_insert` refuses those on the armature's data."""
    curves, groups = compat.ensure_channels(action, slot)
    curve = curves.find(path)
    if curve is None:
        curve = curves.new(path)
        curve.group = groups.get("Switches") or groups.new("Switches")
    curve.keyframe_points.insert(frame, value)


def read_frames_steps(obj: Object, follower: Follower, frames: np.ndarray) -> Steps[list[WantedPoints]]:
    """Return what the targets want at frames of keys `(f,)`; the scene's frame is restored."""
    scene = bpy.context.scene
    found = []
    with same_frame_after(scene):
        for row, frame in enumerate(frames):
            show(scene, frame)
            found.append(follower.wanted(obj, scene, bpy.context.evaluated_depsgraph_get()))
            yield (row + 1) / len(frames)
    return found


def write_steps(obj: Object, name: str, frames: np.ndarray, channels: Channels) -> Steps[Action]:
    """Write solved frames to a new action, one key per frame, have the character play it, and return it;
    yields the share done.

    If interrupted, closed early, or if the character comes apart, no action is left, and the character plays
    what it did.
    """
    scene = bpy.context.scene
    with bakes.fresh(obj, name) as (action, slot):
        write_channels(
            action, slot, frames, bone_channels(channels) + bakes.switches(obj) + own_channels(obj, frames)
        )
        carry_over(obj, action, slot)
        bakes.mark(action, frames)
        obj.neurarig.neural_pose.live = False
        bakes.take_over(obj, action, slot)
        yield from integrity.require_steps(obj, scene, read_character(obj, scene).roles, frames)
    return action


def _properties(obj: Object, table: RigTable) -> Iterator[tuple[str, str]]:
    """Yield (bone, property) for all that a pose writes."""
    for drive in table.drives:
        bone = obj.pose.bones[table.bones[drive.bone].name]
        if drive.role != ROOT_ROLE:
            yield from ((bone.name, "location") for _ in range(drive.use_location))
            yield from ((bone.name, rotation_path(bone.rotation_mode)) for _ in range(drive.use_rotation))
