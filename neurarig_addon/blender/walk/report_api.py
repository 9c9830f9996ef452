"""How well a character walks, for scripts: its contact report; `blender.api` hands these on."""

import json
import math
from collections.abc import Generator
from pathlib import Path

import bpy

from ...core.errors import NeuraRigError
from ...core.files.whole_file import write_text
from ..animation.frame_range import frames_between
from ..animation.steps import finish
from ..character import stash, stiff_legs
from ..character.stored import parsed
from ..interface import report_text
from ..keys import figures
from . import requirements
from .contact_report import measure_steps
from .gait_source import HUMAN_GAIT
from .remembered import held_back
from .source import source_of

MEASURED_CYCLES = 2
MOST_MEASURED = 250  # most frames; a very slow walk is judged by its beginning


def contact_report(obj: bpy.types.Object, frames: tuple[int, int] | None = None) -> dict:
    """Measure a walk on the evaluated pose over `frames` (inclusive; default: its first cycles), store and return the report."""
    return finish(contact_report_steps(obj, frames))


def contact_report_steps(obj: bpy.types.Object, frames: tuple[int, int] | None = None) -> Generator[float, None, dict]:
    """As `contact_report`, step by step: yields the share done."""
    requirements.require_walk(obj)
    if frames is None:
        cycles = MEASURED_CYCLES * source_of(obj, bpy.context.scene).cycle_frames
        first = math.ceil(obj.neurarig.walk.start_frame)
        frames = first, first + math.ceil(min(cycles, MOST_MEASURED))
    measured = yield from measure_steps(bpy.context, obj, frames_between(*frames))
    report = figures.allowed(measured, stash.playing(obj)[0])
    report |= {"cure": cure} if report["past_limits"] and (cure := stiff_legs.sentence(obj)) else {}
    report["held_back"] = list(held_back(obj, frames[0]))
    report["gait"] = obj.neurarig.walk.gait if obj.neurarig.walk.gait_source == HUMAN_GAIT else ""
    obj.neurarig.walk.report = json.dumps(report)
    obj.neurarig.walk.report_is_old = False
    return report


def save_report(obj: bpy.types.Object, path: Path) -> None:
    """Write a character's last contact report as JSON."""
    report = parsed(obj.neurarig.walk.report)
    if not report:
        raise NeuraRigError(f"'{obj.name}' has no contact report. Click Check Contacts first.")
    write_text(path, json.dumps(report, indent=2) + "\n")


def summary(obj: bpy.types.Object, report: dict) -> str:
    """Return a contact report in one sentence."""
    return report_text.sentence(obj.name, report)
