"""A walk, from a body and its sliders to the motion of every role.

The story, top to bottom: when (rhythm), where (footsteps), the network's shapes, the feet on their prints, the pelvis above them, the
legs between, the upper body on top.  Everything is a function of the frame: any frame, in any order, alone or among others.
"""

from dataclasses import replace

import numpy as np

from ..body import LEFT, RIGHT, Body
from ..motion import Motion
from ..roles import SIDES, sided
from ..rotation import about_y, about_z, from_euler, part_way
from .channels import SLICES, block
from .contact import foot_shape
from .cycle import Rhythm, dimensionless_speed, natural_speed, rhythm
from .feet import BEND, HEADING, PITCH, Feet, FootPrints, eased_phase, free_feet, moving, place_feet
from .footsteps import BOTH, MID_STANCE, Footsteps, foot_phase, footsteps, spacing_of
from .law import HUMAN, GaitLaw
from .manner import Manner, limping, manner
from .plain import PlainGait
from .pose import WalkPose
from .proportions import arm_swing_share, settled
from .reach import Legs, bend_legs, lowered
from .style import Clock, StyleTrack
from .upper_body import arm_turns, head_turn, spine_turns

__all__ = ["natural_speed", "walk"]

BOUNCE_SAMPLES = 16  # of half a cycle, to find how high and low the pelvis goes
POLE_DISTANCE = 0.6  # of the leg length, in front of the knee


def walk(
    body: Body, track: StyleTrack, clock: Clock, frames: np.ndarray, network=None, law: GaitLaw = HUMAN, planted: bool = True
) -> WalkPose:
    """Return the walk of a body at some (fractional) frames `(f,)`, in any order; without a network a plain textbook walk.

    `network` gives the shapes (see GaitNetwork.sample), `law` stride and duty factor.  Not `planted`, the feet follow the shapes alone
    and slip where these do.
    A steady walk whose cycle is a whole number of frames is worked out for its first cycle and repeated: the seam is then exact, and a
    long bake costs no more than a cycle.
    """
    network = network or PlainGait()
    frames = np.asarray(frames, dtype=float)
    pace = rhythm(track, clock, body.leg_length, lambda pace, at: law.stride(pace, body) * manner(track, at).stride)
    cycle = pace.whole_cycle(clock)
    if not cycle:
        return _walk_at(body, track, clock, pace, frames, network, law, planted)
    since = frames - clock.start
    once, rows = np.unique(np.mod(since, cycle), return_inverse=True)
    return _walk_at(body, track, clock, pace, clock.start + once, network, law, planted).repeated(rows, frames, np.floor(since / cycle))


def _walk_at(
    body: Body, track: StyleTrack, clock: Clock, pace: Rhythm, frames: np.ndarray, network, law: GaitLaw, planted: bool
) -> WalkPose:
    wish = manner(track, frames)
    seconds = clock.seconds(frames)
    # How much the feet are out of step cannot change in mid-walk without a foot jumping: the start decides.
    shift, limp = float(track.at("phase", np.array([clock.start]))[0]), float(track.at("asymmetry", np.array([clock.start]))[0])
    phase = foot_phase(pace.phase_at(seconds), shift, limp)
    wish = limping(wish, phase)
    plan = footsteps(body, track, clock, pace, law, phase, shift, limp)
    speed, felt = pace.speed_at(seconds), pace.felt_speed_at(seconds)
    slow = _once(_slow_inputs(body, felt, spacing_of(body, wish.stance_width)))
    prints = _foot_prints(body, track, clock, pace, law, plan, shift, limp, slow)
    travel = pace.distance_at(seconds)
    duty = _duty_of(plan, phase)
    at = eased_phase(phase, duty, law.duty(felt[:, None], body, BOTH))
    values = network.sample(slow, at[:, RIGHT], at[:, LEFT])
    values[:, SLICES["pelvis"].start] -= law.lead(felt, body)

    vhat = dimensionless_speed(felt, body.leg_length)
    shape = foot_shape(body)
    if planted:
        feet = place_feet(body, shape, prints, phase, slow, moving(vhat), network)
        wish = replace(wish, crouch=wish.crouch + settled(shape.lacking, vhat))
    else:
        feet = free_feet(shape, prints, phase, travel, values)
    ankles = feet.state[..., :3] - travel[:, None, None] * np.array([1.0, 0.0, 0.0])
    motions = motions_of(body, wish, feet, ankles, wanted_pelvis(body, _bounced(values, slow, wish.bounce, network), wish), values)
    return WalkPose(
        frames=frames,
        motions={role: _influenced(motion, wish.influence) for role, motion in motions.items()},
        travel=travel,
        pivot=feet.pivot,
        phase=phase,
        ground_speed=speed,
        stride=pace.stride_at(seconds),
        duty=duty,
        period=np.divide(pace.stride_at(seconds), speed, out=np.full_like(speed, np.inf), where=speed > 1e-9),
    )


def motions_of(
    body: Body, wish: Manner, feet: Feet, ankles: np.ndarray, pelvis: tuple[np.ndarray, np.ndarray], values: np.ndarray
) -> dict[str, Motion]:
    """Return the motion of every role for feet with their ankles `(frames, 2, 3)` in the root's frame, and a wanted pelvis.

    `pelvis`: its turn and place (see `wanted_pelvis`), which is lowered here so that both legs reach.  `values` `(frames, 46)` give the
    upper body.
    """
    pelvis_turn, pelvis_at = pelvis
    hips = np.einsum("fij,sj->fsi", pelvis_turn, body.hip - body.pelvis) + pelvis_at[:, None]
    drop = lowered(pelvis_at[:, 2], hips, ankles, body)
    pelvis_at = pelvis_at - drop[:, None] * np.array([0.0, 0.0, 1.0])
    hips = hips - drop[:, None, None] * np.array([0.0, 0.0, 1.0])
    legs = bend_legs(body, hips, ankles, _knee_forward(pelvis_turn, feet.state[..., HEADING]))

    motions = {"pelvis": Motion(pelvis_turn, pelvis_at, body.pelvis)}
    motions |= _leg_motions(body, legs, feet, hips, ankles)
    return motions | _upper_motions(body, values, wish, motions["pelvis"])


def _duty_of(plan: Footsteps, phase: np.ndarray) -> np.ndarray:
    """Return the duty factors `(frames, 2)` of the steps under way."""
    column = plan.under_way(phase)
    return plan.lift[column] - plan.contact[column]


def _slow_inputs(body: Body, speed: np.ndarray, spacing: np.ndarray) -> np.ndarray:
    """Return the network's slow inputs `(..., 9)` (systems.md order) for speeds in m/s and spacings in metres `(...)`."""
    slow = np.empty(speed.shape + (9,))
    slow[..., 0] = speed
    for start, side in ((1, RIGHT), (5, LEFT)):
        slow[..., start] = body.thigh_length[side]
        slow[..., start + 1] = body.shin_length[side]
        slow[..., start + 2] = 0.0
        slow[..., start + 3] = spacing
    return slow


def _once(slow: np.ndarray) -> np.ndarray:
    """Return slow inputs `(n, 9)` as one row where all are the same, so that the network is asked once."""
    return slow[:1] if (slow == slow[0]).all() else slow


def _foot_prints(
    body: Body, track: StyleTrack, clock: Clock, pace: Rhythm, law: GaitLaw, plan: Footsteps, shift: float, limp: float, slow: np.ndarray
) -> FootPrints:
    """Return the plan with what shapes each step: the sliders at its heel strike, and the speed.

    `slow` `(frames or 1, 9)`: see `_slow_inputs`; used for all steps where it never changes.
    """
    offset = foot_phase(np.zeros(1), shift, limp)[0]
    width_keyed = bool({"stance_width", "weight"} & track.curves.keys())
    changing = width_keyed or bool((pace.speed != pace.speed[0]).any())

    def speed_at(phase: np.ndarray) -> np.ndarray:
        return pace.felt_speed_at(pace.seconds_at_phase(phase - offset[:, None]))

    def moves_at(phase: np.ndarray) -> np.ndarray:
        return moving(dimensionless_speed(speed_at(phase), body.leg_length))

    def slow_at(phase: np.ndarray) -> np.ndarray:
        if not changing:
            return slow
        seconds = pace.seconds_at_phase(phase - offset)
        spacing = np.full(seconds.shape, plan.spacing[0, 0])
        if width_keyed:
            width = manner(track, (clock.start + seconds * clock.fps).reshape(-1)).stance_width
            spacing = spacing_of(body, width.reshape(seconds.shape))
        return _slow_inputs(body, pace.felt_speed_at(seconds), spacing)

    seconds = pace.seconds_at_phase(plan.contact - offset[:, None])
    wish = manner(track, (clock.start + seconds * clock.fps).reshape(-1))
    fits = plan.contact.shape
    return FootPrints(
        plan=plan,
        slow_at=slow_at,
        air_slow=slow_at(plan.lift.T).swapaxes(0, 1) if changing else slow,
        changing=changing,
        natural=law.duty(speed_at(plan.contact + MID_STANCE), body, BOTH[:, None]),
        cornered=law.cornered,
        step_height=wish.step_height.reshape(fits),
        stride=wish.stride.reshape(fits),
        push=wish.push.reshape(fits),
        moving_at_lift=moves_at(plan.lift),
        moving_at_landing=moves_at(plan.contact + 1.0),
    )


def standing_height(body: Body) -> np.ndarray:
    """Return the height of the hips `(2,)` when the body stands with the feet where a walk puts them.

    A leg keeps its rest bend (a bird crouches, a person does not), but legs that are spread at rest come together and so raise the hips.
    """
    leg = body.thigh_length + body.shin_length
    extension = np.minimum(np.linalg.norm(body.ankle - body.hip, axis=-1) / leg, 1.0)
    extension = np.where(body.one_bone_legs, 1.0, extension)
    aside = 0.5 * np.abs(body.hip[:, 1])
    return body.ankle[:, 2] + np.sqrt(np.maximum((extension * leg) ** 2 - aside**2, (0.3 * leg) ** 2))


def wanted_pelvis(body: Body, values: np.ndarray, wish: Manner) -> tuple[np.ndarray, np.ndarray]:
    """Return the pelvis' rotation away from rest `(frames, 3, 3)` and the place of its head `(frames, 3)`, before the reach guard."""
    pelvis = block(values, "pelvis")
    turn = from_euler(pelvis[:, 3] + 0.3 * wish.lean, pelvis[:, 4] * wish.twist, pelvis[:, 5] * wish.list)
    hips_middle = body.hip.mean(axis=0)
    hips = np.stack(
        [
            hips_middle[0] + pelvis[:, 0],
            hips_middle[1] + pelvis[:, 1] * wish.sway,
            standing_height(body).mean() + pelvis[:, 2] - wish.crouch * body.leg_length,
        ],
        -1,
    )
    return turn, hips - np.einsum("fij,j->fi", turn, hips_middle - body.pelvis)


def _bounced(values: np.ndarray, slow: np.ndarray, bounce: np.ndarray, network) -> np.ndarray:
    """Return channels whose pelvis rises and falls `bounce` times as much.

    Less bounce keeps the lowest height, which both legs reach in double support; more keeps the highest, where the leg is straight.
    A keyed bounce goes over from one to the other around 1.
    """
    if (bounce == 1.0).all():
        return values
    half_cycle = 0.5 * np.arange(BOUNCE_SAMPLES) / BOUNCE_SAMPLES
    rows = np.repeat(slow, BOUNCE_SAMPLES, axis=0)
    phases = np.tile(half_cycle, len(slow))
    height = block(network.sample(rows, phases, phases + 0.5), "pelvis")[:, 2].reshape(len(slow), BOUNCE_SAMPLES)
    upward = np.clip(2.0 * bounce - 1.5, 0.0, 1.0)
    kept = height.min(axis=1) + np.ptp(height, axis=1) * upward * upward * (3.0 - 2.0 * upward)
    values = values.copy()
    column = SLICES["pelvis"].start + 2
    values[:, column] = kept + (values[:, column] - kept) * bounce
    return values


def _knee_forward(pelvis_turn: np.ndarray, heading: np.ndarray) -> np.ndarray:
    """Return where each knee points `(frames, 2, 3)`: half way between the pelvis and the foot."""
    pelvis_yaw = np.arctan2(pelvis_turn[:, 1, 0], pelvis_turn[:, 0, 0])
    yaw = 0.5 * (pelvis_yaw[:, None] + heading)
    return np.stack([np.cos(yaw), np.sin(yaw), np.zeros_like(yaw)], -1)


def _leg_motions(body: Body, legs: Legs, feet: Feet, hips: np.ndarray, ankles: np.ndarray) -> dict[str, Motion]:
    state = feet.state
    heading = about_z(state[..., HEADING])
    level = about_z(-body.foot_heading)
    foot = heading @ about_y(state[..., PITCH]) @ from_euler(0.0 * feet.roll, 0.0 * feet.roll, feet.roll) @ level
    toe = heading @ about_y(state[..., PITCH] + state[..., BEND]) @ level
    pole = legs.knee + legs.forward * POLE_DISTANCE * body.leg_length
    motions = {}
    for row, side in enumerate(SIDES):
        motions[sided("thigh", side)] = Motion(legs.thigh[:, row], hips[:, row], body.hip[row])
        motions[sided("shin", side)] = Motion(legs.shin[:, row], legs.knee[:, row], body.knee[row])
        motions[sided("foot", side)] = Motion(foot[:, row], ankles[:, row], body.ankle[row])
        motions[sided("knee", side)] = Motion(
            np.broadcast_to(np.eye(3), foot[:, row].shape), pole[:, row], body.knee[row] + np.array([POLE_DISTANCE * body.leg_length, 0, 0])
        )
        if np.isfinite(body.toe_joint[row]).all():
            joint = ankles[:, row] + np.einsum("fij,j->fi", foot[:, row], body.toe_joint[row] - body.ankle[row])
            motions[sided("toe", side)] = Motion(toe[:, row], joint, body.toe_joint[row])
    return motions


def _upper_motions(body: Body, values: np.ndarray, wish: Manner, pelvis: Motion) -> dict[str, Motion]:
    """Return spine, neck, head and arms, each hanging from the one before."""
    turn = block(values, "chest")
    chest = from_euler(turn[:, 0] + wish.lean, turn[:, 1] * wish.twist, turn[:, 2] * wish.list + wish.limp_lean)
    motions: dict[str, Motion] = {}
    holder = pelvis
    for number, rotation in enumerate(spine_turns(body, pelvis.rotation, chest), start=1):
        holder = motions[f"spine.{number}"] = _hung(holder, rotation, body.spine[number - 1])
    head = head_turn(block(values, "head"), chest, wish.head_bob)
    stem = holder
    if np.isfinite(body.neck).all():
        stem = motions["neck"] = _hung(holder, part_way(chest, head, np.full(len(head), 0.5)), body.neck)
    if np.isfinite(body.head).all():
        motions["head"] = _hung(stem, head, body.head)
    if np.isfinite(body.shoulder).all() and np.isfinite(body.elbow).all() and np.isfinite(body.wrist).all():
        arms = arm_turns(body, values, chest, wish.arm_swing * arm_swing_share(body), wish.arm_spread, wish.elbow_bend)
        for row, side in enumerate(SIDES):
            motions[sided("clavicle", side)] = _hung(holder, chest, body.shoulder[row])
            upper = motions[sided("upper_arm", side)] = _hung(holder, arms["upper_arm"][:, row], body.shoulder[row])
            fore = motions[sided("forearm", side)] = _hung(upper, arms["forearm"][:, row], body.elbow[row])
            motions[sided("hand", side)] = _hung(fore, arms["hand"][:, row], body.wrist[row])
    return motions


def _hung(holder: Motion, rotation: np.ndarray, joint: np.ndarray) -> Motion:
    """Return the motion of a bone whose head `(3,)` is carried by another."""
    return Motion(rotation, holder.position + np.einsum("fij,j->fi", holder.rotation, joint - holder.rest), joint)


def _influenced(motion: Motion, influence: np.ndarray) -> Motion:
    """Return a motion that is partly rest."""
    if (influence >= 1.0).all():
        return motion
    still = np.broadcast_to(np.eye(3), motion.rotation.shape)
    place = motion.rest + (motion.position - motion.rest) * influence[:, None]
    return Motion(part_way(still, motion.rotation, influence), place, motion.rest)
