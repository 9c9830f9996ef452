"""What detection has to choose on one rig, with the truth: the problems that its constants are fitted to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from neurarig_addon.core.detection.arms import arm_candidates
from neurarig_addon.core.detection.biped import biped_evidence
from neurarig_addon.core.detection.conventions import name_votes
from neurarig_addon.core.detection.detect import around
from neurarig_addon.core.detection.ends import (
    collar_candidates,
    collar_evidence,
    toe_candidates,
    toe_evidence,
)
from neurarig_addon.core.detection.evidence import Evidence
from neurarig_addon.core.detection.figure import Figure, possible_ups
from neurarig_addon.core.detection.head import head_candidates
from neurarig_addon.core.detection.kinship import anatomical
from neurarig_addon.core.detection.legs import leg_candidates, single_legs
from neurarig_addon.core.detection.pairs import Candidates, LimbPair
from neurarig_addon.core.detection.trunk import chest_evidence, pelvis_above, way_up
from neurarig_addon.core.geometry.rotation import UP
from neurarig_addon.core.skeleton.roles import ARM_PARTS, LEG_PARTS, NECK, SIDES, SPINE, sided
from tests.drawn_skeletons.samples import Sample

QUESTIONS = ("legs", "arms", "head", "chest", "toe", "collar", "biped")
# question, what is seen of the candidates, which are right `(candidates,)`
Choice = tuple[str, Evidence, np.ndarray]


@dataclass(frozen=True)
class _Subject:
    """A figure as detection sees it, with role -> rows that may play it."""

    figure: Figure
    rows: Mapping[str, frozenset[int]]

    def plays(self, role: str, rows: np.ndarray | list[int]) -> np.ndarray:
        """Say `(n,)` which rows may play a role."""
        return np.isin(rows, list(self.rows.get(role, ())))


def choices(sample: Sample, lying: bool = False) -> Iterator[Choice]:
    """Yield all choices on a sample; those after a limb was chosen take the right limb for granted.

    `lying`: also whether the figure is a biped with another axis up.
    """
    names = name_votes(sample.skeleton)
    skeleton, rows = anatomical(sample.skeleton)
    names = names.on(rows)
    index = sample.skeleton.index
    roles = {
        role: frozenset(int(rows[index[bone]]) for bone in bones if bone in index)
        for role, bones in (sample.roles or {}).items()
    }
    for up in possible_ups(skeleton) if lying else [UP]:
        subject = _Subject(Figure(skeleton, up, names), roles)
        legs = leg_candidates(subject.figure, single_legs(subject.figure, names.spare))
        if legs is None:
            continue
        right = _matches(subject, legs, LEG_PARTS[:3])
        if sample.roles is None or right[np.argmax(legs.merit)] or up is not UP:
            yield _is_biped(subject, legs, bool(right[np.argmax(legs.merit)]))
        if sample.roles is not None and up is UP:
            yield "legs", legs.seen, right
            if right.any():
                yield from _around_legs(subject, _first_right(legs, right))


def _is_biped(subject: _Subject, legs: Candidates, biped: bool) -> Choice:
    found = around(subject.figure, legs.best(), subject.figure.names)
    return _with_none(
        "biped", biped_evidence(subject.figure, legs, found.arms, found.trunk), np.array([biped])
    )


def _around_legs(subject: _Subject, legs: LimbPair) -> Iterator[Choice]:
    figure = subject.figure
    sides = SIDES if subject.plays(sided("thigh", "L"), [int(legs.rows[0, 0])])[0] else SIDES[::-1]
    across = legs.across if sides == SIDES else -legs.across
    for limb, points, side in zip(legs.rows, legs.points, sides, strict=True):
        rows = toe_candidates(figure, limb, points, set(legs.rows.ravel().tolist()))
        if rows:
            evidence = toe_evidence(figure, limb, points, np.cross(across, UP), rows)
            yield from _if_known(subject, "toe", sided("toe", side), evidence, rows)
    used = {
        row for bone in (*legs.rows[:, 0], *legs.rows[:, 2]) if bone >= 0 for row in figure.below(int(bone))
    }
    candidates, arms = arm_candidates(figure, legs, used), None
    if candidates is not None:
        right = _matches(subject, candidates, ARM_PARTS[1:])
        if right.any() or sided("upper_arm", "L") not in subject.rows:
            yield _with_none("arms", candidates.seen, right)
        arms = _first_right(candidates, right) if right.any() else None
    if arms is not None:
        sides = SIDES if subject.plays(sided("upper_arm", "L"), [int(arms.rows[0, 0])])[0] else SIDES[::-1]
        for limb, side in zip(arms.rows, sides, strict=True):
            rows = collar_candidates(figure, arms, int(limb[0]))
            if rows:
                evidence = collar_evidence(figure, arms, int(limb[0]), rows)
                yield from _if_known(subject, "collar", sided("clavicle", side), evidence, rows)
    yield from _trunk(subject, legs, arms, used)


def _trunk(subject: _Subject, legs: LimbPair, arms: LimbPair | None, used: set[int]) -> Iterator[Choice]:
    heads = head_candidates(subject.figure, legs, arms, used)
    right = subject.plays("head", heads.rows) if heads else np.zeros(0, dtype=bool)
    if heads is None or not right.any():
        return
    yield "head", heads.seen, right
    chain = heads.chains[int(np.flatnonzero(right)[0])]
    chain = way_up(subject.figure, legs, pelvis_above(subject.figure, legs, chain), chain)
    if not chain:
        return
    way = chain[:-1]
    spine, neck = (np.any([subject.plays(role,
        way) for role in subject.rows if role.split(".")[0] == stem] or [[False] * len(way)], axis=0)
                   for stem in (SPINE, NECK))  # fmt: skip
    cuts = np.array([not neck[:cut].any() and not spine[cut:].any() for cut in range(len(way) + 1)])
    yield "chest", chest_evidence(subject.figure, chain, legs, arms), cuts


def _if_known(
    subject: _Subject, question: str, role: str, seen: Evidence, rows: list[int]
) -> Iterator[Choice]:
    """Yield a choice in which the part may be missing, unless it exists and is none of the candidates."""
    right = subject.plays(role, rows)
    if right.any() or role not in subject.rows:
        yield _with_none(question, seen, right)


def _with_none(question: str, seen: Evidence, right: np.ndarray) -> Choice:
    """Return a choice with one candidate more, of which nothing is seen: none of them."""
    return (
        question,
        {name: np.append(values, 0.0) for name, values in seen.items()},
        np.append(right, not right.any()),
    )


def _first_right(candidates: Candidates, right: np.ndarray) -> LimbPair:
    """Return the right pair with the greatest merit."""
    best = int(np.flatnonzero(right)[np.argmax(candidates.merit[right])])
    return candidates.pair(best)


def _matches(subject: _Subject, candidates: Candidates, parts: tuple[str, ...]) -> np.ndarray:
    """Say `(n,)` which pairs are the limbs, either side first; a part that the body lacks is no bone."""
    rows = candidates.limbs.rows
    wanted = [[list(subject.rows.get(sided(part, side), {-1})) for part in parts] for side in SIDES]

    def limb(chosen: np.ndarray, side: int) -> np.ndarray:
        return np.all([np.isin(rows[chosen, k], wanted[side][k]) for k in range(len(parts))], axis=0)

    one, other = candidates.pairs.one, candidates.pairs.other
    return (limb(one, 0) & limb(other, 1)) | (limb(one, 1) & limb(other, 0))
