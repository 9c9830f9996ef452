"""The contact report as text, for panels and messages; the numbers are in the JSON."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite
from textwrap import wrap
from typing import Any
from unicodedata import east_asian_width

from ...core.acts.act import BODY_PART
from ...core.character.integrity import parting
from ...core.files import json_text
from ...core.gait.kinds.gaits import GAITS

PANEL_WIDTH = 34  # characters per line of a sidebar of default width
# Figure of the report: its name, number format and unit.
FIGURES = {
    "slip_mm": ("Foot Slip", ".2f", " mm"),
    "penetration_mm": ("Below Ground", ".2f", " mm"),
    "toe_clearance_mm": ("Toe Clearance", ".1f", " mm"),
    "reach": ("Leg Stretch", ".2f", " %"),
    "balance_margin_mm": ("In Balance By", ".0f", " mm"),
    "integrity_percent": ("Gap in Rig", ".2f", " % of leg"),
    "off_source_percent": ("Off the Clip", ".0f", " % of leg"),
    "seam_m": ("Loop Jump", ".3f", " mm"),
    "pelvis_acceleration_m_s2": ("Hip Jolt", ".0f", " m/s²"),
    "head_acceleration_m_s2": ("Head Jolt", ".0f", " m/s²"),
    "knee_jump_degrees": ("Knee Snap", ".0f", "°"),
    "height_lost_percent": ("Body Drop", ".0f", " % of leg"),
    "ground_speed_m_s": ("Speed", ".3f", " m/s"),
    "stride_m": ("Stride", ".3f", " m"),
    "cadence_steps_min": ("Step Rate", ".1f", " steps/min"),
    "cycle_frames": ("Cycle", ".4g", " frames"),
    "duty_factor": ("Time on Ground", ".0f", " % of cycle"),
}
NAMES = {figure: name for figure, (name, _, _) in FIGURES.items()}
SCALES = {"seam_m": 1e3, "reach": 100.0, "duty_factor": 100.0}  # from a figure's unit to the one shown
MOST_DIGITS = 4  # more than usual
# What is wrong with feet and legs beyond each limit, the most telling figure first.
FAULTS = {
    "slip_mm": "does not keep its feet planted",
    "penetration_mm": "steps into the ground",
    "toe_clearance_mm": "hardly lifts its toes",
    "reach": "stretches its legs beyond their length",
    "off_source_percent": "is far from its clip",
    "seam_m": "does not close its loop",
}
CLIP_HEADLINES = {"Foot Slip", "Leg Stretch"}
# The most frequent cause of a figure past its limit and its remedy, the most telling figure first.
CURES = {
    "slip_mm": (
        "Something else moves the legs: turn off their drivers, constraints and NLA tracks, or try FK."
    ),
    "reach": "The legs are too short for it: lower speed, stride or step length, or raise the crouch.",
    "penetration_mm": "The feet go below the ground: check foot and toe in Rig > Bones, or lower the energy.",
    "toe_clearance_mm": "The toes nearly touch the ground: raise the step height.",
    "off_source_percent": (
        "The body is far from where the clip has it: check the source's bones and rest pose, or turn off "
        "Keep Feet Planted."
    ),
}
# What a viewer sees of a body past its limits, and what to do about each cause.
JOLTS = {
    "pelvis_acceleration_m_s2": "the pelvis is thrown about",
    "head_acceleration_m_s2": "the head is thrown about",
    "knee_jump_degrees": "a knee snaps",
    "height_lost_percent": "the body drops",
}
REMEDIES = {
    "others": "something else moves it, turn off its keys, drivers and constraints",
    "prints": "put the edited prints nearer to their places",
    "speed": "give the change of speed more frames",
    "styles": "lower the weight of the styles",
    "keys": "give the keyed sliders more frames",
    "manner": "bring the sliders nearer to their defaults",
    "markers": "give the way between the waypoints more frames",
    "ground": "walk more slowly over this ground",
    "profile": "lower the speed, or change the profile",
    "pace": "lower the speed",
    "pace of a walk": "lower the speed, or set Gait to By Speed",
    "clip": "see whether the clip does so too, and smooth it there",
}
HEADLINES = {"Stride", "Cycle", "Foot Slip"}


@dataclass(frozen=True)
class ReportLine:
    """One figure of the report."""

    name: str
    value: str
    past_limit: bool = False


@dataclass(frozen=True)
class ReportLines:
    """A report as lines."""

    lines: tuple[ReportLine, ...] = ()
    advice: str = ""
    warning: str = ""

    @property
    def past_limits(self) -> bool:
        """Return whether any figure is past its limit."""
        return any(line.past_limit for line in self.lines)


@lru_cache(maxsize=32)
def read(text: str, name: str = "") -> ReportLines:
    """Return a character's report, JSON text, as lines; none if there is no report or it is damaged."""
    try:
        report = json_text.parsed(text) if text else None
        return (
            ReportLines(tuple(_lines(report)), advice(report), warning(name, report))
            if report
            else ReportLines()
        )
    # a file may hold anything
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError):
        return ReportLines()


def pace(stride_m: float, cycle_frames: float) -> str:
    """Return a walk's stride and cycle in real units, shown beside the sliders that are factors; if it has no
    cycle, that it stands."""
    if not isfinite(cycle_frames):
        return "Stands at this frame"
    figures = _value("stride_m", stride_m), _value("cycle_frames", cycle_frames)
    return " in ".join(filter(None, figures))


def sentence(name: str, report: dict[str, Any]) -> str:
    """Return a report as one sentence, with its figures."""
    facts, warning = _facts(report, HEADLINES)
    return f"'{name}' {_goes(report)} at {_speed(report)}: {', '.join(facts)}{warning}."


def greeting(name: str, report: dict[str, Any]) -> str:
    """Return what to report of a walk just made."""
    return f"'{name}' {_goes(report)} at {_speed(report)}. Press Space to play."


def worst_jolt(report: dict[str, Any]) -> str:
    """Return the figure of the body that is farthest past its limit, or ''."""
    past = [figure for figure in report["past_limits"] if figure in JOLTS]
    return max(past, key=lambda figure: report[figure] / report["limits"][figure], default="")


def advice(report: dict[str, Any]) -> str:
    """Return when and how the body moves as no body does, and the remedy; '' if it does not."""
    if not (figure := worst_jolt(report)):
        return ""
    facts = _beside_limit(figure, report)
    remedy = REMEDIES[report.get("cause", "clip")]
    return f"At frame {report['worst_frames'][figure]:g} {JOLTS[figure]} ({facts}): {remedy}."


def warning(name: str, report: dict[str, Any] | None) -> str:
    """Return which figures are past their limits, and the remedy; '' if none is, or nothing was measured."""
    if report is None:
        return ""
    past = [figure for figure in report["past_limits"] if figure in FAULTS]
    facts = [f"{NAMES[figure].lower()} {_beside_limit(figure, report)}" for figure in past]
    cure = report.get("cure") or next((cure for figure, cure in CURES.items() if figure in past), "")
    fault = next((fault for figure, fault in FAULTS.items() if figure in past), "")
    feet = f"'{name}' {fault} ({'; '.join(facts)}). {cure}" if past else ""
    apart = (
        f"'{name}': {what}. Parent what stays behind to the bone that carries it."
        if (what := parting(report))
        else ""
    )
    body = f"'{name}': {jolt}" if (jolt := advice(report)) else ""
    acts = [_sunk(name, *each) for each in report.get("acts_skin_m", ())]
    return " ".join(filter(None, (feet, apart, body, *acts)))


def _sunk(name: str, act: str, thing: str, where: str, deep: float) -> str:
    """Return how deep a character's skin goes into something in an act."""
    metres = f"{100 * deep:.0f} cm"
    if where == BODY_PART:
        return (
            f"{act}: a hand of '{name}', or what it carries, goes {metres} into its own body. Try another"
            " hand, or a smaller thing."
        )
    if thing:
        return (
            f"{act}: '{name}' goes {metres} into '{thing}' or what it is on. Try another place or height for"
            " it."
        )
    return f"{act}: '{name}' goes {metres} into the ground. Try another place for it."


def retargeted(name: str, clips: list[str], refused: int, report: dict[str, Any] | None) -> str:
    """Return the result of retargeting clips as one sentence, with the figures of the last one if
    measured."""
    actions = f"action '{clips[0]}'" if len(clips) == 1 else f"{len(clips)} actions"
    passed_over = f", {refused} clip{'s' if refused > 1 else ''} skipped" if refused else ""
    facts, warning = _facts(report, CLIP_HEADLINES) if report else ([], "")
    return (
        f"Retargeted to '{name}': {actions}{passed_over}{', ' if facts else ''}{', '.join(facts)}{warning}."
    )


def _facts(report: dict[str, Any], headlines: set[str]) -> tuple[list[str], str]:
    """Return some figures of a report in words, and which ones are past their limits, '' for none."""
    facts = [f"{line.name.lower()} {line.value}" for line in _lines(report) if line.name in headlines]
    past = [NAMES[figure].lower() for figure in report["past_limits"]]
    return facts, f"; past the limit: {', '.join(past)}" if past else ""


def wrapped(text: str, width: int = PANEL_WIDTH) -> list[str]:
    """Return a sentence wrapped to the width of the sidebar, where a wide letter takes the room of two."""
    wide = sum(east_asian_width(letter) in "WF" for letter in text)
    return wrap(text, max(1, width * len(text) // (len(text) + wide)) if text else width)


def _lines(report: dict[str, Any]) -> Iterator[ReportLine]:
    """Return the figures that could be measured, those of the contract first."""
    past, worst = set(report["past_limits"]), report.get("worst_frames", {})
    for figure, name in NAMES.items():
        value = _value(figure, report.get(figure))
        at = f", frame {worst[figure]:g}" if figure in worst else ""
        if value:
            yield ReportLine(name, value + at, figure in past)


def _goes(report: dict[str, Any]) -> str:
    """Return the verb of a report: that of the gait, else runs if there is a flight between steps, or
    walks."""
    gait = report.get("gait", "")
    if gait in GAITS and GAITS[gait].does:
        return GAITS[gait].does
    return "runs" if max(report["duty_factor"].values()) < 0.5 else "walks"


def _speed(report: dict[str, Any]) -> str:
    """Return a report's ground speed in m/s, with its unit."""
    return f"{report.get('ground_speed_m_s') or 0.0:.1f} m/s"


def _beside_limit(figure: str, report: dict[str, Any]) -> str:
    """Return a figure and its limit, with as many digits as tell them apart."""
    for digits in range(MOST_DIGITS):
        value, limit = (
            _value(figure, number, digits) for number in (report[figure], report["limits"][figure])
        )
        if limit not in value.split(" / "):
            break
    return f"{value}, limit {limit}"


def _value(figure: str, value: Any, digits: int = 0) -> str:
    """Return a figure with its unit and so many digits more than usual; a pair's separated by a slash, for
    slip the maxima."""
    _, form, unit = FIGURES[figure]
    if isinstance(value, dict):
        sides = [side["max"] if isinstance(side, dict) else side for side in value.values()]
        texts = [_value(figure, side, digits) for side in sides]
        return " / ".join(text.removesuffix(unit) for text in texts) + unit if all(texts) else ""
    if value is None:
        return ""
    return f"{value * SCALES.get(figure, 1.0):.{int(form[1:-1]) + digits}{form[-1]}}{unit}"
