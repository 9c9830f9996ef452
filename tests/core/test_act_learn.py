"""Acts learned from clips whose motion is known: what is asked for comes back, and what is not standing is
refused."""

from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.acts.act import BODY, SEAT, STAND, STEP, ActContact, mirrored_channels
from neurarig_addon.core.acts.act_file import from_json, to_json
from neurarig_addon.core.acts.clip_body import untwisted
from neurarig_addon.core.acts.learn import learned, learned_upper
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.contract.channels import CHANNELS, IS_LENGTH
from neurarig_addon.core.easing import smootherstep
from neurarig_addon.core.gait.kinds.natural import GRAVITY
from neurarig_addon.core.geometry.rotation import about_y, from_euler, rotation_vector, transposed
from neurarig_addon.core.takes.performance import Performance
from neurarig_addon.training.acts.steps import learned_step
from tests.core.standing_clips import FPS, HUMAN, LEG
from tests.refusals import refuses

SECONDS = 4.0
AT = np.arange(round(SECONDS * FPS) + 1) / FPS
TRUNK = ("pelvis", "spine", "neck", "head", "clavicle", "upper_arm", "forearm", "hand", "thigh", "eye", "jaw")
FOOT = ("foot", "toe", "shin")
NEAR = np.where(IS_LENGTH, 0.012, np.radians(2.0))  # 1 cm and 2 degrees on a person


def _eased(begin: float, end: float) -> np.ndarray:
    return smootherstep((AT - begin) / (end - begin))


def _bump(begin: float, end: float) -> np.ndarray:
    """Return 0, 1 in the middle, and 0 again."""
    middle = 0.5 * (begin + end)
    return _eased(begin, middle) - _eased(middle, end)


def _standing_still() -> dict[str, Motion]:
    level = np.tile(np.eye(3), (len(AT), 1, 1))
    return {
        role: Motion(level, np.tile(HUMAN.rest_head(role), (len(AT), 1)), HUMAN.rest_head(role))
        for role in HUMAN.roles.bones
    }


def _shifted(
    motions: dict[str, Motion], stems: tuple[str, ...], way: np.ndarray, side: str = ""
) -> dict[str, Motion]:
    """Return motions of which parts are moved by `(f, 3)` leg lengths, of one side only if it is given."""
    return {
        role: replace(motion, position=motion.position + LEG * way)
        if role.split(".")[0] in stems and role.endswith(side)
        else motion
        for role, motion in motions.items()
    }


def _turned(motions: dict[str, Motion], roles: tuple[str, ...], pitch: np.ndarray) -> dict[str, Motion]:
    return motions | {
        role: replace(motions[role], rotation=about_y(pitch) @ motions[role].rotation) for role in roles
    }


def _arm_raised(motions: dict[str, Motion], side: str, pitch: np.ndarray) -> dict[str, Motion]:
    """Return motions with an arm turned about its shoulder."""
    arm = [f"{part}.{side}" for part in ("upper_arm", "forearm", "hand")]
    rest, off = HUMAN.rest_head(arm[0]), motions[arm[0]].position - HUMAN.rest_head(arm[0])
    shoulder = Motion(about_y(pitch), rest + off, rest)
    return motions | {
        role: shoulder.holding(replace(motions[role], position=motions[role].position - off)) for role in arm
    }


def _way(
    ahead: np.ndarray | float = 0.0, left: np.ndarray | float = 0.0, up: np.ndarray | float = 0.0
) -> np.ndarray:
    return np.stack(np.broadcast_arrays(ahead, left, up, AT)[:3], axis=-1)


def _performance(motions: dict[str, Motion], standing: np.ndarray | None = None) -> Performance:
    return Performance(
        HUMAN, motions, np.ones((len(AT), 2), dtype=bool) if standing is None else standing, FPS, "Clip"
    )


def _column(values: np.ndarray, channel: str) -> np.ndarray:
    return values[:, CHANNELS.index(channel)]


def _crouching() -> Performance:
    motions = _shifted(_standing_still(), TRUNK, _way(-0.1 * _bump(1.0, 3.0), 0.0, -0.3 * _bump(1.0, 3.0)))
    return _performance(_turned(motions, ("head",), 0.4 * _bump(1.0, 3.0)))


UP_S = 0.5
RISE = GRAVITY * UP_S**2 / 8.0 / LEG
OFF = 1.5


def _jumping(way: float = 1.2, off: float = OFF) -> Performance:
    """Return a jump that is in the air for half a second, going ahead meanwhile."""
    within = np.clip((AT - off) / UP_S, 0.0, 1.0)
    up = 4.0 * RISE * within * (1.0 - within)
    ahead = way * smootherstep(within)
    aloft = (within > 0.0) & (within < 1.0)
    motions = _shifted(_standing_still(), TRUNK + FOOT, _way(ahead, 0.0, up))
    motions = _shifted(
        motions,
        TRUNK,
        _way(0.0, 0.0, -0.2 * (_bump(off - 0.9, off - 0.15) + _bump(off + UP_S + 0.15, off + UP_S + 0.9))),
    )
    return _performance(motions, np.repeat(~aloft[:, None], 2, axis=1))


def test_a_clip_gives_the_act_from_where_the_body_leaves_standing_to_where_it_stands_again() -> None:
    act = learned(_crouching(), "Duck")
    begins = 1.5 - _lowest(act)
    at = AT[np.abs(AT - begins - 0.5 * act.seconds) <= 0.5 * act.seconds]
    values = act.curves(at - begins)
    assert act.base == STAND and act.flight is None and act.arms is None
    assert act.travel.values[0] == 0.0 and act.travel.values[-1] == 1.0
    assert np.allclose(_column(values, "pelvis.z"), _known(at, -0.3), atol=0.012)
    assert np.allclose(_column(values, "pelvis.x"), _known(at, -0.1), atol=0.012)
    assert np.allclose(_column(values, "head.pitch"), _known(at, 0.4), atol=np.radians(2.0))
    others = [
        column for column, name in enumerate(CHANNELS) if name not in ("pelvis.z", "pelvis.x", "head.pitch")
    ]
    assert (np.abs(values[:, others]) < NEAR[others]).all()


def _lowest(act) -> float:
    at = np.linspace(0.0, act.seconds, 2001)
    return float(at[np.argmin(_column(act.curves(at), "pelvis.z"))]) - 0.5


def _known(at: np.ndarray, size: float) -> np.ndarray:
    return size * np.interp(at, AT, _bump(1.0, 3.0))


def test_seconds_that_are_given_are_the_acts() -> None:
    act = learned(_crouching(), "Duck", 0.5, 3.5)
    assert act.seconds == pytest.approx(3.0)


def test_an_end_that_still_moves_is_led_back_to_rest() -> None:
    act = learned(_crouching(), "Duck", 0.5, 2.5)
    assert act.seconds > 2.2
    assert not act.curves.values[-1].any()
    assert np.allclose(_column(act.curves(np.array([1.5])), "pelvis.z"), -0.3, atol=0.012)


def test_feet_that_stay_stand_all_the_time() -> None:
    act = learned(_crouching(), "Duck")
    assert act.contacts == tuple(ActContact(part, 0.0, act.seconds) for part in ("foot_l", "foot_r"))


def test_a_jump_flies_while_it_falls_freely() -> None:
    act = learned(_jumping(), "Jump", 0.5, 3.5)
    assert act.flight == pytest.approx((OFF - 0.5, OFF - 0.5 + UP_S), abs=1.5 / FPS)
    for part in ("foot_l", "foot_r"):
        first, last = act.of(part)
        assert (first.begin, last.end) == (0.0, act.seconds) and (first.end, last.begin) == act.flight
    assert from_json(to_json(act), "it").contacts
    rises = np.linspace(0.0, act.seconds, 200)
    assert (np.diff(act.travel(rises)[:, 0]) > -2e-3).all()
    middle = np.array([OFF - 0.5 + 0.5 * UP_S])
    assert act.travel(middle) == pytest.approx(0.5, abs=0.02)
    assert _column(act.curves(middle), "foot_l.z") == pytest.approx(RISE, abs=0.012)
    assert _column(act.curves(middle), "foot_l.x") == pytest.approx(0.0, abs=0.03)


def test_a_foot_that_steps_has_the_place_of_its_print() -> None:
    ahead, up = 0.3 * (_eased(1.0, 1.4) - _eased(2.4, 2.8)), 0.1 * (_bump(1.0, 1.4) + _bump(2.4, 2.8))
    standing = np.stack(
        [((AT < 1.0) | (AT > 1.4)) & ((AT < 2.4) | (AT > 2.8)), np.ones(len(AT), dtype=bool)], axis=1
    )
    motions = _shifted(_standing_still(), FOOT, _way(ahead, 0.0, up), "L")
    act = learned(_performance(motions, standing), "Step", 0.4, 3.4)
    assert len(act.of("foot_r")) == 1 and len(act.of("foot_l")) == 3
    assert act.of("foot_l")[1].place == pytest.approx((0.3, 0.0, 0.0), abs=0.01)
    assert act.of("foot_l")[1].begin == pytest.approx(1.0, abs=2.0 / FPS)
    assert act.of("foot_l")[1].heading == pytest.approx(0.0, abs=0.01)


def test_hips_that_rest_behind_the_feet_sit() -> None:
    low = _eased(0.6, 1.4) - _eased(2.6, 3.4)
    sitting = _performance(_shifted(_standing_still(), TRUNK, _way(-0.45 * low, 0.0, -0.45 * low)))
    act = learned(sitting, "Sit", 0.3, 3.7)
    (seat,) = act.of(SEAT)
    assert seat.on == SEAT and 0.7 < seat.begin < 1.2 and 2.2 < seat.end < 2.7
    assert act.hold is not None and seat.begin < act.hold[0] < act.hold[1] < seat.end
    squatting = _performance(_shifted(_standing_still(), TRUNK, _way(0.0, 0.0, -0.45 * low)))
    act = learned(squatting, "Squat", 0.3, 3.7)
    assert not act.of(SEAT) and act.hold is not None


def test_a_mirrored_act_is_the_act_of_the_mirrored_clip() -> None:
    pitch = -0.8 * _bump(1.0, 3.0)
    right, left = (
        learned(_performance(_arm_raised(_standing_still(), side, pitch)), "Arm", 0.5, 3.5).curves
        for side in "RL"
    )
    assert np.abs(right.values).max() > 0.05
    at = np.linspace(0.0, 3.0, 50)
    assert np.allclose(mirrored_channels(right(at)), left(at), atol=1e-3)


def test_a_body_that_does_not_stand_is_refused() -> None:
    crouching = _crouching()
    nowhere = replace(crouching, standing=np.zeros((len(AT), 2), dtype=bool))
    with refuses(r"stands still nowhere.*Choose a clip"):
        learned(nowhere, "Duck")
    once = replace(crouching, standing=crouching.standing & (AT < 2.0)[:, None])
    with refuses("only once"):
        learned(once, "Duck")
    with refuses(r"does not stand on both feet at 3\.50 s"):
        learned(once, "Duck", 0.5, 3.5)
    with refuses("Choose seconds within the clip"):
        learned(crouching, "Duck", 0.5, 30.0)


def test_two_jumps_are_refused() -> None:
    first, second = _jumping(off=0.9), _jumping(off=2.6)
    motions = {
        role: replace(
            motion, position=motion.position + second.motions[role].position - HUMAN.rest_head(role)
        )
        for role, motion in first.motions.items()
    }
    with refuses("leaves the ground 2 times"):
        learned(_performance(motions, first.standing & second.standing), "Jumps", 0.1, 3.9)


def test_the_upper_body_alone_is_learned_whatever_the_legs_do() -> None:
    motions = _turned(_standing_still(), ("head",), 0.3 * _bump(0.5, 1.5))
    motions = _shifted(motions, TRUNK, _way(0.0, 0.0, -0.2 * _bump(0.5, 3.5)))
    motions = _arm_raised(motions, "R", -1.2 * _bump(1.0, 3.0))
    act = learned_upper(_performance(motions), "Wave")
    assert act.base == BODY and not act.contacts and act.arms is not None
    assert act.arms(np.array([0.0, 2.0, act.seconds])) == pytest.approx(
        np.array([[0.0, 0.0], [0.0, 1.0], [0.0, 0.0]]), abs=1e-3
    )
    assert _column(act.curves(np.array([1.0])), "head.pitch") == pytest.approx(0.3, abs=np.radians(2.0))
    legs = [column for column, name in enumerate(CHANNELS) if name.startswith(("pelvis", "foot", "ball"))]
    assert not act.curves.values[:, legs].any()
    with refuses("neither trunk nor arms"):
        learned_upper(_performance(_standing_still()), "Nothing")


def test_a_leap_is_learned_between_two_stances() -> None:
    within = np.clip((AT - OFF) / UP_S, 0.0, 1.0)
    ahead = 0.5 * AT
    motions = _shifted(_standing_still(), TRUNK, _way(ahead, 0.0, 4.0 * RISE * within * (1.0 - within)))
    motions = _shifted(
        motions, FOOT, _way(0.5 * OFF + 0.5 * UP_S * within, 0.0, 4.0 * RISE * within * (1.0 - within))
    )
    standing = np.stack([AT >= OFF + UP_S, AT <= OFF], axis=1)
    act = learned_step(_performance(motions, standing), "Leap", 1.2, 2.3)
    assert (
        act.base == STEP
        and act.flight is not None
        and act.flight == pytest.approx((0.3, 0.3 + UP_S), abs=1.5 / FPS)
    )
    assert [(one.begin, one.end) for one in act.of("foot_r") + act.of("foot_l")] == [
        (0.0, act.flight[0]),
        (act.flight[1], act.seconds),
    ]
    assert not act.curves.values[[0, -1]].any()
    with refuses("on one foot"):
        learned_step(_performance(motions), "Leap", 1.2, 2.3)


def test_a_bent_trunk_has_turns_that_can_be_scaled() -> None:
    pitch = np.radians(np.linspace(-50.0, 50.0, 11))
    turns = np.stack([pitch, 0.3 * pitch, 0.2 + 0.0 * pitch], axis=-1)
    np.testing.assert_allclose(untwisted(turns), turns, atol=1e-9)
    # as to_euler has a trunk bent to 95 degrees and a little askew
    over = np.radians(np.array([[85.0, 160.0, 150.0]]))
    assert (np.abs(untwisted(over)[0, 1:]) < np.radians(40.0)).all()
    off = rotation_vector(from_euler(*untwisted(over).T) @ transposed(from_euler(*over.T)))
    assert np.linalg.norm(off) < np.radians(8.0)
