"""How well motions go on by themselves: python -m benchmarks sequence [--mocap FOLDER].

`--mocap`: folders of recordings with a manifest.csv, of the shape of the shared `data/mocap`; default: the
shared ones, on which the network was trained, so only others judge it.
"""

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.table import Row
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.ikrig.decode import decode
from neurarig_addon.core.ikrig.encoding import CHAINS, Encoding
from neurarig_addon.core.ikrig.resample import sampled
from neurarig_addon.core.retarget.retarget import retarget
from neurarig_addon.core.sequence.continuation import Continuation, GoingOn, continued
from neurarig_addon.core.sequence.figure import LEG, figure
from neurarig_addon.core.sequence.fill import filled
from neurarig_addon.core.sequence.network import SequenceNetwork, bundled
from neurarig_addon.core.sequence.roll_out import roll_out
from neurarig_addon.core.sequence.rows import RATE, placed, rows_of
from neurarig_addon.core.sequence.stride import REMEMBERED, last_stride
from neurarig_addon.training.recordings import RecordingFile
from neurarig_addon.training.sequence.windows import LANE, OTHER, REST, RUN, STEADY, encoded, recordings
from tests.shared_data import shared_path

MOCAP = "SEQUENCE_MOCAP"  # in the environment: the folders, separated as paths are
SEED = 7
WALKS = (0.6, 2.0)  # m/s on the figure
RESPONSES, RESPONSE_S, STILL = 40, 12.0, 0.15  # walks, seconds of each, share of their speed
LASTS_S, SETTLES_S = 60.0, 5.0  # seconds for which clips are continued, and after which they are compared
FIGURES = {"hips' height, of the leg,": 0.04, "arm swing": 0.25, "range of knees": 0.2, "speed": 0.08}
COUNTS = {"walks": 20, "runs": 10}
STEADY_S, UNEVEN, BENDS = (
    2.5,
    0.12,
    np.radians(12.0),
)  # what a clip ends with: seconds, share, radians a second
SLOWEST, RUNS = 0.4, 2.1  # m/s
GAPS, GAPS_S = 40, (0.25, 0.5, 1.0, 1.8)
JOINTS = (
    "pelvis",
    "head",
    *(f"{part}.{side}" for part in ("shin", "foot", "toe", "forearm", "hand") for side in "LR"),
)


def rows() -> list[Row]:
    """Judge what goes on and what is filled, with the shipped network, and return the figures."""
    network = bundled()
    chosen = [one for folder in folders() for one in recordings(folder) if one.group != REST]
    clips = [(one, encoded(one)) for one in chosen]
    clips = [(one, clip) for one, clip in clips if all(chain in clip.chains for chain in CHAINS)]
    return [*_continued(clips), *_filled(clips), *_responses(network, clips)]


def folders() -> list[Path]:
    given = os.environ.get(MOCAP, "")
    return (
        [Path(one) for one in given.split(os.pathsep)]
        if given
        else [shared_path("data", "mocap"), shared_path("data", "gaits")]
    )


def _steady(clip: Encoding, is_run: bool) -> Encoding | None:
    """Return a clip up to the last frame before which it goes evenly and straight on; of a run, which is
    short, all or nothing."""
    frames = min(round(STEADY_S * RATE), len(clip) - 2)
    way = placed(rows_of(clip).steps)
    for end in range(len(clip) - 1, len(clip) - 2 if is_run else frames, -3):
        span = way[end - frames : end + 1]
        paces = np.linalg.norm(span[15::5, :2] - span[:-15:5, :2], axis=1) * RATE / 15.0
        turn = abs(float(np.polyfit(np.arange(frames + 1.0), span[:, 2], 1)[0])) * RATE
        slowest, bends = (RUNS, 2.0 * BENDS) if is_run else (SLOWEST, BENDS)
        if paces.mean() > slowest and paces.std() < UNEVEN * paces.mean() and turn < bends:
            return sampled(clip, np.arange(end + 1.0), RATE)
    return None


def _figures(motions: dict[str, Motion], at: slice) -> np.ndarray:
    """Return hips' height and arm swing in leg lengths, the knees' range in radians, and m/s."""
    hips = 0.5 * (motions["thigh.L"].position + motions["thigh.R"].position)[at]
    facing = motions["pelvis"].rotation[at][:, :, 0] * [1.0, 1.0, 0.0]
    facing /= np.linalg.norm(facing, axis=1, keepdims=True)
    swings, knees = [], []
    for side in "LR":
        hip, knee, ankle, shoulder, hand = (
            motions[f"{part}.{side}"].position[at] for part in ("thigh", "shin", "foot", "upper_arm", "hand")
        )
        thigh, shin = knee - hip, ankle - knee
        cosine = np.sum(thigh * shin, axis=1) / np.linalg.norm(thigh, axis=1) / np.linalg.norm(shin, axis=1)
        knees.append(np.ptp(np.arccos(np.clip(cosine, -1.0, 1.0))))
        swings.append(np.ptp(np.sum((hand - shoulder) * facing, axis=1)) / LEG)
    way = np.linalg.norm(hips[6:, :2] - hips[:-6, :2], axis=1).mean() * RATE / 6.0
    return np.array([hips[:, 2].mean() / LEG, np.mean(swings), np.mean(knees), way])


def _continued(clips: Sequence[tuple[RecordingFile, Encoding]]) -> list[Row]:
    """Return what becomes of clips that are continued and planted, against their own last seconds."""
    draw, character, found = np.random.default_rng(SEED), figure().character, []
    for kind, count in COUNTS.items():
        is_run = kind == "runs"
        some = (_steady(clip, is_run) for one, clip in clips if (one.group == RUN) == is_run)
        known = [clip for clip in some if clip is not None]
        off = []
        for row in draw.permutation(len(known))[:count]:
            clip = known[row]
            whole = retarget(continued(clip, Continuation(LASTS_S)), character).pose.in_world()
            end, lately = len(clip), round(STEADY_S * RATE)
            if end < lately:  # whole strides: hips of half a leap are higher
                stride = max(last_stride(rows_of(clip)).frames, 1)
                lately = max(end // stride, 1) * stride
            before = _figures(whole, slice(max(end - lately, 0), end))
            after = _figures(whole, slice(end + round(SETTLES_S * RATE), None))
            off.append([abs(after[0] - before[0]), *np.abs(after[1:] / before[1:] - 1.0)])
        worst = np.array(off)
        misses = int((worst > list(FIGURES.values())).any(axis=1).sum())
        found.append(
            Row(f"{len(off)} {kind} continued for {LASTS_S:.0f} s: not as their clips", misses, 0, "")
        )
        for (name, limit), values in zip(FIGURES.items(), worst.T, strict=True):
            found.append(Row(f"{kind}: {name} off, 9 of 10", float(np.quantile(values, 0.9)), limit, ""))
    return found


def _filled(clips: Sequence[tuple[RecordingFile, Encoding]]) -> list[Row]:
    """Return how far what is filled is off, of how far straight lines from pose to pose are."""
    draw, found = np.random.default_rng(SEED), []
    groups = {"steady walks": (STEADY,), "other walks": (OTHER, LANE), "runs": (RUN,)}
    for name, kinds in groups.items():
        known = [clip for one, clip in clips if one.group in kinds]
        for seconds in GAPS_S:
            frames = round(seconds * RATE)
            long = [clip for clip in known if len(clip) > frames + 1.5 * RATE]
            ours, straight = [], []
            for _ in range(GAPS if len(long) > 3 else 0):
                clip = long[draw.integers(len(long))]
                first = int(draw.integers(RATE, len(clip) - frames - 8))
                made = filled(clip, first, first + frames)
                there, gap = _joints(clip), slice(first, first + frames + 1)
                share = np.linspace(0.0, 1.0, frames + 1)[:, None, None]
                line = there[first] + share * (there[first + frames] - there[first])
                for off, one in ((ours, _joints(made)[gap]), (straight, line)):
                    off.append(np.linalg.norm(one - there[gap], axis=2).mean())
            if ours:
                note = f"{1e3 * np.mean(ours):.0f} of {1e3 * np.mean(straight):.0f} mm"
                share = float(np.mean(ours) / np.mean(straight))
                found.append(Row(f"{name}, {seconds:g} s filled: off, of a line", share, 0.5, "", note=note))
    return found


def _joints(clip: Encoding) -> np.ndarray:
    motions = decode(clip, figure().character)
    return np.stack([motions[role].position for role in JOINTS], axis=1)


def _responses(network: SequenceNetwork, clips: Sequence[tuple[RecordingFile, Encoding]]) -> list[Row]:
    """Return after how many of their own steps walks stop, and whether they step again after a stand."""
    draw = np.random.default_rng(SEED)
    motions = [rows_of(clip) for one, clip in clips if one.group in (STEADY, OTHER) and len(clip) > RATE]
    frames, stop, go = int(RESPONSE_S * RATE), int(2.0 * RATE), int(7.0 * RATE)
    told = np.repeat([1.0, 0.0, 1.0], [stop, go - stop, frames - go])
    stops, again = [], []
    while len(stops) < RESPONSES:
        motion = motions[draw.integers(len(motions))]
        end = int(draw.integers(int(RATE), len(motion) + 1))
        past = motion[max(end - REMEMBERED, 0) : end]
        wish = GoingOn(past, Continuation(RESPONSE_S, told))
        if not WALKS[0] <= wish.speed <= WALKS[1]:
            continue
        step = (last_stride(past).frames or RATE) / 2.0
        rolled = roll_out(network, past, wish, frames)
        pace = np.convolve(rolled.steps[:, 0], np.ones(round(step)) / round(step), "same") * RATE
        there = np.abs(pace[stop:go]) < STILL * wish.speed
        stops.append(float(np.argmax(there)) / step if there.any() else np.inf)
        moves = (rolled.poses[rows].std(axis=0).mean() for rows in (slice(-stop, None), slice(stop)))
        again.append(next(moves) / next(moves))
    name = f"{RESPONSES} walks told to stop"
    return [
        Row(f"{name}: steps until they do, 9 of 10", float(np.quantile(stops, 0.9)), 2.5, ""),
        Row("told to go on: limbs move as before, 9 of 10", float(np.quantile(again, 0.1)), 0.6, "", True),
    ]
