"""A client's time: the time inside the stride as the contract says, or the time of a frame as the original's
engine sends."""

import numpy as np
import pytest

from neurarig_addon.link.contract import Contract, PacketError, Refusal, TimeMode, WalkClock

from .walkers import DT, INPUTS, SineProfile, frame, original_frame

CONTRACT = Contract(INPUTS)
PROFILE = SineProfile()


def stride_time(inputs: np.ndarray) -> float:
    return float(PROFILE.period(inputs[None])[0])


def test_times_inside_the_stride_pass_unchanged():
    clock = WalkClock()
    for number in range(200):
        sent = frame(number * DT)
        assert np.array_equal(clock.inputs_of(sent, CONTRACT, stride_time), sent)


def test_times_of_frames_are_summed_up_and_wrapped_at_the_stride():
    clock = WalkClock()
    for number in range(1, 200):
        sent = original_frame()
        found = clock.inputs_of(sent, CONTRACT, stride_time)
        # on a circle: at the seam 0 and a whole stride are the same place
        assert abs((found[9] - number * DT + 0.45) % 0.9 - 0.45) < 1e-9
        assert found[10] == pytest.approx(number * DT)
        assert sent[9] == DT


def test_a_change_of_speed_does_not_make_the_walk_jump():
    clock, phases = WalkClock(), []
    for velocity in np.linspace(0.5, 1.5, 2_000):
        found = clock.inputs_of(original_frame(velocity), CONTRACT, stride_time)
        phases.append(found[9] / stride_time(found))
    assert np.abs((np.diff(phases) + 0.5) % 1.0 - 0.5).max() < 1.01 * DT * 1.5 / 0.9


def test_a_client_may_say_what_it_sends():
    clock = WalkClock()
    clock.mode = TimeMode.CYCLE
    assert clock.inputs_of(original_frame(), CONTRACT, stride_time)[9] == DT
    clock.mode = TimeMode.DELTA
    sent = frame(0.1, accumulated=5.0)
    clock.inputs_of(sent, CONTRACT, stride_time)
    assert clock.inputs_of(sent, CONTRACT, stride_time)[9] == pytest.approx(0.2)


def test_without_a_stride_time_the_sum_of_all_is_the_time():
    clock = WalkClock()
    for _ in range(3):
        found = clock.inputs_of(original_frame(), CONTRACT, lambda inputs: None)
    assert found[9] == found[10] == pytest.approx(3 * DT)


def test_an_input_called_delta_time_is_always_summed_up():
    contract = Contract(["velocity", "delta_time", "t_accumulated"])
    clock = WalkClock()
    sent = np.array([1.0, 0.5, 9.0])
    clock.inputs_of(sent, contract, lambda inputs: None)
    assert clock.inputs_of(sent, contract, lambda inputs: None)[1] == 1.0


def test_a_profile_without_a_clock_is_left_alone():
    sent = np.array([1.0])
    assert WalkClock().inputs_of(sent, Contract(["velocity"]), stride_time) is sent


def test_ranges_are_those_of_the_names():
    assert list(CONTRACT.body) == [1, 2, 4, 5, 6, 8]
    for place, value in ((1, 0.0), (1, 45.0 * 10.0), (0, 600.0), (9, -0.1), (10, 1e9), (3, 90.0)):
        sent = frame(0.0)
        CONTRACT.check(sent)
        sent[place] = value
        with pytest.raises(PacketError, match=INPUTS[place]) as caught:
            CONTRACT.check(sent)
        assert caught.value.refusal is Refusal.RANGE
