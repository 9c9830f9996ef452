"""Every recorded walk, run and turn on bodies of other sizes and proportions: python -m benchmarks
retarget_clips."""

from dataclasses import dataclass

import numpy as np

from benchmarks.table import Row, best_of
from neurarig_addon.core.character.character import Character
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.geometry.rotation import normalized
from neurarig_addon.core.ikrig.encoding import Encoding
from neurarig_addon.core.report.clip_report import carried_points, clip_report
from neurarig_addon.core.retarget.feet import standing_of, touching_frames
from neurarig_addon.core.retarget.retarget import retarget
from neurarig_addon.core.retarget.source import encode_clip
from neurarig_addon.core.retarget.spans import flags_of
from neurarig_addon.core.skeleton.roles import ARM_PARTS, LEG_PARTS, SIDES, sided
from tests.core.retarget_bodies import bodies, recorded
from tests.shared_data import shared_path

BODIES = ("human", "tiny", "child", "giant", "ape")
LONG_CLIP = "cmu_91_01"  # 1369 frames
SLIP_SHARE, PENETRATION_SHARE = 1e-3, 1e-3  # of the leg


@dataclass(frozen=True)
class Figures:
    """One clip on one body.

    Slip and penetration are shares of the leg, accelerations (99th percentile) multiples of the source's;
    `off`: degrees between the limbs' bones and the source's, in the mean over arms and legs in the air.
    """

    slip: float
    penetration: float
    reach: float
    finite: bool
    ankles: float
    hips: float
    knees: float
    off: float


def rows() -> list[Row]:
    """Measure every clip of the walk folder on every body, and print the medians."""
    names = sorted(path.stem for path in shared_path("data", "mocap", "walk").glob("*.bvh"))
    found: dict[str, list[Figures]] = {body: [] for body in BODIES}
    for name in names:
        source, clip = recorded("walk", name)
        encoding, before = encode_clip(source, clip), source.motions(clip)
        for body in BODIES:
            found[body].append(figures(encoding, source, before, bodies()[body]))
    for body, all_figures in found.items():
        print(f"{body:6s} of {len(names)} clips:", line(all_figures))
    everything = [each for all_figures in found.values() for each in all_figures]
    what = f"{len(names)} recorded clips on {len(BODIES)} bodies"
    return [
        Row(f"{what}: not finite", sum(not each.finite for each in everything), 0, ""),
        Row(f"{what}: greatest slip", max(each.slip for each in everything), SLIP_SHARE, "legs"),
        Row(
            f"{what}: deepest penetration",
            max(each.penetration for each in everything),
            PENETRATION_SHARE,
            "legs",
        ),
        Row(
            f"{what}: limbs in the air off the source's, mean",
            float(np.mean([each.off for each in everything])),
            1.0,
            "degrees",
        ),
        Row(f"{what}: greatest reach", max(each.reach for each in everything), 1.0, "legs"),
        Row("retarget 1000 frames, decoded and planted, numpy alone", seconds_of_a_thousand(), 0.3, "s"),
    ]


def figures(encoding: Encoding, source: Character, before: dict[str, Motion], target: Character) -> Figures:
    """Measure one clip on one body."""
    found = retarget(encoding, target)
    after = found.pose.in_world()
    feet, legs, head = carried_points(target, after)
    report = clip_report(feet, legs, head, target.body, found.pivots, found.fps, np.arange(len(feet)))
    leg_mm = 1e3 * target.body.leg_length
    old, new = carried_points(source, before)[1] / source.body.leg_length, legs / target.body.leg_length
    return Figures(
        slip=max(side["max"] or 0.0 for side in report["slip_mm"].values()) / leg_mm,
        penetration=report["penetration_mm"] / leg_mm,
        reach=report["reach"],
        finite=all(
            np.isfinite(motion.rotation).all() and np.isfinite(motion.position).all()
            for motion in found.pose.motions.values()
        ),
        ankles=acceleration(new[:, :, 2]) / acceleration(old[:, :, 2]),
        hips=acceleration(new[:, :, 0]) / acceleration(old[:, :, 0]),
        knees=acceleration(bend(new)[..., None]) / acceleration(bend(old)[..., None]),
        off=off_the_source(encoding, before, after),
    )


def off_the_source(encoding: Encoding, before: dict[str, Motion], after: dict[str, Motion]) -> float:
    """Return how far limbs point off where the source's do, degrees: arms whose hand stands nowhere, legs
    whose foot is in the air."""
    found = []
    for row, side in enumerate(SIDES):
        hand = flags_of(
            encoding.contacts.intervals.get(sided("hand", side), np.zeros((0, 2), dtype=int)), len(encoding)
        )
        for chain, held in (
            (ARM_PARTS[1:], hand),
            (LEG_PARTS[:3], standing_of(touching_frames(encoding.contacts, len(encoding)))[:, row]),
        ):
            if (~held).any():
                lines = [
                    np.diff([motions[sided(part, side)].position for part in chain], axis=0)
                    for motions in (before, after)
                ]
                cosine = np.sum(normalized(lines[0]) * normalized(lines[1]), axis=-1)[:, ~held]
                found.append(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))).mean())
    return float(np.mean(found)) if found else 0.0


def acceleration(values: np.ndarray) -> float:
    """Return the 99th percentile of the second differences of `(f, 2, n)`."""
    return float(np.percentile(np.linalg.norm(np.diff(values, n=2, axis=0), axis=-1), 99.0))


def bend(legs: np.ndarray) -> np.ndarray:
    """Return how far knees are bent `(f, 2)` in radians, for hips, knees and ankles `(f, 2, 3, 3)`."""
    thigh, shin = legs[:, :, 1] - legs[:, :, 0], legs[:, :, 2] - legs[:, :, 1]
    return np.arctan2(np.linalg.norm(np.cross(thigh, shin), axis=-1), np.sum(thigh * shin, axis=-1))


def line(all_figures: list[Figures]) -> str:
    """Return the figures of one body in words."""
    slip, deep, reach = (
        max(getattr(each, name) for each in all_figures) for name in ("slip", "penetration", "reach")
    )
    ratios = [
        f"{name} x{np.median([getattr(each, name) for each in all_figures]):.2f}"
        for name in ("ankles", "hips", "knees")
    ]
    return (
        f"slip {slip:.1e}, penetration {deep:.1e}, reach {reach:.4f}; accelerations (median)"
        f" {', '.join(ratios)}"
    )


def seconds_of_a_thousand() -> float:
    """Return how long a thousand frames take."""
    source, clip = recorded("walk", LONG_CLIP)
    encoding = encode_clip(source, clip.rows(slice(0, 1000)))
    return best_of(lambda: retarget(encoding, bodies()["child"]))
