"""The two states of a learner, frame by frame, on a brain that does as it is told."""

import numpy as np
import pytest

from neurarig_addon.link.sessions import AUDIT_EVERY, PATIENCE, Learner, loss_of

INPUTS, IDEAL, WRONG = np.zeros(3), np.ones(4), np.full(4, 3.0)


class ToldBrain:
    """Predicts, converges and loses as it is told, and keeps count of what is asked of it."""

    def __init__(self, converged: bool = False, outputs: np.ndarray = IDEAL, loss: float = 1.0):
        self.converged, self.outputs, self.loss = converged, outputs, loss
        self.asked: list[str] = []

    def train(self, inputs: np.ndarray, targets: np.ndarray) -> float:
        self.asked.append("train")
        return self.loss

    def predict(self, inputs: np.ndarray) -> np.ndarray:
        self.asked.append("predict")
        return self.outputs

    def reset(self) -> None:
        self.asked.append("reset")


def answers(learner: Learner, frames: int = 1) -> list[bool]:
    """Return of each frame whether it was answered."""
    return [learner.answer(INPUTS, lambda _inputs: IDEAL) is not None for _ in range(frames)]


def test_the_loss_is_a_tenth_of_the_mean_square():
    assert loss_of(WRONG, IDEAL) == pytest.approx(0.4) and loss_of(IDEAL, IDEAL) == 0.0


def test_who_is_new_trains_before_anything_is_predicted():
    brain = ToldBrain()
    learner = Learner(brain, warm=False)
    assert not learner.solving and learner.loss == np.inf
    assert answers(learner, 3) == [False] * 3 and brain.asked == ["train"] * 3 and learner.loss == 1.0


def test_only_who_has_been_right_before_answers_while_it_trains():
    for warm in (False, True):
        assert answers(Learner(ToldBrain(loss=1e-9), warm)) == [warm]
        assert answers(Learner(ToldBrain(loss=1e-3), warm)) == [False]


def test_who_has_converged_answers_and_is_audited_now_and_then():
    brain = ToldBrain(converged=True)
    learner = Learner(brain, warm=False)
    assert answers(learner) == [True] and learner.solving and brain.asked == ["train", "predict"]
    ideals = []

    def ideal(inputs: np.ndarray) -> np.ndarray:
        ideals.append(inputs)
        return IDEAL

    for _ in range(2 * AUDIT_EVERY + 1):
        assert learner.answer(INPUTS, ideal) is not None
    assert len(ideals) == 3 and brain.asked.count("train") == 1, (
        "the first frame after training, then one in so many"
    )


def test_an_audit_that_finds_a_wrong_answer_trains_and_the_next_frame_is_audited_again():
    brain = ToldBrain(converged=True)
    learner = Learner(brain, warm=False)
    answers(learner, 2)
    brain.outputs, brain.converged = WRONG, False
    assert answers(learner) == [False] and not learner.solving and brain.asked[-1] == "train"
    brain.outputs, brain.converged = IDEAL, True
    assert answers(learner, 2) == [True, True] and learner.solving and learner.loss == 0.0


def test_who_does_not_converge_begins_anew_after_its_patience_and_at_once_where_the_loss_is_no_number():
    brain = ToldBrain()
    learner = Learner(brain, warm=False)
    answers(learner, PATIENCE - 1)
    assert "reset" not in brain.asked
    answers(learner)
    assert brain.asked[-1] == "reset"
    answers(learner, PATIENCE - 1)
    assert brain.asked.count("reset") == 1, "with all its patience again"
    brain.loss = np.nan
    answers(learner)
    assert brain.asked.count("reset") == 2
