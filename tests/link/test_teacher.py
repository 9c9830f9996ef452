"""The ideal of a frame, and the stride time that sums it up: whatever a profile says of them is a number or a
refusal."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.link.contract import PacketError, Refusal
from neurarig_addon.link.sessions import Session, Sessions
from neurarig_addon.link.teacher import Teacher

from .walkers import DT, SineProfile, frame, original_frame


class OddProfile(SineProfile):
    """A profile one of whose outputs, or whose stride time, is what it is told to be."""

    def __init__(self, output: float | None = None, seconds: float | None = 0.9, tells: bool = True):
        super().__init__()
        self._output, self._seconds, self._tells = output, seconds, tells

    def evaluate(self, inputs: np.ndarray) -> np.ndarray:
        targets = np.zeros((len(inputs), 30))
        if self._output is not None:
            targets[:, 17] = self._output
        return targets

    def period(self, inputs: np.ndarray) -> np.ndarray | None:
        return np.full(len(inputs), self._seconds) if self._tells else None


@pytest.mark.parametrize("output", [np.nan, np.inf, -np.inf])
def test_an_ideal_with_one_number_that_is_none_is_refused(output):
    with pytest.raises(PacketError, match="not finite") as error:
        Teacher(OddProfile(output), None).targets(frame(0.3))
    assert error.value.refusal is Refusal.UNANSWERABLE


def test_an_ideal_of_numbers_is_the_profiles():
    assert_array_equal(Teacher(OddProfile(4.0), None).targets(frame(0.3))[15:19], [0.0, 0.0, 4.0, 0.0])


def summed(profile: SineProfile, frames: int) -> np.ndarray:
    """Return the `t_cycle` that a client's frames mean, each sent with its own seconds as the original's
    engine does."""
    teacher, session = Teacher(profile, None), Session(last_seen=0.0)
    return np.array([teacher.inputs_of(session, original_frame())[9] for _ in range(frames)])


@pytest.mark.parametrize("seconds", [0.25, 0.9])
def test_the_time_begins_anew_with_every_stride(seconds):
    expected = DT * np.arange(1, 121)
    assert_allclose(
        np.exp(2j * np.pi * summed(OddProfile(seconds=seconds), 120) / seconds),
        np.exp(2j * np.pi * expected / seconds),
    )
    assert summed(OddProfile(seconds=seconds), 120).max() <= seconds


@pytest.mark.parametrize("seconds", [0.0, -0.9, np.inf, np.nan])
def test_a_stride_time_that_is_none_is_not_believed(seconds):
    """Standing, or at no speed, the seconds since the beginning count."""
    assert_allclose(summed(OddProfile(seconds=seconds), 120), DT * np.arange(1, 121))


def test_a_profile_that_does_not_tell_its_stride_time_counts_seconds():
    assert_allclose(summed(OddProfile(tells=False), 120), DT * np.arange(1, 121))


def test_who_only_computes_never_learns():
    teacher, session = Teacher(OddProfile(), None), Session(last_seen=0.0)
    assert teacher.outputs(session, Sessions(), frame(0.3)) is None and session.learner is None
