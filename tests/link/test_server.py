"""The loop: training in silence, answers once converged, back to training."""

import numpy as np
import pytest

from neurarig_addon.link import sessions

from .walkers import DT, MemoryBrain, SineProfile, frame, original_frame


def test_it_trains_in_silence_and_answers_once_converged(wire):
    client = wire.client()
    assert wire.ask(client, frame(DT)) is None
    wire.converge(client)
    inputs = frame(12.34)
    answer = wire.ask(client, inputs)
    assert answer == pytest.approx(wire.profile.evaluate(inputs[None])[0], abs=1e-4)
    assert wire.server.counts.answers >= 2


def test_a_client_of_the_original_works_unchanged(wire):
    client = wire.client()
    client.ping()
    assert wire.walk(client, 60) > 30
    found = [wire.ask(client, original_frame()) for _ in range(60)]
    ideal = [wire.profile.evaluate(frame(number * DT)[None])[0] for number in range(61, 121)]
    assert np.abs(np.array(found) - ideal).max() < 1e-4


def test_answers_go_to_the_sender_only(wire):
    first, second = wire.client(), wire.client()
    wire.converge(first)
    first.send(frame(1.0))
    second.ping()
    wire.server.poll(0.01)
    assert first.receive() is not None
    assert second.receive() is None


def test_equal_bodies_learn_together_and_others_alone(wire):
    first, second, third = wire.client(), wire.client(), wire.client()
    wire.converge(first)
    assert wire.ask(second, frame(0.3)) is not None
    assert wire.ask(third, frame(0.3, leg=0.8)) is None
    assert wire.ask(first, frame(0.4)) is not None
    assert len(wire.server.sessions.learners()) == 2


@pytest.mark.parametrize("frames", [0, 1, 5, 20])
def test_another_profile_is_learned_anew_however_long_ago_the_last_audit_was(wire, frames):
    client, other = wire.client(), SineProfile(size=0.2)
    wire.converge(client)
    for number in range(frames):
        assert wire.ask(client, frame(number * DT)) is not None
    wire.server.set_profile(other, MemoryBrain)
    for number in range(60):
        inputs = frame(number * DT)
        answer = wire.ask(client, inputs)
        assert answer is not None or number < 40
        assert answer is None or np.abs(answer - other.evaluate(inputs[None])[0]).max() < 1e-3, (
            "what the old one taught is no answer"
        )


def test_an_answer_that_has_become_wrong_is_found_out_and_learned(open_wire):
    class Changeable(MemoryBrain):
        def train(self, inputs, targets):
            if np.abs(self.predict(inputs) - targets).max() > 0.1:
                self.reset()
            return super().train(inputs, targets)

    wire = open_wire(Changeable)
    client = wire.client()
    wire.converge(client)
    wire.profile.size = 0.5  # as if the stream left what was learned
    assert 30 < wire.walk(client, 60) < 60
    inputs = frame(3.3)
    assert wire.ask(client, inputs) == pytest.approx(wire.profile.evaluate(inputs[None])[0], abs=1e-3)


def test_solving_evaluates_the_profile_only_for_audits_and_listeners(wire):
    client = wire.client()
    wire.converge(client)
    wire.ask(client, frame(0.1))
    before = wire.profile.evaluations
    for number in range(10 * sessions.AUDIT_EVERY):
        wire.ask(client, frame(0.1 + number * DT))
    assert wire.profile.evaluations - before == 10
    listener = wire.listener()
    wire.ask(client, frame(0.7))
    assert listener.receive_targets() == pytest.approx(wire.profile.evaluate(frame(0.7)[None])[0], abs=1e-6)


def test_weights_that_are_right_answer_the_first_frame(open_wire):
    class Wise(MemoryBrain):
        warm = True

        def reset(self):
            super().reset()
            turns = 2.0 * np.pi * np.arange(30) / 30.0
            self.coefficients = 0.1 * np.array([np.sin(turns), np.cos(turns)])

    class Fool(MemoryBrain):
        warm = True

    assert (right := open_wire(Wise)).ask(right.client(), frame(0.5)) is not None
    assert (wrong := open_wire(Fool)).ask(wrong.client(), frame(0.5)) is None
