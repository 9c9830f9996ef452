"""Who is who on rigs that nobody looked at: drawn skeletons, and the shared rigs with their family left
out."""

from collections.abc import Iterator
from time import process_time

import numpy as np

from benchmarks.table import Row
from neurarig_addon.core.detection.detect import detect_biped as detect
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.skeleton.roles import RoleMap
from tests.drawn_skeletons.bodies import UPRIGHT, draw_arm, draw_build, draw_leg, draw_trunk
from tests.drawn_skeletons.draft import Draft
from tests.drawn_skeletons.samples import Sample, creature, sample_of, samples
from tests.drawn_skeletons.strangers import STRANGERS
from tests.drawn_skeletons.vices import BESIDE, controls, layers

from .rigs import Rig, shared_rigs, without_tables_for
from .score import Score

DRAWS, CREATURES, OF_OTHER_KINDS, SEED = 1000, 300, 120, 2024  # the constants were fitted to another seed
BIG = 1000  # bones


def rows() -> list[Row]:
    """Measure, print the shares by group, and return the table's rows."""
    found = []
    for how in ("by name", "scrambled"):
        score = Score()
        for sample in samples(DRAWS, SEED):
            judge(sample.scrambled() if how == "scrambled" else sample, score)
        for sample in _creatures():
            judge(sample.scrambled() if how == "scrambled" else sample, score)
        print(f"{DRAWS} drawn skeletons, {how}: {score.lines()}")
        limit = 93.0 if how == "by name" else 85.0
        found += [
            Row(
                f"roles right, drawn skeletons, {how}",
                100.0 * score.share,
                limit,
                "%",
                True,
                f"all roles: {_whole(score)}",
            ),
            Row(
                f"what is no biped and walks, {how}",
                score.others - score.refused,
                0,
                "",
                note=f"of {score.others}",
            ),
        ]
    return found + _shared() + [Row(f"detection on {BIG} bones", 1e3 * slowest(), 200.0, "ms")]


def _creatures() -> Iterator[Sample]:
    """Yield what does not walk on two legs, also of kinds that the constants were not fitted to."""
    yield from (creature(np.random.default_rng([SEED, 1, k])) for k in range(CREATURES))
    yield from (creature(np.random.default_rng([SEED, 3, k]), STRANGERS) for k in range(OF_OTHER_KINDS))


def judge(sample: Sample, score: Score, either_side: bool = False) -> list[str]:
    """Detect one sample, count it, and return what is wrong."""
    found: RoleMap | None = None
    refusal = ""
    try:
        found = detect(sample.skeleton)
    except NeuraRigError as error:
        refusal = str(error)
    if sample.roles is not None:
        return score.add(sample.roles, found, either_side)
    score.others += 1
    score.refused += found is None
    return [] if refusal else ["walks"]


def crowd(bones: int, draw: np.random.Generator) -> Sample:
    """Draw a person with controls, layers and as many strands of hair and cloth as make that many bones."""
    build, draft = draw_build(draw, UPRIGHT), Draft()
    draft.add("root", None, [0.0, 0.0, 0.0], [0.0, 0.3, 0.0])
    height = draw_leg(draft, build, draw, UPRIGHT, "pelvis")
    chest = draw_trunk(draft, build, draw, np.array([0.0, 0.0, height]), "root")
    draw_arm(draft, build, draw, chest, wing=False)
    BESIDE["face"][0](draft, draw)
    layers(draft, draw, flat=False)
    controls(draft, draw)
    top = draft.bones["head"].tail
    strand = 0
    while 2 * len(draft.bones) < bones + 20:
        out = draw.normal(0.0, 0.05, 3)
        points = [top + out + np.array([0.05, 0.05, -0.04 * k]) for k in range(9)]
        draft.chain([f"strand {strand} {k}.L" for k in range(8)], "head", points)
        strand += 1
    draft.mirror(draw)
    return sample_of(draft, draw, "crowd")


def slowest() -> float:
    """Return the seconds that the slowest of some drawn rigs of a thousand bones takes when it is first seen,
    by the processor's clock."""
    rigs = [crowd(BIG, np.random.default_rng([SEED, 2, k])) for k in range(9)]
    took = []
    for rig in rigs:
        start = process_time()
        detect(rig.skeleton)
        took.append(process_time() - start)
    return max(took[1:])  # the first one has the tables of names read


def _shared() -> list[Row]:
    """Return the rows of the shared rigs."""
    limits = {"by name": 93.0, "tables of their family left out": 93.0, "scrambled": 85.0}
    scores = {how: Score() for how in limits}
    for rig in shared_rigs():
        _judge_rig(rig, rig.sample, scores["by name"], "by name")
        _judge_rig(rig, rig.sample.scrambled(), scores["scrambled"], "scrambled")
        with without_tables_for(rig.sample):
            _judge_rig(rig, rig.sample, scores["tables of their family left out"], "left out")
    for how, score in scores.items():
        print(f"shared rigs, {how}: {score.lines()}")
    return [
        Row(
            f"roles right, shared rigs, {how}",
            100.0 * score.share,
            limits[how],
            "%",
            True,
            f"all roles: {_whole(score)}",
        )
        for how, score in scores.items()
    ] + [
        Row(f"no bipeds among them that walk, {how}", score.others - score.refused, 0, "")
        for how, score in scores.items()
    ]


def _judge_rig(rig: Rig, sample: Sample, score: Score, how: str) -> None:
    wrong = judge(sample, score, rig.either_side)
    if wrong:
        print(f"  {rig.sample.kind}, {how}: {', '.join(wrong)}")


def _whole(score: Score) -> str:
    return f"{score.whole} of {score.bipeds}"
