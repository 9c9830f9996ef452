"""What a set tells an engine, as JSON: where each clip goes in a blend space, how it travels, when feet
stand."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..body.feet import BALL, FLAT, HEEL, SWING, TOE
from ..files.json_text import rounded
from .clip import FEET, LOOP, START, STOP, STRIDE_TURN, SetClip

PIVOTS = {SWING: "-", HEEL: "h", FLAT: "f", BALL: "b", TOE: "t"}
FORMAT, VERSION = "neurarig-set", 1
ROOT_MOTION, IN_PLACE = "ROOT_BONE", "IN_PLACE"


def manifest(
    character: str,
    convention: str,
    travel: str,
    clips: Sequence[tuple[str, str, SetClip]],
    bones: Mapping[str, str],
    soles: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the manifest of a set; `clips`: each with the name of its animation and of its file; `bones`:
    role to exported bone.

    `travel`: what carries it, ROOT_BONE or IN_PLACE. `soles`: for each foot the points that touch the ground,
    at rest, each with its
    bone.  Metres, seconds and degrees; frames count from 0.
    """
    groups: dict[str, dict[str, Any]] = {}
    for _, _, clip in clips:
        group = clip.plan.group
        if clip.plan.kind == LOOP and group.name not in groups:
            groups[group.name] = {
                "cycle_frames": clip.frames,
                "seconds": round(clip.frames / clip.fps, 6),
                "gait": group.gait.lower(),
                "contacts": {foot: round(at / clip.frames, 5) for foot, at in clip.contacts[1::-1]},
            }
    return {
        "format": FORMAT,
        "version": VERSION,
        "character": character,
        "convention": convention,
        "fps": clips[0][2].fps,
        "root_motion": travel.lower(),
        "axes": {"unit": "m", "root": "x to the left, y ahead, turns to the left", "gltf": "(x, z, y)"},
        "bones": dict(bones),
        "soles": dict(soles),
        "groups": groups,
        "blend_spaces": {name: found for name in groups if (found := _blend_space(name, clips))},
        "clips": [
            _told(animation, file, clip, groups.get(clip.plan.group.name, {}).get("contacts", {}))
            for animation, file, clip in clips
        ],
    }


def _blend_space(group: str, clips: Sequence[tuple[str, str, SetClip]]) -> list[dict[str, Any]]:
    """Return the samples of a group: speed, direction (right positive, as engines have it) and velocity
    (right, ahead)."""
    samples = []
    for animation, _, clip in clips:
        plan = clip.plan
        if plan.kind == LOOP and plan.group.name == group and not plan.slope:
            ahead, aside = np.cos(np.radians(plan.toward)), -np.sin(np.radians(plan.toward))
            velocity = rounded(clip.speed * np.array([aside, ahead]), 4)
            samples.append(
                {
                    "animation": animation,
                    "speed": round(clip.speed, 4),
                    "direction": _right(plan.toward),
                    "velocity": velocity,
                }
            )
    return samples


def _told(animation: str, file: str, clip: SetClip, phases: Mapping[str, float]) -> dict[str, Any]:
    """Return what is told of a clip; `phases`: of its group's loop at each foot's contact."""
    plan, place = clip.plan, clip.pose.root.position
    return {
        "name": plan.name,
        "animation": animation,
        "file": file,
        "kind": plan.kind.lower(),
        "loops": plan.loops,
        "group": plan.group.name,
        "frames": clip.frames,
        "seconds": round(clip.frames / clip.fps, 6),
        "speed": round(clip.speed, 5),
        "pace": plan.pace,
        "stride": round(clip.stride, 5),
        "cycle_frames": clip.cycle,
        "direction": _right(plan.toward),
        "turn": -plan.degrees,
        "slope": plan.slope,
        "stairs": {"run": round(0.5 * clip.stride, 5), "rise": round(0.5 * place[-1, 2], 5)}
        if plan.tread
        else None,
        "enters": {"stands": clip.enters is None, "phase": clip.enters},
        "leaves": {"stands": clip.leaves is None, "phase": clip.leaves},
        "exits": [
            {"foot": foot, "frame": frame, "phase": phases[foot]}
            for foot, frame in clip.contacts
            if foot in phases and plan.kind in (START, STOP, STRIDE_TURN)
        ],
        "root": {
            "x": rounded(place[:, 1], 5),
            "y": rounded(place[:, 0], 5),
            "z": rounded(place[:, 2], 5),
            "turned": rounded(np.degrees(clip.turned), 4),
            "distance": rounded(clip.travel, 5),
        },
        "contacts": {foot: clip.planted[:, side].astype(int).tolist() for side, foot in enumerate(FEET)},
        "pivots": {
            foot: "".join(PIVOTS[pivot] for pivot in clip.pivot[:, side].tolist())
            for side, foot in enumerate(FEET)
        },
        "phase": rounded(clip.phase[:, 0] % 1.0, 5),
        "footfalls": [{"foot": foot, "frame": frame} for foot, frame in clip.contacts],
        "sync_markers": [{"name": foot[0].upper(), "frame": round(frame)} for foot, frame in clip.contacts],
    }


def _right(toward: float) -> float:
    """Return a direction in degrees with right positive, half a turn as 180."""
    return 0.0 if not toward else 180.0 if abs(toward) == 180.0 else -toward
