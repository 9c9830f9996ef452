"""A whole recording on one character: all frames in one call, feet planted, every channel of every frame."""

from dataclasses import dataclass

import numpy as np

from ...core.character.motion import Motion
from ...core.geometry.vectors import transformed
from ...core.mocap.actor import resized, size_factor
from ...core.neural.points import INDEX, POINTS
from ...core.posing.channels import Channels
from ...core.report.clip_report import carried_points, clip_report
from ...core.retarget.contacts import find_contacts
from ...core.retarget.hands import kept_in_place
from ...core.retarget.retarget import planted
from ...core.skeleton.roles import SIDES
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
