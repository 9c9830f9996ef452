"""Choose the constants of detection and write data/detection.json: python -m benchmarks.detection.fit (needs
bpy and the shared rigs).

The present constants are where the search begins and what it stays near; `--afresh` begins with none. They
are fitted to drawn skeletons
and to the shared rigs; then each family of rigs is left out in turn, with all tables of names that
fit it, and detected with constants that never saw it: that is what the card reports. `--keep` does the second
alone.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from unittest.mock import patch

import numpy as np

from benchmarks.detection.logit import Problem, fitted, share_right
from benchmarks.detection.problems import QUESTIONS, Choice, choices
from benchmarks.detection.rigs import Rig, shared_rigs, without_tables_for
from benchmarks.detection.score import Score
from neurarig_addon.core.detection import evidence
from neurarig_addon.core.detection.detect import detect_biped as detect
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.files.whole_file import written_whole
from neurarig_addon.core.shipped import DATA, shipped
from tests.drawn_skeletons.samples import Sample, creature, drawn

SEED = 777  # the benchmark draws other seeds
DRAWN = "drawn"
_KEPT, _SPREAD = 120, 40  # wrong candidates of a choice: the likeliest ones, and some at random
_PARTS, _WORKERS = 12, 3  # of the drawing
_RIG_WEIGHT = 3.0  # of a rig that somebody made, against one that was drawn

Weights = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class _Seen:
    """A choice, thinned out, and the family it comes from."""

    family: str
    question: str
    seen: evidence.Evidence
    right: np.ndarray


def main() -> None:
    """Fit, leave families out, and write the constants with their card."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--draws", type=int, default=500)
    parser.add_argument("--creatures", type=int, default=600)
    parser.add_argument(
        "--rounds", type=int, default=2, help="candidates are looked for again with the constants found"
    )
    parser.add_argument("--folds", type=int, default=6)
    parser.add_argument("--afresh", action="store_true")
    parser.add_argument(
        "--keep", action="store_true", help="keep the present constants, and only leave families out"
    )
    parser.add_argument(
        "--question",
        action="append",
        choices=QUESTIONS,
        help="fit the constants of this one alone; may be repeated",
    )
    options = parser.parse_args()
    weights = evidence.weights()
    seen: list[_Seen] = []
    for _ in range(1 if options.keep else options.rounds):
        with using(weights):
            seen = list(_collected(options.draws, options.creatures))
        if options.keep:
            break
        found = fit(seen, {} if options.afresh else weights)
        weights = {**weights, **{question: found[question] for question in options.question or QUESTIONS}}
        print({question: round(_right(seen, question, weights), 4) for question in QUESTIONS}, flush=True)
    fitted_to = f"{options.draws} drawn skeletons, {options.creatures} drawn creatures and the shared rigs"
    card: dict[str, object] = shipped("detection")["card"]
    if not options.keep:
        card |= _fitted(card, options.question, fitted_to)
    if options.folds:
        _write(card, weights)
        card["families left out"] = leave_out(seen, options.folds) | {"fitted to": fitted_to}
    _write(card, weights)
    print(json.dumps(card, indent=1))


def _fitted(card: dict[str, object], questions: list[str] | None, fitted_to: str) -> dict[str, object]:
    """Return what the card says of the fit: of all constants, or of those of some questions since."""
    if questions is None:
        return {
            "fitted by": "python -m benchmarks.detection.fit",
            "fitted to": fitted_to,
            "fitted again since": {},
        }
    since = card.get("fitted again since")
    return {
        "fitted again since": (since if isinstance(since, dict) else {}) | dict.fromkeys(questions, fitted_to)
    }


def _write(card: dict[str, object], weights: Weights) -> None:
    with written_whole(DATA / "detection.json") as path:
        path.write_text(
            json.dumps({"card": card, "weights": weights}, indent=1, ensure_ascii=False) + "\n",
            encoding="utf-8",
        )


def using(weights: Weights):
    """Return a context in which detection weighs by other constants."""
    return patch.object(evidence, "weights", lambda: weights)


def fit(
    seen: Iterable[_Seen], start: Weights, keep: Callable[[str], bool] = lambda family: True
) -> dict[str, dict[str, float]]:
    """Return question -> evidence -> weight, of the families that are kept."""
    found = {}
    seen = [one for one in seen if keep(one.family)]
    for question in QUESTIONS:
        names = list(dict.fromkeys(name for one in seen if one.question == question for name in one.seen))
        first = np.array([start.get(question, {}).get(name, 0.0) for name in names])
        weights = fitted(_problems(seen, question, names), first)
        found[question] = dict(zip(names, weights.round(4).tolist(), strict=True))
    return found


def leave_out(seen: list[_Seen], folds: int) -> dict[str, float]:
    """Return the share of roles right on families that neither tables nor constants knew, by name and
    scrambled."""
    families = sorted({rig.family for rig in shared_rigs()})
    named, scrambled = Score(), Score()
    for k in range(folds):
        out = set(families[k::folds])
        with using(fit(seen, {}, keep=lambda family, out=out: family not in out)):
            for rig in (rig for rig in shared_rigs() if rig.family in out):
                with without_tables_for(rig.sample):
                    _judge(rig, rig.sample, named)
                _judge(rig, rig.sample.scrambled(), scrambled)
    return {
        "roles right": round(named.share, 4),
        "names scrambled, roles right": round(scrambled.share, 4),
        "no bipeds refused": round(named.refused / max(named.others, 1), 4),
    }


def _judge(rig: Rig, sample: Sample, score: Score) -> None:
    try:
        found = detect(sample.skeleton)
    except NeuraRigError:
        found = None
    if sample.roles is None:
        score.others += 1
        score.refused += found is None
    else:
        wrong = score.add(sample.roles, found, rig.either_side)
        if wrong:
            print(f"  {rig.sample.kind}: {wrong}")


def _collected(draws: int, creatures: int) -> Iterator[_Seen]:
    """Yield all choices: drawn skeletons, every other one with names that say nothing; rigs without their
    tables, and scrambled."""
    weights = evidence.weights()
    cuts = [(draws * k // _PARTS, creatures * k // _PARTS) for k in range(_PARTS + 1)]
    jobs = [
        (weights, range(first, last), range(start, end)) for (first, start), (last, end) in pairwise(cuts)
    ]
    with ProcessPoolExecutor(_WORKERS) as pool:
        for found in pool.map(_drawn, *zip(*jobs, strict=True)):
            yield from found
    draw = np.random.default_rng(SEED)
    for rig in shared_rigs():
        if rig.stands:
            with without_tables_for(rig.sample):
                yield from _thinned(rig.family, choices(rig.sample), draw)
            yield from _thinned(rig.family, choices(rig.sample), draw)
            yield from _thinned(
                rig.family, choices(rig.sample.scrambled(), lying=rig.sample.roles is None), draw
            )


def _drawn(weights: Weights, draws: range, creatures: range) -> list[_Seen]:
    """Return the choices on some of the drawn skeletons."""
    found: list[_Seen] = []
    draw = np.random.default_rng([SEED, draws.start])
    with using(weights):
        for k in draws:
            sample = drawn(SEED, k)
            found += _thinned(DRAWN, choices(sample.scrambled() if k % 2 else sample, lying=k % 8 == 0), draw)
        for k in creatures:
            sample = creature(np.random.default_rng([SEED, 1, k]))
            found += _thinned(DRAWN, choices(sample.scrambled() if k % 2 else sample, lying=k % 8 == 0), draw)
    return found


def _thinned(family: str, found: Iterable[Choice], draw: np.random.Generator) -> Iterator[_Seen]:
    """Yield choices with the wrong candidates thinned out; those without a right one teach nothing."""
    for question, seen, right in found:
        if right.any():
            wrong = np.flatnonzero(~right)
            likely = wrong[
                np.argsort(
                    -evidence.weighed(question, {name: values[wrong] for name, values in seen.items()}),
                    kind="stable",
                )
            ]
            kept = np.concatenate(
                [np.flatnonzero(right), likely[:_KEPT], draw.permutation(likely[_KEPT:])[:_SPREAD]]
            )
            yield _Seen(family, question, {name: values[kept] for name, values in seen.items()}, right[kept])


def _problems(seen: Iterable[_Seen], question: str, names: list[str]) -> list[Problem]:
    return [
        Problem(
            np.stack([one.seen.get(name, np.zeros(len(one.right))) for name in names], axis=1),
            one.right,
            1.0 if one.family == DRAWN else _RIG_WEIGHT,
        )
        for one in seen
        if one.question == question
    ]


def _right(seen: Iterable[_Seen], question: str, weights: Weights) -> float:
    names = list(weights[question])
    return share_right(
        _problems(seen, question, names), np.array([weights[question][name] for name in names])
    )


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # some bpy modules crash in the interpreter's own exit
