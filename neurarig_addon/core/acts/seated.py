"""An act on the ground brought to the things it is for: hips on to a seat, hands to what they take, put down
or rest on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..body.arm import has_arm
from ..body.balance import margin, middle_of
from ..body.hold import HANDS as WRISTS
from ..body.hold import SEAT as HIPS
from ..body.hold import Hold
from ..body.skin import hand_points, seat_depth
from ..contract.channels import CHANNELS
from ..errors import NeuraRigError
from ..gait.steps.placement import SIDE_SIGN
from ..geometry.rotation import (
    UP,
    about_y,
    about_z,
    normalized,
    norms,
    part_way,
    rotated,
    rotation_vector,
    transposed,
)
from ..skeleton.roles import SIDES, sided
from .act import BODY_PART, HANDS, SEAT, ActContact
from .staging import Staged
from .stooped import SINKS_IN, far, joints, stooped

SEATED = 0.1  # leg lengths of the hip joints above what one sits on
# Leg lengths that hips are behind the ankles on a seat at least and at most, and aside; and that the seat's
# middle may be.
NEAREST, FARTHEST, ASIDE = 0.15, 0.62, 0.12
DEEP, BESIDE = 0.75, 0.5
STRAIGHTEST = 0.98  # of legs' length between hips and ankles: on a high seat one sits at its front
HIGHEST = 0.02  # leg lengths of hips on a seat above those of standing legs
# seconds beside a rest at which it is looked whether a body is in balance, radians by which it bows more for
# that, and leg lengths that its middle is inside its soles
LOOKED_S, MORE_BOWED, IN_BALANCE = np.linspace(0.0, 0.8, 9), np.linspace(0.0, 0.9, 19), 0.01
# seconds in which a body bows before a seat holds it, and sits up then; how, for each radian of its chest
BOWS_S, RISES_S = 1.1, 0.6
BOWED = np.array(
    [
        {
            "pelvis.pitch": 0.5,
            "chest.pitch": 1.0,
            "head.pitch": 0.3,
            "arm_l.flexion": 2.0,
            "arm_r.flexion": 2.0,
        }.get(name, 0.0)
        for name in CHANNELS
    ]
)
EXACT = 1e-3  # metres
COMES_S = 0.55  # seconds in which a hand goes to something and leaves it, at most
# how steeply a hand takes a thing, and how far it bends to put that down
MOST_DOWN, MOST_BENT = np.radians(25.0), np.radians(90.0)


@dataclass(frozen=True)
class Holding:
    """How hands hold a thing that they have taken, so that they put it down as it stood.

    `sides` `(n,)`: which hands. `turns` `(n, 3, 3)`: of them, and `offsets` `(n, 3)`: from what each holds to
    its wrist, relative to the
    root as they take it.  `apart`: metres from hand to hand; None: in one. `weight`: of the thing, as a share
    of the body's.
    """

    sides: tuple[int, ...]
    turns: np.ndarray
    offsets: np.ndarray
    apart: float | None
    weight: float


def seated(staged: Staged, held: Holding | None = None) -> Staged:
    """Return an act with its hips on the seat and its hands on the things that it asks for; those `held` are
    put down as they stood.

    Raises NeuraRigError, with what is possible, for what is out of reach.
    """
    act = staged.asked.act
    if act.of(SEAT):
        staged = _bowed(staged.changed(rests=tuple(_rest(staged, contact) for contact in act.of(SEAT))))
    taken = list(act.reaches)
    if taken and staged.asked.goal is not None:
        if staged.asked.apart is not None:
            taken = [replace(taken[0], part=part) for part in HANDS]
        own = [one for one in taken if has_arm(staged.walker.body, HANDS.index(one.part))]
        staged = _reached(staged, own, held)
    act = staged.asked.act
    resting = [contact for part in HANDS for contact in act.of(part) if contact.on == BODY_PART]
    sides = [HANDS.index(contact.part) for contact in resting]
    grips = tuple(
        _grip(staged, contact, staged.asked.rests[side])
        for contact, side in zip(resting, sides, strict=True)
        if has_arm(staged.walker.body, side)
    )
    return staged.changed(grips=staged.grips + grips) if grips else staged


def holding(staged: Staged) -> Holding:
    """Return how the hands of an act hold the thing that they take."""
    grips = [grip for grip in staged.grips if grip.place is not None]
    sides = tuple(WRISTS.index(grip.point) for grip in grips)
    motions, root = staged.taking
    turns = np.stack([motions[sided("hand", SIDES[side])].rotation[0] for side in sides])
    places = np.stack([grip.place for grip in grips if grip.place is not None])
    offsets = rotated(transposed(root.rotation[0]), places - _goals(staged, list(sides)))
    return Holding(sides, turns, offsets, staged.asked.apart, staged.asked.weight)


def _grip(staged: Staged, contact: ActContact, place: np.ndarray | None) -> Hold:
    begin, end = staged.score.played_at(contact.begin), staged.score.played_at(contact.end)
    comes, goes = (max(min(lasts, COMES_S), 1e-3) for lasts in (begin, staged.seconds - end))
    point, leans = WRISTS[HANDS.index(contact.part)], place is not None
    return Hold(point, place, leans=leans, begin=begin, end=end, comes=comes, goes=goes)


def _rest(staged: Staged, contact: ActContact) -> Hold:
    """Return when and where the hips rest."""
    begin, end = staged.score.played_at(contact.begin), staged.score.played_at(contact.end)
    name, goal, leg = staged.asked.act.name, staged.asked.goal, staged.walker.body.leg_length
    own = staged.hips(staged.values(np.array([begin])), staged.along(np.array([begin])))[0]
    if goal is None:
        return Hold(HIPS, own, begin=begin, end=end)
    stands, along = (
        staged.hips(staged.values(np.zeros(1)), staged.along(np.zeros(1)))[0],
        staged.along(np.zeros(1)),
    )
    feet = staged.ends[0].prints.place.mean(axis=0)
    away = rotated(transposed(along.root.rotation), goal - feet)[0]
    behind = -float(away[0])
    if behind < NEAREST * leg or behind > DEEP * leg or abs(float(away[1])) > BESIDE * leg:
        where = f"{behind:.2f} m behind" if behind >= 0.0 else f"{-behind:.2f} m in front of"
        raise NeuraRigError(
            f"{name}: the middle of the seat is {where} the feet and {abs(float(away[1])):.2f} m aside;"
            f" {NEAREST * leg:.2f} to {DEEP * leg:.2f} m behind and {BESIDE * leg:.2f} m aside are possible."
            " Move the act or the seat."
        )
    deep = seat_depth(staged.walker.body, SEATED)
    height, most = float(goal[2]) + deep, float(stands[2]) + HIGHEST * leg
    if height > most:
        raise NeuraRigError(
            f"{name}: a seat {goal[2] - feet[2]:.2f} m high is too high; {most - deep - feet[2]:.2f}"
            " m are possible."
        )
    ankle = float(staged.walker.sole.ankle[:, 2].mean())
    reaches = np.sqrt(max((STRAIGHTEST * leg) ** 2 - (height - float(feet[2]) - ankle) ** 2, 0.0))
    ahead, left = -min(behind, FARTHEST * leg, reaches), float(np.clip(away[1], -ASIDE * leg, ASIDE * leg))
    place = feet + rotated(about_z(along.heading), np.array([[ahead, left, 0.0]]))[0]
    return Hold(HIPS, np.array([place[0], place[1], height]), begin=begin, end=end)


def _bowed(staged: Staged) -> Staged:
    """Return an act that bows as far as its middle needs to stay over its feet until a seat holds it, and
    again as it leaves that."""
    body = staged.walker.body
    begin, end = staged.seated[0]
    at = np.stack([begin - LOOKED_S, end + LOOKED_S]).clip(0.0, staged.seconds)
    margins = []
    for bow in MORE_BOWED:
        motions, _ = staged.changed(postures=_bows(staged, (bow, bow))).tried(at.ravel())
        feet = [motions[sided("foot", side)] for side in SIDES]
        soles = [foot.carry(points[row]) for row, foot in enumerate(feet) for points in (body.heel, body.toe)]
        inside = margin(np.stack(soles, axis=1), middle_of(body, motions))
        margins.append(inside.reshape(at.shape).min(axis=1) - IN_BALANCE * body.leg_length)
        if (np.max(margins, axis=0) >= 0.0).all():  # bowing more is not needed
            break
    least = np.maximum.accumulate(np.minimum(margins, 0.0), axis=0)
    return staged.changed(postures=_bows(staged, [MORE_BOWED[int(np.argmax(each))] for each in least.T]))


def _bows(staged: Staged, chest: Sequence[float]) -> tuple[tuple[Hold, np.ndarray], ...]:
    """Return when a body bows as its hips come to a seat, and as they leave it, so many radians with its
    chest, and how."""
    (sits,), lasts = staged.asked.act.of(SEAT), staged.asked.act.seconds
    comes, goes = min(BOWS_S, sits.begin), min(BOWS_S, lasts - sits.end)
    down = Hold(HIPS, None, begin=sits.begin, end=sits.begin, comes=comes, goes=RISES_S)
    up = Hold(HIPS, None, begin=sits.end, end=sits.end, comes=RISES_S, goes=goes)
    return (down, chest[0] * BOWED), (up, chest[1] * BOWED)


def _reached(staged: Staged, taken: list[ActContact], held: Holding | None) -> Staged:
    """Return an act that stoops as far as its hands need, and takes what it is for, or puts it down as it is
    held."""
    if not taken:
        return staged
    rows = [HANDS.index(contact.part) for contact in taken]
    goals = _goals(staged, rows)
    staged = stooped(staged, taken[0], rows, goals)
    at = np.array([staged.score.played_at(taken[0].begin)])
    root = staged.along(at).root.rotation[0]
    motions, where = staged.tried(at)
    shoulders = where.carried(joints(motions, "upper_arm", rows))[0]
    away = np.array([far(staged, row) for row in rows])
    straight = rotated(root.T, away[:, None] * normalized(shoulders - goals))
    reaches = _gripping(staged, taken, goals + rotated(root, straight))
    natural = holding(reaches)
    if held is None:
        turn = about_y(-_raised(reaches, rows))
        turns, offsets = turn @ natural.turns, rotated(turn, straight)
        points = [
            hand_points(staged.walker.body, row) @ turn.T for row, turn in zip(rows, turns, strict=True)
        ]
        low = np.array([each[:, 2].min() for each in points])
        above = goals[:, 2] + offsets[:, 2] + low - staged.under - SINKS_IN * staged.walker.body.leg_length
        offsets = offsets - np.minimum(above, 0.0)[:, None] * UP
        if not staged.asked.act.takes:  # it is touched with what is farthest ahead
            offsets[:, 0] = [-each[:, 0].max() for each in points]
    else:
        angles = norms(rotation_vector(held.turns @ transposed(natural.turns)))
        turns = part_way(natural.turns, held.turns, MOST_BENT / np.maximum(angles, MOST_BENT))
        offsets = rotated(turns @ transposed(held.turns), held.offsets)
    staged = _gripping(staged, taken, goals + rotated(root, offsets), turns)
    motions, where = staged.taking
    for grip in staged.grips:
        wrist = where.carried(motions[sided("hand", SIDES[WRISTS.index(grip.point)])].position[:, None])[0, 0]
        off = float(norms(wrist - grip.place))
        if off > EXACT:
            raise NeuraRigError(
                f"{staged.asked.act.name}: the hand comes no nearer than {off:.2f} m. Move the act nearer to"
                f" what it takes, or that {'lower' if grip.there[2] > shoulders[:, 2].min() else 'higher'}."
            )
    return staged


def _gripping(
    staged: Staged, taken: list[ActContact], wrists: np.ndarray, turns: np.ndarray | None = None
) -> Staged:
    """Return an act with wrists `(n, 3)` on a thing, and hands turned `(n, 3, 3)` relative to the root; None:
    as forearms are."""
    grips = [_grip(staged, contact, place) for contact, place in zip(taken, wrists, strict=True)]
    if turns is not None:
        grips = [replace(grip, turn=turn) for grip, turn in zip(grips, turns, strict=True)]
    return staged.changed(grips=tuple(grips))


def _raised(staged: Staged, rows: list[int]) -> np.ndarray:
    """Return by how many radians hands are raised from forearms that point down: what they take may go higher
    up."""
    motions, _ = staged.taking
    elbows, wrists = (joints(motions, part, rows)[0] for part in ("forearm", "hand"))
    down = np.arcsin(np.clip(normalized(elbows - wrists)[:, 2], -1.0, 1.0)).mean()
    return np.maximum(down - MOST_DOWN, 0.0)


def _goals(staged: Staged, rows: list[int]) -> np.ndarray:
    """Return where hands `(n, 3)` take a thing: in its middle, or one at each side."""
    goal, turn = staged.asked.goal, about_z(staged.along(np.zeros(1)).heading)[0]
    assert goal is not None
    beside = 0.5 * (staged.asked.apart or 0.0) * np.array([SIDE_SIGN[row] for row in rows])
    return goal + beside[:, None] * turn[:, 1]
