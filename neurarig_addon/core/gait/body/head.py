"""Where the head points while walking: posture, looking around, and looking at a target, head first and then
chest, within limits.

A function of the frame: the head follows the target where it is then, the chest where it was a moment before.
On a body with eyes these
come first: they are where the head will be in a moment, and at the target at once; the head follows them and
leaves the last degrees to
them.
"""

from dataclasses import replace

import numpy as np

from ...easing import smooth_between, smoothstep, within
from ...geometry.rotation import rotated, transposed
from ...path.path import Along
from ..inputs.gaze import Gaze, Sight
from ..sliders.idle import ADULT_LEG, Looks, idle_loop, looks_around
from ..sliders.manner import BodyManner, Posture
from ..steps.situation import Situation
from ..walker import Walker

# Limits: head against chest, chest against the walk's heading, pitch of both together, head tilt.
MOST_HEAD, MOST_CHEST, MOST_PITCH, MOST_TILT = np.radians([70.0, 32.0, 40.0, 30.0])
CHEST_SHARE, CHEST_PITCHES = 0.3, 0.2  # shares of the turn and of the nod taken by the chest
CHEST_LATER = 0.25  # x sqrt(leg in metres): seconds by which the chest is later
# the gaze begins to give up, and has given up, on targets this far behind
GIVES_UP, NEVER = np.radians([115.0, 165.0])
NEAREST = 0.5  # leg lengths: a target right above or below the eyes has no direction
# x sqrt(leg in metres): seconds by which eyes are ahead of a head that turns by itself, and by which the head
# is behind eyes at a target.
EYES_EARLIER, HEAD_LATER = 0.12, 0.12
BY_EYES, BY_EYES_UP_AND_DOWN = np.radians([10.0, 6.0])  # what the head leaves to eyes that look at a target


def turning_the_head(wish: BodyManner, here: Situation) -> BodyManner:
    """Return the manner with the head's sliders and looking around added, within limits, and with what eyes
    do."""
    walker, seconds = here.walker, here.body.seconds
    return replace(
        wish, posture=_turned(wish.posture, _added(walker, seconds)), sight=_sight(walker, seconds)
    )


def _turned(posture: Posture, added: Posture) -> Posture:
    """Return the posture with turns of the head added, within limits."""
    if not any(np.any(part) for part in (added.head_yaw, added.head_pitch, added.head_roll)):
        return posture
    whole = posture + added
    return replace(
        whole,
        head_yaw=whole.chest_yaw + within(whole.head_yaw - whole.chest_yaw, MOST_HEAD),
        head_pitch=within(whole.head_pitch, MOST_PITCH),
        head_roll=within(whole.head_roll, MOST_TILT),
    )


def _added(walker: Walker, seconds: np.ndarray) -> Posture:
    """Return what the head's sliders and looking around add at times `(f,)`."""
    frames = walker.clock.frames(seconds)
    turn, nod, tilt = (
        np.radians(walker.track.at(slider, frames)) for slider in ("head_turn", "head_nod", "head_tilt")
    )
    added = Posture.of(len(seconds), head_yaw=turn, head_pitch=nod, head_roll=-tilt)
    looks = _looks(walker)
    return added if looks is None else added + looks.at(seconds, walker.track.at("look_around", frames))


def _looks(walker: Walker) -> Looks | None:
    """Return how a walker looks around, repeating with the lap if there is one; None if it does not."""
    if not looks_around(walker.track):
        return None
    leg, pace = walker.body.leg_length, walker.rhythm
    period = float(pace.seconds[-1] - pace.seconds[0]) if pace.lap else idle_loop(walker.clock, leg)
    return Looks(walker.track.seed, period, float(np.sqrt(leg / ADULT_LEG)))


def looking(wish: BodyManner, here: Situation) -> BodyManner:
    """Return the manner turned towards the walker's target, as far as the slider says."""
    walker, seconds, posture = here.walker, here.body.seconds, wish.posture
    gaze, body = walker.gaze, walker.body
    if gaze is None or not np.isfinite(body.head).all():
        return wish
    root = float(np.sqrt(body.leg_length))
    much = walker.track.at("look", walker.clock.frames(seconds))
    head_yaw, pitch, sees = _towards(walker, gaze, seconds - HEAD_LATER * root if body.has_eyes else seconds)
    chest_yaw, _, follows = _towards(walker, gaze, seconds - CHEST_LATER * root)
    chest = posture.chest_yaw + much * follows * within(CHEST_SHARE * chest_yaw, MOST_CHEST)
    if body.has_eyes:
        head_yaw, pitch = head_yaw - within(head_yaw, BY_EYES), pitch - within(pitch, BY_EYES_UP_AND_DOWN)
    turned = chest + within(head_yaw - chest, MOST_HEAD)
    nod = within(pitch, MOST_PITCH)
    sees = much * sees
    posture = replace(
        posture,
        chest_yaw=chest,
        chest_pitch=posture.chest_pitch + sees * CHEST_PITCHES * nod,
        head_yaw=posture.head_yaw + sees * (turned - posture.head_yaw),
        head_pitch=posture.head_pitch + sees * (nod - posture.head_pitch),
    )
    return replace(wish, posture=posture)


def _sight(walker: Walker, seconds: np.ndarray) -> Sight | None:
    """Return what the eyes do at times `(f,)`: ahead of the head's own turns, and at the target; None for a
    body without eyes."""
    if not walker.body.has_eyes:
        return None
    now, soon = (
        _added(walker, seconds),
        _added(walker, seconds + EYES_EARLIER * float(np.sqrt(walker.body.leg_length))),
    )
    place, sees = np.zeros((len(seconds), 3)), np.zeros(len(seconds))
    if walker.gaze is not None:
        frames, along = walker.clock.frames(seconds), _along(walker, walker.gaze, seconds)
        target = walker.gaze.at(frames)
        place = rotated(transposed(along.root.rotation), target - along.place)
        sees = walker.track.at("look", frames) * _from_eyes(walker, along, target)[2]
    return Sight(soon.head_yaw - now.head_yaw, soon.head_pitch - now.head_pitch, place, sees)


def _towards(walker: Walker, gaze: Gaze, seconds: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return yaw and pitch `(f,)` from the eyes to the target relative to the walk's heading, and its
    visibility, 0..1."""
    return _from_eyes(walker, _along(walker, gaze, seconds), gaze.at(walker.clock.frames(seconds)))


def _from_eyes(walker: Walker, along: Along, target: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """See `_towards`, for a walker who is `along` and a target `(f, 3)`."""
    eyes = along.place + rotated(along.root.rotation, np.broadcast_to(walker.body.head, along.place.shape))
    way = rotated(transposed(along.root.rotation), target - eyes)
    across = np.hypot(way[:, 0], way[:, 1])
    yaw = np.arctan2(way[:, 1], way[:, 0])
    ahead = 1.0 - smooth_between(np.abs(yaw), GIVES_UP, NEVER)
    return (
        yaw,
        np.arctan2(-way[:, 2], np.maximum(across, 1e-9)),
        ahead * smoothstep(across / (NEAREST * walker.body.leg_length)),
    )


def _along(walker: Walker, gaze: Gaze, seconds: np.ndarray) -> Along:
    """Return where the walker is at times `(f,)` as a target is seen."""
    distance = walker.rhythm.distance_at(seconds)
    return walker.along_at(seconds, np.zeros_like(distance) if gaze.on_the_spot else distance)
