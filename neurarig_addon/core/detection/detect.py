"""The roles on an armature: from the names and the shape of the skeleton; the shape decides."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..errors import NeuraRigError
from ..geometry.rotation import UP, norms
from ..skeleton.reversed_feet import with_feet_forward
from ..skeleton.roles import (
    ARM_PARTS,
    LEG_PARTS,
    NECK,
    SIDES,
    SPINE,
    RoleMap,
    mirrored,
    numbered,
    sided,
    stem_of,
)
from ..skeleton.skeleton import Skeleton
from .animal import animal_roles, is_surely_bird
from .arms import find_arms
from .biped import biped_merit
from .conventions import NameVotes, name_votes
from .ends import best_collar, best_toe
from .figure import SAME_POINT, Figure, possible_ups
from .head import find_eyes
from .kinship import anatomical
from .legs import leg_candidates, single_legs, unfolded
from .limbs import first_piece, lengths
from .pairs import Candidates, LimbPair
from .refusals import (
    check_roles,
    refuse_collapsed,
    refuse_flat_shin,
    refuse_folded,
    refuse_pair,
    refuse_without_pair,
    require_apart,
)
from .sides import first_is_left
from .trunk import Trunk, find_trunk

# share of the leg bones on which names and shape must agree before names may fill in other roles
_TRUSTED = 0.5
TOPS = ("thigh", "upper_arm")  # the first parts of limbs
_NEAR_HIPS = 0.5  # leg lengths: how far above or below the hips a bone named as the pelvis may be
_LYING = 10.0  # log odds that a lying biped needs: frogs on their back look like people squatting
# share of the leg's length from hip to ankle: people lie with straight legs, crabs on their back do not
_STRETCHED = 0.85


@dataclass(frozen=True)
class _Findings:
    """What was found by the shape of the skeleton, with sides sorted: rows of `legs` are left, right.

    `candidates`: all pairs of legs; `merit`: log odds of a biped.
    """

    figure: Figure
    legs: LimbPair
    arms: LimbPair | None
    trunk: Trunk | None
    candidates: Candidates | None = None
    merit: float = 0.0


def detect(skeleton: Skeleton) -> RoleMap:
    """Return the roles of a biped's bones, or of an animal's if it is no biped; raises NeuraRigError, saying
    why, if an armature is neither."""
    try:
        return detect_on_two_legs(skeleton)
    except NeuraRigError as refusal:
        found = detect_animal(skeleton)
        if found is None:
            raise refusal
        return found


def detect_on_two_legs(skeleton: Skeleton) -> RoleMap:
    """Return the roles of a biped's bones, or of a bird's that could be a biped; raises as `detect_biped`."""
    found = detect_biped(skeleton)
    if all(found.has(sided(part, side)) for part in ARM_PARTS for side in SIDES):
        return found  # whole arms are no wings
    animal = animal_roles(skeleton)
    return animal if animal is not None and is_surely_bird(skeleton, animal) else found


def detect_animal(skeleton: Skeleton) -> RoleMap | None:
    """Return the roles of a quadruped's or bird's bones, None if an armature is neither; raises NeuraRigError
    if they cannot walk."""
    found = animal_roles(skeleton)
    if found is not None:
        check_roles(skeleton, found)
    return found


def detect_biped(skeleton: Skeleton) -> RoleMap:
    """Return the roles of a biped's bones; raises NeuraRigError, saying why, if an armature is not a
    biped."""
    require_apart(skeleton)
    skeleton = with_feet_forward(skeleton)
    try:
        found = _detected(skeleton)
    except NeuraRigError as refusal:
        raise refuse_collapsed(skeleton) or refusal from None
    return replace(found, eyes=find_eyes(skeleton, found))


def _detected(skeleton: Skeleton) -> RoleMap:
    names = name_votes(skeleton)
    if len(skeleton.names) < 2:
        raise refuse_without_pair(skeleton, names)
    skeleton, rows = anatomical(skeleton)
    names = names.on(rows)
    findings = _look(skeleton, names)
    if findings is None:
        return _from_names_alone(skeleton, names)
    refuse_flat_shin(findings.figure, findings.legs)
    standing = unfolded(skeleton, names, findings.legs)
    if standing is None:
        return _combine(skeleton, names, findings)
    findings = _look(standing, names)
    if findings is None:
        raise refuse_folded(skeleton.names[names.rows["shin.L"]])
    return _combine(standing, names, findings)


def check(skeleton: Skeleton, roles: RoleMap) -> None:
    """Raise NeuraRigError if a (hand-corrected) map cannot walk: missing, doubled or impossible bones."""
    check_roles(with_feet_forward(skeleton), roles)


def _look(skeleton: Skeleton, names: NameVotes) -> _Findings | None:
    """Return the findings on the figure standing, or else lying; None if nothing looks like a biped."""
    best, least = None, 0.0
    for up in possible_ups(skeleton):
        findings = look_upright(Figure(skeleton, up, names), names)
        lies = up is not UP
        if findings is not None and findings.merit > least and (not lies or _is_stretched(findings.legs)):
            best, least = findings, findings.merit
        if up is UP and best is not None:
            return best
        least = max(least, _LYING)
    return best


def _is_stretched(legs: LimbPair) -> bool:
    """Return whether both legs are nearly straight."""
    reach = norms(legs.points[:, 2] - legs.points[:, 0])
    return bool((reach > _STRETCHED * lengths(legs.points)).all())


def look_upright(figure: Figure, names: NameVotes) -> _Findings | None:
    """Return the findings on a figure with its feet down; None without a pair of legs."""
    candidates = leg_candidates(figure, single_legs(figure, names.spare))
    if candidates is None:
        return None
    findings = around(figure, candidates.best(), names)
    return replace(
        findings, candidates=candidates, merit=biped_merit(figure, candidates, findings.arms, findings.trunk)
    )


def around(figure: Figure, legs: LimbPair, names: NameVotes) -> _Findings:
    """Return the findings around a pair of legs: its arms and trunk, with sides sorted."""
    used = {row for top in legs.rows[:, ::2].ravel().tolist() if top >= 0 for row in figure.below(top)}
    arms = find_arms(figure, legs, used)
    trunk = find_trunk(figure, legs, arms, used)
    if not first_is_left(figure, legs, arms, trunk.head if trunk else -1, _named_sides(legs, names)):
        legs, arms = legs.swapped(), arms.swapped() if arms else None
    return _Findings(figure, legs, arms, trunk)


def _named_sides(legs: LimbPair, names: NameVotes) -> float:
    """Return +1 if the names call the first leg left, -1 if right, 0 if they do not say or disagree."""
    roles = names.roles_of()
    calls = [roles.get(int(row), "") for row in legs.rows[0]] + [
        mirrored(roles.get(int(row), "")) for row in legs.rows[1]
    ]
    return float(
        np.sign(sum(call.endswith(".L") for call in calls) - sum(call.endswith(".R") for call in calls))
    )


def _combine(skeleton: Skeleton, names: NameVotes, findings: _Findings) -> RoleMap:
    """Return the map: limbs by shape (which has weighed their names), the rest by name if the names are
    trusted."""
    figure, legs, arms, trunk = findings.figure, findings.legs, findings.arms, findings.trunk
    rows: dict[str, int] = {}
    for side, limb in zip(SIDES, legs.rows, strict=True):
        rows.update(zip((sided(part, side) for part in LEG_PARTS[:3]), map(int, limb), strict=True))
    if arms is not None:
        for side, limb in zip(SIDES, arms.rows, strict=True):
            rows.update(zip((sided(part, side) for part in ARM_PARTS[1:]), map(int, limb), strict=True))
    votes = names
    if _named_sides(legs, names) < 0.0:
        votes = NameVotes(names.convention, {mirrored(role): row for role, row in names.rows.items()})
    rows = {
        role: _named_twin(figure, votes, role, figure.deforming_twin(row))
        for role, row in rows.items()
        if row >= 0
    }
    rows |= {role: _first_piece(figure, rows, role) for role in rows if stem_of(role) in TOPS}
    if _far_from_hips(figure, legs, votes.rows.get("pelvis", -1)):
        votes = NameVotes(
            votes.convention, {role: row for role, row in votes.rows.items() if role != "pelvis"}
        )
    trusted = _agreement(rows, names) >= _TRUSTED
    if trunk is not None:
        rows["pelvis"] = trunk.pelvis
        rows.update(numbered(SPINE, trunk.spine))
        rows.update(numbered(NECK, trunk.neck))
        rows["head"] = trunk.head
    if trusted:
        _fill_in(rows, votes)
    if arms is not None:
        _find_collars(figure, arms, rows, votes)
    for side, limb, points in zip(SIDES, legs.rows, legs.points, strict=True):
        toe = sided("toe", side)
        if toe not in rows:
            rows[toe] = best_toe(figure, limb, points, np.cross(legs.across, UP), set(rows.values()))
    found = RoleMap({role: skeleton.names[row] for role, row in rows.items() if row >= 0})
    check_roles(skeleton, found)
    return found


def _far_from_hips(figure: Figure, legs: LimbPair, row: int) -> bool:
    """Return whether a bone named as the pelvis is far from the hips: `root` is the pelvis of some rigs, and
    on the floor in most."""
    return row >= 0 and abs(figure.heads[row, 2] - legs.middle[2]) > _NEAR_HIPS * legs.length


def _agreement(rows: dict[str, int], names: NameVotes) -> float:
    """Return the share of the leg bones found by shape to which the names give the same part."""
    parts = {row: role.rsplit(".", 1)[0] for role, row in names.rows.items()}
    legs = [
        (row, role.rsplit(".", 1)[0])
        for role, row in rows.items()
        if role.rsplit(".", 1)[0] in LEG_PARTS and row >= 0
    ]
    return sum(parts.get(row) == part for row, part in legs) / max(len(legs), 1)


def _named_twin(figure: Figure, names: NameVotes, role: str, row: int) -> int:
    """Return the bone that the names give to a role if it starts at the same joint as the one found: names
    choose between equals."""
    named = names.rows.get(role, row)
    same = row >= 0 and norms(figure.heads[named] - figure.heads[row]) < SAME_POINT * figure.size
    return named if same else row


def _first_piece(figure: Figure, rows: Mapping[str, int], role: str) -> int:
    """Return the first bone of a limb. If that of an arm hangs on the trunk it is the collar bone, and the
    arm's bone stays as it is."""
    row, other = rows[role], rows.get(mirrored(role), -1)
    first = first_piece(figure, row)
    above = int(figure.skeleton.parents[first])
    is_collar = role.startswith(ARM_PARTS[1]) and (above < 0 or bool(figure.is_above[above, other]))
    return row if is_collar else first


def _fill_in(rows: dict[str, int], names: NameVotes) -> None:
    """Let trusted names decide what the shape leaves uncertain: the trunk, toes, collar bones, and arms that
    it did not find."""
    taken = {row for role, row in rows.items() if stem_of(role) in LEG_PARTS + ARM_PARTS and row >= 0}
    if "pelvis" not in names.rows:
        taken.add(rows.get("pelvis", -1))  # keypoints' legs hang on a neck
    named = {role: row for role, row in names.rows.items() if row not in taken}
    if "head" in named:
        _replace(rows, named, ("head", NECK) if NECK in named else ("head",))
    spine = {row for role, row in named.items() if stem_of(role) == SPINE}
    unnamed_trunk = {
        row for role, row in rows.items() if stem_of(role) in ("pelvis", NECK, "head") and role not in named
    }
    found = {row for role, row in rows.items() if stem_of(role) == SPINE} - (set(named.values()) - spine)
    if spine and not spine & unnamed_trunk and not spine < found:
        _replace(rows, named, (SPINE,))
    _replace(rows, named, ("pelvis",) if "pelvis" in named else ())
    for role, row in named.items():
        if stem_of(role) in ("toe", *ARM_PARTS):
            rows.setdefault(role, row)


def _replace(rows: dict[str, int], named: dict[str, int], stems: tuple[str, ...]) -> None:
    """Replace all roles of these stems, and free the bones that the names give to them."""
    wanted = {role: row for role, row in named.items() if stem_of(role) in stems}
    for role in [role for role, row in rows.items() if stem_of(role) in stems or row in wanted.values()]:
        del rows[role]
    rows.update(wanted)


def _find_collars(figure: Figure, arms: LimbPair, rows: dict[str, int], names: NameVotes) -> None:
    """Add the collar bones between the trunk and the upper arms if the names gave none and gave these bones
    no other role."""
    for side, limb in zip(SIDES, arms.rows, strict=True):
        bone, role = best_collar(figure, arms, int(limb[0])), sided("clavicle", side)
        if bone >= 0 and bone not in rows.values() and names.roles_of().get(bone, role) == role:
            rows.setdefault(role, bone)


def _from_names_alone(skeleton: Skeleton, names: NameVotes) -> RoleMap:
    """Return the map by names of a figure whose rest pose shows no legs; each leg's bones must be a chain."""
    rows = dict(names.rows)
    chained = all(
        {"pelvis", sided("thigh", side), sided("shin", side)} <= set(rows)
        and rows[sided("thigh", side)] in skeleton.ancestors(rows[sided("shin", side)])
        for side in SIDES
    )
    findings = look_upright(Figure(skeleton, names=names), names) if len(skeleton.names) else None
    if findings is None or findings.candidates is None:
        if not chained:
            raise refuse_without_pair(skeleton, names)
    else:  # a figure that has legs but does not stand on them is not a biped, whatever its bones are called
        above = findings.trunk is not None and bool(findings.trunk.spine or findings.trunk.head >= 0)
        raise refuse_pair(findings.figure, findings.candidates, above)
    found = RoleMap({role: skeleton.names[row] for role, row in rows.items()})
    check_roles(skeleton, found)
    return found
