"""A bird's head: where it is held while the body goes on below it, and the neck that has it there.

Birds that walk hold the head still in space and thrust it on once a step (pigeons: Frost 1978, Troje and
Frost 2000; chickens, and other birds: Fujita 2002 to 2006, Necker 2007). The hold begins at the same point
of each step; a head goes as far in a thrust as the body in a step. In a run heads go on evenly (Davies and
Green 1988).
"""

from dataclasses import replace

import numpy as np

from ...character.body import Body
from ...character.motion import Motion
from ...contract.channels import CHANNELS
from ...easing import lesser, smooth_between, smoothstep
from ...geometry.limb import two_bones
from ...geometry.rotation import cross, frame, norms, rotated, transposed, yaw_of
from ..kinds.four_legs import GOING, RESTING
from ..kinds.natural import GRAVITY
from ..sliders.manner import BodyManner, Posture
from ..steps.situation import Situation
from .pelvis import wanted_pelvis

# Shares of a step, from a foot's contact on: when the hold begins and how long it lasts.
HOLD_BEGINS, HOLD_LASTS = 0.4, 0.55
# Froude numbers between which a bird that runs no longer thrusts.
RUNS_FROM, RUNS = 0.4, 0.8
PHASES = np.arange(8) / 8.0  # of a cycle, whose mean is the body without its steps
LONGEST, BAND = 0.99, 0.04  # shares of the neck's length: how straight it gets, and how softly
SEEN_BEND = 0.03  # of its length that its middle is off the line at rest, to bend to that side
# Of the neck's length: as far it reaches with room to spare; how far a head goes forth and back from its
# middle along a neck, and across it; how softly it stops at that.
ROOMY, ALONG, ACROSS, SOFT = 0.94, 0.2, 0.6, 0.2
LEFTWARD = np.array([0.0, 1.0, 0.0])


def thrusting(wish: BodyManner, here: Situation) -> BodyManner:
    """Return the manner with the place where a bird's head is held; those of others, and of birds that hop,
    go with their chests."""
    walker, at = here.walker, here.body
    body, pace, gait = walker.body, walker.rhythm, walker.gait
    if not body.holds_its_head or gait.law.contacts.together:
        return wish
    slow = at.slow.repeat(len(PHASES), axis=0)
    phases = np.tile(PHASES, len(at.slow))
    mean = gait.shapes.sample(slow, phases + gait.law.contacts.apart, phases)
    mean = mean.reshape(len(at.slow), len(PHASES), -1).mean(axis=1)
    mean[:, CHANNELS.index("pelvis.x")] -= gait.law.lead(at.slow)
    turn, place = wanted_pelvis(body, np.broadcast_to(mean, (len(at.frames), mean.shape[-1])), wish)
    calm = Motion(turn, place, body.pelvis).carry(body.head)
    since = 2.0 * at.phase[:, 0] - HOLD_BEGINS
    number = np.floor(since)
    thrust = smoothstep((since - number - HOLD_LASTS) / (1.0 - HOLD_LASTS))
    middle = (number[:, None] + HOLD_BEGINS + 0.5 * HOLD_LASTS + [0.0, 1.0]) / 2.0
    held, after = pace.distance_at(pace.seconds_at_phase(middle - pace.feet[0])).T
    froude = pace.speed_at(at.seconds) ** 2 / (GRAVITY * body.hip[:, 2].mean())
    much = walker.track.at("head_thrust", at.frames) * smooth_between(froude, RESTING, GOING)
    much = much * (1.0 - smooth_between(froude, RUNS_FROM, RUNS))
    base = Motion(turn, place, body.pelvis).carry(body.neck)
    calm, share = _with_room(body, base, calm, 0.5 * HOLD_LASTS * much * (after - held))
    much = much * share
    distance = at.distance + much * (held + thrust * (after - held) - at.distance)
    there, now = (walker.along_at(at.seconds, metres).root for metres in (distance, at.distance))
    away = now.seeing(there)
    head = away.position * [1.0, 1.0, 0.0] + rotated(away.rotation, calm)
    looks = Posture.of(len(head), head_yaw=yaw_of(away.rotation))
    return replace(wish, head=head, posture=wish.posture + looks)


def _with_room(
    body: Body, base: np.ndarray, head: np.ndarray, half: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return where a head `(f, 3)` is carried that is to go `half` `(f,)` metres forth and back above the
    base of its neck: nearer, so that the neck gets there; and the share `(f,)` of that which it can."""
    length, line = _length(body), head - base
    far = np.maximum(norms(line), 1e-9)
    most = length * (ALONG + (ACROSS - ALONG) * (line[:, 2] / far) ** 2)
    goes = lesser(half, most, SOFT * most)
    straighter = np.maximum(far - ROOMY * length, 0.0) * (1.0 - smoothstep(goes / (SOFT * length)))
    reach = ROOMY * length + straighter
    along = line[:, 0] * goes
    nearer = (np.sqrt(np.maximum(along**2 - far**2 * (goes**2 - reach**2), 0.0)) - along) / far**2
    return base + np.minimum(nearer, 1.0)[:, None] * line, goes / np.maximum(half, 1e-9)


def _length(body: Body) -> float:
    """Return the length of the neck in metres."""
    return float(norms(np.diff([body.neck, *body.nape, body.head], axis=0)).sum())


def neck_turns(body: Body, chest: Motion, head: np.ndarray, bob: np.ndarray) -> list[np.ndarray]:
    """Return the rotations `(f, 3, 3)` of the bones of a bird's neck on its chest, for a head that is to be
    at `(f, 3)`; with a `bob` `(f,)` of 1 where the chest carries it.

    The neck is bent in its middle; one of a single bone is only turned.
    """
    joints = np.stack([body.neck, *body.nape, body.head])
    base, end, single = joints[0], joints[-1], len(joints) == 2
    ends = np.cumsum(norms(np.diff(joints, axis=0)))
    half = 1 + int(np.abs(2.0 * ends[: max(1, len(ends) - 1)] - ends[-1]).argmin())
    middle = joints[half]
    upper, lower = float(norms(middle - base)), float(norms(end - middle))
    longest = np.array(max(LONGEST * (upper + lower), float(norms(end - base))))
    start, goal = chest.carry(base), head + bob[:, None] * (chest.carry(end) - head)
    line = goal - start
    away = norms(line)
    goal = start + line * (lesser(away, longest, BAND * longest) / np.maximum(away, 1e-9))[:, None]
    bends = _bends_to(base, middle, end)
    pole = rotated(chest.rotation, np.broadcast_to(bends, line.shape))
    elbow = goal if single else two_bones(start, goal, pole, upper, lower, pole)[0]
    turns = [frame(elbow - start, pole) @ transposed(frame(middle - base, bends))]
    if not single:
        turns.append(frame(goal - elbow, pole) @ transposed(frame(end - middle, bends)))
    return [turns[number >= half] for number in range(len(joints) - 1)]


def _bends_to(base: np.ndarray, middle: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the direction `(3,)` to which a neck bends: that of its rest pose, or backward for a straight
    one."""
    line = end - base
    off = middle - base - line * ((middle - base) @ line / (line @ line))
    back = cross(line, LEFTWARD) / norms(line)
    return off / norms(off) if norms(off) > SEEN_BEND * norms(line) else back
