"""An act on the ground brought to the things it is for: hips on to a seat, hands to what they take, put down
or rest on."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..body.arm import has_arm
from ..body.balance import margin, middle_of
from ..body.hold import HANDS as WRISTS
from ..body.hold import SEAT as HIPS
from ..body.hold import Hold
from ..body.skin import hand_points, seat_depth
from ..body.stoop import STRAIGHT, bundled_habit, followed
from ..character.motion import Motion
from ..contract.channels import CHANNELS
from ..easing import smoothstep
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
from .mark import heaviness
from .score import Score
from .staging import Staged

SEATED = 0.1  # leg lengths of the hip joints above what one sits on
# Leg lengths that hips are behind the ankles on a seat at least and at most, and aside; and that the seat's
# middle may be.
NEAREST, FARTHEST, ASIDE = 0.15, 0.62, 0.12
DEEP, BESIDE = 0.75, 0.5
STRAIGHTEST = 0.98  # of legs' length between hips and ankles: on a high seat one sits at its front
HIGHEST = 0.02  # leg lengths of hips on a seat above those of standing legs
SINKS_IN = 0.01  # leg lengths by which skin may be in what is in its way
# of a hand's length from the wrist to what it holds, and to what it touches
HELD_AT, TOUCHED_AT = 0.45, 0.95
# how upright a body may go down: it bows as people do, or squats as far as its head asks
UPRIGHT = np.array([0.0, 0.5, 1.0])
SQUATS = 0.3  # x its pitch as filed: how far a trunk leans that goes down upright
STRETCHED = 1.03  # of an arm's length to which a body stoops for what it takes
# x its depth as filed: how deep an act may stoop, and how much deeper upright
TRIED, DEEPER = np.linspace(0.0, 1.35, 46), 0.4
WORTH = 1e-3  # arm lengths x its depth as filed: what brings a hand nearer by less is not done in full
FALLS = 0.05  # leg lengths, and radians: an act whose hips come down by less, or its chest, does not stoop
# x its depth as filed: down to there legs stay straight; metres as in `StoopHabit` that a body has bowed then
BOWS, BOWED = 0.5, 0.42
REACHES = 0.62  # x its seconds as filed: how long an act lasts that does not stoop at all
OVER_HEELS = 0.1  # leg lengths that the middle of a body is ahead of its heels as it takes something heavy
SLOWER = 0.5  # of its seconds: how much longer an act lasts for what is heavy
LEANS = 0.75  # radians that the line from hips to shoulders leans for each by which a spine bends
STOOPS = ("pelvis.x", "pelvis.z", "pelvis.pitch", "chest.pitch", "head.pitch")
# seconds beside a rest at which it is looked whether a body is in balance, radians by which it bows more for
# that, and leg lengths that its middle is inside its soles
LOOKED_S, MORE_BOWED, IN_BALANCE = np.linspace(0.0, 0.8, 9), np.linspace(0.0, 0.5, 11), 0.01
EXACT = 1e-3  # metres
COMES_S = 0.6  # seconds in which a hand goes to something and leaves it, at most
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
        staged = _reached(staged, _own_hand(staged, taken), held)
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


def _own_hand(staged: Staged, taken: list[ActContact]) -> list[ActContact]:
    return [contact for contact in taken if has_arm(staged.walker.body, HANDS.index(contact.part))]


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
        motions, _ = _tried(staged.changed(bows=(float(bow), float(bow))), at.ravel())
        feet = [motions[sided("foot", side)] for side in SIDES]
        soles = [foot.carry(points[row]) for row, foot in enumerate(feet) for points in (body.heel, body.toe)]
        inside = margin(np.stack(soles, axis=1), middle_of(body, motions))
        margins.append(inside.reshape(at.shape).min(axis=1) - IN_BALANCE * body.leg_length)
        if (np.max(margins, axis=0) >= 0.0).all():  # bowing more is not needed
            break
    least = np.maximum.accumulate(np.minimum(margins, 0.0), axis=0)
    return staged.changed(bows=tuple(float(MORE_BOWED[int(np.argmax(each))]) for each in least.T))


def _reached(staged: Staged, taken: list[ActContact], held: Holding | None) -> Staged:
    """Return an act that stoops as far as its hands need, and takes what it is for, or puts it down as it is
    held."""
    if not taken:
        return staged
    rows = [HANDS.index(contact.part) for contact in taken]
    goals = _goals(staged, rows)
    staged = _stooped(staged, np.array([staged.score.played_at(taken[0].begin)]), rows, goals)
    at = np.array([staged.score.played_at(taken[0].begin)])
    root = staged.along(at).root.rotation[0]
    motions, where = _tried(staged, at)
    shoulders = where.carried(_joints(motions, "upper_arm", rows))[0]
    far = np.array([_far(staged, row) for row in rows])
    straight = rotated(root.T, far[:, None] * normalized(shoulders - goals))
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
    elbows, wrists = (_joints(motions, part, rows)[0] for part in ("forearm", "hand"))
    down = np.arcsin(np.clip(normalized(elbows - wrists)[:, 2], -1.0, 1.0)).mean()
    return np.maximum(down - MOST_DOWN, 0.0)


def _stooped(staged: Staged, at: np.ndarray, rows: list[int], goals: np.ndarray) -> Staged:
    """Return an act that stoops as far as arms need to come to their goals `(n, 3)` at a time `(1,)`, in
    balance, and the sooner, the less it does."""
    body, asked = staged.walker.body, staged.asked
    taken = asked.act.curves(staged.score.filed_at(at))[0]
    best = (np.inf, 0.0, 0.0, 0.0)
    far = max(_far(staged, row) for row in rows)
    heavy = heaviness(asked.weight)
    for upright in dict.fromkeys((*np.maximum(UPRIGHT, heavy), *UPRIGHT[::-1])):
        tried = TRIED * (1.0 + DEEPER * upright)
        mix = np.array([_mix(taken, much, upright) for much in tried])
        motions, root = _tried(staged, np.repeat(at, len(tried)), mix)
        middle = middle_of(body, motions)[:, 0]
        ahead = (
            middle + asked.weight * root.seen(np.tile(goals, (len(middle), 1, 1)))[..., 0].mean(axis=1)
        ) / (1.0 + asked.weight)
        # what it is to take does not hold it yet
        most = middle - body.heel[:, 0].max() - OVER_HEELS * body.leg_length
        back = np.column_stack([np.minimum(ahead - middle[0], most), np.zeros((len(ahead), 2))])
        shoulders = _joints(motions, "upper_arm", rows) - back[:, None]
        away = norms(goals - root.carried(shoulders)).max(axis=1)
        left = (away - far) / float(body.arm_length.mean()) - STRETCHED
        free = staged.bounds(root).sunk(body, motions, root)[1:] <= SINKS_IN * body.leg_length
        free = np.append(np.logical_and.accumulate(free), False)
        count = max(int(np.argmin(free)) + 1, 2)
        much = float(followed(left[None, :count], tried[:count], WORTH)[0])
        short, farther = (float(np.interp(much, tried, each)) for each in (left, back[:, 0]))
        if max(short, 0.0) < best[0] - WORTH:
            best = max(short, 0.0), much, float(upright), farther / body.leg_length
        if much < tried[count - 1]:  # nothing is in its way
            break
    _, much, upright, farther = best
    mix = _mix(taken, much, upright, farther)
    pace = (REACHES + (1.0 - REACHES) * min(much, 1.0)) * (1.0 + SLOWER * heavy)
    score = Score.of(asked.act, asked.seconds, staged.walker.clock.fps, pace=pace)
    return staged.changed(mix=mix, score=score)


def _tried(staged: Staged, at: np.ndarray, mix: np.ndarray | None = None) -> tuple[dict[str, Motion], Motion]:
    """Return the motions at times `(f,)`, and the root; `mix`: see `Staged.values`."""
    poised = staged.poised(at, mix)
    return poised.motions(staged.walker.body), poised.along.root


def _joints(motions: Mapping[str, Motion], part: str, rows: list[int]) -> np.ndarray:
    """Return where joints `(f, n, 3)` of the arms in `rows` are, relative to the root."""
    return np.stack([motions[sided(part, SIDES[row])].position for row in rows], axis=1)


def _mix(taken: np.ndarray, much: float, upright: float, farther: float = 0.0) -> np.ndarray:
    """Return the channels `(46, 46)` of an act that stoops `much` as deep as it is filed, to the channels
    `taken` `(46,)`, its hips by `farther` leg lengths behind that.

    First it bows as people do whose legs stay straight, and then it goes on to what is filed; `upright`
    `0..1`: as far it squats instead.
    """
    falls, leads = (CHANNELS.index(name) for name in ("pelvis.z", "chest.pitch"))
    found = much * np.eye(len(CHANNELS))
    if taken[falls] > -FALLS or taken[leads] < FALLS:
        return found
    filed = float(smoothstep(np.array((much - BOWS) / (1.0 - BOWS))))
    bowed = np.array([min(much / BOWS, 1.0) * BOWED])
    height, back, *pitches = bundled_habit(STRAIGHT).more(0.0, bowed)[:, 0]
    pelvis, trunk, head = np.radians(pitches)
    chest = pelvis + (trunk - pelvis) / LEANS
    for name, value in zip(STOOPS, (-back, height, pelvis, chest, head), strict=True):
        column = CHANNELS.index(name)
        squats = {"pelvis.x": 0.0, "pelvis.z": much}.get(name, SQUATS * much)
        found[column, column] = upright * squats + (1.0 - upright) * filed * max(much, 1.0)
        found[leads, column] += (1.0 - upright) * (1.0 - filed) * value / taken[leads]
    found[leads, CHANNELS.index("pelvis.x")] -= farther / taken[leads]
    return found


def _far(staged: Staged, row: int) -> float:
    """Return how many metres the wrist of a hand is from what it takes, or touches."""
    length = float(norms(hand_points(staged.walker.body, row)).max())
    return length * (HELD_AT if staged.asked.act.takes else TOUCHED_AT)


def _goals(staged: Staged, rows: list[int]) -> np.ndarray:
    """Return where hands `(n, 3)` take a thing: in its middle, or one at each side."""
    goal, turn = staged.asked.goal, about_z(staged.along(np.zeros(1)).heading)[0]
    assert goal is not None
    beside = 0.5 * (staged.asked.apart or 0.0) * np.array([SIDE_SIGN[row] for row in rows])
    return goal + beside[:, None] * turn[:, 1]
