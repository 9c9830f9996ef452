"""How far an act goes down for its hands, and how: it reaches, bows, stoops, squats or kneels, by where its
goals are, what is in the way, how heavy a thing is, and who it is."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..body.arm import has_arm
from ..body.balance import middle_of
from ..body.hold import SEAT, Hold
from ..body.kneel import LOWEST, Kneel
from ..body.rocker import unflattened
from ..body.skin import hand_points
from ..body.stoop import followed
from ..character.motion import Motion
from ..contract.channels import CHANNELS
from ..errors import NeuraRigError
from ..gait.body.stoops import BOWS, kneeling, stooping, stoops
from ..geometry.rotation import UP, norms, rotated, transposed
from ..skeleton.roles import SIDES, sided
from .act import BODY_PART, FEET, HANDS, ActContact
from .feet import contacts_of
from .mark import AUTO, BOW, HEAVY, KNEEL, SQUAT, STOOP, heaviness
from .score import Score
from .staging import Staged

SINKS_IN = 0.01  # leg lengths by which skin may be in what is in its way
# of a hand's length from the wrist to what it holds, and to what it touches
HELD_AT, TOUCHED_AT = 0.45, 0.95
# how upright a body may go down: it bows as people do, or squats as far as its head asks
UPRIGHT = {AUTO: (0.0, 0.5, 1.0), BOW: (0.0,), STOOP: (0.0,), SQUAT: (1.0,)}
STRETCHED = 1.03  # of an arm's length to which a body stoops for what it takes
# x its depth as filed: how deep an act may stoop, and how much deeper upright
TRIED, DEEPER = np.linspace(0.0, 1.35, 46), 0.4
WORTH = 1e-3  # arm lengths x its depth as filed: what brings a hand nearer by less is not done in full
# x its seconds as filed: how long an act lasts that does not stoop at all, and one on one knee
REACHES, KNEELS = 0.62, 1.3
OVER_HEELS = 0.1  # leg lengths that the middle of a body is ahead of its heels as it takes something heavy
DEEP = 0.35  # x a stoop's depth from which on a hand lies on a knee
SLOWER = 0.5  # of its seconds: how much longer an act lasts for what is heavy
# leg lengths below which goals are low, and the energy of who is too old or tired to stoop for them
LOW, OLD = 0.4, -0.5
# Shares of the time until hands are there, and from then on: when a foot leaves its place and stands behind
# it, and when its knee, and a free hand, are down.
LEAVES, STANDS, KNEELS_AT, RESTS_AT = 0.1, 0.48, 0.85, 0.75
ROOM = 0.55  # arm lengths from a shoulder to the knee on which its hand lies
ROUNDS = 3  # of bringing a knee to the ground


class _Depth(NamedTuple):
    """How deep an act goes: x as filed, how `upright`, arm lengths that are `left` to its goals, leg lengths
    by which its hips are `farther` behind, and whether it is `free` to go deeper."""

    much: float
    upright: float
    left: float
    farther: float
    free: bool


def stooped(staged: Staged, contact: ActContact, rows: list[int], goals: np.ndarray) -> Staged:
    """Return an act that goes down as far as arms need to come to their goals `(n, 3)` as a contact begins,
    in balance, and the sooner, the less it does."""
    asked, body = staged.asked, staged.walker.body
    heavy, kneel, stands = heaviness(asked.weight), _kneel(staged, contact, rows, goals), staged
    if kneel is not None:
        staged = _on_knee(staged, contact, kneel)
    at = np.array([staged.score.played_at(contact.begin)])
    deepest = asked.act.curves(staged.score.filed_at(at))[0]

    def mix(much: float, upright: float, farther: float = 0.0) -> np.ndarray:
        if kneel is not None:
            return kneeling(deepest, much, kneel, _standing(staged, at, kneel), body.leg_length)
        return stooping(deepest, much, upright, farther)

    best = _Depth(0.0, 0.0, np.inf, 0.0, True)
    uprights = np.array(UPRIGHT.get(asked.how, (0.0,)))
    for upright in dict.fromkeys((*np.maximum(uprights, heavy * (len(uprights) > 1)), *uprights[::-1])):
        tried = TRIED * (1.0 + DEEPER * upright)
        tried = tried[tried <= {BOW: BOWS, KNEEL: LOWEST}.get(KNEEL if kneel else asked.how, np.inf)]
        mixes = np.array([mix(much, upright) for much in tried])
        found = _followed(
            staged, np.repeat(at, len(tried)), mixes, tried, upright, rows, goals, kneel is None
        )
        best = found if found.left < best.left - WORTH else best
        if found.free:
            break
    if kneel is not None and asked.how == AUTO and best.left > WORTH:  # its hands come nearer on both feet
        other = replace(asked, how=SQUAT if heavy else STOOP)
        return stooped(stands.changed(asked=other, score=stands.score), contact, rows, goals)
    pace = KNEELS if kneel else REACHES + (1.0 - REACHES) * min(best.much, 1.0)
    pace *= 1.0 + SLOWER * heavy
    score = Score.of(staged.asked.act, asked.seconds, staged.walker.clock.fps, pace=pace)
    staged = staged.changed(mix=mix(best.much, best.upright, best.farther), score=score)
    if kneel is not None:
        staged = _knelt(staged, contact, kneel)
    bows = best.much >= DEEP and best.upright == 0.0 and (asked.how == BOW or _is_old(staged))
    return _supported(staged, contact, rows) if kneel or bows else staged


def _followed(
    staged: Staged,
    at: np.ndarray,
    mixes: np.ndarray,
    tried: np.ndarray,
    upright: float,
    rows: list[int],
    goals: np.ndarray,
    balances: bool,
) -> _Depth:
    """Return how deep an act goes of depths `tried` `(n,)` with their mixes, and hips so far behind that it
    `balances` there."""
    body, weight = staged.walker.body, staged.asked.weight
    motions, root = staged.tried(at, mixes)
    middle = middle_of(body, motions)[:, 0]
    there = root.seen(goals[None])[..., 0].mean(axis=1)
    ahead = (middle + weight * there) / (1.0 + weight)
    # what it is to take does not hold it yet
    most = middle - body.heel[:, 0].max() - OVER_HEELS * body.leg_length
    back = np.column_stack([balances * np.minimum(ahead - middle[0], most), np.zeros((len(ahead), 2))])
    shoulders = joints(motions, "upper_arm", rows) - back[:, None]
    away = norms(goals - root.carried(shoulders)).max(axis=1)
    left = (away - max(far(staged, row) for row in rows)) / float(body.arm_length.mean()) - STRETCHED
    free = staged.bounds(root).sunk(body, motions, root)[1:] <= SINKS_IN * body.leg_length
    count = max(int(np.argmin(np.append(np.logical_and.accumulate(free), False))) + 1, 2)
    much = float(followed(left[None, :count], tried[:count], WORTH)[0])
    short, farther = (float(np.interp(much, tried, each)) for each in (left, back[:, 0]))
    return _Depth(much, float(upright), max(short, 0.0), farther / body.leg_length, much < tried[count - 1])


def _is_old(staged: Staged) -> bool:
    frame = np.array([staged.ends[0].frame])
    return float(staged.walker.track.at("energy", frame)[0]) <= OLD


def _kneel(staged: Staged, contact: ActContact, rows: list[int], goals: np.ndarray) -> Kneel | None:
    """Return how a body kneels that is asked to, or that is old, or takes something heavy, near the floor; on
    the side of the hand that goes there."""
    asked, body = staged.asked, staged.walker.body
    low = float(goals[:, 2].min()) - staged.floor < LOW * body.leg_length
    heavy = len(rows) * asked.weight >= HEAVY
    wanted = asked.how == KNEEL or (asked.how == AUTO and low and (heavy or _is_old(staged)))
    if not wanted or not stoops(asked.act.curves(np.array([contact.begin]))[0]):
        return None
    kneel = Kneel.of(body, rows[-1])
    if kneel is None and asked.how == KNEEL:
        raise NeuraRigError(
            f"{asked.act.name}: the feet of this character are too long for it to kneel. Choose another way"
            " down."
        )
    return kneel


def _times(staged: Staged, contact: ActContact, share: float) -> tuple[float, float]:
    """Return the filed seconds at a share of the time until a contact, and as long before the end."""
    return share * contact.begin, contact.end + (1.0 - share) * (staged.asked.act.seconds - contact.end)


def _on_knee(staged: Staged, contact: ActContact, kneel: Kneel) -> Staged:
    """Return an act whose foot steps back for a knee, where its heel is up and its toes lie flat."""
    asked, foot, letter = staged.asked, FEET[kneel.row], "lr"[kneel.row]
    (leaves, lands), (stands, lifts), (down, up) = (
        _times(staged, contact, share) for share in (LEAVES, STANDS, KNEELS_AT)
    )
    back = (-kneel.back / staged.walker.body.leg_length, 0.0, 0.0)
    own = (
        ActContact(foot, 0.0, leaves),
        ActContact(foot, stands, lifts, place=back),
        ActContact(foot, lands, asked.act.seconds),
    )
    others = contacts_of(asked.act, FEET[1 - kneel.row])
    hands = (one for one in asked.act.contacts if one.part not in FEET)
    act = replace(asked.act, contacts=(*own, *others, *hands), hold=(down, up))
    heel, pitch = np.zeros(len(CHANNELS)), float(unflattened(np.array(kneel.pitch)))
    heel[[CHANNELS.index(f"{part}_{letter}.pitch") for part in ("foot", "ball")]] = pitch, -pitch
    rises = Hold(SEAT, None, begin=down, end=up, comes=down - leaves, goes=lands - up)
    return staged.changed(asked=replace(asked, act=act), score=staged.score, postures=((rises, heel),))


def _standing(staged: Staged, at: np.ndarray, kneel: Kneel) -> np.ndarray:
    """Return where hips would be at a time `(1,)` without the act `(2,)`, as in `Kneel.hips`."""
    along = staged.along(at)
    none = np.zeros((1, len(CHANNELS), len(CHANNELS)))
    off = staged.hips(staged.values(at, none), along) - staged.ends[0].prints.place[1 - kneel.row]
    return rotated(transposed(along.root.rotation), off)[0, [0, 2]]


def _knelt(staged: Staged, contact: ActContact, kneel: Kneel) -> Staged:
    """Return an act on one knee whose hips stay, as that knee does on the ground, while hands are there."""
    at, side = np.array([staged.score.played_at(contact.begin)]), SIDES[kneel.row]
    begin, end = map(staged.score.played_at, _times(staged, contact, KNEELS_AT))
    place = staged.hips_at(at)[0]
    for _ in range(ROUNDS):
        staged = staged.changed(rests=(Hold(sided("knee", side), place, begin=begin, end=end),))
        motions, root = staged.tried(at)
        knee = root.carried(motions[sided("shin", side)].position[:, None])[0, 0]
        place = place + (staged.floor + kneel.knee[1] - knee[2]) * UP
    return staged


def _supported(staged: Staged, contact: ActContact, rows: list[int]) -> Staged:
    """Return an act whose free hand, of one that has one, lies on its thigh while the other one goes down, if
    its shoulder is not too near to that knee."""
    act, body = staged.asked.act, staged.walker.body
    free = [row for row in range(2) if row not in rows and has_arm(body, row)]
    motions, _ = staged.tried(np.array([staged.score.played_at(contact.begin)]))
    begin, end = _times(staged, contact, RESTS_AT)
    lies = tuple(
        ActContact(HANDS[row], begin, end, BODY_PART)
        for row in free
        if norms(joints(motions, "upper_arm", [row]) - joints(motions, "shin", [row])).item()
        > ROOM * body.arm_length[row]
    )
    return staged.changed(asked=replace(staged.asked, act=replace(act, contacts=(*act.contacts, *lies))))


def joints(motions: Mapping[str, Motion], part: str, rows: list[int]) -> np.ndarray:
    """Return where joints `(f, n, 3)` of the arms in `rows` are, relative to the root."""
    return np.stack([motions[sided(part, SIDES[row])].position for row in rows], axis=1)


def far(staged: Staged, row: int) -> float:
    """Return how many metres the wrist of a hand is from what it takes, or touches."""
    length = float(norms(hand_points(staged.walker.body, row)).max())
    return length * (HELD_AT if staged.asked.act.takes else TOUCHED_AT)
