"""How well motions go on by themselves: python -m benchmarks sequence [--mocap FOLDER].

`--mocap`: folders of recordings with a manifest.csv, of the shape of the shared `data/mocap`; default: the
shared ones, on which the network was trained, so only others judge it.
"""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.table import Row, best_of
from neurarig_addon.core.sequence.continuation import Continuation, GoingOn
from neurarig_addon.core.sequence.network import AHEAD, SequenceNetwork, bundled
from neurarig_addon.core.sequence.roll_out import EVERY, roll_out
from neurarig_addon.core.sequence.rows import RATE, Rows, placed, rows_of
from neurarig_addon.core.sequence.stride import REMEMBERED, last_stride
from neurarig_addon.training.recordings import RecordingFile
from neurarig_addon.training.sequence.files import BASELINES, HORIZONS, NETWORK, STRIDE, WISHED, Errors, judge
from neurarig_addon.training.sequence.windows import OTHER, REST, RUN, STEADY, encoded, recordings
from tests.shared_data import shared_path

MOCAP = "SEQUENCE_MOCAP"  # in the environment: the folders, separated as paths are
SEEDS, SECONDS, SEED = 200, 60.0, 7
FROM_S = 1.0  # seconds of a stranger's motion from which it is rolled out
WALKS, RUNS = (0.6, 2.0), (2.5, 4.0)  # m/s on the figure
TURNS = (0.0, 0.0, 15.0, 30.0, 45.0, 60.0, 90.0)  # degrees a second
CHARACTERS = 4
RESPONSES, RESPONSE_S, BEND = 40, 12.0, np.radians(60.0)  # walks, seconds of each, radians a second
# shares of the first seconds' liveliness and hips' height; change of the manner
_FROZEN, _FALLEN, _DRIFTED = 0.5, 0.85, 0.35
_SETTLES_S = 5.0  # seconds at the end that are compared
_FAR = HORIZONS.index(320)


def rows() -> list[Row]:
    """Judge the shipped network on recordings, print all errors, and return the figures."""
    network, chosen = (
        bundled(),
        [one for folder in folders() for one in recordings(folder) if one.group != REST],
    )
    errors = {(one.group, one.prediction): one for one in Errors.merged(judge(network, chosen))}
    for one in errors.values():
        print(one.line())
    return [*_horizons(errors), *_rolled_out(network, chosen), *_responses(network, chosen), *_cost(network)]


def folders() -> list[Path]:
    given = os.environ.get(MOCAP, "")
    return (
        [Path(one) for one in given.split(os.pathsep)]
        if given
        else [shared_path("data", "mocap"), shared_path("data", "gaits")]
    )


def _horizons(errors: dict[tuple[str, str], Errors]) -> list[Row]:
    """Return the errors relative to the best baseline."""
    found = []
    for group in dict.fromkeys(group for group, _ in errors):
        best = np.min([errors[group, name].millimetres for name in BASELINES], axis=0)
        if group == STEADY:
            best = errors[group, STRIDE].millimetres
        plain, told = errors[group, NETWORK].millimetres / best, errors[group, WISHED].millimetres / best
        note = f"{errors[group, NETWORK].windows} windows"
        limit = 1.3 if group == STEADY else 1.0
        against = "last stride repeated" if group == STEADY else "best baseline"
        found.append(
            Row(f"{group}: error over {against}, worst horizon", float(plain.max()), limit, "", note=note)
        )
        if group not in (STEADY, RUN):
            found.append(
                Row(f"{group}: told a wish, from 320 ms on", float(told[_FAR:].max()), 0.55, "", note=note)
            )
    return found


def _rolled_out(network: SequenceNetwork, chosen: Sequence[RecordingFile]) -> list[Row]:
    """Return what becomes of roll-outs of a minute from a second of recordings."""
    draw = np.random.default_rng(SEED)
    motions = [(one.group, rows_of(encoded(one))) for one in chosen if one.group in (STEADY, OTHER, RUN)]
    motions = [(group, motion) for group, motion in motions if len(motion) > FROM_S * RATE]
    seen = frozen = fallen = drifted = 0
    speeds, turns = [], []
    while seen < SEEDS:
        group, motion = motions[draw.integers(len(motions))]
        end = int(draw.integers(int(FROM_S * RATE), len(motion) + 1))
        past = motion[end - int(FROM_S * RATE) : end]
        fast = float(np.linalg.norm(placed(past.steps)[-1, :2])) / FROM_S
        low, high = RUNS if group == RUN else WALKS
        if not low <= fast <= high:
            continue
        seen += 1
        turn = float(np.radians(draw.choice(TURNS) * draw.choice([-1.0, 1.0])))
        wish = GoingOn(past, Continuation(SECONDS, 1.0, turn))
        asked, turn = wish.speed, turn + wish.turn
        rolled = roll_out(network, past, wish, int(SECONDS * RATE))
        first, last = (
            rolled.poses[rows]
            for rows in (slice(0, int(_SETTLES_S * RATE)), slice(-int(_SETTLES_S * RATE), None))
        )
        frozen += last.std(axis=0).mean() < _FROZEN * first.std(axis=0).mean()
        fallen += last[:, 0].min() < _FALLEN * first[:, 0].mean()
        drifted += np.linalg.norm(last.mean(axis=0) - first.mean(axis=0)) > _DRIFTED
        way = placed(rolled.steps)
        half = len(way) // 2
        went = np.linalg.norm(rolled.steps[half:, :2].mean(axis=0)) * RATE  # seen from the body, which turns
        speeds.append(abs(went / asked - 1.0))
        turns.append(
            abs((way[-1, 2] - way[half, 2]) / (len(way) - 1 - half) * RATE / turn - 1.0) if turn else 0.0
        )
    return [
        Row(f"{SEEDS} roll-outs of {SECONDS:.0f} s: frozen", frozen, 0, ""),
        Row("roll-outs: fallen", fallen, 0, ""),
        Row("roll-outs: another manner at the end", drifted, 0, ""),
        Row("roll-outs: off their speed, 19 of 20", 100.0 * float(np.quantile(speeds, 0.95)), 5.0, "%"),
        Row("roll-outs: off their turn, 19 of 20", 100.0 * float(np.quantile(turns, 0.95)), 10.0, "%"),
    ]


def _responses(network: SequenceNetwork, chosen: Sequence[RecordingFile]) -> list[Row]:
    """Return after how many of their own steps walks do what they are told anew, and whether they step again
    after a stand."""
    draw = np.random.default_rng(SEED)
    motions = [rows_of(encoded(one)) for one in chosen if one.group in (STEADY, OTHER)]
    motions = [motion for motion in motions if len(motion) > FROM_S * RATE]
    frames, stop, go = int(RESPONSE_S * RATE), int(2.0 * RATE), int(7.0 * RATE)
    found: dict[str, list[float]] = {name: [] for name in ("stop", "half as fast", "turn", "again")}
    while len(found["stop"]) < RESPONSES:
        motion = motions[draw.integers(len(motions))]
        end = int(draw.integers(int(FROM_S * RATE), len(motion) + 1))
        past = motion[max(end - REMEMBERED, 0) : end]
        if (
            not WALKS[0]
            <= float(np.linalg.norm(placed(past.steps[-int(FROM_S * RATE) :])[-1, :2])) / FROM_S
            <= WALKS[1]
        ):
            continue
        step = (last_stride(past).frames or RATE) / 2.0
        halt, slow, bend = np.ones(frames), np.ones(frames), np.zeros(frames)
        halt[stop:go], slow[stop:], bend[stop:] = 0.0, 0.5, BEND
        for name, speed, turn in (("stop", halt, 0.0), ("half as fast", slow, 0.0), ("turn", 1.0, bend)):
            wish = GoingOn(past, Continuation(RESPONSE_S, speed, turn))
            rolled = roll_out(network, past, wish, frames)
            pace = np.linalg.norm(_over(rolled.steps[:, :2], round(step)), axis=1) * RATE / wish.speed
            turning = _over(rolled.steps[:, 2:], round(2.0 * step))[:, 0] * RATE
            there = {
                "stop": pace < 0.15,
                "half as fast": np.abs(pace - 0.5) < 0.1,
                "turn": turning > wish.turn + 0.8 * BEND,
            }[name][stop:go]
            found[name].append(float(np.argmax(there)) / step if there.any() else np.inf)
            if name == "stop":
                found["again"].append(
                    float(
                        rolled.poses[-int(2.0 * RATE) :].std(axis=0).mean()
                        / rolled.poses[:stop].std(axis=0).mean()
                    )
                )
    rows = [Row(f"{RESPONSES} walks told to {name}: steps until they do, 9 of 10",
        float(np.quantile(found[name], 0.9)), 2.0, "")
            for name in ("stop", "turn")]  # fmt: skip
    slow = Row(
        "told to go half as fast: steps until they do, 9 of 10",
        float(np.quantile(found["half as fast"], 0.9)),
        2.0,
        "",
    )
    again = Row(
        "told to go on after a stand: limbs move as before, all but 1 of 10",
        float(np.quantile(found["again"], 0.1)),
        0.6,
        "",
        True,
    )
    return [*rows, slow, again]


def _over(values: np.ndarray, frames: int) -> np.ndarray:
    """Return values `(f, n)` as their means over some frames around each."""
    return np.stack([np.convolve(column, np.ones(frames) / frames, "same") for column in values.T], axis=1)


def _cost(network: SequenceNetwork) -> list[Row]:
    """Return the size of the network, and what a frame costs four characters."""
    draw = np.random.default_rng(SEED)
    past = Rows(np.tile(network.weights.mean.astype(float), (60, 1)), np.zeros((60, 3)), np.ones((60, 4)))
    pasts = [
        replace(past, poses=past.poses + 0.01 * draw.standard_normal(past.poses.shape))
        for _ in range(CHARACTERS)
    ]
    took = best_of(lambda: [network.ahead(one) for one in pasts])
    return [
        Row("learned parameters", network.weights.count, 400_000, ""),
        Row(
            f"{CHARACTERS} characters, a frame of each",
            1e3 * took / EVERY / CHARACTERS,
            0.5,
            "ms",
            note=f"predicted every {EVERY} frames",
        ),
        Row("one prediction of a second", 1e3 * took / CHARACTERS, 0.5 * AHEAD, "ms"),
    ]
