"""Skeletons drawn at random: all that is seen of them, their roles by shape and by name, bodies and anatomies; and what is refused."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.detection.samples import Sample, biped, creature
from neurarig_addon.core.character.character import Character
from neurarig_addon.core.character.integrity import integrity, without_open
from neurarig_addon.core.character.measure import measure
from neurarig_addon.core.detection.arms import arm_candidates
from neurarig_addon.core.detection.biped import biped_evidence
from neurarig_addon.core.detection.conventions import name_votes
from neurarig_addon.core.detection.detect import check, detect, look_upright
from neurarig_addon.core.detection.ends import collar_candidates, collar_evidence, toe_candidates, toe_evidence
from neurarig_addon.core.detection.figure import Figure, possible_ups
from neurarig_addon.core.detection.head import head_candidates
from neurarig_addon.core.detection.kinship import anatomical
from neurarig_addon.core.detection.trunk import chest_evidence
from neurarig_addon.core.geometry.rotation import about_x, about_y, about_z, between, from_axis_angle, normalized
from neurarig_addon.core.skeleton.anatomy import anatomy, limb_members
from neurarig_addon.core.skeleton.roles import RoleMap
from neurarig_addon.core.skeleton.skeleton import Skeleton
from neurarig_addon.core.skeleton.standing_pose import raised, soles_stood, stands, stood
from tests.core import skeletons as made
from tests.core.plain_figure import PLAIN, elsewhere, with_bones
from tests.core.record.asking import asked
from tests.core.record.condensed import Answer
from tests.core.record.names import named, renamings, tables

SEED = 2026


def warped(skeleton: Skeleton) -> Skeleton:
    """Return a skeleton bent a little and unevenly, joints and all, so that nothing lies at a threshold and no sides are quite alike."""
    heads = skeleton.rest[:, :3, 3]
    tails = heads + skeleton.rest[:, :3, 1] * skeleton.lengths[:, None]
    size = np.ptp(np.concatenate([heads, tails]), axis=0).max()

    def bent(points: np.ndarray) -> np.ndarray:
        x, y, z = 7.0 * points.T / size
        return points + 1e-3 * size * np.stack([np.sin(y + 2.3 * z), np.sin(1.7 * z + x), np.sin(1.3 * x - y)], axis=1)

    start, end = bent(heads), bent(tails)
    rest = skeleton.rest.copy()
    rest[:, :3, :3] = between(tails - heads, end - start) @ rest[:, :3, :3]
    rest[:, :3, 3] = start
    return replace(skeleton, rest=rest, lengths=np.linalg.norm(end - start, axis=1))


def found(skeleton: Skeleton) -> Answer:
    """Return who is who in a skeleton, and what is seen of it."""
    names = name_votes(skeleton)
    below, rows = anatomical(skeleton)
    figures = [Figure(below, up, names.on(rows)) for up in possible_ups(below)]
    seen = look_upright(figures[0], names.on(rows))
    answer = {
        "roles": asked(lambda: detect(skeleton).bones),
        "votes": [names.rows, names.convention],
        "rows": rows,
        "parents": below.parents,
        "floors": [[figure.floor, figure.size, figure.depth, figure.joint_depth] for figure in figures],
    }
    if seen is None or seen.candidates is None:
        return answer
    figure, legs, arms, trunk = seen.figure, seen.legs, seen.arms, seen.trunk
    used = {row for top in legs.rows[:, 0] for row in figure.below(int(top))}
    heads = head_candidates(figure, legs, arms, used)
    candidates = seen.candidates
    more = {"legs": [legs, candidates.pairs, candidates.seen, candidates.merit], "biped": biped_evidence(figure, candidates, arms, trunk)}
    more["heads"] = [heads.rows, heads.chains, heads.seen] if heads else None
    more["merit"] = seen.merit
    toes = [toe_candidates(figure, limb, points, set()) for limb, points in zip(legs.rows, legs.points, strict=True)]
    more["toes"] = [
        toe_evidence(figure, legs.rows[n], legs.points[n], np.array([0.0, -1.0, 0.0]), rows) for n, rows in enumerate(toes) if rows
    ]
    if arms:
        others = arm_candidates(figure, legs, used)
        more["arms"] = [arms, others.pairs, others.seen, others.merit] if others else arms
        collars = [(top, collar_candidates(figure, arms, int(top))) for top in arms.rows[:, 0]]
        more["collars"] = [collar_evidence(figure, arms, int(top), rows) for top, rows in collars if rows]
    if trunk:
        more["trunk"] = [trunk, chest_evidence(figure, [*trunk.spine, *trunk.neck, trunk.head], legs, arms)]
    return {**answer, **more}


def measured(skeleton: Skeleton, roles: RoleMap) -> Answer:
    """Return what a character is measured as, and how it holds together in a drawn pose."""
    draw = np.random.default_rng(8)
    character = Character.of(skeleton, roles)
    body, heads = anatomy(skeleton, roles), skeleton.rest[:, :3, 3]
    turn = from_axis_angle(normalized(draw.normal(size=(len(heads), 3))), draw.uniform(-0.3, 0.3, len(heads)))
    posed = skeleton.rest.copy()
    posed[:, :3, :3] = turn @ posed[:, :3, :3]
    posed[:, :3, 3] += draw.uniform(-0.02, 0.02, heads.shape) * body.leg
    below = np.array(sorted(draw.choice(len(heads), len(heads) // 2, replace=False)))
    posed[below] = skeleton.rest[below]
    whole = integrity(body, np.stack([posed, skeleton.rest]))
    soles = {side: _sole(skeleton, roles, side, draw) for side in "LR" if roles.bones.get(f"foot.{side}")}
    return {
        "body": character.body,
        "reference": character.reference,
        "anatomy": body,
        "members": limb_members(skeleton, roles),
        "whole": [whole.gaps, set(whole.open_joints), set(whole.left_behind)],
        "closed": without_open(body, posed),
        "with soles": asked(lambda: measure(skeleton, roles, soles)),
        "stands": stands(skeleton, roles),
    }


def _sole(skeleton: Skeleton, roles: RoleMap, side: str, draw: np.random.Generator) -> np.ndarray:
    """Return points of a skin around a foot `(n, 3)` in armature space."""
    row = skeleton.index[roles.bones[f"foot.{side}"]]
    start = skeleton.rest[row, :3, 3]
    length = skeleton.lengths[row]
    along = skeleton.rest[row, :3, 1] * length
    return start + draw.uniform(-0.4, 1.6, (60, 1)) * along + draw.uniform(-0.3, 0.3, (60, 3)) * length


def drawn(sample: Callable[[], Sample]) -> Callable[[], Answer]:
    """Return what is found of a drawn skeleton, with its names and without; and its measures, by its true roles."""

    def answer() -> Answer:
        one = sample()
        one = replace(one, skeleton=warped(one.skeleton))
        nameless = one.scrambled()
        told = {f"named {name}": part for name, part in found(one.skeleton).items()} | dict(found(nameless.skeleton))
        roles = asked(lambda: detect(one.skeleton))
        return {**told, **(measured(one.skeleton, roles) if isinstance(roles, RoleMap) else {})}

    return answer


def table(bones: made.Table, deform: str = "", **given: Any) -> Callable[[], Answer]:
    """Return what is found of a table; where it is told, bones whose name begins so alone deform."""

    def answer() -> Answer:
        subject = made.skeleton(bones, **given)
        return found(replace(subject, deform=np.array([name.startswith(deform) for name in subject.names])) if deform else subject)

    return answer


def corrected() -> Answer:
    """Return what is said of maps that somebody has corrected badly."""
    draw, subject = np.random.default_rng(5), made.skeleton(made.with_twists(made.biped()))
    known, answers = detect(subject).bones, {}
    for number in range(60):
        roles = dict(known)
        for role in draw.choice(sorted(roles), 2, replace=False):
            match draw.integers(0, 3):
                case 0:
                    del roles[role]
                case 1:
                    roles[role] = str(draw.choice(subject.names))
                case _:
                    roles[role] = roles[str(draw.choice(sorted(roles)))]
        answers[f"map {number}"] = asked(lambda roles=roles: check(subject, RoleMap(roles)))
    short = [replace(subject, lengths=np.where(np.array(subject.names) == known[role], 1e-9, subject.lengths)) for role in sorted(known)]
    return {"maps": answers, "short": [asked(lambda one=one: detect(one).bones) for one in short]}


def refused() -> Answer:
    """Return what is said of skeletons that lack something."""
    human, answers = made.biped(), {}
    for stem in ("thigh", "calf", "foot", "ball", "upperarm", "lowerarm", "pelvis", "spine", "head"):
        for side in ("", "_l", "_r"):
            left = {name: bone for name, bone in human.items() if not (name.startswith(stem) and name.endswith(side))}
            kept = {name: (up if up in left else None, head, tail) for name, (up, head, tail) in left.items()}
            answers[stem + side] = asked(lambda kept=kept: detect(made.skeleton(kept)).bones)
            answers[f"{stem}{side}, nameless"] = asked(lambda kept=kept: detect(made.scrambled(made.skeleton(kept))[0]).bones)
    return {"lacking": answers}


def lying() -> Answer:
    """Return how those stand who lie, hang and sit."""
    subject, roles = made.skeleton(made.biped()), RoleMap(made.EXPECTED)
    answers = {}
    for name, turn in {
        "back": about_x(np.array(-1.4)),
        "side": about_y(np.array(1.3)),
        "tilted": about_z(np.array(0.5)) @ about_x(np.array(2.9)),
    }.items():
        matrix = np.eye(4)
        matrix[:3, :3], matrix[:3, 3] = turn, [0.3, -0.2, 0.4]
        lies = replace(subject, rest=matrix @ subject.rest)
        standing = raised(lies, roles)
        soles = soles_stood({"L": np.random.default_rng(1).normal(size=(5, 3))}, standing)
        answers[name] = [standing, stood(lies, roles, standing), soles, stands(lies, roles), asked(lambda lies=lies: measure(lies, roles))]
    return answers


def cases() -> dict[str, Callable[[], Answer]]:
    """Return the scenarios by name."""
    four = PLAIN | elsewhere("thigh", "shin", "foot", "toe", by=(0.0, 0.8, 0.0), before="hind_")
    return {
        **{f"biped {k}": drawn(lambda k=k: biped(np.random.default_rng([SEED, k]))) for k in range(24)},
        **{f"creature {k}": drawn(lambda k=k: creature(np.random.default_rng([SEED, 1, k]))) for k in range(24)},
        "plain": table(with_bones()),
        "four legs": table(four),
        "quadruped": table(made.quadruped()),
        "twists, lying": table(
            made.with_twists(made.biped()), to_world=made.object_matrix(0.01, True, 30.0), rolls=np.random.default_rng(1)
        ),
        "deforms in part": table(made.with_twists(made.biped()), "thigh"),
        "corrected": corrected,
        "refused": refused,
        "lying": lying,
        "renamed": renamings,
        "names": named,
        "tables": tables,
    }
