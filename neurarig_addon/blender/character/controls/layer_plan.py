"""What a control layer consists of, computed from the rest pose: bones and constraints to add, bones to
drive.

Visible controls: root on the ground, pelvis, and for each leg foot, ball and knee pole, their axes aligned
with the character (x right,
y forward, z up). Each foot control carries the pivots of its roll (`gait/feet/foot_roll`) as a chain: heel,
tip, toe joint.
The ankle hangs on the last, the toes on the tip. Hidden behind them, each leg has two bones of our own, `leg`
and `calf`, which alone do
the inverse kinematics.
Their hinge is exactly their x axis and they are bent at rest, so that the solver has one answer and a
straight leg cannot flip.
The character's bones copy hidden twins that follow all these; so it does not matter how its own bones point
or are parented, and its
feet are exactly where the controls say even if the solver is not.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ....core.body.legs import pole_distance
from ....core.body.sole import Sole
from ....core.character.body import FORWARD, Body
from ....core.gait.feet.foot_roll import PIVOTS, roll_points
from ....core.geometry.rotation import about_x, about_z, frame, norms
from ....core.geometry.vectors import transformed
from ....core.skeleton.roles import (
    ARM_PARTS,
    FORE_OF,
    LEG_PARTS,
    SIDES,
    TAIL,
    RoleMap,
    carrier_role,
    hangs_on_carrier,
    leg_parts,
    roles_above,
    sided,
    stem_of,
)
from ....core.skeleton.skeleton import Skeleton
from .attachment import BY_BOTH, BY_LOCATION, BY_ROTATION

REST_BEND = np.radians(20.0)  # bend of our own knee; enough to tell the solver its direction
ROLL_SIZE = 0.05  # leg lengths: length of a foot's pivot bones
UNTURNED = np.eye(3)
# columns: right, forward, up in the walk frame
CONTROL_AXES = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])

# our bones of a hind leg -> those of a fore leg
_FORE_KEYS = {
    "foot": "forefoot", "ball": "foreball", "hock": "wrist", "knee": "elbow", "leg": "foreleg",
    "calf": "forecalf", "ankle": "foreankle",
}  # fmt: skip


@dataclass(frozen=True)
class LayerLeg:
    """A leg of a layer: its girdle and row; `key`: what our bones of it are called, `role`: the roles of the
    character's, both by the part of a hind leg. It hangs on our bone `parent` or the character's
    `on_bone`."""

    body: Body
    row: int
    key: Mapping[str, str]
    role: Mapping[str, str]
    parent: str = ""
    on_bone: str = ""

    @classmethod
    def hind(cls, body: Body, row: int) -> "LayerLeg":
        """Return a leg on the pelvis."""
        key = {part: sided(part, SIDES[row]) for part in _FORE_KEYS}
        return cls(body, row, key, {part: sided(part, SIDES[row]) for part in LEG_PARTS}, "pelvis")

    @classmethod
    def fore(cls, plan: "LayerPlan", roles: RoleMap, body: Body, row: int) -> "LayerLeg":
        """Return a fore leg of a quadruped, on what carries it there."""
        key = {part: sided(fore, SIDES[row]) for part, fore in _FORE_KEYS.items()}
        role = {part: sided(fore, SIDES[row]) for part, fore in FORE_OF.items()}
        bone = roles.get(carrier_role(roles, role["thigh"])) or ""
        return cls(body.front, row, key, role, plan.copies.get(bone, ""), bone)


@dataclass(frozen=True)
class NewBone:
    """A bone to add.

    `key`: its purpose. `parent`: key of one of ours, or ''. `on_bone`: a bone of the character to be the
    parent instead.
    Its rest is that of the character's bone `twin_of`, moved by `moved` `(4, 4)`; or `rest` `(4, 4)` in
    armature space, `length` in
    armature units.
    `shape`: custom shape of a visible control, '' for a hidden bone; it is drawn `drop` armature units below
    the bone's head.
    """

    key: str
    parent: str = ""
    on_bone: str = ""
    twin_of: str = ""
    moved: np.ndarray | None = None
    rest: np.ndarray | None = None
    length: float = 0.0
    shape: str = ""
    drop: float = 0.0


@dataclass
class LayerPlan:
    """Everything in a layer; `copies`: the character's bone -> key of the bone that it copies."""

    bones: list[NewBone] = field(default_factory=list)
    copies: dict[str, str] = field(default_factory=dict)
    # (key or bone name, role, location, rotation)
    drives: list[tuple[str, str, bool, bool]] = field(default_factory=list)
    # (bone that solves a leg, its target, its pole)
    reaches: list[tuple[str, str, str]] = field(default_factory=list)
    deform: list[list] = field(default_factory=list)
    root_bone: str = ""
    along: Mapping[str, str] = field(default_factory=dict)


def plan_layer(skeleton: Skeleton, roles: RoleMap, body: Body, along: Mapping[str, str]) -> LayerPlan:
    """Return the control layer of a character; `along`: bones that are posed along with a role, see
    `fk.left_behind`."""
    plan = LayerPlan(root_bone=common_root(skeleton, roles), along=along)
    _add_trunk(plan, roles, body)
    for row in range(2):
        _add_leg(plan, roles, LayerLeg.hind(body, row))
    _add_turning_bones(plan, skeleton, roles)
    for row in range(0 if body.fore is None else 2):
        _add_leg(plan, roles, LayerLeg.fore(plan, roles, body, row))
    plan.deform = deform_drives(skeleton, roles, plan.root_bone, along)
    return plan


def common_root(skeleton: Skeleton, roles: RoleMap) -> str:
    """Return the bone without a role above all roles, '' if the rig has none."""
    rows = roles.rows(skeleton)
    tops = {([row] + skeleton.ancestors(row))[-1] for row in rows}
    if len(tops) != 1 or tops & set(rows):
        return ""
    return skeleton.names[tops.pop()]


def _add_trunk(plan: LayerPlan, roles: RoleMap, body: Body) -> None:
    leg = body.leg_length
    plan.bones += [
        NewBone(
            "root", rest=_control_rest(body, np.zeros(3)), length=_units(body, 0.35 * leg), shape="circle"
        ),
        NewBone(
            "pelvis",
            "root",
            rest=_control_rest(body, body.pelvis),
            length=_units(body, 0.25 * leg),
            shape="box",
        ),
        NewBone("pelvis twin", "pelvis", twin_of=roles.get("pelvis") or ""),
    ]
    plan.copies[roles.get("pelvis") or ""] = "pelvis twin"
    plan.drives += [("root", "root", *BY_LOCATION), ("pelvis", "pelvis", *BY_BOTH)]
    if plan.root_bone:
        plan.bones.append(NewBone("root twin", "root", twin_of=plan.root_bone))
        plan.copies[plan.root_bone] = "root twin"


def _add_leg(plan: LayerPlan, roles: RoleMap, leg: "LayerLeg") -> None:
    body, row, key = leg.body, leg.row, leg.key
    pole = _control_rest(body, body.knee[row] + pole_distance(body) * body.bends * FORWARD)
    plan.bones.append(
        NewBone(key["knee"], "root", rest=pole, length=_units(body, 0.08 * body.leg_length), shape="arrow")
    )
    plan.drives.append((key["knee"], key["knee"], *BY_LOCATION))
    has_toes = roles.has(leg.role["toe"]) and bool(np.isfinite(body.toe_joint[row]).all())
    if body.on_toes and has_toes:
        ankle = _add_paw(plan, roles, leg)
    else:
        ankle = _add_foot(plan, roles, leg, has_toes)
    _add_chain(plan, roles, leg)
    plan.reaches.append((key["leg" if body.one_bone_legs else "calf"], ankle, key["knee"]))


def _add_foot(plan: LayerPlan, roles: RoleMap, leg: "LayerLeg", has_toes: bool) -> str:
    """Add the control of a foot at its ankle, its roll and its ball; return what carries the ankle."""
    body, row, key = leg.body, leg.row, leg.key
    plan.bones.append(_foot_control(leg, body.ankle[row]))
    plan.drives.append((key["foot"], leg.role["foot"], *BY_BOTH))
    ankle, toes = (key["foot"],) * 2 if body.on_toes else _add_roll(plan, body, row, SIDES[row])
    _add_twin(plan, roles, leg.role["foot"], ankle)
    if has_toes:
        joint = _control_rest(body, body.toe_joint[row])
        length = _units(body, 0.1 * body.leg_length)
        plan.bones.append(NewBone(key["ball"], toes, rest=joint, length=length, shape="circle"))
        plan.drives.append((key["ball"], leg.role["toe"], *BY_ROTATION))
        _add_twin(plan, roles, leg.role["toe"], key["ball"])
    return key["foot"] if ankle == key["foot"] else sided("ankle", SIDES[row])


def _add_paw(plan: LayerPlan, roles: RoleMap, leg: "LayerLeg") -> str:
    """Add the control of toes that stand, and the one at their joint that turns the hock or the wrist above
    them; return what carries the ankle."""
    body, row, key = leg.body, leg.row, leg.key
    joint, ankle = body.toe_joint[row], body.ankle[row]
    plan.bones += [
        _foot_control(leg, joint),
        NewBone(
            key["hock"],
            key["foot"],
            rest=_control_rest(body, joint),
            length=_units(body, 0.12 * body.leg_length),
            shape="roll",
            drop=_units(body, float(joint[2] - ankle[2])),
        ),
        NewBone(
            key["ankle"],
            key["hock"],
            rest=_control_rest(body, ankle),
            length=_units(body, ROLL_SIZE * body.leg_length),
        ),
    ]
    plan.drives += [
        (key["foot"], leg.role["toe"], *BY_BOTH),
        (key["hock"], leg.role["foot"], *BY_ROTATION),
    ]
    _add_twin(plan, roles, leg.role["toe"], key["foot"])
    _add_twin(plan, roles, leg.role["foot"], key["ankle"])
    return key["ankle"]


def _foot_control(leg: "LayerLeg", point: np.ndarray) -> NewBone:
    return NewBone(
        leg.key["foot"],
        "root",
        rest=_control_rest(leg.body, point),
        length=_foot_length(leg.body, leg.row, point),
        shape="foot",
        drop=_units(leg.body, float(point[2])),
    )


def _add_roll(plan: LayerPlan, body: Body, row: int, side: str) -> tuple[str, str]:
    """Add the pivots of a foot and the ankle that hangs on them; return what carries the ankle, and what
    carries the toes."""
    foot, points = sided("foot", side), roll_points(body)[row]
    if not np.isfinite(points).all():
        return foot, foot
    holder, size = foot, _units(body, ROLL_SIZE * body.leg_length)
    for pivot, point in zip(PIVOTS, points, strict=True):
        rest = _control_rest(body, point, about_z(body.foot_heading[row]))
        plan.bones.append(NewBone(sided(pivot, side), holder, rest=rest, length=size, shape="roll"))
        holder = sided(pivot, side)
    plan.bones.append(
        NewBone(sided("ankle", side), holder, rest=_control_rest(body, body.ankle[row]), length=size)
    )
    return holder, sided("tip", side) if Sole.of(body).bends[row] else holder


def _add_chain(plan: LayerPlan, roles: RoleMap, limb: "LayerLeg") -> None:
    """Add our own thigh and shin, and the twins of the character's on them."""
    body, row, key, role = limb.body, limb.row, limb.key, limb.role
    if body.one_bone_legs:
        rest = _leg_rest(body, body.hip[row], body.ankle[row])
        length = float(norms(body.ankle[row] - body.hip[row]))
        plan.bones.append(
            NewBone(key["leg"], limb.parent, limb.on_bone, rest=rest, length=_units(body, length))
        )
        _add_twin(plan, roles, role["thigh"], key["leg"])
        return
    leg = _leg_rest(body, body.hip[row], body.knee[row])
    calf = leg.copy()
    calf[:3, :3] = leg[:3, :3] @ about_x(np.array(-REST_BEND))
    calf[:3, 3] = _in_armature(body, body.knee[row])
    plan.bones += [
        NewBone(
            key["leg"],
            limb.parent,
            limb.on_bone,
            rest=leg,
            length=_units(body, float(body.thigh_length[row])),
        ),
        NewBone(key["calf"], key["leg"], rest=calf, length=_units(body, float(body.shin_length[row]))),
    ]
    _add_twin(plan, roles, role["thigh"], key["leg"])
    # Our calf rests bent, the character's shin does not: its twin sits on the calf as the shin would with the
    # knee bent so.
    straight = _leg_rest(body, body.knee[row], body.ankle[row])
    _add_twin(plan, roles, role["shin"], key["calf"], calf @ np.linalg.inv(straight))


def _add_twin(
    plan: LayerPlan, roles: RoleMap, role: str, holder: str, moved: np.ndarray | None = None
) -> None:
    bone = roles.get(role)
    if bone:
        plan.bones.append(NewBone(f"{role} twin", holder, twin_of=bone, moved=moved))
        plan.copies[bone] = f"{role} twin"
    for number, member in enumerate(other for other, its in plan.along.items() if its == role):
        plan.bones.append(NewBone(f"{role} twin {number + 1}", holder, twin_of=member, moved=moved))
        plan.copies[member] = f"{role} twin {number + 1}"


def _add_turning_bones(plan: LayerPlan, skeleton: Skeleton, roles: RoleMap) -> None:
    """Drive spine, head and arms by rotation: the character's own bones, or stand-ins for those that no
    driven bone carries."""
    plan.drives += [
        (bone, role, *BY_BOTH) for bone, role in plan.along.items() if stem_of(role) not in leg_parts(roles)
    ]
    for role, bone in roles.bones.items():
        if not bone or role == "pelvis" or stem_of(role) in leg_parts(roles):
            continue
        if is_carried(skeleton, roles, role):
            plan.drives.append((bone, role, is_misplaced(skeleton, roles, role), True))
            continue
        holder = carrier_role(roles, role)
        holder_bone = roles.get(holder) or ""
        if holder_bone in plan.copies:
            plan.bones.append(NewBone(f"{role} twin", plan.copies[holder_bone], twin_of=bone))
        else:
            plan.bones.append(NewBone(f"{role} twin", on_bone=holder_bone, twin_of=bone))
        plan.copies[bone] = f"{role} twin"
        plan.drives.append((f"{role} twin", role, *BY_ROTATION))


def deform_drives(skeleton: Skeleton, roles: RoleMap, root_bone: str, along: Mapping[str, str]) -> list[list]:
    """Return the drives that pose the character's own bones directly, as the constrained rig would."""
    drives = [[root_bone, "root", *BY_BOTH]] if root_bone else []
    drives += [[bone, role, *BY_BOTH] for bone, role in along.items()]
    for role, bone in roles.bones.items():
        if bone:
            is_placed = (
                role == "pelvis"
                or not is_carried(skeleton, roles, role)
                or is_misplaced(skeleton, roles, role)
            )
            drives.append([bone, role, is_placed, True])
    return drives


def is_misplaced(skeleton: Skeleton, roles: RoleMap, role: str) -> bool:
    """Return whether an arm hangs elsewhere than on the chest, as a Biped's on the neck, so that its hand
    needs its shoulder placed, or a part of a tail not on the one before."""
    return stem_of(role) in (*ARM_PARTS[:2], TAIL) and not hangs_on_carrier(skeleton, roles, role)


def is_carried(skeleton: Skeleton, roles: RoleMap, role: str) -> bool:
    """Return whether a role's bone is below bones that the walk moves, so that rotation is enough.

    A leg must be a child of the very bone that carries it in the walk, and that bone must keep its length;
    above the hips any bone of the body will do.
    """
    part = stem_of(role)
    if part == TAIL:  # it may hang on what comes after it
        return True
    if part == "foot" and not roles.has(role.replace("foot", "shin")):
        return False
    legs = leg_parts(roles)
    if part in legs:
        return hangs_on_carrier(skeleton, roles, role)
    return any(stem_of(other) not in legs for other in roles_above(skeleton, roles, role))


def _control_rest(body: Body, point: np.ndarray, heading: np.ndarray = UNTURNED) -> np.ndarray:
    """Return the rest matrix of a control at a point of the walk frame, rotated by `heading` `(3, 3)`."""
    turn = body.walk_to_armature[:3, :3] * body.metres_per_unit
    return _matrix(turn @ heading @ CONTROL_AXES, _in_armature(body, point))


def _leg_rest(body: Body, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the rest matrix of a leg bone: y along it, z to where its knee bends, so that x is the hinge."""
    along_forward_side = frame(end - start, body.bends * FORWARD)
    along, forward = along_forward_side[:, 0], along_forward_side[:, 1]
    axes = np.stack([np.cross(along, forward), along, forward], -1)
    return _matrix(body.walk_to_armature[:3, :3] * body.metres_per_unit @ axes, _in_armature(body, start))


def _foot_length(body: Body, row: int, start: np.ndarray) -> float:
    reach = norms((body.toe[row] - start)[:2])
    return _units(
        body, float(reach) if np.isfinite(reach) and reach > 0.05 * body.leg_length else 0.2 * body.leg_length
    )


def _in_armature(body: Body, point: np.ndarray) -> np.ndarray:
    return transformed(point, body.walk_to_armature)


def _units(body: Body, metres: float) -> float:
    return metres / body.metres_per_unit


def _matrix(axes: np.ndarray, head: np.ndarray) -> np.ndarray:
    matrix = np.eye(4)
    matrix[:3, :3] = axes
    matrix[:3, 3] = head
    return matrix
